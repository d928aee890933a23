"""Confidence intervals, paired bootstrap and approximate randomization for metrics of summed statistics.

The definitions of p are sacrebleu's. A system has statistics of shape (runs, items, statistics): runs are replications
of its tuning, and each sample of items is scored from its sums, thousands at a time, in the core.

These p hold the weights fixed. So the standard deviation over replications of tuning stands beside them, as in MultEval
(Clark et al. 2011), and a mark where another seed of tuning could make the difference.
"""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

import numpy as np

from widl.common.workers import Progress, no_progress
from widl.experiments.results import Score, TestSet
from widl.mert.nbest import FloatArray
from widl.pages.tables import Figure, Row, Table

REPLICATIONS = 3
"""The fewest replications of tuning from which a difference of tuned systems counts (Clark et al. 2011, Section 6)."""
WITHIN_TUNING = (
    f"†: another seed of tuning could make this difference. Tuned in fewer than {REPLICATIONS} replications, or their "
    "weights are no further apart than those of two replications of one system, or the difference is within its ±."
)
_CHUNK = 4_000_000  # entries of a matrix of samples held at once


def interval_table(test: TestSet, *, resamples: int, seed: int) -> Table:
    """Each system's score by each metric, with its interval."""
    rows = []
    for system in test.systems:
        cells = {}
        for metric in test.metrics:
            statistics = test.statistics(system, metric.name)
            ends = bootstrap_interval(statistics, metric.scorer(), resamples=resamples, seed=seed)
            cells[metric.name] = Figure.of(test.scores(system, metric.name), *ends)
        rows.append(Row(label=system, cells={**cells}))
    runs = max(map(len, test.systems.values()))
    notes = ["In brackets: 95 % of the scores of resampled items."]
    notes += [f"Mean of {runs} runs ± standard deviation over them."] if runs > 1 else []
    notes += [f"{metric.name}: {metric.signature}" for metric in test.metrics if metric.signature]
    return Table(
        name=f"{test.name}-intervals",
        title=f"{test.name}: {len(test.inputs):,} items",
        section="Scores and intervals",
        columns=[metric.column() for metric in test.metrics],
        rows=rows,
        notes=notes,
    )


def pair_table(
    test: TestSet,
    *,
    baseline: str,
    resamples: int,
    seed: int,
    progress: Progress = no_progress,
) -> Table:
    """Paired tests of all pairs of systems by all tested metrics.

    The pairs of the `baseline` come first: by how much the others differ from it. Text has these alone.
    """
    metrics = [metric for metric in test.metrics if metric.tested]
    pairs = sorted(combinations(test.systems, 2), key=lambda pair: baseline not in pair)
    rows = []
    for number, (first, second) in enumerate(pairs, 1):
        sign = -1 if second == baseline else 1
        cells = {}
        for metric in metrics:
            first_statistics, other = (test.statistics(system, metric.name) for system in (first, second))
            comparison = compare(first_statistics, other, metric.scorer(), resamples=resamples, seed=seed)
            weights = [[run.tuned for run in test.systems[system] if run.tuned] for system in (first, second)]
            scores = [test.scores(system, metric.name) for system in (first, second)]
            figure = with_tuning(comparison, weights, scores)
            cells[metric.name] = figure.model_copy(update={"value": sign * comparison.value})
        label = f"{second} - {first}" if sign > 0 else f"{first} - {second}"
        rows.append(Row(label=label, cells={**cells}))
        progress(f"testing pairs, {test.name}", number, len(pairs))
    ahead = len(test.systems) - 1
    notes = ["p is not corrected for the number of pairs. ▲, ▼: better and worse, where both are below 0.05."]
    figures = [cell for row in rows for cell in row.cells.values() if isinstance(cell, Figure)]
    if any(figure.deviation is not None for figure in figures):
        notes.append("±: standard deviation of the difference over replications of tuning, which p does not include.")
    notes += [WITHIN_TUNING] if any(figure.within_tuning for figure in figures) else []
    return Table(
        name=f"{test.name}-pairs",
        title=f"{test.name}: differences from {baseline}{' and of other pairs' * (len(pairs) > ahead)} "
        "(p of paired bootstrap, of approximate randomization)",
        of="pair",
        section="Significance",
        columns=[metric.column() for metric in metrics],
        rows=rows,
        notes=notes,
        brief=ahead,
    )


def with_tuning(
    difference: Figure, weights: Sequence[Sequence[Mapping[str, float]]], scores: Sequence[Sequence[float]]
) -> Figure:
    """A difference of two systems with its standard deviation over replications of their tuning, and the mark.

    `weights` has the tuned weights of both systems, none of a system that is not tuned, and `scores` those of all runs.
    Systems with the same tuned weights differ by something else than tuning: their replications are compared pair by
    pair, and there is no mark. Other replications are independent, so that variances add up.
    """
    if not any(weights):
        return difference
    if weights[0] == weights[1]:
        paired = [b - a for a, b in zip(*scores, strict=True)]
        return difference.model_copy(update={"deviation": statistics.stdev(paired) if len(paired) > 1 else None})
    fewest = min(map(len, filter(None, weights)))
    variances = [statistics.variance(values) for values in scores if len(values) > 1]
    deviation = math.sqrt(sum(variances)) if fewest > 1 else None
    within = (
        fewest < REPLICATIONS
        or (all(weights) and weights_are_within_tuning(*weights))
        or (deviation is not None and abs(difference.value) <= deviation)
    )
    return difference.model_copy(update={"deviation": deviation, "within_tuning": within})


