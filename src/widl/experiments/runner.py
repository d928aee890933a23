"""An experiment's results directory, from its configuration to its report.

    def run_headline_experiment(config, directory, **options: Unpack[RunOptions]) -> Results:
        with open_experiment(config, directory, "headline", **options) as run:
            weights = run.tuned("widl", …)
            systems = [System("widl", make_headlines, weights), …]
            test = run.test_set("test", documents, systems, scorer)
            return run.finish("Headlines", [table_of(test)], [test], …)

The directory is a job directory (`widl.common.resumable_steps`). It holds ``experiment.json`` (the resolved
configuration, versions, machine, SHA-256 of the inputs), all that steps leave, and at the end ``results.json``,
``results.txt``, ``results.tex``, ``results.tsv`` and ``report.html``, which appear together. It also
computes the parts common to all experiments: confidence intervals, paired tests of all pairs of systems by all metrics,
provenance.
"""

import json
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, is_dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

from widl import __version__
from widl.common.argument_types import checked
from widl.common.arguments import PathLike, counted
from widl.common.errors import errors_of
from widl.common.files import read_lines, replace_durably, write_text
from widl.common.json_values import as_json, digest, json_text
from widl.common.manifests import MANIFEST, sha256_of
from widl.common.options import adjust
from widl.common.resumable_steps import Files, Job, JobInputs, Notify, open_job, timestamp
from widl.common.workers import Engine, LocalEngine, Progress, no_progress
from widl.experiments.config import ExperimentConfig, TuningConfig, check_baseline
from widl.experiments.replications import TunedWeights, notes_of_tuning
from widl.experiments.report import write_experiment
from widl.experiments.results import Metric, MetricScorer, Results, SystemRun, TestSet
from widl.experiments.significance import interval_table, pair_table
from widl.mert import Candidate, Decoder, LatticeDecoder
from widl.metrics import MetricOptions
from widl.metrics.objective import function_signatures
from widl.pages import text_table
from widl.pages.tables import Column, Record, Row, Table
from widl.pipeline.tuning import TuningTask, tune_task

T = TypeVar("T")

RECORD = "experiment.json"
KENLM = "0.3.0"
"""The version that the core is built with, as in cmake/kenlm-requirements.txt."""
_IDENTITY = ("model", "lm", "bags", "test")
"""The parts of a configuration that make one experiment; if they change, results can't be compared."""
_LIBRARIES = ("numpy", "scipy", "pydantic", "sacrebleu", "rouge-score", "nltk", "spacy", "rjieba", "sacremoses")


class RunOptions(TypedDict, total=False):
    """Settings for running an experiment: on `threads` threads, or where `engine` works; `progress` and `notify`
    report."""

    threads: int
    engine: Engine | None
    progress: Progress
    notify: Notify


