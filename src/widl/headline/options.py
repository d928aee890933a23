"""Options of headline systems."""

import math
from typing import Annotated, Literal, get_args

from widl.decoder import RealizationOptions
from widl.decoder.realization import (
    DEFAULT_LATTICE_ARCS,
    DEFAULT_LOOKBACK,
    BeamOption,
    BeamSizeOption,
    LatticeArcsOption,
    LatticeBeamOption,
    LatticeOption,
    LengthUnitOption,
    LookbackOption,
    OrderOption,
    PopLimitOption,
    Search,
)
from widl.errors import InputError
from widl.headline.budget import Budget
from widl.headline.expression import PhraseOptions
from widl.headline.keyword_phrases import PaperOptions
from widl.options import LARGEST, option, option_set

SystemName = Literal["widl", "widl-paper", "lead", "hedge-trimmer", "topiary", "keywords", "webcl", "webcl-full"]
SYSTEMS: tuple[SystemName, ...] = get_args(SystemName)
"""WIDL realization, ours and the paper's, its other systems (Soricut & Marcu 2006, Table 1), and `webcl-full`."""
SEARCHED: tuple[SystemName, ...] = ("widl", "widl-paper")
"""Systems with weights and a search."""


@option_set
class HeadlineOptions:
    """Which system, how long its headlines may be, and for ``widl`` where phrases come from and how they are searched.

    Candidates of a document are distinct.
    """

    system: Annotated[
        SystemName,
        option("widl, widl-paper, lead, hedge-trimmer, topiary, keywords, webcl or webcl-full.", metavar="NAME"),
    ] = "widl"
    budget: Budget = Budget()
    search: Annotated[Search, option("astar (exact), astar-k, beam, stack, cube or bfs.")] = "astar"
    k: LookbackOption = DEFAULT_LOOKBACK
    k_unit: LengthUnitOption = RealizationOptions.k_unit
    order: OrderOption = RealizationOptions.order
    beam: BeamOption = RealizationOptions.beam
    beam_size: BeamSizeOption = 100
    pop_limit: PopLimitOption = RealizationOptions.pop_limit
    phrases: PhraseOptions = PhraseOptions()
    paper: PaperOptions = PaperOptions()
    keywords: Annotated[int, option("Number of keywords of a document.", ge=1, hidden=True)] = 10
    max_seconds: Annotated[float, option("Budget of a document's search; 0: none.", ge=0)] = 2.0
    max_states: Annotated[
        int, option("Budget of a document's search in states; 0: none.", ge=0, le=LARGEST, hidden=True)
    ] = 0
    nbest: Annotated[int, option("With --json: number of candidates of a document.", ge=1, le=1_000_000)] = 1
    lattice: LatticeOption = False
    lattice_arcs: LatticeArcsOption = DEFAULT_LATTICE_ARCS
    lattice_beam: LatticeBeamOption = math.inf
    upper: Annotated[bool, option("Headlines in capitals.")] = False

    def __post_init__(self) -> None:
        if not self.budget.words and not self.budget.bytes:
            raise InputError("a headline needs a budget of words or of bytes")

    def realization(self) -> RealizationOptions:
        """The options of search."""
        return RealizationOptions(
            search=self.search,
            k=self.k,
            k_unit=self.k_unit,
            order=self.order,
            beam=self.beam,
            beam_size=self.beam_size,
            pop_limit=self.pop_limit,
            nbest=self.nbest,
            distinct=True,
            max_words=self.budget.words,
            max_bytes=self.budget.bytes,
            max_seconds=self.max_seconds,
            max_states=self.max_states,
            lattice=self.lattice,
            lattice_arcs=self.lattice_arcs,
            lattice_beam=self.lattice_beam,
        )
