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
from widl.experiments.results import Results, TestSet, read_results
from widl.experiments.significance import interval_table, pair_table
from widl.pages.tables import Column, Row, Table


def compare_experiments(
    directories: Sequence[PathLike],
    *,
    resamples: int = SignificanceOptions.resamples,
    seed: int = SignificanceOptions.seed,
) -> Results:
    """Compare the experiments in the directories; InputError if they are of different kinds or share no test set.

    Systems are called ``experiment/system``; paired tests are of systems of different experiments. The last table has
    the keys of configurations and versions whose values differ.
    """
    directories = paths_of(directories, "directories", "a list of directories: [first, second]")
    if len(directories) < 2:
        raise InputError("two directories of experiments, or more, are needed to compare")
    names = _names(directories)
    experiments = {name: read_results(directory) for name, directory in zip(names, directories, strict=True)}
    kinds = {name: results.kind for name, results in experiments.items()}
    if len(set(kinds.values())) > 1:
        described = ", ".join(f"{name}: {kind}" for name, kind in kinds.items())
        raise InputError(f"{described}; only experiments of one kind can be compared")
    notes: list[str] = []
    sets = list(_shared_sets(experiments, notes))
    if not sets:
        described = "; ".join(f"{name} has {_set_names(results)}" for name, results in experiments.items())
        raise InputError(f"no test set is in two of the experiments, with the same inputs and references: {described}")
    pairs = (pair_table(test, resamples=resamples, seed=seed, only=_across) for test in sets)
    return Results(
        kind=f"{kinds[names[0]]} comparison",
        title=f"Comparison of {', '.join(names)}",
        tables=[
            *_tables(experiments),
            _differences(experiments),
            *(interval_table(test, resamples=resamples, seed=seed) for test in sets),
            *(table for table in pairs if table.rows),
        ],
        sets=sets,
        notes=notes,
        provenance=provenance(
            {name: str(directory) for name, directory in zip(names, directories, strict=True)}, seed=seed
        ),
    )


def write_comparison(comparison: Results, directory: PathLike) -> Path:
    """Write what `write_experiment` does into a directory that is made, and that holds no experiment of its own."""
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
        raise InputError("a directory is named twice; experiments are compared with others")
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
    """The test sets of two or more experiments, with the systems of all these experiments."""
    by_digest: dict[str, dict[str, TestSet]] = {}
    for name, results in experiments.items():
        for test in results.sets:
            if test.comparable:
                by_digest.setdefault(test.digest, {})[name] = test
    for by_experiment in by_digest.values():
        first = next(iter(by_experiment.values()))
        if len(by_experiment) < 2:
            notes.append(f"{first.name} is only in {next(iter(by_experiment))}.")
            continue
        metrics = [metric for metric in first.metrics if all(metric in test.metrics for test in by_experiment.values())]
        named = {metric.name for test in by_experiment.values() for metric in test.metrics}
        if left_out := sorted(named - {metric.name for metric in metrics}):
            notes.append(f"{first.name}: {', '.join(left_out)} not compared, as not all experiments count it alike.")
        if metrics:
            systems = {
                f"{name}/{system}": runs
                for name, test in by_experiment.items()
                for system, runs in test.systems.items()
            }
            yield first.model_copy(update={"metrics": metrics, "systems": systems})


def _tables(experiments: Mapping[str, Results]) -> Iterator[Table]:
    """Tables of results of the same name and columns, joined. Rows of the paper only come once, at the end."""
    groups: dict[tuple[str, ...], list[tuple[str, Table]]] = {}
    for name, results in experiments.items():
        for table in results.tables:
            if table.section == "Results":
                groups.setdefault((table.name, *(column.name for column in table.columns)), []).append((name, table))
    for same_tables in groups.values():
        rows: list[Row] = []
        of_paper: dict[str, Row] = {}
        for name, table in same_tables:
            rows += [row.model_copy(update={"label": f"{name}/{row.label}"}) for row in table.rows if row.cells]
            of_paper |= {row.label: row for row in table.rows if not row.cells}
        yield same_tables[0][1].model_copy(update={"rows": [*rows, *of_paper.values()], "notes": []})


def _differences(experiments: Mapping[str, Results]) -> Table:
    """Settings that are not equal in all experiments. Files are equal if their contents are."""
    flat_settings = []
    for results in experiments.values():
        known = results.provenance
        hashes = known.get("inputs", {})
        settings = dict(_flat("", known["config"]))
        settings |= {f"version of {name}": value for name, value in known["versions"].items()}
        settings |= {f"machine: {name}": str(value) for name, value in known["machine"].items()}
        flat_settings.append({key: (hashes.get(value, value), value) for key, value in settings.items()})
    rows = []
    for key in dict.fromkeys(key for settings in flat_settings for key in settings):
        values = [settings.get(key, (None, None)) for settings in flat_settings]
        if len({content for content, _ in values}) > 1:
            rows.append(Row(label=key, cells=dict(zip(experiments, (shown for _, shown in values), strict=True))))
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
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _flat(f"{prefix}.{name}" if prefix else str(name), inner)
    elif isinstance(value, list) and value and all(isinstance(part, Mapping) and "name" in part for part in value):
        for part in value:
            yield from _flat(f"{prefix}.{part['name']}", {k: v for k, v in part.items() if k != "name"})
            yield f"{prefix}.{part['name']}", "there"
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _flat(f"{prefix}.{number}", part)
    elif value is not None:
        yield prefix, value if isinstance(value, str) else json.dumps(value)
