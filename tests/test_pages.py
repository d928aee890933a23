"""Pages: whole HTML with escaped text, from templates that miss no variable."""

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from tests.page import Page
from widl.pages import Head, PageCell, Section, figure, page, paragraph, render, table, text_table

NASTY = """<script>alert("1")</script> & 'more'"""


def test_text_is_escaped_wherever_it_stands() -> None:
    sections = [
        Section("a", NASTY, [paragraph(NASTY), text_table([NASTY, "x"], [[NASTY, NASTY]], NASTY)]),
        Section("b", "B", [table([Head("", NASTY), Head(NASTY, NASTY, 1)], [(NASTY, [PageCell(NASTY, 1.5)])], "t")]),
        Section("c", "C", [figure(NASTY, NASTY, Markup("<svg></svg>"))]),
    ]
    text = page(NASTY, NASTY, sections, notes=[NASTY], signatures={NASTY: NASTY})
    found = Page(text)
    assert found.count("script") == 1
    assert found.count("svg") == 1
    assert found.texts.count(NASTY) >= 15
    assert [attributes["data-value"] for _, attributes in found.tags if "data-value" in attributes] == ["1.5"]


def test_sections_without_content_and_lonely_navigation_are_left_out() -> None:
    empty, full = Section("a", "A", [Markup(), Markup("\n")]), Section("b", "B", [Markup("<p>b</p>")])
    found = Page(page("Title", "", [empty, full]))
    assert [attributes.get("id") for tag, attributes in found.tags if tag == "section"] == ["b"]
    assert found.count("nav") == 0
    assert Page(page("Title", "", [full, Section("c", "C", full.content)])).count("nav") == 1


def test_a_missing_variable_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'parts' is undefined"):
        render("marked")


