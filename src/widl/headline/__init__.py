"""Headlines of documents: the clauses of parsed sentences, an expression of what may go, and its best derivation."""

from widl.headline.budget import Budget
from widl.headline.documents import Document, Unreadable, read_documents, read_duc
from widl.headline.headliner import Headliner, generate_headlines
from widl.headline.keyword_phrases import PaperOptions
from widl.headline.options import SYSTEMS, HeadlineOptions
from widl.headline.parsing import ParsedDocument, Parser
from widl.headline.prepared_document import PreparedDocument
from widl.headline.references import read_with_references
from widl.headline.results import Headline, HeadlineCandidate, HeadlineRecord

__all__ = [
    "SYSTEMS",
    "Budget",
    "Document",
    "Headline",
    "HeadlineCandidate",
    "HeadlineOptions",
    "HeadlineRecord",
    "Headliner",
    "PaperOptions",
    "ParsedDocument",
    "Parser",
    "PreparedDocument",
    "Unreadable",
    "generate_headlines",
    "read_documents",
    "read_duc",
    "read_with_references",
]
