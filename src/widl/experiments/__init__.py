"""The papers' experiments: what they measured, measured again and printed beside their figures."""

from typing import TYPE_CHECKING

from widl.lazy import lazy_names

if TYPE_CHECKING:
    from widl.experiments.comparison import ExperimentComparison, compare_experiments, comparison_text, write_comparison
    from widl.experiments.config import read_config
    from widl.experiments.experiment import open_experiment
    from widl.experiments.headline import HeadlineExperimentConfig, run_headline_experiment
    from widl.experiments.report import write_report
    from widl.experiments.results import Results, read_results, write_results
    from widl.experiments.search import SearchComparison, compare_searches
    from widl.experiments.search_page import write_search_page
    from widl.experiments.search_table import search_table
    from widl.experiments.side_by_side import write_side_by_side
    from widl.experiments.sizes import bag_sizes, tile_sizes
    from widl.experiments.sizes_page import Sizes, write_sizes_page
    from widl.experiments.sizes_table import bag_table, input_sizes
    from widl.experiments.test_sets import read_test_set
    from widl.experiments.text_report import results_text, write_results_text
    from widl.experiments.translation import run_translation_experiment
    from widl.experiments.translation_config import TranslationExperimentConfig
    from widl.experiments.word_order import read_bags
    from widl.experiments.word_order_experiment import WordOrderConfig, run_word_order_experiment

__all__ = [
    "ExperimentComparison",
    "HeadlineExperimentConfig",
    "Results",
    "SearchComparison",
    "Sizes",
    "TranslationExperimentConfig",
    "WordOrderConfig",
    "bag_sizes",
    "bag_table",
    "compare_experiments",
    "compare_searches",
    "comparison_text",
    "input_sizes",
    "open_experiment",
    "read_bags",
    "read_config",
    "read_results",
    "read_test_set",
    "results_text",
    "run_headline_experiment",
    "run_translation_experiment",
    "run_word_order_experiment",
    "search_table",
    "tile_sizes",
    "write_comparison",
    "write_report",
    "write_results",
    "write_results_text",
    "write_search_page",
    "write_side_by_side",
    "write_sizes_page",
]

_PLACES = {
    "ExperimentComparison": "widl.experiments.comparison",
    "HeadlineExperimentConfig": "widl.experiments.headline",
    "Results": "widl.experiments.results",
    "SearchComparison": "widl.experiments.search",
    "TranslationExperimentConfig": "widl.experiments.translation_config",
    "WordOrderConfig": "widl.experiments.word_order_experiment",
    "bag_sizes": "widl.experiments.sizes",
    "bag_table": "widl.experiments.sizes_table",
    "compare_experiments": "widl.experiments.comparison",
    "compare_searches": "widl.experiments.search",
    "comparison_text": "widl.experiments.comparison",
    "Sizes": "widl.experiments.sizes_page",
    "write_search_page": "widl.experiments.search_page",
    "write_sizes_page": "widl.experiments.sizes_page",
    "input_sizes": "widl.experiments.sizes_table",
    "open_experiment": "widl.experiments.experiment",
    "read_bags": "widl.experiments.word_order",
    "read_config": "widl.experiments.config",
    "read_results": "widl.experiments.results",
    "read_test_set": "widl.experiments.test_sets",
    "results_text": "widl.experiments.text_report",
    "run_headline_experiment": "widl.experiments.headline",
    "run_translation_experiment": "widl.experiments.translation",
    "run_word_order_experiment": "widl.experiments.word_order_experiment",
    "search_table": "widl.experiments.search_table",
    "tile_sizes": "widl.experiments.sizes",
    "write_comparison": "widl.experiments.comparison",
    "write_report": "widl.experiments.report",
    "write_results": "widl.experiments.results",
    "write_results_text": "widl.experiments.text_report",
    "write_side_by_side": "widl.experiments.side_by_side",
}
"""The module of each public name."""

__getattr__, __dir__ = lazy_names(__name__, _PLACES)
