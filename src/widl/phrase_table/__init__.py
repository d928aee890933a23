"""Parallel text, word alignment, and the extraction, scoring and storage of phrase pairs."""

from typing import TYPE_CHECKING

from widl.common.lazy import lazy_names

if TYPE_CHECKING:
    from widl.phrase_table.aligner import WordAligner, learn_and_align
    from widl.phrase_table.bitext import BitextReport
    from widl.phrase_table.building import build_from_files, extract_phrases
    from widl.phrase_table.entries import PhraseOption, TableInfo
    from widl.phrase_table.extraction import ExtractionOptions
    from widl.phrase_table.given_alignment import GivenAlignments
    from widl.phrase_table.moses_text import ExportReport, export_moses, export_reordering, import_moses
    from widl.phrase_table.pruning import Pruning, PruningReport, phrases_of, prune_table
    from widl.phrase_table.shards import ExtractedPhrases
    from widl.phrase_table.statistics import PhraseTableStatistics, table_statistics
    from widl.phrase_table.storage import PhraseTable
    from widl.phrase_table.symmetrization import symmetrize
    from widl.phrase_table.writing import build_phrase_table

__all__ = [
    "BitextReport",
    "ExportReport",
    "ExtractedPhrases",
    "ExtractionOptions",
    "GivenAlignments",
    "PhraseOption",
    "PhraseTable",
    "PhraseTableStatistics",
    "Pruning",
    "PruningReport",
    "TableInfo",
    "WordAligner",
    "build_from_files",
    "build_phrase_table",
    "export_moses",
    "export_reordering",
    "extract_phrases",
    "import_moses",
    "learn_and_align",
    "phrases_of",
    "prune_table",
    "symmetrize",
    "table_statistics",
]

__getattr__, __dir__ = lazy_names(__name__, __file__)
