"""Pages and help texts can be read once: no sentence of more than 35 words, no clause with *what* as a subject."""

import re
from collections.abc import Iterator
from pathlib import Path

from typer.main import get_command

from tests.cli.test_help import commands
from widl.cli import app
from widl.headline.documents import Document
from widl.headline.parsing import parse_documents

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "options.md")]
MOST_WORDS = 35  # of a sentence


def sentences_of(text: str) -> Iterator[str]:
    """The sentences of paragraphs and items, without code blocks, tables and headings; code in a line is one word."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^( {4,}\S.*|\s*\|.*|#.*|<!--.*|!\[.*)$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", re.sub(r"`[^`\n]*`", "code", text))
    for block in re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ", text):
        yield from re.split(r"(?<=[.:;?!]) (?=\S)", " ".join(block.replace("*", "").split()))


def all_sentences() -> Iterator[str]:
    for page in PAGES:
        yield from sentences_of(page.read_text(encoding="utf-8"))
    for _, command in commands(get_command(app)):
        for text in (command.help, *(getattr(parameter, "help", "") for parameter in command.params)):
            yield from sentences_of(text or "")


def what_subjects(sentences: list[str]) -> list[str]:
    """Sentences in which the parser finds a clause that begins with *what* and is a subject."""
    asked = [one for one in sentences if re.search(r"\bwhat\b", one, flags=re.IGNORECASE) and not one.endswith("?")]
    parsed = parse_documents([Document(str(number), one) for number, one in enumerate(asked)])
    return [
        sentence
        for sentence, document in zip(asked, parsed, strict=True)
        for tokens in document.sentences
        for token in tokens
        if token.text.lower() == "what" and token.head >= 0 and tokens[token.head].relation.startswith("csubj")
    ]


def test_no_sentence_is_longer_than_a_breath() -> None:
    assert [one for one in all_sentences() if len(one.split()) > MOST_WORDS] == []


def test_no_clause_with_what_is_a_subject() -> None:
    assert (
        len(what_subjects(["What it leaves out is told.", "It says what is left out.", "What you need is time."])) == 2
    )
    assert what_subjects(list(all_sentences())) == []
