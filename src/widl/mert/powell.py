"""Powell's method of scipy on the objective itself: a check on MERT that shares none of its code."""

import numpy as np

from widl.mert.nbest import FloatArray
from widl.mert.problem import OptimizerOptions, Problem, WeightSpace


def optimize(problem: Problem, space: WeightSpace, options: OptimizerOptions) -> tuple[FloatArray, list[float]]:
    """The best weights from the given start and random ones, and the objective reached from each start."""
    from scipy.optimize import minimize

    generator = np.random.default_rng(options.seed)
    starts = np.vstack([space.start[None, :], space.random_points(options.restarts, generator)])
    # scipy's Powell needs finite bounds; beyond ten times the largest weight other candidates are unlikely.
    far = 10 * space.scale
    bounds = [(max(space.lower[i], -far), min(space.upper[i], far)) for i in space.free]
    best, best_score, scores = space.start, problem.score(space.start), []
    for start in starts:

        def loss(free: FloatArray, start: FloatArray = start) -> float:
            return -problem.score(_with_free(start, free, space))

        inside = np.clip(start[space.free], [low for low, _ in bounds], [high for _, high in bounds])
        minimum = minimize(loss, inside, method="Powell", bounds=bounds, options={"xtol": 1e-4, "ftol": 1e-6})
        weights = _with_free(start, np.asarray(minimum.x, dtype=np.float64), space)
        scores.append(problem.score(weights))
        if scores[-1] > best_score:
            best, best_score = weights, scores[-1]
    return best, scores


def _with_free(start: FloatArray, free: FloatArray, space: WeightSpace) -> FloatArray:
    weights = start.copy()
    weights[space.free] = free
    return space.clip(weights)
