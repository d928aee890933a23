"""Relation support: of sentences as the shipped parser reads them, and whatever the parse."""

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given

from tests.headline.parses import parsed
from tests.headline.trees import sentences
from widl.experiments.relation_support import as_sentence, support
from widl.headline.documents import Document
from widl.headline.parsing import ParsedDocument, Sentence, parse_documents

REFUSAL = "A court refused to extradite a hacker to Norway."
CLOSED = "The bridge was closed by police."
SPEAKER = "Acme said it will sell a mine and ships."
NEGATED = "Acme did not sell its ships."
PLACE = "In Norway, Acme sold two ships."
MONEY = "Acme sold two million dollars of notes."


@pytest.mark.parametrize(
    ("headline", "document", "counts"),
    [
        # The sides of a verb.
        ("Court refuses to extradite hacker", REFUSAL, (3, 3)),
        ("Court extradites hacker", REFUSAL, (2, 2)),
        ("Court extradites Norway", REFUSAL, (1, 2)),
        ("Hacker extradites court", REFUSAL, (0, 2)),
        # Active and passive are one.
        ("Police closed bridge", CLOSED, (2, 2)),
        ("Bridge closed by police", CLOSED, (3, 3)),
        # The speaker's "it" stands for the speaker; members of a list have the relations of its first.
        ("Acme sells ships", SPEAKER, (2, 2)),
        # A negation counts.
        ("Acme did not sell ships", NEGATED, (3, 3)),
        ("Acme did not sell ships", SPEAKER, (2, 3)),
        # Prepositions; a phrase may belong to any word above it.
        ("Court refuses to extradite hacker from Norway", REFUSAL, (3, 4)),
        ("Acme sold ships in Norway", PLACE, (3, 3)),
        ("Acme sold ships in Sweden", PLACE, (2, 3)),
        # A verb that the text has not, and one that it has as a participle before a noun.
        ("Acme bought ships", PLACE, (0, 2)),
        ("Acme falls", "Acme announced falling sales.", (0, 1)),
        # A sum of money stands for what it is a sum of.
        ("Acme sold notes", MONEY, (2, 2)),
        ("Acme sold ships", MONEY, (1, 2)),
    ],
)
def test_supported_relations(headline: str, document: str, counts: tuple[int, int]) -> None:
    assert support([headline], [parsed(document)], parse_documents) == [counts]


@pytest.mark.parametrize(
    ("headline", "document", "written"),
    [
        # In capitals it gets the letters of the text.
        ("ACME TO SELL SHIPS", SPEAKER, "Acme to sell ships."),
        ("Acme sells ships.", SPEAKER, "Acme sells ships."),
        # Articles and auxiliaries of the text are put back.
        ("Court refuses to extradite hacker", REFUSAL, "A court refuses to extradite a hacker."),
        ("Bridge closed by police", CLOSED, "The bridge was closed by police."),
        ("Police closed bridge", CLOSED, "Police closed bridge."),
        ("Bridge and court closed", CLOSED, "The bridge and court closed."),
        ("", CLOSED, "."),
        # What is put back makes nothing true.
        ("Hacker to court", REFUSAL, "A hacker to court."),
    ],
)
def test_headlines_as_sentences(headline: str, document: str, written: str) -> None:
    assert as_sentence(headline, parsed(document)) == written


@given(sentences())
def test_a_sentence_supports_itself(tokens: Sentence) -> None:
    """All relations that a sentence has as a headline it has as a document."""
    document = ParsedDocument(Document("1", ""), (tokens,))

    def parse(_: Iterable[Document]) -> Iterator[ParsedDocument]:
        yield document

    [(found, relations)] = support(["…"], [document], parse)
    assert found == relations