@dataclass(frozen=True)
class System:
    """A row of the tables: how its outputs are made, with each of several weights.

    make: yields a record for each of some inputs, with given weights: its ``text``, and facts. The outputs depend on
    `files` and `settings` besides.
    """

    name: str
    make: Callable[[Mapping[str, float], Sequence[Any]], Iterable[Mapping[str, Any]]]
    replications: Sequence[TunedWeights] = (TunedWeights(),)
    files: Files = ()
    settings: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class ExperimentRun:
    """An experiment that is open: its configuration and its job."""

    config: ExperimentConfig
    kind: str
    input_hashes: Mapping[str, str]
    """The SHA-256 of all files that the experiment reads, by path."""
    threads: int
    engine: Engine
    progress: Progress
    job: Job

    def tuned(
        self,
        system: str,
        task: Callable[[], TuningTask],
        tuning: TuningConfig,
        *,
        metrics: MetricOptions | None = None,
        files: Files = (),
        settings: Mapping[str, object],
    ) -> list[TunedWeights]:
        """A system's weights in each replication of tuning: a step, which depends on `files` and `settings`."""
        name = f"systems/{system}/weights"
        settings = {"tuning": tuning, "seed": self.config.seed, **settings}
        if functions := function_signatures(tuning.metric, self.config.folder):
            settings["functions"] = functions
        # Different settings make another job, in a separate directory beside the earlier ones.
        digits = self.job.digest(files=files, settings=settings)[:8]
        directory = self.job.path(name).with_name(f"tuning-{digits}")

        def make() -> list[dict[str, Any]]:
            value = task()
            objective = value.objective(tuning.metric, metrics, threads=self.threads, folder=self.config.folder)
            with errors_of(f"system {system!r}"):
                results = tune_task(
                    value,
                    objective,
                    directory,
                    adjust(tuning.options, threads=self.threads),
                    seeds=range(self.config.seed, self.config.seed + tuning.replications),
                    engine=self.engine,
                    watched=partial(self._watched, f"{name}: decode", objective.sentences),
                    on_iteration=lambda i: self.job.notify(f"{name}: tuning, iteration {i.number}: {i.score:.3f}"),
                )
            about = {
                "metric": objective.text,
                "lines": objective.sentences,
                "free": len(value.tuned_names(tuning.options)),
            }
            return [
                {"weights": result.weights, "dev_score": result.score, "moved": result.moved, **about}
                for result in results
            ]

        replications: list[Any] = self.job.value(name, make, files=files, settings=settings)
        return [
            TunedWeights(label=f"seed-{seed}", is_tuned=True, **replication)
            for seed, replication in enumerate(replications, self.config.seed)
        ]

    def _watched(self, stage: str, total: int, decoder: Decoder | LatticeDecoder) -> Decoder:
        """The decoder, which reports its progress."""
        assert not isinstance(decoder, LatticeDecoder)  # configurations have no such algorithm

        def decode(weights: dict[str, float], nbest: int) -> Iterator[Sequence[Candidate]]:
            for done, candidates in enumerate(decoder(weights, nbest), 1):
                yield candidates
                self.progress(stage, done, total)

        return decode

    def test_set(
        self,
        name: str,
        inputs: Sequence[Any],
        systems: Sequence[System],
        scorer: MetricScorer,
        *,
        shown: Sequence[str] | None = None,
        facts: Sequence[Metric] = (),
    ) -> TestSet:
        """All systems' outputs of a test set, with the scorer's metrics and means of `facts`.

        shown: The text of each input, unless the inputs are texts.
        """
        test = TestSet(
            name=name,
            inputs=list(inputs if shown is None else shown),
            references=scorer.references,
            metrics=[*scorer.metrics, *facts],
            systems={
                system.name: [self.outputs(system, name, inputs, weights, scorer) for weights in system.replications]
                for system in systems
            },
        )
        return test.with_digits()

    def outputs(
        self, system: System, test: str, inputs: Sequence[Any], weights: TunedWeights, scorer: MetricScorer
    ) -> SystemRun:
        """A system's outputs with these weights, and their statistics: a step, which is resumed with the next input.

        ``systems/NAME/TEST.LABEL.jsonl`` has the records, ``….txt`` the texts.
        """
        name = f"systems/{system.name}/{test}.{weights.label}"
        made_from: dict[str, Any] = {
            "files": system.files,
            "settings": {**system.settings, "weights": weights.weights, "inputs": digest(inputs)},
        }
        path, texts = self.job.path(f"{name}.jsonl"), self.job.path(f"{name}.txt")
        begun = path.with_name(f"{path.stem}.{self.job.digest(**made_from)[:8]}.partial")

        def write() -> None:
            done = _complete_lines(begun)
            with begun.open("a", encoding="utf-8", newline="\n") as out:
                for number, record in enumerate(system.make(weights.weights, inputs[done:]), done + 1):
                    out.write(json_text(record) + "\n")
                    out.flush()
                    self.progress(name, number, len(inputs))
            with write_text(texts) as file:
                file.writelines(f"{json.loads(line)['text']}\n" for line in read_lines(begun))
            replace_durably(begun, path)

        self.job.run(name, write, outputs=[f"{name}.jsonl", f"{name}.txt"], **made_from)
        records = [json.loads(line) for line in read_lines(path)]
        outputs = [record.pop("text") for record in records]
        scored: dict[str, Any] = self.job.value(
            f"{name}.statistics",
            lambda: scorer.scored(outputs, self.progress, f"{name}:"),
            settings={"metrics": scorer.metrics, "texts": digest(outputs), "references": scorer.digest},
        )
        facts = {fact: [record[fact] for record in records] for fact in records[0]}
        tuned = weights.weights if weights.is_tuned else {}
        return SystemRun(label=weights.label, outputs=outputs, facts=facts, tuned=tuned, moved=weights.moved, **scored)

    def finish(
        self,
        title: str,
        tables: Sequence[Table],
        sets: Sequence[TestSet],
        *,
        settings: Mapping[str, Mapping[str, object]] | None = None,
        weights: Mapping[str, Sequence[TunedWeights]] | None = None,
        notes: Sequence[str] = (),
    ) -> Results:
        """Compute intervals and paired tests, and write the results. The baseline is the first system, or configured.

        `settings`, and the `weights` of all replications, are mappings by system name.
        """
        systems = dict.fromkeys(name for test in sets for name in test.systems)
        check_baseline(self.config.baseline, [*systems])
        all_tables = [*tables, *self._significance(sets), *_system_tables(settings or {}, weights or {})]
        results = Results(
            kind=self.kind,
            title=self.config.title or title,
            tables=all_tables,
            sets=list(sets),
            notes=[*notes, *sizes_of(sets), *notes_of_tuning(weights or {})],
            provenance=provenance(
                as_json(self.config),
                inputs=dict(self.input_hashes),
                seed=self.config.seed,
                threads=self.threads,
                steps=self.job.timings(),
            ),
        )
        recorded = ("config", "threads", "versions", "machine", "inputs")
        record = {"kind": self.kind, **{name: results.provenance[name] for name in recorded}}
        text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
        page = write_experiment(results, self.job.directory, {RECORD: text})
        self.job.notify(f"results: {page}")
        return results

    def _significance(self, sets: Sequence[TestSet]) -> list[Table]:
        samples: dict[str, Any] = {"resamples": self.config.resamples, "seed": self.config.seed}
        baseline = self.config.baseline

        def make() -> list[dict[str, Any]]:
            tables = [interval_table(test, **samples) for test in sets]
            for test in sets:
                against = baseline if baseline in test.systems else next(iter(test.systems))
                tables.append(pair_table(test, baseline=against, progress=self.progress, **samples))
            return [table.model_dump() for table in tables if table.rows]

        content = [
            [
                test.name,
                test.metrics,
                {name: [test.statistics(name, m.name).tolist() for m in test.metrics]},
                [[run.tuned, run.moved] for run in test.systems[name]],
            ]
            for test in sets
            for name in test.systems
        ]
        settings = samples | {"baseline": baseline, "statistics": digest(content), "units": "items"}
        comparisons = self.job.value("significance", make, settings=settings)
        return [Table.model_validate(table) for table in comparisons]


