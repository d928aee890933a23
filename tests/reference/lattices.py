"""Reference, slow and simple: all paths of an acyclic graph, and the best path at each point of a line."""

import itertools
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from fractions import Fraction

from tests.reference.mert import Vector, crossings, dot, stepped

Arc = Sequence[Hashable]
"""From, to, anything else."""


def paths(arcs: Sequence[Arc], start: Hashable = 0, finals: Collection[Hashable] | None = None) -> Iterator[list[int]]:
    """Every path from the start to final nodes, as arc numbers; without `finals`, to the node of the largest number."""
    ends = {max(arc[1] for arc in arcs)} if finals is None else finals  # type: ignore[type-var]
    leaving: dict[Hashable, list[int]] = defaultdict(list)
    for number, arc in enumerate(arcs):
        leaving[arc[0]].append(number)

    def go_on(node: Hashable, done: list[int]) -> Iterator[list[int]]:
        if node in ends:
            yield done
        for number in leaving[node]:
            yield from go_on(arcs[number][1], [*done, number])

    return go_on(start, [])


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
