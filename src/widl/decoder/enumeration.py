"""The strings of an expression with their exact probabilities, all derivations written out.

The reference for every search, and the semantics of docs/expressions.md in executable form.
Probabilities are fractions: 0.1 counts as 1/10, so equal probabilities are equal.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal, TypeAlias, TypeVar

from widl._core import Expression
from widl.common.errors import InputError
from widl.common.options import option, option_set
from widl.decoder.counting import DerivationCounts
from widl.decoder.exact_numbers import ExactNumbers, Probabilities
from widl.decoder.node_table import NodeTable

ShuffleCount = Literal["normalised", "paper"]
# The string of a derivation, still in pieces: a word, pieces in a row, or (a list) a locked block.
_Pieces: TypeAlias = "str | tuple[_Pieces, ...] | list[_Pieces]"
_Derivation: TypeAlias = tuple[_Pieces, Probabilities]
_T = TypeVar("_T")

_MAX_WORDS = 100_000_000  # written in all
_MAX_PARTIAL = 100  # partial derivations, per derivation of the limit


@dataclass(frozen=True, slots=True)
class WeightedString:
    """A string of an expression, with the sum of its derivations' probabilities in every component."""

    string: str
    exact: Probabilities

    @property
    def probabilities(self) -> tuple[float, ...]:
        """The J probabilities (or scores, where the expression has scores)."""
        return tuple(map(float, self.exact))

    @property
    def probability(self) -> float:
        """The first component's probability; the only one of most expressions."""
        return float(self.exact[0])


@option_set
class EnumerationOptions:
    """How much is written out; see `enumerate_strings`."""

    limit: Annotated[
        int, option("Maximum number of derivations to enumerate, or of arcs of an acceptor.", ge=1)
    ] = 100_000
    shuffle_count: Annotated[
        ShuffleCount, option("How to divide the mass of shuffles: normalised, or as the 2006 paper does.")
    ] = "normalised"


def enumerate_strings(
    expression: Expression,
    *,
    limit: int = EnumerationOptions.limit,
    shuffle_count: ShuffleCount = EnumerationOptions.shuffle_count,
) -> list[WeightedString]:
    """All strings with their probabilities, most probable first, equally probable ones in order.

    The derivations are counted first; more than `limit` are refused. With ``shuffle_count="paper"``
    the mass of `shuffles` is divided as in Figure 1 of Soricut & Marcu (2006): by the number of
    shuffles over all derivations of the arguments, not of the derivation at hand, which
    gives their 0.1/12 where 0.1/6 sums to 1. With expmove, tiles and scores the numbers are scores, movement among
    them: e^(h of ``widl`` + h of ``distortion``) of `Realized.features`, summed over the derivations of a string.

    >>> from widl.decoder import interleave, seq
    >>> expression = interleave(seq("a", "b"), "c", order={(1, 2): 0.8}, perms=0.15, shuffles=0.05)
    >>> for result in enumerate_strings(expression):
    ...     print(result.probability, result.string)
    0.8 a b c
    0.15 c a b
    0.05 a c b
    """
    if not isinstance(expression, Expression):
        raise TypeError(f"expression: found {type(expression).__name__}; pass an expression, such as parse(text)")
    if shuffle_count not in ("normalised", "paper"):
        raise InputError(f"unknown shuffle_count {shuffle_count!r}; expected 'normalised' or 'paper'")
    table = NodeTable(expression)
    counts = DerivationCounts(table)
    _require_few(table, counts, limit)
    writer = _Writer(table, counts, shuffle_count)
    sums: dict[str, Probabilities] = {}
    for pieces, p in table.fold(writer.write):
        string = " ".join(_words(pieces))
        previous = sums.get(string)
        sums[string] = p if previous is None else tuple(x + y for x, y in zip(previous, p, strict=True))
    ranked = sorted(sums.items(), key=lambda item: (tuple(-x for x in item[1]), item[0]))
    return [WeightedString(string, p) for string, p in ranked]


