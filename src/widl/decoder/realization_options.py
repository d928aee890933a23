"""Options of realization, and the paper's settings for word order."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from widl import _core
from widl.common.option_values import NOT_ON_COMMAND_LINE, Count, Switch, shown_in_help
from widl.common.options import option_set
from widl.common.presets import ASTAR_K, PresetOf2005, Setting
from widl.decoder.search_options import BOUNDS, BoundName, SearchOptions, name_of

EXACT_SEARCHES = ("astar", "bfs")
"""Searches that list the best candidates exactly, unless a budget runs out."""

_BEAM = ("search", "beam")
PAPER_2005 = (
    Setting("search", "astar", "Figures 4 to 6", ("bfs", "astar-k", "beam")),
    Setting("bound", "eq2", "Equation 2"),
    Setting("whole_contexts", True, "§3.1: states are split by the last two words"),
    Setting("k", 2, "§4: A*_1 and A*_2", (1,), when=ASTAR_K),
    Setting(
        "beam",
        0.2,
        "§4: B_0.2 and B_0.1; 0.0246 and 0.005 are these to the power of ln 10",
        (0.1, 0.0246, 0.005),
        when=_BEAM,
    ),
    Setting("stack_size", 0, "Figure 6: a probabilistic beam alone", when=_BEAM),
)
"""The options of the paper's searches for the order of words."""


@option_set
class RealizationOptions(SearchOptions):
    """Options of the search of expressions.

    The bound ``lagrangian`` is for bags, where it is by far the tightest; for other expressions it means ``context``;
    ``eq2`` is Equation 2 of the 2005 paper as written: word by word, and a word may be its own context. It is refused
    for more than 64 different words and, except for bags, more than 500 phrases; `loose` replaces it if its tables do
    not fit into half of the line's memory or time. The paper's preset gives a weight to the language model only.

    A result is the best derivation, as in every phrase-based decoder. A string with several derivations may be more
    probable."""

    PRESETS: ClassVar[Mapping[str, Sequence[Setting]]] = {"paper-2005": PAPER_2005}

    bound: Annotated[BoundName, shown_in_help(group="Search")] = name_of(BOUNDS, _core.SpaceOptions().bound)
    "Upper bound on the remaining score, loosest first: loose, context, eq2 (the 2005 paper's), lagrangian."
    whole_contexts: Annotated[Switch, NOT_ON_COMMAND_LINE] = _core.SpaceOptions().whole_contexts
    "Split states by the last N - 1 words (2005), also where language models cannot tell them apart."
    preset: PresetOf2005 | None = None
    "Set all options as in a paper; 'widl presets' lists the values."
    distinct: bool = False
    "Keep only the best of the derivations with equal strings."
    must: Annotated[tuple[str, ...], shown_in_help(group="Search", metavar="TERM")] = ()
    "Contiguous words that the string must contain, spelled as in the input. Repeatable."
    without: Annotated[tuple[str, ...], shown_in_help(group="Search", metavar="TERM")] = ()
    "Contiguous words that the string must not contain, spelled as in the input. Repeatable."
    words: Annotated[Count, shown_in_help(group="Search")] = 0
    "Hard limit on words of the output; 0: none."
    bytes: Annotated[Count, shown_in_help(group="Search")] = 0
    "Hard limit on bytes of the output; 0: none."
    record: Annotated[Count, NOT_ON_COMMAND_LINE] = 0
    "Largest number of events of the search to record."

    def core_options(self) -> _core.SearchOptions:
        """The core's form of the options."""
        space = _core.SpaceOptions(
            bound=BOUNDS[self.bound],
            whole_contexts=self.whole_contexts,
            max_words=self.words,
            max_bytes=self.bytes,
        )
        return self.in_space(space, distinct=self.distinct, record=self.record)
