"""Envelope, line search and ascent compared with slow references, and inputs that the bindings refuse."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mert.problems import bleu_metric, bleu_statistics, candidate_lists, random_lists
from tests.reference import mert as reference
from widl._core import CandidateLists, upper_envelope
from widl.common.errors import InputError

LINES = st.lists(st.tuples(st.integers(-6, 6), st.integers(-20, 20)), min_size=1, max_size=12)
FAR = Fraction(1000)


def envelope_twin(lines):
    """(from, line) where the highest line changes, from all crossings, exactly."""
    rows = [[Fraction(slope), Fraction(intercept)] for slope, intercept in lines]
    result = reference.intervals([rows], [Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)], -FAR, FAR)
    return [(left, choice[0]) for left, _, choice in result]


@given(LINES)
def test_envelope_of_whole_numbers(lines):
    slopes, intercepts = (np.array(column, dtype=np.float64) for column in zip(*lines, strict=True))
    result, expected = upper_envelope(slopes, intercepts), envelope_twin(lines)
    assert [line for _, line in result] == [line for _, line in expected]
    assert result[0][0] == -math.inf
    assert [at for at, _ in result[1:]] == pytest.approx([float(at) for at, _ in expected[1:]], rel=1e-12)


@given(st.integers(0, 2**32), st.integers(2, 300), st.floats(-5, 5), st.sampled_from([0.0, 0.01, 1.0]))
def test_envelope_of_real_numbers(seed, count, tilt, noise):
    # The chords drawn before the sort must handle tilted clouds and points nearly on a line or on a curve.
    random = np.random.default_rng(seed)
    slopes = random.normal(size=count)
    intercepts = tilt * slopes - (noise == 0.01) * slopes**2 + noise * random.normal(size=count)
    result = upper_envelope(slopes, intercepts)
    ends = [at for at, _ in result[1:]]
    assert ends == sorted(ends)
    middles = [(a + b) / 2 for a, b in itertools.pairwise(ends)]
    for at in [*middles, *(ends[:1] and [ends[0] - 1, ends[-1] + 1])]:
        line = [line for begin, line in result if begin <= at][-1]
        heights = intercepts + at * slopes
        assert heights[line] == pytest.approx(heights.max(), abs=1e-9 * (1 + abs(at)))
    if noise == 1.0 and count > 2:
        grid = np.linspace(-10, 10, 41)
        winners = {int(np.argmax(intercepts + at * slopes)) for at in grid}
        assert winners <= {line for _, line in result}


def fractions(matrix):
    return [[Fraction(float(x)) for x in row] for row in matrix]


def twin(problem):
    """The problem in the slow reference's form, and its score of a choice."""
    features, statistics, begins = problem
    sentences = [fractions(features[a:b]) for a, b in itertools.pairwise(begins)]
    metric = bleu_metric()

    def score(choice):
        return metric.score(statistics[[begin + row for begin, row in zip(begins, choice, strict=False)]].sum(axis=0))

    return sentences, score


@given(st.integers(0, 2**32))
def test_surface_and_search(seed):
    random = np.random.default_rng(seed)
    problem = random_lists(random, 5, 7, 3)
    sentences, score = twin(problem)
    weights, direction = random.integers(-3, 4, 3) / 4, random.integers(-3, 4, 3) / 2
    exact = [Fraction(float(x)) for x in weights], [Fraction(float(x)) for x in direction]
    lists, metric = candidate_lists(problem), bleu_metric()
    lowest, highest = -2.0, 3.0
    expected = reference.intervals(sentences, *exact, Fraction(lowest), Fraction(highest))
    thresholds, scores = lists.error_surface(metric, weights, direction, lowest=lowest, highest=highest)
    assert thresholds[0] == lowest
    for left, right, choice in expected:
        here = np.searchsorted(thresholds, float((left + right) / 2)) - 1
        assert scores[here] == pytest.approx(score(choice), abs=1e-9)
    result = lists.line_search(metric, weights, direction, lowest=lowest, highest=highest, min_width=1e-3)
    best = reference.line_search(sentences, *exact, score, Fraction(lowest), Fraction(highest), Fraction(1, 1000))
    assert best is not None
    assert result[1] == pytest.approx(best[1], abs=1e-9)
    # Wide enough intervals of one score may differ in the last digit, and either may then be taken for the better.
    assert score(reference.choice(sentences, reference.stepped(*exact, Fraction(result[0])))) == pytest.approx(best[1])


def test_the_leftmost_best_interval():
    # One sentence, two candidates: the good one wins left of 0 and, as a copy with another slope, right of 2.
    features = np.array([[-1.0, 0.0], [0.0, 0.0], [1.0, -2.0]])
    good, bad = bleu_statistics(2, np.random.default_rng(1))
    good[:], bad[:] = [5, 4, 3, 2, 5, 4, 3, 2, 5, 5], [0, 0, 0, 0, 5, 4, 3, 2, 5, 5]
    lists = CandidateLists(features, np.array([good, bad, good]), np.array([0, 3]))
    along = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    step, score = lists.line_search(bleu_metric(), *along, outer_step=0.25)
    assert (step, score) == (-0.25, pytest.approx(100))
    step, _ = lists.line_search(bleu_metric(), *along, lowest=-0.5, highest=10.0)
    assert step == -0.25  # the middle
    step, _ = lists.line_search(bleu_metric(), *along, lowest=1.0, highest=10.0)
    assert step == 6.0
    step, _ = lists.line_search(bleu_metric(), *along, lowest=1.0, outer_step=0.5)
    assert step == 2.5


