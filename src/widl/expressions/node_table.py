"""Traversal of expressions by loops over the distinct nodes: recursion is avoided, shared nodes are visited once."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from widl._core import Expression

T = TypeVar("T")


class NodeTable:
    """The distinct nodes, arguments before those who use them, the root last.

    `arguments[i]` numbers the arguments of node ``i`` that a derivation can use: all; for a disjunction only those with
    non-zero probability in every component, `chosen[i]`; ``possible_only=False`` includes all arguments.
    """

    def __init__(self, expression: Expression, *, possible_only: bool = True) -> None:
        self.nodes, arguments = expression.nodes()
        self.chosen: list[list[int]] = []
        self.arguments: list[list[int]] = []
        for node, numbers in zip(self.nodes, arguments, strict=True):
            chosen = list(range(len(numbers)))
            if possible_only and node.kind == Expression.Kind.disjunction:
                chosen = [k for k, row in enumerate(node.probabilities) if all(row)]
            self.chosen.append(chosen)
            self.arguments.append([numbers[k] for k in chosen])
        self.used = self._used()

    def __len__(self) -> int:
        return len(self.nodes)

    def _used(self) -> list[int]:
        """Number of times each node is an argument of a node that derivations use; the root counts once."""
        used = [0] * len(self.nodes)
        used[-1] = 1
        for i in reversed(range(len(self.nodes))):
            if used[i]:
                for k in self.arguments[i]:
                    used[k] += 1
        return used

    def fold(self, combine: Callable[[int, Sequence[T]], T]) -> T:
        """The root's value; each used node's value is computed once from its arguments' values, and dropped after its
        last use."""
        values: dict[int, T] = {}
        still_used = list(self.used)
        for i, arguments in enumerate(self.arguments):
            if not self.used[i]:
                continue
            values[i] = combine(i, [values[k] for k in arguments])
            for k in arguments:
                still_used[k] -= 1
                if not still_used[k]:
                    del values[k]
        return values[len(self.nodes) - 1]


def with_arguments(node: Expression, arguments: Sequence[Expression]) -> Expression:
    """An operator of other arguments, with its distribution."""
    kinds, forms = Expression.Kind, Expression.Form
    if node.kind == kinds.precedence:
        return Expression.precedence(arguments)
    if node.kind == kinds.lock:
        return Expression.lock(arguments[0])
    if node.kind == kinds.disjunction:
        make = Expression.scored_disjunction if node.scored else Expression.disjunction
        return make(arguments, node.probabilities)
    if node.kind == kinds.tiles:
        spans = [(*span, argument) for span, argument in zip(node.spans, arguments, strict=True)]
        return Expression.tiles(node.length, spans, movement_base=node.movement_base)
    if node.form == forms.movement:
        return Expression.movement_interleave(arguments, node.movement_base)
    if node.form == forms.uniform:
        return Expression.uniform_interleave(arguments)
    return Expression.interleave(
        arguments, listed=node.listed, other_permutations=node.other_permutations, shuffles=node.shuffles
    )
