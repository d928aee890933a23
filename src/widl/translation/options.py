"""Options of reading, tiling and searching a sentence."""

import math
from pathlib import Path
from typing import Annotated, Literal

from widl.decoder import Algorithm, SearchOptions
from widl.decoder.realization import (
    DEFAULT_LATTICE_ARCS,
    DEFAULT_LOOKBACK,
    LATTICE_ARCS,
    LATTICE_BEAM,
    LENGTH_UNITS,
    LatticeOption,
    LengthUnitOption,
    LookbackOption,
    OrderOption,
)
from widl.errors import InputError
from widl.options import LARGEST, Limit, option, option_set
from widl.translation.sentence import GivenMode

Decoder = Literal["widl", "stack"]
Search = Literal["cube", "astar", "astar-k", "beam", "bfs", "stack"]
UnknownWords = Literal["pinyin", "copy", "drop", "mark"]
UNKNOWN_MARK = "UNK"
"""The prefix of a marked unknown word, as in Moses."""

SEARCHES: dict[str, dict[str, Algorithm]] = {
    "widl": {
        "cube": Algorithm.cube,
        "astar": Algorithm.astar,
        "astar-k": Algorithm.astar_k,
        "beam": Algorithm.beam,
        "bfs": Algorithm.bfs,
    },
    "stack": {"stack": Algorithm.stack, "cube": Algorithm.cube},
}
"""The searches of each decoder; the first is its default."""

# By decoder and search: default stack size, pop limit and threshold.
_DEFAULTS = {
    ("widl", "cube"): (0, 1500, 0.0),
    ("widl", "beam"): (100, 0, 1e-5),
    ("stack", "stack"): (100, 0, 1e-5),
    # The baseline's limit is that of its comparison: moses2's speed and score in docs/results.md are at this limit.
    ("stack", "cube"): (0, 400, 0.0),
}


