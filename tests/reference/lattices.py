"""Reference, slow and simple: all paths of a lattice, and the best path at each point of a line."""

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from tests.reference.mert import Vector, crossings, dot, stepped

Arc = tuple[int, int]


def paths(arcs: Sequence[Arc]) -> Iterator[list[int]]:
    """Every path from node 0 to the last node, as arc numbers."""
    last = max(to for _, to in arcs)

    def go_on(node: int, done: list[int]) -> Iterator[list[int]]:
        if node == last:
            yield done
        for number, (start, to) in enumerate(arcs):
            if start == node:
                yield from go_on(to, [*done, number])

    return go_on(0, [])


def path_features(path: Sequence[int], features: Sequence[Vector]) -> list[Fraction]:
    """Sums of the features along a path."""
    return [sum(column, Fraction(0)) for column in zip(*(features[arc] for arc in path), strict=True)]


def envelope(
    arcs: Sequence[Arc], features: Sequence[Vector], weights: Vector, direction: Vector, far: Fraction
) -> list[tuple[Fraction, Fraction]]:
    """(slope, intercept) of the paths that are highest somewhere between -far and far, from left to right."""
    rows = [path_features(path, features) for path in paths(arcs)]
    ends = [-far, *(at for at in crossings([rows], weights, direction) if -far < at < far), far]
    lines: list[tuple[Fraction, Fraction]] = []
    for left, right in itertools.pairwise(ends):
        here = stepped(weights, direction, (left + right) / 2)
        best = max(rows, key=lambda row: dot(row, here))
        line = dot(best, direction), dot(best, weights)
        if line not in lines:
            lines.append(line)
    return lines
