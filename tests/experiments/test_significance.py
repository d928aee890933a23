"""Scores and paired tests, compared with sacrebleu and with counts by hand."""

import itertools
import random

import numpy as np
import pytest
from benchmarks import compared_outputs
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest

from widl.experiments.config import ExperimentConfig
from widl.experiments.results import MetricScorer, SystemRun, TestSet, mean
from widl.experiments.significance import (
    DOUBT,
    FEW,
    SAME_WEIGHTS,
    WITHIN,
    approximate_randomization,
    bootstrap_interval,
    compare,
    pair_table,
    paired_bootstrap,
    weights_are_within_tuning,
)
from widl.pages.tables import Figure

METRICS = ("bleu", "chrf", "ter")


def texts(seed: int, share: float, lines: int = 60) -> list[str]:
    rng = random.Random(seed)
    words = [[f"w{(7 * i + j) % 23}" for j in range(5 + i % 9)] for i in range(lines)]
    return [" ".join(word if rng.random() < share else "x" for word in line) for line in words]


REFERENCES = [texts(0, 1.0), texts(1, 0.95)]


def measure(systems: dict[str, list[list[str]]], metrics: tuple[str, ...] = METRICS) -> TestSet:
    """A test set of systems' outputs, several runs each."""
    scorer = MetricScorer(metrics, REFERENCES)
    runs = {
        name: [SystemRun(outputs=texts, **scorer.scored(texts)) for texts in outputs]
        for name, outputs in systems.items()
    }
    return TestSet(name="x", inputs=REFERENCES[0], references=REFERENCES, metrics=scorer.metrics, systems=runs)


def compared(test: TestSet, resamples: int = 1000) -> dict[str, Figure]:
    """Compares the first system with the second, by metric."""
    first, second = test.systems
    return {
        metric.name: compare(
            test.statistics(first, metric.name),
            test.statistics(second, metric.name),
            metric.scorer(),
            resamples=resamples,
            seed=1,
        )
        for metric in test.metrics
    }


def test_scores_are_sacrebleus() -> None:
    outputs = [texts(2, 0.8), texts(9, 0.6)]
    test = measure({"a": outputs}, (*METRICS, "chrf++"))
    theirs = (("bleu", BLEU()), ("chrf", CHRF()), ("chrf++", CHRF(word_order=2)), ("ter", TER()))
    for name, metric in theirs:
        expected = [metric.corpus_score(output, REFERENCES).score for output in outputs]
        assert test.scores("a", name) == pytest.approx(expected, abs=1e-9)
        assert test.metric(name).signature == str(metric.get_signature())
    assert {metric.name for metric in test.metrics if metric.better == "lower"} == {"ter"}


@pytest.mark.parametrize(("first", "second"), [(0.7, 0.8), (0.75, 0.76)])
def test_p_is_near_sacrebleus(first: float, second: float) -> None:
    sides = texts(3, first), texts(4, second)
    test = measure({"a": [sides[0]], "b": [sides[1]]}, ("bleu",))
    actual = compared(test)["bleu"]
    named = [("a", sides[0]), ("b", sides[1])]
    for kind, p in (("bs", actual.p[0]), ("ar", actual.p[1])):
        _, theirs = PairedTest(named, {"BLEU": BLEU(references=REFERENCES)}, None, kind, n_samples=1000)()
        result = theirs["BLEU"][1]
        assert p == pytest.approx(result.p_value, abs=0.05)
        assert result.score - theirs["BLEU"][0].score == pytest.approx(actual.value)
        if kind == "bs":
            low, high = bootstrap_interval(
                test.statistics("b", "bleu"), test.metric("bleu").scorer(), resamples=1000, seed=1
            )
            assert (high - low) / 2 == pytest.approx(result.ci, rel=0.2)
            assert low < result.score < high


def ratio(rows: np.ndarray) -> np.ndarray:
    return rows[:, 0] / rows[:, 1]


def mean_of_runs(system: np.ndarray) -> float:
    return float(np.mean([ratio(run.sum(0, keepdims=True))[0] for run in system]))


