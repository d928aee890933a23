"""Word alignment: parallel text, alignments that are learnt from it or given, and their symmetrisation."""

from typing import TYPE_CHECKING

from widl.common.lazy import lazy_names

if TYPE_CHECKING:
    from widl.alignment.aligner import WordAligner, learn_and_align
    from widl.alignment.bitext import BitextReport
    from widl.alignment.given import GivenAlignments
    from widl.alignment.symmetrization import symmetrize

__all__ = [
    "BitextReport",
    "GivenAlignments",
    "WordAligner",
    "learn_and_align",
    "symmetrize",
]

__getattr__, __dir__ = lazy_names(__name__, __file__)
