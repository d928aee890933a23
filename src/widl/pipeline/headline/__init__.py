"""Headlines end to end: training a model, making headlines with it or with the systems it is compared with."""

from widl.pipeline.headline.headliner import Headliner, PreparedDocument, headline_features
from widl.pipeline.headline.options import SYSTEMS, Headline, HeadlineCandidate, HeadlineOptions
from widl.pipeline.headline.training import HeadlineTraining, train_headlines

__all__ = [
    "SYSTEMS",
    "Headline",
    "HeadlineCandidate",
    "HeadlineOptions",
    "HeadlineTraining",
    "Headliner",
    "PreparedDocument",
    "headline_features",
    "train_headlines",
]
