"""The states of an expression, and the words that lead from one to the next (Soricut & Marcu 2006, §2.2, UNFOLD).

Slow and exact, for acceptors; the search unfolds in the core. The state of a node is `Mark.start`, `Mark.done`, or
what its operator must remember: the argument reached and its state; of an interleave the states of all arguments, and
what the probability of their order depends on.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import TypeAlias, Union

from widl._core import Expression
from widl.common.errors import InputError
from widl.decoder.counting import DerivationCounts
from widl.decoder.exact_numbers import ExactNumbers, Probabilities
from widl.decoder.node_table import NodeTable


class Mark(Enum):
    """States in which nothing must be remembered."""

    start = 0
    done = 1


@dataclass(frozen=True)
class Place:
    """Within an argument: of a precedence, a disjunction or a lock."""

    argument: int
    state: "State"


@dataclass(frozen=True)
class Interleaved:
    """Within an interleave. Only what the distribution needs is remembered; the rest has its default."""

    states: tuple["State", ...]
    units: tuple[int, ...] = ()
    """How many units of each argument have begun."""
    order: tuple[int, ...] | None = ()
    """In which the arguments began, while that may be a listed order; None when it is not."""
    mixed: bool = False
    """Whether an argument was interrupted by another: this is a shuffle."""
    last_end: int = 0
    """Of a movement distribution: source position behind the last argument."""


@dataclass(frozen=True)
class Tiled:
    """Within tiles: positions covered (bits), where the last tile ends, and the tile under way."""

    covered: int
    last_end: int
    tile: int
    """-1: none."""
    state: "State"


State: TypeAlias = Union[Mark, Place, Interleaved, Tiled]  # noqa: UP007  # of names in quotes
Step: TypeAlias = tuple[str, Probabilities, State]
"""A word, a factor of the derivation's probability, the state behind."""


