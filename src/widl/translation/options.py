"""How to read, tile and search a sentence."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from widl.decoder import Algorithm, SearchOptions
from widl.errors import InputError
from widl.translation.sentence import GivenMode

UnknownWords = Literal["copy", "drop", "mark"]
UNKNOWN_MARK = "UNK"
"""What stands before an unknown word that is marked, as with Moses."""

SEARCHES = {
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

# By decoder and search: stack size, pop limit and threshold, where the user says nothing.
_DEFAULTS = {
    ("widl", "cube"): (0, 1500, 0.0),
    ("widl", "beam"): (100, 0, 1e-5),
    ("stack", "stack"): (100, 0, 1e-5),
    ("stack", "cube"): (0, 400, 0.0),
}


@dataclass(frozen=True, kw_only=True)
class TranslationOptions:
    """How to tile and search.

    decoder: ``widl``, or ``stack``, the baseline: Pharaoh's stack decoding (Koehn 2004), whose future cost knows
    nothing of movement. Both share tiles, features, models and weights.

    search: of ``widl``, ``cube`` (of equally many source words realized the most promising states, made lazily;
    `pop_limit` of each), ``astar-k`` (only states at most `k` words shorter than the longest, Soricut & Marcu 2006,
    §5; with a `margin` it goes on after its first translation while a state promises at least that score less so many
    nats), ``astar`` (exact, within the budget), ``beam`` (of equally many target words the best states) or ``bfs``
    (everything); of ``stack``, ``stack`` or ``cube`` (cube pruning, Huang & Chiang 2007). None is the decoder's first.

    stack_size, pop_limit, threshold: of each layer of ``cube``, ``beam`` and ``stack``, so many states are kept, so
    many made, and only those within this factor of the best; 0 is all, None the search's own default.
    beam_prob: alternatives need p(e|f) of at least so much of their span's best. beam_size: and only so many of
    them, best estimates first. distortion_limit: largest jump in source positions, or None. max_states,
    max_seconds: budget of a line's search, 0 for none. nbest: so many derivations, of equal strings only the best
    if `distinct`. lattice: whether results have the derivations explored; of them the `lattice_arcs` best arcs (0: all)
    whose best derivation scores at most `lattice_beam` less than the best of all.

    markup: what given translations in the input's markup are, ``exclusive`` or ``inclusive`` (they compete with the
    table's), or ``none``: there is no markup. glossary: a file of terms, with its own mode. entities: dates and
    large numbers by rule; None is ``inclusive`` from Chinese into English, else ``none``. unknown: words of the
    source language that nothing translates are copied, dropped, or marked with ``UNK``.
    """

    decoder: str = "widl"
    search: str | None = None
    k: int = 2
    margin: float = 0.0
    stack_size: int | None = None
    pop_limit: int | None = None
    threshold: float | None = None
    beam_prob: float = 0.01
    beam_size: int = 20
    distortion_limit: int | None = 6
    max_states: int = 0
    max_seconds: float = 0.0
    nbest: int = 1
    distinct: bool = True
    lattice: bool = False
    lattice_arcs: int = 2000
    lattice_beam: float = math.inf
    markup: GivenMode = "none"
    glossary: Path | None = None
    glossary_mode: GivenMode = "exclusive"
    entities: GivenMode | None = None
    unknown: UnknownWords = "copy"

    def __getstate__(self) -> dict[str, object]:
        """For other processes, whose working directory may be another."""
        return vars(self) | {"glossary": self.glossary and self.glossary.absolute()}

    def search_options(self) -> SearchOptions:
        """The core's form of the options; InputError for values that make no sense."""
        if self.decoder not in SEARCHES:
            raise InputError(f"unknown decoder {self.decoder!r}; it is one of {', '.join(SEARCHES)}")
        searches = SEARCHES[self.decoder]
        search = next(iter(searches)) if self.search is None else self.search
        if search not in searches:
            raise InputError(
                f"unknown search {search!r} of the {self.decoder} decoder; it is one of {', '.join(searches)}"
            )
        default_size, default_pops, default_threshold = _DEFAULTS.get((self.decoder, search), (0, 0, 0.0))
        size = default_size if self.stack_size is None else self.stack_size
        pops = default_pops if self.pop_limit is None else self.pop_limit
        threshold = default_threshold if self.threshold is None else self.threshold
        self._check(size, pops, threshold)
        return SearchOptions(
            algorithm=searches[search],
            lookback=self.k,
            margin=self.margin,
            beam=threshold,
            beam_size=size,
            pop_limit=pops,
            estimate_movement=self.decoder == "widl",
            nbest=self.nbest,
            distinct=self.distinct,
            distortion_limit=-1 if self.distortion_limit is None else self.distortion_limit,
            alternatives_per_span=self.beam_size,
            max_states=self.max_states,
            max_seconds=self.max_seconds,
            lattice=self.lattice,
            lattice_arcs=self.lattice_arcs,
            lattice_beam=self.lattice_beam,
        )

    def _check(self, stack_size: int, pop_limit: int, threshold: float) -> None:
        counts = {
            "k": self.k,
            "beam-size": self.beam_size,
            "stack-size": stack_size,
            "pop-limit": pop_limit,
            "max-states": self.max_states,
            "lattice-arcs": self.lattice_arcs,
        }
        for name, value in counts.items():
            if not 0 <= value < 2**31:
                raise InputError(f"{name} must not be negative or huge, but is {value}")
        for name, share in (("beam-prob", self.beam_prob), ("threshold", threshold)):
            if not 0 <= share <= 1:
                raise InputError(f"{name} must be between 0 and 1, but is {share}")
        for name, nats in (("lattice-beam", self.lattice_beam), ("margin", self.margin)):
            if not nats >= 0:
                raise InputError(f"{name} must not be negative, but is {nats}")
        for name, chosen, known in (
            ("markup", self.markup, get_args(GivenMode)),
            ("glossary-mode", self.glossary_mode, ("exclusive", "inclusive")),
            ("entities", self.entities or "none", get_args(GivenMode)),
            ("unknown", self.unknown, get_args(UnknownWords)),
        ):
            if chosen not in known:
                raise InputError(f"{name} is one of {', '.join(known)}, not {chosen!r}")
        if not 1 <= self.nbest <= 1_000_000:
            raise InputError(f"nbest must be from 1 to 1000000, but is {self.nbest}")
