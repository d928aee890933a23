"""How to make headlines."""

from dataclasses import dataclass, field

from widl.decoder import RealizationOptions
from widl.errors import InputError
from widl.headline.budget import Budget
from widl.headline.expression import PhraseOptions

SYSTEMS = ("widl", "lead", "hedge-trimmer", "topiary", "keywords", "webcl")
"""WIDL realization, and what it is compared with (Soricut & Marcu 2006, Table 1)."""

SEARCHES = ("astar", "astar-k", "beam", "bfs")


@dataclass(frozen=True, kw_only=True)
class HeadlineOptions:
    """Which system, how long its headlines may be, and for ``widl`` where phrases come from and how they are searched.

    `search` is one of `SEARCHES`; `k` words a state of astar-k may lag behind; states of beam within a factor `beam` of
    the best one of their length, and `beam_size` of them. `max_seconds` and `max_states` are the budget of one search
    (0: none). `nbest` headlines of a document, distinct ones. `keywords` are so many of a document. `upper`: all in
    capitals, as the paper prints headlines.
    """

    system: str = "widl"
    budget: Budget = field(default_factory=Budget)
    search: str = "astar"
    k: int = 2
    beam: float = 0.1
    beam_size: int = 100
    max_seconds: float = 2.0
    max_states: int = 0
    nbest: int = 1
    keywords: int = 10
    phrases: PhraseOptions = field(default_factory=PhraseOptions)
    upper: bool = False

    def __post_init__(self) -> None:
        for name, value, known in (("system", self.system, SYSTEMS), ("search", self.search, SEARCHES)):
            if value not in known:
                raise InputError(f"unknown {name} {value!r}; it is one of {', '.join(known)}")
        if not self.budget.words and not self.budget.bytes:
            raise InputError("a headline needs a budget of words or of bytes")
        if self.keywords < 1 or self.phrases.sentences < 1 or self.phrases.most < 1:
            raise InputError("keywords, sentences and phrases are at least 1")

    def realization(self) -> RealizationOptions:
        """The options of search."""
        return RealizationOptions(
            search=self.search,
            k=self.k,
            beam=self.beam,
            beam_size=self.beam_size,
            nbest=self.nbest,
            distinct=True,
            max_words=self.budget.words,
            max_bytes=self.budget.bytes,
            max_seconds=self.max_seconds,
            max_states=self.max_states,
        )
