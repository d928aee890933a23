"""Pages of results: Jinja2 templates, a style sheet and a script, combined into single files.

A page needs no network and no other files. Without its script, everything is visible, in the order of the results.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from widl.common.extras import optional_packages
from widl.pages import tables
from widl.pages.tables import Cell, Column, Figure, Row, Table

with optional_packages():
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

_LARGEST = 1e300  # sort key; a count may exceed all floats


@dataclass(frozen=True)
class Section:
    """A part of a page: anchor, heading and the HTML below it."""

    anchor: str
    heading: str
    content: Sequence[Markup]


@cache
def environment(package: str, folder: str = "") -> Environment:
    """The templates in a folder of a package. Plain text is escaped, and a missing variable is an error."""
    place = files(package).joinpath(folder)
    return Environment(
        loader=FunctionLoader(lambda name: place.joinpath(name).read_text(encoding="utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(name: str, **context: object) -> Markup:
    """The template `name`.html with its variables filled in; plain text is escaped, Markup is not.

    >>> render("marked", parts=[("", "a"), ("ins", "<b>")])
    Markup('a <ins>&lt;b&gt;</ins>')
    """
    return Markup(environment("widl.pages").get_template(f"{name}.html").render(context))


def page(title: str, about: str, sections: Sequence[Section], *, notes: Sequence[str] = ()) -> str:
    """A complete HTML document of the nonempty sections; notes precede them."""
    content = [section for section in sections if any(part.strip() for part in section.content)]
    assets = {name: Markup(files("widl.pages").joinpath(name).read_text("utf-8")) for name in ("page.css", "page.js")}
    return str(render("page", title=title, about=about, sections=content, notes=notes, assets=assets)) + "\n"


def table(content: Table, *, heading: bool = True) -> Markup:
    """A table that scrolls horizontally if it is wider than the page; the best number of each column is bold.

    A click on a column's head sorts the rows. heading: whether the title is printed above the table.
    """
    best = {column.name: tables.best_cells(content, column) for column in content.columns}
    papers = {column.name for column in content.columns if content.has_paper(column)}
    rows = []
    for row in content.rows:
        cells = []
        for column in content.columns:
            cells.append(_cell(row, column, best[column.name]))
            if column.name in papers:
                theirs = tables.shown_paper(row.paper.get(column.name), column)
                cells.append({"text": theirs, "value": None, "spread": "", "kind": "paper", "best": False})
        rows.append((row.label, cells))
    is_text = all(isinstance(cell, str) for row in content.rows for cell in row.cells.values())
    return render("table", table=content, papers=papers, rows=rows, heading=heading, is_text=is_text)


def records_html(records: Sequence[Mapping[str, Any]]) -> str:
    """Records as a table, for notebooks; the columns are the keys of the first."""
    first, *names = records[0] if records else ("",)
    columns = [Column(name=name, digits=4) for name in names]
    rows = [Row(label=str(record[first]), cells={name: record[name] for name in names}) for record in records]
    return str(table(Table(name="records", title="", of=first, columns=columns, rows=rows), heading=False))


def _cell(row: Row, column: Column, best: Sequence[Cell]) -> dict[str, Any]:
    """The template's variables for a cell: its text, sort key, and mark."""
    cell = row.cells.get(column.name)
    spread = tables.spread(cell, column) if isinstance(cell, Figure) else ""
    text, kind = tables.with_arrow(cell, column).removesuffix(spread), tables.direction(cell, column)
    number = tables.number_of(cell)
    value = None if number is None else min(number, _LARGEST)
    return {"text": text, "value": value, "spread": spread.strip(), "kind": kind, "best": cell in best}


def text_table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table of text, the first column of headings."""
    columns = [Column(name=head) for head in heads[1:]]
    table_rows = [Row(label=label, cells=dict(zip(heads[1:], cells, strict=True))) for label, *cells in rows]
    return Table(name=title, title=title, of=heads[0], columns=columns, rows=table_rows)
