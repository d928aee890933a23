"""Tables of a report: results beside the paper's, intervals, and matrices of paired tests."""

from collections.abc import Sequence
from math import isfinite

from markupsafe import Markup

from widl import pages
from widl.experiments.results import Better, Cell, Column, Interval, Measured, PairTest, Table, TestSet
from widl.experiments.text_report import show, show_difference, show_p, show_paper

SIGNIFICANT = 0.05


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
                cells.append(pages.Cell(show_paper(row.paper[i] if row.paper else None, column), kind="paper"))
        rows.append((row.label, cells))
    notes = [f"In parentheses: {table.paper}.", *table.notes] if table.paper else table.notes
    drawn = pages.table(heads, rows, table.title, kind="sortable")
    return pages.render("result_table", title=table.title, table=drawn, notes=notes, signatures={})


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
    return pages.render("pair_matrices", matrices=matrices, significant=SIGNIFICANT)


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
                cells.append(pages.Cell(""))
        rows.append((row, cells))
    return pages.table(["", *names], rows, f"pairs, {label}")


def _pair(pair: PairTest, sign: float, better: Better, digits: int) -> pages.Cell:
    difference = sign * pair.difference
    significant = max(pair.bootstrap_p, pair.randomization_p) < SIGNIFICANT
    kind, arrow = "", ""
    if significant and better is not None:
        kind, arrow = ("better", "▲ ") if (difference > 0) == (better == "higher") else ("worse", "▼ ")
    tests = f"{show_p(pair.bootstrap_p)} / {show_p(pair.randomization_p)}"
    return pages.Cell(arrow + show_difference(difference, digits), below=tests, kind=kind)


def _head(column: Column, cell: int, *, columns: int = 1) -> pages.Head:
    """A column's head, which sorts by the cell that it names."""
    return pages.Head(column.name, column.help, cell, columns)


def _cell(here: Cell, column: Column, *, best: bool) -> pages.Cell:
    value = here.value if isinstance(here, Measured) else here
    shown = show(value, column)
    spread = show(here, column).removeprefix(shown).strip()
    sorted_by = value if isinstance(value, (int, float)) and isfinite(value) else None
    return pages.Cell(shown, sorted_by, spread, best=best)


def _best(cells: Sequence[Cell], column: Column) -> Cell:
    """The best of a column; None where nothing is better than something else."""
    figures = [(c.value if isinstance(c, Measured) else c, c) for c in cells if not isinstance(c, str)]
    known = [(value, cell) for value, cell in figures if value is not None]
    if column.better is None or len({value for value, _ in known}) < 2:
        return None
    return (max if column.better == "higher" else min)(known, key=lambda pair: pair[0])[1]
