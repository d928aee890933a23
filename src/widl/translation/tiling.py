"""Tiles of a sentence: translations of its spans from the phrase table and the dictionary, and given ones."""

import math
from collections.abc import Collection, Iterator

from widl._core import SentencePhrases, tile_sentence
from widl.decoder import Tiles
from widl.text.normalization import HAN_CHARACTER
from widl.translation.lexicon import Lexicon
from widl.translation.names import word_in_pinyin
from widl.translation.options import TranslationOptions
from widl.translation.segmentations import word_edges
from widl.translation.sentence import GivenSpan, Sentence

LONGEST_PIECE = 200
"""Tokens of a line that are realized together; longer lines are cut, after a punctuation mark if there is one."""

_LONGEST_ENTRY = 8  # tokens of the line that a dictionary's entry may stand for
_GLOSSES = 10  # of an entry

_Given = tuple[int, int, tuple[str, ...], float, bool, bool, list[float]]


def tile(sentence: Sentence, lexicon: Lexicon, options: TranslationOptions) -> list[Tiles]:
    """The tiles of each piece of a sentence, whose segmentations are those of `with_segmentations`.

    Every span of the sentence that a table has under one of the segmentations, up to the length of the tables' phrases,
    becomes a tile with the translations whose p(e|f) is at least ``options.table_threshold`` of the best one's in the
    table. What the tables lack, or have seldom seen, the dictionary may translate. Words that nothing translates become
    tiles in pinyin, or that copy them. Only the first table's translations have scores of a reordering model.
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
    given = [
        *_of_users(piece, _unmet(phrases, piece), lexicon),
        *_of_dictionary(piece, phrases, lexicon, options.rare_words),
    ]
    if options.romanizes and "pinyin" in lexicon.origins:
        given += _in_pinyin(piece, {*phrases.translated(), *(one[:2] for one in given)}, lexicon)
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


def _of_users(piece: Sentence, unmet: Collection[GivenSpan], lexicon: Lexicon) -> list[_Given]:
    """What users and rules give; what phrases must contain only if it is `unmet`, and then alone."""
    return [
        (span.begin, span.end, words, probability, span.given.exclusive or span in unmet, span.given.copied, marks)
        for span in piece.given
        if span in unmet or not span.given.required
        for marks in [lexicon.marks(span.given.origin, span.given.count)]
        for words, probability in span.given.alternatives
    ]


def _of_dictionary(
    piece: Sentence, phrases: SentencePhrases, lexicon: Lexicon, rare: int
) -> Iterator[_Given]:
    """Entries of the dictionary for spans but those that a table translates, other than by a rare word."""
    if not lexicon.has_dictionary:
        return
    size, translated = len(piece.tokens), set(phrases.frequent(rare))
    spans = [
        (begin, end)
        for begin in range(size)
        for end in range(begin + 1, min(begin + _LONGEST_ENTRY, size) + 1)
        if (begin, end) not in translated
    ]
    marks = lexicon.marks("dictionary")
    entries = lexicon.entries([piece.tokens[begin:end] for begin, end in spans], _GLOSSES)
    for (begin, end), options in zip(spans, entries, strict=True):
        for option in options:
            yield begin, end, option.words, math.exp(option.log_scores[1]), False, False, marks


def _in_pinyin(piece: Sentence, translated: Collection[tuple[int, int]], lexicon: Lexicon) -> Iterator[_Given]:
    """Pinyin for Chinese tokens without a translation of their own, so that every order can be completed."""
    for i, token in enumerate(piece.tokens):
        if (i, i + 1) not in translated and HAN_CHARACTER.search(token) and (
            given := word_in_pinyin(token)
        ):
            for words, probability in given.alternatives:
                yield i, i + 1, words, probability, False, False, lexicon.marks(given.origin, given.count)