@option_set
class TranslationOptions:
    """Options of tiling and search.

    The decoder ``stack`` is Pharaoh's (Koehn 2004), whose future cost leaves out movement. Both decoders share tiles,
    features, models and weights. Searches of ``widl``:

    - ``cube``: layers of states with equally many source words covered, the best of each generated lazily;
    - ``astar``: exact, within the budget;
    - ``astar-k``: only states at most `k` shorter than the longest, in `k_unit`, by `order` (Soricut & Marcu 2006, §5);
    - ``beam``: layers of states with equally many target words, the best of each;
    - ``bfs``: all states.

    Searches of ``stack``: ``stack``, and ``cube``, cube pruning (Huang & Chiang 2007). A search of None is the first of
    the decoder; a stack size, pop limit or threshold of None is the search's default.
    """

    decoder: Annotated[Decoder, option("widl, or stack: the baseline, as Pharaoh decodes.")] = "widl"
    search: Annotated[
        Search | None,
        option("Of widl: cube, astar (exact), astar-k, beam, bfs; of stack: stack, cube.", metavar="NAME"),
    ] = None
    k: LookbackOption = DEFAULT_LOOKBACK
    k_unit: LengthUnitOption = "positions"
    order: OrderOption = 1.0
    margin: Annotated[
        float, option("astar-k: continue while a state's bound is within so many nats of the best score.", ge=0)
    ] = 0.0
    stack_size: Annotated[
        int | None, option("stack, beam, cube: states kept in a layer; 0: all.", ge=0, le=LARGEST)
    ] = None
    pop_limit: Annotated[int | None, option("cube: states generated for a layer; 0: all.", ge=0, le=LARGEST)] = None
    threshold: Annotated[
        float | None, option("stack, beam, cube: states need this much of the best one's probability.", ge=0, le=1)
    ] = None
    beam_prob: Annotated[
        float, option("Translations need this much of their span's best p(e|f).", ge=0, le=1)
    ] = 0.01
    beam_size: Annotated[
        int, option("Largest number of translation options of a span; 0: all.", ge=0, le=LARGEST)
    ] = 20
    distortion_limit: Annotated[
        Limit, option("Largest jump in source words; 0 keeps the order; 'none' for no limit.")
    ] = 6
    gap: Annotated[
        float,
        option("Lower the bound after the search until it is within so many nats of the score; inf: leave it.", ge=0),
    ] = math.inf
    max_states: Annotated[int, option("Budget of a line's search in states; 0: none.", ge=0, le=LARGEST)] = 0
    max_seconds: Annotated[float, option("Budget of a line's search in seconds; 0: none.", ge=0)] = 0.0
    nbest: Annotated[
        int, option("Number of candidates a line, written in Moses' n-best format.", ge=1, le=1_000_000)
    ] = 1
    distinct: Annotated[bool, option("Of candidates with equal strings, keep only the best.")] = True
    lattice: LatticeOption = False
    lattice_arcs: Annotated[int, option(LATTICE_ARCS, ge=0, le=LARGEST)] = DEFAULT_LATTICE_ARCS
    lattice_beam: Annotated[float, option(LATTICE_BEAM, ge=0)] = math.inf
    markup: Annotated[
        GivenMode,
        option("Translations in the input's markup: exclusive, inclusive; none: there is no markup.", hidden=True),
    ] = "none"
    glossary: Annotated[
        Path | None, option("File of terms: source<TAB>translation[<TAB>translation…].")
    ] = None
    glossary_mode: Annotated[
        Literal["exclusive", "inclusive"],
        option("Terms of the glossary: exclusive, or inclusive: they compete with the table's translations."),
    ] = "exclusive"
    entities: Annotated[
        GivenMode | None,
        option("Dates and numbers by rule: none, inclusive (zh to en: the default) or exclusive."),
    ] = None
    names: Annotated[bool, option("Names of people and places that the table lacks by rule (zh to en).")] = True
    segmentations: Annotated[
        Literal["all", "one"],
        option("Of Chinese: all: those of unknown and rare words compete; one: the segmenter's.", metavar="CHOICE"),
    ] = "all"
    rare_words: Annotated[
        int,
        option("Words seen at most so often in training compete with their parts and the dictionary's entries.", ge=0),
    ] = 2
    unknown: Annotated[
        UnknownWords, option("Words that nothing translates: pinyin (of Chinese), copy, drop, or mark with UNK.")
    ] = "pinyin"

    def __post_init__(self) -> None:
        searches = SEARCHES[self.decoder]
        if self.search is not None and self.search not in searches:
            raise InputError(
                f"unknown search {self.search!r} of the {self.decoder} decoder; it is one of {', '.join(searches)}"
            )

    @property
    def romanizes(self) -> bool:
        """Whether Chinese words may be written in pinyin."""
        return self.unknown == "pinyin"

    def __getstate__(self) -> dict[str, object]:
        """With an absolute path of the glossary: other processes may have another working directory."""
        return vars(self) | {"glossary": self.glossary and self.glossary.absolute()}

    def search_options(self) -> SearchOptions:
        """The core's form of the options."""
        searches = SEARCHES[self.decoder]
        search: str = self.search or next(iter(searches))
        default_size, default_pops, default_threshold = _DEFAULTS.get((self.decoder, search), (0, 0, 0.0))
        size = default_size if self.stack_size is None else self.stack_size
        pops = default_pops if self.pop_limit is None else self.pop_limit
        threshold = default_threshold if self.threshold is None else self.threshold
        return SearchOptions(
            algorithm=searches[search],
            lookback=self.k,
            unit=LENGTH_UNITS[self.k_unit],
            bound_share=self.order,
            own_contexts=search == "astar-k" and self.order == 1,
            margin=self.margin,
            beam=threshold,
            beam_size=size,
            pop_limit=pops,
            estimate_movement=self.decoder == "widl",
            nbest=self.nbest,
            distinct=self.distinct,
            distortion_limit=-1 if self.distortion_limit is None else self.distortion_limit,
            alternatives_per_span=self.beam_size,
            gap=self.gap,
            max_states=self.max_states,
            max_seconds=self.max_seconds,
            lattice=self.lattice,
            lattice_arcs=self.lattice_arcs,
            lattice_beam=self.lattice_beam,
        )
