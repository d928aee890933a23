"""Headlines by a system's search without a `Headliner`."""

from collections.abc import Mapping

from widl.headline.clause_search import ClauseSearch
from widl.headline.fallbacks import fallback
from widl.headline.headline_search import HeadlineSearch
from widl.headline.model import HeadlineModel
from widl.headline.options import HeadlineOptions
from widl.headline.paper_search import PaperSearch
from widl.headline.parsing import ParsedDocument
from widl.headline.results import Headline


def searched(
    model: HeadlineModel, parsed: ParsedDocument, options: HeadlineOptions, weights: Mapping[str, float]
) -> Headline:
    """The headline of a document under these weights."""
    kind = PaperSearch if options.system == "widl-paper" else ClauseSearch
    search = kind.of(model, parsed, options)
    return fallback(parsed, options) if search is None else realized(search, options, weights)


def realized(search: HeadlineSearch, options: HeadlineOptions, weights: Mapping[str, float]) -> Headline:
    """The headline of a prepared search."""
    return search.headline(search.run(weights, options), options)
