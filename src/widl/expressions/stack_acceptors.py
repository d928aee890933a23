"""The acceptor of UNFOLD as the 2006 paper draws it: cuts with their ∥-stack (Soricut & Marcu 2006, §2.2, Figure 2b).

A transition with a word follows a path of the WIDL-graph on which that word is the only one. The path includes the
ε-edges before the word and, if no word follows, the ε-edges after it up to the end of the argument of ∥. ε-transitions
enter and leave an ∥. A state records the order in which the arguments of each open ∥ are traversed; an argument that
continues after another one is listed again. The product of a path's probabilities is σ of its string: choices stand
with the words, and δ of the order with the transition that leaves the ∥. The mass of shuffles is divided by their
number over all choices.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from widl._core import Expression
from widl.common.errors import InputError
from widl.expressions.counting import DerivationCounts
from widl.expressions.cut_acceptors import CutAcceptor, CutArc, cut_name, refuse_tiles
from widl.expressions.enumeration import EnumerationOptions
from widl.expressions.movement import permutation_movement
from widl.expressions.node_table import NodeTable
from widl.expressions.widl_graph import Edge, EdgeKind, WidlGraph, widl_graph

Stack = tuple[tuple[int, tuple[int, ...]], ...]
"""For each ∥ under way, by the number of its δ: the arguments in the order traversed, from 1."""


@dataclass(frozen=True)
class StackState:
    """Vertices reached simultaneously, in the order they were reached."""

    cut: frozenset[int]
    stack: Stack

    def name(self, graph: WidlGraph) -> str:
        """Formats the state like the paper: ``[v0 v9 v23, {⟨δ1 3 2⟩}]``."""
        stacks = ("⟨" + " ".join([f"δ{number}", *map(str, order)]) + "⟩" for number, order in self.stack)
        return f"[{cut_name(graph, self.cut)}, {{{' '.join(stacks)}}}]"


def stack_acceptor(expression: Expression, *, limit: int = EnumerationOptions.limit) -> CutAcceptor[StackState]:
    """The states and transitions of a single-component expression, up to `limit` transitions.

    >>> from widl.expressions import parse_expression
    >>> print(stack_acceptor(parse_expression("∥{2 1: 0.7, perms: 0.3}(a, b)")).to_text().expandtabs(1), end="")
    [vs, {}] [v0 v2, {⟨δ1⟩}] ε 1
    [v0 v2, {⟨δ1⟩}] [v1 v2, {⟨δ1 1⟩}] a 1
    [v0 v2, {⟨δ1⟩}] [v0 v3, {⟨δ1 2⟩}] b 1
    [v1 v2, {⟨δ1 1⟩}] [v1 v3, {⟨δ1 1 2⟩}] b 1
    [v0 v3, {⟨δ1 2⟩}] [v1 v3, {⟨δ1 2 1⟩}] a 1
    [v1 v3, {⟨δ1 1 2⟩}] [ve, {}] ε 0.3
    [v1 v3, {⟨δ1 2 1⟩}] [ve, {}] ε 0.7
    [ve, {}]
    """
    if expression.components > 1:
        raise InputError(f"one probability a transition, but choices have {expression.components}")
    return _Unfolding(expression, limit).acceptor()


@dataclass(frozen=True)
class _Interleave:
    """An ∥ of the graph: its number among these, and where its arguments begin and end."""

    number: int
    node: Expression
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    leave: int


class _Unfolding:
    def __init__(self, expression: Expression, limit: int) -> None:
        self.limit = limit
        self.graph = graph = widl_graph(expression, limit=limit)
        refuse_tiles(graph)
        if any(node.kind == Expression.Kind.precedence and not node.arguments for node in NodeTable(expression).nodes):
            raise InputError("() is not the paper's; write the choices without it")
        self.ranks = [vertex.rank for vertex in graph.vertices]
        self.leaving: list[list[Edge]] = [[] for _ in graph.vertices]
        for edge in graph.edges:
            self.leaving[edge.source].append(edge)
        self.forks = self._interleaves()
        self.joins = {end for item in self.forks.values() for end in item.ends}
        self.around: list[list[tuple[int, int]]] = [[] for _ in graph.vertices]
        for item in self.forks.values():
            for argument, start in enumerate(item.starts, 1):
                for vertex in self._inside(start, item.leave):
                    self.around[vertex].append((item.number, argument))

    def _interleaves(self) -> dict[int, _Interleave]:
        """Interleaves ordered by their first vertex; δ1 is the first one."""
        result: dict[int, _Interleave] = {}
        for vertex in range(len(self.leaving)):
            starts = tuple(edge.target for edge in self.leaving[vertex] if edge.kind == EdgeKind.fork)
            if starts:
                leave, ends = self._end_of(starts[0])
                result[vertex] = _Interleave(len(result) + 1, self.graph.begun[vertex], starts, ends, leave)
        return result

    def _end_of(self, start: int) -> tuple[int, tuple[int, ...]]:
        """End vertices of the ∥ around an argument, and of its arguments."""
        vertex, depth = start, 0
        while True:
            edge = self.leaving[vertex][0]
            depth += (edge.kind == EdgeKind.fork) - (edge.kind == EdgeKind.join)
            vertex = edge.target
            if depth < 0:
                ends = [
                    item.source for item in self.graph.edges if item.kind == EdgeKind.join and item.target == vertex
                ]
                return vertex, tuple(ends)

    def _inside(self, start: int, leave: int) -> set[int]:
        """The vertices of an argument."""
        result, waiting = {start}, [start]
        while waiting:
            for edge in self.leaving[waiting.pop()]:
                if edge.target != leave and edge.target not in result:
                    result.add(edge.target)
                    waiting.append(edge.target)
        return result

    def acceptor(self) -> CutAcceptor[StackState]:
        """All states on a path to the end."""
        start, final = StackState(frozenset({self.graph.entry}), ()), StackState(frozenset({self.graph.exit}), ())
        states, arcs = self._reached(start)
        into: dict[StackState, list[StackState]] = {}
        for arc in arcs:
            into.setdefault(arc.target, []).append(arc.source)
        useful, rest = {final}, [final]
        while rest:
            for source in into.get(rest.pop(), []):
                if source not in useful:
                    useful.add(source)
                    rest.append(source)
        names = {state: state.name(self.graph) for state in states if state in useful}
        return CutAcceptor(names, tuple(arc for arc in arcs if arc.target in useful), final)

    def _reached(self, start: StackState) -> tuple[list[StackState], list[CutArc[StackState]]]:
        """The states, breadth first, and all transitions."""
        waiting, arcs = [start], []
        seen = {start}
        for state in waiting:  # grows
            for arc in self._arcs(state):
                arcs.append(arc)
                if len(arcs) > self.limit:
                    raise InputError(
                        f"there are more arcs between cuts than the limit of {self.limit}; raise the limit"
                    )
                if arc.target not in seen:
                    seen.add(arc.target)
                    waiting.append(arc.target)
        return waiting, arcs

    def _arcs(self, state: StackState) -> Iterator[CutArc[StackState]]:
        """The transitions of a state; each derivation is one path.

        For this an ∥ is entered just before its first word, and left just after its last one.
        """
        entered = {number for number, order in state.stack if not order}
        for vertex in sorted(state.cut):
            others = state.cut - {vertex}
            if self.ranks[vertex] < max((self.ranks[other] for other in others), default=0):
                continue
            if entered - {number for number, _ in self.around[vertex]}:
                continue
            for before, p in self._silent(vertex):
                for edge in self.leaving[before]:
                    if edge.kind == EdgeKind.word:
                        stack = _traversed(state.stack, self.around[vertex])
                        behind = StackState(others | {self._settled(edge.target)}, stack)
                        yield CutArc(state, behind, edge.label, p)
                if before in self.forks:
                    element = self.forks[before]
                    behind = StackState(others | {*element.starts}, tuple(sorted((*state.stack, (element.number, ())))))
                    yield CutArc(state, behind, "", p)
        orders = dict(state.stack)
        for fork, element in self.forks.items() if not entered else ():
            done = state.cut.issuperset(element.ends)
            if done and all(orders[number][-1:] == (argument,) for number, argument in self.around[fork]):
                cut = state.cut.difference(element.ends) | {self._settled(element.leave)}
                stack = tuple(item for item in state.stack if item[0] != element.number)
                if p := self._share(element, orders[element.number]):
                    yield CutArc(state, StackState(cut, stack), "", p)

    @cache  # noqa: B019  # it lives as long as the acceptor is made
    def _silent(self, vertex: int) -> Sequence[tuple[int, Fraction]]:
        """Vertices reached by ε-edges, including itself, with the probabilities of the choices."""
        result = [(vertex, Fraction(1))]
        for at, p in result:  # grows
            node = self.graph.begun.get(at)
            choice = node is not None and node.kind == Expression.Kind.disjunction
            for k, edge in enumerate(self.leaving[at]):
                if edge.kind == EdgeKind.epsilon:
                    own = Fraction(repr(node.probabilities[k][0])) if node is not None and choice else Fraction(1)
                    if own:
                        result.append((edge.target, p * own))
        return result

    def _settled(self, vertex: int) -> int:
        """The end of the argument, or the position outside the lock if no other word may come before it."""
        row = [vertex]
        while len(self.leaving[row[-1]]) == 1 and self.leaving[row[-1]][0].kind == EdgeKind.epsilon:
            row.append(self.leaving[row[-1]][0].target)
        if row[-1] == self.graph.exit or row[-1] in self.joins:
            return row[-1]
        return min(row, key=lambda one: self.ranks[one])

    @cache  # noqa: B019
    def _share(self, one: _Interleave, order: tuple[int, ...]) -> Fraction:
        """δ of a traversal order of the arguments."""
        node, forms, n = one.node, Expression.Form, len(one.starts)
        listed = {tuple(k + 1 for k in permutation): Fraction(repr(p[0])) for permutation, p in node.listed}
        if node.form == forms.uniform:
            units = [argument.min_units for argument in node.arguments]
            if units != [argument.max_units for argument in node.arguments]:
                raise InputError("∥ whose number of orders depends on choices; give it probabilities")
            return Fraction(math.prod(map(math.factorial, units)), math.factorial(sum(units)))
        if len(order) > n:
            if node.form == forms.movement or not any(node.shuffles):
                return Fraction(0)
            table = NodeTable(node)
            return Fraction(repr(node.shuffles[0])) / DerivationCounts(table).shuffles[len(table) - 1]
        if node.form == forms.movement:
            return Fraction(repr(node.movement_base)) ** permutation_movement([k - 1 for k in order])
        others = Fraction(repr(node.other_permutations[0])) if any(node.other_permutations) else Fraction(0)
        return listed[order] if order in listed else others / max(1, math.factorial(n) - len(listed))


def _traversed(stack: Stack, around: Sequence[tuple[int, int]]) -> Stack:
    """The stack after a word of an argument."""
    orders = dict(stack)
    for number, argument in around:
        if orders[number][-1:] != (argument,):
            orders[number] = (*orders[number], argument)
    return tuple(sorted(orders.items()))
