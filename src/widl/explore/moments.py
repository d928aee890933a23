"""What can be seen of a search: a state that waits, an event, a moment, the way of a derivation."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Waiting:
    """A state in the frontier."""

    state: int
    words: list[str]
    score: float
    """Of the best path to it."""
    completion: float
    """What orders the frontier, beside the score: the bound or the estimate of the rest, or a mixture."""

    @property
    def promise(self) -> float:
        """By which the frontier is ordered."""
        return self.score + self.completion


@dataclass(frozen=True, slots=True)
class Happening:
    """An event of a step."""

    kind: str
    state: int
    """`NONE`: of no state."""
    words: list[str]
    """Of the path that arrives, or of the state's best."""
    score: float
    bound: float
    """Of the path and its completion."""
    is_goal: bool = False
    reason: str = ""
    length: int = 0
    """Of a layer, and of a state that was too short."""
    longest: int = 0
    """Of states, when this one was too short."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A search after one of its steps."""

    step: int
    happenings: list[Happening]
    """The first event, then arrivals and what was put aside, of many the first and the most promising."""
    counts: dict[str, int]
    """All events of the step by kind."""
    frontier: list[Waiting]
    """Its most promising states."""
    waiting: int
    """All states of the frontier."""
    made: int
    unfolded: int
    pruned: int
    best: float
    """Score of the best derivation so far; minus infinity while there is none."""
    best_words: list[str]
    upper: float
    """No derivation scores more."""
    ended: bool
    phase_is_quick: bool = False
    """Whether this is the cube pruning that comes before A* over tiles."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A state on the way of a derivation that is followed through a search."""

    state: int
    words: list[str]
    score: float
    """Of the derivation so far."""
    step: int
    """When it arrived."""


@dataclass(frozen=True, slots=True)
class Followed:
    """How far a search came with a derivation, and why no further."""

    stops: list[Stop]
    why: Literal["found", "pruned", "waiting", "skipped", "floor", "forgotten"]
    """``found``: it arrived at the goal. ``waiting``: the search ended before its turn. ``floor``: it is worse than a
    score known to be reached. ``forgotten``: the record ends before."""
    lost: Happening | None = None
    """Where it was pruned or skipped."""
    step: int = 0
    """When."""

    @property
    def found(self) -> bool:
        """Whether it arrived at the goal."""
        return self.why == "found"
