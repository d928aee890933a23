"""How a search goes, when it ends, and what its result has: the options that all front ends share.

`RealizationOptions`, `TranslationOptions` and `HeadlineOptions` are `SearchOptions` with more. Each has defaults of its
own, and says which of the core's spaces is searched.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypeAlias

from widl import _core
from widl._core import Answer, AStar, AStarK, Beam, Bound, BreadthFirst, CubeStacks, LengthUnit, Limits, Order, Stacks
from widl.common.option_values import FINITE, LARGEST, Megabytes
from widl.common.options import HelpGroups, option, option_set

Search = Literal["bfs", "astar", "astar-k", "beam", "stack", "cube"]
BoundName = Literal["static", "context", "eq2", "lagrangian"]
LengthUnitName = Literal["words", "tiles", "positions"]
OrderName = Literal["bound", "estimate"]
CoreSearch: TypeAlias = BreadthFirst | AStar | AStarK | Beam | Stacks | CubeStacks

BOUNDS = {"static": Bound.static, "context": Bound.context, "eq2": Bound.eq2, "lagrangian": Bound.lagrangian}
_LENGTH_UNITS = {"words": LengthUnit.words, "tiles": LengthUnit.phrases, "positions": LengthUnit.positions}
_ORDERS = {"bound": Order.bound, "estimate": Order.estimate}

_OF_ASTAR_K: dict[str, Any] = {"only_with": {"search": ("astar-k",)}}
_OF_LAYERS: dict[str, Any] = {"only_with": {"search": ("beam", "stack", "cube")}}
LengthUnitOption = Annotated[
    LengthUnitName, option("astar-k: what k counts: words written, tiles (phrases), or positions read.", **_OF_ASTAR_K)
]
SecondsOption = Annotated[float, option("Budget of a search in seconds; 0: none.", ge=0, le=FINITE)]
DistinctOption = Annotated[
    bool, option("Of derivations with equal strings, keep only the best.", only_with={"nbest": ()})
]


class LayerDefaults(NamedTuple):
    """The values of `beam`, `stack_size` and `pop_limit` that are not given."""

    beam: float = 0.0
    stack_size: int = 0
    pop_limit: int = 0


@option_set
class SearchOptions:
    """How a search goes, when it ends, and what its result has.

    ``astar-k`` unfolds only states at most `k` shorter than the longest, in `k_unit`, by `order` (Soricut & Marcu
    2005, §4). ``beam`` keeps, of each length, at most `stack_size` states within a factor `beam` of the best, ``stack``
    does so of states that have come equally far, and ``cube`` makes only the `pop_limit` most promising of these.
    Budgets are for each search; 0 means no limit. `max_memory` is a number of bytes, as text a number of megabytes.
    """

    help_groups: ClassVar[HelpGroups] = {
        "Search": ("search", "k", "k_unit", "order", "beam", "stack_size", "pop_limit"),
        "Budgets": ("max_seconds", "max_states", "max_memory"),
    }
    layer_defaults: ClassVar[Mapping[str, LayerDefaults]] = {}
    """By search; the numbers of expressions, translation and headlines are in each one's options."""

    search: Annotated[
        Search | None,
        option(
            "astar (exact within the budget), astar-k, beam, stack, cube, or bfs (all states). Default: astar, of "
            "translation cube, of its stack decoder stack.",
            metavar="NAME",
        ),
    ] = None
    k: Annotated[
        int,
        option("astar-k: unfold only states at most K units behind the longest one.", ge=0, le=LARGEST, **_OF_ASTAR_K),
    ] = 2
    k_unit: LengthUnitOption = "words"
    order: Annotated[
        OrderName, option("astar-k: unfold by the bound or by the estimate of what is still to come.", **_OF_ASTAR_K)
    ] = "bound"
    beam: Annotated[
        float | None,
        option(
            "Prune states below this fraction of their layer's best probability. Default: 0.1, of translation 1e-5, of "
            "cube 0.",
            ge=0,
            le=1,
            **_OF_LAYERS,
        ),
    ] = None
    stack_size: Annotated[
        int | None,
        option(
            "States kept in a layer; 0: all. Default: 20, of headlines and translation 100, of cube all.",
            ge=0,
            le=LARGEST,
            **_OF_LAYERS,
        ),
    ] = None
    pop_limit: Annotated[
        int | None,
        option(
            "cube: states made for a layer; 0: all. Default: 1000, of translation 1500, of its stack decoder 400.",
            ge=0,
            le=LARGEST,
            only_with={"search": ("cube",)},
        ),
    ] = None
    max_seconds: SecondsOption = 0.0
    max_states: Annotated[int, option("Budget of a search in states; 0: none.", ge=0, le=LARGEST)] = 0
    max_memory: Annotated[Megabytes, option("Budget of a search in megabytes; 0: none.", ge=0, le=2**63 - 1)] = (
        2_000_000_000
    )
    nbest: Annotated[int, option("Number of candidates of an input; exact for astar and bfs.", ge=1, le=1_000_000)] = 1
    lattice: Annotated[bool, option("Keep the explored derivations in the results.", hidden=True)] = False
    lattice_arcs: Annotated[
        int,
        option(
            "Keep the N best arcs of a lattice; 0: all.",
            ge=0,
            le=LARGEST,
            hidden=True,
            only_with={"lattice": ()},
        ),
    ] = 2000
    lattice_beam: Annotated[
        float,
        option(
            "Keep arcs whose best derivation is within N nats of the best score.",
            ge=0,
            hidden=True,
            only_with={"lattice": ()},
        ),
    ] = math.inf

    @property
    def effective_search(self) -> str:
        """The search that is run."""
        return self.search or "astar"

    @property
    def effective_nbest(self) -> int:
        """The number of candidates that search shall find."""
        return self.nbest

    @property
    def effective_lattice(self) -> bool:
        """Whether the explored derivations are needed, and not only the best ones."""
        return self.lattice

    def layers(self) -> LayerDefaults:
        """What is kept of a layer and made for it."""
        defaults = self.layer_defaults.get(self.effective_search, LayerDefaults())
        return LayerDefaults(
            beam=defaults.beam if self.beam is None else self.beam,
            stack_size=defaults.stack_size if self.stack_size is None else self.stack_size,
            pop_limit=defaults.pop_limit if self.pop_limit is None else self.pop_limit,
        )

    def core_search(self) -> CoreSearch:
        """The core's form of the search."""
        beam, size, pops = self.layers()
        match self.effective_search:
            case "bfs":
                return BreadthFirst()
            case "astar":
                return AStar()
            case "astar-k":
                return AStarK(lookback=self.k, unit=_LENGTH_UNITS[self.k_unit], order=_ORDERS[self.order])
            case "beam":
                return Beam(beam=beam, size=size)
            case "stack":
                return Stacks(beam=beam, size=size)
        return CubeStacks(pops=pops, beam=beam, size=size)

    def after(self, states: int, seconds: float) -> tuple[Self, str]:
        """With what is left of the budgets after so much work for the same input; and the budget used up, if any."""
        if self.max_states and states >= self.max_states:
            return self, "max_states"
        if self.max_seconds and seconds >= self.max_seconds:
            return self, "max_seconds"
        left_states = self.max_states - states if self.max_states else 0
        left_seconds = self.max_seconds - seconds if self.max_seconds else 0.0
        return replace(self, max_states=left_states, max_seconds=left_seconds), ""

    def in_space(self, space: _core.SpaceOptions, *, gap: float = math.inf, **answer: Any) -> _core.SearchOptions:
        """The core's form of all options, for a space; `answer`: what else the result shall tell."""
        return _core.SearchOptions(
            self.core_search(),
            space=space,
            limits=Limits(states=self.max_states, seconds=self.max_seconds, memory=self.max_memory),
            answer=Answer(
                nbest=self.effective_nbest,
                lattice=self.effective_lattice,
                lattice_arcs=self.lattice_arcs,
                lattice_beam=self.lattice_beam,
                **answer,
            ),
            gap=gap,
        )
