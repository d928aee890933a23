"""The algorithms under one interface: their results and shared properties."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.conftest import shared
from tests.mert.problems import translation_lists
from tests.reference import mert as reference
from widl.common.errors import InputError
from widl.mert import ALGORITHMS, NbestLists, OptimizerOptions, Problem, TuningSet, mira, optimize, read_nbest
from widl.mert.optimization import interpolated
from widl.mert.problem import WeightDomain
from widl.metrics import MetricOptions, Objective

START = {"lm0": 0.2, "noise": 0.3, "word_count": 1.0, "idle": 0.5}
FAST = OptimizerOptions(restarts=4, random_directions=3)


def fast(algorithm: Any, **more: Any) -> OptimizerOptions:
    """Options of any algorithm that need little time."""
    own = {"random_directions": 3, "restarts": 4} if algorithm == "mert" else {"passes": 20}
    return OptimizerOptions(algorithm=algorithm, **(own | more))


@pytest.fixture(scope="module")
def problem():
    lists, references = translation_lists(1)
    data = TuningSet(Objective("bleu", [references], MetricOptions(tokenize="none")))
    data.add(lists)
    return data.freeze()


def vector(problem, weights):
    return np.array([weights[name] for name in problem.names])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_weights_that_separate_good_from_bad(problem, algorithm):
    result = optimize(problem, START, fast(algorithm))
    assert result.start_score == pytest.approx(problem.score(vector(problem, START)))
    assert result.score == pytest.approx(problem.score(vector(problem, result.weights)))
    assert result.values == {"bleu": pytest.approx(result.score)}
    assert result.score > result.start_score + 10
    # The language model's feature is minus the share of errors, the next one is the share of errors with more noise.
    assert result.weights["lm0"] > 0
    assert result.weights["noise"] < result.weights["lm0"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_results_depend_on_the_seed_only(problem, algorithm):
    options = fast(algorithm)
    first = optimize(problem, START, options)
    assert optimize(problem, START, replace(options, threads=3)) == first
    assert optimize(problem, START, replace(options, seed=2)).weights != first.weights


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_fixed_weights_and_bounds(problem, algorithm):
    options = fast(algorithm, fixed=frozenset({"word_count"}), bounds={"noise": (0.1, 0.4), "idle": (-1.0, 0.5)})
    weights = optimize(problem, START, options).weights
    assert weights["word_count"] == 1.0
    assert weights != START
    assert 0.1 <= weights["noise"] <= 0.4
    assert -1 <= weights["idle"] <= 0.5
    assert weights["lm0"] >= 0


def test_language_models_get_no_negative_weight():
    lists, references = translation_lists(2)
    lists.features[:, 0] *= -1  # now the weight ought to be negative
    data = TuningSet(Objective("bleu", [references]))
    data.add(lists)
    for algorithm in ALGORITHMS:
        assert optimize(data, START, fast(algorithm)).weights["lm0"] >= 0
    free = replace(FAST, bounds={"lm0": (-np.inf, np.inf)})
    assert optimize(data, START, free).weights["lm0"] < 0


@pytest.mark.parametrize(("kind", "order"), [("l1", 1), ("l2", 2)])
def test_normalization(problem, kind, order):
    result = optimize(problem, START, replace(FAST, normalization=kind))
    assert np.linalg.norm(vector(problem, result.weights), order) == pytest.approx(1)
    plain = optimize(problem, START, replace(FAST, normalization="none"))
    ratio = vector(problem, plain.weights) / vector(problem, result.weights)
    assert ratio == pytest.approx(np.full(4, ratio[0]))
    assert plain.score == result.score
    fixed = replace(FAST, normalization=kind, fixed=frozenset({"idle"}))
    assert optimize(problem, START, fixed).weights["idle"] == START["idle"]


def test_random_starts_keep_signs_and_bounds():
    options = OptimizerOptions(bounds={"d": (1.0, 5.0), "e": (-9.0, -7.0)}, fixed=frozenset({"c"}))
    start = {"lm0": 0.0, "a": -2.0, "b": 0.5, "c": -100.0, "d": 3.0, "e": -8.0}
    points = WeightDomain.of(tuple(start), start, options).random_points(300, np.random.default_rng(1))
    low, high = points.min(axis=0), points.max(axis=0)
    assert (low[[0, 1, 2, 3, 4]] >= [0, -8, 0, -100, 1]).all()
    assert (high[[0, 1, 2, 3, 4]] <= [8, 0, 8, -100, 5]).all()
    assert (high - low)[[0, 1, 2]] == pytest.approx([8, 8, 8], rel=0.05)
    assert -9 <= low[5] <= high[5] <= -7


def test_mira_against_its_slow_twin(problem):
    domain = WeightDomain.of(problem.names, START, OptimizerOptions())
    scale = problem.deviations()
    start = domain.start * scale
    rows = [slice(a, b) for a, b in zip(problem.begins, problem.begins[1:], strict=False)]
    order = np.random.default_rng(1).permutation(len(rows))
    expected = reference.mira_pass(
        [(problem.features[r] / scale).tolist() for r in rows],
        [problem.statistics[r].tolist() for r in rows],
        order.tolist(),
        (start / np.linalg.norm(start)).tolist(),
        lambda totals: problem.objective.score(np.array(totals)),
        0.01,
        0.999,
    )
    result = mira.Learner(problem, domain).run_pass(order.tolist())
    assert result == pytest.approx(np.array(expected) / scale)
    assert result * scale != pytest.approx(start / np.linalg.norm(start), abs=0.01)


def test_deviations_are_those_within_sentences():
    features = np.array([[1.0, 5.0], [3.0, 5.0], [101.0, 7.0], [103.0, 7.0]])
    problem = Problem(Objective("ter", [["a", "b"]]), ("F", "G"), features, np.zeros((4, 2)), np.array([0, 2, 4]))
    assert problem.deviations().tolist() == [1.0, 1.0]


def test_nothing_to_rank():
    lists = NbestLists(("F",), np.array([0, 0]), ["a", "a"], np.array([[1.0], [2.0]]))
    data = TuningSet(Objective("bleu", [["a"]]))
    assert data.add(lists) == 2
    for algorithm in ALGORITHMS:
        with pytest.raises(InputError, match="all candidates of a sentence score alike, of every sentence"):
            optimize(data, {"F": 1.0}, fast(algorithm))


def test_weights_that_can_not_be_better_have_not_moved():
    """The best candidate is chosen from the start. The written weights differ at most in scale."""
    lists = NbestLists(("F", "G"), np.array([0, 0]), ["a b", "a"], np.array([[2.0, 0.0], [1.0, 1.5]]))
    data = TuningSet(Objective("ter", [["a b"]]))
    data.add(lists)
    for algorithm in ALGORITHMS:
        best, worst = (optimize(data, {"F": start, "G": 1.0}, fast(algorithm)) for start in (2.0, 1.45))
        assert (best.moved, worst.moved) == (False, True)


@pytest.mark.parametrize(
    ("start", "options", "message"),
    [
        (START | {"x": 1.0}, {}, "no feature 'x'; the candidates have lm0, noise"),
        ({"lm0": 1.0}, {}, "no weight of noise, word_count, idle to start from"),
        (START | {"lm0": -0.1}, {}, "the weight of lm0 is -0.1, but must be from 0.0 to inf"),
        (START, {"fixed": frozenset(START)}, "all weights are fixed"),
    ],
)
def test_bad_weights(problem, start, options, message):
    with pytest.raises(InputError, match=message):
        optimize(problem, start, replace(FAST, **options))


def test_bounds_that_meet():
    with pytest.raises(InputError, match=r"bounds of a: 1\.0 is not below 1\.0"):
        OptimizerOptions(bounds={"a": (1.0, 1.0)})


def test_candidates_added_in_parts():
    lists, references = translation_lists(3)
    order = np.random.default_rng(1).permutation(len(lists.texts))
    data = TuningSet(Objective("bleu", [references]))
    for part in (order[:200], order[100:350], order[300:]):
        rows = np.sort(part)
        texts = [lists.texts[row] for row in rows]
        data.add(NbestLists(lists.feature_names, lists.sentences[rows], texts, lists.features[rows]))
    whole = TuningSet(data.objective)
    assert whole.add(lists) == len(data) == len(lists.texts)
    parts, problem = data.freeze(), whole.freeze()
    for weights in np.random.default_rng(2).normal(size=(10, 4)):
        assert parts.score(weights) == pytest.approx(problem.score(weights))


def test_candidates_without_reference():
    data = TuningSet(Objective("bleu", [["a"]]))
    with pytest.raises(InputError, match="candidates of sentence 1, but only 1 references"):
        data.add(NbestLists(("F",), np.array([0, 1]), ["a", "a"], np.zeros((2, 1))))
    with pytest.raises(InputError, match="no candidates to tune on"):
        data.freeze()


def test_at_least_as_good_as_moses():
    path = shared("reference/mert")

    lists = read_nbest([path / "nbest.300x100.gz"], sentences=300)
    references = (path / "reference.en").read_text(encoding="utf-8").splitlines()
    data = TuningSet(Objective("bleu", [references], MetricOptions(tokenize="none")))
    data.add(lists)
    start, moses = (
        [float(x) for x in (path / name).read_text().split()] for name in ("start-weights.txt", "moses-weights.txt")
    )
    assert data.freeze().score(np.array(moses)) == pytest.approx(7.74267, abs=5e-5)
    options = OptimizerOptions(restarts=5, random_directions=8)
    result = optimize(data, dict(zip(lists.feature_names, start, strict=True)), options)
    assert result.score >= 7.74267


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
def test_interpolation(share):
    """By its definition: both on norm 1, one weight fixed or none, and scores of the weights between them."""
    lists, references = translation_lists(3)
    data = TuningSet(Objective("bleu", [references]))
    data.add(lists)
    problem = data.freeze()
    start = {name: 4.0 + 2 * i for i, name in enumerate(problem.names)}
    fixed = problem.names[0]
    for options in (
        OptimizerOptions(algorithm="mira", passes=3),
        OptimizerOptions(algorithm="mira", passes=3, normalization="none"),
        OptimizerOptions(algorithm="mira", passes=3, fixed=frozenset({fixed})),
        OptimizerOptions(algorithm="mira", passes=3, bounds={problem.names[1]: (5.0, 7.0)}),
    ):
        found = optimize(problem, start, options)
        result = interpolated(problem, start, found, options, share=share)
        kept = options.fixed or options.bounds
        scale = 1.0 if kept else sum(map(abs, found.weights.values())) / sum(start.values())
        expected = {name: share * found.weights[name] + (1 - share) * scale * start[name] for name in start}
        assert result.weights == pytest.approx(expected)
        weights = np.array(list(result.weights.values()))
        assert result.score == pytest.approx(problem.score(weights))
        assert (result.start_score, result.start_values) == (found.start_score, found.start_values)
        if options.fixed:
            assert result.weights[fixed] == start[fixed]
    if share == 1.0:
        assert result.weights == pytest.approx(found.weights)
