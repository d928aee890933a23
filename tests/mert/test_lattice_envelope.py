"""Envelopes of lattices compared with all paths, and inputs that lattices refuse."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mert.lattices import arc_row, lattices, pairs_of, random_lattice, sums
from tests.reference import lattices as reference
from widl.common.errors import InputError
from widl.mert import Lattice, LatticeSet

WEIGHTS = st.lists(st.integers(-5, 5), min_size=3, max_size=3)
FAR = Fraction(1000)
FREE = {"lower": np.full(3, -math.inf), "upper": np.full(3, math.inf)}


def exact(rows):
    return [[Fraction(value) for value in row] for row in np.asarray(rows).tolist()]


def floats(values):
    return np.array(values, dtype=np.float64)


@given(lattices(), WEIGHTS, WEIGHTS)
def test_envelope_against_all_paths(lattice, weights, direction):
    lines = lattice.envelope(floats(weights), floats(direction))
    expected = reference.envelope(pairs_of(lattice), exact(lattice.features), *exact([weights, direction]), FAR)
    assert [(slope, intercept) for _, slope, intercept, _ in lines] == expected
    assert len(lines) <= len(lattice.arcs) - lattice.nodes + 2
    ends = [at for at, *_ in lines]
    assert ends == sorted(ends)
    assert ends[0] == -math.inf
    written_out = list(reference.paths(pairs_of(lattice)))
    for _, slope, intercept, path in lines:
        assert path in written_out
        assert (sums(lattice, path) @ direction, sums(lattice, path) @ weights) == (slope, intercept)
        assert lattice.features_of(path) == sums(lattice, path).tolist()
        assert lattice.words_of(path) == [word for arc in path for word in lattice.arcs[arc][5]]


@given(lattices(), WEIGHTS, WEIGHTS, st.integers(-8, 8), st.integers(1, 8))
def test_envelope_within_limits(lattice, weights, direction, low, width):
    lowest, highest = low / 2, (low + width) / 2
    everywhere = lattice.envelope(floats(weights), floats(direction))
    ends = [at for at, *_ in everywhere[1:]] + [math.inf]
    expected = [line[1:3] for line, end in zip(everywhere, ends, strict=True) if end >= lowest and line[0] <= highest]
    within = lattice.envelope(floats(weights), floats(direction), lowest=lowest, highest=highest)
    # If several lines meet at an end of the range, only one of them is required.
    inside = [line[1:3] for line, end in zip(everywhere, ends, strict=True) if end > lowest and line[0] < highest]
    result = [line[1:3] for line in within]
    assert set(inside) <= set(result) <= set(expected)
    assert result


@given(st.lists(lattices(), min_size=1, max_size=4), st.lists(WEIGHTS, min_size=1, max_size=3), WEIGHTS)
def test_paths_are_taken_once(some, directions, weights):
    chosen = LatticeSet(some)
    result = chosen.take(floats(weights), floats(directions), **FREE)
    for lattice, paths in zip(some, result, strict=True):
        expected = []
        for direction in directions:
            if any(direction):
                for *_, path in lattice.envelope(floats(weights), floats(direction)):
                    if path not in expected:
                        expected.append(path)
            else:  # the weights themselves: the range has no ends
                for *_, path in lattice.envelope(floats(weights), floats(direction)):
                    expected += [path] if path not in expected else []
        assert paths == [(lattice.words_of(path), lattice.features_of(path)) for path in expected]
    assert chosen.take(floats(weights), floats(directions), **FREE) == [[] for _ in some]
    again = LatticeSet(some)
    assert again.take(floats(weights), floats(directions), **FREE, threads=3) == result


@given(st.lists(lattices(), min_size=1, max_size=3), WEIGHTS)
def test_best_paths(some, weights):
    for lattice, (words, features) in zip(some, LatticeSet(some).best(floats(weights), threads=2), strict=True):
        ways = list(reference.paths(pairs_of(lattice)))
        assert features @ floats(weights) == max(sums(lattice, path) @ weights for path in ways)
        assert (words, features) in [(lattice.words_of(path), lattice.features_of(path)) for path in ways]


def test_bounds_limit_what_is_taken():
    lattice = random_lattice(np.random.default_rng(1), 8, 4, 3)
    weights, direction = floats([0.2, 0.3, 0.1]), floats([[1, 0, 0]])
    everything = LatticeSet([lattice]).take(weights, direction, **FREE)[0]
    bounds = {"lower": floats([0.1, -1, -1]), "upper": floats([0.3, 1, 1])}
    within = LatticeSet([lattice]).take(weights, direction, **bounds)[0]
    assert 0 < len(within) < len(everything)
    lines = lattice.envelope(weights, direction[0], lowest=-0.1, highest=0.1)
    assert within == [(lattice.words_of(path), lattice.features_of(path)) for *_, path in lines]
    fixed = {"lower": weights, "upper": weights}
    assert LatticeSet([lattice]).take(weights, direction, **fixed) == [[]]


def test_real_numbers_of_long_lattices():
    # 5^30 paths: at many points of the line, the best path is no better than the envelope.
    random = np.random.default_rng(3)
    lattice = random_lattice(random, 30, 5, 4)
    weights, direction = random.normal(size=4), random.normal(size=4)
    lines = lattice.envelope(weights, direction)
    assert 10 < len(lines) <= len(lattice.arcs) - lattice.nodes + 2
    for at in np.linspace(-3, 3, 25):
        _, features = LatticeSet([lattice]).best(weights + at * direction)[0]
        here = next(line for line in reversed(lines) if line[0] <= at)
        assert here[2] + at * here[1] == pytest.approx(features @ (weights + at * direction), abs=1e-9)


def test_joined_and_selected():
    item, two = random_lattice(np.random.default_rng(1), 2, 2, 3), random_lattice(np.random.default_rng(2), 3, 1, 3)
    both = Lattice.joined([item, two], [0, 2])
    assert both.nodes == 6
    assert len(list(reference.paths(pairs_of(both)))) == 4
    assert [arc[2:4] for arc in both.arcs[-3:]] == [(2, 3), (3, 4), (4, 5)]
    assert both.words_of([0, 2, 4, 5, 6]) == item.words_of([0, 2]) + two.words_of([0, 1, 2])
    assert np.array_equal(both.selected([2, 0]).features, both.features[:, [2, 0]])
    assert both.selected([1]).arcs == both.arcs


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(1, 1)], "must lead to a larger number"),
        ([(0, 2), (0, 1), (1, 2)], "arc 1 of a lattice is out of order"),
        ([(0, 1), (2, 3)], "node 2 of a lattice is on no path"),
    ],
)
def test_what_is_no_lattice(rows, message):
    with pytest.raises(InputError, match=message):
        Lattice([arc_row(*row, ["a"]) for row in rows], np.zeros((len(rows), 2)))


THREE, TWO = np.zeros(3), np.zeros(2)
LATTICE = random_lattice(np.random.default_rng(1), 2, 2, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Lattice([arc_row(0, 1, [])], np.zeros((2, 1))), "rows of features: expected 1 numbers, found 2"),
        (lambda: LATTICE.envelope(TWO, THREE), "weights: expected 3 numbers, found 2"),
        (lambda: LATTICE.envelope(THREE, TWO), "direction: expected 3"),
        (lambda: LATTICE.selected([3]), "no feature 3"),
        (lambda: LATTICE.words_of([2, 0]), "does not follow"),
        (lambda: LATTICE.features_of([9]), "does not follow"),
        (lambda: LatticeSet([LATTICE, LATTICE.selected([0, 1])]), "sentence 1 has 2 features, not 3"),
        (lambda: Lattice.joined([LATTICE, LATTICE.selected([0])], [0, 2]), "differ in their features"),
        (lambda: Lattice.joined([LATTICE], []), "starts: expected 1"),
        (lambda: LatticeSet([]), "no lattices"),
        (lambda: LatticeSet([LATTICE]).best(TWO), "expected 3 numbers, found 2"),
        (lambda: LatticeSet([LATTICE]).take(TWO, THREE[None], lower=THREE, upper=THREE), "expected 3 numbers"),
        (lambda: LatticeSet([LATTICE]).take(THREE, TWO[None], lower=THREE, upper=THREE), "expected 3 numbers"),
        (lambda: LatticeSet([LATTICE]).take(THREE, THREE[None], lower=TWO, upper=THREE), "expected 3 numbers"),
        (lambda: LatticeSet([LATTICE]).take(THREE, THREE[None], lower=THREE, upper=TWO), "expected 3 numbers"),
    ],
)
def test_wrong_sizes_are_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
