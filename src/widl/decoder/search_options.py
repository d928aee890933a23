"""The order, the budgets and the output of a search: the options that all front ends share.

`RealizationOptions`, `TranslationOptions` and `HeadlineOptions` are `SearchOptions` with more. Each has its own
defaults, and determines which of the core's search spaces is used. Defaults that are the core's are read from there.
"""

import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias, assert_never

from pydantic import Field

from widl import _core
from widl._core import (
    AStar,
    AStarK,
    BeamSearch,
    Bound,
    CubePruning,
    LengthUnit,
    Limits,
    Order,
    OutputOptions,
)
from widl.common.errors import InternalError
from widl.common.option_values import NOT_ON_COMMAND_LINE, Count, NonNegative, Share, Size, shown_in_help
from widl.common.options import Modes, adjust, option_set

Search = Literal["bfs", "astar", "astar-k", "beam", "stack", "cube"]
BoundName = Literal["loose", "context", "eq2", "lagrangian"]
LengthUnitName = Literal["words", "positions"]
OrderName = Literal["bound", "estimate"]
CoreSearch: TypeAlias = AStar | AStarK | BeamSearch | CubePruning

BOUNDS = {"loose": Bound.loose, "context": Bound.context, "eq2": Bound.eq2, "lagrangian": Bound.lagrangian}
_LENGTH_UNITS = {"words": LengthUnit.words, "positions": LengthUnit.positions}
_ORDERS = {"bound": Order.bound, "estimate": Order.estimate}


def name_of(names: Mapping[str, Any], value: object) -> Any:
    """The name of a value of the core."""
    return next(name for name, other in names.items() if other == value)


SEARCH_MODES = Modes(
    "search",
    reads={
        "bfs": (),
        "astar": (),
        "astar-k": ("k", "k_unit", "order"),
        "beam": ("beam", "stack_size"),
        "stack": ("beam", "stack_size"),
        "cube": ("pop_limit",),
    },
)
LATTICES = Modes(
    "lattice",
    reads={False: (), True: ("lattice_arcs", "lattice_beam")},
    called={False: "a search without a lattice", True: "a lattice"},
)


@option_set
class SearchOptions:
    """The order, the budgets and the output of a search.

    ``astar-k`` unfolds only states at most `k` shorter than the longest, in `k_unit`, by `order` (Soricut & Marcu
    2005, §4). ``beam`` keeps, of each length, at most `stack_size` states within a factor `beam` of the best, ``stack``
    does so of states that have come equally far, and ``cube`` makes only the `pop_limit` most promising of these.
    Budgets are for each search; 0 means no limit. The limits of ``beam`` and ``stack`` are declared here alone: the
    core's `BeamSearch` has none by default, as ``bfs`` is. `search` is never None once a set is made.
    """

    MODES: ClassVar[tuple[Modes, ...]] = (SEARCH_MODES, LATTICES)

    search: Annotated[Search | None, shown_in_help(group="Search", metavar="NAME")] = None
    "Exact: astar, bfs (all states). Approximate: astar-k, beam, stack, cube. Default: astar; in translation cube."
    k: Annotated[Count, shown_in_help(group="Search")] = AStarK().k
    "astar-k: unfold only states at most K units shorter than the longest state."
    k_unit: Annotated[LengthUnitName, NOT_ON_COMMAND_LINE] = name_of(_LENGTH_UNITS, AStarK().unit)
    "astar-k: unit of K: output words, or covered positions."
    order: Annotated[OrderName, shown_in_help(group="Search")] = name_of(_ORDERS, AStarK().order)
    "astar-k: priority of states: the bound or the estimate of the remaining score."
    beam: Annotated[Share, shown_in_help(group="Search")] = 0.1
    "beam, stack: prune states below this fraction of their layer's best probability."
    stack_size: Annotated[Count, shown_in_help(group="Search")] = 20
    "beam, stack: states kept per layer; 0: all."
    pop_limit: Annotated[Count, shown_in_help(group="Search")] = CubePruning().pop_limit
    "cube: states generated per layer; 0: all."
    max_seconds: Annotated[NonNegative, shown_in_help(group="Budgets")] = 0.0
    "Time limit per search, in seconds; 0: no limit."
    max_states: Annotated[Count, shown_in_help(group="Budgets")] = 0
    "Maximum number of states per search; 0: no limit."
    max_memory: Annotated[Size, shown_in_help(group="Budgets")] = 2 << 30
    "Memory limit per search, like 500M or 2G; 0: no limit."
    nbest: Annotated[int, Field(ge=1, le=1_000_000)] = OutputOptions().nbest
    "Number of candidates per input; exact for astar and bfs."
    lattice: Annotated[bool, NOT_ON_COMMAND_LINE] = False
    "Keep the explored derivations in the results."
    lattice_arcs: Annotated[Count, NOT_ON_COMMAND_LINE] = 2000
    "Keep the N best arcs of a lattice; 0: all."
    lattice_beam: Annotated[float, Field(ge=0), NOT_ON_COMMAND_LINE] = OutputOptions().lattice_beam
    "Keep arcs whose best derivation is within N nats of the best score."

    @classmethod
    def defaults_of(cls, values: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG003
        """The search, whose default differs between the front ends."""
        return {"search": "astar"}

    def core_search(self) -> CoreSearch:
        """The core's form of the search."""
        match self.search:
            case "bfs":
                return BeamSearch()
            case "astar":
                return AStar()
            case "astar-k":
                return AStarK(k=self.k, unit=_LENGTH_UNITS[self.k_unit], order=_ORDERS[self.order])
            case "beam":
                return BeamSearch(beam=self.beam, stack_size=self.stack_size)
            case "stack":
                return BeamSearch(unit=LengthUnit.positions, beam=self.beam, stack_size=self.stack_size)
            case "cube":
                return CubePruning(pop_limit=self.pop_limit)
            case None:
                raise InternalError("an option set has no search")
            case other:
                assert_never(other)

    def after(self, states: int, seconds: float) -> tuple[Self, str]:
        """Options with the budgets that remain after the given work for the same input, and the exhausted budget, if
        any.
        """
        if self.max_states and states >= self.max_states:
            return self, "max_states"
        if self.max_seconds and seconds >= self.max_seconds:
            return self, "max_seconds"
        left_states = self.max_states - states if self.max_states else 0
        left_seconds = self.max_seconds - seconds if self.max_seconds else 0.0
        return adjust(self, max_states=left_states, max_seconds=left_seconds), ""

    def in_space(self, space: _core.SpaceOptions, *, gap: float = math.inf, **answer: Any) -> _core.SearchOptions:
        """The core's form of all options, for a space; `answer`: additional outputs of the result."""
        return _core.SearchOptions(
            self.core_search(),
            space=space,
            limits=Limits(states=self.max_states, seconds=self.max_seconds, memory=self.max_memory),
            output=OutputOptions(
                nbest=self.nbest,
                lattice=self.lattice,
                lattice_arcs=self.lattice_arcs,
                lattice_beam=self.lattice_beam,
                **answer,
            ),
            gap=gap,
        )
