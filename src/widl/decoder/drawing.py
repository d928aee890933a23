"""Pictures of expressions, of their WIDL-graphs, and of what a search explored, in Graphviz' dot language."""

import math
import textwrap
from pathlib import Path
from typing import Any

import graphviz

from widl._core import Expression
from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError
from widl.common.files import replacing
from widl.decoder.acceptor import Acceptor
from widl.decoder.cuts import CutAcceptor
from widl.decoder.labels import node_label, node_notes
from widl.decoder.search_record import KINDS, NONE, SearchRecord
from widl.decoder.widl_graph import EdgeKind, Vertex, WidlGraph, widl_graph

FORMATS = ("svg", "pdf", "png", "dot", "gv")
MOST_NODES = 400
"""Pictures of more than so many nodes can't be read, and take Graphviz minutes."""

_FONT = "DejaVu Sans,Helvetica,sans-serif"
_BLUE, _GREEN, _GREY = "#2b5c8a", "#1a7f37", "#8c959f"
_LOCK_FILLS = ("#fff4e0", "#ffe4bd", "#ffd39a", "#ffc27a")
_EDGE_COLOURS = {
    EdgeKind.word: "black",
    EdgeKind.epsilon: _GREY,
    EdgeKind.fork: _BLUE,
    EdgeKind.join: _BLUE,
    EdgeKind.tile: "#8250df",
}


def draw_expression(expression: Expression) -> graphviz.Digraph:
    """The expression as a tree; shared parts stand wherever they are used, after `MOST_NODES` nodes come dots.

    >>> draw_expression(Expression.lock(Expression.word("a"))).source.count("->")
    1
    """
    picture = _picture("expression", rankdir="TB", nodesep="0.15", ranksep="0.35", ordering="out")
    picture.attr("node", shape="plaintext", height="0.25", margin="0.06,0.03")
    _draw_node(picture, 0, expression)
    pending = [(0, expression)]
    drawn = 1
    for number, node in pending:  # grows: breadth first
        notes = node_notes(node)
        for k, argument in enumerate(node.arguments):
            if drawn >= MOST_NODES:
                picture.node(f"more{number}", "…")
                picture.edge(f"n{number}", f"more{number}")
                break
            _draw_node(picture, drawn, argument)
            picture.edge(f"n{number}", f"n{drawn}", label=_text(notes(k).strip()), arrowhead="none", color=_GREY)
            pending.append((drawn, argument))
            drawn += 1
    return picture


def draw_graph(expression: Expression) -> graphviz.Digraph:
    """The expression's WIDL-graph: locks as boxes, vertices with their rank where there are locks.

    Edges carry words, the probabilities of choices, and ⊢ and ⊣ where an interleave begins and ends.
    """
    graph = widl_graph(expression, limit=MOST_NODES)
    picture = _picture("widl", rankdir="LR", nodesep="0.2", ranksep="0.3")
    picture.attr("node", shape="circle", width="0.3", height="0.3", fixedsize="true", fontsize="9", color="#57606a")
    inside: list[list[Vertex]] = [[] for _ in graph.lock_parents]
    for vertex in graph.vertices:
        inside[vertex.lock].append(vertex)
    _draw_lock(picture, graph, inside)
    for edge in graph.edges:
        label = edge.kind.value if edge.kind in (EdgeKind.fork, EdgeKind.join, EdgeKind.epsilon) else ""
        text = " ".join(part for part in (label, _cut(edge.label)) if part)
        picture.edge(
            f"v{edge.source}",
            f"v{edge.target}",
            label=_text(f" {text} "),
            color=_EDGE_COLOURS[edge.kind],
            fontcolor=_EDGE_COLOURS[edge.kind],
            fontsize="12" if edge.kind == EdgeKind.word else "9",
        )
    return picture


