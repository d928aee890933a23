"""Labels of an expression's nodes in pictures."""

from collections.abc import Callable

from widl._core import Expression


def node_label(node: Expression) -> str:
    """An operator with its distribution, or a word; long labels are truncated."""
    kinds, forms = Expression.Kind, Expression.Form
    if node.kind == kinds.word:
        return node.text if len(node.text) <= 80 else node.text[:79] + "…"
    if node.kind == kinds.precedence:
        return "·"
    if node.kind == kinds.lock:
        return "×"
    if node.kind == kinds.tiles:
        return f"tiles of {node.length} positions, expmove {node.movement_base:g}"
    if node.kind == kinds.disjunction:
        return "∨ scores" if node.scored else "∨"
    if node.form == forms.uniform:
        return "∥ uniform"
    if node.form == forms.movement:
        return f"∥ expmove {node.movement_base:g}"
    entries = [(" ".join(str(k + 1) for k in order), p) for order, p in node.listed[:5]]
    entries += [("…", [])] if len(node.listed) > 5 else []
    entries += [(name, p) for name, p in (("perms", node.other_permutations), ("shuffles", node.shuffles)) if any(p)]
    return "∥ " + ", ".join(f"{name}: {_numbers(p)}" if p else name for name, p in entries)


def node_notes(node: Expression) -> Callable[[int], str]:
    """The prefix of each argument: probabilities of a choice, spans of tiles."""
    if node.kind == Expression.Kind.disjunction:
        rows = node.probabilities
        return lambda k: _numbers(rows[k]) + "  "
    if node.kind == Expression.Kind.tiles:
        spans = node.spans
        return lambda k: f"{spans[k][0]}-{spans[k][1]}  "
    return lambda _: ""


def _numbers(values: list[float]) -> str:
    return " ".join(f"{value:g}" for value in values)
