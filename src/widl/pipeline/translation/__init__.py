"""Translation of lines with a model directory: tiles from its phrase table, realized under its language models."""

from widl.pipeline.translation.options import SEARCHES, TranslationOptions
from widl.pipeline.translation.results import Candidate, TranslatedPhrase, Translation
from widl.pipeline.translation.translator import LONGEST_PIECE, Translator, cut

__all__ = [
    "LONGEST_PIECE",
    "SEARCHES",
    "Candidate",
    "TranslatedPhrase",
    "Translation",
    "TranslationOptions",
    "Translator",
    "cut",
]
