"""The acceptor whose states are the cuts of an expression's WIDL-graph, with ε-arcs (Soricut & Marcu 2005, §2.3).

The acceptor has no weights, as in the paper's Figures 2 and 3; `make_acceptor` gives the smaller one, with weights.

A vertex is left only if no other vertex of the cut has a higher rank, so that a lock is finished before other parts
continue. The paper asks this of the vertex that is entered. For its example both rules agree. For two adjacent locks,
however, the paper's rule would let each be entered before the other is left, and their words would mix.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from widl._core import Expression
from widl.common.errors import InputError
from widl.expressions.enumeration import EnumerationOptions
from widl.expressions.widl_graph import Edge, EdgeKind, WidlGraph, widl_graph

Cut = frozenset[int]
"""Indices of simultaneously reached vertices of the graph."""


State = TypeVar("State")


@dataclass(frozen=True)
class CutArc(Generic[State]):
    """An arc between two states; the word is empty for ε."""

    source: State
    target: State
    word: str
    probability: Fraction | None = None
    """None in an acceptor without weights."""


@dataclass(frozen=True, repr=False)
class CutAcceptor(Generic[State]):
    """States with their names, in the order of their first visits, and the arcs between them.

    A state is a `Cut`, or a cut with its ∥-stack (`widl.expressions.stack_acceptors`).
    """

    names: Mapping[State, str]
    arcs: tuple[CutArc[State], ...]
    final: State

    def to_text(self) -> str:
        """Lines ``source<TAB>target<TAB>word``, with the names of states, and the probability if arcs have one.

        The final state is in the last line.
        """
        rows = [[self.names[arc.source], self.names[arc.target], arc.word or "ε"] for arc in self.arcs]
        for row, arc in zip(rows, self.arcs, strict=True):
            row += [] if arc.probability is None else [f"{float(arc.probability):g}"]
        return "".join("\t".join(row) + "\n" for row in [*rows, [self.names[self.final]]])

    def __repr__(self) -> str:
        return f"<CutAcceptor of {len(self.names):,} states, {len(self.arcs):,} arcs>"


def refuse_tiles(graph: WidlGraph) -> None:
    """InputError for the graph of an expression with tiles."""
    if graph.count(EdgeKind.tile):
        raise InputError("tiles have no cuts: of the edges out of their vertex those of one segmentation are followed")


def cut_name(graph: WidlGraph, cut: Cut) -> str:
    """The names of a cut's vertices."""
    return " ".join(map(graph.name, sorted(cut)))


def cut_acceptor(
    expression: Expression | str, *, limit: int = EnumerationOptions.limit, ends: bool = False
) -> CutAcceptor[Cut]:
    """The cuts of an expression's WIDL-graph, and the arcs between them, up to `limit` arcs; `ends` as in `widl_graph`.

    >>> from widl.expressions import parse_expression
    >>> found = cut_acceptor(parse_expression("∨(a, b)"))
    >>> for arc in found.arcs:
    ...     print(found.names[arc.source], arc.word or "ε", found.names[arc.target])
    vs ε v0
    vs ε v2
    v0 a v1
    v2 b v3
    v1 ε ve
    v3 ε ve
    """
    return cuts_of(widl_graph(expression, limit=limit, ends=ends), limit=limit)


def cuts_of(graph: WidlGraph, *, limit: int = EnumerationOptions.limit) -> CutAcceptor[Cut]:
    """The cuts of a graph; see `cut_acceptor`."""
    refuse_tiles(graph)
    moves = list(_moves(graph))
    ranks = [vertex.rank for vertex in graph.vertices]

    start = frozenset({graph.entry})
    arcs: list[CutArc[Cut]] = []
    cuts, seen = [start], {start}
    for cut in cuts:  # grows
        for sources, targets, word in moves:
            others = cut - sources
            if not sources <= cut or min(ranks[v] for v in sources) < max((ranks[v] for v in others), default=0):
                continue
            arcs.append(CutArc(cut, others | targets, word))
            if len(arcs) > limit:
                raise InputError(f"there are more arcs between cuts than the limit of {limit}; raise the limit")
            if arcs[-1].target not in seen:
                seen.add(arcs[-1].target)
                cuts.append(arcs[-1].target)
    names = {cut: cut_name(graph, cut) for cut in cuts}
    return CutAcceptor(names, tuple(arcs), frozenset({graph.exit}))


def _moves(graph: WidlGraph) -> Iterator[tuple[Cut, Cut, str]]:
    """Vertices that are left and entered simultaneously, and the word between them."""
    forks: dict[int, list[Edge]] = {}
    joins: dict[int, list[Edge]] = {}
    for edge in graph.edges:
        if edge.kind == EdgeKind.fork:
            forks.setdefault(edge.source, []).append(edge)
        elif edge.kind == EdgeKind.join:
            joins.setdefault(edge.target, []).append(edge)
        else:
            word = edge.label if edge.kind == EdgeKind.word else ""
            yield frozenset({edge.source}), frozenset({edge.target}), word
    for source, edges in forks.items():
        yield frozenset({source}), frozenset(edge.target for edge in edges), ""
    for target, edges in joins.items():
        yield frozenset(edge.source for edge in edges), frozenset({target}), ""
