"""`widl tune`: weights of a translation model or a headline model, or on n-best lists of any decoder."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from widl.cli.combine import Lm, read_outputs
from widl.cli.commands import commands
from widl.cli.models import report_removed_features
from widl.cli.parameters import (
    CORES,
    HeadlineModel,
    ModelDirectory,
    Threads,
    check_outputs,
    text_lines,
)
from widl.cli.tune_model import Loop, references_of, report_no_improvement, tune_model
from widl.combination import CombinationOptions, Combiner
from widl.common.errors import InputError
from widl.common.files import replacing, write_text
from widl.common.json_values import json_text
from widl.common.option_values import Positive
from widl.common.options import given, option_set, replace
from widl.decoder import format_weights, read_weights
from widl.decoder.weights import read_finite_entries
from widl.headline import HeadlineOptions, Headliner
from widl.headline.references import read_with_references
from widl.mert import OptimizationResult, OptimizerOptions, TuningOptions, TuningSet, optimize, read_nbest
from widl.mert.problem import read_bounds
from widl.metrics import MetricOptions, Objective
from widl.pipeline.tuning import (
    CombinationTask,
    HeadlineTask,
    TranslationTask,
)
from widl.text.source_and_target import sides_are_swapped
from widl.translation import TranslationOptions, Translator

app = commands("tune", "Tune the weights of a model, or on n-best lists.")

Source = Annotated[Path, Parameter(help="Text to decode.")]
Documents = Annotated[Path, Parameter(name="--source", help="Documents to make headlines for.")]
Reference = Annotated[
    list[Path],
    Parameter(metavar="FILE", help="References, one sentence per line. Repeatable."),
]
HeadlineReference = Annotated[
    list[Path] | None,
    Parameter(
        metavar="FILE",
        help="References in place of the documents' own headlines: lines, or DUC's folder of model summaries.",
    ),
]
Lists = Annotated[list[Path], Parameter(metavar="LISTS", help="N-best lists in Moses' format, also .gz.")]
NewWeights = Annotated[
    Path, Parameter(name=["--output", "-o"], help="File for the weights: TOML lines 'name = value'.")
]
StartWeights = Annotated[Path | None, Parameter(help="Weights to start from; default: the untuned ones.")]
WeightsOfLists = Annotated[Path | None, Parameter(name="--weights", help="Weights to start from; default: all 1.")]
MetricName = Annotated[
    str,
    Parameter(
        help="bleu, ter, chrf, chrf++, rouge1, rouge2, rougeL (with _recall), rouge1x2_recall, "
        "or like 0.5*bleu-0.5*ter."
    ),
]
HeadlineMetric = Annotated[
    str | None,
    Parameter(name="--metric", help="As in 'widl tune nbest'. Default: rouge1; for widl-paper, rouge1x2_recall."),
]
Bounds = Annotated[
    list[str] | None,
    Parameter(metavar="NAME=LOW:HIGH", help="Bounds of a weight; either end may be omitted. Repeatable."),
]
Report = Annotated[Path | None, Parameter(help="File for an HTML page of the error surface.")]
Json = Annotated[bool, Parameter(name="--json", help="Print the result as a JSON object.")]


@option_set
class ListSize:
    """The size of the lists that weights are tuned on."""

    nbest: Positive = TuningOptions.nbest


def _with_size(tuning: TuningOptions, lists: ListSize) -> TuningOptions:
    """The options of tuning with the size of its lists, if it was set."""
    return replace(tuning, nbest=lists.nbest) if "nbest" in given(lists) else tuning


@option_set
class TranslationLists(ListSize, TranslationOptions):
    """How lists of translations are made."""


@option_set
class HeadlineLists(ListSize, HeadlineOptions):
    """How lists of headlines are made."""


@option_set
class CombinationLists(ListSize, CombinationOptions):
    """How lists of combinations are made."""


@app.command(name="translation")
def tune_translation(
    model: ModelDirectory,
    /,
    *,
    source: Source,
    reference: Reference,
    weights: StartWeights = None,
    loop: Loop = Loop(),
    metric: Annotated[str | None, Parameter(metavar="NAME", help="As in 'widl tune nbest'. Default: bleu.")] = None,
    tuning: TuningOptions = TuningOptions(),
    options: TranslationLists = TranslationLists(),
    metrics: MetricOptions = MetricOptions(),
    threads: Threads = CORES,
) -> None:
    """Tune a translation model's weights: repeatedly decode, and optimize the weights on all candidates found.

    Prints the metric of the decoder's output with the start and the tuned weights. The job's directory has n-best lists
    and a report; the same command resumes an interrupted job.

      widl tune translation model --source dev.zh --reference dev.en -o tuned.toml
    """
    check_outputs({"--output": loop.output}, [source, *filter(None, [weights]), *reference], may_be_of_models=True)
    translator = Translator(model, weights=weights, preset=options.preset)
    lines, references = list(text_lines([source])), references_of(reference)
    for path, stream in zip(reference, references, strict=True):
        if sides_are_swapped(lines, stream, translator.source.language):
            raise InputError(f"{source} and {path} seem to be exchanged: {path} has the Chinese text")
    task = TranslationTask(translator, lines, references, options, name=str(source))
    report_removed_features(translator, quiet=loop.quiet)
    tune_model(task, metric, metrics, _with_size(tuning, options), loop, threads)


@app.command(name="headline")
def tune_headline(
    model: HeadlineModel,
    /,
    *,
    source: Documents,
    reference: HeadlineReference = None,
    weights: StartWeights = None,
    loop: Loop = Loop(),
    metric: HeadlineMetric = None,
    tuning: TuningOptions = TuningOptions(),
    options: HeadlineLists = HeadlineLists(),
    metrics: MetricOptions = MetricOptions(),
    threads: Threads = CORES,
) -> None:
    """Tune a headline model's weights: repeatedly make headlines, and optimize the weights on all candidates found.

    Prints the metric of the headlines with the start and the tuned weights. The job's directory has n-best lists and a
    report; the same command resumes an interrupted job.

      widl tune headline headlines --source dev.jsonl --job headline-job -o t.toml
      widl tune headline headlines --source docs --reference models -o t.toml
    """
    read = [source, *filter(None, [weights]), *(reference or ())]
    check_outputs({"--output": loop.output}, read, may_be_of_models=True)
    headliner = Headliner(model, weights=weights, system=options.system)
    documents = read_with_references([source], reference or ())
    task = HeadlineTask(headliner, documents, None, options, threads=threads, name=str(source))
    tune_model(task, metric, metrics, _with_size(tuning, options), loop, threads)


@app.command(name="combination")
def tune_combination(
    files: Annotated[
        list[Path], Parameter(help="Files with one output per line, or a JSON-lines file with 'outputs'.")
    ],
    /,
    *,
    reference: Reference,
    weights: StartWeights = None,
    lm: Lm = None,
    loop: Loop = Loop(),
    metric: MetricName = "bleu",
    tuning: TuningOptions = TuningOptions(),
    options: CombinationLists = CombinationLists(),
    metrics: MetricOptions = MetricOptions(),
    threads: Threads = CORES,
) -> None:
    """Tune the weights of a combination: for each system, for agreement, and for length.

    widl tune combination a.txt b.txt c.txt --reference dev.en -o weights.toml
    widl combine a.txt b.txt c.txt --weights weights.toml
    """
    check_outputs({"--output": loop.output}, [*files, *filter(None, [weights]), *reference])
    combiner = Combiner(lm or [], read_finite_entries(weights) if weights else None)
    lines = list(read_outputs(files))
    task = CombinationTask(combiner, lines, references_of(reference), options, name=str(files[0]))
    names = list(map(str, files)) if len(files) > 1 else [f"output {number}" for number in range(1, len(lines[0]) + 1)]
    tune_model(task, metric, metrics, _with_size(tuning, options), loop, threads, names)


@app.command(name="nbest")
def tune_nbest(
    lists: Lists,
    /,
    *,
    reference: Reference,
    output: NewWeights,
    weights: WeightsOfLists = None,
    metric: MetricName = "bleu",
    optimizer: OptimizerOptions = OptimizerOptions(),
    bounds: Bounds = None,
    metrics: MetricOptions = MetricOptions(),
    report: Report = None,
    threads: Threads = CORES,
    as_json: Json = False,
) -> None:
    """Tune weights on n-best lists of any decoder.

    Prints the metric of the candidates that the start and the tuned weights choose in the lists.

      widl tune nbest lists.gz --reference ref.en -o tuned.toml
    """
    objective = Objective(metric, references_of(reference), metrics, threads=threads)
    nbest_lists = read_nbest(lists, sentences=objective.sentences)
    names = nbest_lists.feature_names
    start = read_weights(weights, names) if weights else dict.fromkeys(names, 1.0)
    with replacing(output) as temporary:  # fails before the work starts if the output can't be written
        data = TuningSet(objective)
        data.add(nbest_lists)
        problem = data.freeze()
        optimized = optimize(problem, start, replace(optimizer, threads=threads, bounds=read_bounds(bounds or [])))
        temporary.write_text(format_weights(optimized.weights), encoding="utf-8")
        _print_optimized(optimized, objective, len(data), as_json=as_json)
        if not optimized.moved:
            report_no_improvement()
    if report:
        from widl.mert.tuning_page import surface_page

        text = f"{objective.text} {optimized.start_score:.3f} at the start, {optimized.score:.3f} with these weights."
        with write_text(report) as file:
            file.write(surface_page(problem, optimized.weights, text))


def _print_optimized(optimized: OptimizationResult, objective: Objective, candidates: int, *, as_json: bool) -> None:
    if as_json:
        summary = {
            "score": optimized.score,
            "metrics": optimized.values,
            "start_score": optimized.start_score,
            "start_metrics": optimized.start_values,
            "weights": optimized.weights,
            "moved": optimized.moved,
            "signatures": objective.signatures(),
            "candidates": candidates,
        }
        sys.stdout.write(json_text(summary) + "\n")
        return
    for name, value in optimized.values.items():
        sys.stdout.write(f"{name} {optimized.start_values[name]:.3f} -> {value:.3f}\n")
