"""View of an expression: its size and strings, its graph, its acceptor."""

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from widl.common.errors import InputError
from widl.expressions import Expression, count_derivations, enumerate_strings, make_acceptor
from widl.expressions.widl_graph import EdgeKind, widl_graph
from widl.web.layered_drawing import MAX_NODES, Edge, Node, draw
from widl.web.rendering import notebook, render

_SHOWN_STRINGS = 20
_MAX_STRINGS = 20_000  # maximum number of listed derivations
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
        """The strings with their first probabilities, most probable first; or the reason for not listing them."""
        try:
            results = enumerate_strings(self.expression, limit=_MAX_STRINGS)
        except InputError as error:
            return [], str(error)
        return [(result.string, result.probability) for result in results], ""

    def _graph(self) -> Markup:
        graph = widl_graph(self.expression, limit=MAX_NODES)
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
        acceptor = make_acceptor(self.expression, limit=4 * MAX_NODES)
        if acceptor.states > MAX_NODES:
            raise InputError(f"the acceptor has {acceptor.states} states, too many to draw")
        nodes = [Node(str(n), f"state {n}", "final" * (n == acceptor.final)) for n in range(acceptor.states)]
        labels: dict[tuple[int, int], list[str]] = {}
        for arc in acceptor.arcs:
            labels.setdefault((arc.source, arc.target), []).append(f"{arc.word} {arc.probabilities[0]:.3g}")
        edges = [Edge(source, target, "\n".join(lines), "word") for (source, target), lines in labels.items()]
        return Markup(draw(nodes, edges, f"acceptor of {len(nodes)} states and {len(acceptor.arcs)} arcs"))


_SIGNS = {EdgeKind.fork: "⊢", EdgeKind.join: "⊣", EdgeKind.epsilon: "ε"}


def _picture(make: Callable[[], Markup]) -> tuple[Markup, str]:
    """A picture, or the reason why there is none."""
    try:
        return make(), ""
    except InputError as error:
        return Markup(""), str(error)
