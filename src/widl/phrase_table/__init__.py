"""Extraction, scoring and storage of phrase pairs."""

from widl._core import Bitext, PhraseScorer, Vocabulary
from widl.phrase_table.building import build_from_files
from widl.phrase_table.entries import PhraseOption, TableInfo, source_key, split_words
from widl.phrase_table.extraction import extract_phrases, read_bitext
from widl.phrase_table.moses_text import ExportReport, export_moses, import_moses
from widl.phrase_table.pruning import Pruning, PruningReport, phrases_of, prune_table
from widl.phrase_table.significance import read_text, significance_threshold
from widl.phrase_table.statistics import PhraseTableStatistics, table_statistics
from widl.phrase_table.storage import PhraseTable
from widl.phrase_table.writing import build_phrase_table
from widl.workers import Progress

__all__ = [
    "Bitext",
    "ExportReport",
    "PhraseOption",
    "PhraseScorer",
    "PhraseTable",
    "PhraseTableStatistics",
    "Progress",
    "Pruning",
    "PruningReport",
    "TableInfo",
    "Vocabulary",
    "build_from_files",
    "build_phrase_table",
    "export_moses",
    "extract_phrases",
    "import_moses",
    "phrases_of",
    "prune_table",
    "read_bitext",
    "read_text",
    "significance_threshold",
    "source_key",
    "split_words",
    "table_statistics",
]
