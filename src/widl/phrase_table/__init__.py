"""Extraction, scoring and storage of phrase pairs."""

from typing import TYPE_CHECKING

from widl.common.lazy import lazy_names

if TYPE_CHECKING:
    from widl._core import Bitext, PhraseScorer, Vocabulary
    from widl.common.workers import Progress
    from widl.phrase_table.building import build_from_files
    from widl.phrase_table.entries import PhraseOption, TableInfo, split_words
    from widl.phrase_table.extraction import ExtractionOptions, extract_phrases, read_bitext
    from widl.phrase_table.interpolation import Mixture, interpolate_tables, mixture_of_least_perplexity
    from widl.phrase_table.moses_text import ExportReport, export_moses, export_reordering, import_moses
    from widl.phrase_table.pruning import Pruning, PruningReport, phrases_of, prune_table
    from widl.phrase_table.significance import read_text, significance_threshold
    from widl.phrase_table.statistics import PhraseTableStatistics, table_statistics
    from widl.phrase_table.storage import PhraseTable
    from widl.phrase_table.writing import build_phrase_table

__all__ = [
    "Bitext",
    "ExportReport",
    "ExtractionOptions",
    "Mixture",
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
    "export_reordering",
    "extract_phrases",
    "import_moses",
    "interpolate_tables",
    "mixture_of_least_perplexity",
    "phrases_of",
    "prune_table",
    "read_bitext",
    "read_text",
    "significance_threshold",
    "split_words",
    "table_statistics",
]

_PLACES = {
    "Bitext": "widl._core",
    "ExportReport": "widl.phrase_table.moses_text",
    "ExtractionOptions": "widl.phrase_table.extraction",
    "Mixture": "widl.phrase_table.interpolation",
    "PhraseOption": "widl.phrase_table.entries",
    "PhraseScorer": "widl._core",
    "PhraseTable": "widl.phrase_table.storage",
    "PhraseTableStatistics": "widl.phrase_table.statistics",
    "Progress": "widl.common.workers",
    "Pruning": "widl.phrase_table.pruning",
    "PruningReport": "widl.phrase_table.pruning",
    "TableInfo": "widl.phrase_table.entries",
    "Vocabulary": "widl._core",
    "build_from_files": "widl.phrase_table.building",
    "build_phrase_table": "widl.phrase_table.writing",
    "export_moses": "widl.phrase_table.moses_text",
    "export_reordering": "widl.phrase_table.moses_text",
    "extract_phrases": "widl.phrase_table.extraction",
    "import_moses": "widl.phrase_table.moses_text",
    "interpolate_tables": "widl.phrase_table.interpolation",
    "mixture_of_least_perplexity": "widl.phrase_table.interpolation",
    "phrases_of": "widl.phrase_table.pruning",
    "prune_table": "widl.phrase_table.pruning",
    "read_bitext": "widl.phrase_table.extraction",
    "read_text": "widl.phrase_table.significance",
    "significance_threshold": "widl.phrase_table.significance",
    "split_words": "widl.phrase_table.entries",
    "table_statistics": "widl.phrase_table.statistics",
}

__getattr__, __dir__ = lazy_names(__name__, _PLACES)
