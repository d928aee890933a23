"""The events of a search, in order, for visualization."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from widl import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KINDS = tuple(kind.name for kind in _core.SearchEventKind)
"""``began``: a phase of the search; `scores` has the minimum score of derivations sought. ``made``: a new state.
``improved``: a better path to a state. ``recombined``: a path to a state that another path reaches with an equal or
better score. ``unfolded``: a state's successors follow; in cube pruning, one of them. ``paired``: in cube pruning, a
state's steps wait to be made. ``pruned``: a state is pruned. ``skipped``: in cube pruning, a step that is never taken.
``layer``: a layer begins. ``ended``: the remaining states keep waiting."""
REASONS = tuple(reason.name for reason in _core.SearchPruneReason)
"""Why a state was pruned. ``shorter``: astar-k, shorter than the longest state by more than k. ``threshold``: not
probable enough compared to the best state of its layer. ``full``: its layer has the maximum number of states.
"""
NONE = 2**32 - 1
"""Placeholder for the number of a state."""


@dataclass(frozen=True, slots=True, repr=False)
class SearchRecord:
    """The events of a search, in order; each array has a value for each event.

    A state waits in the frontier from ``made`` or ``improved`` until it is ``unfolded``, ``paired`` or ``pruned``; the
    goal and dead ends, whose bound is minus infinity, never do. Exact search over tiles has two phases: cube pruning,
    whose score is reachable, and A* above that score. States are numbered across both phases.
    """

    kinds: "NDArray[np.uint8]"
    """Places in `KINDS`."""
    reasons: "NDArray[np.uint8]"
    """Places in `REASONS`."""
    goals: "NDArray[np.uint8]"
    """1 where a path reaches the goal."""
    states: "NDArray[np.uint32]"
    sources: "NDArray[np.uint32]"
    """The previous state; for a state pruned as too short, the length of the longest state."""
    labels: "NDArray[np.uint32]"
    """Label of the step, see `words`; for a layer and for a state pruned as too short, its length."""
    scores: "NDArray[np.float64]"
    """Scores of the paths."""
    bounds: "NDArray[np.float64]"
    """No completion scores more."""
    estimates: "NDArray[np.float64]"
    """Inexact searches' estimates of the completion."""
    words: list[list[str]]
    """By label."""
    phrases: list[_core.RealizedPhrase]
    """By label."""
    left_out: int
    """Number of further events."""

    @classmethod
    def of(cls, realization: _core.Realization) -> "SearchRecord | None":
        """The record of a result; None if the search was run without a record."""
        record = realization.record
        if record is None:
            return None
        return cls(
            record.kinds, record.reasons, record.goals, record.nodes, record.sources, record.labels, record.scores,
            record.bounds, record.estimates, record.words, record.phrases, record.left_out,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.kinds)

    def __repr__(self) -> str:
        return f"<SearchRecord of {len(self):,} events, {self.left_out:,} left out>"
