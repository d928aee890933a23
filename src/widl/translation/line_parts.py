"""A raw line in parts: plain text, spans with given translations, and edges that restrict movement."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal


class Edge(Enum):
    """A limit of movement, or of a span with given translations that holds other parts."""

    ZONE_BEGINS = "zone begins"
    ZONE_ENDS = "zone ends"
    WALL = "wall"
    SPAN_BEGINS = "span begins"
    SPAN_ENDS = "span ends"


NumberUse = Literal["none", "required", "optional", "whole", "open"]
"""The requirement of a span's number for the table's phrases that touch it; the names are the core's.

``none``: nothing. ``required``: they cover the span and say its number, and no other. ``optional``: they may say the
number, but no other: it is a word with a numeral. ``whole``: they cover the span, and may say its number, but no other:
it was not read. ``open``: they cover the span, and may say any number, since it was not read with certainty.
"""


@dataclass(frozen=True)
class GivenTranslations:
    """The translations of a span as words with their probabilities: an explicit distribution ∨{p: ×(words), …}.

    exclusive: no other translation of the span is used, and no phrase crosses its edges. copied: the words are copied
    from the source. origin: the one of `ORIGIN_FEATURES` that has the value `count` for them; empty for a user's.
    required: words that the table's phrases for the span must contain. numbers: word sequences that say the span's
    number. number_use: what they ask of phrases if numbers are kept. rule: the name of the rule that made them.
    """

    alternatives: tuple[tuple[tuple[str, ...], float], ...]
    exclusive: bool = True
    copied: bool = False
    origin: str = ""
    count: int = 1
    required: bool = False
    numbers: tuple[tuple[str, ...], ...] = ()
    number_use: NumberUse = "none"
    rule: str = ""

    @classmethod
    def evenly(
        cls,
        translations: Sequence[Sequence[str]],
        *,
        exclusive: bool,
        origin: str = "",
        numbers: Sequence[tuple[str, ...]] = (),
        number_use: NumberUse = "none",
        rule: str = "",
    ) -> "GivenTranslations":
        """All translations equally probable."""
        alternatives = tuple((tuple(words), 1 / len(translations)) for words in translations)
        return cls(alternatives, exclusive, origin=origin, numbers=tuple(numbers), number_use=number_use, rule=rule)


@dataclass(frozen=True)
class Part:
    """A segment of a line: text, perhaps with given translations, or an edge, which has no text.

    `tokens`: of text that must not be tokenized.
    """

    text: str = ""
    given: GivenTranslations | None = None
    edge: Edge | None = None
    tokens: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether terms may be found in it."""
        return self.given is None and self.edge is None and not self.tokens


Finder = Callable[[str], Iterable[tuple[int, int, Part]]]
"""Finds parts of a text: begin, end and the part, from left to right without overlap."""


def divide(parts: Iterable[Part], find: Finder) -> Iterator[Part]:
    """The parts; what `find` finds in plain ones becomes a separate part."""
    for part in parts:
        if not part.is_plain:
            yield part
            continue
        start = 0
        for begin, end, inner in find(part.text):
            yield Part(part.text[start:begin])
            yield inner
            start = end
        yield Part(part.text[start:])


# A character that no text has (Unicode reserves it for private use by programs) separates parts, so that the whole line
# is normalized and tokenized at once and quotation marks find their partners.
_BETWEEN = "\ufdd0"


def normalized(parts: Sequence[Part], normalize: Callable[[str], str]) -> list[Part]:
    """The parts, their texts normalized together as one line."""
    texts = normalize(_BETWEEN.join(part.text.replace(_BETWEEN, "") for part in parts)).split(_BETWEEN)
    return [replace(part, text=text) for part, text in zip(parts, texts, strict=True)]


def tokenized(parts: Sequence[Part], split: Callable[[str], Sequence[str]]) -> list[list[str]]:
    """The tokens of each part, which is normalized already; no token crosses an edge between parts."""
    result: list[list[str]] = [[]]
    line = f" {_BETWEEN} ".join(part.text for part in parts)
    for token in split(" ".join(line.split())):
        if token == _BETWEEN:
            result.append([])
        else:
            result[-1].append(token)
    assert len(result) == len(parts), "a tokenizer has lost an edge"
    return [list(part.tokens) or tokens for part, tokens in zip(parts, result, strict=True)]
