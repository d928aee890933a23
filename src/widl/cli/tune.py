"""`widl tune`."""

import json
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from widl.cli.options import Cluster, distortion_limit_of, resumable
from widl.errors import InputError

if TYPE_CHECKING:
    from widl.mert import Objective, OptimizerOptions


def tune(
    model: Annotated[
        Path | None,
        typer.Argument(help="A directory made by 'widl train' or 'widl headline train'.", metavar="MODEL_DIR"),
    ] = None,
    source: Annotated[
        Path | None, typer.Option(help="With MODEL_DIR: the text to decode; of a headline model, documents.")
    ] = None,
    reference: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE...",
            help="References, a line for each sentence; several files at once. Documents may have their own.",
        ),
    ] = None,
    nbest: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE...", help="Instead of MODEL_DIR: n-best lists in Moses' format, also .gz."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Weights to write: TOML lines 'name = value'.")
    ] = None,
    weights: Annotated[
        Path | None, typer.Option(help="Weights to start from; else the model's, or 1 each for n-best lists.")
    ] = None,
    job: Annotated[Path, typer.Option(help="With MODEL_DIR: directory of all that tuning finds.")] = Path("tuning"),
    replications: Annotated[int, typer.Option(min=1, help="Tune so many times, with seeds from --seed on.")] = 1,
    candidates: Annotated[int, typer.Option(min=1, help="With MODEL_DIR: n-best lists of so many candidates.")] = 100,
    max_iterations: Annotated[int, typer.Option(min=1, help="Decode at most so many times.")] = 15,
    patience: Annotated[int, typer.Option(min=1, help="Stop after so many iterations without gain.")] = 4,
    decoder: Annotated[str, typer.Option(help="Translation: widl or stack.")] = "widl",
    search: Annotated[
        str | None, typer.Option(help="Translation: the decoder's search, as of 'widl translate'.")
    ] = None,
    pop_limit: Annotated[int | None, typer.Option(help="cube: states made for a layer.")] = 400,
    k: Annotated[int, typer.Option(help="astar-k: how many words a state may lag behind the longest.")] = 2,
    distortion_limit: Annotated[str, typer.Option(help="Translation: largest jump in source words, or 'none'.")] = "6",
    lattice_arcs: Annotated[
        int, typer.Option(min=0, help="lattice-mert: of each lattice so many arcs, the best; 0: all.")
    ] = 1000,
    metric: Annotated[
        str | None,
        typer.Option(
            help="bleu, ter, chrf, chrf++, rouge1, rouge2, rougeL (with _recall), or like 0.5*bleu-0.5*ter. "
            "Default: bleu; of headlines rouge2_recall."
        ),
    ] = None,
    words: Annotated[int, typer.Option(min=0, help="Headlines: at most so many words; 0: no such limit.")] = 10,
    max_bytes: Annotated[int, typer.Option("--bytes", min=0, help="Headlines: at most so many bytes; 0: none.")] = 0,
    algorithm: Annotated[
        str, typer.Option(help="mert, mira, pro or powell; with MODEL_DIR also lattice-mert.")
    ] = "mert",
    restarts: Annotated[int, typer.Option(min=0, help="mert, powell: random weights to start from as well.")] = 20,
    random_directions: Annotated[
        int, typer.Option(min=0, help="mert: random directions of an ascent, besides the coordinates.")
    ] = 16,
    min_gain: Annotated[float, typer.Option(min=0, help="mert: a smaller gain, in points, ends an ascent.")] = 0.001,
    fix: Annotated[list[str] | None, typer.Option(metavar="NAME...", help="Weights to keep as they are.")] = None,
    bound: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=LOW:HIGH...", help="Where weights may be; either end may be missing."),
    ] = None,
    normalize: Annotated[str, typer.Option(help="Scale the weights to norm 1: l1 or l2; or none.")] = "l1",
    tokenize: Annotated[str, typer.Option(help="bleu: sacrebleu's tokenizer; none for tokenised text.")] = "13a",
    smooth: Annotated[str, typer.Option(help="bleu: exp, floor, add-k or none.")] = "exp",
    smooth_value: Annotated[float | None, typer.Option(help="bleu: what floor or add-k add.")] = None,
    lowercase: Annotated[bool, typer.Option(help="bleu, chrf: without regard to case.")] = False,
    stem: Annotated[bool, typer.Option(help="rouge: compare words by their stems.")] = False,
    report: Annotated[
        Path | None, typer.Option(help="With --nbest: HTML page with the error surface to write.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of all that is random.")] = 1,
    threads: Annotated[int, typer.Option(min=1, help="Threads; the result does not depend on them.")] = os.cpu_count()
    or 1,
    cluster: Cluster = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as a JSON object.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No line for each iteration.")] = False,
) -> None:
    """Tune feature weights: a model's, by decoding again and again, or on n-best lists from whatever decoder.

    Prints the metric at the start and with the weights found: by decoding, or on the lists' candidates that the
    weights choose. Whatever is found on the way of a model is in the job's directory, with a page of pictures. Run the
    same command again to resume an interrupted job.

    \b
      widl tune model --source dev.zh --reference dev.en -o tuned.toml
      widl tune headlines --source dev.jsonl --job tuning-headlines -o tuned.toml
      widl tune --nbest lists.gz --reference ref.en -o tuned.toml
    """
    from widl.cli.tune_model import Loop, headline_task, references_of, translation_task, tune_model
    from widl.mert import MetricOptions, Objective, OptimizerOptions
    from widl.translation import TranslationOptions

    options = OptimizerOptions(
        algorithm=algorithm,
        seed=seed,
        threads=threads,
        fixed=frozenset(fix or ()),
        bounds=dict(map(_bound, bound or ())),
        normalization=normalize,
        restarts=restarts,
        random_directions=random_directions,
        min_gain=min_gain,
    )
    metric_options = MetricOptions(
        tokenize=tokenize, lowercase=lowercase, smooth_method=smooth, smooth_value=smooth_value, stem=stem
    )
    if (model is None) == (nbest is None):
        raise InputError("give either a model directory, with --source, or --nbest lists")
    if model is None:
        if output is None:
            raise InputError("--output is missing: where shall the weights go?")
        if cluster is not None:
            raise InputError("--cluster is for decoding with a model directory; n-best lists are tuned on here")
        if not reference:
            raise InputError("--reference is missing: the lines that the lists' candidates are compared with")
        objective = Objective(metric or "bleu", references_of(reference), metric_options, threads=threads)
        _tune_on_lists(nbest or [], objective, weights, options, output, report, as_json=as_json)
        return
    if source is None:
        raise InputError("--source is missing: the text that the model shall decode")
    from widl.headline.budget import Budget
    from widl.headline.manifest import is_headline_model
    from widl.pipeline.tuning import Task

    given = references_of(reference) if reference else None
    task: Task
    if is_headline_model(model):
        task = headline_task(model, weights, source, given, Budget(words, max_bytes), threads)
    else:
        translation = TranslationOptions(
            decoder=decoder,
            search=search,
            k=k,
            pop_limit=pop_limit,
            distortion_limit=distortion_limit_of(distortion_limit),
            lattice_arcs=lattice_arcs,
        )
        task = translation_task(model, weights, source, given, translation)
    options = task.within_bounds(options)
    objective = Objective(metric or task.metric, task.references, metric_options, threads=threads)
    loop = Loop(
        job=job,
        replications=replications,
        candidates=candidates,
        max_iterations=max_iterations,
        patience=patience,
        quiet=quiet,
        cluster=cluster,
    )
    with resumable():
        tune_model(task, objective, options, loop, output, as_json=as_json)


