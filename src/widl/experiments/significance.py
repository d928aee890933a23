"""Confidence intervals, paired bootstrap and approximate randomization for metrics of summed statistics.

The definitions of p are sacrebleu's. A system has statistics of shape (runs, items, statistics): runs are replications
of its tuning. The test compares the mean scores of runs. Each sample of items is scored from its sums, thousands
at a time, in the core.

Items are the only units that are drawn or swapped, each with all its runs (Riezler & Maxwell 2005). MultEval, the
program of Clark et al. (2011), swaps each item of each run by itself: outputs of several runs then count as new
evidence even if they are the same, and p becomes smaller with each run. Here equal runs have the p of one.

These p hold the weights fixed. So the standard deviation over replications of tuning stands beside them, as in MultEval
(Clark et al. 2011), and a mark where another seed of tuning could make the difference.
"""

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

import numpy as np

from widl.common.arrays import FloatArray
from widl.common.workers import Progress, no_progress
from widl.experiments.results import Score, TestSet
from widl.pages.tables import Figure, Row, Table

REPLICATIONS = 3
"""The fewest replications of tuning from which a difference of tuned systems counts (Clark et al. 2011, Section 6)."""
DOUBT = "†: not shown to survive another seed of tuning: "
FEW = f"fewer than {REPLICATIONS} replications"
SAME_WEIGHTS = "weights no further apart than those of two replications of one system"
KEPT = f"fewer than {REPLICATIONS} replications in which tuning changed the weights"
WITHIN = "a difference within its ±"
_CHUNK = 4_000_000  # entries of a matrix of samples held at once


def interval_table(test: TestSet, *, resamples: int, seed: int) -> Table:
    """Each system's score by each metric, with its interval."""
    rows = []
    for system in test.systems:
        cells = {}
        for metric in test.metrics:
            if not test.has(system, metric.name):
                continue
            statistics = test.statistics(system, metric.name)
            ends = (
                bootstrap_interval(statistics, metric.scorer(), resamples=resamples, seed=seed)
                if metric.tested or metric.kind == "mean"
                else (None, None)
            )
            cells[metric.name] = test.figure_of(system, test.scores(system, metric.name), *ends)
        rows.append(Row(label=system, cells={**cells}))
    runs = max(map(len, test.systems.values()))
    notes = ["In brackets: 95 % of the scores of resampled items."]
    notes += [f"Mean of {runs} runs ± standard deviation over them."] if runs > 1 else []
    notes += [
        f"{metric.name} is a function of the whole corpus, no sum over items: no interval and no test."
        for metric in test.metrics
        if not metric.tested and metric.kind != "mean"
    ]
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
            kept = [sum(not run.moved for run in test.systems[system]) for system in (first, second)]
            figure = with_tuning(comparison, weights, scores, kept)
            cells[metric.name] = figure.model_copy(update={"value": sign * comparison.value})
        label = f"{second} - {first}" if sign > 0 else f"{first} - {second}"
        rows.append(Row(label=label, cells={**cells}))
        progress(f"testing pairs, {test.name}", number, len(pairs))
    ahead = len(test.systems) - 1
    notes = ["p is not corrected for the number of pairs. ▲, ▼: better and worse, where both are below 0.05."]
    figures = [cell for row in rows for cell in row.cells.values() if isinstance(cell, Figure)]
    if any(figure.deviation is not None for figure in figures):
        notes.append("±: standard deviation of the difference over replications of tuning, which p does not include.")
    doubts = [doubt for doubt in (FEW, KEPT, SAME_WEIGHTS, WITHIN) if any(figure.doubt == doubt for figure in figures)]
    notes += [f"{DOUBT}{', or '.join(doubts)}."] if doubts else []
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
    difference: Figure,
    weights: Sequence[Sequence[Mapping[str, float]]],
    scores: Sequence[Sequence[float]],
    kept: Sequence[int] = (0, 0),
) -> Figure:
    """A difference of two systems with its standard deviation over replications of their tuning, and the mark.

    `weights` has the tuned weights of both systems, none of a system that is not tuned, and `scores` those of all runs.
    Replications of systems with the same tuned weights are compared pair by pair. Other replications are independent,
    so that variances add up. `kept` counts the replications of each in which tuning kept the start weights: these
    measure no tuning, and where there are no others, there is no deviation.
    """
    if not any(weights):
        return difference
    fewest = min(map(len, filter(None, weights)))
    are_same = weights[0] == weights[1]
    moved = [len(own) - still for own, still in zip(weights, kept, strict=True) if own]
    deviation = None
    if not any(moved):
        pass
    elif fewest > 1 and are_same:
        deviation = statistics.stdev([b - a for a, b in zip(*scores, strict=True)])
    elif fewest > 1:
        deviation = math.sqrt(sum(statistics.variance(values) for values in scores if len(values) > 1))
    doubt = ""
    if fewest < REPLICATIONS:
        doubt = FEW
    elif min(moved) < REPLICATIONS:
        doubt = KEPT
    elif not are_same and all(weights) and weights_are_within_tuning(*weights):
        doubt = SAME_WEIGHTS
    elif deviation is not None and abs(difference.value) <= deviation:
        doubt = WITHIN
    return difference.model_copy(update={"deviation": deviation, "doubt": doubt})


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
    """The difference of the systems' mean scores, second minus first, and its p-values.

    Runs are paired by number; a system with fewer of them begins again with its first, as often as leaves its mean
    unchanged. Bootstrap draws `resamples` samples, randomization ten times as many.
    """
    runs = math.lcm(len(first), len(second))
    first, second = (np.resize(system, (runs, *system.shape[1:])) for system in (first, second))
    rng = np.random.default_rng(seed)
    return Figure(
        value=_difference(first, second, score),
        p=(
            paired_bootstrap(first, second, score, resamples, rng),
            approximate_randomization(first, second, score, 10 * resamples, rng),
        ),
    )


