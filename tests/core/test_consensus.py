"""Consensus over lattices, against a list of all derivations."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mert.lattices import arc_row, lattices, pairs_of, random_lattice
from tests.reference import consensus as reference
from tests.reference.lattices import paths
from widl._core import ConsensusOptions, consensus_paths
from widl.common.errors import InputError
from widl.mert import Lattice

WEIGHTS = np.array([0.5, -0.25, 0.125])


def words_of(lattice, path):
    return tuple(lattice.words_of(path))


def derivations_of(lattice, scale):
    """The derivations as words and scaled scores, by path."""
    return {
        tuple(path): (words_of(lattice, path), scale * float(np.dot(lattice.features_of(path), WEIGHTS)))
        for path in paths(pairs_of(lattice))
    }


def only(lattice, **options):
    [best] = consensus_paths([lattice], WEIGHTS, ConsensusOptions(**options))
    return best


@given(lattices(), st.integers(1, 4), st.sampled_from([0.3, 1.0]), st.integers(1, 5))
def test_largest_expected_linear_bleu(lattice, order, scale, nbest):
    derivations = derivations_of(lattice, scale)
    numbers = {path: number for number, path in enumerate(derivations)}
    gain = reference.linear_gain(list(derivations.values()), order, 0.8, 0.6)
    gains = {}  # of strings
    for path, (words, _) in derivations.items():
        gains[words] = max(gains.get(words, -math.inf), gain(numbers[path]))
    best = only(lattice, precision=0.8, ratio=0.6, scale=scale, order=order, nbest=nbest)
    assert [value for _, value in best] == pytest.approx(sorted(gains.values(), reverse=True)[:nbest], abs=1e-6)
    strings = [derivations[tuple(path)][0] for path, _ in best]
    assert len(set(strings)) == len(strings)
    for path, value in best:
        words, score = derivations[tuple(path)]
        assert value == pytest.approx(gain(numbers[tuple(path)]), abs=1e-6)
        # Of the derivations of this string it is the best.
        assert score == pytest.approx(max(other for string, other in derivations.values() if string == words))


def test_by_hand():
    """p(a b) = p(a c) = 0.3 and p(d c) = 0.4: the best derivation has fewer friends than a c has."""
    rows = [arc_row(0, 1, ["a", "b"]), arc_row(0, 1, ["a", "c"]), arc_row(0, 1, ["d", "c"])]
    lattice = Lattice(rows, np.log([[0.3, 1, 1], [0.3, 1, 1], [0.4, 1, 1]]))
    weights = np.array([1.0, 0, 0])
    [[(path, gain)]] = consensus_paths([lattice], weights, ConsensusOptions(order=1))
    assert path == [1]
    assert gain == pytest.approx(1.3 / 0.85 - 2, abs=1e-6)  # p(a) = 0.6 and p(c) = 0.7


def test_the_same_for_any_number_of_threads():
    random = np.random.default_rng(1)
    some = [random_lattice(random, positions=12, width=6, features=3) for _ in range(9)]
    options = ConsensusOptions(nbest=10)
    assert consensus_paths(some, WEIGHTS, options, threads=3) == consensus_paths(some, WEIGHTS, options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": 0.0}, "the scale must be above 0"),
        ({"precision": math.nan}, "the precision of unigrams must be above 0"),
        ({"ratio": -1.0}, "the ratio of precisions must be above 0"),
        ({"order": 0}, "the order of n-grams must be from 1 to 16"),
        ({"nbest": 0}, "there must be candidates to choose from"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(InputError, match=message):
        ConsensusOptions(**options)


def test_weights_of_another_model():
    lattice = random_lattice(np.random.default_rng(3), positions=2, width=3, features=3)
    with pytest.raises(InputError, match="weights: expected 3 numbers, found 1"):
        consensus_paths([lattice], np.ones(1), ConsensusOptions())
