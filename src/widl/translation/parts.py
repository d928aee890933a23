"""A raw line in parts: plain text, spans with given translations, and edges that restrict movement."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum


class Edge(Enum):
    """Where movement ends."""

    ZONE_BEGINS = "zone begins"
    ZONE_ENDS = "zone ends"
    WALL = "wall"


@dataclass(frozen=True)
class Given:
    """The translations of a span as words with their probabilities: an explicit distribution ∨{p: ×(words), …}.

    exclusive: nothing else translates the span, nor crosses its edges. copied: the words are the source's own.
    """

    alternatives: tuple[tuple[tuple[str, ...], float], ...]
    exclusive: bool = True
    copied: bool = False

    @classmethod
    def evenly(cls, translations: Sequence[Sequence[str]], *, exclusive: bool) -> "Given":
        """All translations equally probable."""
        return cls(tuple((tuple(words), 1 / len(translations)) for words in translations), exclusive)


@dataclass(frozen=True)
class Part:
    """A stretch of a line: text, with what is given for it, or an edge, which has no text.

    `tokens` are the text's where no tokenizer may touch it.
    """

    text: str = ""
    given: Given | None = None
    edge: Edge | None = None
    tokens: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether terms may be found in it."""
        return self.given is None and self.edge is None


Finder = Callable[[str], Iterable[tuple[int, int, Part]]]
"""Finds parts of a text: begin, end and what is there, from left to right without overlap."""


def divide(parts: Iterable[Part], find: Finder) -> Iterator[Part]:
    """The parts, with what is found in plain ones as parts of their own."""
    for part in parts:
        if not part.is_plain:
            yield part
            continue
        start = 0
        for begin, end, found in find(part.text):
            yield Part(part.text[start:begin])
            yield found
            start = end
        yield Part(part.text[start:])


# A character that no text has (Unicode keeps it for programs' own use) stands between parts, so that the whole line
# is normalised and tokenised at once and quotation marks find their partners.
_BETWEEN = "\ufdd0"


def normalized(parts: Sequence[Part], normalize: Callable[[str], str]) -> list[Part]:
    """The parts with their texts as one line normalised."""
    texts = normalize(_BETWEEN.join(part.text.replace(_BETWEEN, "") for part in parts)).split(_BETWEEN)
    return [replace(part, text=text) for part, text in zip(parts, texts, strict=True)]


def tokenized(parts: Sequence[Part], split: Callable[[str], Sequence[str]]) -> list[list[str]]:
    """The tokens of each part, which is normalised already; none has tokens of two parts."""
    result: list[list[str]] = [[]]
    line = f" {_BETWEEN} ".join(part.text for part in parts)
    for token in split(" ".join(line.split())):
        if token == _BETWEEN:
            result.append([])
        else:
            result[-1].append(token)
    assert len(result) == len(parts), "a tokenizer has lost an edge"
    return [list(part.tokens) or tokens for part, tokens in zip(parts, result, strict=True)]