def weights_are_within_tuning(first: Sequence[Mapping[str, float]], second: Sequence[Mapping[str, float]]) -> bool:
    """Whether the weights of two systems are, on average, no further apart than two replications of one of them.

    The distance is an angle: scaling all weights changes no choice. A feature that a system lacks has weight 0.

    >>> weights_are_within_tuning([{"lm": 1, "words": 0}, {"lm": 1, "words": 1}], [{"lm": 2, "words": 1}])
    True
    >>> weights_are_within_tuning([{"lm": 1, "words": 0}, {"lm": 9, "words": 1}], [{"lm": 0, "words": -1}])
    False
    """
    within = [_angle(*pair) for replications in (first, second) for pair in combinations(replications, 2)]
    return statistics.fmean(_angle(*pair) for pair in product(first, second)) <= max(within, default=0.0)


def _angle(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    names = sorted({*first, *second})
    a, b = (np.array([weights.get(name, 0.0) for name in names]) for weights in (first, second))
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return math.acos(min(1.0, max(-1.0, float(a @ b) / lengths))) if lengths else 0.0


def compare(first: FloatArray, second: FloatArray, score: Score, *, resamples: int, seed: int) -> Figure:
    """The second system's score minus the first's, and its p-values, over as many runs as both systems have.

    A system of a single run, which was not tuned, is compared with all runs of the other.

    Bootstrap draws items, with all their runs. Swaps are within item and run: stratified approximate
    randomization (Clark et al. 2011), of ten times `resamples` samples.
    """
    runs = max(len(first), len(second)) if 1 in (len(first), len(second)) else min(len(first), len(second))
    first, second = (np.resize(system, (runs, *system.shape[1:])) for system in (first, second))
    rng = np.random.default_rng(seed)
    width = first.shape[2]
    return Figure(
        value=_score_of(second.sum(axis=(0, 1)), score) - _score_of(first.sum(axis=(0, 1)), score),
        p=(
            paired_bootstrap(first.sum(axis=0), second.sum(axis=0), score, resamples, rng),
            approximate_randomization(first.reshape(-1, width), second.reshape(-1, width), score, 10 * resamples, rng),
        ),
    )


def bootstrap_interval(statistics: FloatArray, score: Score, *, resamples: int, seed: int) -> tuple[float, float]:
    """The 95 % percentile interval of the scores of resampled items; items are drawn with all their runs."""
    rng = np.random.default_rng(seed)
    items = statistics.sum(axis=0)
    scores = np.concatenate([score(counts @ items) for counts in _resampled(len(items), resamples, rng)])
    low, high = np.percentile(scores, [2.5, 97.5])
    return float(low), float(high)


def paired_bootstrap(
    first: FloatArray, second: FloatArray, score: Score, resamples: int, rng: np.random.Generator
) -> float:
    """p of the difference of two systems, whose statistics have a row for each item.

    Koehn (2004), with p as Riezler & Maxwell (2005) and sacrebleu: how many of the resampled differences, moved to
    mean 0, are larger than the real one.
    """
    real = abs(_score_of(second.sum(axis=0), score) - _score_of(first.sum(axis=0), score))
    if real == 0:
        return 1.0
    differences = np.concatenate(
        [np.abs(score(counts @ second) - score(counts @ first)) for counts in _resampled(len(first), resamples, rng)]
    )
    return (int(np.sum(differences - differences.mean() > real)) + 1) / (resamples + 1)


def approximate_randomization(
    first: FloatArray, second: FloatArray, score: Score, samples: int, rng: np.random.Generator
) -> float:
    """p of the difference of two systems: how often it is as large after swapping random items (Noreen 1989)."""
    sum_first, sum_second = first.sum(axis=0), second.sum(axis=0)
    real = abs(_score_of(sum_second, score) - _score_of(sum_first, score))
    differing = np.any(first != second, axis=1)  # swapping equal items has no effect
    moved = (second - first)[differing]
    larger = 0
    for begin, end in _chunks(samples, len(moved)):
        width = -(-len(moved) // 8)
        drawn = np.frombuffer(rng.bytes((end - begin) * width), np.uint8).reshape(end - begin, width)
        swaps = np.unpackbits(drawn, axis=1, count=len(moved))  # a bit for each item
        shifts = swaps.astype(np.float64) @ moved
        larger += int(np.sum(np.abs(score(sum_second - shifts) - score(sum_first + shifts)) >= real - 1e-9))
    return (larger + 1) / (samples + 1)


def _resampled(items: int, resamples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Number of times that each item is drawn in each sample, shape (samples, items), in chunks."""
    for begin, end in _chunks(resamples, items):
        drawn = rng.integers(items, size=(end - begin, items)) + items * np.arange(end - begin)[:, None]
        yield np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(np.float64)


def _chunks(samples: int, items: int) -> Iterator[tuple[int, int]]:
    size = max(1, _CHUNK // max(1, items))
    return ((begin, min(begin + size, samples)) for begin in range(0, samples, size))


def _score_of(totals: FloatArray, score: Score) -> float:
    return float(score(totals[None, :])[0])
