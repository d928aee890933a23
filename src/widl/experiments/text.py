"""An experiment's results as plain text, printed and in ``results.txt``, and their tables in Markdown."""

from collections.abc import Iterator, Sequence

from widl.common.arguments import PathLike, path_of
from widl.common.files import write_text
from widl.experiments.results import Better, Cell, Column, Measured, PairTest, Results, Table, TestSet

TEXT, MARKDOWN = "results.txt", "results.md"
_PAIRS_IN_TEXT = 10
_SHORT_FROM = 10**6


def results_text(results: Results) -> str:
    """All tables, paired tests and signatures."""
    lines = [results.title, ""]
    for table in results.tables:
        lines += [*table_lines(table), ""]
    for test in results.sets:
        lines += [*pair_lines(test, results.pairs), *_signatures(test)]
    return "\n".join([*lines, *results.notes]).rstrip() + "\n"


def results_markdown(results: Results) -> str:
    """All tables with their notes, in Markdown."""
    lines = [f"## {results.title}", ""]
    for table in results.tables:
        lines += [f"### {table.title}", "", *markdown_lines(table), "", *table_notes(table), ""]
    return "\n".join([*lines, *results.notes]).rstrip() + "\n"


def write_results_text(results: Results, directory: PathLike) -> None:
    """Write ``results.txt`` and ``results.md``."""
    for name, text in ((TEXT, results_text(results)), (MARKDOWN, results_markdown(results))):
        with write_text(path_of(directory, "directory") / name) as file:
            file.write(text)


def table_notes(table: Table) -> list[str]:
    """What stands below a table."""
    return [*([f"In parentheses: {table.paper}."] if table.paper else []), *table.notes]


def table_lines(table: Table) -> Iterator[str]:
    """A table: in each column the measured figure, and the paper's in parentheses."""
    yield table.title
    columns = [[row.label for row in table.rows]]
    for i, (column, with_paper) in enumerate(zip(table.columns, table.with_paper(), strict=True)):
        here = [show(row.cells[i], column) if row.cells else "-" for row in table.rows]
        if with_paper:
            # Padding keeps the measured figures aligned where the paper has none.
            there = [show_paper(row.paper[i], column) if row.paper else "" for row in table.rows]
            width = max(map(len, there))
            here = [f"{figure} {paper:>{width}}" for figure, paper in zip(here, there, strict=True)]
        columns.append(here)
    heads = ["" if table.of == "system" else table.of, *(column.name for column in table.columns)]
    yield from aligned([heads, *(list(row) for row in zip(*columns, strict=True))])
    yield from table_notes(table)


def markdown_lines(table: Table) -> Iterator[str]:
    r"""A table in Markdown, the paper's figures in parentheses.

    >>> columns, rows = [Column(name="BLEU", digits=2)], [{"label": "a", "cells": [9]}]
    >>> print(*markdown_lines(Table(name="t", title="T", columns=columns, rows=rows)), sep=chr(10))
    | system | BLEU |
    | --- | ---: |
    | a | 9.00 |
    """
    yield f"| {' | '.join([table.of, *(column.name for column in table.columns)])} |"
    yield f"| --- |{' ---: |' * len(table.columns)}"
    for row in table.rows:
        cells = []
        for i, column in enumerate(table.columns):
            here = show(row.cells[i], column) if row.cells else "-"
            there = show_paper(row.paper[i], column) if row.paper else ""
            cells.append(f"{here} {there}".rstrip())
        yield f"| {' | '.join([row.label, *cells])} |"


def show(cell: Cell, column: Column) -> str:
    """A cell's text; ``-`` where there is none.

    >>> show(Measured(value=25.7, deviation=0.125), Column(name="BLEU", digits=2)), show(None, Column(name="BLEU"))
    ('25.70 ±0.12', '-')
    >>> show(24576, Column(name="states", digits=0, short=True)), show(3 * 10**400, Column(name="states", short=True))
    ('24,576', '3.0e400')
    """
    if cell is None:
        return "-"
    if column.short and isinstance(cell, int) and cell >= _SHORT_FROM:
        digits = str(cell)
        mantissa, exponent = round(int(digits[:3]) / 100, 1), len(digits) - 1
        return f"{mantissa:.1f}e{exponent}" if mantissa < 10 else f"1.0e{exponent + 1}"
    if isinstance(cell, Measured):
        spread = "" if cell.deviation is None else f" ±{cell.deviation:.{column.digits}f}"
        if cell.low is not None and cell.high is not None:
            spread += f" [{cell.low:.{column.digits}f}, {cell.high:.{column.digits}f}]"
        return f"{cell.value:,.{column.digits}f}{spread}"
    if isinstance(cell, str):
        return cell
    return f"{cell:,.{column.digits}f}"


