"""The options of a combination."""

from typing import Annotated, ClassVar

from widl.common.options import HelpGroups, option, option_set
from widl.decoder import RealizationOptions, SearchOptions
from widl.decoder.search_options import SecondsOption


@option_set
class CombinationOptions(SearchOptions):
    """How outputs are combined, and how the best combination is searched."""

    help_groups: ClassVar[HelpGroups] = {
        "Combination": ("skeletons", "support", "must", "without"),
        **SearchOptions.help_groups,
    }
    layer_defaults = RealizationOptions.layer_defaults

    skeletons: Annotated[
        int, option("Number of outputs, those most like the others, whose word order is tried; 0: all.", ge=0)
    ] = 2
    support: Annotated[
        int, option("Allow a name, number or negation only if the skeleton or at least N outputs have it.", ge=1)
    ] = 2
    must: Annotated[
        tuple[str, ...], option("Words that the result must contain, in a row. Repeatable.", metavar="TERM")
    ] = ()
    without: Annotated[
        tuple[str, ...], option("Words that the result must not contain, in a row. Repeatable.", metavar="TERM")
    ] = ()
    max_seconds: SecondsOption = 10.0

    def of_search(self, nbest: int) -> RealizationOptions:
        """The options of a search for so many different strings."""
        shared = {name: value for name, value in vars(self).items() if name in _OF_SEARCH}
        return RealizationOptions(**shared | {"nbest": nbest, "distinct": nbest > 1})


_OF_SEARCH = vars(SearchOptions()).keys()
