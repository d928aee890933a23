"""Tables of records: columns with number formats, and tables as text, TSV and LaTeX.

    columns = [Column(name="ROUGE-1", digits=1, better="higher"), Column(name="Len.", digits=1)]
    rows = [Row(label="WIDL-A*", cells={"ROUGE-1": Figure.of([25.1, 26.0]), "Len.": 9.5}, paper={"ROUGE-1": 25.5})]
    Table(name="headlines", title="Headlines", paper="Soricut & Marcu (2006), Table 1", columns=columns, rows=rows)

`widl.pages.table` renders the same table as HTML.
"""

import re
import statistics
from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from widl.common.arguments import counted

Better = Literal["higher", "lower"] | None
SIGNIFICANT = 0.05
_SHORT_FROM = 10**6


class Record(BaseModel):
    """An immutable record; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Figure(Record):
    """A number with its standard deviation over several runs, and its 95 % confidence interval over the items.

    p: for a difference, the p-values of paired bootstrap and approximate randomization.
    doubt: for a difference of tuned systems, why it is not shown to survive another seed of tuning; empty: it is.
    """

    value: float
    deviation: float | None = None
    low: float | None = None
    high: float | None = None
    p: tuple[float, float] | None = None
    doubt: str = ""

    @classmethod
    def of(cls, values: Sequence[float], low: float | None = None, high: float | None = None) -> "Figure":
        """The mean of the values of several runs, with their standard deviation."""
        deviation = statistics.stdev(values) if len(values) > 1 else None
        return cls(value=statistics.fmean(values), deviation=deviation, low=low, high=high)

    @property
    def is_significant(self) -> bool:
        """Whether both p-values of a difference are below 5 %, without a doubt about tuning."""
        return self.p is not None and max(self.p) < SIGNIFICANT and not self.doubt


Cell = Figure | float | int | str | None


class Column(Record):
    """A column of numbers, with the number of decimals; `paper_digits`: decimals of the paper's numbers, if different.

    short: numbers of a million and more are shown as 1.2e34.
    """

    name: str
    digits: int = 1
    short: bool = False
    paper_digits: int | None = None
    better: Better = None
    help: str = ""


class Row(Record):
    """A record: its label, and its cells and the paper's numbers by column name."""

    label: str
    cells: dict[str, Cell] = Field(default={})
    paper: dict[str, Cell] = Field(default={})


class Table(Record):
    """Records under columns. `of` names the kind of row, `section` the table's section on a page, and `paper` cites the
    source of the paper's numbers.

    brief: number of rows shown as plain text, the first ones; 0: all.
    """

    name: str
    title: str
    columns: list[Column]
    rows: list[Row]
    of: str = "system"
    section: str = "Results"
    paper: str = ""
    notes: list[str] = Field(default=[])
    brief: int = 0

    def has_paper(self, column: Column) -> bool:
        """Whether the paper has any number of a column."""
        return any(row.paper.get(column.name) is not None for row in self.rows)

    def all_notes(self) -> list[str]:
        """The notes printed below the table."""
        return [*([f"In parentheses: {self.paper}."] if self.paper else []), *self.notes]


def shown(cell: Cell, column: Column) -> str:
    """A cell's text; ``-`` if it is empty.

    >>> shown(Figure(value=25.7, deviation=0.125), Column(name="BLEU", digits=2)), shown(None, Column(name="BLEU"))
    ('25.70 ±0.12', '-')
    >>> shown(24576, Column(name="states", digits=0, short=True)), shown(3 * 10**400, Column(name="states", short=True))
    ('24,576', '3.0e400')
    >>> shown(Figure(value=-0.01, p=(0.0312, 1.0)), Column(name="BLEU"))
    '0.0 (.031, 1)'
    >>> shown(Figure(value=1.1, deviation=0.9, p=(0.003, 0.0001), doubt="1 run"), Column(name="BLEU"))
    '+1.1 ±0.9 (.003, <.001) †'
    """
    if cell is None or isinstance(cell, str):
        return "-" if cell is None else cell
    if isinstance(cell, Figure):
        return f"{_value(cell, column)}{spread(cell, column)}"
    if column.short and isinstance(cell, int) and cell >= _SHORT_FROM:
        digits = str(cell)
        mantissa, exponent = round(int(digits[:3]) / 100, 1), len(digits) - 1
        return f"{mantissa:.1f}e{exponent}" if mantissa < 10 else f"1.0e{exponent + 1}"
    return f"{cell:,.{column.digits}f}"


def _value(figure: Figure, column: Column) -> str:
    if figure.p is None:
        return f"{figure.value:,.{column.digits}f}"
    difference = f"{figure.value:+.{column.digits}f}"
    return difference if float(difference) else difference[1:]  # 0 has no sign