def _tune_on_lists(
    nbest: Sequence[Path],
    objective: "Objective",
    weights: Path | None,
    options: "OptimizerOptions",
    output: Path,
    report: Path | None,
    *,
    as_json: bool,
) -> None:
    from widl.decoder import format_weights, read_weights
    from widl.files import replacing, write_text
    from widl.mert import TuningSet, optimize, read_nbest

    lists = read_nbest(nbest, sentences=objective.sentences)
    names = lists.feature_names
    start = read_weights(weights, names) if weights else dict.fromkeys(names, 1.0)
    with replacing(output) as temporary:  # an output that cannot be written is found before the work
        data = TuningSet(objective)
        data.add(lists)
        problem = data.freeze()
        found = optimize(problem, start, options)
        temporary.write_text(format_weights(found.weights), encoding="utf-8")
    if report:
        from widl.mert.report import surface_page

        text = f"{objective.text} {found.start_score:.3f} at the start, {found.score:.3f} with these weights."
        with write_text(report) as file:
            file.write(surface_page(problem, found.weights, text))
    if as_json:
        summary = {
            "score": found.score,
            "metrics": found.values,
            "start_score": found.start_score,
            "start_metrics": found.start_values,
            "weights": found.weights,
            "signatures": objective.signatures(),
            "candidates": len(data),
        }
        sys.stdout.write(json.dumps(summary, ensure_ascii=False) + "\n")
        return
    for name, value in found.values.items():
        sys.stdout.write(f"{name} {found.start_values[name]:.3f} -> {value:.3f}\n")


def _bound(text: str) -> tuple[str, tuple[float, float]]:
    name, equals, ends = text.rpartition("=")
    low, colon, high = ends.partition(":")
    try:
        if not (equals and colon):
            raise ValueError
        result = (float(low or "-inf"), float(high or "inf"))
    except ValueError:
        raise InputError(f"--bound {text!r}: expected a name and two ends, such as lm0=0:1 or word_count=:2") from None
    if any(map(math.isnan, result)):
        raise InputError(f"--bound {text!r}: an end is not a number")
    return name, result
