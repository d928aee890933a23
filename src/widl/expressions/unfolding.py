"""Expressions as the core unfolds them, without language models (Soricut & Marcu 2006, §2.2, UNFOLD)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from widl._core import Expression
from widl.common.errors import InputError, WrongTypeError
from widl.expressions.counting import DerivationCounts
from widl.expressions.node_table import NodeTable

ShuffleCount = Literal["normalized", "paper"]
Arc = tuple[int, str, Sequence[float]]
"""The target state, a word or an empty string, and ln of J factors of the derivations' probabilities."""


@dataclass(frozen=True)
class UnfoldedExpression:
    """States and the arcs out of each; every path from state 0 to `final` is a derivation.

    States are in the order of their first visits. Some may be dead ends, and then `final` may be -1.
    """

    arcs: Sequence[Sequence[Arc]]
    final: int
    components: int
    complete: bool
    """Whether these are all arcs, not the first `limit`."""

    def backwards(self) -> list[int]:
        """All states in reverse topological order: each after the targets of its arcs."""
        order: list[int] = []
        seen = {0}
        path = [(0, iter(self.arcs[0]))]
        while path:
            state, rest = path[-1]
            arc = next(rest, None)
            if arc is None:
                order.append(state)
                path.pop()
            elif arc[0] not in seen:
                seen.add(arc[0])
                path.append((arc[0], iter(self.arcs[arc[0]])))
        return order


def unfold(expression: Expression, *, limit: int, shuffle_count: ShuffleCount = "normalized") -> UnfoldedExpression:
    """The first `limit` arcs of an expression's acceptor, breadth first.

    Under ``shuffle_count="paper"`` the mass of `shuffles` is divided by their number over all derivations of the
    arguments (Figure 1 of Soricut & Marcu 2006), not of the derivation at hand.
    """
    check_unfoldable(expression, shuffle_count)
    counts = DerivationCounts(NodeTable(expression)).shuffles if shuffle_count == "paper" else {}
    logs = {i: math.log(count) for i, count in counts.items()}
    core_arcs, states, final, complete = expression.acceptor(limit, logs)
    arcs: list[list[Arc]] = [[] for _ in range(states)]
    for source, target, word, factors in core_arcs:
        arcs[source].append((target, word, factors))
    return UnfoldedExpression(arcs, final, max(1, expression.components), complete)


def check_unfoldable(expression: Expression, shuffle_count: ShuffleCount) -> None:
    """WrongTypeError or InputError for an invalid expression or shuffle count."""
    if not isinstance(expression, Expression):
        raise WrongTypeError(f"expression: found {type(expression).__name__}; pass an expression, such as parse(text)")
    if shuffle_count not in ("normalized", "paper"):
        raise InputError(f"unknown shuffle_count {shuffle_count!r}; expected 'normalized' or 'paper'")


def probability_of(log: float) -> float:
    """e^log rounded to 14 digits, the precision of the logarithms, so that 0.1 is read back as 0.1."""
    return float(f"{math.exp(log):.14g}")


def log_sum(logs: Iterable[float]) -> float:
    """ln Σ e^log of one or more."""
    values = list(logs)
    most = max(values)
    return most + math.log(math.fsum(math.exp(value - most) for value in values))
