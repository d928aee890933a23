"""Batch k-best MIRA (Cherry & Foster 2012, Section 4.1 and Algorithm 1)."""

import numpy as np

from widl.mert.nbest import FloatArray
from widl.mert.problem import OptimizerOptions, Problem, WeightSpace

_DECAY = 0.999
_C = 0.01


def optimize(problem: Problem, space: WeightSpace, options: OptimizerOptions) -> tuple[FloatArray, list[float]]:
    """The average weights of the pass that score best on the candidates.

    In each pass, every sentence in random order moves the weights so that its hope (good by model score and metric)
    beats its fear (good by model score, bad by metric) by their difference in the metric. A candidate's metric is that
    of a pseudo-document, the decayed statistics of the hopes so far with the candidate added (Chiang et al. 2008), as a
    fraction times the document's sentences. Fixed weights stay; others are clipped to their bounds after each step.
    Features are divided by their standard deviations first, which the paper leaves to the decoder.
    """
    generator = np.random.default_rng(options.seed)
    features, scale = _scaled(problem.features)
    weights, step = space.start * scale, options.c or _C
    background = np.zeros(problem.statistics.shape[1])
    background_size = 0.0
    count = len(problem.begins) - 1
    free = np.zeros(len(weights), dtype=bool)
    free[space.free] = True
    best, best_score = space.start, problem.score(space.start)
    for _ in range(options.passes):
        total = np.zeros_like(weights)
        for sentence in generator.permutation(count):
            rows = slice(problem.begins[sentence], problem.begins[sentence + 1])
            scores = features[rows] @ weights
            own = problem.statistics[rows]
            gains = problem.objective.metric.row_scores(own, background) * ((background_size + 1) / 100)
            hope, fear = int(np.argmax(scores + gains)), int(np.argmax(scores - gains))
            difference = np.where(free, features[rows][hope] - features[rows][fear], 0.0)
            loss = (gains[hope] - gains[fear]) - (scores[hope] - scores[fear])
            if loss > 0 and (size := float(difference @ difference)) > 0:
                moved = weights + min(step, loss / size) * difference
                weights = space.clip(moved / scale) * scale
            background = _DECAY * (background + own[hope])
            background_size = _DECAY * (background_size + 1)
            total += weights
        average = space.clip(total / count / scale)
        score = problem.score(average)
        if score > best_score:
            best, best_score = average, score
    return best, []


def _scaled(features: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Features divided by their standard deviations, so that none drowns the others, and these."""
    deviation = features.std(axis=0)
    scale = np.where(deviation > 0, deviation, 1.0)
    return features / scale, scale
