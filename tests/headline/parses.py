"""Parses of real sentences by the package's parser."""

from functools import cache

from widl.headline.documents import Document
from widl.headline.parsing import ParsedDocument, parse_documents
from widl.headline.speakers import attributed_sentences
from widl.headline.words import Word


@cache
def parsed(text: str) -> ParsedDocument:
    """The parse of a text."""
    [document] = parse_documents([Document("1", text)])
    return document


def words(text: str) -> list[list[Word]]:
    """The words of a text's sentences, with clauses above their speakers."""
    return attributed_sentences(parsed(text))
