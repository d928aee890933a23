"""Parallel text and the links between its words: learnt from the text or given, and symmetrised."""

from widl.alignment.aligner import LONGEST_LINE, TextToAlign, WordAligner, learn_and_align
from widl.alignment.bitext import BitextReport, PreparedBitext, TextReport, prepare_bitext, prepare_text
from widl.alignment.given import GivenAlignments
from widl.alignment.symmetrization import METHODS, symmetrize

__all__ = [
    "LONGEST_LINE",
    "METHODS",
    "BitextReport",
    "GivenAlignments",
    "PreparedBitext",
    "TextReport",
    "TextToAlign",
    "WordAligner",
    "learn_and_align",
    "prepare_bitext",
    "prepare_text",
    "symmetrize",
]
