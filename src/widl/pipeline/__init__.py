"""Whole jobs on model directories: training, tuning, alignment of new text, clusters, the demonstration."""

from typing import TYPE_CHECKING

from widl.common.lazy import lazy_names

if TYPE_CHECKING:
    from widl.pipeline.alignment import AlignedPair, align
    from widl.pipeline.checking import CheckedFile, check
    from widl.pipeline.cluster import ClusterEngine, open_engine
    from widl.pipeline.demo import DemoResult, run_demo, sample_corpus
    from widl.pipeline.headline_training import HeadlineTraining, train_headlines
    from widl.pipeline.training import TrainingOptions, train
    from widl.pipeline.training_report import TrainingReport
    from widl.pipeline.tuning import HeadlineTask, TranslationTask, tune
    from widl.pipeline.tuning_decoders import headline_decoder, lattice_decoder, translation_decoder, tunable

__all__ = [
    "AlignedPair",
    "CheckedFile",
    "ClusterEngine",
    "DemoResult",
    "HeadlineTask",
    "HeadlineTraining",
    "TrainingOptions",
    "TrainingReport",
    "TranslationTask",
    "align",
    "check",
    "headline_decoder",
    "lattice_decoder",
    "open_engine",
    "run_demo",
    "sample_corpus",
    "train",
    "train_headlines",
    "translation_decoder",
    "tunable",
    "tune",
]

_PLACES = {
    "AlignedPair": "widl.pipeline.alignment",
    "CheckedFile": "widl.pipeline.checking",
    "ClusterEngine": "widl.pipeline.cluster",
    "DemoResult": "widl.pipeline.demo",
    "HeadlineTask": "widl.pipeline.tuning",
    "HeadlineTraining": "widl.pipeline.headline_training",
    "TrainingOptions": "widl.pipeline.training",
    "TrainingReport": "widl.pipeline.training_report",
    "TranslationTask": "widl.pipeline.tuning",
    "align": "widl.pipeline.alignment",
    "check": "widl.pipeline.checking",
    "headline_decoder": "widl.pipeline.tuning_decoders",
    "lattice_decoder": "widl.pipeline.tuning_decoders",
    "open_engine": "widl.pipeline.cluster",
    "run_demo": "widl.pipeline.demo",
    "sample_corpus": "widl.pipeline.demo",
    "train": "widl.pipeline.training",
    "train_headlines": "widl.pipeline.headline_training",
    "translation_decoder": "widl.pipeline.tuning_decoders",
    "tunable": "widl.pipeline.tuning_decoders",
    "tune": "widl.pipeline.tuning",
}
"""The module of each public name."""

__getattr__, __dir__ = lazy_names(__name__, _PLACES)
