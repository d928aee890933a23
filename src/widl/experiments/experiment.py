"""An experiment's results directory, from its configuration to its report.

    def run_headline_experiment(config, directory, *, threads=1, progress=no_progress, tell=lambda _: None) -> Results:
        with open_experiment(config, directory, kind="headline", inputs={"documents": config.documents},
                             threads=threads, progress=progress, tell=tell) as run:
            run.job.run("parse", …, outputs=["parsed.jsonl.gz"])          # see widl.common.steps
            weights = run.job.value("systems/widl/weights", lambda: tune(…, progress=run.progress), …)
            …
            return run.finish(title="Headlines", tables=[…], sets=[…], systems=[…])

and on the command line (`widl.cli.experiment`)

    _run(run_headline_experiment, read_config(path, HeadlineExperimentConfig), output, threads=threads, quiet=quiet)

The directory is that of a job (`widl.common.steps`). It holds ``experiment.json`` (the resolved configuration,
versions, machine, SHA-256 of the inputs), all that steps leave, and at the end ``results.json``, ``results.txt``,
``results.md`` and ``report.html``. What all experiments have in common is made there: confidence intervals, paired
tests of all pairs of systems by all metrics, provenance.
"""

import os
import platform
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, combinations
from pathlib import Path

from widl import __version__
from widl.common.arguments import PathLike, path_of
from widl.common.errors import MissingFileError
from widl.common.hashing import as_json, digest, write_json
from widl.common.manifests import sha256_of
from widl.common.steps import Job, Tell, open_job, timestamp
from widl.common.workers import Progress, no_progress
from widl.experiments.config import ExperimentConfig
from widl.experiments.page import write_report
from widl.experiments.results import (
    Interval,
    PairTest,
    Provenance,
    Results,
    System,
    Table,
    TestSet,
    write_results,
)
from widl.experiments.significance import bootstrap_interval, compare
from widl.experiments.text import write_results_text

RECORD = "experiment.json"
_LIBRARIES = (
    *("numpy", "scipy", "pydantic"),
    *("sacrebleu", "nltk", "rjieba", "sacremoses"),
)


@dataclass
class ExperimentRun:
    """An experiment that is open: its configuration, its directory and its job."""

    config: ExperimentConfig
    directory: Path
    kind: str
    input_hashes: Mapping[str, str]
    """The SHA-256 of all files that the experiment reads, by path."""
    threads: int
    job: Job
    progress: Progress

    def tell(self, text: str) -> None:
        """Write a line into the log, and show it to the user."""
        self.job.tell(text)

    def finish(
        self,
        *,
        title: str,
        tables: Sequence[Table],
        sets: Sequence[TestSet] = (),
        systems: Sequence[System] = (),
        notes: Sequence[str] = (),
    ) -> Results:
        """Compute intervals and paired tests, and write ``results.json``, ``results.txt`` and ``report.html``."""
        intervals, pairs = self._significance(sets)
        results = results_of(
            self.kind,
            self.config.title or title,
            tables,
            settings=as_json(self.config),
            inputs=self.input_hashes,
            seed=self.config.seed,
            threads=self.threads,
            steps=self.job.timings(),
            sets=sets,
            systems=systems,
            intervals=intervals,
            pairs=pairs,
            notes=notes,
        )
        self.tell(f"results: {write_experiment(results, self.directory)}")
        return results

    def _significance(self, sets: Sequence[TestSet]) -> tuple[list[Interval], list[PairTest]]:
        content = [
            [test.name, test.metrics, {name: [run.statistics for run in runs] for name, runs in test.systems.items()}]
            for test in sets
        ]
        samples, seed = self.config.resamples, self.config.seed
        settings = {"resamples": samples, "seed": seed, "statistics": digest(content)}

        def make() -> dict[str, list[dict[str, object]]]:
            intervals = chain.from_iterable(intervals_of(test, resamples=samples, seed=seed) for test in sets)
            pairs = chain.from_iterable(
                pairs_of(test, resamples=samples, seed=seed, progress=self.progress) for test in sets
            )
            return {
                "intervals": [interval.model_dump() for interval in intervals],
                "pairs": [pair.model_dump() for pair in pairs],
            }

        tests = self.job.value("significance", make, settings=settings)
        intervals = [Interval.model_validate(interval) for interval in tests["intervals"]]
        return intervals, [PairTest.model_validate(pair) for pair in tests["pairs"]]