class Unfolding(ExactNumbers):
    """Steps of an expression. The product of a path's factors is the probability of its derivation.

    Uniform interleaves: with u_k units of argument k there are (Σu)! / Πu! orders, so the t-th unit of all, which is
    the j-th of its argument, counts j/t. Listed distributions: the whole factor comes with the last word, when the
    order and the numbers of units are known.
    """

    def __init__(self, expression: Expression, *, paper: bool, most_work: int) -> None:
        super().__init__(NodeTable(expression))
        self.paper = paper
        self.shuffles = DerivationCounts(self.table).shuffles if paper else {}
        self.root = len(self.table) - 1
        self.most_work = most_work
        self._rows: dict[int, list[Probabilities]] = {}

    def steps(self, i: int, state: State) -> Iterator[Step]:
        """What may come after a state of node i."""
        node, kinds = self.table.nodes[i], Expression.Kind
        if state is Mark.done:
            return
        if node.kind == kinds.word:
            yield node.text, self.one, Mark.done
        elif node.kind == kinds.interleave:
            yield from self._interleave(i, node, state)
        elif node.kind == kinds.tiles:
            yield from self._tiles(i, node, state)
        elif node.kind == kinds.disjunction and state is Mark.start:
            for k, row in enumerate(self._choice_rows(i, node)):
                yield from self._within(i, Place(k, Mark.start), row)
        else:
            yield from self._within(i, state if isinstance(state, Place) else Place(0, Mark.start), self.one)

    def is_locked(self, i: int, state: State) -> bool:
        """Whether a state of node i is within a lock, so that nothing from outside may come next."""
        if isinstance(state, Mark):
            return False
        arguments = self.table.arguments[i]
        if isinstance(state, Interleaved):
            return any(self.is_locked(a, one) for a, one in zip(arguments, state.states, strict=True))
        if isinstance(state, Tiled):
            return state.tile >= 0 and self.is_locked(arguments[state.tile], state.state)
        lock = self.table.nodes[i].kind == Expression.Kind.lock
        return lock or self.is_locked(arguments[state.argument], state.state)

    def _choice_rows(self, i: int, node: Expression) -> list[Probabilities]:
        if i not in self._rows:
            self._rows[i] = self.choice_rows(i, node)
        return self._rows[i]

    def _within(self, i: int, place: Place, factor: Probabilities) -> Iterator[Step]:
        """Steps of the argument reached; behind a part of a precedence comes the next."""
        arguments = self.table.arguments[i]
        follows = self.table.nodes[i].kind == Expression.Kind.precedence and place.argument + 1 < len(arguments)
        for word, p, state in self.steps(arguments[place.argument], place.state):
            behind: State = Place(place.argument, state)
            if state is Mark.done:
                behind = Place(place.argument + 1, Mark.start) if follows else Mark.done
            yield word, self.product(factor, p), behind

    # --- interleaves ---

    def _interleave(self, i: int, node: Expression, state: State) -> Iterator[Step]:
        arguments = self.table.arguments[i]
        if not isinstance(state, Interleaved):
            state = Interleaved((Mark.start,) * len(arguments))
            if self._needs_units(node):
                state = replace(state, units=(0,) * len(arguments))
        locked = [k for k, a in enumerate(arguments) if self.is_locked(a, state.states[k])]
        for k in locked or range(len(arguments)):
            begun = self._begun(node, state, k, unit=not locked)
            if begun is None:
                continue
            before, factor = begun
            for word, p, inner in self.steps(arguments[k], state.states[k]):
                self._work(len(arguments))
                states = (*state.states[:k], inner, *state.states[k + 1 :])
                p = self.product(p, factor)
                if any(one is not Mark.done for one in states):
                    yield word, p, replace(before, states=states)
                elif share := self._share(i, node, before):
                    yield word, self.product(p, share), Mark.done

    def _needs_units(self, node: Expression) -> bool:
        return node.form == Expression.Form.uniform or (any(node.shuffles) and not self.paper)

    def _begun(
        self, node: Expression, state: Interleaved, k: int, *, unit: bool
    ) -> tuple[Interleaved, Probabilities] | None:
        """Successor state and factor when argument k continues or starts; None where it may not."""
        forms, factor = Expression.Form, self.one
        if state.states[k] is Mark.start:
            interrupts = any(not isinstance(one, Mark) for one in state.states)
            if node.form == forms.movement:
                if interrupts:
                    return None
                factor = self._moved(node, abs(k - state.last_end))
                state = replace(state, last_end=k + 1)
            elif node.form == forms.listed and not state.mixed:
                if interrupts:
                    if not all(node.shuffles):
                        return None
                    state = replace(state, order=None, mixed=True)
                elif state.order is not None:
                    state = replace(state, order=_listed_prefix(node, (*state.order, k)))
                    if state.order is None and not all(node.other_permutations) and not all(node.shuffles):
                        return None
        if unit and state.units:
            units = (*state.units[:k], state.units[k] + 1, *state.units[k + 1 :])
            state = replace(state, units=units)
            if node.form == forms.uniform:
                factor = (Fraction(units[k], sum(units)),) * len(self.one)
        return state, factor

    def _share(self, i: int, node: Expression, state: Interleaved) -> Probabilities | None:
        """The probability of the order of a listed distribution, given the units; None if it is impossible."""
        if node.form != Expression.Form.listed:
            return self.one
        permutations = math.factorial(len(state.states))
        shuffles = 0
        if state.units:
            shuffles = math.factorial(sum(state.units)) // math.prod(map(math.factorial, state.units)) - permutations
        if state.mixed:
            count = self.shuffles[i] if self.paper else shuffles
            return tuple(x / count for x in self.vector(node.shuffles))
        listed = {tuple(order): self.vector(p) for order, p in node.listed}
        others = self.vector(node.other_permutations) if node.other_permutations else (Fraction(0),) * len(self.one)
        share = listed.get(state.order) if state.order is not None else None
        if share is None:
            share = tuple(x / max(1, permutations - len(listed)) for x in others)
        if not all(share):
            return None
        if state.units and not shuffles:
            # Where no shuffle is possible the permutations share its mass.
            mass = [sum(column) for column in zip(others, *listed.values(), strict=True)]
            freed = self.vector(node.shuffles)
            share = tuple(x / total if y else x for x, total, y in zip(share, mass, freed, strict=True))
        return share

    # --- tiles ---

    def _tiles(self, i: int, node: Expression, state: State) -> Iterator[Step]:
        arguments, spans = self.table.arguments[i], node.spans
        if not isinstance(state, Tiled):
            state = Tiled(0, 0, -1, Mark.start)
        begun = [(state, self.one)]
        if state.tile < 0:
            begun = []
            for k, (begin, end) in enumerate(spans):
                bits = (1 << end) - (1 << begin)
                if not state.covered & bits:
                    factor = self._moved(node, abs(begin - state.last_end))
                    begun.append((Tiled(state.covered | bits, end, k, Mark.start), factor))
        for within, factor in begun:
            for word, p, inner in self.steps(arguments[within.tile], within.state):
                self._work(1)
                behind: State = replace(within, state=inner)
                if inner is Mark.done:
                    whole = within.covered == (1 << node.length) - 1
                    behind = Mark.done if whole else replace(within, tile=-1, state=Mark.start)
                yield word, self.product(p, factor), behind

    def _moved(self, node: Expression, distance: int) -> Probabilities:
        return (Fraction(repr(node.movement_base)) ** distance,) * len(self.one)

    def _work(self, amount: int) -> None:
        self.most_work -= amount
        if self.most_work < 0:
            raise InputError("the expression is too large to write out its acceptor; realize the best of its strings")


def _listed_prefix(node: Expression, order: tuple[int, ...]) -> tuple[int, ...] | None:
    """The order, if a listed one begins like that."""
    return order if any(tuple(one[: len(order)]) == order for one, _ in node.listed) else None
