"""Batch k-best MIRA (Cherry & Foster 2012, Section 4.1 and Algorithm 1)."""

from collections.abc import Sequence

import numpy as np

from widl.common.arrays import FloatArray
from widl.mert.problem import OptimizerOptions, Problem, WeightDomain

_DECAY = 0.999
_STEP = 0.01  # the largest


def optimize(problem: Problem, domain: WeightDomain, options: OptimizerOptions) -> FloatArray:
    """The best average weights of a pass, by the objective on the candidates; the start weights if no pass is
    better."""
    generator = np.random.default_rng(options.seed)
    learner = Learner(problem, domain.within_reach)
    best, best_score = domain.start, problem.score(domain.start)
    for _ in range(options.passes):
        average = learner.run_pass(generator.permutation(len(problem.begins) - 1).tolist())
        score = problem.score(average)
        if score > best_score:
            best, best_score = average, score
    return best


class Learner:
    """Weights that are updated after each sentence.

    The hope of a sentence, its best candidate by model score plus metric, should outscore its fear, the best by model
    score minus metric, by their difference in the metric. A candidate's metric is computed on a pseudo-document, the
    decayed statistics of earlier hopes with the candidate added (Chiang et al. 2008), as a fraction of the objective's
    scale, so that units do not count, times the document's sentences. Fixed weights do not change; others are clipped
    to their bounds after each step.

    The paper leaves the scales of features to the decoder. Here features are divided by their standard deviations, and
    the start is scaled to norm 1 where the bounds allow it, so that one largest step suits all models.
    """

    def __init__(self, problem: Problem, domain: WeightDomain) -> None:
        self._problem, self._domain = problem, domain
        self._scale = problem.deviations()
        self._features = problem.features / self._scale
        start = domain.divided(domain.start, float(np.linalg.norm(domain.start * self._scale)))
        self._weights = start * self._scale
        self._document = np.zeros(problem.statistics.shape[1])
        self._document_size = 0.0
        self._free = np.zeros(len(start), dtype=bool)
        self._free[domain.free] = True

    def run_pass(self, order: Sequence[int]) -> FloatArray:
        """Visit sentences in order; the average of the weights after each."""
        total = np.zeros_like(self._weights)
        for sentence in order:
            self._update(slice(self._problem.begins[sentence], self._problem.begins[sentence + 1]))
            total += self._weights
        return self._domain.clip(total / len(order) / self._scale)

    def _update(self, rows: slice) -> None:
        features, statistics = self._features[rows], self._problem.statistics[rows]
        scores = features @ self._weights
        points = self._problem.objective.metric.row_scores(statistics, self._document)
        gains = points * ((self._document_size + 1) / self._problem.scale)
        hope, fear = int(np.argmax(scores + gains)), int(np.argmax(scores - gains))
        difference = np.where(self._free, features[hope] - features[fear], 0.0)
        loss = (gains[hope] - gains[fear]) - (scores[hope] - scores[fear])
        size = float(difference @ difference)
        if loss > 0 and size > 0:
            moved = self._weights + min(_STEP, loss / size) * difference
            self._weights = self._domain.clip(moved / self._scale) * self._scale
        self._document = _DECAY * (self._document + statistics[hope])
        self._document_size = _DECAY * (self._document_size + 1)
