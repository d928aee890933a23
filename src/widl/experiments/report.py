"""``report.html``: an experiment's results as one page that needs no network and no other file.

It has the tables with the paper's figures, scores with their intervals, paired tests of all pairs, pictures, outputs
side by side with marked differences, and provenance. It can be read on a phone and in dark mode. Without scripts it
shows everything, in the order of the results.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from markupsafe import Markup

from widl.arguments import PathLike, path_of
from widl.experiments.report_samples import samples
from widl.experiments.report_tables import intervals_table, pair_matrices, result_table
from widl.experiments.results import Interval, Picture, Provenance, Results, System, TestSet
from widl.files import write_text
from widl.pages import Section, figure, page, render, text_table
from widl.pictures import drawing, inlined, svg

PAGE = "report.html"


def write_report(results: Results, directory: PathLike) -> Path:
    """Write the page into a directory; returns its path."""
    path = path_of(directory, "directory") / PAGE
    with write_text(path) as file:
        file.write(report_page(results))
    return path


def report_page(results: Results) -> str:
    """The page of one experiment."""
    provenance = results.provenance
    about = f"widl {provenance.versions.get('widl', '')}, {results.kind} experiment, {provenance.finished}"
    sections = [
        Section("tables", "Results", [result_table(table) for table in results.tables]),
        Section("scores", "Scores and intervals", list(interval_parts(results.sets, results.intervals))),
        Section("significance", "Significance", [pair_matrices(results.sets, results.pairs)]),
        Section("pictures", "Pictures", [_figure(picture, i) for i, picture in enumerate(results.pictures)]),
        Section("outputs", "Outputs side by side", [part for test in results.sets for part in samples(test)]),
        Section("systems", "Systems", [_systems(results.systems)]),
        Section("provenance", "Provenance", [_provenance(provenance)]),
    ]
    return page(results.title, about, sections, notes=results.notes)


def _figure(picture: Picture, number: int, *, folded: bool = False) -> Markup:
    drawn = inlined(picture.svg, f"picture{number}", picture.title, picture.description)
    return figure(picture.title, picture.description, drawn, folded=folded)


def interval_parts(sets: Sequence[TestSet], intervals: Sequence[Interval]) -> Iterator[Markup]:
    """Tables of scores with their intervals, and drawings of them."""
    for number, test in enumerate(sets):
        set_intervals = [interval for interval in intervals if interval.set == test.name]
        if not set_intervals:
            continue
        yield intervals_table(test, set_intervals)
        for k, metric in enumerate(test.metrics):
            rows = [interval for interval in set_intervals if interval.metric == metric.name]
            if len(rows) < 2 or not metric.tested:
                continue
            with drawing(7, 0.8 + 0.28 * len(rows)) as figure:
                axes = figure.add_subplot()
                for i, row in enumerate(reversed(rows)):
                    # An interval of resampled items may leave out the mean of the runs.
                    axes.plot([row.low, row.high], [i, i], color="C0", linewidth=2)
                    axes.plot(row.score, i, "o", color="C1")
                axes.set_yticks(range(len(rows)), [row.system for row in reversed(rows)])
                axes.set_ylim(-0.6, len(rows) - 0.4)
                axes.set_xlabel(metric.name)
                axes.grid(True, axis="x")
                picture = Picture(
                    name=f"interval-{number}-{k}",
                    title=f"{metric.name} on {test.name}",
                    description="Score (dot) and 95 % confidence interval over the items (line) of each system.",
                    svg=svg(figure),
                )
            yield _figure(picture, 1000 * (number + 1) + k, folded=True)


def _systems(systems: Sequence[System]) -> Markup:
    """The options and weights of each system."""
    shown = []
    for system in systems:
        tables = []
        if system.settings:
            rows = [[name, _value(value)] for name, value in system.settings.items()]
            tables.append(text_table(["option", "value"], rows, "settings"))
        if system.weights:
            names = list(dict.fromkeys(name for weights in system.weights.values() for name in weights))
            rows = [
                [name, *(f"{weights[name]:.6g}" if name in weights else "" for weights in system.weights.values())]
                for name in names
            ]
            tables.append(text_table(["weight", *system.weights], rows, "weights"))
        if tables:
            shown.append((system.name, tables))
    return render("systems", systems=shown)


def _provenance(provenance: Provenance) -> Markup:
    facts = [
        *provenance.machine.items(),
        ("threads", provenance.threads),
        ("seed", provenance.seed),
        ("finished", provenance.finished),
    ]
    steps = [(step["step"], f"{step['seconds']:,.1f}", step["finished"]) for step in provenance.steps]
    tables = [
        ("", text_table(["", "value"], [[name, _value(value)] for name, value in facts], "machine")),
        ("Versions", text_table(["program", "version"], list(provenance.versions.items()), "versions")),
    ]
    if provenance.inputs:
        tables.append(("Inputs", text_table(["file", "SHA-256"], list(provenance.inputs.items()), "inputs")))
    if steps:
        tables.append(("Steps", text_table(["step", "seconds", "finished"], steps, "steps")))
    configuration = json.dumps(provenance.config, ensure_ascii=False, indent=2)
    return render("provenance", tables=tables, configuration=configuration)


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