def spread(figure: Figure, column: Column) -> str:
    """Text after a figure's value: its deviation, its interval, its p-values."""
    text = "" if figure.deviation is None else f" ±{figure.deviation:.{column.digits}f}"
    if figure.low is not None and figure.high is not None:
        text += f" [{figure.low:.{column.digits}f}, {figure.high:.{column.digits}f}]"
    return text if figure.p is None else f"{text} ({', '.join(map(shown_p, figure.p))}){' †' * bool(figure.doubt)}"


def direction(cell: Cell, column: Column) -> Literal["better", "worse", ""]:
    """The kind of a significant difference; empty for other cells."""
    if not isinstance(cell, Figure) or not cell.is_significant or column.better is None:
        return ""
    return "better" if (cell.value > 0) == (column.better == "higher") else "worse"


ARROWS = {"better": "▲ ", "worse": "▼ ", "": ""}


def with_arrow(cell: Cell, column: Column) -> str:
    """A cell's text, with ▲ or ▼ before a significant difference.

    >>> with_arrow(Figure(value=1.1, p=(0.003, 0.0001)), Column(name="TER", better="lower"))
    '▼ +1.1 (.003, <.001)'
    """
    return ARROWS[direction(cell, column)] + shown(cell, column)


def shown_p(p: float) -> str:
    """A p-value.

    >>> shown_p(0.0312), shown_p(1), shown_p(0.00001)
    ('.031', '1', '<.001')
    """
    if p < 0.001:
        return "<.001"
    return "1" if p > 0.9995 else f"{p:.3f}".removeprefix("0")


def shown_paper(cell: Cell, column: Column) -> str:
    """The paper's number, in parentheses; empty if unknown.

    >>> shown_paper(0.072, Column(name="seconds", digits=5, paper_digits=3)), shown_paper(None, Column(name="seconds"))
    ('(0.072)', '')
    """
    if column.paper_digits is not None:
        column = column.model_copy(update={"digits": column.paper_digits})
    return "" if cell is None else f"({shown(cell, column)})"


def text_lines(table: Table) -> Iterator[str]:
    """A table as plain text: each column has the measured number, and the paper's in parentheses."""
    yield table.title
    rows = table.rows[: table.brief or None]
    columns = [[table.of if table.of != "system" else "", *(row.label for row in rows)]]
    for column in table.columns:
        figures = [with_arrow(row.cells.get(column.name), column) for row in rows]
        if table.has_paper(column):
            # Padding keeps the measured numbers aligned if the paper has none.
            theirs = [shown_paper(row.paper.get(column.name), column) for row in rows]
            width = max(map(len, theirs))
            figures = [f"{figure} {paper:>{width}}" for figure, paper in zip(figures, theirs, strict=True)]
        columns.append([column.name, *figures])
    yield from aligned([list(line) for line in zip(*columns, strict=True)])
    yield from table.all_notes()
    if left := len(table.rows) - len(rows):
        yield f"report.html has {counted(left, 'more row')}."


_PARTS = (" deviation", " p bootstrap", " p randomization", " doubt")
"""The names of a figure's further numbers in records, after the column's."""


def tsv_lines(table: Table) -> Iterator[str]:
    """A table as tab-separated values: full numbers, and columns of deviations and p-values if there are any.

    >>> columns = [Column(name="BLEU", digits=2)]
    >>> rows = [Row(label="a", cells={"BLEU": Figure(value=9.125, deviation=0.25)}), Row(label="b", cells={"BLEU": 8})]
    >>> [line.replace(chr(9), " | ") for line in tsv_lines(Table(name="t", title="T", columns=columns, rows=rows))]
    ['system | BLEU | BLEU deviation', 'a | 9.125 | 0.25', 'b | 8 | ']
    >>> columns.append(Column(name="n"))
    >>> next(tsv_lines(Table(name="t", title="T", columns=columns, rows=rows[::-1]))).split(chr(9))
    ['system', 'BLEU', 'BLEU deviation', 'n']
    """
    rows = records(table)
    known = {name for record in rows for name in record}
    columns = [f"{column.name}{part}" for column in table.columns for part in ("", *_PARTS)]
    names = [name for name in (table.of, *columns) if name in known]
    yield "\t".join(names)
    for record in rows:
        yield "\t".join("" if record.get(name) is None else str(record[name]) for name in names)


def records(table: Table) -> list[dict[str, float | int | str | None]]:
    """A record for each row: its label, its numbers, and any deviations and p-values.

    ``doubt`` says why a difference of tuned systems has the mark †.
    """
    rows = []
    for row in table.rows:
        record: dict[str, float | int | str | None] = {table.of: row.label}
        for column in table.columns:
            cell = row.cells.get(column.name)
            record[column.name] = cell.value if isinstance(cell, Figure) else cell
            if isinstance(cell, Figure) and cell.deviation is not None:
                record[f"{column.name} deviation"] = cell.deviation
            if isinstance(cell, Figure) and cell.p is not None:
                record[f"{column.name} p bootstrap"], record[f"{column.name} p randomization"] = cell.p
                record[f"{column.name} doubt"] = cell.doubt
        rows.append(record)
    return rows


_LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "<": "$<$",
    ">": "$>$",
    "†": r"$\dagger$",
    "▲": r"$\blacktriangle$",
    "▼": r"$\blacktriangledown$",
    "·": r"$\cdot$",
    "√": r"$\surd$",
    "…": r"\dots{}",
    "|": r"\textbar{}",
    "–": "--",
    "—": "---",
    "“": "``",
    "”": "''",
    "’": "'",
    "×": r"$\times$",
    "−": "$-$",
    **{sign: f"$_{digit}$" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    **{sign: f"$^{digit}$" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}


def latex_lines(table: Table) -> Iterator[str]:
    r"""A table in LaTeX with the rules of booktabs and amssymb's triangles.

    The best number of each column is bold, except for differences; the paper's number is in parentheses. Rows and
    notes are the same as in the text.

    >>> columns, rows = [Column(name="BLEU", digits=2)], [Row(label="A*_2", cells={"BLEU": 9})]
    >>> print(*latex_lines(Table(name="t", title="T", columns=columns, rows=rows)), sep=chr(10))
    \begin{tabular}{lr}
    \toprule
    system & BLEU \\
    \midrule
    A*\_2 & 9.00 \\
    \bottomrule
    \end{tabular}
    """
    best = {column.name: best_cells(table, column) for column in table.columns}
    yield rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}"
    yield r"\toprule"
    yield " & ".join(map(latex_text, [table.of, *(column.name for column in table.columns)])) + r" \\"
    yield r"\midrule"
    for row in table.rows[: table.brief or None]:
        cells = [latex_text(row.label)]
        for column in table.columns:
            cell = row.cells.get(column.name)
            text = latex_cell(cell, with_arrow(cell, column))
            if cell in best[column.name]:
                text = rf"\textbf{{{text}}}"
            cells.append(f"{text} {latex_text(shown_paper(row.paper.get(column.name), column))}".rstrip())
        yield " & ".join(cells) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    notes = [*table.all_notes(), *([BOLD] if any(best.values()) else [])]
    if notes:
        yield r"\par\smallskip{\footnotesize"
        yield from (f"{latex_text(note)}\\par" for note in notes)
        yield "}"


BOLD = "Bold: the best number of a column, which says nothing of significance."
_MINUS = re.compile(r"(?<!\w)-(?=\.?\d)")


def latex_cell(cell: Cell, text: str) -> str:
    r"""A cell's text in LaTeX, with minus signs.

    >>> latex_cell(-1.5, "-1.5 ±0.2"), latex_cell("A-1", "A-1")
    ('$-$1.5 $\\pm$0.2', 'A-1')
    """
    return latex_text(text) if cell is None or isinstance(cell, str) else _MINUS.sub("$-$", latex_text(text))


def latex_text(text: str) -> str:
    """The text with LaTeX's special characters escaped."""
    return "".join(_LATEX.get(character, character) for character in text)


def aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """Aligns the first column left and the others right, with two spaces between columns.

    >>> print("\\n".join(aligned([["", "ID %"], ["A*", "67.1"], ["B_0.2", "9"]])))
           ID %
    A*     67.1
    B_0.2     9
    """
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    for line in lines:
        cells = [cell.rjust(width) for cell, width in zip(line, widths, strict=True)]
        yield "  ".join([line[0].ljust(widths[0]), *cells[1:]]).rstrip()


def best_cells(table: Table, column: Column) -> list[Cell]:
    """The cells of a column that show its best number.

    There are none if no direction is better, if all numbers look the same, or if they are differences, of which the
    p-values tell.
    """
    cells = [cell for row in table.rows if number_of(cell := row.cells.get(column.name)) is not None]
    texts = {shown_value(cell, column) for cell in cells}
    if column.better is None or len(texts) < 2 or any(isinstance(cell, Figure) and cell.p for cell in cells):
        return []
    best = (max if column.better == "higher" else min)(cells, key=lambda cell: number_of(cell) or 0.0)
    return [cell for cell in cells if shown_value(cell, column) == shown_value(best, column)]


def shown_value(cell: Cell, column: Column) -> str:
    """A cell's number as it is shown, without the text behind it."""
    return _value(cell, column) if isinstance(cell, Figure) else shown(cell, column)


def number_of(cell: Cell) -> float | None:
    """The sort key of a cell."""
    number = cell.value if isinstance(cell, Figure) else cell
    return None if number is None or isinstance(number, str) or number != number else number  # NaN is not itself