def bootstrap_interval(statistics: FloatArray, score: Score, *, resamples: int, seed: int) -> tuple[float, float]:
    """The 95 % percentile interval of the runs' mean score on resampled items; items are drawn with all their runs."""
    rng = np.random.default_rng(seed)
    samples = _resampled(statistics.shape[1], resamples, rng)
    scores = np.concatenate([_mean_score((counts @ run for run in statistics), score) for counts in samples])
    low, high = np.percentile(scores, [2.5, 97.5])
    return float(low), float(high)


def paired_bootstrap(
    first: FloatArray, second: FloatArray, score: Score, resamples: int, rng: np.random.Generator
) -> float:
    """p of the difference of two systems with equally many runs.

    Koehn (2004), with p as Riezler & Maxwell (2005) and sacrebleu: how many of the resampled differences, moved to
    mean 0, are larger than the real one. A large difference in one direction alone counts, so that this p is about
    half of that of randomization.
    """
    real = abs(_difference(first, second, score))
    if real == 0:
        return 1.0

    def differences(counts: FloatArray) -> FloatArray:
        ours, theirs = (_mean_score((counts @ run for run in system), score) for system in (first, second))
        return np.abs(theirs - ours)

    sampled = np.concatenate([differences(counts) for counts in _resampled(first.shape[1], resamples, rng)])
    return (int(np.sum(sampled - sampled.mean() > real)) + 1) / (resamples + 1)


def approximate_randomization(
    first: FloatArray, second: FloatArray, score: Score, samples: int, rng: np.random.Generator
) -> float:
    """p of the difference of two systems with equally many runs: how often it is as large after swapping random items.

    Noreen (1989). An item is swapped in all runs at once.
    """
    sums_first, sums_second = first.sum(axis=1), second.sum(axis=1)
    real = abs(_difference(first, second, score))
    differing = np.any(first != second, axis=(0, 2))  # swapping equal items has no effect
    moved = (second - first)[:, differing]
    items = moved.shape[1]
    larger = 0
    for begin, end in _chunks(samples, items):
        width = -(-items // 8)
        drawn = np.frombuffer(rng.bytes((end - begin) * width), np.uint8).reshape(end - begin, width)
        swaps = np.unpackbits(drawn, axis=1, count=items).astype(np.float64)  # a bit for each item
        shifts = [swaps @ run for run in moved]
        ours = _mean_score((sums + shift for sums, shift in zip(sums_first, shifts, strict=True)), score)
        theirs = _mean_score((sums - shift for sums, shift in zip(sums_second, shifts, strict=True)), score)
        larger += int(np.sum(np.abs(theirs - ours) >= real - 1e-9))
    return (larger + 1) / (samples + 1)


def _mean_score(runs: Iterable[FloatArray], score: Score) -> FloatArray:
    """The mean over runs of the scores of their sums, each of shape (samples, statistics)."""
    scores = [score(sums) for sums in runs]
    mean: FloatArray = np.mean(scores, axis=0)
    return mean


def _difference(first: FloatArray, second: FloatArray, score: Score) -> float:
    """The difference of the systems' mean scores, second minus first."""
    return float((score(second.sum(axis=1)) - score(first.sum(axis=1))).mean())


def _resampled(items: int, resamples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Number of times that each item is drawn in each sample, shape (samples, items), in chunks."""
    for begin, end in _chunks(resamples, items):
        drawn = rng.integers(items, size=(end - begin, items)) + items * np.arange(end - begin)[:, None]
        yield np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(np.float64)


def _chunks(samples: int, items: int) -> Iterator[tuple[int, int]]:
    size = max(1, _CHUNK // max(1, items))
    return ((begin, min(begin + size, samples)) for begin in range(0, samples, size))
