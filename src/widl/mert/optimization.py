"""Weights that are best on given candidates: MERT and batch MIRA, under one interface."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from widl.common.argument_types import checked
from widl.common.arrays import FloatArray
from widl.common.errors import InputError
from widl.common.options import for_model
from widl.mert import line_search, mira
from widl.mert.problem import OptimizerOptions, Problem, TuningSet, WeightDomain

_METHODS: dict[str, Callable[[Problem, WeightDomain, OptimizerOptions], FloatArray]] = {
    "mert": line_search.optimize,
    "mira": mira.optimize,
}


@dataclass(frozen=True)
class OptimizationResult:
    """The best weights, and the scores of these and of the start weights on the candidates."""

    weights: dict[str, float]
    score: float
    """The objective on the candidates that the weights choose, in points."""
    values: dict[str, float]
    """Each metric by itself."""
    start_score: float
    start_values: dict[str, float]

    @property
    def moved(self) -> bool:
        """Whether the weights score better than the start. If not, they equal the start weights except for scale."""
        return self.score > self.start_score


@checked
def optimize(
    data: TuningSet | Problem, start: Mapping[str, float], options: OptimizerOptions | None = None
) -> OptimizationResult:
    """Maximize the objective on the candidates over weights, beginning at `start`.

    The weights found score no worse on the candidates than `start`. Raises InputError for weights, fixed names or
    bounds that do not fit the candidates' features, and for candidates that offer no choice.
    """
    options = options or OptimizerOptions()
    problem = data.freeze() if isinstance(data, TuningSet) else data
    if problem.is_constant:
        raise InputError(
            "all candidates of a sentence score alike, of every sentence: no weights are better than others; "
            "give lists of different candidates, with references"
        )
    domain = WeightDomain.of(problem.names, start, options)
    options = for_model(options, algorithm="mert")
    algorithm = str(options.algorithm)
    if algorithm not in _METHODS:
        raise InputError(f"{algorithm} needs a decoder's lattices; on lists there are {', '.join(_METHODS)}")
    return outcome(problem, domain, _METHODS[algorithm](problem, domain, options), options)


def interpolated(
    problem: Problem,
    start: Mapping[str, float],
    found: OptimizationResult,
    options: OptimizerOptions,
    *,
    share: float,
) -> OptimizationResult:
    """Weights between the start and those found, with their scores: share · found + (1 - share) · start.

    Around a decoder, MIRA's weights swing: those found on the candidates of one decoding are far from those found when
    a few more candidates are known. The start is scaled to the norm of the weights found, so that the share is one of
    directions, unless that changes fixed weights or violates bounds.
    """
    domain = WeightDomain.of(problem.names, start, options)
    weights = np.array([found.weights[name] for name in problem.names])
    length = float(np.abs(weights).sum())
    scaled = domain.divided(domain.start, float(np.abs(domain.start).sum()) / length) if length else domain.start
    # Bounds are convex, but for rounding.
    between = domain.clip(share * weights + (1 - share) * scaled)
    totals = problem.lists.totals(between)
    return replace(
        found,
        weights=dict(zip(problem.names, between.tolist(), strict=True)),
        score=problem.objective.score(totals),
        values=problem.objective.values(totals),
    )


def outcome(
    problem: Problem, domain: WeightDomain, unscaled: FloatArray, options: OptimizerOptions
) -> OptimizationResult:
    """The weights, scaled as the options say, with their scores."""
    start_totals = problem.lists.totals(domain.start)
    start_score = problem.objective.score(start_totals)
    weights = domain.normalized(unscaled, options.normalization)
    # Rounding may break a tie when weights are scaled; the unscaled weights are kept then.
    if problem.score(weights) < problem.score(unscaled):
        weights = unscaled
    totals = problem.lists.totals(weights)
    return OptimizationResult(
        dict(zip(problem.names, weights.tolist(), strict=True)),
        problem.objective.score(totals),
        problem.objective.values(totals),
        start_score,
        problem.objective.values(start_totals),
    )
