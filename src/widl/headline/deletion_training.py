"""Training of `widl.headline.deletion_model`: weights alone from few texts, with a network from thousands.

Both minimize the negative log-likelihood of the kept units, plus 1 minus the expected token F1. Likelihood alone is
dominated by rare, unpredictable deletions.

    overlap = 2 E[words that both keep] / (E[words that the model keeps] + words that people kept)

Weights alone: L-BFGS over all texts, by likelihood first, then by both. With a network: Adam (Kingma and Ba 2015) over
batches of texts, by both; the model is the running mean of the parameters, so no held-out texts are needed.
"""

import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from numpy.typing import NDArray

from widl.common.extras import optional_packages
from widl.common.workers import Progress, chunked, no_progress
from widl.headline.deletion_features import has_words, unit_features
from widl.headline.deletion_model import DeletionModel, FloatArray, Forest, TreeScores, kept_gradient, marginals
from widl.headline.deletion_network import (
    UNIT_VECTOR_SIZE,
    DeletionNetwork,
    Dropout,
    Float32Array,
    NetworkParameters,
    UnitContexts,
    backward,
    forward,
    sparse_matrix,
    unit_contexts,
)
from widl.headline.units import UnitTree

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BoolArray = NDArray[np.bool_]

_OVERLAP = 100.0  # weight of a text's overlap; its log-likelihood has weight 1
_MIN_WEIGHT = 0.01  # smaller weights are set to 0

# Training the weights alone:
_MIN_OCCURRENCES = 3  # occurrences of a feature
_PENALTY = 5.0  # of maximum likelihood
_ITERATIONS = 60
_OVERLAP_PENALTY = 40.0
_OVERLAP_ITERATIONS = 40

# Training with a network:
_MIN_TEXTS = 2000
_MIN_WEIGHTED = 10  # occurrences of a feature with weights
_MIN_READ = 50  # occurrences of a feature that the network reads; vectors represent words
_HIDDEN = 64
_DROPOUT_OF_VECTORS, _DROPOUT = 0.3, 0.4
_EPOCHS = 10
_HASHES = 1 << 24  # hash buckets in which features are counted before they are numbered
_BATCH = 64  # texts
_STEP = 0.002  # falls to 0
_MEAN_OF = 200  # steps of the running mean
_PENALTY_OF_WEIGHTS, _PENALTY_OF_NETWORK = 1e-2, 1e-4  # L2, relative to the mean over texts


@dataclass(frozen=True)
class ShortenedText:
    """The trees of a text's sentences, and, by tree, which words are kept."""

    trees: Sequence[UnitTree]
    kept: Sequence[Sequence[bool]]


def train_deletion_model(
    texts: Callable[[], Iterable[ShortenedText]], progress: Progress = no_progress
) -> DeletionModel:
    """Fit a model; the same texts give the same model. `texts` is called twice, and its texts are read one at a time.

    Likelihood uses the largest connected part of the kept units: other parts have almost no probability, though people
    may join two.
    """
    with optional_packages():
        from threadpoolctl import threadpool_limits

    count, counts = 0, np.zeros(_HASHES, dtype=np.uint32)
    for text in filter(_keeps_something, texts()):
        count += 1
        for features in _features_of(text):
            np.add.at(counts, [_hash(name) for name in features], 1)
    learned = filter(_keeps_something, texts())
    # Several threads would add in another order.
    with threadpool_limits(1, user_api="blas"), tempfile.TemporaryFile() as file:
        if count < _MIN_TEXTS:
            return _train_weights(_Batches(learned, counts, file, size=_MIN_TEXTS, fewest=_MIN_OCCURRENCES))
        return _train_with_network(_Batches(learned, counts, file, size=_BATCH, fewest=_MIN_WEIGHTED), progress)


def _keeps_something(text: ShortenedText) -> bool:
    return any(map(any, text.kept))


