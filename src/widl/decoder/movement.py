"""Movement as a distribution: scores a^d of permutations, d being the total movement, made to sum to a mass.

Written with the operators that there are: expmove, normalised, is a choice of one argument whose score is 1/Z; mass
that perms spreads by movement stands on each order.
"""

import itertools
from collections.abc import Sequence

from widl._core import Expression
from widl.common.errors import InputError
from widl.decoder.counting import movement_normalizer, permutation_movement

MOST_ARGUMENTS = 7
"""Of an interleave whose orders are written out: 5,040."""

Listed = Sequence[tuple[Sequence[int], Sequence[float]]]


def movement_interleave(arguments: Sequence[Expression], base: float, *, normalized: bool) -> Expression:
    """∥ of permutations scored base^d; normalised these scores sum to 1."""
    made = Expression.movement_interleave(arguments, base)
    if not normalized:
        return made
    return Expression.scored_disjunction([made], [[1 / movement_normalizer(len(arguments), base)]])


def interleave_by_movement(
    arguments: Sequence[Expression],
    base: float,
    *,
    listed: Listed = (),
    other_permutations: Sequence[float] = (),
    shuffles: Sequence[float] = (),
) -> Expression:
    """∥ whose mass of other permutations is spread over them in proportion to base^d.

    `listed`: orders of argument numbers from 0 with J probabilities each.
    """
    Expression.movement_interleave(arguments, base)  # refuses what is no base
    if len(arguments) > MOST_ARGUMENTS:
        raise InputError(
            f"∥: perms by movement stands for all orders of up to {MOST_ARGUMENTS} arguments, found {len(arguments)}; "
            "expmove alone takes any number"
        )
    own = {tuple(order) for order, _ in listed}
    scores = {
        order: base ** permutation_movement(order)
        for order in itertools.permutations(range(len(arguments)))
        if order not in own
    }
    total = sum(scores.values())
    if scores and min(scores.values()) / total == 0:
        raise InputError(f"∥: expmove {base:g} leaves nothing for the longest movement; take a larger number")
    by_movement = [(order, [mass * score / total for mass in other_permutations]) for order, score in scores.items()]
    return Expression.interleave(
        arguments,
        listed=[*listed, *by_movement],
        other_permutations=[] if by_movement else other_permutations,
        shuffles=shuffles,
    )
