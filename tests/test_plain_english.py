"""Pages and help texts can be read once: their length, the longest sentences, clauses with *what* as a subject."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command

from tests.cli.test_help import commands
from widl.cli import app
from widl.headline.documents import Document
from widl.headline.parsing import Parser

ROOT = Path(__file__).resolve().parents[1]
GENERATED = {"options.md"}
PAGES = [ROOT / "README.md", *sorted(page for page in (ROOT / "docs").glob("*.md") if page.name not in GENERATED)]
MOST_WORDS = 35
"""Of a sentence."""


def words_of(page: Path) -> int:
    return len(page.read_text(encoding="utf-8").split())


def sentences_of(text: str) -> Iterator[str]:
    """The sentences of a page's paragraphs and items, without code, tables and headings; code in a line is one word."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^( {4,}\S.*|\s*\|.*|#.*|<!--.*|!\[.*)$", "", text, flags=re.MULTILINE)
    text = re.sub(r"`[^`\n]*`", "code", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    for block in re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ", text):
        yield from re.split(r"(?<=[.:;?!]) (?=\S)", " ".join(block.replace("*", "").split()))


def help_texts() -> Iterator[str]:
    for name, command in commands(get_command(app)):
        yield from sentences_of(command.help or "")
        for parameter in command.params:
            for sentence in sentences_of(getattr(parameter, "help", None) or ""):
                yield f"{name}: {sentence}"


def test_the_lengths_of_pages() -> None:
    assert words_of(ROOT / "README.md") <= 1000
    assert words_of(ROOT / "CHANGELOG.md") <= 1500
    assert sum(map(words_of, PAGES[1:])) <= 25_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_sentence_is_longer_than_a_breath(page: Path) -> None:
    long = [one for one in sentences_of(page.read_text(encoding="utf-8")) if len(one.split()) > MOST_WORDS]
    assert long == []


def test_no_help_text_has_such_a_sentence() -> None:
    assert [one for one in help_texts() if len(one.split()) > MOST_WORDS] == []


@cache
def parser() -> Parser:
    return Parser()


def what_subjects(sentences: list[str]) -> list[str]:
    """Sentences in which a clause that begins with *what* is a subject."""
    found = []
    asked = [one for one in sentences if re.search(r"\bwhat\b", one, flags=re.IGNORECASE) and not one.endswith("?")]
    documents = [Document(str(number), one) for number, one in enumerate(asked)]
    for sentence, parsed in zip(asked, parser().parse(documents), strict=True):
        for tokens in parsed.sentences:
            clauses = [token.head for token in tokens if token.text.lower() == "what"]
            if any(tokens[head].relation.startswith("csubj") for head in clauses if head >= 0):
                found.append(sentence)
    return found


def test_the_check_finds_what_it_is_for() -> None:
    assert what_subjects(["What it leaves out is told.", "It says what is left out.", "What you need is time."]) != []
    assert what_subjects(["It says what is left out."]) == []


def test_no_clause_with_what_is_a_subject() -> None:
    sentences = [one for page in PAGES for one in sentences_of(page.read_text(encoding="utf-8"))]
    assert what_subjects([*sentences, *help_texts()]) == []
