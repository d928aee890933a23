"""Pictures of expressions: a tree for terminals (rich) and for notebooks."""

import html as html_text
import io
from collections.abc import Callable

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from widl._core import Expression
from widl.decoder.counting import count_derivations
from widl.errors import InputError

_MAX_NODES = 200
_MAX_DEPTH = 40


def tree(expression: Expression) -> Tree:
    """The expression as a rich tree; shared parts appear wherever they are used, large ones are cut short."""
    top = Tree(_label(expression))
    rest = [(top, expression, 0)]
    shown = 1
    while rest:
        branch, node, depth = rest.pop()
        notes = node_notes(node)
        for k, argument in enumerate(node.arguments):
            if shown >= _MAX_NODES or depth >= _MAX_DEPTH:
                branch.add(Text("…", style="dim"))
                break
            shown += 1
            rest.append((branch.add(Text.assemble((notes(k), "dim"), _label(argument))), argument, depth + 1))
    return top


def html(expression: Expression) -> str:
    """The tree for a notebook, with the expression's size and number of derivations."""
    buffer = io.StringIO()
    console = Console(file=buffer, width=120, color_system=None, force_terminal=False)
    console.print(tree(expression))
    try:
        count = count_derivations(expression)
        derivations = f"{count:,}" if count < 10**15 else f"about 10^{count.bit_length() * 0.30103:.0f}"
    except InputError:
        derivations = "too many to count"
    caption = f"{expression.size:,} nodes, {derivations} derivations"
    return f"<pre>{html_text.escape(buffer.getvalue())}</pre><small>{caption}</small>"


def node_label(node: Expression) -> str:
    """An operator with its distribution, or a word."""
    return _label(node).plain


def _label(node: Expression) -> Text:
    kinds, forms = Expression.Kind, Expression.Form
    if node.kind == kinds.word:
        return Text(node.text if len(node.text) <= 80 else node.text[:79] + "…", style="bold")
    if node.kind == kinds.precedence:
        return Text("·")
    if node.kind == kinds.lock:
        return Text("×")
    if node.kind == kinds.tiles:
        return Text(f"tiles of {node.length} positions, expmove {node.movement_base:g}")
    if node.kind == kinds.disjunction:
        return Text("∨ scores" if node.scored else "∨")
    if node.form == forms.uniform:
        return Text("∥ uniform")
    if node.form == forms.movement:
        return Text(f"∥ expmove {node.movement_base:g}")
    entries = [(" ".join(str(k + 1) for k in order), p) for order, p in node.listed[:5]]
    entries += [("…", [])] if len(node.listed) > 5 else []
    entries += [(name, p) for name, p in (("perms", node.other_permutations), ("shuffles", node.shuffles)) if any(p)]
    return Text("∥ " + ", ".join(f"{name}: {_numbers(p)}" if p else name for name, p in entries))


def node_notes(node: Expression) -> Callable[[int], str]:
    """What stands before each argument."""
    if node.kind == Expression.Kind.disjunction:
        rows = node.probabilities
        return lambda k: _numbers(rows[k]) + "  "
    if node.kind == Expression.Kind.tiles:
        spans = node.spans
        return lambda k: f"{spans[k][0]}-{spans[k][1]}  "
    return lambda _: ""


def _numbers(values: list[float]) -> str:
    return " ".join(f"{value:g}" for value in values)
