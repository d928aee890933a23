"""Compares a decoder's best path through its lattice with the best path under a model."""

from dataclasses import dataclass
from typing import Any

from widl._core import Lattice
from widl.common.argument_types import checked
from widl.decoder.realization_results import RealizationResult
from widl.decoder.realizer import Realizer


@dataclass(frozen=True)
class Audit:
    """The best path of a lattice under a realizer's model, and the decoder's path, which is best under the lattice's
    own scores.

    own_score: the score of the decoder's path under the realizer's model.
    """

    best: RealizationResult
    own: str
    own_score: float

    @property
    def loss(self) -> float:
        """Difference between the best path found and the decoder's path, in nats."""
        return max(self.best.score - self.own_score, 0.0)

    @property
    def max_loss(self) -> float:
        """Upper bound on the gap to the best path, in nats."""
        return max(self.best.bound - self.own_score, 0.0)

    def as_dict(self) -> dict[str, Any]:
        """The best path's result in JSON, and the decoder's path."""
        audit = {"own": self.own, "own_score": self.own_score, "loss": self.loss, "max_loss": self.max_loss}
        return {**self.best.as_dict(), "audit": audit}


@checked
def audit_lattice(lattice: Lattice, realizer: Realizer, best: RealizationResult) -> Audit:
    """The loss, under a realizer's model, of the path that the decoder's own scores prefer.

    >>> lattice = Lattice.from_arcs([(0, 1, "a cat", -1.0), (0, 1, "cats", -0.5)], {1: 0.0})
    >>> realizer = Realizer([], {"word_count": 1.0})
    >>> audit = audit_lattice(lattice, realizer, realizer.realize_one(lattice))
    >>> audit.best.text, audit.own, audit.loss
    ('a cat', 'cats', 0.5)
    """
    lattice_best = Realizer([]).realize_one(lattice).best
    return Audit(best, lattice_best.text, realizer.score_of(lattice_best, lattice))
