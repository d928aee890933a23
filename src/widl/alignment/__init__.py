"""Word alignment: parallel text, alignments that are learnt from it or given, and their symmetrisation."""

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
