"""Pictures of expressions, WIDL-graphs and acceptors in Graphviz' dot language."""

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from widl._core import Expression
from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.extras import optional_packages
from widl.common.files import replacing
from widl.expressions.acceptor import Acceptor
from widl.expressions.cut_acceptors import CutAcceptor
from widl.expressions.node_labels import node_label, node_notes
from widl.expressions.parsing import expression_of
from widl.expressions.widl_graph import EdgeKind, Vertex, WidlGraph, widl_graph

if TYPE_CHECKING:
    import graphviz

FORMATS = ("svg", "pdf", "png", "dot", "gv")
MAX_NODES = 400
"""Maximum number of nodes of a picture; larger pictures are unreadable, and take Graphviz minutes."""

_FONT = "DejaVu Sans,Helvetica,sans-serif"
BLUE, GREEN, GRAY = "#2b5c8a", "#1a7f37", "#8c959f"
_LOCK_FILLS = ("#fff4e0", "#ffe4bd", "#ffd39a", "#ffc27a")
_EDGE_COLORS = {
    EdgeKind.word: "black",
    EdgeKind.epsilon: GRAY,
    EdgeKind.fork: BLUE,
    EdgeKind.join: BLUE,
    EdgeKind.tile: "#8250df",
}


@checked
def draw_expression(expression: Expression | str) -> "graphviz.Digraph":
    """The expression as a tree; shared parts are repeated at each use; dots replace all after `MAX_NODES` nodes.

    >>> draw_expression(Expression.lock(Expression.word("a"))).source.count("->")
    1
    """
    expression = expression_of(expression)
    picture = new_picture("expression", rankdir="TB", nodesep="0.15", ranksep="0.35", ordering="out")
    picture.attr("node", shape="plaintext", height="0.25", margin="0.06,0.03")
    _draw_node(picture, 0, expression)
    pending = [(0, expression)]
    drawn = 1
    for number, node in pending:  # grows: breadth first
        notes = node_notes(node)
        for k, argument in enumerate(node.arguments):
            if drawn >= MAX_NODES:
                picture.node(f"more{number}", "…")
                picture.edge(f"n{number}", f"more{number}")
                break
            _draw_node(picture, drawn, argument)
            picture.edge(f"n{number}", f"n{drawn}", label=label_text(notes(k).strip()), arrowhead="none", color=GRAY)
            pending.append((drawn, argument))
            drawn += 1
    return picture


@checked
def draw_graph(expression: Expression | str, *, ends: bool = False) -> "graphviz.Digraph":
    """The expression's WIDL-graph: locks as boxes, and, with locks, vertices with their rank. Edges carry words, the
    probabilities of choices, and ⊢ and ⊣ at the begin and end of an interleave, in the order of the arguments, without
    the papers' indices. Vertices have the names of `WidlGraph.name`. `ends`: as in `widl_graph`.
    """
    graph = widl_graph(expression, limit=MAX_NODES, ends=ends)
    picture = new_picture("widl", rankdir="LR", nodesep="0.2", ranksep="0.3")
    picture.attr("node", shape="circle", width="0.3", height="0.3", fixedsize="true", fontsize="9", color="#57606a")
    inside: list[list[Vertex]] = [[] for _ in graph.lock_parents]
    for vertex in graph.vertices:
        inside[vertex.lock].append(vertex)
    _draw_lock(picture, graph, inside)
    for edge in graph.edges:
        label = edge.kind.value if edge.kind in (EdgeKind.fork, EdgeKind.join, EdgeKind.epsilon) else ""
        text = " ".join(part for part in (label, shortened(edge.label)) if part)
        picture.edge(
            graph.name(edge.source),
            graph.name(edge.target),
            label=label_text(f" {text} "),
            color=_EDGE_COLORS[edge.kind],
            fontcolor=_EDGE_COLORS[edge.kind],
            fontsize="12" if edge.kind == EdgeKind.word else "9",
        )
    return picture


@checked
def draw_acceptor(acceptor: Acceptor) -> "graphviz.Digraph":
    """The acceptor: arcs carry a word and its probabilities; state 0 is thick, the final state has two rings."""
    if acceptor.states > MAX_NODES:
        raise InputError(f"the acceptor has {acceptor.states:,} states; it is drawn up to {MAX_NODES}")
    picture = new_picture("acceptor", rankdir="LR", nodesep="0.15", ranksep="0.4")
    picture.attr("node", shape="circle", width="0.3", height="0.3", fixedsize="true", fontsize="9", color="#57606a")
    for state in range(acceptor.states):
        picture.node(
            f"s{state}",
            str(state),
            penwidth="2" if state == 0 else "1",
            peripheries="2" if state == acceptor.final else "1",
        )
    for arc in acceptor.arcs:
        numbers = " ".join(f"{p:.4g}" for p in arc.probabilities)
        picture.edge(f"s{arc.source}", f"s{arc.target}", label=label_text(f" {shortened(arc.word) or 'ε'}/{numbers} "))
    return picture


