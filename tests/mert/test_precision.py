"""Tuning on features that differ only by rounding, or are constant, equal, huge or tiny, against slow references."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mert.problems import bleu_metric, candidate_lists, random_lists
from tests.reference import mert as reference
from widl.mert import Lattice, LatticeDecoder, LatticeSource, OptimizerOptions, optimize
from widl.mert.line_search import ascend
from widl.mert.problem import REACH, Problem, WeightDomain
from widl.metrics import Objective

EPSILON = 2.0**-52
NAMES = ("a", "b", "c")
START = {"a": 1.0, "b": 0.5, "c": -0.5}
PLAIN = OptimizerOptions(algorithm="mert", normalization="none", restarts=4, random_directions=4)
MIRA = OptimizerOptions(algorithm="mira", normalization="none")


def noisy(random: np.random.Generator, features: np.ndarray) -> np.ndarray:
    """The same numbers as if summed in a different order."""
    return features * (1 + EPSILON * random.integers(-4, 5, features.shape))


def unified(features: np.ndarray, begins: np.ndarray) -> np.ndarray:
    """Maps each value to the smallest value linked to it by steps of rounding; compares all pairs."""
    result = features.copy()
    for begin, end in itertools.pairwise(begins):
        for f in range(features.shape[1]):
            for i in range(begin, end):
                linked, new = {features[i, f]}, True
                while new:
                    column = features[begin:end, f]
                    near = {y for x in linked for y in column if abs(x - y) <= 1e-12 * max(abs(x), abs(y))}
                    new = not near <= linked
                    linked |= near
                result[i, f] = min(linked)
    return result


@given(st.integers(0, 2**32), st.sampled_from([1.0, 27.02803664590003, 1e-90, 1e90]))
def test_values_that_differ_by_rounding_are_equal(seed: int, scale: float) -> None:
    random = np.random.default_rng(seed)
    features, statistics, begins = random_lists(random, 4, 9, 3, values=2)
    features = noisy(random, features * scale)
    result = candidate_lists((features, statistics, begins)).features
    assert np.array_equal(result, unified(features, begins))
    assert len(np.unique(result[: begins[1], 0])) <= 5


def test_values_that_differ_by_more_are_kept() -> None:
    features = np.array([[1.0], [1.0 + 1e-11], [0.0], [1e-300], [-1e-300], [1e-9]])
    assert np.array_equal(candidate_lists((features, np.zeros((6, 10)), np.array([0, 6]))).features, features)


def test_what_would_overflow_is_refused() -> None:
    for value in (1.1e100, -math.inf, math.nan):
        with pytest.raises(ValueError, match=r"a candidate's feature is .*; at most 1e\+100 is possible"):
            candidate_lists((np.array([[value]]), np.zeros((1, 10)), np.array([0, 1])))


@given(st.integers(0, 2**32))
def test_a_line_through_rounding_is_the_line_without(seed: int) -> None:
    """Compares with exact search in fractions on the original lists."""
    random = np.random.default_rng(seed)
    features, statistics, begins = random_lists(random, 5, 7, 3)
    lists = candidate_lists((noisy(random, features), statistics, begins))
    weights, direction = random.integers(-3, 4, 3) / 4, np.eye(3)[random.integers(3)]
    metric = bleu_metric()
    result = lists.line_search(metric, weights, direction, lowest=-2.0, highest=3.0, min_width=1e-3)

    def score(choice):
        return metric.score(statistics[[b + row for b, row in zip(begins, choice, strict=False)]].sum(axis=0))

    sentences = [[[Fraction(float(x)) for x in row] for row in features[a:b]] for a, b in itertools.pairwise(begins)]
    exact = [Fraction(float(x)) for x in weights], [Fraction(float(x)) for x in direction]
    best = reference.line_search(sentences, *exact, score, Fraction(-2), Fraction(3), Fraction(1, 1000))
    assert best is not None
    assert result[1] == pytest.approx(best[1], abs=1e-9)


def made_odd(kind: str, random: np.random.Generator, features: np.ndarray, begins: np.ndarray) -> np.ndarray:
    """Changes the last feature to a kind that has misled tuning before."""
    odd = features.copy()
    last = odd[:, 2]
    if kind == "rounding":
        return noisy(random, odd * -27.02803664590003)
    if kind == "constant":
        last[:] = -27.02803664590003
    elif kind == "constant but for rounding":
        last[:] = noisy(random, np.full(len(last), -27.02803664590003))
    elif kind == "equal":
        last[:] = noisy(random, odd[:, 1])
    else:
        last *= float(kind)
    return odd


KINDS = ["rounding", "constant", "constant but for rounding", "equal", "1e-90", "1e-14", "1e-6", "1e6", "1e14", "1e90"]


@pytest.mark.parametrize("algorithm", ["mert", "mira"])
@pytest.mark.parametrize("kind", KINDS)
def test_weights_stay_within_reach(kind: str, algorithm: str) -> None:
    """The promised score equals the score of the chosen candidates, computed one by one in fractions."""
    for seed in range(4):
        random = np.random.default_rng(seed)
        features, statistics, begins = random_lists(random, 6, 12, 3)
        features = made_odd(kind, random, features, begins)
        objective = Objective("bleu", [["a b c d e"] * 6])
        problem = Problem(objective, NAMES, features, statistics, begins)
        result = optimize(problem, START, PLAIN if algorithm == "mert" else MIRA)
        weights = np.array([result.weights[name] for name in NAMES])
        assert np.abs(weights).max() <= 20 * REACH
        assert result.score >= result.start_score
        exact = [Fraction(float(w)) for w in weights]
        rows = unified(features, begins)
        sentences = [[[Fraction(float(x)) for x in row] for row in rows[a:b]] for a, b in itertools.pairwise(begins)]
        if kind in ("rounding", "constant", "equal"):  # scores are whole numbers times a factor, so all ties are exact
            chosen = reference.choice(sentences, exact)
            totals = statistics[[b + row for b, row in zip(begins, chosen, strict=False)]].sum(axis=0)
            assert objective.score(totals) == pytest.approx(result.score, abs=1e-9) or has_near_ties(sentences, exact)


def has_near_ties(sentences, weights) -> bool:
    """Whether rounding decides between candidates of some sentence."""
    for rows in sentences:
        scores = sorted((float(sum(w * h for w, h in zip(weights, row, strict=True))) for row in rows), reverse=True)
        if len(scores) > 1 and scores[0] - scores[1] <= 1e-9 * max(1.0, abs(scores[0])):
            return True
    return False


def test_candidates_that_cross_at_10_to_the_14_th_lead_nowhere() -> None:
    """The second candidates have a feature that differs by rounding. They would win from 2 and from 4 · 10¹² on.
    Between these points, both lists have their better text, so exact line search on the raw numbers steps there.
    """
    value, nearly = -27.02803664590003, -27.02803664590003 * (1 - 64 * EPSILON)
    rows = np.array([[value, 1.0], [nearly, 0.5], [value, 1.5], [nearly, 0.5]])
    bad, good = [1, 1, 1, 1, 5, 4, 3, 2, 5, 5], [5, 4, 3, 2, 5, 4, 3, 2, 5, 5]
    statistics = np.array([bad, good, good, bad], dtype=np.float64)
    objective = Objective("bleu", [["a b c d e"] * 2])
    problem = Problem(objective, ("widl", "b"), rows, statistics, np.array([0, 2, 4]))
    options = OptimizerOptions(algorithm="mert", normalization="none", fixed=frozenset({"b"}))
    result = optimize(problem, {"widl": 1.0, "b": 1.0}, options)
    assert result.weights == {"widl": 1.0, "b": 1.0}
    assert result.score == result.start_score < 90


def test_steps_end_within_reach() -> None:
    """Two lines cross at 50: within a reach of 60 the step passes it, within a reach of 40 it does not."""
    statistics = np.array([[0, 0, 0, 0, 4, 3, 2, 1, 4, 4], [4, 3, 2, 1, 4, 3, 2, 1, 4, 4]], dtype=np.float64)
    lists = candidate_lists((np.array([[0.0, 50.0], [1.0, 0.0]]), statistics, np.array([0, 2])))
    line = bleu_metric(), np.array([0.0, 1.0]), np.array([1.0, 0.0])
    assert lists.line_search(*line, reach=60.0, outer_step=0.5) == (50.5, pytest.approx(100))
    assert lists.line_search(*line, reach=40.0, outer_step=0.5) == (0.0, pytest.approx(0))
    bounded = lists.line_search(*line, lowest=-1e12, highest=1e12, reach=60.0, outer_step=0.5)
    assert bounded == (50.5, pytest.approx(100))


@pytest.mark.parametrize("kind", KINDS)
def test_lattices_give_no_paths_from_out_of_reach(kind: str) -> None:
    """The same candidates as lattices with one arc each: gives the weights and paths within reach."""
    for seed in range(3):
        random = np.random.default_rng(seed)
        features, statistics, begins = random_lists(random, 4, 8, 3)
        features = made_odd(kind, random, features, begins)
        some = [
            Lattice([(0, 1, 0, 1, k, [f"w{k}"]) for k in range(b - a)], features[a:b])
            for a, b in itertools.pairwise(begins)
        ]
        domain = WeightDomain.of(NAMES, START, PLAIN)
        source = LatticeSource.decoded(LatticeDecoder(lambda _, some=some: some), START, len(some), 1)
        taken = source.envelopes(domain.start, np.eye(3), domain)
        for row, sentence in zip(taken.features, taken.sentences.tolist(), strict=True):
            rows = features[begins[sentence] : begins[sentence + 1]]
            assert is_best_within_reach(row, rows, domain.start)
        problem = Problem(Objective("bleu", [["a b c d e"] * 4]), NAMES, features, statistics, begins)
        directions = np.eye(3)[None]
        weights, score = ascend(problem, domain, domain.start[None], directions, PLAIN)
        assert np.abs(weights).max() <= 20 * REACH
        assert score >= problem.score(domain.start)


def is_best_within_reach(row: np.ndarray, rows: np.ndarray, start: np.ndarray) -> bool:
    """Whether a candidate is best, up to rounding, somewhere on a coordinate within reach: at a crossing or an end."""
    for d in range(3):
        gaps, runs = (rows - row) @ start, rows[:, d] - row[d]
        low, high = -REACH, REACH
        possible = True
        for gap, run in zip(gaps, runs, strict=True):  # where gap + γ · run <= 0
            if run > 0:
                high = min(high, -gap / run)
            elif run < 0:
                low = max(low, -gap / run)
            elif gap > 1e-9 * (1 + np.abs(rows).max()):
                possible = False
        if possible and low <= high + 1e-6 * (1 + abs(high)):
            return True
    return False
