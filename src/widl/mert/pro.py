"""Pairwise ranking (PRO): tuning as classification of pairs of candidates (Hopkins & May 2011)."""

import numpy as np

from widl._core import Metric
from widl.mert.nbest import FloatArray, IntArray
from widl.mert.objective import Objective
from widl.mert.problem import OptimizerOptions, Problem, WeightSpace

_SAMPLES = 5000  # Γ, pairs sampled per sentence
_KEPT = 50  # Ξ, pairs of these that are used
_MIN_DIFFERENCE = 5.0  # their α of 0.05, in points
_C = 1.0


def optimize(problem: Problem, space: WeightSpace, options: OptimizerOptions) -> tuple[FloatArray, list[float]]:
    """Weights of a regularised logistic regression on pairs that differ clearly in the metric of single sentences.

    BLEU of a sentence is BLEU+1 (Lin & Och 2004). The pairs are those of the paper's Figure 4 (Γ = 5,000, Ξ = 50); the
    learner is L2-regularised logistic regression by L-BFGS, where the paper used MegaM. Fixed weights take part with
    their values, and bounds are the optimiser's.
    """
    generator = np.random.default_rng(options.seed)
    gains = sentence_metric(problem.objective).row_scores(problem.statistics, np.zeros(problem.statistics.shape[1]))
    pairs = [
        _sample(gains, int(begin), int(end), generator)
        for begin, end in zip(problem.begins[:-1], problem.begins[1:], strict=True)
    ]
    chosen = np.concatenate(pairs)
    if not len(chosen):  # no two candidates of a sentence differ enough in the metric
        return space.start, []
    scale = problem.deviations()
    differences = (problem.features[chosen[:, 0]] - problem.features[chosen[:, 1]]) / scale
    weights = _regression(differences, space, scale, options.c or _C)
    return space.clip(weights / scale), []


def sentence_metric(objective: Objective) -> Metric:
    """The objective for single sentences: BLEU counts one more match of every order above one."""
    metric = Metric()
    objective.add_to(metric, smooth_sentences=True)
    return metric


def _sample(gains: FloatArray, begin: int, end: int, generator: np.random.Generator) -> IntArray:
    """Row numbers of up to Ξ pairs, the better candidate first: shape (pairs, 2)."""
    drawn = generator.integers(begin, end, size=(_SAMPLES, 2))
    difference = gains[drawn[:, 0]] - gains[drawn[:, 1]]
    accepted = np.flatnonzero(np.abs(difference) > _MIN_DIFFERENCE)
    largest = accepted[np.argsort(-np.abs(difference[accepted]), kind="stable")[:_KEPT]]
    pairs: IntArray = drawn[largest].astype(np.int64)
    backwards = difference[largest] < 0
    pairs[backwards] = pairs[backwards][:, ::-1]
    return pairs


def _regression(differences: FloatArray, space: WeightSpace, scale: FloatArray, c: float) -> FloatArray:
    """The weights w of least |w|²/2 + c · (sum of log losses), in scaled units, from the weights at the start."""
    from widl.logistic import LogisticLoss

    free = space.free
    offset = np.delete(differences, free, axis=1) @ np.delete(space.start * scale, free)
    bounds = list(zip(space.lower[free] * scale[free], space.upper[free] * scale[free], strict=True))
    weights = space.start * scale
    weights[free] = LogisticLoss(differences[:, free], cost=c, offset=offset).minimum(weights[free], bounds=bounds)
    return np.asarray(weights, dtype=np.float64)