def draw_cuts(acceptor: CutAcceptor[Any]) -> "graphviz.Digraph":
    """The acceptor whose states are cuts of the WIDL-graph, each with the names of its vertices; ε-arcs are gray.

    States with stacks have them behind the vertices, and their arcs have probabilities below 1 behind the words.
    """
    if len(acceptor.names) > MAX_NODES:
        raise InputError(f"the acceptor has {len(acceptor.names):,} states; it is drawn up to {MAX_NODES}")
    picture = new_picture("cuts", rankdir="LR", nodesep="0.15", ranksep="0.4")
    picture.attr("node", shape="box", style="rounded", fontsize="9", height="0.3", margin="0.08,0.03", color="#57606a")
    names: Mapping[Any, str] = acceptor.names
    numbers = {state: number for number, state in enumerate(names)}
    for state, number in numbers.items():
        rings = "2" if state == acceptor.final else "1"
        picture.node(f"s{number}", names[state], penwidth="2" if number == 0 else "1", peripheries=rings)
    for arc in acceptor.arcs:
        weight = f"/{float(arc.probability):g}" if arc.probability not in (None, 1) else ""
        picture.edge(
            f"s{numbers[arc.source]}",
            f"s{numbers[arc.target]}",
            label=label_text(f" {shortened(arc.word) or 'ε'}{weight} "),
            color=_EDGE_COLORS[EdgeKind.word if arc.word else EdgeKind.epsilon],
        )
    return picture


def check_picture_name(file: PathLike) -> str:
    """The format that a file's suffix names; InputError if it is not one of `FORMATS`."""
    kind = Path(file).suffix.removeprefix(".")
    if kind not in FORMATS:
        raise InputError(f"{file}: the name of a picture ends in {', '.join('.' + ending for ending in FORMATS)}")
    return kind


@checked
def write_picture(picture: "graphviz.Digraph", file: PathLike) -> Path:
    """Write a picture in the format that the file's suffix names; returns its path.

    Without Graphviz' program ``dot``, the picture is a file in the dot language, with the ending ``.dot`` instead.
    """
    path = Path(file)
    kind = check_picture_name(path)
    content = picture.source.encode()
    if kind not in ("dot", "gv"):
        try:
            content = picture.pipe(format=kind)
        except _graphviz().ExecutableNotFound:
            path = path.with_suffix(".dot")
    with replacing(path) as temporary:
        temporary.write_bytes(content)
    return path


def _graphviz() -> Any:
    with optional_packages():
        import graphviz
    return graphviz


def new_picture(name: str, **attributes: str) -> "graphviz.Digraph":
    """An empty picture in the style of all pictures; `attributes` of the graph."""
    picture = _graphviz().Digraph(name, encoding="utf-8")
    picture.attr("graph", fontname=_FONT, bgcolor="transparent", **attributes)
    picture.attr("node", fontname=_FONT, fontsize="12")
    picture.attr("edge", fontname=_FONT, fontsize="10", arrowsize="0.6")
    return picture


def _draw_node(picture: "graphviz.Digraph", number: int, node: Expression) -> None:
    word = node.kind == Expression.Kind.word
    lines = textwrap.wrap(node_label(node), 34) or [""]
    operator = node.kind in (Expression.Kind.precedence, Expression.Kind.lock)
    picture.node(
        f"n{number}",
        label_text("\n".join(lines[:6])),
        fontcolor="black" if word else BLUE,
        fontsize="18" if operator else "12",
    )


def _draw_lock(picture: "graphviz.Digraph", graph: WidlGraph, inside: list[list[Vertex]]) -> None:
    """The vertices, with each lock's vertices in a box inside the box of the enclosing lock."""
    locked = len(inside) > 1
    children: list[list[int]] = [[] for _ in inside]
    for lock, parent in enumerate(graph.lock_parents[1:], 1):
        children[parent].append(lock)
    bodies: dict[int, graphviz.Digraph] = {}
    for lock in reversed(range(len(inside))):  # a lock has a higher number than its enclosing lock
        body = picture if lock == 0 else _graphviz().Digraph(f"cluster_{lock}")
        if lock:
            fill = _LOCK_FILLS[min(graph.ranks[lock], len(_LOCK_FILLS)) - 1]
            body.attr(label="×", labeljust="l", style="rounded,filled", color="#d9a441", fillcolor=fill, margin="6")
        for vertex in inside[lock]:
            ends = vertex.number in (graph.entry, graph.exit)
            body.node(
                graph.name(vertex.number),
                str(vertex.rank) if locked else "",
                style="filled",
                fillcolor="white",
                penwidth="2" if ends else "1",
                tooltip=f"{graph.name(vertex.number)}, rank {vertex.rank}",
            )
        for child in children[lock]:
            body.subgraph(bodies.pop(child))
        bodies[lock] = body


def label_text(text: str) -> str:
    """A label with this text, not read as markup; line breaks are kept."""
    graphviz = _graphviz()
    label: str = graphviz.nohtml("\\n".join(graphviz.escape(line) for line in text.split("\n")))
    return label


def shortened(text: str) -> str:
    """At most 40 characters of a text."""
    return text if len(text) <= 40 else text[:39] + "…"
