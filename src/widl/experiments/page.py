"""``report.html``: an experiment's results as one page that needs no network and no other file.

It has the tables with the paper's figures, scores with their intervals, paired tests of all pairs, outputs side by
side with marked differences, and provenance. It can be read on a phone and in dark mode. Without scripts it
shows everything, in the order of the results.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from widl import pages
from widl.common.arguments import PathLike, path_of
from widl.common.files import write_text
from widl.experiments.results import (
    Better,
    Cell,
    Column,
    Interval,
    Measured,
    PairTest,
    Provenance,
    Results,
    System,
    Table,
    TestSet,
)
from widl.experiments.text import show, show_difference, show_p, show_paper, table_notes
from widl.mert.nbest import FloatArray
from widl.pages import Section, page, render, text_table

PAGE = "report.html"
SHOWN = 200
"""Items of a test set on a page; ``results.json`` has all."""
_LONG = 400  # characters of an input that are shown at once
_SIGNIFICANT = 0.05
_COLOURS = 8
_LARGEST = 1e300  # to sort by; a count may be beyond all floats


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
        Section("outputs", "Outputs side by side", [part for test in results.sets for part in samples(test)]),
        Section("systems", "Systems", [_systems(results.systems)]),
        Section("provenance", "Provenance", [_provenance(provenance)]),
    ]
    return page(results.title, about, sections, notes=results.notes)


def interval_parts(sets: Sequence[TestSet], intervals: Sequence[Interval]) -> Iterator[Markup]:
    """Tables of scores with their intervals."""
    for test in sets:
        if set_intervals := [interval for interval in intervals if interval.set == test.name]:
            yield intervals_table(test, set_intervals)


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


# --- tables ---

def result_table(table: Table) -> Markup:
    """A sortable table with the paper's figures beside its own, the best of each column in bold."""
    with_paper = table.with_paper()
    heads = [pages.Head(table.of, sorts=0)]
    for i, column in enumerate(table.columns):
        heads.append(_head(column, 1 + i + sum(with_paper[:i]), columns=2 if with_paper[i] else 1))
    best = [_best([row.cells[i] for row in table.rows if row.cells], c) for i, c in enumerate(table.columns)]
    rows = []
    for row in table.rows:
        cells = []
        for i, column in enumerate(table.columns):
            here = row.cells[i] if row.cells else None
            cells.append(_cell(here, column, best=here is not None and here == best[i]))
            if with_paper[i]:
                cells.append(pages.PageCell(show_paper(row.paper[i] if row.paper else None, column), kind="paper"))
        rows.append((row.label, cells))
    drawn = pages.table(heads, rows, table.title, kind="sortable")
    return pages.render("result_table", title=table.title, table=drawn, notes=table_notes(table), signatures={})


def intervals_table(test: TestSet, intervals: Sequence[Interval]) -> Markup:
    """Scores of a set with deviation over the runs and interval over the items."""
    columns = [Column(name=m.name, digits=m.digits, better=m.better, help=m.signature) for m in test.metrics]
    by_place = {(interval.system, interval.metric): interval for interval in intervals}
    heads = [_head(column, i) for i, column in enumerate([Column(name="system"), *columns])]
    rows = []
    for system in test.systems:
        cells = []
        for column in columns:
            interval = by_place[system, column.name]
            figure = Measured(value=interval.score, low=interval.low, high=interval.high, deviation=interval.deviation)
            cells.append(_cell(figure, column, best=False))
        rows.append((system, cells))
    runs = max(len(system_runs) for system_runs in test.systems.values())
    note = "In brackets: 95 % of the scores of resampled items."
    if runs > 1:
        note = f"Mean of {runs} runs ± standard deviation over them. " + note
    signatures = {metric.name: metric.signature for metric in test.metrics if metric.signature}
    title = f"{test.name}: {len(test.items):,} items"
    drawn = pages.table(heads, rows, title, kind="sortable")
    return pages.render("result_table", title=title, table=drawn, notes=[note], signatures=signatures)


def pair_matrices(sets: Sequence[TestSet], pairs: Sequence[PairTest]) -> Markup:
    """For each set and metric a matrix of all systems: row minus column, and p."""
    matrices = []
    for test in sets:
        for metric in test.metrics:
            tested = [pair for pair in pairs if pair.set == test.name and pair.metric == metric.name]
            if tested:
                title = f"{test.name}: {metric.name}"
                matrices.append((title, pair_matrix(tested, metric.better, metric.digits, title)))
    if not matrices:
        return Markup()
    return pages.render("pair_matrices", matrices=matrices, significant=_SIGNIFICANT)


def pair_matrix(pairs: Sequence[PairTest], better: Better, digits: int, label: str) -> Markup:
    """A matrix of all systems by one metric."""
    names = list(dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second)))
    by_place = {(pair.first, pair.second): pair for pair in pairs}
    rows = []
    for row in names:
        cells = []
        for column in names:
            if (column, row) in by_place:
                cells.append(_pair(by_place[column, row], 1.0, better, digits))
            elif (row, column) in by_place:
                cells.append(_pair(by_place[row, column], -1.0, better, digits))
            else:
                cells.append(pages.PageCell(""))
        rows.append((row, cells))
    return pages.table(["", *names], rows, f"pairs, {label}")


