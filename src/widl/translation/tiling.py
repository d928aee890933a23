"""Tiles of a sentence: translations of its spans from the phrase table and the dictionary, and given ones."""

import math
from collections.abc import Collection, Iterator

from widl._core import tile_sentence
from widl.decoder import Tiles
from widl.phrase_table.entries import source_key
from widl.text.normalization import HAN_CHARACTER
from widl.translation.lexicon import Lexicon
from widl.translation.names import word_in_pinyin
from widl.translation.options import TranslationOptions
from widl.translation.segmentations import phrases_of, word_edges
from widl.translation.sentence import Sentence

LONGEST_PIECE = 200
"""Tokens of a line that are realized together; longer lines are cut, after a punctuation mark if there is one."""

_LONGEST_ENTRY = 8  # tokens of the line that a dictionary's entry may stand for
_GLOSSES = 10  # of an entry

_Given = tuple[int, int, tuple[str, ...], float, bool, bool, list[float]]


def tile(sentence: Sentence, lexicon: Lexicon, options: TranslationOptions) -> list[Tiles]:
    """The tiles of each piece of a sentence, whose segmentations are those of `with_segmentations`.

    Every span of the sentence that the table has under one of the segmentations, up to the length of the table's
    phrases, becomes a tile with the translations whose p(e|f) is at least ``options.beam_prob`` of the best one's. What
    the table lacks, or has seldom seen, the dictionary may translate. Words that nothing translates become tiles in
    pinyin, or that copy them. Only the phrase table's translations have scores of a reordering model.
    """
    return [_tile_piece(piece, lexicon, options) for piece in sentence.cut(LONGEST_PIECE) if piece.tokens]


def _tile_piece(piece: Sentence, lexicon: Lexicon, options: TranslationOptions) -> Tiles:
    table = lexicon.table
    phrases = list(phrases_of(word_edges(piece, lexicon, options), table.info.max_length))
    values = table.lookup([source_key(words) for _, _, words, _ in phrases])
    found = [(phrase, value) for phrase, value in zip(phrases, values, strict=True) if value is not None]
    frequent = {
        (begin, end)
        for (begin, end, words, _), value in found
        if len(words) > 1 or not 0 < lexicon.count_of(value) <= options.rare_words
    }
    given = [*_of_users(piece, lexicon), *_of_dictionary(piece, frequent, lexicon)]
    if options.romanizes and "pinyin" in lexicon.origins:
        ends = {(begin, end) for (begin, end, _, _), _ in found} | {(one[0], one[1]) for one in given}
        given += _in_pinyin(piece, ends, lexicon)
    return tile_sentence(
        table.target_vocabulary,
        piece.tokens,
        [
            (begin, end, value, lexicon.marks("split", split) if split else [])
            for (begin, end, _, split), value in found
        ],
        beam_probability=options.beam_prob,
        given=given,
        zones=piece.zones,
        walls=piece.walls,
        marks=len(lexicon.origins),
        reordering=lexicon.reordering,
    )


def _of_users(piece: Sentence, lexicon: Lexicon) -> list[_Given]:
    """What users and rules give."""
    return [
        (span.begin, span.end, words, probability, span.given.exclusive, span.given.copied, marks)
        for span in piece.given
        for marks in [lexicon.marks(span.given.origin, span.given.count)]
        for words, probability in span.given.alternatives
    ]


def _of_dictionary(piece: Sentence, translated: Collection[tuple[int, int]], lexicon: Lexicon) -> Iterator[_Given]:
    """Entries of the dictionary for spans but those `translated` by the phrase table."""
    if not lexicon.has_dictionary:
        return
    size = len(piece.tokens)
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
