"""Pages: well-formed HTML with escaped text, and templates without missing variables."""

import re

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from tests.page import Page
from widl.pages import Section, page, render, table, text_table
from widl.pages.tables import Column, Figure, Row, Table

NASTY = """<script>alert("1")</script>"'><img src=x onerror=alert(2)> & 'more'\u202e"""


def test_text_is_escaped_wherever_it_stands() -> None:
    columns = [Column(name=NASTY, help=NASTY)]
    rows = [Row(label=NASTY, cells={NASTY: Figure(value=1.5, deviation=1)}, paper={NASTY: 1})]
    built = Table(name=NASTY, title=NASTY, of=NASTY, columns=columns, rows=rows, paper=NASTY, notes=[NASTY])
    picture = {"name": NASTY, "line": NASTY} | dict.fromkeys(("left", "right", "low", "high"), 1.0)
    sections = [
        Section("a", NASTY, [table(text_table(NASTY, [NASTY, "x"], [[NASTY, NASTY]]))]),
        Section("b", "B", [table(built), render("error_surfaces", pictures=[picture], width=1, height=1)]),
    ]
    text = page(NASTY, NASTY, sections, notes=[NASTY])
    result = Page(text)
    assert (result.count("script"), result.count("img")) == (1, 0)  # the page's own
    assert not any(name.startswith("on") for _, attributes in result.tags for name in attributes)
    assert result.texts.count(NASTY) >= 12
    assert [attributes["data-value"] for _, attributes in result.tags if "data-value" in attributes] == ["1.5"]


def test_sections_without_content_and_lonely_navigation_are_left_out() -> None:
    empty, full = Section("a", "A", [Markup(), Markup("\n")]), Section("b", "B", [Markup("<p>b</p>")])
    result = Page(page("Title", "", [empty, full]))
    assert [attributes.get("id") for tag, attributes in result.tags if tag == "section"] == ["b"]
    assert result.count("nav") == 0
    assert Page(page("Title", "", [full, Section("c", "C", full.content)])).count("nav") == 1


def test_a_missing_variable_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'parts' is undefined"):
        render("marked")


def cells(html: str) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", html, flags=re.DOTALL)
    result = [re.findall(r"<t[dh].*?>(.*?)</t[dh]>", row, flags=re.DOTALL) for row in rows]
    return [[re.sub("<.*?>", "", cell) for cell in row] for row in result]


def test_a_table_beside_the_papers() -> None:
    result = Table(
        name="t",
        title="T",
        paper="P",
        of="words",
        columns=[
            Column(name="a", digits=2, paper_digits=1, better="lower"),
            Column(name="b"),
            Column(name="c", digits=0),
        ],
        rows=[
            Row(label="x", cells={"a": Figure.of([2.25, 2.75]), "b": "given", "c": 1000}, paper={"a": 3.25, "c": 7}),
            Row(label="y", cells={"a": 1.5, "c": 2000}),
            Row(label="z", paper={"a": 9}),
        ],
    )
    html = table(result)
    assert cells(html) == [
        ["words", "a", "", "b", "c", ""],
        ["x", "2.50 ±0.35", "(3.2)", "given", "1,000", "(7)"],
        ["y", "1.50", "", "-", "2,000", ""],
        ["z", "-", "(9.0)", "-", "-", ""],
    ]
    assert re.findall(r'<span class="best">(.*?)</span>', html) == ["1.50"]
    # Headers are above their own columns, which they sort by, not above the paper's.
    assert re.findall(r'data-cell="(\d)"', html) == ["0", "1", "3", "4"]
    assert re.findall(r'data-value="(.*?)"', html) == ["2.5", "1000", "1.5", "2000"]


def test_significant_differences_are_marked() -> None:
    """Marked: both tests are below 5 % and one system is better or worse; lower is better."""
    rows = [
        Row(label="a", cells={"ter": Figure(value=2, p=(0.01, 0.0004)), "length": Figure(value=2, p=(0.01, 0.01))}),
        Row(label="b", cells={"ter": Figure(value=-1, p=(0.049, 0.049))}),
        Row(label="c", cells={"ter": Figure(value=-1, p=(0.01, 0.06))}),
    ]
    columns = [Column(name="ter", better="lower"), Column(name="length")]
    html = table(Table(name="t", title="T", columns=columns, rows=rows))
    assert re.findall(r'<td class="(.*?)"', html) == ["worse", "better"]
    shown = [row[1] for row in cells(html)[1:]]
    assert shown == ["▼ +2.0 (.010, &lt;.001)", "▲ -1.0 (.049, .049)", "-1.0 (.010, .060)"]
