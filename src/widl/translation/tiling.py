"""Tiles of sentences: translations of spans from phrase tables, a dictionary, users and rules."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from widl._core import DictionaryInUse, GivenUse, NumberSpan, SourceLine, TableInUse
from widl._core import GivenSpan as CoreGivenSpan
from widl._core import GivenTranslations as CoreGivenTranslations
from widl._core import NumberUse as CoreNumberUse
from widl._core import Tiler as CoreTiler
from widl.decoder import Tiles
from widl.text.normalization import HAN_CHARACTER
from widl.translation.english_numbers import numbers_in_word
from widl.translation.line_parts import GivenTranslations
from widl.translation.options import TranslationOptions
from widl.translation.pinyin_of_unknown_words import in_pinyin
from widl.translation.sentence import CLAUSE_MARKS, PARTING_MARKS, SENTENCE_ENDS, Sentence
from widl.translation.tables import TranslationTables

LONGEST_PIECE = 200
"""Maximum number of tokens of a line that are realized together; longer lines are split, preferably after a punctuation
mark."""

_DIGITS = re.compile("[0-9][0-9.,:/-]*")


class Tiler:
    """Makes the tiles of sentences under some options."""

    def __init__(self, tables: TranslationTables, options: TranslationOptions) -> None:
        self._origins = {name: number for number, name in enumerate(tables.origins)}
        self._has_pinyin = options.romanizes and "pinyin" in self._origins
        self._has_crossing = tables.has_crossing
        self._joins = options.segmentations == "all" and tables.is_chinese
        dictionary = None
        if tables.dictionary is not None:
            origin = self._origins.get("dictionary")
            dictionary = DictionaryInUse(tables.dictionary.core, tables.between, options.rare_words, origin)
        backs_off = [False, *(addition.backs_off for addition in tables.further)]
        self._core = CoreTiler(
            [
                TableInUse(
                    table.core,
                    components=len(table.info.scores),
                    table_threshold=options.table_threshold if table.info.has_direct else 0.0,
                    backs_off=backs,
                    number_words=words,
                )
                for table, backs, words in zip(tables.tables, backs_off, tables.number_words, strict=True)
            ],
            tables.longest,
            dictionary=dictionary,
            origins=len(self._origins),
            split_origin=self._origins.get("split"),
            reordering=tables.has_reordering and options.reordering,
            distribution_size=options.table_limit if options.distributions else None,
        )

    def tile(self, sentences: Iterable[Sentence]) -> list[list[Tiles]]:
        """The tiles of each piece of each sentence; sentences come from `with_segmentations`.

        Every span of a sentence that a table has under one of the segmentations becomes a tile. The tile has the
        translations whose p(e|f) is at least ``options.table_threshold`` of the table's best for the span; with
        ``options.distributions`` the ``table_limit`` most probable ones. The dictionary translates spans that the
        tables lack or have rarely seen. Words without any translation become tiles in pinyin or are copied.
        """
        pieces = [
            [piece for piece in sentence.split(LONGEST_PIECE) if piece.tokens] if not sentence.refused else []
            for sentence in sentences
        ]
        lines = [self._line(piece) for of_sentence in pieces for piece in of_sentence]
        tiles = iter(self._core.tile(lines, self._in_pinyin if self._has_pinyin else None))
        return [[next(tiles) for _ in of_sentence] for of_sentence in pieces]

    def _line(self, piece: Sentence) -> SourceLine:
        numbers = _numbers(piece) if piece.keeps_numbers else []
        in_number = {
            i for number in numbers if number.use != CoreNumberUse.optional for i in range(number.begin, number.end)
        }
        is_han = [HAN_CHARACTER.match(token) is not None for token in piece.tokens] if self._joins else []
        return SourceLine(
            piece.tokens,
            [
                CoreGivenSpan(span.begin, span.end, self._given(span.given))
                for span in piece.given
                # Names and pinyin take no word of a number.
                if span.given.origin not in ("name", "pinyin") or in_number.isdisjoint(range(span.begin, span.end))
            ],
            longer=piece.longer,
            split=sorted(piece.split_off),
            joinable=is_han,
            numbers=numbers if piece.keeps_numbers else None,
            zones=piece.zones,
            walls=piece.walls,
            clause_marks=_positions(piece.tokens, CLAUSE_MARKS) if self._has_crossing else (),
            marks=_positions(piece.tokens, PARTING_MARKS),
            ends=_positions(piece.tokens, SENTENCE_ENDS),
        )

    def _given(self, given: GivenTranslations) -> CoreGivenTranslations:
        use = GivenUse.exclusive if given.exclusive else GivenUse.alternative
        if given.required:
            use = GivenUse.required
        origin = self._origins.get(given.origin)
        return CoreGivenTranslations(given.alternatives, use, given.copied, origin, given.count)

    def _in_pinyin(self, token: str) -> CoreGivenTranslations | None:
        given = in_pinyin(token) if HAN_CHARACTER.search(token) else None
        return self._given(given) if given else None


def _positions(tokens: Sequence[str], marks: frozenset[str]) -> list[int]:
    return [i for i, token in enumerate(tokens) if token in marks]


def _numbers(piece: Sentence) -> list[NumberSpan]:
    """The numbers of a piece.

    Numbers of rules are required if they were read with certainty, as are digits that no rule has found. Other words
    with numerals, such as 两国, may say their numbers.
    """
    number_spans = [
        NumberSpan(span.begin, span.end, span.given.numbers, CoreNumberUse[span.given.number_use])
        for span in piece.given
        if span.given.number_use != "none"
    ]
    given = [span for span in piece.given if span.given.number_use != "none" or span.given.exclusive]
    taken = {i for span in given for i in range(span.begin, span.end)}
    for i, token in enumerate(piece.tokens):
        if i not in taken and (wordings := _numbers_in_word(token)):
            is_required = _DIGITS.fullmatch(token) is not None and token != "1"
            use = CoreNumberUse.required if is_required else CoreNumberUse.optional
            number_spans.append(NumberSpan(i, i + 1, wordings, use))
    return number_spans


_numbers_in_word = lru_cache(10_000)(numbers_in_word)