@pytest.mark.parametrize("runs", [1, 3])
def test_randomization_against_all_swaps(runs: int) -> None:
    """Eight lines: 256 ways to swap, each line in all runs."""
    rng = np.random.default_rng(5)
    first = np.stack([rng.integers(0, 10, (runs, 8)), np.full((runs, 8), 10)], axis=2).astype(float)
    second = np.stack([rng.integers(1, 10, (runs, 8)), np.full((runs, 8), 11)], axis=2).astype(float)
    second[:, 3] = first[:, 3]  # swapping these has no effect
    real = abs(mean_of_runs(second) - mean_of_runs(first))
    larger = 0
    for swaps in itertools.product([False, True], repeat=8):
        a, b = first.copy(), second.copy()
        for line in np.flatnonzero(swaps):
            for run in range(runs):
                a[run, line], b[run, line] = second[run, line], first[run, line]
        larger += abs(mean_of_runs(b) - mean_of_runs(a)) >= real - 1e-12
    p = approximate_randomization(first, second, ratio, 20_000, np.random.default_rng(1))
    assert 0.05 < larger / 256 < 0.95
    assert p == pytest.approx(larger / 256, abs=0.02)


@pytest.mark.parametrize(("first", "second"), [(1, 2), (10, 10), (3, 2), (1, 7)])
def test_replications_with_the_same_outputs_have_the_p_of_one_run(first: int, second: int) -> None:
    """They are no new evidence, by any metric."""
    sides = texts(3, 0.7), texts(4, 0.75)
    alone = compared(measure({"a": [sides[0]], "b": [sides[1]]}), resamples=200)
    again = compared(measure({"a": [sides[0]] * first, "b": [sides[1]] * second}), resamples=200)
    for name, one in alone.items():
        assert 0.01 < min(one.p or ()) < 0.9
        assert again[name].p == one.p
        assert again[name].value == pytest.approx(one.value)


def swapped_run_by_run(first: np.ndarray, second: np.ndarray, samples: int, rng: np.random.Generator) -> float:
    """Each item of each run is swapped by itself, as in MultEval; every item has the weight 1."""
    differences = (second - first)[..., 0].ravel()
    signs = rng.choice([-1.0, 1.0], size=(samples, differences.size))
    return (int(np.sum(np.abs(signs @ differences) >= abs(differences.sum()) - 1e-9)) + 1) / (samples + 1)


def test_p_under_the_null_hypothesis() -> None:
    """Systems that differ by chance alone, and whose five replications are nearly the same.

    At most 5 % of the tests by randomization may be below .05; 400 tests have a standard error of 1.1 %. Swapping run
    by run calls a third of them significant, and sacrebleu's bootstrap, which counts one direction, some 10 %.
    """
    rng = np.random.default_rng(17)
    found = []
    for _ in range(400):
        first, second = (
            np.stack([rng.normal(50, 10, 40) + rng.normal(0, 0.5, (5, 40)), np.ones((5, 40))], axis=2) for _ in range(2)
        )
        found.append(
            (
                approximate_randomization(first, second, ratio, 400, rng),
                swapped_run_by_run(first, second, 400, rng),
                paired_bootstrap(first, second, ratio, 200, rng),
            )
        )
    ours, run_by_run, bootstrap = np.array(found).T
    assert np.mean(ours < 0.05) < 0.05 + 2 * 0.011
    assert np.mean(ours) == pytest.approx(0.5, abs=0.05)
    assert [np.mean(ours < level) for level in (0.25, 0.5, 0.75)] == pytest.approx([0.25, 0.5, 0.75], abs=0.06)
    assert np.mean(run_by_run < 0.05) > 0.25
    assert 0.05 < np.mean(bootstrap < 0.05) < 0.16


def test_bootstrap_against_one_sample_at_a_time() -> None:
    """p by its definition, from samples drawn in a loop."""
    rng = np.random.default_rng(3)
    first = np.column_stack([rng.normal(50, 10, 100), np.ones(100)])
    second = first + np.column_stack([rng.normal(0.8, 5, 100), np.zeros(100)])
    real = abs(second[:, 0].mean() - first[:, 0].mean())
    drawn = []
    for _ in range(4000):
        sample = rng.integers(100, size=100)
        drawn.append(abs(second[sample, 0].mean() - first[sample, 0].mean()))
    expected = np.mean(np.array(drawn) - np.mean(drawn) > real)
    p = paired_bootstrap(first[None], second[None], ratio, 4000, np.random.default_rng(4))
    assert p == pytest.approx(expected, abs=0.03)


