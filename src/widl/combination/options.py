"""The options of a combination."""

from typing import Annotated

from widl.common.errors import OptionError
from widl.common.option_values import Count, NonNegative, Positive, shown_in_help
from widl.common.options import adjust, converted, option_set
from widl.decoder import RealizationOptions, SearchOptions


@option_set
class CombinationOptions(SearchOptions):
    """Options of combining outputs, and of the search for the best combination."""

    skeletons: Annotated[Count, shown_in_help(group="Combination")] = 2
    "Number of outputs whose word order is tried, most similar to the others first; 0: all."
    support: Annotated[Positive, shown_in_help(group="Combination")] = 2
    "Allow a name or number only if the skeleton or at least N outputs have it; 1: any, and any number of negations."
    must: Annotated[tuple[str, ...], shown_in_help(group="Combination", metavar="TERM")] = ()
    "Contiguous words that the result must contain. Repeatable."
    without: Annotated[tuple[str, ...], shown_in_help(group="Combination", metavar="TERM")] = ()
    "Contiguous words that the result must not contain. Repeatable."
    max_seconds: Annotated[NonNegative, shown_in_help(group="Budgets")] = 10.0

    def __post_init__(self) -> None:
        if self.lattice:
            raise OptionError("lattice: combinations have no lattice; leave it out", "lattice")

    def of_search(self, nbest: int) -> RealizationOptions:
        """The options of a search for `nbest` different strings."""
        return adjust(converted(RealizationOptions, self), nbest=nbest, distinct=nbest > 1, must=(), without=())
