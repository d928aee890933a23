"""The optimization problem: candidates with statistics, options, and the domain of weights."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, get_args

import numpy as np
from pydantic import BeforeValidator, Field, WithJsonSchema

from widl._core import CandidateLists
from widl.common.argument_types import checked
from widl.common.arrays import FloatArray, IntArray
from widl.common.errors import InputError
from widl.common.option_values import NOT_ON_COMMAND_LINE, Count, Positive, shortened, shown_in_help
from widl.common.options import Modes, option_set
from widl.mert.nbest import CandidatePool, NbestLists
from widl.metrics.objective import Objective

ListAlgorithm = Literal["mert", "mira"]
"""Algorithms that work on lists of candidates."""
ALGORITHMS: tuple[str, ...] = get_args(ListAlgorithm)
LatticeAlgorithm = Literal["lattice-mert"]
(LATTICE_ALGORITHM,) = get_args(LatticeAlgorithm)

_ROUNDING = 1e-12  # relative, of features
MIN_GAIN = 0.001
"""Points of a metric: a smaller gain ends an ascent of MERT."""
REACH = 1e4
"""No step changes a weight by more than this times the largest start weight. Nearly equal candidates would otherwise
allow arbitrarily large steps.
"""
# Includes Moses' names; a feature's second value counts unknown words.
_LANGUAGE_MODEL = re.compile(r"(?:ken|sri|irst)?lm_?[0-9]*(?:_1)?", re.IGNORECASE)


def read_bounds(value: Any) -> Any:
    """Bounds of weights in text form, ``NAME=LOW:HIGH`` each; either end may be missing.

    >>> read_bounds(["lm0=0:1", "word_count=:2"])
    {'lm0': (0.0, 1.0), 'word_count': (-inf, 2.0)}
    """
    if not isinstance(value, list | tuple):
        return value
    return dict(map(_read_bound, value))


def _read_bound(text: object) -> tuple[str, tuple[float, float]]:
    text = str(text)
    name, equals, ends = text.rpartition("=")
    low, colon, high = ends.partition(":")
    try:
        if not (equals and colon):
            raise ValueError
        result = (float(low or "-inf"), float(high or "inf"))
    except ValueError:
        found = shortened(text)
        raise InputError(f"{found!r}: expected a name and two ends, such as lm0=0:1 or word_count=:2") from None
    if any(map(math.isnan, result)):
        raise InputError(f"{shortened(text)!r}: an end is not a number")
    return name, result


_LINE_SEARCH = ("restarts", "random_directions")
ALGORITHM_MODES = Modes("algorithm", reads={"mert": _LINE_SEARCH, "mira": ("passes",), LATTICE_ALGORITHM: _LINE_SEARCH})


@option_set
class OptimizerOptions:
    """Options of the optimization of weights.

    Weights of language models are at least 0, as the search needs, unless `bounds` says otherwise. `normalization`
    scales the result if the bounds allow it and no weight is fixed to a nonzero number: scaling all weights changes no
    choice. Results depend on `seed`, not on `threads`.
    """

    MODES: ClassVar[tuple[Modes, ...]] = (ALGORITHM_MODES,)

    algorithm: Annotated[ListAlgorithm | LatticeAlgorithm | None, shown_in_help(metavar="NAME")] = None
    "mert, mira, or lattice-mert (models only). Default: mert; mira for more than ten weights of a translation model."
    restarts: Annotated[Count, NOT_ON_COMMAND_LINE] = 20
    "mert: number of random restarts."
    random_directions: Annotated[Count, NOT_ON_COMMAND_LINE] = 16
    "mert: random directions of an ascent, besides the coordinates."
    passes: Annotated[Positive, NOT_ON_COMMAND_LINE] = 60
    "mira: number of passes over the sentences."
    fixed: Annotated[frozenset[str], shown_in_help(metavar="NAME")] = frozenset()
    "Weights to keep fixed."
    bounds: Annotated[
        Mapping[str, tuple[float, float]],
        BeforeValidator(read_bounds),
        WithJsonSchema({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "object"}]}),
        NOT_ON_COMMAND_LINE,
    ] = field(default_factory=dict)
    "Limits of weights; either end may be missing."
    normalization: Annotated[Literal["l1", "l2", "none"], NOT_ON_COMMAND_LINE] = "l1"
    "Scale the weights to norm 1: l1 or l2; or none."
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 1
    "Random seed."
    threads: Annotated[Positive, NOT_ON_COMMAND_LINE] = 1
    "Number of threads."

    def __post_init__(self) -> None:
        for name, (low, high) in self.bounds.items():
            if not low < high:
                raise InputError(f"bounds of {name}: {low} is not below {high}; to keep a weight, fix it")


@checked
class TuningSet:
    """Candidates of sentences with their statistics; candidates can be added."""

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self.sentences = objective.sentences
        self._pool = CandidatePool()
        self._statistics: list[FloatArray] = []
        self.names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self._pool)

    def add(self, lists: NbestLists) -> int:
        """Add the new candidates, and count their statistics; returns the number added."""
        if lists.sentences.size and lists.sentences[-1] >= self.sentences:
            raise InputError(f"candidates of sentence {lists.sentences[-1]}, but only {self.sentences} references")
        new = self._pool.add(lists)
        self.names = lists.feature_names
        if new:
            added = self._pool.rows(new)
            self._statistics.append(self.objective.statistics(added.sentences, added.texts))
        return len(new)

    def freeze(self) -> "Problem":
        """The optimization problem of all candidates collected."""
        if not len(self):
            raise InputError("no candidates to tune on")
        order = self._pool.order()
        lists = self._pool.rows(order.tolist())
        statistics = np.ascontiguousarray(np.concatenate(self._statistics)[order])
        return Problem(self.objective, self.names, lists.features, statistics, lists.begins(self.sentences))


class Problem:
    """Features and statistics of candidates. Weights choose the candidate of each sentence that scores best."""

    def __init__(
        self,
        objective: Objective,
        names: tuple[str, ...],
        features: FloatArray,
        statistics: FloatArray,
        begins: IntArray,
    ) -> None:
        self.objective, self.names = objective, names
        self.statistics, self.begins = statistics, begins
        self.lists = CandidateLists(features, statistics, begins)
        self.scale = objective.scale(statistics, begins)
        """The share of the objective that 100 points of a metric have."""
        self.min_gain = MIN_GAIN * self.scale / 100
        self.features = self.lists.features

    @property
    def is_constant(self) -> bool:
        """Whether the candidates of each sentence have the same statistics, so that the objective is constant."""
        first = np.repeat(self.statistics[self.begins[:-1]], np.diff(self.begins), axis=0)
        return np.array_equal(self.statistics, first)

    def deviations(self) -> FloatArray:
        """Standard deviation of each feature among the candidates of a sentence; 1 for constant features."""
        sizes = np.diff(self.begins)
        means = np.add.reduceat(self.features, self.begins[:-1]) / sizes[:, None]
        deviation = (self.features - np.repeat(means, sizes, axis=0)).std(axis=0)
        rounding = _ROUNDING * np.abs(self.features).max(axis=0)  # deviation of a constant feature
        return np.where(deviation > rounding, deviation, 1.0)

    def score(self, weights: FloatArray) -> float:
        """The objective on the candidates that the weights choose."""
        return self.objective.score(self.lists.totals(weights))


@dataclass(frozen=True)
class WeightDomain:
    """The domain of weights: arrays in the order of the features."""

    start: FloatArray
    lower: FloatArray
    upper: FloatArray
    free: IntArray
    """Features whose weights are not fixed."""

    @classmethod
    def of(cls, names: tuple[str, ...], start: Mapping[str, float], options: OptimizerOptions) -> "WeightDomain":
        """The domain of named weights; InputError for a name that is missing or unknown, or a start out of bounds."""
        if unknown := [name for name in [*start, *options.fixed, *options.bounds] if name not in names]:
            raise InputError(f"no feature {unknown[0]!r}; the candidates have {', '.join(names)}")
        if missing := [name for name in names if name not in start]:
            raise InputError(f"no weight of {', '.join(missing)} to start from")
        for name in names:
            low, high = bounds_of(name, options)
            if not low <= start[name] <= high and name not in options.fixed:
                raise InputError(f"the weight of {name} is {start[name]}, but must be from {low} to {high}")
        free = [i for i, name in enumerate(names) if name not in options.fixed]
        if not free:
            raise InputError("all weights are fixed; there is nothing to tune")
        bounds = np.array([bounds_of(name, options) for name in names], dtype=np.float64)
        for i in set(range(len(names))) - set(free):
            bounds[i] = start[names[i]]
        values = np.array([start[name] for name in names], dtype=np.float64)
        if not np.isfinite(values).all():
            raise InputError("weights to start from must be finite numbers")
        return cls(values, bounds[:, 0].copy(), bounds[:, 1].copy(), np.array(free, dtype=np.int64))

    @property
    def scale(self) -> float:
        """The largest free start weight, or 1 if all are 0."""
        return float(np.abs(self.start[self.free]).max()) or 1.0

    @property
    def within_reach(self) -> "WeightDomain":
        """The domain restricted to weights within `REACH` times the scale from the start."""
        most = REACH * self.scale
        lower, upper = np.maximum(self.lower, self.start - most), np.minimum(self.upper, self.start + most)
        return WeightDomain(self.start, lower, upper, self.free)

    def clip(self, weights: FloatArray) -> FloatArray:
        """The nearest weights within the bounds."""
        return np.clip(weights, self.lower, self.upper)

    def random_points(self, count: int, generator: np.random.Generator) -> FloatArray:
        """Points of shape (count, features), uniform within the bounds and the largest start weight.

        Nonzero start weights keep their signs. Weights with other signs may score as well on the
        candidates, but lists decoded with them are rarely useful.
        """
        low = np.where(self.start > 0, 0.0, -self.scale)
        high = np.where(self.start < 0, 0.0, self.scale)
        return generator.uniform(self.clip(low), self.clip(high), size=(count, len(self.start)))

    def normalized(self, weights: FloatArray, kind: str) -> FloatArray:
        """The weights scaled to norm 1, unless that changes fixed weights or violates bounds."""
        norm = 0.0 if kind == "none" else float(np.linalg.norm(weights, 1 if kind == "l1" else 2))
        return self.divided(weights, norm)

    def divided(self, weights: FloatArray, norm: float) -> FloatArray:
        """The weights divided by `norm`; unchanged if it is 0 or the result violates the bounds."""
        scaled = weights / norm if norm > 0 else weights
        return scaled if np.array_equal(self.clip(scaled), scaled) else weights


def bounds_of(name: str, options: OptimizerOptions) -> tuple[float, float]:
    """The bounds of a weight."""
    if name in options.bounds:
        return options.bounds[name]
    return (0.0 if _LANGUAGE_MODEL.fullmatch(name) else -math.inf, math.inf)
