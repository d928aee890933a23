"""Tuning the weights of a log-linear model: MERT and its alternatives, on n-best lists or around a decoder."""

from widl._core import Lattice, LatticeSet
from widl.mert.lattice import LatticeDecoder, LatticeSource, optimize_over_lattices
from widl.mert.nbest import Candidate, CandidatePool, NbestLists, read_nbest, write_nbest
from widl.mert.optimization import OptimizationResult, optimize
from widl.mert.problem import ALGORITHMS, LATTICE_ALGORITHM, OptimizerOptions, Problem, TuningSet
from widl.mert.tuning import WEIGHTS, Decoder, TuningOptions, tune, tune_replications
from widl.mert.tuning_results import Iteration, TuningResult

__all__ = [
    "ALGORITHMS",
    "LATTICE_ALGORITHM",
    "WEIGHTS",
    "Candidate",
    "CandidatePool",
    "Decoder",
    "Iteration",
    "Lattice",
    "LatticeDecoder",
    "LatticeSet",
    "LatticeSource",
    "NbestLists",
    "OptimizationResult",
    "OptimizerOptions",
    "Problem",
    "TuningOptions",
    "TuningResult",
    "TuningSet",
    "optimize",
    "optimize_over_lattices",
    "read_nbest",
    "tune",
    "tune_replications",
    "write_nbest",
]
