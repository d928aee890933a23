"""The options of a combination."""

from typing import Annotated

from cyclopts import Parameter

from widl.common.option_values import Count, NonNegative, Positive
from widl.common.options import option_set
from widl.decoder import RealizationOptions, SearchOptions


@option_set
class CombinationOptions(SearchOptions):
    """Options of combining outputs, and of the search for the best combination."""

    skeletons: Annotated[Count, Parameter(group="Combination")] = 2
    "Number of outputs, those most like the others, whose word order is tried; 0: all."
    support: Annotated[Positive, Parameter(group="Combination")] = 2
    "Allow a name, number or negation only if the skeleton or at least N outputs have it."
    must: Annotated[tuple[str, ...], Parameter(group="Combination", metavar="TERM")] = ()
    "Words that the result must contain, in a row. Repeatable."
    without: Annotated[tuple[str, ...], Parameter(group="Combination", metavar="TERM")] = ()
    "Words that the result must not contain, in a row. Repeatable."
    max_seconds: Annotated[NonNegative, Parameter(group="Budgets")] = 10.0
    "Budget of a search in seconds; 0: none."

    def of_search(self, nbest: int) -> RealizationOptions:
        """The options of a search for `nbest` different strings."""
        shared = {name: value for name, value in vars(self).items() if name in _OF_SEARCH}
        return RealizationOptions(**shared | {"nbest": nbest, "distinct": nbest > 1})


_OF_SEARCH = vars(SearchOptions()).keys()