def draw_search(record: SearchRecord | None, most: int = 200) -> graphviz.Digraph:
    """The states that a search reached, one for each set of words realized and language model context.

    Of the last phase of a `record`: the best path found and the states reached first, `most` in all. A state shows
    the score of its best path and, below, the bound on all strings through it. Solid: expanded; dashed: generated, but
    not expanded; green: on the best path found. Edges that led to no better path are thin.
    """
    if record is None:
        raise InputError("there is nothing to draw: the search was not asked to record what it did")
    reached = _Reached(record)
    best = reached.best_path()
    others = [state for state in reached.arrivals if state not in best]
    left_out = len(others) - max(0, most - len(best)) if len(others) + len(best) > most else 0
    drawn = best | set(others[: len(others) - left_out])
    picture = _picture("search", rankdir="LR", nodesep="0.12", ranksep="0.5")
    picture.attr("node", shape="box", style="rounded", fontsize="9", height="0.3", margin="0.08,0.03")
    for state in reached.arrivals:
        if state in drawn:
            _draw_state(picture, reached, state, is_best=state in best)
    for event in reached.steps:
        source, target = int(record.sources[event]), int(record.states[event])
        if not {source, target} <= drawn:
            continue
        leads = reached.arrivals[target] == event
        on_best = leads and {source, target} <= best
        colour = _GREEN if on_best else "#57606a" if leads else "#c4cad0"
        picture.edge(
            f"s{source}",
            f"s{target}",
            label=_text(f" {_cut(' '.join(record.words[record.labels[event]]))} "),
            color=colour,
            fontcolor=colour if on_best else "black" if leads else _GREY,
            penwidth="2.4" if on_best else "1" if leads else "0.6",
            fontsize="11",
        )
    if left_out or record.left_out:
        more = f"{left_out:,} more states" if left_out else f"{record.left_out:,} further events"
        picture.attr(label=_text(f"{more} are not drawn"), labelloc="b")
    return picture


class _Reached:
    """The last phase of a search as a graph of states, whose dead ends are left out."""

    def __init__(self, record: SearchRecord) -> None:
        self.record = record
        self.arrivals: dict[int, int] = {}
        """By state, in the order in which they were reached: the event by which its best path arrived."""
        self.steps: list[int] = []
        """Events that lead from one state to another."""
        self.unfolded: set[int] = set()
        kinds = [KINDS[kind] for kind in record.kinds.tolist()]
        begin = max(event for event, kind in enumerate(kinds) if kind == "began")
        for event in range(begin, len(record)):
            state = int(record.states[event])
            if kinds[event] == "unfolded":
                self.unfolded.add(state)
            if kinds[event] not in ("made", "improved", "recombined"):
                continue
            if kinds[event] != "recombined" and (record.goals[event] or record.bounds[event] > -math.inf):
                self.arrivals[state] = event
            if record.sources[event] != NONE:
                self.steps.append(event)

    def best_path(self) -> set[int]:
        """The states of the best path; none where no path is complete."""
        goals = [state for state, event in self.arrivals.items() if self.record.goals[event]]
        state = max(goals, key=lambda goal: self.record.scores[self.arrivals[goal]], default=NONE)
        path: set[int] = set()
        while state != NONE:
            path.add(state)
            state = int(self.record.sources[self.arrivals[state]])
        return path

    def words(self, state: int) -> list[str]:
        """Of the best path to a state."""
        labels: list[int] = []
        while (source := int(self.record.sources[self.arrivals[state]])) != NONE:
            labels.append(int(self.record.labels[self.arrivals[state]]))
            state = source
        return [word for label in reversed(labels) for word in self.record.words[label]]


def _draw_state(picture: graphviz.Digraph, reached: _Reached, state: int, *, is_best: bool) -> None:
    record, event = reached.record, reached.arrivals[state]
    score, is_goal = float(record.scores[event]), bool(record.goals[event])
    style, colour, fill, width = "rounded,filled", _BLUE, "#eaf2fb", "1.2"
    if not (state in reached.unfolded or is_goal):
        style, colour, fill, width = "rounded,dashed", _GREY, "white", "1"
    if is_best:
        colour, fill, width = _GREEN, "#dcf5e3", "2.2"
    picture.node(
        f"s{state}",
        _text(f"{score:.2f}" if is_goal else f"{score:.2f}\n≤ {score + float(record.bounds[event]):.2f}"),
        style=style,
        color=colour,
        fillcolor=fill,
        penwidth=width,
        peripheries="2" if is_goal else "1",
        fontcolor="black" if state in reached.unfolded or is_best else "#57606a",
        tooltip=_text(" ".join(reached.words(state)) or "nothing yet"),
    )


def draw_acceptor(acceptor: Acceptor) -> graphviz.Digraph:
    """The acceptor: arcs carry a word and its probabilities; state 0 is thick, the final state has two rings."""
    if acceptor.states > MOST_NODES:
        raise InputError(f"the acceptor has {acceptor.states:,} states; it is drawn up to {MOST_NODES}")
    picture = _picture("acceptor", rankdir="LR", nodesep="0.15", ranksep="0.4")
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
        picture.edge(f"s{arc.source}", f"s{arc.target}", label=_text(f" {_cut(arc.word) or 'ε'}/{numbers} "))
    return picture


