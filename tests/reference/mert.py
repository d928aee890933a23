"""A simple, slow MERT: exact fractions, every crossing of two lines, and a search for the best choice at every point.

From Och (2003), Sec. 5, and the stated rules (first of equals, middle of the leftmost best interval). Independent of
the core except for the metric, which tests/mert/test_objective.py compares with sacrebleu.
"""

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction

Vector = Sequence[Fraction]
Score = Callable[[tuple[int, ...]], float]
"""The metric of a choice of one row per sentence."""


def dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def best_row(rows: Sequence[Vector], weights: Vector) -> int:
    scores = [dot(row, weights) for row in rows]
    return scores.index(max(scores))


def choice(sentences: Sequence[Sequence[Vector]], weights: Vector) -> tuple[int, ...]:
    return tuple(best_row(rows, weights) for rows in sentences)


def stepped(weights: Vector, direction: Vector, step: Fraction) -> list[Fraction]:
    return [w + step * d for w, d in zip(weights, direction, strict=True)]


def crossings(sentences: Sequence[Sequence[Vector]], weights: Vector, direction: Vector) -> list[Fraction]:
    """Every γ at which two candidates of a sentence have equal scores on the line."""
    result = set()
    for rows in sentences:
        lines = [(dot(row, direction), dot(row, weights)) for row in rows]
        for i, (slope, intercept) in enumerate(lines):
            for other_slope, other_intercept in lines[:i]:
                if slope != other_slope:
                    result.add((other_intercept - intercept) / (slope - other_slope))
    return sorted(result)


def intervals(
    sentences: Sequence[Sequence[Vector]],
    weights: Vector,
    direction: Vector,
    lowest: Fraction,
    highest: Fraction,
) -> list[tuple[Fraction, Fraction, tuple[int, ...]]]:
    """Intervals with a constant choice: left end, right end, choice."""
    ends = [lowest, *(at for at in crossings(sentences, weights, direction) if lowest < at < highest), highest]
    result: list[tuple[Fraction, Fraction, tuple[int, ...]]] = []
    for left, right in itertools.pairwise(ends):
        here = choice(sentences, stepped(weights, direction, (left + right) / 2))
        if result and result[-1][2] == here:
            left = result.pop()[0]
        result.append((left, right, here))
    return result


def line_search(
    sentences: Sequence[Sequence[Vector]],
    weights: Vector,
    direction: Vector,
    score: Score,
    lowest: Fraction,
    highest: Fraction,
    min_width: Fraction,
) -> tuple[Fraction, float] | None:
    """Middle of the best interval that is wide enough, and its score; the leftmost of equally good intervals."""
    best = None
    for left, right, here in intervals(sentences, weights, direction, lowest, highest):
        if right - left >= min_width and (best is None or score(here) > best[1]):
            best = (left + right) / 2, score(here)
    return best


def ascend(
    sentences: Sequence[Sequence[Vector]],
    start: Vector,
    directions: Sequence[Vector],
    score: Score,
    bounds: Sequence[tuple[Fraction, Fraction]],
    min_gain: float,
    min_width: Fraction,
) -> float:
    """Steepest ascent until no direction gains more than `min_gain`; returns the score there."""
    weights = list(start)
    reached = score(choice(sentences, weights))
    while True:
        result = []
        for direction in directions:
            ends = [
                sorted(((low - w) / d, (high - w) / d))
                for w, d, (low, high) in zip(weights, direction, bounds, strict=True)
                if d
            ]
            lowest, highest = max(end[0] for end in ends), min(end[1] for end in ends)
            if lowest < highest and (
                best := line_search(sentences, weights, direction, score, lowest, highest, min_width)
            ):
                result.append((best[1], direction, best[0]))
        gain, direction, step = max(result, key=lambda item: item[0])
        if gain <= reached + min_gain:
            return reached
        weights, reached = stepped(weights, direction, step), gain


def mira_pass(
    sentences: Sequence[Sequence[Sequence[float]]],
    statistics: Sequence[Sequence[Sequence[float]]],
    order: Sequence[int],
    weights: Sequence[float],
    metric: Callable[[Sequence[float]], float],
    c: float,
    decay: float,
) -> list[float]:
    """The average of the weights after each sentence of one pass of batch MIRA (Cherry & Foster 2012, Alg. 1)."""
    weights = list(weights)
    document = [0.0] * len(statistics[0][0])
    size = 0.0
    total = [0.0] * len(weights)
    for sentence in order:
        rows = sentences[sentence]
        model = [sum(w * h for w, h in zip(weights, row, strict=True)) for row in rows]
        gain = [
            (size + 1) / 100 * metric([d + s for d, s in zip(document, own, strict=True)])
            for own in statistics[sentence]
        ]
        hope = max(range(len(rows)), key=lambda i: model[i] + gain[i])
        fear = max(range(len(rows)), key=lambda i: model[i] - gain[i])
        difference = [h - f for h, f in zip(rows[hope], rows[fear], strict=True)]
        loss = gain[hope] - gain[fear] - (model[hope] - model[fear])
        square = sum(x * x for x in difference)
        if loss > 0 and square > 0:
            weights = [w + min(c, loss / square) * x for w, x in zip(weights, difference, strict=True)]
        document = [decay * (d + s) for d, s in zip(document, statistics[sentence][hope], strict=True)]
        size = decay * (size + 1)
        total = [t + w for t, w in zip(total, weights, strict=True)]
    return [t / len(order) for t in total]