@contextmanager
def open_experiment(
    config: ExperimentConfig,
    directory: PathLike,
    *,
    kind: str,
    inputs: Mapping[str, Path],
    threads: int = 1,
    progress: Progress = no_progress,
    tell: Tell = lambda _: None,
    facts: Mapping[str, object] | None = None,
) -> Iterator[ExperimentRun]:
    """An experiment's directory, made or resumed; `inputs` by name are all that the experiment reads.

    `facts` are what ``experiment.json`` has besides: what follows from the configuration.
    """
    directory = path_of(directory, "directory")
    for path in inputs.values():
        if not path.exists():
            raise MissingFileError(f"{path}: no such file or directory")
    with open_job(directory, f"{kind} experiment", tell=tell) as job:
        record = {"kind": kind, "config": config, "threads": threads, "versions": versions(), "machine": machine()}
        hashes = {str(path): _hash_of(path) for path in inputs.values()}
        write_json(directory / RECORD, record | dict(facts or {}) | {"inputs": hashes})
        yield ExperimentRun(config, directory, kind, hashes, threads, job, progress)


def _hash_of(path: Path) -> str:
    """The SHA-256 of a file's content; of a directory, of the names and hashes of its files."""
    if not path.is_dir():
        return sha256_of(path)
    files = sorted(file for file in path.rglob("*") if file.is_file())
    return digest([[str(file.relative_to(path)), sha256_of(file)] for file in files])


def results_of(
    kind: str,
    title: str,
    tables: Sequence[Table],
    *,
    settings: Mapping[str, object],
    inputs: Mapping[str, str] | None = None,
    seed: int = 1,
    threads: int = 1,
    steps: Sequence[dict[str, object]] = (),
    sets: Sequence[TestSet] = (),
    systems: Sequence[System] = (),
    intervals: Sequence[Interval] = (),
    pairs: Sequence[PairTest] = (),
    notes: Sequence[str] = (),
) -> Results:
    """Results with their provenance: of this program, on this machine, now."""
    provenance = Provenance(
        config=dict(settings),
        versions=versions(),
        machine=machine(),
        inputs=dict(inputs or {}),
        seed=seed,
        threads=threads,
        steps=list(steps),
        finished=timestamp(),
    )
    return Results(
        kind=kind,
        title=title,
        tables=list(tables),
        sets=list(sets),
        systems=list(systems),
        intervals=list(intervals),
        pairs=list(pairs),
        provenance=provenance,
        notes=list(notes),
    )


def write_experiment(results: Results, directory: PathLike) -> Path:
    """Write ``results.json``, ``results.txt``, ``results.md`` and ``report.html``; returns the page's path."""
    write_results(results, directory)
    write_results_text(results, directory)
    return write_report(results, directory)


def intervals_of(test: TestSet, *, resamples: int, seed: int) -> Iterator[Interval]:
    """Each system's score by each metric, with its interval."""
    for metric in test.metrics:
        for system in test.systems:
            scores = test.scores(system, metric.name)
            low, high = bootstrap_interval(
                test.statistics(system, metric.name), metric.scorer(), resamples=resamples, seed=seed
            )
            yield Interval(
                set=test.name,
                metric=metric.name,
                system=system,
                score=statistics.fmean(scores),
                deviation=statistics.stdev(scores) if len(scores) > 1 else None,
                low=low,
                high=high,
            )


def pairs_of(
    test: TestSet,
    *,
    resamples: int,
    seed: int,
    only: Callable[[str, str], bool] = lambda _first, _second: True,
    progress: Progress = no_progress,
) -> Iterator[PairTest]:
    """Paired tests of all pairs of systems, or of those that `only` accepts, by all metrics that are tested."""
    metrics = [metric for metric in test.metrics if metric.tested]
    pairs = [pair for pair in combinations(test.systems, 2) if only(*pair)]
    for done, metric in enumerate(metrics):
        system_statistics = {system: test.statistics(system, metric.name) for system in test.systems}
        for number, (first, second) in enumerate(pairs, 1):
            comparison = compare(
                system_statistics[first], system_statistics[second], metric.scorer(), resamples=resamples, seed=seed
            )
            progress(f"testing pairs, {test.name}", done * len(pairs) + number, len(metrics) * len(pairs))
            yield PairTest(
                set=test.name,
                metric=metric.name,
                first=first,
                second=second,
                difference=comparison.difference,
                bootstrap_p=comparison.bootstrap_p,
                randomization_p=comparison.randomization_p,
            )


def versions() -> dict[str, str]:
    """Versions of widl, Python and the libraries that results depend on."""
    result = {"widl": __version__, "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            result[name] = version(name)
        except PackageNotFoundError:
            continue
    return result


def machine() -> dict[str, str | int | float]:
    """Processor, cores, memory and operating system; no names of hosts or users."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return {
        "processor": next(names, platform.processor() or platform.machine()),
        "cores": os.cpu_count() or 1,
        "memory GB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
    }