def _require_few(table: NodeTable, counts: DerivationCounts, limit: int) -> None:
    if counts.total > limit:
        shown = str(counts.total) if counts.total < 10**15 else f"about 10^{round(math.log10(counts.total))}"
        raise InputError(f"the expression has {shown} derivations, more than the limit of {limit}; "
                         "count them, realize the best, or raise the limit")

    def most_words(i: int, arguments: Sequence[int]) -> int:
        node = table.nodes[i]
        if node.kind == Expression.Kind.disjunction:
            return max(arguments)
        if node.kind == Expression.Kind.tiles:
            return min(sum(arguments), node.length * max(arguments))
        return sum(arguments) if arguments else 1

    words = table.fold(most_words) * counts.total
    if words > _MAX_WORDS or counts.work > len(table) + _MAX_PARTIAL * max(limit, 1000):
        raise InputError("the expression is too large to write out its strings")


class _Writer(ExactNumbers):
    """All derivations of a node from those of its arguments."""

    def __init__(self, table: NodeTable, counts: DerivationCounts, shuffle_count: ShuffleCount) -> None:
        super().__init__(table)
        self.counts = counts
        self.paper = shuffle_count == "paper"

    def write(self, i: int, arguments: Sequence[list[_Derivation]]) -> list[_Derivation]:
        """The derivations of node i, of arguments that can be used."""
        node, kinds = self.table.nodes[i], Expression.Kind
        if node.kind == kinds.word:
            return [(node.text, self.one)]
        if node.kind == kinds.lock:
            return [(pieces if isinstance(pieces, str) else [pieces], p) for pieces, p in arguments[0]]
        if node.kind == kinds.precedence:
            return [(pieces, p) for pieces, p in self.combinations(arguments)]
        if node.kind == kinds.disjunction:
            rows = self.choice_rows(i, node)
            return [
                (pieces, self.product(p, row))
                for row, argument in zip(rows, arguments, strict=True)
                for pieces, p in argument
            ]
        if node.kind == kinds.tiles:
            return list(self.tiles(node, arguments))
        return list(self.interleave(i, node, arguments))

    def combinations(
        self, arguments: Sequence[Sequence[tuple[_T, Probabilities]]]
    ) -> Iterator[tuple[tuple[_T, ...], Probabilities]]:
        """One derivation of every argument."""
        for chosen in itertools.product(*arguments):
            p = self.one
            for _, theirs in chosen:
                p = self.product(p, theirs)
            yield tuple(derived for derived, _ in chosen), p

    def interleave(self, i: int, node: Expression, arguments: Sequence[list[_Derivation]]) -> Iterator[_Derivation]:
        split = [[(_units(pieces), p) for pieces, p in argument] for argument in arguments]
        if node.form == Expression.Form.uniform:
            yield from self.uniform(split)
            return
        if node.form == Expression.Form.movement:
            spans = [(k, k + 1) for k in range(len(arguments))]
            yield from self.moved(spans, arguments, node.movement_base)
            return
        listed = {tuple(order): self.vector(p) for order, p in node.listed}
        others, shuffles = self.vector(node.other_permutations), self.vector(node.shuffles)
        mass = others
        for listed_mass in listed.values():
            mass = tuple(x + y for x, y in zip(mass, listed_mass, strict=True))
        for units, p in self.combinations(split):
            shuffle_total = _interleavings(units) - math.factorial(len(units))
            # Where no shuffle is possible the permutations share its mass.
            scale = self.one
            if not shuffle_total and not self.paper:
                scale = tuple(x if y else unit for x, y, unit in zip(mass, shuffles, self.one, strict=True))
            for order, share in self.orders(node, listed, others):
                probabilities = tuple(x * y / z for x, y, z in zip(p, share, scale, strict=True))
                yield tuple(itertools.chain.from_iterable(units[k] for k in order)), probabilities
            if shuffle_total and all(shuffles):
                share = tuple(x / (self.counts.shuffles[i] if self.paper else shuffle_total) for x in shuffles)
                p = self.product(p, share)
                for arrangement in _arrangements(units):
                    if _runs(arrangement) > len(units):
                        yield _arranged(units, arrangement), p

    def orders(
        self, node: Expression, listed: dict[tuple[int, ...], Probabilities], others: Probabilities
    ) -> Iterator[tuple[tuple[int, ...], Probabilities]]:
        """The possible permutations of a listed distribution with their probabilities."""
        yield from ((order, p) for order, p in listed.items() if all(p))
        if not all(others):
            return
        n = len(node.arguments)
        share = tuple(x / (math.factorial(n) - len(listed)) for x in others)
        yield from ((order, share) for order in itertools.permutations(range(n)) if order not in listed)

    def uniform(self, split: Sequence[Sequence[tuple[Sequence[_Pieces], Probabilities]]]) -> Iterator[_Derivation]:
        for units, p in self.combinations(split):
            share = (Fraction(1, _interleavings(units)),) * len(self.one)
            p = self.product(p, share)
            for order in _arrangements(units):
                yield _arranged(units, order), p

    def moved(
        self, spans: Sequence[tuple[int, int]], arguments: Sequence[list[_Derivation]], base: float
    ) -> Iterator[_Derivation]:
        """Every permutation of the arguments, scored by its movement over their spans."""
        exact = Fraction(repr(base))
        scored = []
        for order in itertools.permutations(range(len(spans))):
            scored.append((order, (exact ** total_movement([spans[k] for k in order]),) * len(self.one)))
        for pieces, p in self.combinations(arguments):
            for order, score in scored:
                yield tuple(pieces[k] for k in order), self.product(p, score)

    def tiles(self, node: Expression, arguments: Sequence[list[_Derivation]]) -> Iterator[_Derivation]:
        for segmentation in _segmentations(node.length, node.spans):
            spans = [node.spans[k] for k in segmentation]
            yield from self.moved(spans, [arguments[k] for k in segmentation], node.movement_base)


