"""Tuning the weights of a log-linear model: MERT and its alternatives, on n-best lists or around a decoder."""

from widl.mert.nbest import Candidate, CandidatePool, NbestLists, read_nbest, write_nbest
from widl.mert.objective import METRICS, MetricOptions, Objective, parse_objective
from widl.mert.optimization import Optimized, optimize
from widl.mert.problem import ALGORITHMS, OptimizerOptions, Problem, TuningSet
from widl.mert.tuning import Decoder, Iteration, TuningOptions, TuningResult, tune, tune_replications

__all__ = [
    "ALGORITHMS",
    "METRICS",
    "Candidate",
    "CandidatePool",
    "Decoder",
    "Iteration",
    "MetricOptions",
    "NbestLists",
    "Objective",
    "Optimized",
    "OptimizerOptions",
    "Problem",
    "TuningOptions",
    "TuningResult",
    "TuningSet",
    "optimize",
    "parse_objective",
    "read_nbest",
    "tune",
    "tune_replications",
    "write_nbest",
]
