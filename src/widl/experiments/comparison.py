"""Comparison of experiments of one kind: scores of all systems, different settings, paired tests across experiments."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from widl.common.arguments import PathLike, path_of, paths_of
from widl.common.errors import InputError
from widl.experiments.config import SignificanceOptions
from widl.experiments.experiment import RECORD, provenance
from widl.experiments.report import write_experiment
from widl.experiments.results import Results, SystemRun, TestSet, read_results
from widl.experiments.significance import interval_table, pair_table
from widl.pages.tables import Column, Row, Table


def compare_experiments(
    directories: Sequence[PathLike],
    *,
    resamples: int = SignificanceOptions.resamples,
    seed: int = SignificanceOptions.seed,
) -> Results:
    """Compare the experiments in the directories; InputError if they are of different kinds or share no test set.

    Systems are called ``experiment/system``; paired tests are of systems of different experiments. The table of
    differences has the keys of configurations and versions whose values differ.
    """
    paths = paths_of(directories, "directories", "a list of directories: [first, second]")
    if len(paths) < 2:
        raise InputError("two directories of experiments, or more, are needed to compare")
    experiments = {name: read_results(path) for name, path in zip(_names(paths), paths, strict=True)}
    kinds = [f"{name}: {results.kind}" for name, results in experiments.items()]
    kind = next(iter(experiments.values())).kind
    if any(results.kind != kind for results in experiments.values()):
        raise InputError(f"{', '.join(kinds)}; only experiments of one kind can be compared")
    notes: list[str] = []
    sets = list(_shared_sets(experiments, notes))
    if not sets:
        described = "; ".join(f"{name} has {_set_names(results)}" for name, results in experiments.items())
        raise InputError(f"no test set is in two of the experiments, with the same inputs and references: {described}")
    pairs = (pair_table(test, resamples=resamples, seed=seed, only=_across) for test in sets)
    return Results(
        kind=f"{kind} comparison",
        title=f"Comparison of {', '.join(experiments)}",
        tables=[
            *_tables(experiments),
            _differences(experiments),
            *(interval_table(test, resamples=resamples, seed=seed) for test in sets),
            *(table for table in pairs if table.rows),
        ],
        sets=sets,
        notes=notes,
        provenance=provenance(dict(zip(experiments, map(str, paths), strict=True)), seed=seed),
    )


def write_comparison(comparison: Results, directory: PathLike) -> Path:
    """Write the files of `write_experiment` into a directory, which is created and must not contain an experiment."""
    directory = path_of(directory, "directory")
    if directory.exists() and not directory.is_dir():
        raise InputError(f"{directory}: exists and is not a directory; choose another output")
    if (directory / RECORD).exists():
        raise InputError(f"{directory}: holds an experiment, whose report would be replaced; choose another output")
    directory.mkdir(parents=True, exist_ok=True)
    return write_experiment(comparison, directory)


def _names(directories: Sequence[Path]) -> list[str]:
    """The directories' last names, or the shortest ends of their paths that differ."""
    paths = [directory.absolute().parts for directory in directories]
    if len(set(paths)) < len(paths):
        raise InputError("a directory is named twice; name different experiments")
    count = 1
    while len({path[-count:] for path in paths}) < len(paths):
        count += 1
    return ["-".join(path[-count:]) for path in paths]


def _across(first: str, second: str) -> bool:
    """Whether two systems are of different experiments."""
    return first.partition("/")[0] != second.partition("/")[0]


def _set_names(results: Results) -> str:
    names = [f"{test.name} ({len(test.inputs):,} items)" for test in results.sets if test.comparable]
    return ", ".join(names) or "none"


def _shared_sets(experiments: Mapping[str, Results], notes: list[str]) -> Iterator[TestSet]:
    """The test sets of two or more experiments, with the systems of all these, by metrics that all count alike."""
    by_digest: dict[str, dict[str, TestSet]] = {}
    for name, results in experiments.items():
        for test in results.sets:
            if test.comparable:
                by_digest.setdefault(test.digest, {})[name] = test
    for tests in by_digest.values():
        first = next(iter(tests.values()))
        metrics = [metric for metric in first.metrics if all(metric in test.metrics for test in tests.values())]
        if len(tests) < 2:
            notes.append(f"{first.name} is only in {next(iter(tests))}.")
        elif metrics:
            systems: dict[str, list[SystemRun]] = {}
            for name, test in tests.items():
                systems |= {f"{name}/{system}": runs for system, runs in test.systems.items()}
            yield first.model_copy(update={"metrics": metrics, "systems": systems})


def _tables(experiments: Mapping[str, Results]) -> Iterator[Table]:
    """Tables of results of the same name and columns, joined. Rows of the paper only come once, at the end."""
    groups: dict[tuple[str, ...], dict[str, Table]] = {}
    for name, results in experiments.items():
        for table in results.tables:
            if table.section == "Results":
                groups.setdefault((table.name, *(column.name for column in table.columns)), {})[name] = table
    for tables in groups.values():
        rows = [
            row.model_copy(update={"label": f"{name}/{row.label}"})
            for name, table in tables.items()
            for row in table.rows
            if row.cells
        ]
        of_paper = {row.label: row for table in tables.values() for row in table.rows if not row.cells}
        yield next(iter(tables.values())).model_copy(update={"rows": [*rows, *of_paper.values()], "notes": []})


def _differences(experiments: Mapping[str, Results]) -> Table:
    """Settings that are not equal in all experiments. Files are equal if their contents are."""
    settings: dict[str, dict[str, tuple[str, str]]] = {}
    for name, results in experiments.items():
        provenance = results.provenance
        for key, value in _flat("", {part: provenance[part] for part in ("config", "versions", "machine")}):
            settings.setdefault(key, {})[name] = (provenance.get("inputs", {}).get(value, value), value)
    rows = [
        Row(label=key, cells={name: value for name, (_, value) in values.items()})
        for key, values in settings.items()
        if len({content for content, _ in values.values()}) > 1 or len(values) < len(experiments)
    ]
    return Table(
        name="differences",
        title="What differs",
        of="setting",
        columns=[Column(name=name) for name in experiments],
        rows=rows,
        notes=[] if rows else ["Configurations and versions are the same."],
    )


def _flat(prefix: str, value: Any) -> Iterator[tuple[str, str]]:
    """A configuration as dotted keys and values. Tables in a list are named by their `name`, other items by number."""
    if isinstance(value, list):
        parts = {part.get("name", n) if isinstance(part, Mapping) else n: part for n, part in enumerate(value)}
        yield from _flat(prefix, parts)
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            path = f"{prefix}.{name}" if prefix not in ("", "config") else str(name)
            yield from _flat(path, inner)
    elif value is not None:
        yield prefix, value if isinstance(value, str) else json.dumps(value)
