"""Tiles of a sentence: translations of its spans from the phrase table and the dictionary, and given ones."""

import math
from collections.abc import Collection, Iterator, Sequence

from widl._core import tile_sentence
from widl.decoder import Tiles
from widl.phrase_table.entries import source_keys
from widl.phrase_table.storage import PhraseTable
from widl.text.normalization import HAN_CHARACTER
from widl.translation.constraints import Found, constrained
from widl.translation.lexicon import Lexicon
from widl.translation.names import word_in_pinyin
from widl.translation.options import TranslationOptions
from widl.translation.segmentations import Phrase, phrases_of, word_edges
from widl.translation.sentence import GivenSpan, Sentence

LONGEST_PIECE = 200
"""Tokens of a line that are realized together; longer lines are cut, after a punctuation mark if there is one."""

_LONGEST_ENTRY = 8  # tokens of the line that a dictionary's entry may stand for
_GLOSSES = 10  # of an entry

_Given = tuple[int, int, tuple[str, ...], float, bool, bool, list[float]]


def tile(sentence: Sentence, lexicon: Lexicon, options: TranslationOptions) -> list[Tiles]:
    """The tiles of each piece of a sentence, whose segmentations are those of `with_segmentations`.

    Every span of the sentence that a table has under one of the segmentations, up to the length of the tables' phrases,
    becomes a tile with the translations whose p(e|f) is at least ``options.beam_prob`` of the best one's in the table.
    What the tables lack, or have seldom seen, the dictionary may translate. Words that nothing translates become tiles
    in pinyin, or that copy them. Only the first table's translations have scores of a reordering model.
    """
    pieces = [] if sentence.refused else sentence.cut(LONGEST_PIECE)
    return [_tile_piece(piece, lexicon, options) for piece in pieces if piece.tokens]


def _tile_piece(piece: Sentence, lexicon: Lexicon, options: TranslationOptions) -> Tiles:
    phrases = list(phrases_of(word_edges(piece, lexicon, options), lexicon.longest))
    found, unmet = constrained(_lookup(phrases, lexicon), piece.given, lexicon)
    given = [
        *_of_users(piece, unmet, lexicon),
        *_of_dictionary(piece, _frequent(found, lexicon, options.rare_words), lexicon),
    ]
    if options.romanizes and "pinyin" in lexicon.origins:
        ends = {phrase[:2] for values in found for phrase, _ in values} | {one[:2] for one in given}
        given += _in_pinyin(piece, ends, lexicon)
    tables = [
        (table.target_vocabulary, len(table.info.scores), _beam(table, options), _spans(values, lexicon))
        for table, values in zip(lexicon.tables, found, strict=True)
    ]
    vocabulary, components, beam, spans = tables[0]
    return tile_sentence(
        vocabulary,
        piece.tokens,
        spans,
        beam_probability=beam,
        given=given,
        zones=piece.zones,
        walls=piece.walls,
        marks=len(lexicon.origins),
        components=components,
        further=tables[1:],
        reordering=lexicon.reordering if options.reordering else "",
    )


def _lookup(phrases: Sequence[Phrase], lexicon: Lexicon) -> list[Found]:
    """For each table the phrases that it translates; one that backs off only where those before it have none."""
    keys = source_keys(words for _, _, words, _ in phrases)
    backs_off = [False, *(one.backs_off for one in lexicon.further)]
    translated: set[tuple[int, int]] = set()
    found: list[Found] = []
    for table, only_others in zip(lexicon.tables, backs_off, strict=True):
        values = zip(phrases, table.lookup(keys), strict=True)
        found.append(
            [
                (phrase, value)
                for phrase, value in values
                if value is not None and not (only_others and phrase[:2] in translated)
            ]
        )
        translated |= {phrase[:2] for phrase, _ in found[-1]}
    return found


def _frequent(found: Sequence[Found], lexicon: Lexicon, rare: int) -> set[tuple[int, int]]:
    """Spans that a table translates, but for words that it has seen `rare` times at most."""
    spans: set[tuple[int, int]] = set()
    for table, values in zip(lexicon.tables, found, strict=True):
        spans |= {phrase[:2] for phrase, _ in values if len(phrase[2]) > 1}
        words = [(phrase[:2], value) for phrase, value in values if len(phrase[2]) == 1]
        counts = table.occurrences([value for _, value in words])
        spans |= {span for (span, _), count in zip(words, counts, strict=True) if not 0 < count <= rare}
    return spans


def _beam(table: PhraseTable, options: TranslationOptions) -> float:
    """The probabilistic beam, of which a table without p(e|f) has none."""
    return options.beam_prob if table.info.has_direct else 0.0


def _spans(values: Found, lexicon: Lexicon) -> list[tuple[int, int, bytes | memoryview, list[float]]]:
    return [
        (begin, end, value, lexicon.marks("split", split) if split else []) for (begin, end, _, split), value in values
    ]


def _of_users(piece: Sentence, unmet: Collection[GivenSpan], lexicon: Lexicon) -> list[_Given]:
    """What users and rules give; what phrases must contain only if it is `unmet`, and then alone."""
    return [
        (span.begin, span.end, words, probability, span.given.exclusive or span in unmet, span.given.copied, marks)
        for span in piece.given
        if span in unmet or not span.given.required
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
