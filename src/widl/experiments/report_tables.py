"""Tables of a report: results beside the paper's, intervals, and matrices of paired tests."""

from collections.abc import Iterator, Sequence
from html import escape
from math import isfinite

from widl.experiments.results import Better, Cell, Column, Interval, Measured, PairTest, Table, TestSet
from widl.experiments.text_report import show, show_difference, show_p, show_paper

SIGNIFICANT = 0.05


def caption(text: str) -> str:
    """A heading, with a capital."""
    return escape(text[:1].upper() + text[1:])


def scrolling(table: str, label: str) -> str:
    """A table that scrolls within itself where it is wider than the page."""
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(label)}">{table}</div>'


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]], label: str) -> str:
    """A plain table of text, the first column of headings."""
    heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    lines = [
        f'<tr><th scope="row">{escape(row[0])}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:]) + "</tr>"
        for row in rows
    ]
    table = f'<table class="text"><thead><tr>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table>'
    return scrolling(table, label)


def result_table(table: Table) -> str:
    """A sortable table with the paper's figures beside its own, the best of each column in bold."""
    with_paper = table.with_paper()
    heads = [_head(Column(name=table.of), 0)]
    for i, column in enumerate(table.columns):
        heads.append(_head(column, 1 + i + sum(with_paper[:i]), wide=with_paper[i]))
    best = [_best([row.cells[i] for row in table.rows if row.cells], c) for i, c in enumerate(table.columns)]
    lines = []
    for row in table.rows:
        cells = [f'<th scope="row">{escape(row.label)}</th>']
        for i, column in enumerate(table.columns):
            here = row.cells[i] if row.cells else None
            cells.append(_cell(here, column, best=here is not None and here == best[i]))
            if with_paper[i]:
                there = show_paper(row.paper[i] if row.paper else None, column)
                cells.append(f'<td class="paper">{escape(there)}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    drawn = f'<table class="sortable"><thead><tr>{"".join(heads)}</tr></thead><tbody>{"".join(lines)}</tbody></table>'
    notes = list(table.notes)
    if table.paper:
        notes.insert(0, f"In parentheses: {table.paper}.")
    below = "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
    return f"<h3>{escape(table.title)}</h3>{scrolling(drawn, table.title)}{below}"


def intervals_table(test: TestSet, intervals: Sequence[Interval]) -> str:
    """Scores of a set with deviation over the runs and interval over the items."""
    columns = [Column(name=m.name, digits=m.digits, better=m.better, help=m.signature) for m in test.metrics]
    by_place = {(one.system, one.metric): one for one in intervals}
    heads = "".join(_head(column, i) for i, column in enumerate([Column(name="system"), *columns]))
    lines = []
    for system in test.systems:
        cells = []
        for column in columns:
            one = by_place[system, column.name]
            figure = Measured(value=one.score, low=one.low, high=one.high, deviation=one.deviation)
            cells.append(_cell(figure, column, best=False))
        lines.append(f'<tr><th scope="row">{escape(system)}</th>{"".join(cells)}</tr>')
    table = f'<table class="sortable"><thead><tr>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table>'
    runs = max(len(found) for found in test.systems.values())
    note = "In brackets: 95 % of the scores of resampled items."
    if runs > 1:
        note = f"Mean of {runs} runs ± standard deviation over them. " + note
    signatures = "".join(
        f'<p class="note">{escape(m.name)}: <code>{escape(m.signature)}</code></p>' for m in test.metrics if m.signature
    )
    title = f"{test.name}: {len(test.items):,} items"
    return f'<h3>{escape(title)}</h3>{scrolling(table, title)}<p class="note">{note}</p>{signatures}'


def pair_matrices(sets: Sequence[TestSet], pairs: Sequence[PairTest]) -> Iterator[str]:
    """For each set and metric a matrix of all systems: row minus column, and p."""
    first = True
    for test in sets:
        for metric in test.metrics:
            own = [pair for pair in pairs if pair.set == test.name and pair.metric == metric.name]
            if not own:
                continue
            yield f"<details{' open' if first else ''}><summary>{escape(f'{test.name}: {metric.name}')}</summary>"
            yield pair_matrix(own, metric.better, metric.digits, f"{test.name}: {metric.name}")
            yield "</details>"
            first = False
    if not first:
        yield (
            '<p class="note">Row minus column; p of paired bootstrap and of approximate randomisation, not corrected '
            f"for the number of pairs. Coloured, and with an arrow, where both are below {SIGNIFICANT}: ▲ the row is "
            "better, ▼ it is worse.</p>"
        )


def pair_matrix(pairs: Sequence[PairTest], better: Better, digits: int, label: str) -> str:
    """A matrix of all systems by one metric."""
    names = list(dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second)))
    by_place = {(pair.first, pair.second): pair for pair in pairs}
    heads = "<td></td>" + "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    lines = []
    for row in names:
        cells = []
        for column in names:
            if (column, row) in by_place:
                cells.append(_pair(by_place[column, row], 1.0, better, digits))
            elif (row, column) in by_place:
                cells.append(_pair(by_place[row, column], -1.0, better, digits))
            else:
                cells.append("<td></td>")
        lines.append(f'<tr><th scope="row">{escape(row)}</th>{"".join(cells)}</tr>')
    return scrolling(
        f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>", f"pairs, {label}"
    )


def _pair(pair: PairTest, sign: float, better: Better, digits: int) -> str:
    difference = sign * pair.difference
    significant = max(pair.bootstrap_p, pair.randomization_p) < SIGNIFICANT
    kind, arrow = "", ""
    if significant and better is not None:
        good = (difference > 0) == (better == "higher")
        kind, arrow = (' class="better"', "▲ ") if good else (' class="worse"', "▼ ")
    tests = f"{show_p(pair.bootstrap_p)} / {show_p(pair.randomization_p)}"
    return f'<td{kind}>{arrow}{show_difference(difference, digits)}<span class="p">{escape(tests)}</span></td>'


def _head(column: Column, cell: int, *, wide: bool = False) -> str:
    """A column's head, which sorts by the cell that it names."""
    title = f' title="{escape(column.help)}"' if column.help else ""
    span = ' colspan="2"' if wide else ""
    return f'<th scope="col"{span}{title}><button type="button" data-cell="{cell}">{escape(column.name)}</button></th>'


def _cell(here: Cell, column: Column, *, best: bool) -> str:
    value = here.value if isinstance(here, Measured) else here
    attribute = f' data-value="{value}"' if isinstance(value, (int, float)) and isfinite(value) else ""
    shown = escape(show(value, column))
    if isinstance(here, Measured):
        spread = show(here, column).removeprefix(show(value, column)).strip()
        shown += f' <span class="spread">{escape(spread)}</span>' if spread else ""
    if best:
        shown = f'<span class="best">{shown}</span>'
    return f"<td{attribute}>{shown}</td>"


def _best(cells: Sequence[Cell], column: Column) -> Cell:
    """The best of a column; None where nothing is better than something else."""
    figures = [(c.value if isinstance(c, Measured) else c, c) for c in cells if not isinstance(c, str)]
    known = [(value, cell) for value, cell in figures if value is not None]
    if column.better is None or len({value for value, _ in known}) < 2:
        return None
    return (max if column.better == "higher" else min)(known, key=lambda pair: pair[0])[1]