def _features_of(text: ShortenedText) -> Iterator[list[str]]:
    """The features of each unit."""
    return (unit_features(tree, number) for tree in text.trees for number in range(len(tree)))


def _hash(name: str) -> int:
    return zlib.crc32(name.encode()) % _HASHES


class _Objective:
    """The negative log-likelihood of shortened texts and 1 minus their overlap, with gradients by the scores."""

    def __init__(self, texts: Sequence[ShortenedText]) -> None:
        self.forest = Forest([text.trees for text in texts])
        self._kept_words, self._words = _word_counts(texts)
        kept, self._top = _largest_parts(self.forest, texts, self._kept_words)
        self._hanging = kept & ~self._top
        self._gold = self._by_text(self._kept_words)

    def __call__(self, scores: TreeScores, overlap: float) -> tuple[float, FloatArray, FloatArray]:
        """The loss, including `overlap` times each text's (1 - overlap), and the gradients by edges and tops."""
        found = marginals(self.forest, scores)
        value = found.partition.sum() - scores.edges[self._hanging].sum() - scores.tops[self._top].sum()
        edges, tops = found.kept_below - self._hanging, found.top - self._top
        if overlap:
            both, all_kept = self._by_text(found.kept * self._kept_words), self._by_text(found.kept * self._words)
            total = all_kept + self._gold
            value += overlap * (1 - 2 * both / total).sum()
            texts = self.forest.texts
            kept = 2 * self._kept_words / total[texts] - (2 * both / total**2)[texts] * self._words
            of_edges, of_tops = kept_gradient(self.forest, found, -overlap * kept)
            edges, tops = edges + of_edges, tops + of_tops
        return float(value), edges, tops

    def _by_text(self, values: FloatArray) -> FloatArray:
        return np.bincount(self.forest.texts, values, self.forest.text_count).astype(np.float64)


def _train_weights(batches: "_Batches") -> DeletionModel:
    """Weights of features alone, from at most one batch."""
    with optional_packages():
        from scipy.optimize import minimize  # the import takes a tenth of a second; generating does not need it

    if not batches.batches:
        return DeletionModel({}, {})
    [batch] = batches.batches
    names, rows, objective = batches.names, batch.rows, batch.objective
    columns = rows.T.tocsr()

    def minimum(start: FloatArray, overlap: float, penalty: float, iterations: int) -> FloatArray:
        def loss(weights: FloatArray) -> tuple[float, FloatArray]:
            of_edges, of_tops = np.split(weights, 2)
            value, edges, tops = objective(TreeScores(rows @ of_edges, rows @ of_tops), overlap)
            gradient = np.concatenate([columns @ edges, columns @ tops]) + penalty * weights
            return value + 0.5 * penalty * float(weights @ weights), gradient

        result = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": iterations})
        return np.asarray(result.x)

    likely = minimum(np.zeros(2 * len(names)), 0.0, _PENALTY, _ITERATIONS)
    fitted = minimum(likely, _OVERLAP, _OVERLAP_PENALTY, _OVERLAP_ITERATIONS)
    edges, tops = np.split(fitted, 2)
    return DeletionModel(_named(names, edges), _named(names, tops))


@dataclass(frozen=True)
class _Batch:
    """Some texts, and the features of their units; `around` as in `UnitContexts`."""

    objective: _Objective
    rows: "csr_matrix"
    read: "csr_matrix"
    around: "csr_matrix"
    vectors: tuple[int, int]
    """The rows of the spooled vectors."""
    texts: int


