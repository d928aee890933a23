"""Options of reading, tiling and searching a sentence."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

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
from widl.option_values import LARGEST, Limit, Megabytes
from widl.options import HelpGroups, option, option_set
from widl.translation.sentence import GivenMode, MarkupMode

_LAYERS: dict[str, Any] = {"only_with": {"search": ("stack", "beam", "cube")}}
_OF_MBR: dict[str, Any] = {"only_with": {"mbr": ()}}
_OF_LATTICES: dict[str, Any] = {"only_with": {"lattice": (), "mbr": ()}}

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

    `mbr` chooses another derivation than the best one found: that with the largest expected linear BLEU against all
    derivations of the lattice (Tromble et al. 2008). Candidates are then in the order of that gain, and no certificate
    is claimed.

    Searches of ``stack``: ``stack``, and ``cube``, cube pruning (Huang & Chiang 2007). A search of None is the first of
    the decoder; a stack size, pop limit or threshold of None is the search's default.
    """

    help_groups: ClassVar[HelpGroups] = {
        "Search": (
            *("decoder", "search", "k", "k_unit", "order", "margin", "stack_size", "pop_limit", "threshold"),
            "early_discard",
            *("beam_prob", "beam_size", "distortion_limit", "early_distortion", "reordering"),
            "monotone_at_punctuation",
        ),
        "Budgets": ("max_states", "max_seconds", "max_memory", "gap"),
        "Candidates and lattices": ("nbest", "distinct", "lattice_arcs", "lattice_beam"),
        "Consensus": ("mbr", "mbr_scale", "mbr_p", "mbr_r"),
        "Text": ("tokenized",),
        "Terms, names and unknown words": (
            *("glossary", "glossary_mode", "entities", "names", "segmentations", "rare_words", "unknown"),
        ),
    }

    decoder: Annotated[Decoder, option("widl, or stack: the baseline, as Pharaoh decodes.")] = "widl"
    search: Annotated[
        Search | None,
        option("Of widl: cube, astar (exact), astar-k, beam, bfs; of stack: stack, cube.", metavar="NAME"),
    ] = None
    k: LookbackOption = DEFAULT_LOOKBACK
    k_unit: LengthUnitOption = "positions"
    order: OrderOption = 1.0
    margin: Annotated[
        float,
        option(
            "astar-k: continue while a state's bound is within so many nats of the best score.",
            ge=0,
            only_with={"search": ("astar-k",)},
        ),
    ] = 0.0
    stack_size: Annotated[
        int | None, option("stack, beam, cube: states kept in a layer; 0: all.", ge=0, le=LARGEST, **_LAYERS)
    ] = None
    pop_limit: Annotated[
        int | None,
        option(
            "cube: states generated for a layer; 0: all.",
            ge=0,
            le=LARGEST,
            only_with={"search": ("cube",)},
        ),
    ] = None
    threshold: Annotated[
        float | None,
        option("stack, beam, cube: states need this much of the best one's probability.", ge=0, le=1, **_LAYERS),
    ] = None
    early_discard: Annotated[
        float,
        option(
            "stack, beam: leave out steps that promise so many nats less than their layer keeps; inf: none.",
            ge=0,
            only_with={"search": ("stack", "beam")},
        ),
    ] = math.inf
    beam_prob: Annotated[
        float, option("Translations need this much of their span's best p(e|f).", ge=0, le=1)
    ] = 0.01
    beam_size: Annotated[
        int, option("Largest number of translation options of a span; 0: all.", ge=0, le=LARGEST)
    ] = 20
    distortion_limit: Annotated[
        Limit, option("Largest jump in source words; 0 keeps the order; 'none' for no limit.")
    ] = 6
    reordering: Annotated[
        bool, option("Score the order of phrases by the model's reordering model, if it has one.")
    ] = True
    early_distortion: Annotated[
        bool,
        option("Jumps count the way back to the first free word at once, and the last one the way to the end."),
    ] = False
    monotone_at_punctuation: Annotated[
        bool, option("Keep clauses in their order, and what is in quotes or brackets together.")
    ] = False
    gap: Annotated[
        float,
        option("Lower the bound after the search until it is within so many nats of the score; inf: leave it.", ge=0),
    ] = math.inf
    max_states: Annotated[int, option("Budget of a line's search in states; 0: none.", ge=0, le=LARGEST)] = 0
    max_seconds: Annotated[float, option("Budget of a line's search in seconds; 0: none.", ge=0)] = 0.0
    max_memory: Annotated[
        Megabytes, option("Budget of a line's search in megabytes; 0: none.", ge=0, le=2**63 - 1)
    ] = 2_000_000_000
    nbest: Annotated[
        int, option("Number of candidates a line, written in Moses' n-best format.", ge=1, le=1_000_000)
    ] = 1
    distinct: Annotated[
        bool, option("Of candidates with equal strings, keep only the best.", only_with={"nbest": ()})
    ] = True
    mbr: Annotated[
        bool, option("Choose by expected BLEU among all derivations explored, instead of by score.")
    ] = False
    mbr_scale: Annotated[
        float,
        option("mbr: a derivation is as probable as exp(scale · score / weights of the LMs) says.", gt=0, **_OF_MBR),
    ] = 0.75
    mbr_p: Annotated[
        float, option("mbr: precision of words that the gains of n-grams expect.", gt=0, **_OF_MBR)
    ] = 0.85
    mbr_r: Annotated[
        float, option("mbr: its ratio from n-grams to those longer by a word.", gt=0, **_OF_MBR)
    ] = 0.72
    lattice: LatticeOption = False
    lattice_arcs: Annotated[int, option(LATTICE_ARCS, ge=0, le=LARGEST, **_OF_LATTICES)] = DEFAULT_LATTICE_ARCS
    lattice_beam: Annotated[float, option(LATTICE_BEAM, ge=0, **_OF_LATTICES)] = math.inf
    markup: Annotated[
        MarkupMode,
        option(
            "Translations in the input's markup: exclusive, inclusive, constraint; none: there is no markup.",
            hidden=True,
        ),
    ] = "none"
    glossary: Annotated[
        Path | None, option("File of terms: source<TAB>translation[<TAB>translation…].")
    ] = None
    glossary_mode: Annotated[
        Literal["exclusive", "inclusive"],
        option(
            "Terms of the glossary: exclusive, or inclusive: they compete with the table's translations.",
            only_with={"glossary": ()},
        ),
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
    tokenized: Annotated[
        bool, option("Input and output are tokens between blanks, in the model's spelling and casing.")
    ] = False
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
    def effective_search(self) -> str:
        """The search, or the decoder's default."""
        return self.search or next(iter(SEARCHES[self.decoder]))

    @property
    def effective_nbest(self) -> int:
        """The number of candidates that search shall find: 1 where `mbr` chooses them."""
        return 1 if self.mbr else self.nbest

    @property
    def romanizes(self) -> bool:
        """Whether Chinese words may be written in pinyin."""
        return self.unknown == "pinyin"

    @property
    def needs_lattices(self) -> bool:
        """Whether the explored derivations are needed, and not only the best ones."""
        return self.lattice or self.mbr

    def __getstate__(self) -> dict[str, object]:
        """With an absolute path of the glossary: other processes may have another working directory."""
        return vars(self) | {"glossary": self.glossary and self.glossary.absolute()}

    def of_a_piece(self, pieces: int) -> "TranslationOptions":
        """With a piece's share of the budgets of a line that is cut into so many."""
        states = -(-self.max_states // pieces)
        return replace(self, max_seconds=self.max_seconds / pieces, max_states=states)

    def search_options(self) -> SearchOptions:
        """The core's form of the options."""
        search = self.effective_search
        default_size, default_pops, default_threshold = _DEFAULTS.get((self.decoder, search), (0, 0, 0.0))
        size = default_size if self.stack_size is None else self.stack_size
        pops = default_pops if self.pop_limit is None else self.pop_limit
        threshold = default_threshold if self.threshold is None else self.threshold
        return SearchOptions(
            algorithm=SEARCHES[self.decoder][search],
            lookback=self.k,
            unit=LENGTH_UNITS[self.k_unit],
            bound_share=self.order,
            own_contexts=search == "astar-k" and self.order == 1,
            margin=self.margin,
            beam=threshold,
            beam_size=size,
            pop_limit=pops,
            early_discard=self.early_discard,
            estimate_movement=self.decoder == "widl",
            early_distortion=self.early_distortion,
            nbest=self.effective_nbest,
            distinct=self.distinct,
            distortion_limit=-1 if self.distortion_limit is None else self.distortion_limit,
            alternatives_per_span=self.beam_size,
            gap=self.gap,
            max_states=self.max_states,
            max_seconds=self.max_seconds,
            max_memory=self.max_memory,
            lattice=self.needs_lattices,
            lattice_arcs=self.lattice_arcs,
            lattice_beam=self.lattice_beam,
        )
