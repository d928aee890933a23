"""Traversal of expressions by loops over the distinct nodes: recursion is avoided, shared nodes are visited once."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from widl._core import Expression

T = TypeVar("T")


class NodeTable:
    """The distinct nodes, arguments before their parents, the root last.

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
