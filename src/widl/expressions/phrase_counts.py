"""How many phrases the derivations of strings have, as search counts: maximal sub-expressions of words, · and × only.

Of an expression that is tiles each tile is a phrase.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from widl._core import Expression
from widl.expressions.enumeration import EnumerationOptions, enumerate_strings
from widl.expressions.node_table import NodeTable, with_arguments
from widl.expressions.unfolding import ShuffleCount

_FIRST, _LATER = "^", "_"  # before the text of words: whether a phrase begins there


def mean_phrase_counts(
    expression: Expression,
    *,
    limit: int = EnumerationOptions.limit,
    shuffle_count: ShuffleCount = EnumerationOptions.shuffle_count,
) -> dict[str, float]:
    """By string: phrases of its derivations, the mean weighted by their first probability.

    >>> from widl.expressions import parse_expression
    >>> mean_phrase_counts(parse_expression("∥{1 2: 0.9, perms: 0.1}(∨{0.5, 0.5}(a, b c), d)"))
    {'a d': 2.0, 'b c d': 2.0, 'd a': 2.0, 'd b c': 2.0}
    >>> mean_phrase_counts(parse_expression("∨{0.75, 0.25}(a b, ∨(a, a) · b)"))
    {'a b': 1.25}
    """
    counts: dict[str, list[tuple[float, int]]] = {}
    for found in enumerate_strings(_marked(expression), limit=limit, shuffle_count=shuffle_count):
        words = found.string.split(" ") if found.string else []
        string = " ".join(word[1:] for word in words if word != _FIRST)
        phrases = sum(word.startswith(_FIRST) for word in words)
        counts.setdefault(string, []).append((found.log_probabilities[0], phrases))
    return {string: _mean(weighted) for string, weighted in counts.items()}


def _mean(weighted: Sequence[tuple[float, int]]) -> float:
    """The mean of numbers, each with ln of its weight, to 12 digits."""
    most = max(log for log, _ in weighted)
    weights = [math.exp(log - most) for log, _ in weighted]
    total = math.fsum(weight * number for weight, (_, number) in zip(weights, weighted, strict=True))
    return float(f"{total / math.fsum(weights):.12g}")


@dataclass(frozen=True)
class _Marked:
    """A node whose words tell where phrases begin: if one begins with it, if it continues one, if it is within one."""

    begins: Expression
    continues: Expression
    within: Expression
    """Where no phrase begins at any of its words."""
    phrase: bool
    """Whether it is part of one phrase: of words, · and × only."""
    open: bool | None
    """Whether a phrase of the words behind it would continue its last one; None: it has no words."""


def _marked(expression: Expression) -> Expression:
    table = NodeTable(expression, possible_only=False)

    def combine(i: int, arguments: Sequence[_Marked]) -> _Marked:
        node = table.nodes[i]
        if i == len(table) - 1 and node.kind == Expression.Kind.tiles:
            first = Expression.word(_FIRST)
            tiles = with_arguments(node, [Expression.precedence([first, one.within]) for one in arguments])
            return _Marked(tiles, tiles, tiles, False, False)
        return _mark(node, arguments)

    return table.fold(combine).begins


def _mark(node: Expression, arguments: Sequence[_Marked]) -> _Marked:
    kinds = Expression.Kind
    if node.kind == kinds.word:
        later = Expression.word(_LATER + node.text)
        return _Marked(Expression.word(_FIRST + node.text), later, later, True, True)
    within = [one.within for one in arguments]
    if node.kind == kinds.precedence:
        begins, open_behind = _row(arguments, False)
        continues, _ = _row(arguments, True)
        is_open = open_behind if any(one.open is not None for one in arguments) else None
        is_phrase = all(one.phrase for one in arguments)
        return _Marked(begins, continues, Expression.precedence(within), is_phrase, is_open)
    if node.kind == kinds.lock and arguments[0].phrase:
        [content] = arguments
        lock = Expression.lock
        return _Marked(lock(content.begins), lock(content.continues), lock(content.within), True, True)
    begins = with_arguments(node, [one.begins for one in arguments])
    return _Marked(begins, begins, with_arguments(node, within), False, False)


def _row(parts: Sequence[_Marked], is_open: bool) -> tuple[Expression, bool]:
    """Parts in their order, and whether a phrase is open behind them."""
    made = []
    for part in parts:
        made.append(part.continues if is_open else part.begins)
        is_open = is_open if part.open is None else part.open
    return Expression.precedence(made), is_open
