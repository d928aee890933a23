"""Headlines of documents: parses sentences into clauses, builds an expression of possible deletions, and finds its best
derivation."""

from widl.headline.documents import Document, UnreadableDocument, read_documents, read_duc
from widl.headline.headline_search import HeadlineSearch
from widl.headline.headliner import Headliner
from widl.headline.length_options import LengthLimit
from widl.headline.options import SYSTEMS, HeadlineOptions
from widl.headline.parsing import ParsedDocument, parse_documents
from widl.headline.references import read_with_references
from widl.headline.results import Headline, HeadlineCandidate, HeadlineRecord

__all__ = [
    "SYSTEMS",
    "Document",
    "Headline",
    "HeadlineCandidate",
    "HeadlineOptions",
    "HeadlineRecord",
    "HeadlineSearch",
    "Headliner",
    "LengthLimit",
    "ParsedDocument",
    "UnreadableDocument",
    "parse_documents",
    "read_documents",
    "read_duc",
    "read_with_references",
]
