"""How many phrases the derivations of strings have, as search counts: maximal sub-expressions of words, · and × only.

Of an expression that is tiles each tile is a phrase.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from widl._core import Expression
from widl.decoder.enumeration import EnumerationOptions, ShuffleCount, enumerate_strings
from widl.decoder.node_table import NodeTable

_FIRST, _LATER = "^", "_"  # before the text of words: whether a phrase begins there


def mean_phrase_counts(
    expression: Expression,
    *,
    limit: int = EnumerationOptions.limit,
    shuffle_count: ShuffleCount = EnumerationOptions.shuffle_count,
) -> dict[str, float]:
    """By string: phrases of its derivations, the mean weighted by their first probability.

    Strings of probability 0 are left out.

    >>> from widl.decoder import parse_expression
    >>> mean_phrase_counts(parse_expression("∥{1 2: 0.9, perms: 0.1}(∨{0.5, 0.5}(a, b c), d)"))
    {'a d': 2.0, 'b c d': 2.0, 'd a': 2.0, 'd b c': 2.0}
    >>> mean_phrase_counts(parse_expression("∨{0.75, 0.25}(a b, ∨(a, a) · b)"))
    {'a b': 1.25}
    """
    masses: dict[str, tuple[Fraction, Fraction]] = {}
    for found in enumerate_strings(_marked(expression), limit=limit, shuffle_count=shuffle_count):
        words = found.string.split(" ") if found.string else []
        string = " ".join(word[1:] for word in words if word != _FIRST)
        mass, phrases = masses.get(string, (Fraction(0), Fraction(0)))
        p = found.exact[0]
        masses[string] = mass + p, phrases + p * sum(word.startswith(_FIRST) for word in words)
    return {string: float(phrases / mass) for string, (mass, phrases) in masses.items() if mass}


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
            tiles = _with_arguments(node, [Expression.precedence([first, one.within]) for one in arguments])
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
    begins = _with_arguments(node, [one.begins for one in arguments])
    return _Marked(begins, begins, _with_arguments(node, within), False, False)


def _row(parts: Sequence[_Marked], is_open: bool) -> tuple[Expression, bool]:
    """Parts in their order, and whether a phrase is open behind them."""
    made = []
    for part in parts:
        made.append(part.continues if is_open else part.begins)
        is_open = is_open if part.open is None else part.open
    return Expression.precedence(made), is_open


def _with_arguments(node: Expression, arguments: Sequence[Expression]) -> Expression:
    """The same operator, of other arguments."""
    kinds, forms = Expression.Kind, Expression.Form
    if node.kind == kinds.lock:
        return Expression.lock(arguments[0])
    if node.kind == kinds.disjunction:
        make = Expression.scored_disjunction if node.scored else Expression.disjunction
        return make(arguments, node.probabilities)
    if node.kind == kinds.tiles:
        spans = [(*span, argument) for span, argument in zip(node.spans, arguments, strict=True)]
        return Expression.tiles(node.length, spans, movement_base=node.movement_base)
    if node.form == forms.movement:
        return Expression.movement_interleave(arguments, node.movement_base)
    if node.form == forms.uniform:
        return Expression.uniform_interleave(arguments)
    return Expression.interleave(
        arguments, listed=node.listed, other_permutations=node.other_permutations, shuffles=node.shuffles
    )