def test_equal_outputs_differ_by_nothing() -> None:
    item = texts(6, 0.8)
    for result in compared(measure({"a": [item], "b": [item]}), resamples=50).values():
        assert result.value == 0
        assert result.p[0] == result.p[1] == 1


def test_clear_differences_are_significant_and_replications_are_pooled() -> None:
    good, bad = texts(7, 0.95), texts(8, 0.5)
    result = compared(measure({"a": [bad, bad], "b": [good, good, bad]}, ("bleu", "ter")), resamples=200)
    assert result["bleu"].value > 10
    assert result["ter"].value < -10
    assert all(item.p[0] < 0.01 and item.p[1] < 0.01 for item in result.values())
    # The difference is one of means, that of the tables of scores.
    scores = [
        np.mean([BLEU().corpus_score(run, REFERENCES).score for run in runs]) for runs in ([bad], [good, good, bad])
    ]
    assert result["bleu"].value == pytest.approx(scores[1] - scores[0])


def test_bootstrap_interval_of_a_mean() -> None:
    """The 95 % interval of a mean of n draws has half the width 1.96 σ / √n, for any number of equal runs."""
    rng = np.random.default_rng(2)
    values = np.column_stack([rng.normal(50, 10, 400), np.ones(400)])
    score = mean("x").scorer()
    for runs in (1, 3):
        low, high = bootstrap_interval(np.array([values] * runs), score, resamples=2000, seed=1)
        assert (high - low) / 2 == pytest.approx(1.96 * values[:, 0].std() / 20, rel=0.1)
        assert (high + low) / 2 == pytest.approx(values[:, 0].mean(), abs=0.3)


def test_a_single_run_is_compared_with_all_runs_of_the_other() -> None:
    alone, runs = texts(3, 0.7), [texts(seed, 0.8) for seed in (4, 5, 6)]
    actual = compared(measure({"a": [alone], "b": runs}, ("bleu",)), resamples=100)["bleu"]
    assert actual == compared(measure({"a": [alone] * 3, "b": runs}, ("bleu",)), resamples=100)["bleu"]


def tuned_set(weights: dict[str, list[dict[str, float]]], outputs: dict[str, list[list[str]]]) -> TestSet:
    """Systems whose runs were made with these tuned weights; a system without weights is not tuned."""
    test = measure(outputs, ("bleu",))
    systems = {
        name: [run.model_copy(update={"tuned": tuned}) for run, tuned in zip(runs, weights[name], strict=True)]
        if name in weights
        else runs
        for name, runs in test.systems.items()
    }
    return test.model_copy(update={"systems": systems})


def difference_of(test: TestSet) -> tuple[Figure, list[str]]:
    """The cell of the only pair, and the notes below it."""
    table = pair_table(test, baseline="a", resamples=100, seed=1)
    [row] = table.rows
    return row.cells["bleu"], table.notes


GOOD, BAD = [texts(seed, 0.95) for seed in (11, 12, 13)], [texts(seed, 0.6) for seed in (21, 22, 23)]
NEAR = [{"lm": 1.0, "words": words} for words in (0.0, 0.05, 0.1)]
FAR = [{"lm": 0.2, "words": words} for words in (-1.0, -1.05, -1.1)]


def test_a_real_difference_of_tuned_systems_has_its_deviation_and_no_mark() -> None:
    figure, notes = difference_of(tuned_set({"a": NEAR, "b": FAR}, {"a": BAD, "b": GOOD}))
    theirs = [[BLEU().corpus_score(output, REFERENCES).score for output in outputs] for outputs in (BAD, GOOD)]
    assert figure.deviation == pytest.approx(np.hypot(*(np.std(scores, ddof=1) for scores in theirs)))
    assert figure.is_significant
    assert not any("†" in note for note in notes)
    assert any(note.startswith("±") for note in notes)