def show_paper(cell: Cell, column: Column) -> str:
    """The paper's figure, in parentheses; nothing where there is none.

    >>> show_paper(0.072, Column(name="seconds", digits=5, paper_digits=3)), show_paper(None, Column(name="seconds"))
    ('(0.072)', '')
    """
    if column.paper_digits is not None:
        column = column.model_copy(update={"digits": column.paper_digits})
    return "" if cell is None else f"({show(cell, column)})"


def show_difference(difference: float, digits: int) -> str:
    """A difference with its sign; 0 has none.

    >>> show_difference(1.25, 1), show_difference(-0.01, 1)
    ('+1.2', '0.0')
    """
    shown = f"{difference:+.{digits}f}"
    return shown if float(shown) else shown[1:]


def show_p(p: float) -> str:
    """A p-value.

    >>> show_p(0.0312), show_p(1), show_p(0.00001)
    ('.031', '1', '<.001')
    """
    if p < 0.001:
        return "<.001"
    return "1" if p > 0.9995 else f"{p:.3f}".removeprefix("0")


def pair_lines(test: TestSet, pairs: Sequence[PairTest]) -> Iterator[str]:
    """Differences of the pairs of a test set; of many pairs, only those with the best system by the first metric."""
    set_pairs = [pair for pair in pairs if pair.set == test.name]
    if not set_pairs:
        return
    metrics = list(dict.fromkeys(pair.metric for pair in set_pairs))
    names = [(pair.first, pair.second) for pair in set_pairs if pair.metric == metrics[0]]
    best = _best([pair for pair in set_pairs if pair.metric == metrics[0]], test.metric(metrics[0]).better)
    shown = [pair for pair in names if len(names) <= _PAIRS_IN_TEXT or best in pair]
    yield f"{test.name}: difference of pairs (p of paired bootstrap, of approximate randomisation)"
    lines = [["", *metrics]]
    by_place = {(pair.first, pair.second, pair.metric): pair for pair in set_pairs}
    for first, second in shown:
        # If only the pairs of the best system are shown, it comes first in each of them.
        turned = len(shown) < len(names) and second == best
        cells = [f"{first} - {second}" if turned else f"{second} - {first}"]
        for metric in metrics:
            pair = by_place[first, second, metric]
            difference = show_difference(-pair.difference if turned else pair.difference, 2)
            cells.append(f"{difference} ({show_p(pair.bootstrap_p)}, {show_p(pair.randomization_p)})")
        lines.append(cells)
    yield from aligned(lines)
    if len(shown) < len(names):
        yield f"The other {len(names) - len(shown)} pairs are in report.html."
    yield ""


def _best(pairs: Sequence[PairTest], better: Better) -> str:
    """The system with the largest sum of differences to the others."""
    sign = -1 if better == "lower" else 1
    ahead: dict[str, float] = {}
    for pair in pairs:
        ahead[pair.second] = ahead.get(pair.second, 0.0) + sign * pair.difference
        ahead[pair.first] = ahead.get(pair.first, 0.0) - sign * pair.difference
    return max(ahead, key=lambda name: ahead[name])


def _signatures(test: TestSet) -> Iterator[str]:
    signed = [metric for metric in test.metrics if metric.signature]
    yield from (f"{metric.name}: {metric.signature}" for metric in signed)
    if signed:
        yield ""


def aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first column to the left, the others to the right, two blanks between them.

    >>> print("\\n".join(aligned([["", "ID %"], ["A*", "67.1"], ["B_0.2", "9"]])))
           ID %
    A*     67.1
    B_0.2     9
    """
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    for line in lines:
        cells = [cell.rjust(width) for cell, width in zip(line, widths, strict=True)]
        yield "  ".join([line[0].ljust(widths[0]), *cells[1:]]).rstrip()
