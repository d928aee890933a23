"""`widl tune`."""

import json
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from widl.errors import InputError
from widl.pipeline.cli.options import text_lines


def tune(
    nbest: Annotated[
        list[Path], typer.Option(metavar="FILE...", help="n-best lists in Moses' format, also .gz; several are merged.")
    ],
    reference: Annotated[
        list[Path], typer.Option(metavar="FILE...", help="References, a line for each sentence; several files at once.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Weights to write: TOML lines 'name = value'.")],
    weights: Annotated[
        Path | None, typer.Option(help="Weights to start from, TOML; without it each feature has weight 1.")
    ] = None,
    metric: Annotated[
        str,
        typer.Option(help="bleu, ter, chrf, chrf++, rouge1, rouge2, rougeL (with _recall), or like 0.5*bleu-0.5*ter."),
    ] = "bleu",
    algorithm: Annotated[str, typer.Option(help="mert, mira, pro or powell.")] = "mert",
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
    report: Annotated[Path | None, typer.Option(help="HTML page with the error surface to write.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of all that is random.")] = 1,
    threads: Annotated[int, typer.Option(min=1, help="Threads; the result does not depend on them.")] = os.cpu_count()
    or 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as a JSON object.")] = False,
) -> None:
    """Tune feature weights on n-best lists, from whatever decoder they are.

    Prints the metric at the start and with the weights found, on the candidates that the weights choose.
    """
    from widl.decoder import format_weights, read_weights
    from widl.files import replacing, write_text
    from widl.mert import MetricOptions, Objective, OptimizerOptions, TuningSet, optimize, read_nbest

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
    objective = Objective(metric, _references(reference), metric_options, threads=threads)
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

        text = f"{metric} {found.start_score:.3f} at the start, {found.score:.3f} with these weights ({algorithm})."
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


def _references(paths: Sequence[Path]) -> list[list[str]]:
    streams = [list(text_lines([path])) for path in paths]
    for path, stream in zip(paths, streams, strict=True):
        if len(stream) != len(streams[0]):
            raise InputError(
                f"{path}: {len(stream)} lines, but {paths[0]} has {len(streams[0])}; references need a line a sentence"
            )
        if not stream:
            raise InputError(f"{path}: no lines, where references were expected")
    return streams


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
