"""The parts of a clause as a headline may say them: rows of words, rows of parts, and alternatives with their prior."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from widl.headline.words import Word

COMMA = ","
"""The mark before a word that follows a comma, whatever stands before it."""


@dataclass(frozen=True, slots=True)
class Said:
    """A word of a sentence in the form that a headline gives it."""

    word: Word
    sentence: int
    position: int
    share: float = 1.0
    """P(the headline has this form | it has the word)."""

    @property
    def text(self) -> str:
        """As it is printed, with quotation marks and a comma where they belong."""
        return self.word.opening + self.word.text + self.word.closing

    def marked(self, opening: str = "", closing: str = "") -> "Said":
        """The word with other punctuation around it."""
        return replace(self, word=replace(self.word, opening=opening, closing=closing))


@dataclass(frozen=True, slots=True)
class Leaf:
    """Words in a row, which nothing divides: a lock."""

    words: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """Parts in their order: a precedence."""

    parts: tuple["Piece", ...]


@dataclass(frozen=True, slots=True)
class Options:
    """One of several alternatives, each with ln of its prior: a disjunction."""

    options: tuple[tuple["Piece", float], ...]


Piece: TypeAlias = Leaf | Row | Options


def row(parts: Iterable[Piece | None]) -> Piece | None:
    """Parts in a row, without those that are missing; None if all are."""
    present = [part for part in parts if part is not None]
    if not present:
        return None
    return present[0] if len(present) == 1 else Row(tuple(present))


def with_opening(piece: Piece, mark: str) -> Piece:
    """The piece with a mark before its first word, whichever that is."""
    if isinstance(piece, Leaf):
        first, *rest = piece.words
        return Leaf((first.marked(mark, first.word.closing), *rest))
    if isinstance(piece, Row):
        return Row((with_opening(piece.parts[0], mark), *piece.parts[1:]))
    return Options(tuple((with_opening(option, mark), prior) for option, prior in piece.options))


def options(alternatives: Sequence[tuple[Piece, float]]) -> Piece | None:
    """Alternatives, or the single one whose prior is certain; None if there are none."""
    if not alternatives:
        return None
    if len(alternatives) == 1 and alternatives[0][1] == 0:
        return alternatives[0][0]
    return Options(tuple(alternatives))


def size(piece: Piece) -> int:
    """The number of words in the piece as written."""
    if isinstance(piece, Leaf):
        return len(piece.words)
    parts = piece.parts if isinstance(piece, Row) else tuple(option for option, _ in piece.options)
    return sum(map(size, parts))


def shortest(piece: Piece) -> tuple[Said, ...]:
    """The words of the shortest string of the piece."""
    if isinstance(piece, Leaf):
        return piece.words
    if isinstance(piece, Row):
        return tuple(said for part in piece.parts for said in shortest(part))
    return min((shortest(option) for option, _ in piece.options), key=len)


def strings(piece: Piece) -> Iterator[tuple[Said, ...]]:
    """The strings of a piece, one after another; there may be very many."""
    if isinstance(piece, Leaf):
        yield piece.words
    elif isinstance(piece, Row):
        first, *rest = piece.parts
        for words in strings(first):
            for others in strings(Row(tuple(rest))) if rest else ((),):
                yield (*words, *others)
    else:
        for option, _ in piece.options:
            yield from strings(option)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a phrase or clause, and when it may be left out."""

    piece: Piece
    optional: bool = False
    stay: float = 1.0
    """P(it stays), if it is optional."""
    leans: bool = False
    """Whether it may stay only with the part before it, which it may belong to: *on oils* with *by a tax*."""


def with_optional(parts: Sequence[Part], most: int) -> Piece | None:
    """A row of parts of which some may be left out: all choices of those that stay.

    Of more than `most` optional parts the least likely are left out always.
    """
    likely = sorted((part.stay for part in parts if part.optional), reverse=True)
    least = likely[most - 1] if 0 < most < len(likely) else 0.0
    choices: list[tuple[tuple[Piece, ...], float, bool]] = [((), 0.0, True)]
    for part in parts:
        droppable = part.optional and (part.stay < least or most == 0)
        extended: list[tuple[tuple[Piece, ...], float, bool]] = []
        for pieces, prior, before in choices:
            if not droppable and (before or not part.leans):
                kept = math.log(part.stay) if part.optional else 0.0
                extended.append(((*pieces, part.piece), prior + kept, True))
            if part.optional:
                extended.append((pieces, prior + math.log(max(1e-3, 1.0 - part.stay)), False))
        choices = extended
    return options([(piece, prior) for pieces, prior, _ in choices if (piece := row(pieces)) is not None])


def object_first(parts: list[Part], relations: Sequence[str]) -> list[Part]:
    """The object before the phrases that a heavy one follows: *cut to A-2 the debt*, *cut the debt to A-2*."""
    at = relations.index("obj") if "obj" in relations else 0
    if set(relations[:at]) != {"obl"}:
        return parts
    others = [replace(part, leans=False) for part in (*parts[:at], *parts[at + 1 :])]
    return [parts[at], *others]
