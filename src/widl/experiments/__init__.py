"""The papers' experiments, repeated, with the results printed beside the papers' figures."""

from typing import TYPE_CHECKING

from widl.common.extras import optional_packages
from widl.common.lazy import lazy_names

with optional_packages():  # the modules of this folder need them
    import jinja2  # noqa: F401
    import markupsafe  # noqa: F401

if TYPE_CHECKING:
    from widl.experiments.bags import read_bags
    from widl.experiments.combination import CombinationExperimentConfig, run_combination_experiment
    from widl.experiments.config import read_config
    from widl.experiments.headline import run_headline_experiment
    from widl.experiments.headline_config import HeadlineExperimentConfig
    from widl.experiments.report import results_text, write_experiment
    from widl.experiments.results import Results, read_results
    from widl.experiments.runner import open_experiment
    from widl.experiments.sizes import bag_sizes, measure_sizes, tile_sizes
    from widl.experiments.translation import run_translation_experiment
    from widl.experiments.translation_config import TranslationExperimentConfig
    from widl.experiments.word_order import WordOrderConfig, run_word_order_experiment

__all__ = [
    "CombinationExperimentConfig",
    "HeadlineExperimentConfig",
    "Results",
    "TranslationExperimentConfig",
    "WordOrderConfig",
    "bag_sizes",
    "measure_sizes",
    "open_experiment",
    "read_bags",
    "read_config",
    "read_results",
    "results_text",
    "run_combination_experiment",
    "run_headline_experiment",
    "run_translation_experiment",
    "run_word_order_experiment",
    "tile_sizes",
    "write_experiment",
]

__getattr__, __dir__ = lazy_names(__name__, __file__)
