"""Sentences to translate: the tokens of a raw line with given translations, zones and walls."""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Literal

from widl.common.errors import InputError
from widl.text.normalization import is_traditional, visible
from widl.text.source_and_target import SourceText, TargetText
from widl.translation.copied_text import find_copied, find_foreign_words, find_tags, with_characters
from widl.translation.glossary import Glossary
from widl.translation.html_tags import with_zones
from widl.translation.line_parts import (
    Edge,
    Finder,
    GivenTranslations,
    Part,
    divide,
    normalized,
    tokenized,
)
from widl.translation.markup import parse_markup
from widl.translation.number_finder import NumberFinder

EntityMode = Literal["none", "constraint"]
MarkupMode = Literal["none", "exclusive", "inclusive", "constraint"]

MAX_CHARACTERS = 100_000
"""Characters of a line that is translated: at worst, about a minute's work."""

_LONGEST_GIVEN = 100  # tokens of a span with exclusive translations; a longer span becomes a single token

SENTENCE_ENDS = frozenset("。！？；.!?;")
_CLAUSE_ENDS = frozenset("，、：,:")
PARTING_MARKS = frozenset("-–—（）()[]【】〔〕“”‘’\"'「」『』《》〈〉")
"""Dashes, brackets and quotation marks."""
CLAUSE_MARKS = (SENTENCE_ENDS | _CLAUSE_ENDS | PARTING_MARKS) - {"、"}
"""Tokens that movement seldom passes over, and phrases seldom span; 、 parts the items of a list."""


@dataclass(frozen=True)
class GivenSpan:
    """Tokens [begin, end) and their given translations."""

    begin: int
    end: int
    given: GivenTranslations


@dataclass(frozen=True)
class Sentence:
    """Tokens with given spans, zones [begin, end) and walls in front of tokens.

    `fault` describes an error in the line's markup, `refused` why the line, its only token, is not translated;
    `traditional`: the line had traditional characters. `keeps_numbers`: phrases of the tables must say the numbers of
    their words, and no others. If several segmentations of the line compete, tokens are the finest, `longer` are spans
    of several tokens that are a word too, and `split_off` are tokens that are single characters of such a word.
    """

    tokens: tuple[str, ...]
    given: tuple[GivenSpan, ...] = ()
    zones: tuple[tuple[int, int], ...] = ()
    walls: tuple[int, ...] = ()
    fault: str = ""
    longer: tuple[tuple[int, int], ...] = ()
    split_off: frozenset[int] = frozenset()
    refused: str = ""
    traditional: bool = False
    keeps_numbers: bool = False

    def split(self, longest: int) -> list["Sentence"]:
        """Pieces of at most `longest` tokens, cut after the last sentence end in reach, else clause end, else anywhere.

        Given spans of any length are never cut, nor are zones, unless a zone is longer than a piece: then its edges are
        cut points as well, so that other words cannot come between its pieces. Words of several tokens and guessed
        names are not cut either, unless they overlap all along a piece: then the ones at the cut are dropped.

        >>> [" ".join(piece.tokens) for piece in Sentence(("a", ",", "b", "。", "c")).split(4)]
        ['a , b 。', 'c']
        """
        if len(self.tokens) <= longest:
            return [self]
        bounds = [0, *self._splits(longest), len(self.tokens)]
        pieces = [_Piece(begin, end) for begin, end in pairwise(bounds)]

        def piece_of(begin: int, end: int) -> _Piece | None:
            piece = pieces[min(bisect_right(bounds, begin), len(pieces)) - 1]
            return piece if end <= piece.end else None

        for span in self.given:
            if piece := piece_of(span.begin, span.end):
                piece.given.append(GivenSpan(span.begin - piece.begin, span.end - piece.begin, span.given))
        for zone in self.zones:
            if piece := piece_of(*zone):
                piece.zones.append((zone[0] - piece.begin, zone[1] - piece.begin))
        for wall in self.walls:
            if (piece := piece_of(wall, wall)) and piece.begin < wall < piece.end:
                piece.walls.append(wall - piece.begin)
        for begin, end in self.longer:
            if piece := piece_of(begin, end):
                piece.longer.append((begin - piece.begin, end - piece.begin))
        for token in self.split_off:
            if piece := piece_of(token, token + 1):
                piece.split_off.append(token - piece.begin)
        return [piece.of(self) for piece in pieces]

    def _splits(self, longest: int) -> list[int]:
        size = len(self.tokens)
        given, names = (
            [(span.begin, span.end) for span in self.given if (span.given.origin == "name") == guessed]
            for guessed in (False, True)
        )
        too_long = {zone for zone in self.zones if zone[1] - zone[0] > longest}
        whole = [*given, *(zone for zone in self.zones if zone not in too_long)]
        must = {edge for zone in too_long for edge in zone} - {0, size}
        within_whole, within_words = (
            {i for begin, end in spans for i in range(begin + 1, end)} for spans in (whole, [*self.longer, *names])
        )
        edges = deque(sorted(must))
        cuts: list[int] = []
        start = 0
        while size - start > longest or edges:
            stop = edges[0] if edges else size
            if stop - start > longest:
                stop = self._best_split(start, stop, longest, within_whole, within_words)
                if stop == size:
                    break
            cuts.append(stop)
            start = stop
            while edges and edges[0] <= start:
                edges.popleft()
        return cuts

    def _best_split(self, start: int, stop: int, longest: int, within_whole: set[int], within_words: set[int]) -> int:
        allowed = [i for i in range(start + 1, start + longest + 1) if i not in within_whole]
        if not allowed:  # a given span longer than a piece
            return next(i for i in range(start + longest + 1, stop + 1) if i not in within_whole)
        possible = [i for i in allowed if i not in within_words] or allowed
        for marks in (SENTENCE_ENDS, _CLAUSE_ENDS):
            cuts = [i for i in possible if self.tokens[i - 1] in marks]
            if cuts:
                return cuts[-1]
        return possible[-1]


