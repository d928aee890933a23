"""Options of headline systems."""

import math
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, get_args

from widl.decoder import RealizationOptions
from widl.decoder.realization import (
    DEFAULT_LATTICE_ARCS,
    DEFAULT_LOOKBACK,
    KEEP_LATTICE,
    BeamOption,
    BeamSizeOption,
    LatticeArcsOption,
    LatticeBeamOption,
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
from widl.headline.required_terms import MOST_TERMS
from widl.headline.words import keys_of
from widl.option_values import LARGEST
from widl.options import HelpGroups, fields_of, option, option_set, used_options

SystemName = Literal[
    "widl", "packing", "widl-paper", "lead", "hedge-trimmer", "topiary", "keywords", "webcl", "webcl-full"
]
SYSTEMS: tuple[SystemName, ...] = get_args(SystemName)
"""Clauses, packings of phrases, the paper's systems (Soricut & Marcu 2006, Table 1), and `webcl-full`."""
SEARCHED: tuple[SystemName, ...] = ("widl", "packing", "widl-paper")
"""Systems with weights and a search."""
_OF_SEARCHES: dict[str, Any] = {"only_with": {"system": SEARCHED}}
_OF_TERMS: dict[str, Any] = {"only_with": {"system": ("widl", "packing")}}
Letters = Literal["sentence", "title", "capitals"]


@option_set
class HeadlineOptions:
    """Which system, how long its headlines may be, and where clauses and phrases come from and how they are searched.

    Candidates of a document are distinct.
    """

    help_groups: ClassVar[HelpGroups] = {
        "Search": ("search", "k", "k_unit", "order", "beam", "beam_size", "pop_limit", "max_seconds"),
    }

    system: Annotated[
        SystemName,
        option(
            "widl, packing, widl-paper, lead, hedge-trimmer, topiary, keywords, webcl or webcl-full.", metavar="NAME"
        ),
    ] = "widl"
    budget: Budget = Budget()
    search: Annotated[Search, option("astar (exact), astar-k, beam, stack, cube or bfs.", **_OF_SEARCHES)] = "astar"
    k: LookbackOption = DEFAULT_LOOKBACK
    k_unit: LengthUnitOption = RealizationOptions.k_unit
    order: OrderOption = RealizationOptions.order
    beam: BeamOption = RealizationOptions.beam
    beam_size: BeamSizeOption = 100
    pop_limit: PopLimitOption = RealizationOptions.pop_limit
    phrases: PhraseOptions = PhraseOptions()
    paper: PaperOptions = PaperOptions()
    keywords: Annotated[
        int,
        option(
            "Number of keywords of a document.",
            ge=1,
            hidden=True,
            only_with={"system": ("widl", "packing", "topiary", "keywords", "webcl", "webcl-full")},
        ),
    ] = 10
    max_seconds: Annotated[float, option("Budget of a document's search; 0: none.", ge=0, **_OF_SEARCHES)] = 2.0
    max_states: Annotated[
        int,
        option("Budget of a document's search in states; 0: none.", ge=0, le=LARGEST, hidden=True, **_OF_SEARCHES),
    ] = 0
    must: Annotated[
        Sequence[str], option("A word or name that headlines must contain. Repeatable.", metavar="TERM", **_OF_TERMS)
    ] = ()
    without: Annotated[
        Sequence[str], option("A word that headlines must not contain. Repeatable.", metavar="WORD", **_OF_TERMS)
    ] = ()
    nbest: Annotated[int, option("Number of candidates of a document.", ge=1, le=1_000_000, **_OF_SEARCHES)] = 1
    lattice: Annotated[bool, option(KEEP_LATTICE, hidden=True, **_OF_SEARCHES)] = False
    lattice_arcs: LatticeArcsOption = DEFAULT_LATTICE_ARCS
    lattice_beam: LatticeBeamOption = math.inf
    explain: Annotated[
        bool, option("Tell what each headline leaves out, how probable that is, and what had to stay.")
    ] = False
    only_sure: Annotated[
        float, option("Print an empty line where the confidence in a headline is below P.", metavar="P", ge=0, le=1)
    ] = 0.0
    letters: Annotated[Letters, option("Letters of headlines: sentence, title or capitals.")] = "sentence"

    def __post_init__(self) -> None:
        if not self.budget.words and not self.budget.bytes:
            raise InputError("a headline needs a budget of words or of bytes")
        for term in (*self.must, *self.without):
            if not keys_of(term):
                raise InputError(f"the term {term!r} has no letters or digits")
        if len(self.must) > MOST_TERMS:
            raise InputError(f"{len(self.must)} terms that headlines must contain; at most {MOST_TERMS} are possible")

    def realization(self) -> RealizationOptions:
        """The options of search. An expression of clauses is small: a tighter bound takes longer than search does."""
        own = {one.name for one in fields_of(RealizationOptions)}
        return RealizationOptions(
            bound="static" if self.system == "widl" else RealizationOptions.bound,
            distinct=self.nbest > 1,
            max_words=self.budget.words,
            max_bytes=self.budget.bytes,
            **{name: value for name, value in used_options(self).items() if name in own},
        )
