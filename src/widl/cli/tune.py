"""`widl tune`."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from widl.cli.commands import ManyValues
from widl.cli.options import CORES, Cluster, Distortion, Quiet, Threads, check_outputs, command_group, resumable
from widl.cli.schema import only, refuse_unused, with_options
from widl.cli.translation_options import Markup, MarkupMode, MoreModels, with_markup
from widl.cli.tune_model import Loop, headline_task, references_of, translation_task, tune_model
from widl.decoder import format_weights, read_weights
from widl.errors import InputError
from widl.files import replacing, write_text
from widl.headline import HeadlineOptions
from widl.headline.manifest import is_headline_model
from widl.mert import (
    LATTICE_ALGORITHM,
    MetricOptions,
    Objective,
    OptimizerOptions,
    TuningOptions,
    TuningSet,
    optimize,
    read_nbest,
)
from widl.pipeline.tuning import Task
from widl.translation import TranslationOptions

app = command_group()

Model = Annotated[
    Path | None,
    typer.Argument(help="A directory made by 'widl train' or 'widl headline train'.", metavar="MODEL_DIR"),
]
Source = Annotated[
    Path | None, typer.Option(help="With MODEL_DIR: the text to decode; of a headline model, documents.")
]
Reference = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE...",
        help="References, a line for each sentence; several files at once. Documents may have their own, or DIR is "
        "DUC's folder of their model summaries.",
    ),
]
Lists = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE...", help="Instead of MODEL_DIR: n-best lists in Moses' format, also .gz."),
]
WeightsFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="File for the tuned weights: TOML lines 'name = value'.")
]
StartWeights = Annotated[
    Path | None, typer.Option(help="Weights to start from; default: the model's, or all 1 for n-best lists.")
]
JobDirectory = Annotated[Path, typer.Option(help="With MODEL_DIR: the job's directory: lists, weights, report.")]
Replications = Annotated[int, typer.Option(min=1, help="Number of tuning runs, with seeds --seed, --seed + 1, ….")]
MetricName = Annotated[
    str | None,
    typer.Option(
        help="bleu, ter, chrf, chrf++, rouge1, rouge2, rougeL (with _recall), rouge1x2_recall, "
        "or like 0.5*bleu-0.5*ter. "
        "Default: bleu; of headlines rouge2_recall, of widl-paper rouge1x2_recall."
    ),
]
Report = Annotated[
    Path | None, typer.Option(help="With --nbest: HTML page of the error surface to write.")
]
Generation = Annotated[HeadlineOptions, only("system", "words", "bytes")]
Decoding = Annotated[
    TranslationOptions,
    only(
        *("decoder", "search", "pop_limit", "k", "k_unit", "order", "table_threshold", "table_limit"),
        *("distortion_limit", "reordering", "max_states"),
        *("glossary", "glossary_mode", "entities", "names", "segmentations", "rare_words", "unknown"),
    ),
]


LatticeArcs = Annotated[
    int | None,
    typer.Option(min=0, help="lattice-mert: keep so many arcs of a lattice, the best; 0: all. Default: 2000."),
]


_OF_TRANSLATION = (
    *("decoder", "search", "pop_limit", "k", "k_unit", "order", "table_threshold", "table_limit", "distortion_limit"),
    *("reordering", "max_states", "distortion", "add_lm", "markup", "markup_mode", "glossary", "glossary_mode"),
    *("entities", "names", "segmentations", "rare_words", "unknown"),
)
_OF_MODELS = (
    *_OF_TRANSLATION,
    *("lattice_arcs", "system", "words", "bytes", "source", "job", "replications", "candidates"),
    *("held_out", "damped"),
)


@app.command(cls=ManyValues)
@with_options
def tune(
    model: Model = None,
    *,
    source: Source = None,
    reference: Reference = None,
    nbest: Lists = None,
    output: WeightsFile = None,
    weights: StartWeights = None,
    job: JobDirectory = Path("tuning"),
    replications: Replications = 1,
    metric: MetricName = None,
    tuning: TuningOptions,
    translation: Decoding,
    lattice_arcs: LatticeArcs = None,
    distortion: Distortion = "own",
    add_lm: MoreModels = None,
    markup: Markup = False,
    markup_mode: MarkupMode = "exclusive",
    headlines: Generation,
    metrics: MetricOptions,
    report: Report = None,
    threads: Threads = CORES,
    cluster: Cluster = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as a JSON object.")] = False,
    quiet: Quiet = False,
) -> None:
    """Tune feature weights: a model's, decoding in each iteration, or on n-best lists of any decoder.

    Prints the metric with the start and the tuned weights: of decoder output, or of the candidates that they choose in
    the lists. The job's directory has n-best lists and a report; the same command resumes an interrupted job.

    \b
      widl tune model --source dev.zh --reference dev.en -o tuned.toml
      widl tune headlines --source dev.jsonl --job tuning-headlines -o tuned.toml
      widl tune headlines --source docs --reference models --jackknife -o t.toml
      widl tune --nbest lists.gz --reference ref.en -o tuned.toml
    """
    _check_task(model, source, nbest)
    tuning = replace(tuning, optimizer=replace(tuning.optimizer, threads=threads))
    if model is None:
        _check_for_lists(output, cluster, reference)
        objective = Objective(metric or "bleu", references_of(reference or ()), metrics, threads=threads)
        _tune_on_lists(nbest or [], objective, weights, tuning.optimizer, output, report, as_json=as_json)
        return
    assert source is not None
    read = [source, *filter(None, [weights]), *(reference or ())]
    check_outputs({"--output": output}, read, may_be_of_models=True)  # such as a model's weights.toml
    lattices = _lattices(lattice_arcs, tuning.optimizer)
    task: Task
    if is_headline_model(model):
        headlines = replace(headlines, **lattices)
        task = headline_task(model, weights, source, reference or (), headlines, threads)
    else:
        translation = with_markup(replace(translation, **lattices), markup, markup_mode)
        task = translation_task(model, weights, source, reference or (), translation, distortion, add_lm or ())
    objective = Objective(metric or task.metric, task.references, metrics, threads=threads)
    loop = Loop(job=job, replications=replications, quiet=quiet, cluster=cluster)
    with resumable():
        tune_model(task, objective, tuning, loop, output, as_json=as_json)


def _lattices(arcs: int | None, optimizer: OptimizerOptions) -> dict[str, Any]:
    """The options of decoding for lattices of so many arcs."""
    if optimizer.algorithm != LATTICE_ALGORITHM:
        refuse_unused(["lattice_arcs"], f"--algorithm {LATTICE_ALGORITHM}")
    return {} if arcs is None else {"lattice": True, "lattice_arcs": arcs}


def _check_task(model: Path | None, source: Path | None, nbest: Sequence[Path] | None) -> None:
    """Either a model with its text or lists, and no option that is for something else."""
    if (model is None) == (nbest is None):
        raise InputError("give either a model directory, with --source, or --nbest lists")
    if model is None:
        refuse_unused(_OF_MODELS, "a model directory, not for --nbest")
        return
    refuse_unused(["report"], "--nbest; the page of a model's tuning is in its job's directory, --job")
    if source is None:
        raise InputError("--source is missing: the text that the model shall decode")
    if is_headline_model(model):
        refuse_unused(_OF_TRANSLATION, "translation models")
    else:
        refuse_unused(["system", "words", "bytes"], "headline models")


def _check_for_lists(output: Path | None, cluster: str | None, reference: Sequence[Path] | None) -> None:
    """What tuning on lists needs and can't have."""
    if output is None:
        raise InputError("--output is missing: where shall the weights go?")
    if cluster is not None:
        raise InputError("--cluster is for decoding with a model directory; n-best lists are tuned on here")
    if not reference:
        raise InputError("--reference is missing: the lines that the lists' candidates are compared with")