def test_narrow_intervals_are_not_chosen():
    # The good candidate is highest only between -0.001 and 0.001.
    features = np.array([[-1.0, 0.0], [0.0, 0.001], [1.0, 0.0]])
    statistics = np.array([[0, 0, 0, 0, 5, 4, 3, 2, 5, 5], [5, 4, 3, 2, 5, 4, 3, 2, 5, 5], [0] * 10], dtype=np.float64)
    lists = CandidateLists(features, statistics, np.array([0, 3]))
    along = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    assert lists.line_search(bleu_metric(), *along, min_width=0.01)[1] == 0
    assert lists.line_search(bleu_metric(), *along, min_width=0.001) == (0.0, pytest.approx(100))


ASCENT = {"min_gain": 0.01, "min_width": 1e-3, "outer_step": 0.1, "max_rounds": 1000, "threads": 1}


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_ascents_end_where_no_direction_gains(seed):
    random = np.random.default_rng(seed)
    problem = random_lists(random, 4, 5, 3)
    sentences, score = twin(problem)
    start, bound = random.integers(-4, 5, 3) / 4, 2.0
    directions = np.vstack([np.eye(3), random.integers(1, 4, (2, 3)) / 2])
    lists = candidate_lists(problem)
    ends = {"lower": np.full(3, -bound), "upper": np.full(3, bound)}
    [(weights, before, after, _)] = lists.optimize(bleu_metric(), start[None], directions[None], **ends, **ASCENT)
    exact = [Fraction(float(x)) for x in weights]
    assert np.abs(weights).max() <= bound
    assert before == pytest.approx(score(reference.choice(sentences, [Fraction(float(x)) for x in start])))
    assert after == pytest.approx(score(reference.choice(sentences, exact)), abs=1e-9)
    rows = fractions(directions)
    limits = [(Fraction(-bound), Fraction(bound))] * 3
    # The slow reference cannot improve on this point either.
    assert reference.ascend(sentences, exact, rows, score, limits, 0.01 + 1e-9, Fraction(1, 1000)) == pytest.approx(
        after
    )


def test_the_first_step_is_the_steepest():
    random = np.random.default_rng(7)
    problem = random_lists(random, 30, 20, 4)
    lists, metric, start = candidate_lists(problem), bleu_metric(), np.array([0.5, 0.25, -0.5, 1.0])
    best = max(lists.line_search(metric, start, row, min_width=1e-3)[1] for row in np.eye(4))
    free = {"lower": np.full(4, -np.inf), "upper": np.full(4, np.inf)}
    one_step = ASCENT | {"max_rounds": 1}
    [(_, before, after, steps)] = lists.optimize(metric, start[None], np.eye(4)[None], **free, **one_step)
    assert (after, steps) == (pytest.approx(best), 1)
    assert before < best


def test_threads_change_nothing():
    random = np.random.default_rng(3)
    lists = candidate_lists(random_lists(random, 40, 30, 4))
    starts = random.uniform(-1, 1, (5, 4))
    directions = np.concatenate([np.broadcast_to(np.eye(4), (5, 4, 4)), random.normal(size=(5, 3, 4))], axis=1)
    free = {"lower": np.full(4, -np.inf), "upper": np.full(4, np.inf)}
    for starting, ways in ((starts, directions), (starts[:1], directions[:1])):
        results = [
            lists.optimize(
                bleu_metric(), starting, np.ascontiguousarray(ways), **free, **(ASCENT | {"threads": threads})
            )
            for threads in (1, 2, 7)
        ]
        assert results[0] == results[1] == results[2]


def test_best_and_totals():
    features = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 3.0]])
    statistics = np.arange(40.0).reshape(4, 10)
    lists = CandidateLists(features, statistics, np.array([0, 3, 4]))
    assert (lists.sentences, lists.candidates) == (2, 4)
    assert lists.best(np.array([1.0, 0.0])) == [0, 3]  # the first of equals
    assert lists.best(np.array([1.0, 1.0])) == [2, 3]
    assert lists.totals(np.array([1.0, 1.0])).tolist() == (statistics[2] + statistics[3]).tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda lists, m: lists.best(np.zeros(2)), "weights: expected 3 numbers, found 2"),
        (lambda lists, m: m.score(np.zeros(3)), "statistics: expected 10"),
        (
            lambda lists, m: CandidateLists(np.zeros((2, 1)), np.zeros((2, 1)), np.array([0, 1, 1, 2])),
            "sentence 1 has no",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    lists = candidate_lists(random_lists(np.random.default_rng(1), 2, 3, 3))
    with pytest.raises(InputError, match=message):
        call(lists, bleu_metric())