@dataclass
class _Piece:
    """Tokens [begin, end) of a sentence, and what lies within them, from their beginning."""

    begin: int
    end: int
    given: list[GivenSpan] = field(default_factory=list)
    zones: list[tuple[int, int]] = field(default_factory=list)
    walls: list[int] = field(default_factory=list)
    longer: list[tuple[int, int]] = field(default_factory=list)
    split_off: list[int] = field(default_factory=list)

    def of(self, sentence: Sentence) -> Sentence:
        """The piece of the sentence."""
        return Sentence(
            sentence.tokens[self.begin : self.end],
            tuple(self.given),
            tuple(self.zones),
            tuple(self.walls),
            longer=tuple(self.longer),
            split_off=frozenset(self.split_off),
            keeps_numbers=sentence.keeps_numbers,
        )


def knows_entities(source: SourceText, target: TargetText) -> bool:
    """Whether there are rules for dates and numbers between the two languages."""
    return (source.settings.source_language, target.settings.target_language) == ("zh", "en")


@dataclass(frozen=True)
class SentenceReader:
    """Reads raw lines as a user wants them read.

    markup: how given translations of markup count, or ``none``: ``<`` is text. glossary, names, entities: terms, names
    of a document, and dates and numbers, which phrases must keep, found in the text outside of given spans.
    are_known: whether the model's tables have some words.
    """

    source: SourceText
    target: TargetText
    markup: MarkupMode = "none"
    glossary: Glossary | None = None
    entities: EntityMode = "none"
    are_known: Callable[[Sequence[str]], Sequence[bool]] = lambda words: [False] * len(words)
    _find_copied: Finder = field(init=False, repr=False)
    _finders: tuple[Finder, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        finders: list[Finder] = [] if self.glossary is None else [self.glossary.find]
        if self.entities != "none":
            if not knows_entities(self.source, self.target):
                raise InputError("entity rules exist for zh to en only; leave out entities")
            numbers = NumberFinder(self.source.split, self.source.has_word, self.are_known)
            finders += [find_foreign_words, numbers.find]
        object.__setattr__(self, "_find_copied", find_copied if self.source.is_raw else find_tags)
        object.__setattr__(self, "_finders", tuple(finders))

    def read_glossary(self, path: Path) -> Glossary:
        """A glossary file in the spelling that this reader's text has."""
        return Glossary.read(path, normalize=self.source.normalize, split=self.target.split)

    def read(self, line: str) -> Sentence:
        """The sentence of a raw line; never an error."""
        if len(line) > MAX_CHARACTERS:
            most = f"at most {MAX_CHARACTERS:,} are translated as one; put each sentence on its own line"
            return Sentence((line,), refused=f"{len(line):,} characters, {most}")
        traditional = self.source.settings.source_language == "zh" and is_traditional(line)
        return replace(self._read(line), keeps_numbers=self.entities == "constraint", traditional=traditional)

    def _read(self, line: str) -> Sentence:
        if self.markup == "none":
            if self.source.is_raw:
                line = with_characters(line)
            if not self._finders and not any(self._find_copied(line)):
                return Sentence(tuple(self.source.tokens(line)))
            return self._sentence([Part(visible(line))])
        exclusive, required = self.markup == "exclusive", self.markup == "constraint"
        parts, faults = parse_markup(line, self.target.split, exclusive=exclusive, required=required)
        return self._sentence(parts, faults)

    def _sentence(self, parts: Sequence[Part], faults: Sequence[str] = ()) -> Sentence:
        parts = normalized(with_zones(list(divide(parts, self._find_copied))) or [Part()], self.source.normalize)
        for find in self._finders:
            parts = list(divide(parts, find))
        placer = _SentenceBuilder()
        for part, part_tokens in zip(parts, tokenized(parts, self.source.split), strict=True):
            placer.add(part, part_tokens)
        return placer.sentence(faults)


class _SentenceBuilder:
    """Puts parts and their tokens together."""

    def __init__(self) -> None:
        self._tokens: list[str] = []
        self._given: list[GivenSpan] = []
        self._open_spans: list[tuple[int, GivenTranslations]] = []
        self._zones: list[tuple[int, int]] = []
        self._open_zones = [0]
        self._walls: list[list[int]] = [[]]  # of the line and each zone that is open
        self._kept_walls: list[int] = []

    def add(self, part: Part, tokens: list[str]) -> None:
        begin = len(self._tokens)
        if part.given is not None and part.given.exclusive and len(tokens) > _LONGEST_GIVEN:
            tokens = ["".join(tokens)]  # the table has no translation of its parts
        self._tokens += tokens
        end = len(self._tokens)
        if part.edge is not None:
            self._add_edge(part, begin)
        elif part.given is not None and tokens:
            self._given.append(GivenSpan(begin, end, part.given))

    def _add_edge(self, part: Part, at: int) -> None:
        if part.edge is Edge.SPAN_BEGINS and part.given is not None:
            self._open_spans.append((at, part.given))
        elif part.edge is Edge.SPAN_ENDS:
            begin, given = self._open_spans.pop()
            if begin < at:
                self._given.append(GivenSpan(begin, at, given))
        elif part.edge is Edge.ZONE_BEGINS:
            self._open_zones.append(at)
            self._walls.append([])
        elif part.edge is Edge.ZONE_ENDS:
            start = self._open_zones.pop()
            # A wall at the edge of its zone has no effect inside; outside of the zone it must not count.
            self._kept_walls += [wall for wall in self._walls.pop() if start < wall < at]
            if start < at:
                self._zones.append((start, at))
        elif part.edge is Edge.WALL:
            self._walls[-1].append(at)

    def sentence(self, faults: Sequence[str]) -> Sentence:
        size = len(self._tokens)
        walls = [*self._kept_walls, *(wall for wall in self._walls[0] if 0 < wall < size)]
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        return Sentence(
            tuple(self._tokens),
            tuple(self._given),
            tuple(self._zones),
            tuple(sorted(walls)),
            f"{faults[0]}{more}" if faults else "",
        )
