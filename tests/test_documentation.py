"""Runs the examples of the documentation and of docstrings, and compares their outputs.

`pytest tests/test_documentation.py --update-docs` writes the true outputs into the pages.
"""

import doctest
import importlib
import re
from pathlib import Path

import pytest

from tests.console import blocks_of, executed
from widl.pipeline.demo import copy_sample

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
ROOMS = [ROOT / "core" / "README.md", ROOT / "src" / "widl" / "headline" / "README.md"]
"""Pages for maintainers; they name files of their folder."""
SOURCES = [p for p in sorted((ROOT / "src" / "widl").rglob("*.py")) if ">>>" in p.read_text(encoding="utf-8")]


CONSOLES = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8") and page.name != "options.md"]


@pytest.mark.parametrize("page", CONSOLES, ids=lambda page: page.name)
def test_consoles(page: Path, demo: Path, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """Runs a page's blocks in order, after `widl demo` and `widl demo --files .`."""
    copy_sample(tmp_path)
    (tmp_path / "demo").symlink_to(demo)
    text = page.read_text(encoding="utf-8")
    update = pytestconfig.getoption("update_docs")
    moved = 0
    blocks = list(blocks_of(text))
    assert text.count("```console") == sum(block.language == "console" for block in blocks)
    for block in blocks:
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
        if block.language != "console" or block.not_run:
            continue
        result = executed(block, tmp_path)
        if not update:
            assert result == block.text
            continue
        begin = block.begin + moved
        text = text[:begin] + result + text[begin + len(block.text) :]
        moved += len(result) - len(block.text)
    if update:
        page.write_text(text, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page: Path) -> None:
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0


def anchor(heading: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", "")).replace(" ", "-")


@pytest.mark.parametrize("page", [*PAGES, *ROOMS], ids=lambda page: f"{page.parent.name}/{page.name}")
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith("http"):
            continue
        file, _, part = target.partition("#")
        there = (page.parent / file).resolve() if file else page
        assert there.exists(), target
        if part:
            headings = re.findall(r"^#+ (.*)$", there.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert part in map(anchor, headings), target


def test_the_guide_and_the_site_name_every_page() -> None:
    guide = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    names = [page.name for page in (ROOT / "docs").glob("*.md") if page.name != "README.md"]
    assert [name for name in names if f"({name})" not in guide] == []
    assert [name for name in names if f": {name}\n" not in site] == []


def test_every_room_has_a_page_of_the_reference() -> None:
    rooms = {path.parent.name for path in (ROOT / "src" / "widl").glob("*/__init__.py")} - {"cli", "common", "pages"}
    reference = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "reference").glob("*.md")}
    assert set(reference) == rooms | {"index", "widl"}
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for name, text in reference.items():
        assert f"reference/{name}.md" in site
        assert name == "index" or f"::: {'widl' if name == 'widl' else f'widl.{name}'}\n" in text


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_docstrings(source: Path) -> None:
    name = ".".join(source.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    failed, attempted = doctest.testmod(importlib.import_module(name))
    assert (failed, attempted > 0) == (0, True)


def test_the_page_of_the_headline_room_names_its_files() -> None:
    page = ROOMS[1].read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:HeadlineModel\.|Headliner\.)?(\w+)(?:\.\w+)*`", page))
    files = {path.stem for path in ROOMS[1].parent.glob("*.py")}
    unnamed = {"__init__", "manifest", "options", "language", "kept_units", "whole_phrases", "word_lists"}
    assert files - named == unnamed


def test_the_lengths_of_pages() -> None:
    def words_of(*pages: Path) -> int:
        return sum(len(page.read_text(encoding="utf-8").split()) for page in pages)

    assert words_of(ROOT / "README.md") <= 1000
    assert words_of(ROOT / "CHANGELOG.md") <= 1500
    result = {"options.md", "results.md"}  # by programs
    assert words_of(*(page for page in (ROOT / "docs").glob("*.md") if page.name not in result)) <= 28_000
