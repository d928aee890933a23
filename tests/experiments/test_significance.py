"""Scores and paired tests, against sacrebleu's and against counting by hand."""

import itertools
import random

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest

from widl.experiments.significance import TestMetrics, approximate_randomization, paired_bootstrap

METRICS = ("bleu", "chrf", "ter")


def texts(seed: int, share: float, lines: int = 60) -> list[str]:
    rng = random.Random(seed)
    words = [[f"w{(7 * i + j) % 23}" for j in range(5 + i % 9)] for i in range(lines)]
    return [" ".join(word if rng.random() < share else "x" for word in line) for line in words]


REFERENCES = [texts(0, 1.0), texts(1, 0.95)]


def test_scores_are_sacrebleus() -> None:
    metrics = TestMetrics(REFERENCES, METRICS)
    output = texts(2, 0.8)
    found = metrics.scores(output)
    for name, metric in (("bleu", BLEU()), ("chrf", CHRF()), ("ter", TER())):
        assert found[name].score == pytest.approx(metric.corpus_score(output, REFERENCES).score, abs=1e-9)
        assert metrics.signatures()[name] == str(metric.get_signature())
    bleu = BLEU().corpus_score(output, REFERENCES)
    assert (found["bleu"].brevity_penalty, found["bleu"].length) == (bleu.bp, bleu.sys_len)


@pytest.mark.parametrize(("first", "second"), [(0.7, 0.8), (0.75, 0.76)])
def test_p_is_near_sacrebleus(first: float, second: float) -> None:
    sides = texts(3, first), texts(4, second)
    found = TestMetrics(REFERENCES, ["bleu"]).compare([sides[0]], [sides[1]], resamples=1000)["bleu"]
    named = [("a", sides[0]), ("b", sides[1])]
    for kind, p in (("bs", found.bootstrap_p), ("ar", found.randomization_p)):
        _, theirs = PairedTest(named, {"BLEU": BLEU(references=REFERENCES)}, None, kind, n_samples=1000)()
        result = theirs["BLEU"][1]
        assert p == pytest.approx(result.p_value, abs=0.05)
        assert result.score - theirs["BLEU"][0].score == pytest.approx(found.difference)
        if kind == "bs":
            assert found.interval == pytest.approx(result.ci, rel=0.2)


def mean(totals: np.ndarray) -> float:
    return float(totals[0] / totals[1])


def test_randomization_against_all_swaps() -> None:
    """Eight lines: 256 ways to swap."""
    rng = np.random.default_rng(5)
    first = np.column_stack([rng.integers(0, 10, 8), np.full(8, 10)]).astype(float)
    second = np.column_stack([rng.integers(2, 11, 8), np.full(8, 10)]).astype(float)
    real = abs(mean(second.sum(0)) - mean(first.sum(0)))
    larger = 0
    for swaps in itertools.product([False, True], repeat=8):
        chosen = np.array(swaps)[:, None]
        a, b = np.where(chosen, second, first), np.where(chosen, first, second)
        larger += abs(mean(b.sum(0)) - mean(a.sum(0))) >= real - 1e-12
    p = approximate_randomization(first, second, mean, 20_000, np.random.default_rng(1))
    assert p == pytest.approx(larger / 256, abs=0.02)


def test_equal_outputs_differ_by_nothing() -> None:
    one = texts(6, 0.8)
    for found in TestMetrics(REFERENCES, METRICS).compare([one], [one], resamples=50).values():
        assert found.difference == 0
        assert found.bootstrap_p == found.randomization_p == 1


def test_clear_differences_are_significant_and_replications_are_pooled() -> None:
    metrics = TestMetrics(REFERENCES, ["bleu", "ter"])
    good, bad = texts(7, 0.95), texts(8, 0.5)
    found = metrics.compare([bad, bad], [good, good, bad], resamples=200)
    assert found["bleu"].difference > 10
    assert found["ter"].difference < -10
    assert all(one.bootstrap_p < 0.01 and one.randomization_p < 0.01 for one in found.values())
    # Of three replications and two, two of each count.
    assert found["bleu"].difference == pytest.approx(metrics.compare([bad], [good])["bleu"].difference)


def test_bootstrap_interval_of_a_mean() -> None:
    """The 95 % interval of a mean of n draws has half the width 1.96 σ / √n."""
    rng = np.random.default_rng(2)
    values = np.column_stack([rng.normal(50, 10, 400), np.ones(400)])
    other = np.column_stack([rng.normal(50, 10, 400), np.ones(400)])
    _, interval = paired_bootstrap(other, values, mean, 2000, rng)
    assert interval == pytest.approx(1.96 * values[:, 0].std() / 20, rel=0.1)
