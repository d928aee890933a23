"""Word alignment: parallel text, alignments that are learnt from it or given, and their symmetrisation."""

from typing import TYPE_CHECKING

from widl.common.lazy import lazy_names

if TYPE_CHECKING:
    from widl.alignment.aligner import LONGEST_LINE, TextToAlign, WordAligner, learn_and_align
    from widl.alignment.bitext import BitextReport, PreparedBitext, prepare_bitext, prepare_text
    from widl.alignment.given import GivenAlignments
    from widl.alignment.symmetrization import METHODS, symmetrize

__all__ = [
    "LONGEST_LINE",
    "METHODS",
    "BitextReport",
    "GivenAlignments",
    "PreparedBitext",
    "TextToAlign",
    "WordAligner",
    "learn_and_align",
    "prepare_bitext",
    "prepare_text",
    "symmetrize",
]

__getattr__, __dir__ = lazy_names(__name__, __file__)
