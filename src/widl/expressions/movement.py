"""Movement as a distribution: scores a^d of permutations, d being the total movement, made to sum to a mass.

Rewrites movement with the existing operators: normalized expmove is a choice of one argument whose score is 1/Z; the
mass that perms spreads by movement is listed for each order.
"""

import itertools
from collections.abc import Iterator, Sequence

from widl._core import Expression
from widl.common.argument_types import checked
from widl.common.errors import InputError
from widl.expressions.optional_arguments import listed_interleave, uniform_interleave

MAX_ARGUMENTS = 7
"""Maximum number of arguments of an interleave whose orders are written out: 5,040 orders."""
MAX_POSITIONS = 10
"""Maximum number of positions of tiles whose segmentations are written out: at most 512 segmentations."""

Listed = Sequence[tuple[Sequence[int], Sequence[float]]]


def weighted_interleave(
    arguments: Sequence[Expression],
    listed: Listed | None = None,
    other_permutations: Sequence[float] | None = None,
    shuffles: Sequence[float] | None = None,
    base: float | None = None,
    normalized: bool = False,
) -> Expression:
    """∥ without rewriting: uniform, with only movement scores base^d, or with listed orders and masses.

    `listed`: orders of argument numbers from 0 with J probabilities each. If masses are given too, a base spreads the
    mass of other permutations in proportion to base^d.
    """
    alone = listed is None and other_permutations is None and shuffles is None
    if normalized and (base is None or not alone):
        raise InputError("∥: normalized is for expmove alone")
    if base is not None and alone:
        if any(argument.min_units == 0 for argument in arguments):
            return listed_interleave(arguments, (), (), (), has_movement=True)
        expression = Expression.movement_interleave(arguments, base)
        if not normalized:
            return expression
        return Expression.scored_disjunction([expression], [[1 / movement_normalizer(len(arguments), base)]])
    if alone:
        return uniform_interleave(arguments)
    listed, others = listed or (), other_permutations or ()
    if base is not None:
        if other_permutations is None:
            raise InputError("∥: expmove is given alone, or spreads the mass of perms, but perms has none")
        if any(argument.min_units == 0 for argument in arguments):
            return listed_interleave(arguments, (), (), (), has_movement=True)
        by_movement = _spread(arguments, base, {tuple(order) for order, _ in listed}, others)
        listed, others = [*listed, *by_movement], () if by_movement else others
    return listed_interleave(arguments, listed, others, shuffles or (), has_movement=False)


def weighted_tiles(
    length: int, spans: Sequence[tuple[int, int, Expression]], base: float, normalized: bool = False
) -> Expression:
    """Tiles as they are written; `normalized`: the scores base^d of each segmentation's orders sum to 1.

    They are then ∨ over the segmentations of up to `MAX_POSITIONS` positions.
    """
    expression = Expression.tiles(length, spans, movement_base=base)
    if not normalized:
        return expression
    if length > MAX_POSITIONS:
        raise InputError(f"tiles: normalized is for up to {MAX_POSITIONS} positions, found {length}")
    parts, scores = [], []
    for segmentation in segmentations(0, length, sorted({(begin, end) for begin, end, _ in spans})):
        members = [span for span in spans if span[:2] in segmentation]
        parts.append(Expression.tiles(length, members, movement_base=base))
        scores.append([1 / segmentation_normalizer(segmentation, base)])
    return Expression.scored_disjunction(parts, scores)


def segmentations(begin: int, length: int, spans: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """The sequences of spans that cover the positions from `begin` on."""
    if begin == length:
        yield []
    for span in spans:
        if span[0] == begin:
            yield from ([span, *rest] for rest in segmentations(span[1], length, spans))


def segmentation_normalizer(segmentation: Sequence[tuple[int, int]], base: float) -> float:
    """The sum of base^d over a segmentation's orders; dynamic program over (realized spans, end of the last span)."""
    sums = {(0, 0): 1.0}
    for _ in segmentation:
        longer: dict[tuple[int, int], float] = {}
        for (done, last), value in sums.items():
            for k, (begin, end) in enumerate(segmentation):
                if not done >> k & 1:
                    to = done | 1 << k, end
                    longer[to] = longer.get(to, 0.0) + value * base ** abs(begin - last)
        sums = longer
    return sum(sums.values())


def _spread(
    arguments: Sequence[Expression], base: float, excluded: set[tuple[int, ...]], masses: Sequence[float]
) -> Listed:
    """Masses spread over all orders except the `excluded` ones."""
    Expression.movement_interleave(arguments, base)  # checks the base
    if len(arguments) > MAX_ARGUMENTS:
        raise InputError(
            f"∥: perms by movement stands for all orders of up to {MAX_ARGUMENTS} arguments, found {len(arguments)}; "
            "expmove alone takes any number"
        )
    scores = {
        order: base ** permutation_movement(order)
        for order in itertools.permutations(range(len(arguments)))
        if order not in excluded
    }
    total = sum(scores.values())
    if scores and min(scores.values()) / total == 0:
        raise InputError(f"∥: expmove {base:g} leaves nothing for the longest movement; take a larger number")
    return [(order, [mass * score / total for mass in masses]) for order, score in scores.items()]


def permutation_movement(order: Sequence[int]) -> int:
    """d = Σ |next − end of the previous| for arguments in this order, numbered from 0; the first moves from place 0.

    >>> permutation_movement([1, 0])  # from 0 to 1, from 2 back to 0
    3
    """
    return sum(abs(k - end) for k, end in zip(order, (0, *(k + 1 for k in order)), strict=False))


@checked
def movement_normalizer(n: int, base: float) -> float:
    """The sum of ``base**d`` over all permutations of n arguments, d being the total movement.

    The divisor that turns the scores of ``∥{expmove: base}`` into probabilities. Computed in O(n²): arguments are
    placed in source order into the blocks of the partial permutation. Every open end of a block multiplies by `base`
    for each position; a jump forward divides by it once, a jump backward multiplies by it once more.

    >>> movement_normalizer(2, 0.5)  # 1 2: 0.5**0; 2 1: from 0 to position 1, from 2 back to 0
    1.125
    """
    states = {(1, False): 1.0}  # (blocks, whether the last one's end is the permutation's end) → sum
    for _ in range(n):
        longer: dict[tuple[int, bool], float] = {}

        def add(blocks: int, ended: bool, value: float, to: dict[tuple[int, bool], float] = longer) -> None:
            if blocks and value:
                to[blocks, ended] = to.get((blocks, ended), 0.0) + value

        for (blocks, ended), value in states.items():
            moved = value * base ** (2 * blocks - 1 - ended)
            add(blocks + 1, ended, moved * (blocks - ended))  # a new block
            add(blocks, ended, moved * (blocks - ended) / base)  # at the end of a block
            add(blocks, ended, moved * (blocks - 1) * base)  # before a block
            add(blocks - 1, ended, moved * (blocks - 1))  # between two blocks
            if not ended:
                add(blocks + 1, True, moved)
                add(blocks, True, moved / base)
        states = longer
    return states[1, True] if n else 1.0
