"""Arguments of ∥ and × that may be empty: the choice whether they are is moved outside of the operator.

``∥(a, ∨{0.7, 0.3}(b, ()))`` is ``∨{0.7, 0.3}(∥(a, b), a)``: the core's ∥ and × take arguments of at least one word.
"""

import math
from collections.abc import Callable, Sequence

from widl._core import Expression
from widl.common.errors import InputError

_MAX_ARGUMENTS = 10
"""Largest number of arguments that may be empty: 1,024 interleaves."""
_DEEPEST = 200
"""Choices inside of choices that may be empty."""

Row = Sequence[float]
"""A probability, or J probabilities."""
Listed = Sequence[tuple[Sequence[int], Row]]


def lock_of(content: Expression) -> Expression:
    """×, of content that may be empty, too."""
    return _lifted([content], [0], lambda arguments, _: Expression.lock(arguments[0]))


def uniform_interleave(arguments: Sequence[Expression]) -> Expression:
    """∥ whose interleavings are equally probable, of arguments that may be empty, too."""
    return _interleave(arguments, lambda some, _: Expression.uniform_interleave(some))


def listed_interleave(
    arguments: Sequence[Expression], listed: Listed, others: Row, shuffles: Row, *, has_movement: bool
) -> Expression:
    """∥ with masses, of arguments that may be empty, too: their absence leaves the order of the others as it is."""
    if any(argument.min_units == 0 for argument in arguments) and (any(shuffles) or has_movement):
        name = "expmove" if has_movement else "shuffles"
        raise InputError(
            f"∥: an argument may be empty, which {name} does not take; choose outside: ∨{{0.7, 0.3}}(∥{{…}}(a, b), a)"
        )

    def make(some: Sequence[Expression], numbers: Sequence[int]) -> Expression:
        all_or_some = listed, others
        if len(some) < len(arguments):
            all_or_some = _projected(len(arguments), numbers, listed, others)
        return Expression.interleave(some, listed=all_or_some[0], other_permutations=all_or_some[1], shuffles=shuffles)

    return _interleave(arguments, make)


_Make = Callable[[Sequence[Expression], Sequence[int]], Expression]
"""Makes an operator of some arguments, given their numbers among all."""


def _interleave(arguments: Sequence[Expression], make: _Make) -> Expression:
    count = sum(argument.min_units == 0 for argument in arguments)
    if count > _MAX_ARGUMENTS:
        raise InputError(f"∥: {count} arguments may be empty; at most {_MAX_ARGUMENTS} are supported")
    return _lifted(
        arguments,
        range(len(arguments)),
        lambda some, numbers: some[0] if len(some) == 1 < len(arguments) else make(some, numbers),
    )


def _lifted(arguments: Sequence[Expression], numbers: Sequence[int], make: _Make) -> Expression:
    """The operator, or ∨ of the operator with and without its first argument that may be empty."""
    optional = next((k for k, argument in enumerate(arguments) if argument.min_units == 0), None)
    if optional is None:
        return make(arguments, numbers) if arguments else Expression.precedence([])
    alternatives, is_scored = _alternatives(arguments[optional], _DEEPEST)
    results = []
    for row, argument in alternatives:
        kept = [] if argument is None else [argument]
        rest = [*arguments[:optional], *kept, *arguments[optional + 1 :]]
        their = [*numbers[:optional], *([numbers[optional]] if kept else []), *numbers[optional + 1 :]]
        results.append((row, _lifted(rest, their, make)))
    return _choice(results, is_scored=is_scored)


_Alternatives = list[tuple[Row, Expression | None]]


