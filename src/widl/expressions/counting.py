"""Counts the derivations of an expression exactly, without enumerating them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from widl._core import Expression
from widl.common.argument_types import checked
from widl.common.errors import InputError
from widl.expressions.node_table import NodeTable
from widl.expressions.parsing import expression_of

_MAX_BITS = 1 << 21  # of a count, about 600,000 digits
_MAX_STEPS = 5_000_000  # about a microsecond each

Counts = dict[int, int]
"""Numbers of units → numbers of derivations with that many units."""


@checked
def written_size(expression: Expression | str) -> int:
    """Number of nodes with shared parts written out; `Expression.size` counts shared parts once.

    >>> from widl.expressions import seq
    >>> twice = seq("a", "b")
    >>> (seq(twice, twice).size, written_size(seq(twice, twice)))
    (4, 7)
    """
    table = NodeTable(expression_of(expression), possible_only=False)
    return table.fold(lambda _, arguments: 1 + sum(arguments))


@checked
def count_derivations(expression: Expression | str) -> int:
    """The exact number of derivations that have non-zero probability (in every component).

    A derivation fixes every choice and every interleaving; two derivations may give the same string.

    >>> from widl.expressions import bag
    >>> count_derivations(bag("a rose is a rose"))
    120
    """
    return DerivationCounts(NodeTable(expression_of(expression))).total


@dataclass
class DerivationCounts:
    """Counts per node, bottom up: maps from numbers of units, because interleavings depend on them."""

    table: NodeTable
    total: int = 0
    work: int = 0
    """Sum of the used nodes' counts: the number of partial derivations that an enumeration writes."""
    shuffles: dict[int, int] = field(default_factory=dict)
    """Number of shuffles per interleave that has any, over all derivations of its arguments."""
    _steps: int = 0

    def __post_init__(self) -> None:
        self._units_needed = self._mark_units_needed()
        self.total = sum(self.table.fold(self._count).values())

    def _mark_units_needed(self) -> list[bool]:
        """Whether a shuffle further up depends on a node's units; otherwise all its derivations count alike."""
        needed = [False] * len(self.table)
        for i in reversed(range(len(self.table))):
            node = self.table.nodes[i]
            is_needed = node.kind != Expression.Kind.lock and (
                needed[i] or (node.kind == Expression.Kind.interleave and may_shuffle(node))
            )
            for k in self.table.arguments[i]:
                needed[k] = needed[k] or is_needed
        return needed

    def _count(self, i: int, arguments: Sequence[Counts]) -> Counts:
        node, kinds = self.table.nodes[i], Expression.Kind
        if node.kind == kinds.word:
            counts = {1: 1}
        elif node.kind == kinds.lock:
            counts = {1: sum(arguments[0].values())}
        elif node.kind == kinds.precedence:
            counts = self._join(arguments)
        elif node.kind == kinds.disjunction:
            counts = _sum(arguments)
        elif node.kind == kinds.interleave:
            counts = self._interleave(i, node, arguments)
        else:
            counts = self._tiles(node, arguments)
        if not self._units_needed[i]:
            counts = {0: sum(counts.values())}
        self.work += sum(counts.values())
        return counts

    def _interleave(self, i: int, node: Expression, arguments: Sequence[Counts]) -> Counts:
        n = len(arguments)
        if node.form == Expression.Form.uniform:
            return (
                self._join(arguments, interleaved=True)
                if may_shuffle(node)
                else self._times(self._join(arguments), self._factorial(n))
            )
        orders = self._factorial(n) if node.form == Expression.Form.movement else self._listed_orders(node, n)
        joined = self._join(arguments)
        counts = self._times(joined, orders)
        if may_shuffle(node):
            permutations = self._factorial(n)
            shuffled = {
                u: count - permutations * joined[u] for u, count in self._join(arguments, interleaved=True).items()
            }
            self.shuffles[i] = sum(shuffled.values())
            counts = _sum([counts, shuffled])
        return {u: count for u, count in counts.items() if count}

    def _listed_orders(self, node: Expression, n: int) -> int:
        orders = sum(all(p) for _, p in node.listed)
        return orders + (self._factorial(n) - len(node.listed) if all(node.other_permutations) else 0)

    def _tiles(self, node: Expression, arguments: Sequence[Counts]) -> Counts:
        """Over segmentations: how many of m tiles there are, times the m! orders to realize them in."""
        covers: dict[int, dict[int, Counts]] = {0: {0: {0: 1}}}
        for (begin, end), counts in sorted(zip(node.spans, arguments, strict=True), key=lambda pair: pair[0]):
            for m, so_far in covers.get(begin, {}).items():
                longer = self._join([so_far, counts])
                by_tiles = covers.setdefault(end, {})
                by_tiles[m + 1] = _sum([by_tiles.get(m + 1, {}), longer])
        return _sum([self._times(counts, self._factorial(m)) for m, counts in covers[node.length].items()])

    def _join(self, arguments: Sequence[Counts], *, interleaved: bool = False) -> Counts:
        """All combinations of the arguments' derivations, counted once each, or once per interleaving of their
        units.
        """
        joined = {0: 1}
        for counts in arguments:
            longer: Counts = {}
            for u, x in joined.items():
                for v, y in counts.items():
                    product = self._multiply(x, y)
                    if interleaved:
                        product = self._multiply(product, self._binomial(u + v, v))
                    longer[u + v] = longer.get(u + v, 0) + product
            joined = longer
        return joined

    def _times(self, counts: Counts, factor: int) -> Counts:
        return {u: self._multiply(count, factor) for u, count in counts.items()}

    def _multiply(self, x: int, y: int) -> int:
        bits = x.bit_length() + y.bit_length()
        if bits > _MAX_BITS:
            self._too_many()
        self._step(1 + min(x.bit_length(), y.bit_length()) * bits // 100_000_000)
        return x * y

    def _binomial(self, n: int, k: int) -> int:
        k = min(k, n - k)
        if min(n, k * n.bit_length()) > _MAX_BITS:
            self._too_many()
        self._step(1 + k * n // 65536)
        return math.comb(n, k)

    def _factorial(self, n: int) -> int:
        if n > 1 and n * math.log2(n / math.e) > _MAX_BITS:
            self._too_many()
        self._step(1 + n // 100)
        return math.factorial(n)

    def _step(self, steps: int) -> None:
        self._steps += steps
        if self._steps > _MAX_STEPS:
            raise InputError(
                "the expression is too large to count its derivations: "
                "interleaves of arguments that may have thousands of different numbers of units"
            )

    def _too_many(self) -> None:
        raise InputError(f"the expression has too many derivations to count: more than 2^{_MAX_BITS}")


def may_shuffle(interleave: Expression) -> bool:
    """Whether an interleave has derivations that are not permutations of its arguments."""
    if interleave.form == Expression.Form.movement or len(interleave.arguments) < 2:
        return False
    positive = interleave.form == Expression.Form.uniform or all(interleave.shuffles)
    return positive and any(argument.max_units > 1 for argument in interleave.arguments)


def _sum(maps: Sequence[Counts]) -> Counts:
    total: Counts = {}
    for counts in maps:
        for u, count in counts.items():
            total[u] = total.get(u, 0) + count
    return total
