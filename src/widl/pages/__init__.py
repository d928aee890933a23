"""Pages of results: Jinja2 templates, one style sheet and one script, put together into single files.

A page needs no network and no other file. Without its script everything is there, in the order of the results.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup


@dataclass(frozen=True)
class Section:
    """A part of a page: anchor, heading and the HTML below it."""

    anchor: str
    heading: str
    content: Sequence[Markup]


@dataclass(frozen=True)
class Head:
    """The head of a column. `sorts`: the place of the cell by which a click sorts the rows.

    It stands over the first of its `columns`, aligned as their cells are.
    """

    text: str
    help: str = ""
    sorts: int | None = None
    columns: int = 1


@dataclass(frozen=True)
class PageCell:
    """A cell of a table. `value`: what it is sorted by. `note`: small text after, or `below`, the cell's own."""

    text: str
    value: float | None = None
    note: str = ""
    below: str = ""
    best: bool = False
    kind: str = ""


PageRow = tuple[str, Sequence[PageCell | str]]
"""The row's heading and its cells."""


@lru_cache(maxsize=1)
def _environment() -> Environment:
    folder = files("widl.pages")

    def load(name: str) -> str:
        return folder.joinpath(name).read_text(encoding="utf-8")

    environment = Environment(
        loader=FunctionLoader(load),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["style"] = Markup(load("page.css"))
    environment.globals["script"] = Markup(load("page.js"))
    return environment


def render(name: str, **context: object) -> Markup:
    """The template `name`.html with its variables filled in; plain text is escaped, Markup is not.

    >>> render("marked", parts=[("", "a"), ("ins", "<b>")])
    Markup('a <ins>&lt;b&gt;</ins>')
    """
    return Markup(_environment().get_template(f"{name}.html").render(context))


def page(
    title: str,
    about: str,
    sections: Sequence[Section],
    *,
    notes: Sequence[str] = (),
    signatures: Mapping[str, str] | None = None,
) -> str:
    """A whole HTML document of the sections that have anything in them; notes and signatures stand above them."""
    shown = [section for section in sections if any(part.strip() for part in section.content)]
    found = render("page", title=title, about=about, sections=shown, notes=notes, signatures=signatures or {})
    return str(found) + "\n"


def table(heads: Sequence[Head | str], rows: Sequence[PageRow], label: str, *, kind: str = "") -> Markup:
    """A table that scrolls within itself where it is wider than the page.

    kind: "sortable" (by click on a head), "text" (cells of words, which wrap) or nothing.
    """
    shown_heads = [head if isinstance(head, Head) else Head(head) for head in heads]
    shown_rows = [
        (name, [cell if isinstance(cell, PageCell) else PageCell(cell) for cell in cells]) for name, cells in rows
    ]
    return render("table", heads=shown_heads, rows=shown_rows, label=label, kind=kind)


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]], label: str) -> Markup:
    """A table of text, the first column of headings."""
    return table(heads, [(row[0], row[1:]) for row in rows], label, kind="text")


def figure(title: str, description: str, svg: Markup) -> Markup:
    """A picture with its title and description."""
    return render("figure", title=title, description=description, svg=svg)


def paragraph(text: str) -> Markup:
    """Plain text as a paragraph."""
    return Markup("<p>{}</p>").format(text)