def _alternatives(expression: Expression, depth: int) -> tuple[_Alternatives, bool]:
    """An expression as a choice between expressions that are not empty, and the empty string (None); whether the
    numbers are scores.
    """
    if depth == 0:
        raise InputError("choices that may be empty are nested too deep")
    if expression.min_units > 0:
        return [([1.0], expression)], False
    if expression.kind == Expression.Kind.precedence:
        return _alternatives_of_sequence(expression.arguments, depth)
    full: list[tuple[Row, Expression]] = []
    empty: list[Row] = []
    is_scored = expression.scored
    for row, option in zip(expression.probabilities, expression.arguments, strict=True):
        inner, inner_scored = _alternatives(option, depth - 1)
        is_scored = is_scored or inner_scored
        full += [(_product(row, more), one) for more, one in inner if one is not None]
        empty += [_product(row, more) for more, one in inner if one is None]
    if is_scored:
        return [*full, *((row, None) for row in empty)], True
    absent, present = _sum(empty), _sum([row for row, _ in full])
    if not any(present):
        return [(absent, None)], False
    if len(full) == 1:
        return [full[0], (absent, None)], False
    rows = [_share(row, present, len(full)) for row, _ in full]
    one_of = _choice([(row, one) for row, (_, one) in zip(rows, full, strict=True)])
    return [(present, one_of), (absent, None)], False


def _share(row: Row, all_of_them: Row, count: int) -> Row:
    """The row divided by the sum of `count` such rows; equal shares in components where this is 0."""
    pairs = zip(_spread(row, len(all_of_them)), all_of_them, strict=True)
    return [p / total if total > 0 else 1 / count for p, total in pairs]


def _alternatives_of_sequence(parts: Sequence[Expression], depth: int) -> tuple[_Alternatives, bool]:
    """A sequence of parts that may all be empty starts with one of its parts, or is empty."""
    result: _Alternatives = []
    none_yet: list[Row] = [[1.0]]
    is_scored = False
    for k, part in enumerate(parts):
        inner, inner_scored = _alternatives(part, depth - 1)
        is_scored = is_scored or inner_scored
        for before in none_yet:
            for row, one in inner:
                if one is not None:
                    result.append((_product(before, row), Expression.precedence([one, *parts[k + 1 :]])))
        none_yet = [_product(before, row) for before in none_yet for row, one in inner if one is None]
    return [*result, *((row, None) for row in none_yet)], is_scored


def _choice(options: Sequence[tuple[Row, Expression]], *, is_scored: bool = False) -> Expression:
    """∨ of the options that are possible; the only one, if it is certain."""
    possible = [(row, option) for row, option in options if any(row)] or options
    if len(possible) == 1 and all(p == 1.0 for p in possible[0][0]):
        return possible[0][1]
    size = max(len(row) for row, _ in possible)
    rows = [_spread(row, size) for row, _ in possible]
    make = Expression.scored_disjunction if is_scored else Expression.disjunction
    return make([option for _, option in possible], rows)


def _projected(size: int, numbers: Sequence[int], listed: Listed, others: Row) -> tuple[Listed, Row]:
    """The masses of orders of some arguments: an order's mass is the sum over the orders of all arguments that contain
    it."""
    place = {number: k for k, number in enumerate(numbers)}
    each = [p / max(1, math.factorial(size) - len(listed)) for p in others] or [0.0]
    share = math.factorial(size) // math.factorial(len(numbers))  # orders of all arguments for one of some
    sums: dict[tuple[int, ...], Row] = {}
    counts: dict[tuple[int, ...], int] = {}
    for order, row in listed:
        key = tuple(place[number] for number in order if number in place)
        sums[key] = _sum([sums.get(key, [0.0]), row])
        counts[key] = counts.get(key, 0) + 1
    orders = [(key, _sum([row, [(share - counts[key]) * p for p in each]])) for key, row in sums.items()]
    rest = math.factorial(len(numbers)) - len(orders)
    return orders, [rest * share * p for p in each] if rest and any(each) else []


def _spread(row: Row, size: int) -> list[float]:
    """A single probability counts in every component."""
    return [*row] if len(row) == size else [row[0]] * size


def _product(first: Row, second: Row) -> Row:
    size = max(len(first), len(second))
    return [p * q for p, q in zip(_spread(first, size), _spread(second, size), strict=True)]


def _sum(rows: Sequence[Row]) -> Row:
    size = max((len(row) for row in rows), default=1)
    return [math.fsum(column) for column in zip(*(_spread(row, size) for row in rows), strict=True)] or [0.0]
