"""Probabilistic finite-state acceptors of expressions (Soricut & Marcu 2005, §2.3; 2006, §2.2)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from widl._core import Expression
from widl.common.errors import InputError
from widl.decoder.enumeration import EnumerationOptions, ShuffleCount
from widl.decoder.exact_numbers import Probabilities
from widl.decoder.node_table import NodeTable
from widl.decoder.unfolding import Mark, State, Unfolding

_MOST_DEPTH = 150  # of operators, as steps are looked for recursively
_WORK = 100  # states of arguments copied, per arc of the limit


@dataclass(frozen=True, slots=True)
class AcceptorArc:
    """An arc between two states, which are numbered from 0."""

    source: int
    target: int
    word: str
    exact: Probabilities
    """One per component."""

    @property
    def probabilities(self) -> tuple[float, ...]:
        """The J probabilities."""
        return tuple(map(float, self.exact))


@dataclass(frozen=True, slots=True, repr=False)
class Acceptor:
    """An acyclic acceptor without ε, from state 0 to the state `final`; each path is a derivation.

    The probability of a derivation is the product of its path's arcs, and that of a string the sum over its paths. The
    arcs out of a state sum to 1. Where an expression has scores the arcs out of state 0 sum to the total of all
    scores instead.
    """

    states: int
    final: int
    arcs: tuple[AcceptorArc, ...]
    """By source, in the order in which the expression has them."""

    @property
    def components(self) -> int:
        """How many probabilities an arc has."""
        return len(self.arcs[0].exact) if self.arcs else 1

    def to_text(self, *, component: int = 1) -> str:
        """Lines of AT&T's format, which OpenFst reads: ``source target word weight``, and the final state at the end.

        Weights are -ln p of a component, from 1.
        """
        if not 1 <= component <= self.components:
            raise InputError(f"component {component} of {self.components} probabilities")
        lines = [
            f"{arc.source}\t{arc.target}\t{arc.word}\t{_weight(arc.exact[component - 1])}\n" for arc in self.arcs
        ]
        return "".join([*lines, f"{self.final}\n"])

    def __repr__(self) -> str:
        return f"<Acceptor of {self.states:,} states, {len(self.arcs):,} arcs>"


def make_acceptor(
    expression: Expression,
    *,
    limit: int = EnumerationOptions.limit,
    shuffle_count: ShuffleCount = EnumerationOptions.shuffle_count,
) -> Acceptor:
    """The acceptor of an expression: its WIDL-graph unfolded, up to `limit` arcs.

    A state is what decides the future: the vertices reached together, and what distributions must remember of the
    order so far. ε-edges of the graph are followed together with the word behind them; those out of a part that is
    finished are followed with the word before them.

    >>> from widl.decoder import bag
    >>> for arc in make_acceptor(bag("a b")).arcs:
    ...     print(arc.source, arc.target, arc.word, *arc.probabilities)
    0 1 a 0.5
    0 2 b 0.5
    1 3 b 1.0
    2 3 a 1.0
    """
    if not isinstance(expression, Expression):
        raise TypeError(f"expression: found {type(expression).__name__}; pass an expression, such as parse(text)")
    if shuffle_count not in ("normalised", "paper"):
        raise InputError(f"unknown shuffle_count {shuffle_count!r}; expected 'normalised' or 'paper'")
    depth = NodeTable(expression).fold(lambda _, arguments: 1 + max(arguments, default=0))
    if depth > _MOST_DEPTH:
        raise InputError(f"operators stand {depth} deep; acceptors are made of expressions up to {_MOST_DEPTH} deep")
    if any(node.kind == Expression.Kind.precedence and not node.arguments for node in NodeTable(expression).nodes):
        raise InputError("acceptors are made of expressions without empty parts, ()")
    unfolding = Unfolding(expression, paper=shuffle_count == "paper", most_work=_WORK * max(limit, 1000))
    arcs, final = _unfolded(unfolding, limit)
    return _pushed(arcs, final, unfolding.one)


@dataclass(frozen=True, slots=True)
class _RawArc:
    target: int
    word: str
    factor: Probabilities


def _unfolded(unfolding: Unfolding, limit: int) -> tuple[list[list[_RawArc]], int]:
    """The arcs out of all states that can be reached, and the final state."""
    numbers: dict[State, int] = {Mark.start: 0}
    waiting: list[State] = [Mark.start]
    arcs: list[list[_RawArc]] = []
    count = 0
    for state in waiting:  # grows
        arcs.append([])
        for word, factor, behind in unfolding.steps(unfolding.root, state):
            if behind not in numbers:
                numbers[behind] = len(waiting)
                waiting.append(behind)
            arcs[-1].append(_RawArc(numbers[behind], word, factor))
            count += 1
            if count > limit:
                raise InputError(f"the acceptor has more arcs than the limit of {limit}; "
                                 "realize the best of the expression's strings, or raise the limit")
    return arcs, numbers.get(Mark.done, -1)


def _pushed(arcs: Sequence[Sequence[_RawArc]], final: int, one: Probabilities) -> Acceptor:
    """With the probability of each arc given its source: its factor times the mass behind it, by that of its source.

    States from which there is no way to the end vanish.
    """
    masses: dict[int, Probabilities] = {}
    for state in _backwards(arcs):
        behind = [(arc.factor, masses[arc.target]) for arc in arcs[state] if arc.target in masses]
        if state == final:
            masses[state] = one
        elif behind:
            products = [[x * y for x, y in zip(factor, mass, strict=True)] for factor, mass in behind]
            masses[state] = tuple(sum(column, Fraction(0)) for column in zip(*products, strict=True))
    if not masses:
        raise InputError("the expression has no derivation whose probability is not zero")
    kept = {state: number for number, state in enumerate(sorted(masses))}
    made = []
    for state, number in kept.items():
        total = masses[state] if state else one  # the total of all scores stays with the first arcs
        for arc in arcs[state]:
            if arc.target in kept:
                parts = zip(arc.factor, masses[arc.target], total, strict=True)
                exact = tuple(factor * mass / whole for factor, mass, whole in parts)
                made.append(AcceptorArc(number, kept[arc.target], arc.word, exact))
    return Acceptor(len(kept), kept[final], tuple(made))


def _backwards(arcs: Sequence[Sequence[_RawArc]]) -> list[int]:
    """All states, each behind those that its arcs lead to."""
    order: list[int] = []
    seen = {0}
    path = [(0, iter(arcs[0]))]
    while path:
        state, rest = path[-1]
        arc = next(rest, None)
        if arc is None:
            order.append(state)
            path.pop()
        elif arc.target not in seen:
            seen.add(arc.target)
            path.append((arc.target, iter(arcs[arc.target])))
    return order


def _weight(probability: Fraction) -> str:
    """-ln p, also of fractions that no float holds."""
    return f"{math.log(probability.denominator) - math.log(probability.numerator) + 0.0:.10g}"
