"""`widl tune translation` and `headline`: decoding and optimization alternate."""

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, NoReturn

from cyclopts import Parameter

from widl.cli.parameters import Cluster, Quiet, notify, resumable, text_lines
from widl.common.arguments import counted
from widl.common.errors import InputError
from widl.common.files import write_text
from widl.common.json_values import json_text
from widl.common.manifests import MANIFEST
from widl.common.option_values import Positive
from widl.common.options import adjust, option_set, replace
from widl.decoder import format_weights
from widl.mert import WEIGHTS, Decoder, Iteration, LatticeDecoder, TuningOptions, TuningResult
from widl.mert.nbest import Candidate
from widl.mert.problem import read_bounds
from widl.mert.tuning_results import is_gain
from widl.metrics import MetricOptions, Objective
from widl.pipeline.cluster import open_engine
from widl.pipeline.progress import counting
from widl.pipeline.tuning import CombinationTask, TranslationTask, TuningTask, few_lines_warning, tune_task
from widl.translation.search_errors import EXACT_LIMIT, SearchErrors


@option_set
class Loop:
    """The files of tuning, and how it runs."""

    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None
    "File for the tuned weights: TOML lines 'name = value'."
    job: Path | None = None
    "Directory of the tuning job: n-best lists, weights, report. Default: FILE.tuning of -o FILE.toml, or tuning."
    replications: Positive = 1
    "Number of tuning runs, with seeds --seed, --seed + 1, …."
    bounds: Annotated[tuple[str, ...], Parameter(metavar="NAME=LOW:HIGH")] = ()
    "Bounds of a weight; either end may be omitted. Repeatable."
    cluster: Cluster = None
    json: bool = False
    "Print the result as a JSON object."
    quiet: Quiet = False


def tune_model(
    task: TuningTask,
    metric: str | None,
    metrics: MetricOptions,
    tuning: TuningOptions,
    loop: Loop,
    threads: int,
    systems: Sequence[str] = (),
) -> None:
    """Tune the weights of the task's model, report every iteration, and write the weights.

    `systems` names the systems of a combination.
    """
    output = loop.output
    if output is not None and not output.parent.is_dir():
        raise InputError(f"{output.parent}: no such directory; make it first, or name another output")
    tuning = adjust(tuning, threads=threads)
    if loop.bounds:
        tuning = replace(tuning, bounds=read_bounds(loop.bounds))
    objective = task.objective(metric, metrics, threads=threads)
    job = loop.job or job_of(output)
    with resumable(), open_engine(loop.cluster, threads=threads, notify=notify) as engine:
        seeds = range(tuning.seed, tuning.seed + loop.replications)
        results = tune_task(
            task,
            objective,
            job,
            tuning,
            seeds=seeds,
            engine=engine,
            watched=lambda decoder: _counted(decoder, len(task.references[0]), quiet=loop.quiet),
            on_iteration=(lambda _: None) if loop.quiet else _notify,
        )
        best = max(results, key=lambda result: result.score)
        errors = task.search_errors(best.weights, engine) if isinstance(task, TranslationTask) else []
        unfitted = task.unfitted(objective, engine)
    first = best.iterations[0]
    start = unfitted or (first.score, first.values)
    is_better = is_gain(best, unfitted and unfitted[0])
    if output is not None and is_better:
        with write_text(output) as file:
            file.write(format_weights(best.weights))
    alone = task.system_scores(objective) if isinstance(task, CombinationTask) else []
    own = dict(zip(systems, alone, strict=True)) if alone else {}
    _print_tuned(objective, results, best, start, errors, own, as_json=loop.json)
    _warn_of_better_system(best, own)
    if not (loop.quiet or loop.json):
        page = job / f"seed-{tuning.seed + results.index(best)}" / "report.html"
        weights = f"weights: {output or job / WEIGHTS}; " * is_better
        notify(f"{weights}page: {page}")
        if advice := few_lines_warning(objective.sentences, len(task.tuned_names(tuning))):
            notify(f"advice: {advice}")
    if is_better and not best.moved:
        notify("tuning gained nothing over weights that follow from each output's BLEU; these are written")
    if not is_better:
        report_no_improvement()


