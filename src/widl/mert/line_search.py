"""Minimum error rate training by Och's exact line search (Och 2003), from given and random weights, in the core."""

import numpy as np

from widl.common.arrays import FloatArray
from widl.mert.problem import REACH, OptimizerOptions, Problem, WeightDomain


def optimize(problem: Problem, domain: WeightDomain, options: OptimizerOptions) -> FloatArray:
    """The best weights."""
    generator = np.random.default_rng(options.seed)
    starts = np.vstack([domain.start[None, :], domain.random_points(options.restarts, generator)])
    directions = directions_from(domain, len(starts), options.random_directions, generator)
    return ascend(problem, domain, starts, directions, options)[0]


def ascend(
    problem: Problem,
    domain: WeightDomain,
    starts: FloatArray,
    directions: FloatArray,
    options: OptimizerOptions,
    *,
    max_rounds: int = 1000,
) -> tuple[FloatArray, float]:
    """The best weights reached from the starts in `max_rounds` steps, and the objective that they reach."""
    ascents = problem.lists.optimize(
        problem.objective.metric,
        np.ascontiguousarray(starts),
        np.ascontiguousarray(directions),
        lower=domain.lower,
        upper=domain.upper,
        min_gain=problem.min_gain,
        min_width=1e-4 * domain.scale,
        outer_step=0.1 * domain.scale,
        reach=REACH * domain.scale,
        max_rounds=max_rounds,
        threads=options.threads,
    )
    best = max(ascents, key=lambda ascent: ascent[2])  # ties go to the first: the given start precedes the random ones
    return np.array(best[0], dtype=np.float64), best[2]


def directions_from(domain: WeightDomain, starts: int, count: int, generator: np.random.Generator) -> FloatArray:
    """For each start the coordinates and `count` directions uniform on the sphere (Macherey et al. 2008).

    Shape (starts, directions, features); weights of fixed features do not change.
    """
    features = len(domain.start)
    coordinates = np.broadcast_to(np.eye(features)[domain.free], (starts, len(domain.free), features))
    vectors = np.zeros((starts, count, features))
    vectors[:, :, domain.free] = generator.normal(size=(starts, count, len(domain.free)))
    lengths = np.linalg.norm(vectors, axis=2, keepdims=True)
    return np.ascontiguousarray(np.concatenate([coordinates, vectors / lengths], axis=1))
