"""Tiles of a sentence: the phrase table's translations of its spans, and given ones."""

from widl._core import tile_sentence
from widl.decoder import Tiles
from widl.phrase_table.entries import source_key
from widl.phrase_table.storage import PhraseTable
from widl.translation.options import TranslationOptions
from widl.translation.sentence import Sentence

LONGEST_PIECE = 200
"""Tokens of a line that are realized together; longer lines are cut, after a punctuation mark if there is one."""


def tile(sentence: Sentence, table: PhraseTable, options: TranslationOptions) -> list[Tiles]:
    """The tiles of each piece of a sentence.

    Every span of the sentence that the table has, up to the length of the table's phrases, becomes a tile with the
    translations whose p(e|f) is at least ``options.beam_prob`` of the best one's. Words that nothing translates become
    tiles that copy them.
    """
    return [_tile_piece(piece, table, options) for piece in sentence.cut(LONGEST_PIECE) if piece.tokens]


def _tile_piece(piece: Sentence, table: PhraseTable, options: TranslationOptions) -> Tiles:
    length, longest = len(piece.tokens), table.info.max_length
    spans = [(begin, end) for begin in range(length) for end in range(begin + 1, min(length, begin + longest) + 1)]
    values = table.lookup([source_key(piece.tokens[begin:end]) for begin, end in spans])
    return tile_sentence(
        table.target_vocabulary,
        piece.tokens,
        [(*span, value) for span, value in zip(spans, values, strict=True) if value is not None],
        beam_probability=options.beam_prob,
        given=[
            (span.begin, span.end, words, probability, span.given.exclusive, span.given.copied)
            for span in piece.given
            for words, probability in span.given.alternatives
        ],
        zones=piece.zones,
        walls=piece.walls,
    )