class _Batches:
    """Batches of texts; the vectors of their units are in a file."""

    def __init__(
        self, texts: Iterable[ShortenedText], counts: NDArray[np.uint32], file: BinaryIO, *, size: int, fewest: int
    ) -> None:
        """`counts`: how often features with each hash occur; `size`: texts in a batch; `fewest`: occurrences of a
        feature that has weights.
        """
        numbers: dict[str, int] = {}
        self._file = file
        self._units = 0
        is_frequent = counts >= fewest
        found = [self._batch(some, is_frequent, numbers) for some in chunked(texts, size)]
        frequencies = np.zeros(len(numbers), dtype=np.int64)
        for _, flat, _ in found:
            frequencies += np.bincount(flat, minlength=len(numbers))
        names = list(numbers)
        weighted = [k for k, n in enumerate(frequencies.tolist()) if n >= fewest]
        read = [k for k in weighted if frequencies[k] >= _MIN_READ and not has_words(names[k])]
        self.names, self.read = [names[k] for k in weighted], [names[k] for k in read]
        self.batches: list[_Batch] = []
        for batch, flat, sizes in found:
            rows, seen = (_selected(flat, sizes, columns, len(names)) for columns in (weighted, read))
            self.batches.append(replace(batch, rows=rows, read=seen))
        self._file.flush()

    @cached_property
    def _vectors(self) -> NDArray[np.float16]:
        return np.memmap(self._file, dtype=np.float16, mode="r", shape=(self._units, UNIT_VECTOR_SIZE))

    def _batch(
        self, texts: Sequence[ShortenedText], is_frequent: BoolArray, numbers: dict[str, int]
    ) -> tuple[_Batch, NDArray[np.int32], NDArray[np.int32]]:
        """A batch, the indices of the possibly frequent features, and their number per unit."""
        rows = [
            [numbers.setdefault(name, len(numbers)) for name in features if is_frequent[_hash(name)]]
            for text in texts
            for features in _features_of(text)
        ]
        flat = np.array([number for row in rows for number in row], dtype=np.int32)
        nothing = (np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.int32), np.zeros(len(rows) + 1, dtype=np.int32))
        none = sparse_matrix(nothing, (len(rows), 0))
        contexts = unit_contexts([tree for text in texts for tree in text.trees], none)
        self._file.write(contexts.vectors.tobytes())
        begin, self._units = self._units, self._units + len(rows)
        batch = _Batch(_Objective(texts), none, none, contexts.around, (begin, self._units), len(texts))
        return batch, flat, np.array([len(row) for row in rows], dtype=np.int32)

    def contexts(self, batch: _Batch) -> UnitContexts:
        """Network inputs for the units of a batch."""
        begin, end = batch.vectors
        return UnitContexts(batch.read, np.asarray(self._vectors[begin:end]), batch.around)


def _selected(flat: NDArray[np.int32], sizes: NDArray[np.int32], numbers: Sequence[int], count: int) -> "csr_matrix":
    """A row for each unit with 1 in the columns of its selected features."""
    column_of = np.full(count, -1, dtype=np.int32)
    column_of[numbers] = np.arange(len(numbers), dtype=np.int32)
    columns = column_of[flat]
    is_selected = columns >= 0
    ends = np.concatenate([[0], np.cumsum(is_selected)])[np.concatenate([[0], np.cumsum(sizes)])]
    ones = np.ones(int(ends[-1]), dtype=np.float32)
    return sparse_matrix((ones, columns[is_selected], ends), (len(sizes), len(numbers)))