def draw_cuts(acceptor: CutAcceptor[Any]) -> graphviz.Digraph:
    """The acceptor whose states are cuts of the WIDL-graph, each with the names of its vertices; ε-arcs are grey.

    Where it has probabilities, those that are not 1 stand beside the words.
    """
    if len(acceptor.names) > MOST_NODES:
        raise InputError(f"the acceptor has {len(acceptor.names):,} states; it is drawn up to {MOST_NODES}")
    picture = _picture("cuts", rankdir="LR", nodesep="0.15", ranksep="0.4")
    picture.attr("node", shape="box", style="rounded", fontsize="9", height="0.3", margin="0.08,0.03", color="#57606a")
    numbers = {cut: number for number, cut in enumerate(acceptor.names)}
    for cut, number in numbers.items():
        rings = "2" if cut == acceptor.final else "1"
        picture.node(f"s{number}", acceptor.names[cut], penwidth="2" if number == 0 else "1", peripheries=rings)
    for arc in acceptor.arcs:
        p = 1 if arc.probability is None else arc.probability
        picture.edge(
            f"s{numbers[arc.source]}",
            f"s{numbers[arc.target]}",
            label=_text(f" {_cut(arc.word) or 'ε'}{f'/{float(p):g}' if p != 1 else ''} "),
            color=_EDGE_COLOURS[EdgeKind.word if arc.word else EdgeKind.epsilon],
        )
    return picture


def check_picture_name(file: PathLike) -> str:
    """The format that a file's name ends in; InputError where that is none of `FORMATS`."""
    kind = path_of(file, "file").suffix.removeprefix(".")
    if kind not in FORMATS:
        raise InputError(f"{file}: the name of a picture ends in {', '.join('.' + ending for ending in FORMATS)}")
    return kind


def write_picture(picture: graphviz.Digraph, file: PathLike) -> Path:
    """Write a picture in the format that the file's name ends in; returns where it is.

    Where Graphviz' program ``dot`` is not installed, that is a file in the dot language, ``.dot`` in
    place of the ending.
    """
    path = path_of(file, "file")
    kind = check_picture_name(path)
    content = picture.source.encode()
    if kind not in ("dot", "gv"):
        try:
            content = picture.pipe(format=kind)
        except graphviz.ExecutableNotFound:
            path = path.with_suffix(".dot")
    with replacing(path) as temporary:
        temporary.write_bytes(content)
    return path


def _picture(name: str, **attributes: str) -> graphviz.Digraph:
    picture = graphviz.Digraph(name, encoding="utf-8")
    picture.attr("graph", fontname=_FONT, bgcolor="transparent", **attributes)
    picture.attr("node", fontname=_FONT, fontsize="12")
    picture.attr("edge", fontname=_FONT, fontsize="10", arrowsize="0.6")
    return picture


def _draw_node(picture: graphviz.Digraph, number: int, node: Expression) -> None:
    word = node.kind == Expression.Kind.word
    lines = textwrap.wrap(node_label(node), 34) or [""]
    operator = node.kind in (Expression.Kind.precedence, Expression.Kind.lock)
    picture.node(
        f"n{number}",
        _text("\n".join(lines[:6])),
        fontcolor="black" if word else _BLUE,
        fontsize="18" if operator else "12",
    )


def _draw_lock(picture: graphviz.Digraph, graph: WidlGraph, inside: list[list[Vertex]]) -> None:
    """The vertices, those of each lock in a box within that of the lock around it."""
    locked = len(inside) > 1
    children: list[list[int]] = [[] for _ in inside]
    for lock, parent in enumerate(graph.lock_parents[1:], 1):
        children[parent].append(lock)
    bodies: dict[int, graphviz.Digraph] = {}
    for lock in reversed(range(len(inside))):  # a lock's number is higher than that of the one around it
        body = picture if lock == 0 else graphviz.Digraph(f"cluster_{lock}")
        if lock:
            fill = _LOCK_FILLS[min(graph.ranks[lock], len(_LOCK_FILLS)) - 1]
            body.attr(label="×", labeljust="l", style="rounded,filled", color="#d9a441", fillcolor=fill, margin="6")
        for vertex in inside[lock]:
            ends = vertex.number in (graph.entry, graph.exit)
            body.node(
                f"v{vertex.number}",
                str(vertex.rank) if locked else "",
                style="filled",
                fillcolor="white",
                penwidth="2" if ends else "1",
                tooltip=f"v{vertex.number}, rank {vertex.rank}",
            )
        for child in children[lock]:
            body.subgraph(bodies.pop(child))
        bodies[lock] = body


def _text(text: str) -> str:
    """A label of this text, nothing in it being markup; line ends are kept."""
    label: str = graphviz.nohtml("\\n".join(graphviz.escape(line) for line in text.split("\n")))
    return label


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
