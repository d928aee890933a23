"""Training of `widl.headline.deletion_model`: weights alone from few texts, with a network from thousands.

Both minimize the negative log-likelihood of the kept units, plus 1 minus the expected token F1. Likelihood alone is
dominated by rare, unpredictable deletions.

    overlap = 2 E[words that both keep] / (E[words that the model keeps] + words that people kept)

Weights alone: L-BFGS over all texts, by likelihood first, then by both. With a network: Adam (Kingma and Ba 2015) over
batches of texts, by both; the model is the running mean of the parameters, so no held-out texts are needed.
"""

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from widl.common.extras import optional_packages
from widl.common.spool import Spool
from widl.common.workers import Progress, chunked, no_progress
from widl.headline.deletion_features import has_words, unit_features
from widl.headline.deletion_model import DeletionModel, FloatArray, Forest, TreeScores, kept_gradient, marginals
from widl.headline.deletion_network import (
    DeletionNetwork,
    Dropout,
    Float32Array,
    NetworkParameters,
    SparseRows,
    UnitContexts,
    backward,
    forward,
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
    texts: Iterable[ShortenedText], progress: Progress = no_progress, *, stage: str = "learn"
) -> DeletionModel:
    """Fit a model; the same texts give the same model. Of thousands of texts, few are in memory at a time.

    Training with a network reports its epochs as a `stage` of progress.

    Likelihood uses the largest connected part of the kept units: other parts have almost no probability, though people
    may join two.
    """
    with optional_packages():
        from threadpoolctl import threadpool_limits

    learned = filter(_keeps_something, texts)
    few = list(islice(learned, _MIN_TEXTS))
    # Several threads would add in another order.
    with threadpool_limits(1, user_api="blas"):
        if len(few) < _MIN_TEXTS:
            with closing(_Batches(filter(None, [few]), fewest=_MIN_OCCURRENCES)) as batches:
                return _train_weights(batches)
        with closing(_Batches(chunked(chain(few, learned), _BATCH), fewest=_MIN_WEIGHTED)) as batches:
            return _train_with_network(batches, partial(progress, stage))


def _keeps_something(text: ShortenedText) -> bool:
    return any(map(any, text.kept))


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

    if not len(batches):
        return DeletionModel({}, {})
    batch = batches[0]
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
class _Features:
    """The features of the units of some texts."""

    names: Sequence[str]
    flat: NDArray[np.int32]
    """The features of one unit after the other, as indices of `names`."""
    sizes: NDArray[np.int32]
    """How many each unit has."""

    @classmethod
    def of(cls, texts: Sequence[ShortenedText]) -> "_Features":
        """All features of the texts' units."""
        numbers: dict[str, int] = {}
        rows = [
            [numbers.setdefault(name, len(numbers)) for name in unit_features(tree, number)]
            for text in texts
            for tree in text.trees
            for number in range(len(tree))
        ]
        flat = np.fromiter(chain.from_iterable(rows), dtype=np.int32)
        return cls([*numbers], flat, np.array([len(row) for row in rows], dtype=np.int32))

    def counts(self) -> NDArray[np.int32]:
        """How often each occurs."""
        return np.bincount(self.flat, minlength=len(self.names)).astype(np.int32)

    def rows(self, columns: Mapping[str, int]) -> SparseRows:
        """A row for each unit with 1 in the columns of those of its features that have one."""
        column_of = np.array([columns.get(name, -1) for name in self.names], dtype=np.int32)
        found = column_of[self.flat]
        has_column = found >= 0
        ends = np.concatenate([[0], np.cumsum(has_column)])[np.concatenate([[0], np.cumsum(self.sizes)])]
        return SparseRows(np.ones(int(ends[-1]), dtype=np.float32), found[has_column], ends)


@dataclass(frozen=True)
class _Batch:
    """Some texts, the features of their units that have weights, and what the network reads of the units."""

    objective: _Objective
    rows: "csr_matrix"
    contexts: UnitContexts
    texts: int


