"""Scores and paired tests, compared with sacrebleu and with counts by hand."""

import itertools
import random

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest

from widl.experiments.results import Scorer, SystemRun, TestSet, mean
from widl.experiments.significance import (
    approximate_randomization,
    bootstrap_interval,
    compare,
    paired_bootstrap,
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
    scorer = Scorer(metrics, REFERENCES)
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


def test_randomization_against_all_swaps() -> None:
    """Eight lines: 256 ways to swap."""
    rng = np.random.default_rng(5)
    first = np.column_stack([rng.integers(0, 10, 8), np.full(8, 10)]).astype(float)
    second = np.column_stack([rng.integers(2, 11, 8), np.full(8, 10)]).astype(float)
    second[3] = first[3]  # swapping these has no effect

    def difference(a: np.ndarray, b: np.ndarray) -> float:
        return abs(float((ratio(b.sum(0, keepdims=True)) - ratio(a.sum(0, keepdims=True)))[0]))

    real = difference(first, second)
    larger = 0
    for swaps in itertools.product([False, True], repeat=8):
        chosen = np.array(swaps)[:, None]
        a, b = np.where(chosen, second, first), np.where(chosen, first, second)
        larger += difference(a, b) >= real - 1e-12
    p = approximate_randomization(first, second, ratio, 20_000, np.random.default_rng(1))
    assert p == pytest.approx(larger / 256, abs=0.02)


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
    p = paired_bootstrap(first, second, ratio, 4000, np.random.default_rng(4))
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
    # Two of each count, from three replications and two.
    alone = compared(measure({"a": [bad], "b": [good]}, ("bleu",)))["bleu"]
    assert result["bleu"].value == pytest.approx(alone.value)


def test_bootstrap_interval_of_a_mean() -> None:
    """The 95 % interval of a mean of n draws has half the width 1.96 σ / √n, for any number of equal runs."""
    rng = np.random.default_rng(2)
    values = np.column_stack([rng.normal(50, 10, 400), np.ones(400)])
    score = mean("x").scorer()
    for runs in (1, 3):
        low, high = bootstrap_interval(np.array([values] * runs), score, resamples=2000, seed=1)
        assert (high - low) / 2 == pytest.approx(1.96 * values[:, 0].std() / 20, rel=0.1)
        assert (high + low) / 2 == pytest.approx(values[:, 0].mean(), abs=0.3)
