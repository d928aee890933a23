"""Headlines of documents: keywords and phrases of parsed sentences, an expression of them, and its best string."""

from widl.headline.headliner import Headliner, PreparedDocument, headline_layout
from widl.headline.options import SYSTEMS, HeadlineOptions
from widl.headline.results import Headline, HeadlineCandidate, HeadlineRecord

__all__ = [
    "SYSTEMS",
    "Headline",
    "HeadlineCandidate",
    "HeadlineOptions",
    "HeadlineRecord",
    "Headliner",
    "PreparedDocument",
    "headline_layout",
]
