"""The states and edges that a search explored, as plain values: the core's trace can't be pickled."""

from dataclasses import dataclass, field

from widl import _core


@dataclass(frozen=True, slots=True)
class TraceState:
    """A state at the end of the search."""

    words: list[str]
    """Of the best path to the state."""
    score: float
    """Of the best path to the state."""
    bound: float
    """No derivation through the state scores more."""
    unfolded: bool
    """Whether it was expanded: its successors were generated."""
    is_goal: bool
    is_best: bool
    """Whether it is on the best path found."""


@dataclass(frozen=True, slots=True)
class TraceEdge:
    """A step between states, which are numbered from 0."""

    source: int
    target: int
    words: list[str]
    score: float


@dataclass(frozen=True, slots=True, repr=False)
class Trace:
    """States that a search reached, in order, and the edges between them; empty unless requested.

    `left_out`: number of further states reached, without dead ends.
    """

    states: list[TraceState] = field(default_factory=list)
    edges: list[TraceEdge] = field(default_factory=list)
    left_out: int = 0

    @classmethod
    def of(cls, trace: _core.Trace) -> "Trace":
        """The core's trace."""
        states = [TraceState(s.words, s.score, s.bound, s.unfolded, s.is_goal, s.is_best) for s in trace.states]
        edges = [TraceEdge(e.source, e.target, e.words, e.score) for e in trace.edges]
        return cls(states, edges, trace.left_out)

    def __repr__(self) -> str:
        return f"<Trace of {len(self.states):,} states, {len(self.edges):,} edges, {self.left_out:,} states left out>"
