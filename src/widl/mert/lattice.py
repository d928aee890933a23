"""MERT over all paths of lattices (Macherey et al. 2008): their envelopes bring the candidates that may matter.

Along a line, the paths on the envelopes of all lattices are as good as all paths: where the pool has them, the
line search on it is exact for the lattices.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from widl._core import Lattice, LatticeSet
from widl.errors import InputError
from widl.mert.line_search import ascend, directions_from
from widl.mert.nbest import Candidate, FloatArray, NbestLists, written_text
from widl.mert.optimization import Optimized, outcome
from widl.mert.problem import OptimizerOptions, Problem, TuningSet, WeightSpace
from widl.workers import chunked

_SENTENCES_AT_ONCE = 50
_MOST_ROUNDS = 20  # of MERT on the pool in an iteration


@dataclass(frozen=True)
class LatticeDecoder:
    """A decoder that gives lattices: `decode`, told weights, one for each sentence, features in the weights' order.

    `text` makes text of the words along a path.
    """

    decode: Callable[[dict[str, float]], Iterable[Lattice]]
    text: Callable[[Sequence[str]], str] = " ".join


@dataclass
class LatticeSource:
    """One iteration's lattices, and what has been taken from them."""

    lattices: list[LatticeSet]
    """Of some sentences each, so that not all their paths are in memory at once."""
    text: Callable[[Sequence[str]], str]
    names: tuple[str, ...]
    threads: int = 1
    _taken: list[NbestLists] = field(default_factory=list)
    _texts: dict[str, str] = field(default_factory=dict)

    @classmethod
    def decoded(
        cls, decoder: LatticeDecoder, weights: Mapping[str, float], sentences: int, threads: int
    ) -> "LatticeSource":
        """The decoder's lattices; InputError if they are not of so many sentences, or have other features."""
        lattices = list(decoder.decode(dict(weights)))
        if len(lattices) != sentences:
            raise InputError(f"lattices of {len(lattices)} sentences, but {sentences} references")
        if (width := lattices[0].features.shape[1]) != len(weights):
            raise InputError(f"lattices with {width} features, but {len(weights)} weights")
        sets = [LatticeSet(part) for part in chunked(lattices, _SENTENCES_AT_ONCE)]
        return cls(sets, decoder.text, tuple(weights), threads)

    def best(self, weights: FloatArray) -> NbestLists:
        """The best path of each sentence, the first among equals."""
        return self._lists([path] for one in self.lattices for path in one.best(weights, threads=self.threads))

    def envelopes(self, weights: FloatArray, directions: FloatArray, space: WeightSpace) -> NbestLists:
        """The paths that are best somewhere along one of the directions and that were not taken before."""
        return self._lists(
            paths
            for one in self.lattices
            for paths in one.take(
                weights, directions, lower=space.lower, upper=space.upper, threads=self.threads
            )
        )

    def by_sentence(self) -> Iterator[list[Candidate]]:
        """What was taken, sentence by sentence, in the order in which it came."""
        count = sum(map(len, self.lattices))
        begins = [lists.begins(count) for lists in self._taken]
        for sentence in range(count):
            yield [
                Candidate(lists.texts[row], lists.features[row].tolist())
                for lists, begin in zip(self._taken, begins, strict=True)
                for row in range(begin[sentence], begin[sentence + 1])
            ]

    def _lists(self, found: Iterable[Sequence[tuple[list[str], list[float]]]]) -> NbestLists:
        sizes: list[int] = []
        texts: list[str] = []
        features: list[FloatArray] = []
        for paths in found:
            sizes.append(len(paths))
            texts += [self._text(" ".join(words)) for words, _ in paths]
            values = np.array([values for _, values in paths], dtype=np.float64)
            features.append(values.reshape(len(paths), len(self.names)))
        sentences = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
        lists = NbestLists(self.names, sentences, texts, np.concatenate(features))
        self._taken.append(lists)
        return lists

    def _text(self, words: str) -> str:
        """As it will be read back; many paths have equal words, and detokenisers take their time."""
        if words not in self._texts:
            self._texts[words] = written_text(self.text(words.split(" ") if words else []))
        return self._texts[words]


def optimize_over_lattices(
    data: TuningSet, source: LatticeSource, start: Mapping[str, float], options: OptimizerOptions
) -> Optimized:
    """Weights that are best on the paths of all lattices and the candidates in `data`, which takes in what it needs.

    From the best point so far and from random ones, MERT on the pool; where that leads, envelopes show whether the
    lattices hold what the pool promised. At the end no direction of the last round, coordinates and random ones, gains
    `min_gain` on any path of the lattices.
    """
    space = WeightSpace.of(tuple(start), start, options)
    found, ascents = _LatticeSearch(data, source, space, options).run()
    return outcome(data.freeze(), space, found, ascents, options)


class _LatticeSearch:
    def __init__(
        self, data: TuningSet, source: LatticeSource, space: WeightSpace, options: OptimizerOptions
    ) -> None:
        self.data, self.source, self.space, self.options = data, source, space, options
        generator = np.random.default_rng(options.seed)
        others = space.random_points(options.restarts, generator)
        self.others, self.starts = others, len(others) + 1
        self.directions = directions_from(space, self.starts, options.random_directions, generator)
        self.point, self.score = space.start, -np.inf
        self.problem: Problem | None = None

    def run(self) -> tuple[FloatArray, list[float]]:
        """The best weights, and what each start of the last round promised."""
        self._look(self.point)
        self.score = self._problem().score(self.point)
        ascents: list[float] = []
        for _ in range(_MOST_ROUNDS):
            found, ascents = self._ascend(self.starts, max_rounds=1000)
            if max(ascents) <= self.score + self.options.min_gain:
                break
            if not self._go_to(found):
                # The pool promised what the lattices do not hold. The best single step from here they do.
                self._go_to(self._ascend(1, max_rounds=1)[0])
        return self.point, ascents

    def _look(self, point: FloatArray) -> None:
        """Take in what the lattices have to say about the lines through a point."""
        if self.data.add(self.source.envelopes(point, self.directions[0], self.space)):
            self.problem = None

    def _problem(self) -> Problem:
        if self.problem is None:
            self.problem = self.data.freeze()
        return self.problem

    def _go_to(self, found: FloatArray) -> bool:
        """Whether a point is better than the best so far, which it becomes then."""
        self._look(found)
        score = self._problem().score(found)  # exact now: the lattices' best paths there are in the pool
        if not score > self.score + self.options.min_gain:
            return False
        self.point, self.score = found, score
        return True

    def _ascend(self, starts: int, *, max_rounds: int) -> tuple[FloatArray, list[float]]:
        points = np.vstack([self.point[None, :], self.others])[:starts]
        directions = self.directions[:starts]
        return ascend(self._problem(), self.space, points, directions, self.options, max_rounds=max_rounds)
