"""Translation of lines with a model directory: tiles from its phrase table, realized under its language models."""

from widl.translation.options import SEARCHES_OF_DECODERS, TranslationOptions
from widl.translation.results import Candidate, TranslatedPhrase, Translation, TranslationRecord
from widl.translation.sentence import Sentence, SentenceReader
from widl.translation.tiling import LONGEST_PIECE, Tiler
from widl.translation.translator import Translator

__all__ = [
    "LONGEST_PIECE",
    "SEARCHES_OF_DECODERS",
    "Candidate",
    "Sentence",
    "SentenceReader",
    "Tiler",
    "TranslatedPhrase",
    "Translation",
    "TranslationOptions",
    "TranslationRecord",
    "Translator",
]
