"""Whole jobs on model directories: training, tuning, alignment of new text, clusters, the demonstration."""

from typing import TYPE_CHECKING

from widl.common.lazy import lazy_names

if TYPE_CHECKING:
    from widl.pipeline.alignment import AlignedPair, align
    from widl.pipeline.checking import CheckedFile, check
    from widl.pipeline.cluster import ClusterEngine, open_engine
    from widl.pipeline.demo import DemoResult, run_demo, sample_corpus
    from widl.pipeline.headline_training import HeadlineTraining, train_headlines
    from widl.pipeline.training import train
    from widl.pipeline.training_files import TrainingFiles
    from widl.pipeline.training_options import TrainingOptions
    from widl.pipeline.training_report import TrainingReport
    from widl.pipeline.tuning import tune

__all__ = [
    "AlignedPair",
    "CheckedFile",
    "ClusterEngine",
    "DemoResult",
    "HeadlineTraining",
    "TrainingFiles",
    "TrainingOptions",
    "TrainingReport",
    "align",
    "check",
    "open_engine",
    "run_demo",
    "sample_corpus",
    "train",
    "train_headlines",
    "tune",
]

__getattr__, __dir__ = lazy_names(__name__, __file__)