def sizes_of(sets: Sequence[TestSet]) -> list[str]:
    """A note with the number of items of each test set, once for sets of the same items."""
    sizes: dict[str, list[str]] = {}
    for test in sets:
        if test.inputs not in sizes.values():
            sizes[test.name] = test.inputs
    shown = [f"{name} ({counted(len(inputs), 'item')})" for name, inputs in sizes.items()]
    return [f"Test sets: {', '.join(shown)}."] if shown else []


def _complete_lines(partial: Path) -> int:
    """Number of records of an interrupted step; removes any text after the last complete line."""
    if not partial.exists():
        return 0
    done = size = 0
    with partial.open("r+b") as file:
        for line in file:
            if not (line.startswith(b"{") and line.endswith(b"}\n")):  # after a loss of power there may be anything
                break
            done, size = done + 1, size + len(line)
        file.truncate(size)
    return done


def _system_tables(
    settings: Mapping[str, Mapping[str, object]], weights: Mapping[str, Sequence[TunedWeights]]
) -> Iterator[Table]:
    """The settings of each system, and the weights of each replication."""
    rows = [(name, json.dumps(as_json(values), ensure_ascii=False)) for name, values in settings.items()]
    if rows:
        yield text_table("Settings", ["system", "settings"], rows).model_copy(update={"section": "Systems"})
    columns = {f"{name} {one.label}": one.weights for name, replications in weights.items() for one in replications}
    if columns:
        features = dict.fromkeys(name for values in columns.values() for name in values)
        yield Table(
            name="weights",
            title="Weights",
            of="feature",
            section="Systems",
            columns=[Column(name=name, digits=5) for name in columns],
            rows=[
                Row(label=one, cells={name: values[one] for name, values in columns.items() if one in values})
                for one in features
            ],
        )


