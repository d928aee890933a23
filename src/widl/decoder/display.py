"""Pictures of expressions: a tree for terminals (rich) and for notebooks."""

import html as html_text
import shutil

import graphviz
from rich.text import Text
from rich.tree import Tree

from widl._core import Expression
from widl.common.errors import InputError
from widl.decoder.counting import count_derivations, written_size
from widl.decoder.drawing import draw_expression
from widl.decoder.labels import node_label, node_notes

_MAX_NODES = 200
_MAX_DEPTH = 40


def tree(expression: Expression) -> Tree:
    """The expression as a rich tree; shared parts appear wherever they are used, large ones are cut short."""
    top = Tree(_label(expression))
    pending = [(top, expression, 0)]
    count = 1
    while pending:
        branch, node, depth = pending.pop()
        notes = node_notes(node)
        for k, argument in enumerate(node.arguments):
            if count >= _MAX_NODES or depth >= _MAX_DEPTH:
                branch.add(Text("…", style="dim"))
                break
            count += 1
            pending.append((branch.add(Text.assemble((notes(k), "dim"), _label(argument))), argument, depth + 1))
    return top


def html(expression: Expression) -> str:
    """The expression for a notebook: a picture of its tree, its size and number of derivations.

    Without Graphviz' program, or if the tree is too large for a picture, the tree is nested HTML lists.
    """
    try:
        count = count_derivations(expression)
        derivations = f"{count:,}" if count < 10**15 else f"about 10^{count.bit_length() * 0.30103:.0f}"
    except InputError:
        derivations = "too many to count"
    caption = f"{expression.size:,} nodes, {derivations} derivations"
    return f"{_svg(expression) or _lists(expression)}<small>{caption}</small>"


def _svg(expression: Expression) -> str | None:
    """The tree as drawn by Graphviz, if that is installed and the tree fits a page."""
    if written_size(expression) > _MAX_NODES or shutil.which("dot") is None:
        return None
    try:
        picture: str = draw_expression(expression).pipe(format="svg", encoding="utf-8")
    except (graphviz.ExecutableNotFound, graphviz.CalledProcessError):
        return None
    return picture[picture.index("<svg") :]


def _lists(expression: Expression) -> str:
    return f'<ul style="font-family: monospace">{_list_item(tree(expression))}</ul>'


def _list_item(branch: Tree) -> str:
    label = branch.label.plain if isinstance(branch.label, Text) else str(branch.label)
    inner = "".join(map(_list_item, branch.children))
    return f"<li>{html_text.escape(label)}{f'<ul>{inner}</ul>' if inner else ''}</li>"


def _label(node: Expression) -> Text:
    return Text(node_label(node), style="bold" if node.kind == Expression.Kind.word else "")
