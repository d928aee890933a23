"""Headlines of documents: keywords and phrases of parsed sentences, an expression of them, and its best string."""

from widl.headline.headliner import Headliner, PreparedDocument, headline_features
from widl.headline.options import SYSTEMS, Headline, HeadlineCandidate, HeadlineOptions

__all__ = [
    "SYSTEMS",
    "Headline",
    "HeadlineCandidate",
    "HeadlineOptions",
    "Headliner",
    "PreparedDocument",
    "headline_features",
]