@contextmanager
@checked
def open_experiment(
    config: ExperimentConfig, directory: PathLike, kind: str, **options: Unpack[RunOptions]
) -> Iterator[ExperimentRun]:
    """An experiment's directory, made or resumed.

    InputError if the directory is of an experiment with another model or with other test sets.
    """
    directory, threads = Path(directory), options.get("threads", 1)
    hashes = {path: _hash_of(path) for path in _paths_in(config)}
    parts = {name: [hashes[path] for path in _paths_in(getattr(config, name, None))] for name in _IDENTITY}
    identity = {name: digest(content) for name, content in parts.items() if content}
    notify = options.get("notify", lambda _: None)
    with open_job(directory, f"{kind} experiment", command=JobInputs(settings=identity), notify=notify) as job:
        engine = options.get("engine") or LocalEngine(threads)
        inputs = {str(path): content for path, content in hashes.items()}
        yield ExperimentRun(config, kind, inputs, threads, engine, options.get("progress", no_progress), job)


def _paths_in(value: object) -> Iterator[Path]:
    """The files and directories that a part of a configuration names."""
    if isinstance(value, Path):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _paths_in(item)
    elif isinstance(value, Record) or is_dataclass(value):
        for item in vars(value).values():
            yield from _paths_in(item)


def _hash_of(path: Path) -> str:
    """The SHA-256 of a file's content; of a model, of its manifest; of a directory, of its files' names and hashes."""
    if (path / MANIFEST).is_file():
        path /= MANIFEST
    if not path.is_dir():
        return sha256_of(path)
    files = sorted(file for file in path.rglob("*") if file.is_file())
    return digest([[str(file.relative_to(path)), sha256_of(file)] for file in files])


def model_files(directory: Path, *, weights: bool = False) -> dict[str, Path]:
    """A model's files as inputs of a step. Weights are settings of a step rather, except those that tuning begins
    with."""
    files = sorted(path for path in directory.iterdir() if weights or path.suffix != ".toml")
    return {f"model/{path.name}": path for path in files}


def provenance(config: object, **more: object) -> dict[str, Any]:
    """Information for repeating an experiment with a configuration, and the machine it ran on."""
    return {"config": config, "versions": versions(), "machine": machine(), **more, "finished": timestamp()}


def versions() -> dict[str, str]:
    """Versions of widl, Python and the libraries that results depend on."""
    result = {"widl": __version__, "python": platform.python_version(), "kenlm": KENLM}
    for name in _LIBRARIES:
        try:
            result[name] = version(name)
        except PackageNotFoundError:
            continue
    return result


def available_memory() -> int:
    """Bytes that programs can have without swapping."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    kilobytes = next((int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")), None)
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if kilobytes is None else 1024 * kilobytes


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
