"""Results of tuning: its iterations, and the weights whose decoding scored best."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from widl.common.arguments import counted


@dataclass(frozen=True)
class Iteration:
    """An iteration: one decoding of all sentences, and the optimization on all candidates collected."""

    number: int
    weights: dict[str, float]
    """The weights of the decoding."""
    score: float
    """The objective on the decoder's best candidates, in points."""
    values: dict[str, float]
    """Each metric separately, on the same candidates."""
    new_candidates: int
    candidates: int
    """Number of candidates of all iterations up to this one."""
    next_weights: dict[str, float] | None
    """The best weights on all candidates collected; None if tuning stopped before it optimized them."""
    promised: float | None
    """The objective that `next_weights` reach on all candidates so far."""
    stopped: str | None
    """Why this is the last iteration."""
    seconds: float


@dataclass(frozen=True, repr=False)
class TuningResult:
    """The weights whose decoding scored best, and all iterations."""

    weights: dict[str, float]
    """All weights of the model."""
    score: float
    values: dict[str, float]
    iterations: list[Iteration]

    def __repr__(self) -> str:
        scores = f"{self.iterations[0].score:.2f} -> {self.score:.2f}"
        return f"<TuningResult {scores}, {len(self.weights)} weights, {counted(len(self.iterations), 'iteration')}>"

    def records(self) -> list[dict[str, Any]]:
        """A record for each iteration, for tables of data: its number, score, metrics and weights."""
        return [
            {
                "number": iteration.number,
                "score": iteration.score,
                **iteration.values,
                "candidates": iteration.candidates,
                **iteration.weights,
            }
            for iteration in self.iterations
        ]

    def _repr_html_(self) -> str:
        """The iterations as a table, for notebooks."""
        from widl.pages import records_html

        return records_html(self.records())

    @property
    def moved(self) -> bool:
        """Whether the weights differ from the start weights."""
        start = self.iterations[0].weights
        return any(self.weights[name] != weight for name, weight in start.items())

    @property
    def stopped(self) -> str:
        """Why tuning ended."""
        return self.iterations[-1].stopped or ""


def is_gain(result: TuningResult, unfitted_score: float | None = None) -> bool:
    """Whether the weights score better than those at the start; or than weights with this score, from which the start
    was fitted to the references.
    """
    return result.moved if unfitted_score is None else result.score > unfitted_score


def best_iteration(iterations: Sequence[Iteration]) -> Iteration:
    """The iteration whose decoding scored best, the first in case of ties; its weights are the result."""
    return max(iterations, key=lambda iteration: iteration.score)