def _train_with_network(batches: _Batches, progress: Progress) -> DeletionModel:
    """Weights of features and the parameters of a network, together."""
    generator = np.random.default_rng(1)
    weights = np.zeros((len(batches.names), 2), dtype=np.float32)
    parameters = NetworkParameters.random(len(batches.read), _HIDDEN, generator)
    dropout = Dropout(generator, _DROPOUT_OF_VECTORS, _DROPOUT)
    descent = _Adam([weights, *parameters.arrays()])
    for epoch in range(_EPOCHS):
        for number in generator.permutation(len(batches.batches)):
            batch = batches.batches[number]
            contexts = batches.contexts(batch)
            layers = forward(parameters, contexts, dropout)
            scores = (layers.scores + batch.rows @ weights).astype(np.float64)
            _, edges, tops = batch.objective(TreeScores(scores[:, 0], scores[:, 1]), _OVERLAP)
            of_scores = (np.stack([edges, tops], axis=1) / batch.texts).astype(np.float32)
            of_network = backward(parameters, contexts, layers, of_scores, dropout)
            gradients = [batch.rows.T @ of_scores + np.float32(_PENALTY_OF_WEIGHTS) * weights]
            gradients += [
                gradient + np.float32(_PENALTY_OF_NETWORK) * array
                for gradient, array in zip(of_network.arrays(), parameters.arrays(), strict=True)
            ]
            descent.step(gradients, _STEP * (1 - epoch / _EPOCHS))
        progress("learn", epoch + 1, _EPOCHS)
    mean, *means = descent.means
    network = DeletionNetwork({name: row for row, name in enumerate(batches.read)}, NetworkParameters(*means).rounded())
    return DeletionModel(_named(batches.names, mean[:, 0]), _named(batches.names, mean[:, 1]), network)


class _Adam:
    """Adam over arrays that it changes in place, and the running means of these."""

    def __init__(self, arrays: Sequence[Float32Array]) -> None:
        self._arrays = arrays
        self._first = [np.zeros_like(array) for array in arrays]
        self._second = [np.zeros_like(array) for array in arrays]
        self._steps = 0
        self.means = [array.copy() for array in arrays]

    def step(self, gradients: Sequence[Float32Array], size: float) -> None:
        """A step against the gradients."""
        self._steps += 1
        new = 1 - min(1 - 1 / _MEAN_OF, (self._steps + 1) / (self._steps + 10))
        corrected = size / (1 - 0.9**self._steps)
        of_second = 1 / (1 - 0.999**self._steps)
        rows = zip(self._arrays, gradients, self._first, self._second, self.means, strict=True)
        for array, gradient, first, second, mean in rows:
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient * gradient - second)
            array -= corrected * first / (np.sqrt(of_second * second) + 1e-8)
            mean += new * (array - mean)


def _named(names: Sequence[str], weights: NDArray[np.floating]) -> dict[str, float]:
    return {name: round(float(w), 3) for name, w in zip(names, weights, strict=True) if abs(w) >= _MIN_WEIGHT}


def _largest_parts(
    forest: Forest, texts: Sequence[ShortenedText], kept_words: FloatArray
) -> tuple[BoolArray, BoolArray]:
    """Which units belong to the largest connected part of each text's kept units, and which unit is its top."""
    in_headline: list[bool] = []
    for text in texts:
        for tree, kept in zip(text.trees, text.kept, strict=True):
            in_headline += [bool(kept[unit.head]) for unit in tree.units]
    tops = np.full(len(forest), -1)
    sizes: Counter[int] = Counter()
    for u in np.argsort(forest.depths, kind="stable").tolist():
        if in_headline[u]:
            parent = forest.parents[u]
            tops[u] = tops[parent] if parent >= 0 and tops[parent] >= 0 else u
            sizes[int(tops[u])] += int(kept_words[u])
    best: dict[int, int] = {}
    for top in sorted(sizes, key=lambda u: (-sizes[u], u)):
        best.setdefault(int(forest.texts[top]), top)
    is_best = np.zeros(len(forest), dtype=bool)
    is_best[list(best.values())] = True
    kept = (tops >= 0) & is_best[np.maximum(tops, 0)]
    return kept, is_best


def _word_counts(texts: Sequence[ShortenedText]) -> tuple[FloatArray, FloatArray]:
    """Number of kept words and of all words in each unit."""
    kept_words: list[int] = []
    words: list[int] = []
    for text in texts:
        for tree, kept in zip(text.trees, text.kept, strict=True):
            kept_words += [sum(kept[i] for i in unit.words) for unit in tree.units]
            words += [len(unit.words) for unit in tree.units]
    return np.array(kept_words, dtype=np.float64), np.array(words, dtype=np.float64)