def total_movement(spans: Sequence[tuple[int, int]]) -> int:
    """Σ |start − previous end| of spans [start, end) in the order realized, the first from position 0.

    >>> total_movement([(2, 3), (0, 2)])  # 0 → 2, 3 → 0
    5
    """
    ends = itertools.chain([0], (end for _, end in spans))
    return sum(abs(start - end) for (start, _), end in zip(spans, ends, strict=False))


def _segmentations(length: int, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """Numbers of spans that cover 0..length from left to right."""
    from_position: dict[int, list[int]] = {}
    completes = {length}  # positions that spans lead from to the end: no walk is in vain
    for k in sorted(range(len(spans)), key=lambda k: spans[k], reverse=True):
        begin, end = spans[k]
        if end in completes:
            completes.add(begin)
            from_position.setdefault(begin, []).append(k)
    rest: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while rest:
        position, done = rest.pop()
        if position == length:
            yield done
        else:
            rest += [(spans[k][1], (*done, k)) for k in from_position[position]]


def _words(pieces: _Pieces) -> list[str]:
    words: list[str] = []
    rest: list[_Pieces] = [pieces]
    while rest:
        piece = rest.pop()
        if isinstance(piece, str):
            words.append(piece)
        else:
            rest += reversed(piece)
    return words


def _units(pieces: _Pieces) -> list[_Pieces]:
    """What may be interleaved with other things: words and locked blocks."""
    units: list[_Pieces] = []
    rest: list[_Pieces] = [pieces]
    while rest:
        piece = rest.pop()
        if isinstance(piece, tuple):
            rest += reversed(piece)
        else:
            units.append(piece)
    return units


def _interleavings(units: Sequence[Sequence[_Pieces]]) -> int:
    count = math.factorial(sum(map(len, units)))
    for argument_units in units:
        count //= math.factorial(len(argument_units))
    return count


def _arrangements(units: Sequence[Sequence[_Pieces]]) -> Iterator[list[int]]:
    """Every sequence with ``len(units[k])`` times k, in lexicographic order; the same list each time."""
    order = [k for k, argument_units in enumerate(units) for _ in argument_units]
    while True:
        yield order
        i = len(order) - 2
        while i >= 0 and order[i] >= order[i + 1]:
            i -= 1
        if i < 0:
            return
        j = len(order) - 1
        while order[j] <= order[i]:
            j -= 1
        order[i], order[j] = order[j], order[i]
        order[i + 1 :] = reversed(order[i + 1 :])


def _arranged(units: Sequence[Sequence[_Pieces]], order: Sequence[int]) -> tuple[_Pieces, ...]:
    next_unit = [iter(argument_units) for argument_units in units]
    return tuple(next(next_unit[k]) for k in order)


def _runs(order: Sequence[int]) -> int:
    return 1 + sum(x != y for x, y in itertools.pairwise(order))
