"""MERT over all paths of lattices (Macherey et al. 2008): the candidates are the paths on their upper envelopes.

Along a line, the paths on the envelopes can replace all paths of the lattices. If the pool has them, line search on the
pool is exact for the lattices.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from widl._core import Lattice, LatticeSet
from widl.common.argument_types import checked
from widl.common.arrays import FloatArray
from widl.common.errors import InputError
from widl.common.workers import chunked
from widl.mert.line_search import ascend, directions_from
from widl.mert.nbest import Candidate, NbestLists, written_text
from widl.mert.optimization import OptimizationResult, outcome
from widl.mert.problem import REACH, OptimizerOptions, Problem, TuningSet, WeightDomain

_SENTENCES_AT_ONCE = 50
_MAX_ROUNDS = 20  # runs of MERT on the pool per iteration


@dataclass(frozen=True)
class LatticeDecoder:
    """A decoder that returns lattices: `decode` maps weights to a lattice for each sentence.

    Features are in the order of the weights. `text` detokenizes the words along a path.
    """

    decode: Callable[[dict[str, float]], Iterable[Lattice]]
    text: Callable[[Sequence[str]], str] = " ".join


@dataclass
class LatticeSource:
    """The lattices of an iteration, and the paths that became candidates."""

    lattices: list[LatticeSet]
    """Lattices in groups of sentences, so that only some of the paths are in memory."""
    text: Callable[[Sequence[str]], str]
    names: tuple[str, ...]
    threads: int = 1
    _taken: list[NbestLists] = field(default_factory=list)
    _texts: dict[str, str] = field(default_factory=dict)

    @classmethod
    def decoded(
        cls, decoder: LatticeDecoder, weights: Mapping[str, float], sentences: int, threads: int
    ) -> "LatticeSource":
        """The decoder's lattices; InputError if there are not `sentences` of them, or features do not match weights."""
        lattices = list(decoder.decode(dict(weights)))
        if len(lattices) != sentences:
            raise InputError(f"lattices of {len(lattices)} sentences, but {sentences} references")
        if (width := lattices[0].features.shape[1]) != len(weights):
            raise InputError(f"lattices with {width} features, but {len(weights)} weights")
        sets = [LatticeSet(part) for part in chunked(lattices, _SENTENCES_AT_ONCE)]
        return cls(sets, decoder.text, tuple(weights), threads)

    def best(self, weights: FloatArray) -> NbestLists:
        """The best path of each sentence, the first among equals."""
        best_paths = (lattices.best(weights, threads=self.threads) for lattices in self.lattices)
        return self._lists([path] for path in chain.from_iterable(best_paths))

    def envelopes(self, weights: FloatArray, directions: FloatArray, domain: WeightDomain) -> NbestLists:
        """The paths on the envelope of some direction that are new."""
        return self._lists(
            paths
            for lattices in self.lattices
            for paths in lattices.take(
                weights,
                directions,
                lower=domain.lower,
                upper=domain.upper,
                reach=REACH * domain.scale,
                threads=self.threads,
            )
        )

    def by_sentence(self) -> Iterator[list[Candidate]]:
        """For each sentence, the paths taken so far, in order."""
        count = sum(map(len, self.lattices))
        begins = [lists.begins(count) for lists in self._taken]
        for sentence in range(count):
            yield [
                Candidate(lists.texts[row], lists.features[row].tolist())
                for lists, begin in zip(self._taken, begins, strict=True)
                for row in range(begin[sentence], begin[sentence + 1])
            ]

    def _lists(self, paths_by_sentence: Iterable[Sequence[tuple[list[str], list[float]]]]) -> NbestLists:
        sizes: list[int] = []
        texts: list[str] = []
        features: list[FloatArray] = []
        for paths in paths_by_sentence:
            sizes.append(len(paths))
            texts += [self._text(" ".join(words)) for words, _ in paths]
            values = np.array([values for _, values in paths], dtype=np.float64)
            features.append(values.reshape(len(paths), len(self.names)))
        sentences = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
        lists = NbestLists(self.names, sentences, texts, np.concatenate(features))
        self._taken.append(lists)
        return lists

    def _text(self, words: str) -> str:
        """The text as it will be read back; cached, because many paths have equal words and detokenizers are slow."""
        if words not in self._texts:
            self._texts[words] = written_text(self.text(words.split(" ") if words else []))
        return self._texts[words]


@checked
def optimize_over_lattices(
    data: TuningSet, source: LatticeSource, start: Mapping[str, float], options: OptimizerOptions
) -> OptimizationResult:
    """Optimizes weights on the paths of all lattices and on the candidates in `data`; paths are added to `data`.

    MERT runs on the pool of candidates, from the best known point and from random points. The envelopes at its result
    then show whether the lattices confirm the score. At the end, no coordinate or random direction of the last round
    gains `Problem.min_gain` on any path of the lattices.
    """
    domain = WeightDomain.of(tuple(start), start, options)
    weights = _LatticeSearch(data, source, domain, options).run()
    return outcome(data.freeze(), domain, weights, options)


class _LatticeSearch:
    def __init__(self, data: TuningSet, source: LatticeSource, domain: WeightDomain, options: OptimizerOptions) -> None:
        self.data, self.source, self.domain, self.options = data, source, domain, options
        generator = np.random.default_rng(options.seed)
        others = domain.random_points(options.restarts, generator)
        self.others, self.starts = others, len(others) + 1
        self.directions = directions_from(domain, self.starts, options.random_directions, generator)
        self.point, self.score = domain.start, -np.inf
        self.problem: Problem | None = None

    def run(self) -> FloatArray:
        """The best weights."""
        self._add_envelopes(self.point)
        self.score = self._problem().score(self.point)
        for _ in range(_MAX_ROUNDS):
            weights, reached = self._ascend(self.starts, max_rounds=1000)
            if reached <= self.score + self._problem().min_gain:
                break
            if not self._move_to(weights):
                # The lattices do not confirm the score on the pool, but they do confirm the best single step from here.
                self._move_to(self._ascend(1, max_rounds=1)[0])
        return self.point

    def _add_envelopes(self, point: FloatArray) -> None:
        """Add the paths on the envelopes of the lines through a point to the pool."""
        if self.data.add(self.source.envelopes(point, self.directions[0], self.domain)):
            self.problem = None

    def _problem(self) -> Problem:
        if self.problem is None:
            self.problem = self.data.freeze()
        return self.problem

    def _move_to(self, weights: FloatArray) -> bool:
        """Replace the best point if the new point scores better; return whether it does."""
        self._add_envelopes(weights)
        problem = self._problem()
        score = problem.score(weights)  # exact now: the pool has the lattices' best paths at this point
        if not score > self.score + problem.min_gain:
            return False
        self.point, self.score = weights, score
        return True

    def _ascend(self, starts: int, *, max_rounds: int) -> tuple[FloatArray, float]:
        points = np.vstack([self.point[None, :], self.others])[:starts]
        directions = self.directions[:starts]
        return ascend(self._problem(), self.domain, points, directions, self.options, max_rounds=max_rounds)
