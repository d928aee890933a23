"""Tiles of a sentence: translations of its spans from the phrase table and the dictionary, and given ones."""

import math
import re
from collections.abc import Collection, Iterator, Sequence, Set

from widl._core import SentencePhrases, tile_sentence
from widl.decoder import Tiles
from widl.text.normalization import HAN_CHARACTER
from widl.translation.lexicon import Lexicon
from widl.translation.names import word_in_letters
from widl.translation.numbers import numbers_in_word
from widl.translation.options import TranslationOptions
from widl.translation.segmentations import word_edges
from widl.translation.sentence import GivenSpan, Sentence

LONGEST_PIECE = 200
"""Tokens of a line that are realized together; longer lines are cut, after a punctuation mark if there is one."""

_LONGEST_ENTRY = 8  # tokens of the line that a dictionary's entry may stand for
_GLOSSES = 10  # of an entry

_DIGITS = re.compile("[0-9][0-9.,:/-]*")

_Given = tuple[int, int, tuple[str, ...], float, bool, bool, list[float]]


def tile(sentence: Sentence, lexicon: Lexicon, options: TranslationOptions) -> list[Tiles]:
    """The tiles of each piece of a sentence, whose segmentations are those of `with_segmentations`.

    Every span of the sentence that a table has under one of the segmentations, up to the length of the tables' phrases,
    becomes a tile with the translations whose p(e|f) is at least ``options.table_threshold`` of the best one's in the
    table; with ``options.distributions`` the ``table_limit`` most probable ones. What the tables lack, or have seldom
    seen, the dictionary may translate. Words that nothing translates become tiles in pinyin, or that copy them. Only
    the first table's translations have scores of a reordering model.
    """
    pieces = [] if sentence.refused else sentence.cut(LONGEST_PIECE)
    return [_tile_piece(piece, lexicon, options) for piece in pieces if piece.tokens]


def _tile_piece(piece: Sentence, lexicon: Lexicon, options: TranslationOptions) -> Tiles:
    tables = lexicon.tables
    phrases = SentencePhrases(
        word_edges(piece, lexicon, options),
        [table.core for table in tables],
        [False, *(one.backs_off for one in lexicon.further)],
        lexicon.longest,
    )
    unmet = _unmet(phrases, piece)
    numbers = _numbers(piece)
    if piece.keeps_numbers:
        phrases.keep_numbers(numbers, lexicon.number_words)
    crossed = {i for begin, end, _, is_required in numbers if is_required for i in range(begin, end)}
    given = [*_of_users(piece, unmet, lexicon, crossed), *_of_dictionary(piece, phrases, lexicon, options, crossed)]
    if options.romanizes and "pinyin" in lexicon.origins:
        in_number = {(i, i + 1) for i in crossed}
        given += _in_pinyin(piece, {*phrases.translated(), *in_number, *(one[:2] for one in given)}, lexicon)
    return tile_sentence(
        phrases,
        piece.tokens,
        beams=[options.table_threshold if table.info.has_direct else 0.0 for table in tables],
        components=[len(table.info.scores) for table in tables],
        given=given,
        zones=piece.zones,
        walls=piece.walls,
        marks=len(lexicon.origins),
        cut_off_mark=lexicon.origins.index("split") + 1 if "split" in lexicon.origins else 0,
        reordering=lexicon.has_reordering and options.reordering,
        distribution_size=options.table_limit if options.distributions else None,
    )


def _unmet(phrases: SentencePhrases, piece: Sentence) -> set[GivenSpan]:
    """Leave what Moses' ``-xml-input constraint`` allows; the required spans that no translation is left for."""
    required = [span for span in piece.given if span.given.required]
    if not required:
        return set()
    met = phrases.require(
        [(span.begin, span.end, [words for words, _ in span.given.alternatives]) for span in required]
    )
    return {span for span, is_met in zip(required, met, strict=True) if not is_met}


_Number = tuple[int, int, Sequence[Sequence[str]], bool]


def _numbers(piece: Sentence) -> list[_Number]:
    """The numbers of a piece, begin, end, wordings, and whether they must be said; none if they need not be kept.

    Those of rules must, and digits that no rule has found; what else has numerals, as 两国, may say them.
    """
    if not piece.keeps_numbers:
        return []
    found: list[_Number] = [(one.begin, one.end, one.given.numbers, True) for one in piece.given if one.given.numbers]
    given = [span for span in piece.given if span.given.numbers or span.given.exclusive]
    taken = {i for span in given for i in range(span.begin, span.end)}
    for i, token in enumerate(piece.tokens):
        if i not in taken and (said := numbers_in_word(token)):
            found.append((i, i + 1, said, _DIGITS.fullmatch(token) is not None and token != "1"))
    return found


def _of_users(
    piece: Sentence, unmet: Collection[GivenSpan], lexicon: Lexicon, in_number: Set[int]
) -> list[_Given]:
    """What users and rules give; what phrases must contain only if it is `unmet`, and then alone.

    Names and pinyin take nothing of what is `in_number`.
    """
    return [
        (span.begin, span.end, words, probability, span.given.exclusive or span in unmet, span.given.copied, marks)
        for span in piece.given
        if span in unmet or not span.given.required
        if span.given.origin not in ("name", "pinyin") or in_number.isdisjoint(range(span.begin, span.end))
        for marks in [lexicon.marks(span.given.origin, span.given.count)]
        for words, probability in span.given.alternatives
    ]


def _of_dictionary(
    piece: Sentence, phrases: SentencePhrases, lexicon: Lexicon, options: TranslationOptions, in_number: Set[int]
) -> Iterator[_Given]:
    """Entries of the dictionary for spans but those that a table translates, other than by a rare word.

    They take nothing of what is `in_number`.
    """
    if not lexicon.has_dictionary:
        return
    size, translated = len(piece.tokens), set(phrases.frequent(options.rare_words))
    spans = [
        (begin, end)
        for begin in range(size)
        for end in range(begin + 1, min(begin + _LONGEST_ENTRY, size) + 1)
        if (begin, end) not in translated and in_number.isdisjoint(range(begin, end))
    ]
    marks = lexicon.marks("dictionary")
    entries = lexicon.entries([piece.tokens[begin:end] for begin, end in spans], _GLOSSES)
    for (begin, end), glosses in zip(spans, entries, strict=True):
        for option in glosses:
            yield begin, end, option.words, math.exp(option.log_scores[1]), False, False, marks


def _in_pinyin(piece: Sentence, translated: Collection[tuple[int, int]], lexicon: Lexicon) -> Iterator[_Given]:
    """Pinyin for Chinese tokens without a translation of their own, so that every order can be completed."""
    for i, token in enumerate(piece.tokens):
        if (i, i + 1) not in translated and HAN_CHARACTER.search(token) and (
            given := word_in_letters(token)
        ):
            for words, probability in given.alternatives:
                yield i, i + 1, words, probability, False, False, lexicon.marks(given.origin, given.count)
