"""Given translations that phrases of the table must contain, as with Moses' ``-xml-input constraint``."""

import math
from collections.abc import Sequence

from widl._core import read_options, write_options
from widl.phrase_table.storage import PhraseTable
from widl.translation.lexicon import Lexicon
from widl.translation.segmentations import Phrase
from widl.translation.sentence import GivenSpan

Found = list[tuple[Phrase, bytes | memoryview]]
"""Phrases of a sentence that a table has, with its encoded options."""


def constrained(
    found: list[Found], given: Sequence[GivenSpan], lexicon: Lexicon
) -> tuple[list[Found], tuple[GivenSpan, ...]]:
    """For each table the phrases and options that `given` allows, and the required spans that no option is left for.

    A phrase that touches a required span must cover it, and its translation must contain one of those given, as
    neighbouring words.
    """
    required = [span for span in given if span.given.required]
    if not required:
        return found, ()
    met: set[GivenSpan] = set()
    result: list[Found] = []
    for table, values in zip(lexicon.tables, found, strict=True):
        kept: Found = []
        for phrase, value in values:
            begin, end = phrase[:2]
            touched = [span for span in required if begin < span.end and span.begin < end]
            if not touched:
                kept.append((phrase, value))
            elif all(begin <= span.begin and span.end <= end for span in touched):
                rest = _options_with(value, table, touched)
                if rest is not None:
                    kept.append((phrase, rest))
                    met.update(touched)
        result.append(kept)
    return result, tuple(span for span in required if span not in met)


def _options_with(value: bytes | memoryview, table: PhraseTable, spans: Sequence[GivenSpan]) -> bytes | None:
    """The encoded options that contain a given translation of each span; None if there are none."""
    size = len(table.target_vocabulary)
    kept = []
    with table.faults():
        options = read_options(value, size)
    for words, scores, counts, links in options:
        text = tuple(map(table.target_vocabulary.word, words))
        if all(any(_contains(text, given) for given, _ in span.given.alternatives) for span in spans):
            kept.append((words, [math.exp(score) for score in scores], counts, links))
    return write_options(kept) if kept else None


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(tuple(words[i : i + len(part)]) == tuple(part) for i in range(len(words) - len(part) + 1))