def _tune_on_lists(
    nbest: Sequence[Path],
    objective: Objective,
    weights: Path | None,
    options: OptimizerOptions,
    output: Path | None,
    report: Path | None,
    *,
    as_json: bool,
) -> None:
    assert output is not None
    lists = read_nbest(nbest, sentences=objective.sentences)
    names = lists.feature_names
    start = read_weights(weights, names) if weights else dict.fromkeys(names, 1.0)
    with replacing(output) as temporary:  # fails before the work if the output can't be written
        data = TuningSet(objective)
        data.add(lists)
        problem = data.freeze()
        optimized = optimize(problem, start, options)
        temporary.write_text(format_weights(optimized.weights), encoding="utf-8")
    if report:
        from widl.mert.report import surface_page

        text = f"{objective.text} {optimized.start_score:.3f} at the start, {optimized.score:.3f} with these weights."
        with write_text(report) as file:
            file.write(surface_page(problem, optimized.weights, text))
    if as_json:
        summary = {
            "score": optimized.score,
            "metrics": optimized.values,
            "start_score": optimized.start_score,
            "start_metrics": optimized.start_values,
            "weights": optimized.weights,
            "signatures": objective.signatures(),
            "candidates": len(data),
        }
        sys.stdout.write(json.dumps(summary, ensure_ascii=False) + "\n")
        return
    for name, value in optimized.values.items():
        sys.stdout.write(f"{name} {optimized.start_values[name]:.3f} -> {value:.3f}\n")