def _pair(pair: PairTest, sign: float, better: Better, digits: int) -> pages.PageCell:
    difference = sign * pair.difference
    significant = max(pair.bootstrap_p, pair.randomization_p) < _SIGNIFICANT
    kind, arrow = "", ""
    if significant and better is not None:
        kind, arrow = ("better", "▲ ") if (difference > 0) == (better == "higher") else ("worse", "▼ ")
    tests = f"{show_p(pair.bootstrap_p)} / {show_p(pair.randomization_p)}"
    return pages.PageCell(arrow + show_difference(difference, digits), below=tests, kind=kind)


def _head(column: Column, cell: int, *, columns: int = 1) -> pages.Head:
    """A column's head, which sorts by the cell that it names."""
    return pages.Head(column.name, column.help, cell, columns)


def _cell(here: Cell, column: Column, *, best: bool) -> pages.PageCell:
    value = here.value if isinstance(here, Measured) else here
    shown = show(value, column)
    spread = show(here, column).removeprefix(shown).strip()
    sorted_by = min(value, _LARGEST) if isinstance(value, (int, float)) and not math.isnan(value) else None
    return pages.PageCell(shown, sorted_by, spread, best=best)


def _best(cells: Sequence[Cell], column: Column) -> Cell:
    """The best of a column; None where nothing is better than something else."""
    figures = [(c.value if isinstance(c, Measured) else c, c) for c in cells if not isinstance(c, str)]
    known = [(value, cell) for value, cell in figures if value is not None]
    if column.better is None or len({value for value, _ in known}) < 2:
        return None
    return (max if column.better == "higher" else min)(known, key=lambda pair: pair[0])[1]


# --- outputs side by side ---

def samples(test: TestSet, shown: int = SHOWN) -> Iterator[Markup]:
    """At most `shown` items of a test set, evenly spread, with the scores that the page sorts them by."""
    if not test.systems:
        return
    count = len(test.items)
    numbers = list(range(count)) if count <= shown else [i * count // shown for i in range(shown)]
    names = list(test.systems)
    scores = {
        metric.name: {
            name: [round(float(x), 4) for x in _item_scores(test, name, metric.name)[numbers]] for name in names
        }
        for metric in test.metrics
    }
    colours = _colours(test)
    yield render(
        "samples",
        title=test.name,
        colours=colours,
        note=f"{shown} of {count:,} items, evenly spread; all are in results.json." if count > shown else "",
        metrics=[metric.name for metric in test.metrics],
        names=names,
        scores=htmlsafe_json_dumps(scores),
        items=[_item(test, number, row, scores, colours) for row, number in enumerate(numbers)],
    )


def _item_scores(test: TestSet, system: str, metric: str) -> FloatArray:
    """The score of each item alone, in the system's first run."""
    rows = np.array(test.systems[system][0].statistics[metric], np.float64)
    return np.nan_to_num(test.metric(metric).scorer()(rows))


def _item(
    test: TestSet, number: int, row: int, scores: dict[str, dict[str, list[float]]], colours: Mapping[str, int]
) -> dict[str, object]:
    """The template's variables for an item: input, beginning of a long input, references and outputs."""
    item = test.items[number]
    texts = {name: runs[0].outputs[number] for name, runs in test.systems.items()}
    base = next(iter(texts))
    outputs: dict[str, dict[str, Any]] = {}
    for name, text in texts.items():
        facts = [f"{metric} {of[name][row]:.{test.metric(metric).digits}f}" for metric, of in scores.items()]
        for fact, values in test.systems[name][0].facts.items():
            value = values[number]
            facts += [] if value is None else [f"{fact} {value:.4g}"]
        run = test.systems[name][0]
        if run.origins:
            shown: Markup | str = coloured(text, run.origins[number], colours)
        else:
            shown = text if text == texts[base] else marked(texts[base], text)
        output = outputs.setdefault(text, {"systems": [], "text": shown})
        output["systems"].append((name, facts))
    return {
        "number": number + 1,
        "same": len(set(texts.values())) == 1,
        "input": item.input,
        "beginning": item.input[:_LONG] if len(item.input) > _LONG else "",
        "references": item.references,
        "outputs": list(outputs.values()),
    }


def _colours(test: TestSet) -> dict[str, int]:
    """The colour of each system whose words others have, by its place among these; none where nothing tells origins."""
    words = [word for runs in test.systems.values() for run in runs for line in run.origins for word in line]
    names = {name for _, systems in words for name in systems}
    return {name: number % _COLOURS for number, name in enumerate(name for name in test.systems if name in names)}


def coloured(text: str, words: Sequence[tuple[str, Sequence[str]]], colours: Mapping[str, int]) -> Markup:
    """HTML of a text in which a word that only some systems have is in the colour of the first of them.

    >>> str(coloured("a cat", [("a", ["x", "y"]), ("cat", ["y"])], {"x": 0, "y": 1}))
    'a <span class="of1" title="y">cat</span>'
    """
    parts = []
    at = 0
    for word, systems in words:
        begin = text.index(word, at)
        first = min(systems, key=lambda name: colours[name]) if len(systems) < len(colours) else None
        parts.append((text[at:begin], word, None if first is None else colours[first], ", ".join(systems)))
        at = begin + len(word)
    return render("coloured", parts=parts)


def marked(base: str, text: str) -> Markup:
    """HTML of the edits from `base` to `text`: inserted and deleted words are marked.

    >>> str(marked("the cat sat down", "the dog sat"))
    'the <del>cat</del> <ins>dog</ins> sat <del>down</del>'
    """
    old, new = base.split(), text.split()
    parts = []
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(("", " ".join(new[k:m])))
            continue
        if i < j:
            parts.append(("del", " ".join(old[i:j])))
        if k < m:
            parts.append(("ins", " ".join(new[k:m])))
    return render("marked", parts=parts)