@pytest.mark.parametrize(
    ("weights", "outputs", "doubt"),
    [
        ({"a": NEAR[:2], "b": FAR[:2]}, {"a": BAD[:2], "b": GOOD[:2]}, FEW),
        ({"a": NEAR[:1], "b": FAR[:1]}, {"a": BAD[:1], "b": GOOD[:1]}, FEW),
        ({"b": FAR[:1]}, {"a": BAD[:1], "b": GOOD[:1]}, FEW),  # the other system is not tuned
        ({"a": NEAR[:2], "b": NEAR[:2]}, {"a": BAD[:2], "b": GOOD[:2]}, FEW),  # both have the same weights
        ({"a": NEAR, "b": NEAR[::-1]}, {"a": BAD, "b": GOOD}, SAME_WEIGHTS),  # in another order
        ({"a": NEAR, "b": FAR}, {"a": [BAD[0], GOOD[0], GOOD[1]], "b": [GOOD[2], GOOD[2], GOOD[2]]}, WITHIN),
        ({"a": NEAR, "b": NEAR}, {"a": [BAD[0], GOOD[0], GOOD[1]], "b": [GOOD[0], BAD[0], GOOD[1]]}, WITHIN),
    ],
)
def test_what_tuning_alone_may_make_is_marked(
    weights: dict[str, list[dict[str, float]]], outputs: dict[str, list[list[str]]], doubt: str
) -> None:
    figure, notes = difference_of(tuned_set(weights, outputs))
    assert figure.doubt == doubt
    assert not figure.is_significant
    assert [note for note in notes if "†" in note] == [f"{DOUBT}{doubt}."]


@pytest.mark.parametrize("weights", [{}, {"a": NEAR, "b": NEAR}])
def test_systems_of_the_same_weights_differ_by_more_than_tuning(weights: dict[str, list[dict[str, float]]]) -> None:
    figure, notes = difference_of(tuned_set(weights, {"a": BAD, "b": GOOD}))
    assert figure.is_significant
    assert not any("†" in note for note in notes)
    if weights:
        bad, good = ([BLEU().corpus_score(output, REFERENCES).score for output in outputs] for outputs in (BAD, GOOD))
        assert figure.deviation == pytest.approx(np.std(np.subtract(good, bad), ddof=1))


def test_distance_of_weights_does_not_depend_on_their_scale() -> None:
    """Against angles of planar vectors, which arctan gives."""
    rng = np.random.default_rng(7)
    for _ in range(200):
        first, second = (
            [dict(zip(("lm", "words"), row, strict=True)) for row in rng.normal(center, 0.5, (3, 2)).tolist()]
            for center in (1.0, rng.uniform(-1, 1.5))
        )
        directions = [[np.arctan2(w["words"], w["lm"]) for w in side] for side in (first, second)]

        def turn(a: float, b: float) -> float:
            return abs((a - b + np.pi) % (2 * np.pi) - np.pi)

        between = [turn(a, b) for a in directions[0] for b in directions[1]]
        within = [turn(a, b) for side in directions for a, b in itertools.combinations(side, 2)]
        assert weights_are_within_tuning(first, second) == (np.mean(between) <= max(within))
        scaled = [{name: 7 * weight for name, weight in weights.items()} for weights in first]
        assert weights_are_within_tuning(scaled, second) == weights_are_within_tuning(first, second)


def test_the_tuning_accident_of_two_replications() -> None:
    """Two replications with equal weights at the start, one better by chance: p says better, the mark says not."""
    outputs = {"a": [texts(31, 0.8), texts(32, 0.8)], "b": [texts(31, 0.8), texts(33, 0.97)]}
    figure, _ = difference_of(tuned_set({"a": NEAR[:2], "b": [NEAR[0], NEAR[2]]}, outputs))
    assert max(figure.p or ()) < 0.05
    assert figure.doubt
    assert not figure.is_significant


def test_outputs_of_two_experiments_compare_as_those_of_one() -> None:
    first, second = texts(4, 0.8), texts(5, 0.7)
    test = measure({"a": [first], "b": [second]}, ("bleu", "bleu-lc"))
    table = pair_table(test, baseline="a", resamples=ExperimentConfig().resamples, seed=ExperimentConfig().seed)
    for name in ("bleu", "bleu-lc"):
        figure = compared_outputs.compared(first, second, REFERENCES, name)
        cell = table.rows[0].cells[name]
        assert isinstance(cell, Figure)
        assert (figure.value, figure.p) == (cell.value, cell.p)
