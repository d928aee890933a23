"""WIDL-graphs as the papers draw them (Soricut & Marcu 2006, §2.2, after Nederhof & Satta 2004).

The search uses a denser form; this graph is for pictures and for counting.
"""

import itertools
from dataclasses import dataclass, field
from enum import Enum

from widl._core import Expression
from widl.common.errors import InputError
from widl.expressions.counting import written_size
from widl.expressions.parsing import expression_of


class EdgeKind(Enum):
    """The kind of an edge: how a cut advances over it."""

    word = "word"
    epsilon = "ε"
    fork = "⊢"
    """Followed together with its source's other fork edges."""
    join = "⊣"
    """Followed together with its target's other join edges."""
    tile = "tile"
    """Enters or leaves a tile: the edges of one segmentation are followed together."""


@dataclass(frozen=True)
class Vertex:
    """A vertex; `lock` is the number of the innermost lock around it, 0 for none."""

    number: int
    rank: int
    lock: int


@dataclass(frozen=True)
class Edge:
    """An edge; its label is the word, a probability of a choice, a span of tiles, or empty."""

    source: int
    target: int
    kind: EdgeKind
    label: str = ""


@dataclass
class WidlGraph:
    """Vertices and edges; `lock_parents[k]` is the lock around lock ``k``, and lock 0 is the whole graph."""

    vertices: list[Vertex] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    lock_parents: list[int] = field(default_factory=lambda: [0])
    ranks: list[int] = field(default_factory=lambda: [0])
    """For each lock: the number of enclosing locks, itself included."""
    entry: int = 0
    exit: int = 0
    begun: dict[int, Expression] = field(default_factory=dict)
    """For each vertex: the ∨, ∥, × or tiles that begins there."""

    def name(self, vertex: int) -> str:
        """A vertex's name: ``vs`` and ``ve`` at the ends as in the papers, others numbered from ``v0``."""
        ends = {self.entry: "vs", self.exit: "ve"}
        return ends.get(vertex) or f"v{vertex - sum(end < vertex for end in ends)}"

    def count(self, kind: EdgeKind) -> int:
        """Number of edges of this kind."""
        return sum(edge.kind == kind for edge in self.edges)


@dataclass
class _Frame:
    """A sub-expression under construction, with the (entry, exit) of each argument built so far."""

    node: Expression
    lock: int
    entry: int
    parts: list[tuple[int, int]] = field(default_factory=list)


def widl_graph(expression: Expression | str, *, limit: int = 100_000, ends: bool = False) -> WidlGraph:
    """The expression's WIDL-graph; shared subexpressions are written out, up to `limit` nodes.

    A word is an edge between two vertices, () a single vertex. · joins its parts by ε-edges. ∨, ∥ and × have a separate
    entry and exit: ∨ and × with ε-edges into and out of their arguments, ∥ with ⊢- and ⊣-edges; inside ×, ranks are
    higher by one. If `ends`, an argument of ∥ that is a · ends in an ε-edge to a separate vertex, as in Figure 1 of the
    2005 paper.

    >>> graph = widl_graph(Expression.uniform_interleave([Expression.word("a"), Expression.word("b")]))
    >>> len(graph.vertices), len(graph.edges), graph.count(EdgeKind.fork)
    (6, 6, 2)
    """
    expression = expression_of(expression)
    size = written_size(expression)
    if size > limit:
        raise InputError(f"the expression has {size:,} nodes written out; its graph is made up to {limit:,}")
    graph = WidlGraph()
    whole: list[tuple[int, int]] = []
    # Either a node to start, with its lock and where its ends go, or a started node to finish.
    tasks: list[tuple[Expression, int, list[tuple[int, int]]] | tuple[_Frame, list[tuple[int, int]]]]
    tasks = [(expression, 0, whole)]
    while tasks:
        task = tasks.pop()
        if len(task) == 2:
            frame, exits = task
            exits.append(_finish(graph, frame, ends))
            continue
        node, lock, exits = task
        entry = -1 if node.kind == Expression.Kind.precedence and node.arguments else _vertex(graph, lock)
        frame = _Frame(node, lock, entry)
        inner = _new_lock(graph, lock) if node.kind == Expression.Kind.lock else lock
        tasks.append((frame, exits))
        tasks += [(argument, inner, frame.parts) for argument in reversed(node.arguments)]
    graph.entry, graph.exit = whole[0]
    return graph


def _finish(graph: WidlGraph, frame: _Frame, ends: bool) -> tuple[int, int]:
    """Add the exit and the edges between the parts; returns the entry and the exit."""
    kinds, node, parts = Expression.Kind, frame.node, frame.parts
    if node.kind == kinds.precedence and not parts:
        return frame.entry, frame.entry
    if node.kind == kinds.precedence:
        for (_, end), (begin, _) in itertools.pairwise(parts):
            graph.edges.append(Edge(end, begin, EdgeKind.epsilon))
        return parts[0][0], parts[-1][1]
    if ends and node.kind == kinds.interleave:
        for number, argument in enumerate(node.arguments):
            if argument.kind == kinds.precedence and argument.arguments:
                begin, last = parts[number]
                parts[number] = begin, _vertex(graph, frame.lock)
                graph.edges.append(Edge(last, parts[number][1], EdgeKind.epsilon))
    leave = _vertex(graph, frame.lock)
    if node.kind == kinds.word:
        graph.edges.append(Edge(frame.entry, leave, EdgeKind.word, node.text))
        return frame.entry, leave
    labels = [""] * len(parts)
    into = out = EdgeKind.epsilon
    if node.kind == kinds.disjunction:
        labels = [" ".join(f"{p:g}" for p in row) for row in node.probabilities]
    elif node.kind == kinds.interleave:
        into, out = EdgeKind.fork, EdgeKind.join
    elif node.kind == kinds.tiles:
        into = out = EdgeKind.tile
        labels = [f"{begin}-{end}" for begin, end in node.spans]
    graph.begun[frame.entry] = node
    for (begin, _), label in zip(parts, labels, strict=True):
        graph.edges.append(Edge(frame.entry, begin, into, label))
    for _, end in parts:
        graph.edges.append(Edge(end, leave, out))
    return frame.entry, leave


def _vertex(graph: WidlGraph, lock: int) -> int:
    graph.vertices.append(Vertex(len(graph.vertices), graph.ranks[lock], lock))
    return len(graph.vertices) - 1


def _new_lock(graph: WidlGraph, parent: int) -> int:
    graph.lock_parents.append(parent)
    graph.ranks.append(graph.ranks[parent] + 1)
    return len(graph.ranks) - 1