def job_of(output: Path | None) -> Path:
    """The default directory of the job that writes `output`, so that two outputs have two jobs.

    It is beside the output; beside the model if the output is in a model's directory.

    >>> str(job_of(Path("new/weights.toml"))), str(job_of(None))
    ('new/weights.tuning', 'tuning')
    """
    if output is None or (output.exists() and not output.is_file()):
        return Path("tuning")
    if (output.parent / MANIFEST).is_file():
        model = output.absolute().parent
        return model.with_name(f"{model.name}.tuning")
    return output.with_suffix(".tuning")


def report_no_improvement() -> NoReturn:
    """Report that no weights are written, because none score better than the start weights; ends with exit code 1."""
    notify("no weights scored better than those at the start; none are written")
    sys.exit(1)


def _print_tuned(
    objective: Objective,
    results: Sequence[TuningResult],
    best: TuningResult,
    start: tuple[float, dict[str, float]],
    errors: Sequence[tuple[str, SearchErrors]],
    systems: Mapping[str, tuple[float, dict[str, float]]],
    *,
    as_json: bool,
) -> None:
    if as_json:
        summary = {
            "score": best.score,
            "metrics": best.values,
            "start_score": start[0],
            "weights": best.weights,
            "moved": best.moved,
            "signatures": objective.signatures(),
            "replications": [result.score for result in results],
            "iterations": [len(result.iterations) for result in results],
        }
        if errors:
            summary["search_errors"] = {name: asdict(counts) for name, counts in errors}
        if systems:
            summary["systems"] = {name: values for name, (_, values) in systems.items()}
        sys.stdout.write(json_text(summary) + "\n")
        return
    for name, value in best.values.items():
        sys.stdout.write(f"{name} {start[1][name]:.3f} -> {value:.3f}\n")
    for system, (_, values) in systems.items():
        scores = ", ".join(f"{name} {value:.3f}" for name, value in values.items())
        sys.stdout.write(f"{system} alone: {scores}\n")
    for name, counts in errors:
        sys.stdout.write(f"search errors at distortion limit {EXACT_LIMIT}, {name}: {counts}\n")


def _warn_of_better_system(combination: TuningResult, systems: Mapping[str, tuple[float, dict[str, float]]]) -> None:
    """Warn if the best system's own output scores above the tuned combination."""
    name, (score, _) = max(systems.items(), key=lambda item: item[1][0], default=("", (-math.inf, {})))
    if score > combination.score:
        notify(
            f"warning: {name} alone scores {score:.3f}, better than the combination with {combination.score:.3f}; "
            "use its output, or combine it with systems nearer to it"
        )


def _counted(decoder: Decoder | LatticeDecoder, total: int, *, quiet: bool) -> Decoder | LatticeDecoder:
    """The decoder, with a count of decoded items on stderr if it takes long."""
    if isinstance(decoder, LatticeDecoder):
        return decoder

    def decode(weights: dict[str, float], nbest: int) -> Iterator[Sequence[Candidate]]:
        with counting("inputs decoded", total, quiet=quiet) as counter:
            for candidates in decoder(weights, nbest):
                counter.step()
                yield candidates

    return decode


def _notify(iteration: Iteration) -> None:
    promised = f", {iteration.promised:.3f} promised next" if iteration.promised is not None else ""
    notify(
        f"iteration {iteration.number}: {iteration.score:.3f}, {iteration.new_candidates:,} new of "
        f"{iteration.candidates:,} candidates, {iteration.seconds:.0f} s"
        + (f"; {iteration.stopped}" if iteration.stopped else promised)
    )


def references_of(paths: Sequence[Path]) -> list[list[str]]:
    """The lines of each reference file; InputError unless all files have the same number of lines."""
    streams = [list(text_lines([path])) for path in paths]
    for path, stream in zip(paths, streams, strict=True):
        if len(stream) != len(streams[0]):
            line_count = counted(len(stream), "line")
            raise InputError(
                f"{path}: {line_count}, but {paths[0]} has {len(streams[0])}; references need a line a sentence"
            )
        if not stream:
            raise InputError(f"{path}: no lines, where references were expected")
    return streams
