"""The acceptor whose states are the cuts of an expression's WIDL-graph, with ε-arcs (Soricut & Marcu 2005, §2.3).

As the paper's Figures 2 and 3 draw it, without weights; `make_acceptor` gives the smaller one, with weights.

A vertex is left only while no other one of the cut has a higher rank, so that a lock is left before anything else goes
on. The paper asks this of the vertex that is entered. For its example that is the same, but of two locks side by side
each could be entered while the other one is not left, and their words would mix.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from widl._core import Expression
from widl.common.errors import InputError
from widl.decoder.enumeration import EnumerationOptions
from widl.decoder.widl_graph import Edge, EdgeKind, WidlGraph, widl_graph

Cut = frozenset[int]
"""Vertices of the graph that are reached simultaneously, by number."""


@dataclass(frozen=True, slots=True)
class CutArc:
    """An arc between two cuts; the word is empty for ε."""

    source: Cut
    target: Cut
    word: str


@dataclass(frozen=True, repr=False)
class CutAcceptor:
    """The cuts in the order in which they are first reached from the graph's entry, and the arcs between them."""

    graph: WidlGraph
    cuts: tuple[Cut, ...]
    arcs: tuple[CutArc, ...]

    @property
    def final(self) -> Cut:
        """The cut at the end."""
        return frozenset({self.graph.exit})

    def name(self, cut: Cut) -> str:
        """The names of its vertices; see `cut_name`."""
        return cut_name(self.graph, cut)

    def to_text(self) -> str:
        """Lines ``source<TAB>target<TAB>word``, states by the names of their vertices; the final state at the end."""
        lines = [f"{self.name(arc.source)}\t{self.name(arc.target)}\t{arc.word or 'ε'}\n" for arc in self.arcs]
        return "".join([*lines, f"{self.name(self.final)}\n"])

    def __repr__(self) -> str:
        return f"<CutAcceptor of {len(self.cuts):,} cuts, {len(self.arcs):,} arcs>"


def cut_name(graph: WidlGraph, cut: Cut) -> str:
    """The names of a cut's vertices: ``vs`` and ``ve`` at the ends as in the papers, others by number from ``v0``."""
    names = {graph.entry: "vs", graph.exit: "ve"}
    return " ".join(names.get(v) or f"v{v - sum(end < v for end in names)}" for v in sorted(cut))


def cut_acceptor(expression: Expression, *, limit: int = EnumerationOptions.limit) -> CutAcceptor:
    """The cuts of an expression's WIDL-graph, and the arcs between them, up to `limit` arcs.

    >>> from widl.decoder import parse_expression
    >>> found = cut_acceptor(parse_expression("∨(a, b)"))
    >>> for arc in found.arcs:
    ...     print(found.name(arc.source), arc.word or "ε", found.name(arc.target))
    vs ε v0
    vs ε v2
    v0 a v1
    v2 b v3
    v1 ε ve
    v3 ε ve
    """
    return cuts_of(widl_graph(expression, limit=limit), limit=limit)


def cuts_of(graph: WidlGraph, *, limit: int = EnumerationOptions.limit) -> CutAcceptor:
    """The same of a graph."""
    if graph.count(EdgeKind.tile):
        raise InputError("tiles have no cuts: of the edges out of their vertex those of one segmentation are followed")
    moves = list(_moves(graph))
    ranks = [vertex.rank for vertex in graph.vertices]
    start = frozenset({graph.entry})
    cuts, arcs = {start: None}, []
    waiting = [start]
    for cut in waiting:  # grows
        for sources, targets, word in moves:
            if not sources <= cut:
                continue
            others = cut - sources
            if min(ranks[v] for v in sources) < max((ranks[v] for v in others), default=0):
                continue
            behind = others | targets
            arcs.append(CutArc(cut, behind, word))
            if len(arcs) > limit:
                raise InputError(f"there are more arcs between cuts than the limit of {limit}; raise the limit")
            if behind not in cuts:
                cuts[behind] = None
                waiting.append(behind)
    return CutAcceptor(graph, tuple(cuts), tuple(arcs))


def _moves(graph: WidlGraph) -> Iterator[tuple[Cut, Cut, str]]:
    """Vertices that are left and entered together, and the word between them."""
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
