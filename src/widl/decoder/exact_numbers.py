"""An expression's probabilities as fractions: 0.1 counts as 1/10, so equal probabilities are equal."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from widl._core import Expression
from widl.decoder.node_table import NodeTable

Probabilities: TypeAlias = tuple[Fraction, ...]
"""One per component."""


class ExactNumbers:
    """Probabilities of an expression's operators, as many components everywhere as the expression has."""

    def __init__(self, table: NodeTable) -> None:
        self.table = table
        self.one: Probabilities = (Fraction(1),) * max(1, table.nodes[-1].components)

    def choice_rows(self, i: int, node: Expression) -> list[Probabilities]:
        """Of disjunction i: the probabilities of the arguments that a derivation can use."""
        rows = node.probabilities
        if not node.scored and all(row == [1 / len(rows)] for row in rows):  # ∨(a, b, c): no decimals were written
            return [(Fraction(1, len(rows)),) * len(self.one)] * len(rows)
        return [self.vector(rows[k]) for k in self.table.chosen[i]]

    def vector(self, numbers: Sequence[float]) -> Probabilities:
        """Decimal fractions as written; a single one counts in every component."""
        exact = tuple(Fraction(repr(number)) for number in numbers)
        return exact if len(exact) == len(self.one) else exact * len(self.one)

    def product(self, x: Probabilities, y: Probabilities) -> Probabilities:
        """The product in every component."""
        if x is self.one or y is self.one:
            return y if x is self.one else x
        return tuple(a * b for a, b in zip(x, y, strict=True))
