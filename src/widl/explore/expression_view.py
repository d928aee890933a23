"""An expression to look at: its size and strings, its graph, its acceptor."""

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from widl.common.errors import InputError
from widl.decoder import Expression, count_derivations, enumerate_strings, make_acceptor
from widl.decoder.labels import node_label
from widl.decoder.unfolding import unfold
from widl.decoder.widl_graph import EdgeKind, widl_graph
from widl.explore.layered import MOST_NODES, Edge, Node, draw
from widl.explore.rendering import notebook, render

_SHOWN_STRINGS = 20
_MOST_ARCS = 2 * MOST_NODES  # of the beginning of an acceptor
_MOST_STRINGS = 20_000  # derivations that are listed for their probabilities
_ARC_KINDS = {EdgeKind.word: "word", EdgeKind.epsilon: "epsilon", EdgeKind.fork: "fork", EdgeKind.join: "fork"}


@dataclass(frozen=True)
class ExpressionView:
    """An expression as the workbench shows it.

        ExpressionView(parse("∥(sat, ×(the cat))"))  # the last line of a notebook's cell
    """

    expression: Expression

    def html(self) -> Markup:
        """Its sizes, strings and pictures."""
        strings, problem = self._strings()
        return render(
            "expression",
            size=self.expression.size,
            derivations=self._derivations(),
            strings=strings[:_SHOWN_STRINGS],
            count=len(strings),
            problem=problem,
            most=max((p for _, p in strings), default=1.0) or 1.0,
            tree=self._tree(),
            graph=_picture(self._graph),
            acceptor=_picture(self._acceptor),
        )

    def _repr_html_(self) -> str:
        return notebook(self.html())

    def _derivations(self) -> str:
        try:
            count = count_derivations(self.expression)
        except InputError as error:
            return str(error)
        return f"{count:,}" if count < 10**15 else f"about 10^{count.bit_length() * 0.30103:.0f}"

    def _strings(self) -> tuple[list[tuple[str, float]], str]:
        """The strings with their first probabilities, the most probable first, or why they are not listed."""
        try:
            found = enumerate_strings(self.expression, limit=_MOST_STRINGS)
        except InputError as error:
            return [], str(error)
        return [(one.string, one.probability) for one in found], ""

    def _tree(self) -> list[tuple[int, str]]:
        """The expression's operators and words, each with how deep it stands."""
        lines: list[tuple[int, str]] = []
        pending = [(0, self.expression)]
        while pending and len(lines) < MOST_NODES:
            depth, node = pending.pop()
            lines.append((depth, node_label(node)))
            pending += [(depth + 1, argument) for argument in reversed(node.arguments)]
        return lines

    def _graph(self) -> Markup:
        graph = widl_graph(self.expression, limit=MOST_NODES)
        nodes = [
            Node(
                str(vertex.rank) if vertex.rank else "",
                f"vertex {vertex.number}" + f", within {vertex.rank} locks" * bool(vertex.rank),
                "final" * (vertex.number == graph.exit) + " locked" * bool(vertex.rank),
            )
            for vertex in graph.vertices
        ]
        edges = [
            Edge(
                edge.source, edge.target,
                edge.label if edge.label or edge.kind == EdgeKind.word else _SIGNS.get(edge.kind, ""),
                _ARC_KINDS.get(edge.kind, "tile"),
            )
            for edge in graph.edges
        ]  # fmt: skip
        return Markup(draw(nodes, edges, f"WIDL-graph of {len(nodes)} vertices and {len(edges)} edges"))

    def _acceptor(self) -> Markup:
        try:
            acceptor = make_acceptor(self.expression, limit=4 * MOST_NODES)
        except InputError:
            return self._beginning()
        if acceptor.states > MOST_NODES:
            return self._beginning()
        nodes = [Node(str(n), f"state {n}", "final" * (n == acceptor.final)) for n in range(acceptor.states)]
        labels: dict[tuple[int, int], list[str]] = {}
        for arc in acceptor.arcs:
            labels.setdefault((arc.source, arc.target), []).append(f"{arc.word} {arc.probabilities[0]:.3g}")
        edges = [Edge(source, target, "\n".join(lines), "word") for (source, target), lines in labels.items()]
        return Markup(draw(nodes, edges, f"acceptor of {len(nodes)} states and {len(acceptor.arcs)} arcs"))

    def _beginning(self) -> Markup:
        """The states next to the start of an acceptor that is too large to draw."""
        unfolded = unfold(self.expression, limit=_MOST_ARCS)
        edges: list[Edge] = []
        reached, expanded = 1, 0
        for state, arcs in enumerate(unfolded.arcs):
            edges += [Edge(state, target, word, "word") for target, word, _ in arcs]
            reached = max([reached, *(target + 1 for target, _, _ in arcs)])
            if len(edges) == _MOST_ARCS:
                break
            expanded += 1
            if reached > MOST_NODES // 2:
                break
        nodes = [
            Node(str(n), f"state {n}", "final" if n == unfolded.final else "open" * (n >= expanded))
            for n in range(reached)
        ]
        return Markup(draw(nodes, edges, f"the first {len(nodes)} states of the acceptor; dashed ones go on"))


_SIGNS = {EdgeKind.fork: "⊢", EdgeKind.join: "⊣", EdgeKind.epsilon: "ε"}


def _picture(make: Callable[[], Markup]) -> tuple[Markup, str]:
    """A picture, or why there is none."""
    try:
        return make(), ""
    except InputError as error:
        return Markup(""), str(error)
