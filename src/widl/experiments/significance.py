"""Corpus scores, paired bootstrap and approximate randomisation.

The numbers and the definitions of p are sacrebleu's. They are computed here from the statistics of `widl.mert`: TER's
alone would take sacrebleu hours for several replications of a test set.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU

from widl.mert import Objective

Statistics = NDArray[np.float64]
"""Shape (lines, statistics)."""

_CHUNK = 4_000_000  # entries of a matrix of samples held at once


@dataclass(frozen=True)
class MetricScore:
    """A corpus score in points; BLEU's with its brevity penalty and lengths in words."""

    score: float
    brevity_penalty: float | None = None
    length: int | None = None
    reference_length: int | None = None


@dataclass(frozen=True)
class Comparison:
    """A system beside a baseline: the difference of their scores, and how probable one as large is by chance.

    interval: half the width of the 95 % confidence interval of the system's own score.
    """

    difference: float
    bootstrap_p: float
    randomization_p: float
    interval: float


class TestMetrics:
    """Metrics against the references of one test set: ``bleu``, ``chrf``, ``ter``, of sacrebleu's defaults."""

    __test__ = False  # not a test case

    def __init__(self, references: Sequence[Sequence[str]], metrics: Sequence[str], *, threads: int = 1) -> None:
        self._references = [list(lines) for lines in references]
        self._objectives = {name: Objective(name, self._references, threads=threads) for name in metrics}
        self._numbers = np.arange(len(self._references[0]))

    def signatures(self) -> dict[str, str]:
        """sacrebleu's, by metric."""
        return {name: objective.signatures()[name] for name, objective in self._objectives.items()}

    def scores(self, texts: Sequence[str]) -> dict[str, MetricScore]:
        """Of a translation of the whole test set."""
        found = {}
        for name, objective in self._objectives.items():
            totals = objective.statistics(self._numbers, texts).sum(axis=0)
            found[name] = MetricScore(objective.values(totals)[name])
        if "bleu" in found:
            bleu = BLEU().corpus_score(list(texts), self._references)
            found["bleu"] = MetricScore(found["bleu"].score, bleu.bp, bleu.sys_len, bleu.ref_len)
        return found

    def compare(
        self,
        baseline: Sequence[Sequence[str]],
        system: Sequence[Sequence[str]],
        *,
        resamples: int = 1000,
        seed: int = 12345,
    ) -> dict[str, Comparison]:
        """A system's outputs beside a baseline's, by metric.

        Each has an output for every replication, which are pooled, as many as both have. Swaps stay within line and
        replication: stratified approximate randomisation (Clark et al. 2011), with ten times `resamples` samples.
        """
        count = min(len(baseline), len(system))
        found = {}
        for name, objective in self._objectives.items():

            def score(totals: Statistics, name: str = name, objective: Objective = objective) -> float:
                return objective.values(totals)[name]

            first, second = (
                np.concatenate([objective.statistics(self._numbers, texts) for texts in side[:count]])
                for side in (baseline, system)
            )
            rng = np.random.default_rng(seed)
            bootstrap_p, interval = paired_bootstrap(first, second, score, resamples, rng)
            found[name] = Comparison(
                difference=score(second.sum(axis=0)) - score(first.sum(axis=0)),
                bootstrap_p=bootstrap_p,
                randomization_p=approximate_randomization(first, second, score, 10 * resamples, rng),
                interval=interval,
            )
        return found


def paired_bootstrap(
    first: Statistics,
    second: Statistics,
    score: Callable[[Statistics], float],
    resamples: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """p of the difference of two systems, and half the 95 % confidence interval of the second's score.

    Koehn (2004), with p as Riezler & Maxwell (2005) and sacrebleu: how many of the resampled differences, moved to
    mean 0, are larger than the real one.
    """
    real = abs(score(second.sum(axis=0)) - score(first.sum(axis=0)))
    lines = len(first)
    scores = np.empty((resamples, 2))
    for sample in range(resamples):
        counts = np.bincount(rng.integers(lines, size=lines), minlength=lines).astype(np.float64)
        scores[sample] = score(counts @ first), score(counts @ second)
    differences = np.abs(scores[:, 1] - scores[:, 0])
    larger = int(np.sum(differences - differences.mean() > real)) if real > 0 else resamples
    low, high = np.percentile(scores[:, 1], [2.5, 97.5])
    return (larger + 1) / (resamples + 1), float(high - low) / 2


def approximate_randomization(
    first: Statistics,
    second: Statistics,
    score: Callable[[Statistics], float],
    samples: int,
    rng: np.random.Generator,
) -> float:
    """p of the difference of two systems: how often it is as large after swapping random lines (Noreen 1989)."""
    sum_first, sum_second = first.sum(axis=0), second.sum(axis=0)
    real = abs(score(sum_second) - score(sum_first))
    moved = second - first
    larger = 0
    chunk = max(1, _CHUNK // max(1, len(first)))
    for begin in range(0, samples, chunk):
        swaps = rng.random((min(chunk, samples - begin), len(first))) < 0.5
        for shift in swaps.astype(np.float64) @ moved:
            larger += abs(score(sum_second - shift) - score(sum_first + shift)) >= real - 1e-12
    return (larger + 1) / (samples + 1)