class _Batches:
    """Batches of texts in files, and which features have weights, and which of them the network reads."""

    def __init__(self, texts: Iterable[Sequence[ShortenedText]], *, fewest: int) -> None:
        """`fewest`: occurrences of a feature that has weights."""
        self._texts = Spool[tuple[_Objective, UnitContexts, int]]()
        self._rows = Spool[tuple[SparseRows, SparseRows]]()
        counts = np.zeros(_HASHES, dtype=np.int32)
        with Spool[_Features]() as found:
            for some in texts:
                features = _Features.of(some)
                np.add.at(counts, _hashes(features.names), features.counts())
                found.append(features)
                contexts = unit_contexts([tree for text in some for tree in text.trees], features.rows({}))
                self._texts.append((_Objective(some), contexts, len(some)))
            frequencies = _frequencies(found, counts >= fewest)
            self.names = [name for name, n in frequencies.items() if n >= fewest]
            self.read = [name for name in self.names if frequencies[name] >= _MIN_READ and not has_words(name)]
            weighted, read = ({name: k for k, name in enumerate(names)} for names in (self.names, self.read))
            for features in found:
                self._rows.append((features.rows(weighted), features.rows(read)))

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, number: int) -> _Batch:
        objective, contexts, texts = self._texts[number]
        rows, read = self._rows[number]
        around = contexts.around.for_scipy(len(contexts.vectors))
        contexts = UnitContexts(read.for_scipy(len(self.read)), contexts.vectors, around)
        return _Batch(objective, rows.for_scipy(len(self.names)), contexts, texts)

    def close(self) -> None:
        """Remove the files."""
        self._texts.close()
        self._rows.close()


def _frequencies(texts: Iterable[_Features], is_frequent: BoolArray) -> Counter[str]:
    """How often the features with frequent hashes occur, in the order of the first time."""
    frequencies: Counter[str] = Counter()
    for features in texts:
        selected = is_frequent[_hashes(features.names)].tolist()
        for name, n, chosen in zip(features.names, features.counts().tolist(), selected, strict=True):
            if chosen:
                frequencies[name] += n
    return frequencies


def _hashes(names: Sequence[str]) -> NDArray[np.int64]:
    return np.array([zlib.crc32(name.encode()) % _HASHES for name in names], dtype=np.int64)


def _train_with_network(batches: _Batches, progress: Callable[[int, int], None]) -> DeletionModel:
    """Weights of features and the parameters of a network, together; reports epochs."""
    generator = np.random.default_rng(1)
    weights = np.zeros((len(batches.names), 2), dtype=np.float32)
    parameters = NetworkParameters.random(len(batches.read), _HIDDEN, generator)
    dropout = Dropout(generator, _DROPOUT_OF_VECTORS, _DROPOUT)
    descent = _Adam([weights, *parameters.arrays()])
    for epoch in range(_EPOCHS):
        for number in generator.permutation(len(batches)).tolist():
            batch = batches[number]
            layers = forward(parameters, batch.contexts, dropout)
            scores = (layers.scores + batch.rows @ weights).astype(np.float64)
            _, edges, tops = batch.objective(TreeScores(scores[:, 0], scores[:, 1]), _OVERLAP)
            of_scores = (np.stack([edges, tops], axis=1) / batch.texts).astype(np.float32)
            of_network = backward(parameters, batch.contexts, layers, of_scores, dropout)
            gradients = [batch.rows.T @ of_scores + np.float32(_PENALTY_OF_WEIGHTS) * weights]
            gradients += [
                gradient + np.float32(_PENALTY_OF_NETWORK) * array
                for gradient, array in zip(of_network.arrays(), parameters.arrays(), strict=True)
            ]
            descent.step(gradients, _STEP * (1 - epoch / _EPOCHS))
        progress(epoch + 1, _EPOCHS)
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
