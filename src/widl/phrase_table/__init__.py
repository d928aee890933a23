"""Bitext, alignment, extraction, scoring and storage of phrase pairs."""

from widl._core import Bitext, PhraseScorer, Vocabulary
from widl.phrase_table.extraction import METHODS, extract_phrases, read_bitext, symmetrize
from widl.phrase_table.significance import prune_phrase_table, significance_threshold
from widl.phrase_table.storage import PhraseOption, PhraseTable, TableInfo, build_phrase_table, source_key
from widl.workers import Progress

__all__ = [
    "METHODS",
    "Bitext",
    "PhraseOption",
    "PhraseScorer",
    "PhraseTable",
    "Progress",
    "TableInfo",
    "Vocabulary",
    "build_phrase_table",
    "extract_phrases",
    "prune_phrase_table",
    "read_bitext",
    "significance_threshold",
    "source_key",
    "symmetrize",
]
