"""A network that scores units by their context: which units headlines keep, and which unit is their top.

Its inputs are the parser's context vectors of words, and the more frequent features of units. The first layer reads
each unit; the second layer reads the unit and its neighbors in the tree and in the sentence:

    h[u] = relu(Σ over features f of embedding[f] + vectors(u) · from_vectors + bias)
    g[u] = relu([h[u]; h of the unit above; of those below; …] · context + context_bias)
    (e[u], t[u]) = g[u] · output

Wang et al. (2017) feed words, tags, relations and heads to a BiLSTM; here the parser's convolutions take its place.
"""

import base64
import functools
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from widl.common.extras import optional_packages
from widl.headline.units import UnitTree

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from threadpoolctl import ThreadpoolController

Float16Array = NDArray[np.float16]
Float32Array = NDArray[np.float32]

VECTOR_SIZE = 96
"""Dimension of the parser's context vectors."""
_VECTORS = 4  # of a unit: its content word, its function words, the previous word, the next word
UNIT_VECTOR_SIZE = _VECTORS * VECTOR_SIZE
_AROUND = ("above", "below", "before", "after", "left sibling", "right sibling", "root", "all")
"""Inputs of the second layer besides the unit: *before* and *after* by content words, *below* and *all* averaged."""
_STEPS = 127  # quantization steps of a parameter, from 0 to the largest absolute value in its row


@dataclass
class NetworkParameters:
    """The parameters of a network, or their gradients."""

    embedding: Float32Array
    """One vector per feature; shape (features, hidden)."""
    from_vectors: Float32Array
    """Shape (4 · VECTOR_SIZE, hidden)."""
    bias: Float32Array
    """Shape (1, hidden)."""
    context: Float32Array
    """Shape (9 · hidden, hidden)."""
    context_bias: Float32Array
    """Shape (1, hidden)."""
    output: Float32Array
    """Shape (hidden, 2): of e and t."""

    @staticmethod
    def shapes(features: int, hidden: int) -> list[tuple[int, int]]:
        """The shapes of all arrays, in the order of the fields."""
        seen, context = _VECTORS * VECTOR_SIZE, (1 + len(_AROUND)) * hidden
        return [(features, hidden), (seen, hidden), (1, hidden), (context, hidden), (1, hidden), (hidden, 2)]

    @classmethod
    def random(cls, features: int, hidden: int, generator: np.random.Generator) -> "NetworkParameters":
        """Initial layers for training."""
        shapes = cls.shapes(features, hidden)
        spreads = (0.1, shapes[1][0] ** -0.5, 0.0, shapes[3][0] ** -0.5, 0.0, 0.05)
        drawn = (spread * generator.standard_normal(shape) for shape, spread in zip(shapes, spreads, strict=True))
        return cls(*(array.astype(np.float32) for array in drawn))

    def arrays(self) -> list[Float32Array]:
        """All parameters, in field order."""
        return [getattr(self, field.name) for field in fields(self)]

    def rounded(self) -> "NetworkParameters":
        """Rounds the parameters like saving and loading."""
        return NetworkParameters(*(_decoded(*_encoded(array)) for array in self.arrays()))


@dataclass(frozen=True)
class SparseRows:
    """A sparse matrix by rows. Its products are SciPy's, without SciPy, whose import takes a tenth of a second."""

    values: Float32Array
    columns: NDArray[np.int32]
    ends: NDArray[np.int64]
    """Where rows begin and end."""

    def __matmul__(self, dense: Float32Array) -> Float32Array:
        """The product; each row adds its terms one after the other."""
        terms = self.values[:, None] * dense[self.columns]
        begins, lengths = self.ends[:-1], np.diff(self.ends)
        product = np.zeros((len(begins), dense.shape[1]), dtype=terms.dtype)
        for place in range(lengths.max(initial=0)):
            rows = np.flatnonzero(lengths > place)
            product[rows] += terms[begins[rows] + place]
        return product

    def for_scipy(self, columns: int) -> "csr_matrix":
        """SciPy's matrix with this number of columns, which has a transpose."""
        with optional_packages():
            from scipy.sparse import csr_matrix

        return csr_matrix((self.values, self.columns, self.ends), shape=(len(self.ends) - 1, columns))


@dataclass(frozen=True)
class UnitContexts:
    """Network inputs for the units of some trees. Matrices are `SparseRows`; for gradients, SciPy's."""

    features: Any
    """Shape (units, features)."""
    vectors: Float16Array
    """Shape (units, 4 · VECTOR_SIZE)."""
    around: Any
    """Each row has the weights of the averaged units; shape (places of `_AROUND` · units, units)."""


def unit_contexts(trees: Sequence[UnitTree], features: SparseRows) -> UnitContexts:
    """The concatenated contexts of the trees' units; `features`: a row for each unit."""
    vectors = [np.zeros((0, _VECTORS * VECTOR_SIZE), dtype=np.float16), *map(_vectors, trees)]
    return UnitContexts(features, np.concatenate(vectors), _around(trees))


def _vectors(tree: UnitTree) -> Float16Array:
    """The vectors of a tree's units; zeros for missing words."""
    count = len(tree.words)
    words = np.zeros((count + 1, VECTOR_SIZE), dtype=np.float16)  # the last row: no word
    for i, word in enumerate(tree.words):
        if word.vector is not None:
            words[i] = word.vector
    heads = [unit.head for unit in tree.units]
    before = [unit.begin - 1 if unit.begin else count for unit in tree.units]
    after = [unit.end for unit in tree.units]
    functions = np.zeros((len(tree), VECTOR_SIZE), dtype=np.float16)
    for number, unit in enumerate(tree.units):
        if len(unit.words) > 1:
            functions[number] = words[[i for i in unit.words if i != unit.head]].mean(axis=0)
    return np.concatenate([words[heads], functions, words[before], words[after]], axis=1)


def _around(trees: Sequence[UnitTree]) -> SparseRows:
    """The neighbors of each unit, by position in `_AROUND`, and their weights in the mean."""
    count = sum(map(len, trees))
    above, below, before, after, left, right, root, _ = (place * count for place in range(len(_AROUND)))
    entries: list[tuple[int, int, float]] = []
    first = 0
    for tree in trees:
        order = [first + int(u) for u in np.argsort([unit.head for unit in tree.units])]
        for a, b in pairwise(order):
            entries += ((before + b, a, 1.0), (after + a, b, 1.0))
        for number, unit in enumerate(tree.units, first):
            entries.append((root + number, first, 1.0))
            if unit.parent is not None:
                entries.append((above + number, first + unit.parent, 1.0))
            entries += [(below + number, first + child, 1.0 / len(unit.children)) for child in unit.children]
            for a, b in pairwise(unit.children):
                entries += ((left + first + b, first + a, 1.0), (right + first + a, first + b, 1.0))
        first += len(tree)
    rows, columns, weights = zip(*sorted(entries), strict=True) if entries else ((), (), ())
    sizes = np.array([len(tree) for tree in trees], dtype=np.int64)
    # The last place: all units of the tree.
    size_of = np.repeat(sizes, sizes)
    everywhere = [np.tile(np.arange(end - size, end), size) for end, size in zip(np.cumsum(sizes), sizes, strict=True)]
    lengths = np.bincount(np.array(rows, dtype=np.int64), minlength=(len(_AROUND) - 1) * count)
    return SparseRows(
        np.concatenate([np.array(weights, dtype=np.float32), np.repeat(1.0 / size_of, size_of).astype(np.float32)]),
        np.concatenate([np.array(columns, dtype=np.int32), *everywhere]).astype(np.int32),
        np.concatenate([[0], np.cumsum(np.concatenate([lengths, size_of]))]),
    )


@dataclass(frozen=True)
class Activations:
    """The values of a network's layers, needed for gradients; with dropout, the values after it."""

    vectors: Float32Array
    first: Float32Array
    context: Float32Array
    second: Float32Array
    scores: Float32Array
    """Shape (units, 2)."""


@dataclass(frozen=True)
class Dropout:
    """Fractions of values dropped in training."""

    generator: np.random.Generator
    of_vectors: float
    of_layers: float

    def factors(self, shape: tuple[int, ...], share: float) -> Float32Array:
        """0 for dropped values; the others are scaled up to compensate."""
        mask = self.generator.random(shape, dtype=np.float32) >= share
        return (mask / np.float32(1 - share)).astype(np.float32)


class DeletionNetwork:
    """A trained network."""

    def __init__(self, features: Mapping[str, int], parameters: NetworkParameters) -> None:
        """`features`: the embedding row of each feature."""
        self.features = features
        self._parameters = parameters

    def scores(self, trees: Sequence[UnitTree], features: Sequence[Sequence[str]]) -> Float32Array:
        """e and t of the units of trees, given the features of each; shape (units, 2)."""
        feature_rows = [[row for name in names if (row := self.features.get(name)) is not None] for names in features]
        contexts = unit_contexts(trees, feature_matrix(feature_rows))
        with one_thread():
            return forward(self._parameters, contexts).scores

    def as_json(self) -> dict[str, Any]:
        """The inverse of `from_json`: arrays as bytes in base64, and the step of each row."""
        arrays = {}
        for field, array in zip(fields(NetworkParameters), self._parameters.arrays(), strict=True):
            steps, scales = _encoded(array)
            text = base64.b64encode(steps.tobytes()).decode("ascii")
            arrays[field.name] = {"rows": len(array), "steps": text, "scales": [float(f"{x:.4g}") for x in scales]}
        return {"features": list(self.features), **arrays}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "DeletionNetwork":
        """The inverse of `as_json`."""
        arrays = []
        for field in fields(NetworkParameters):
            stored = found[field.name]
            steps = np.frombuffer(base64.b64decode(stored["steps"]), dtype=np.int8).reshape(stored["rows"], -1)
            arrays.append(_decoded(steps, np.array(stored["scales"], dtype=np.float32)))
        parameters = NetworkParameters(*arrays)
        features = {name: row for row, name in enumerate(found["features"])}
        expected = NetworkParameters.shapes(len(features), parameters.output.shape[0])
        if [array.shape for array in arrays] != expected:
            raise ValueError("arrays of the network do not fit together")
        return cls(features, parameters)


def _encoded(array: Float32Array) -> tuple[NDArray[np.int8], Float32Array]:
    """An array in bytes, and the step of each row."""
    largest = np.abs(array).max(axis=1) if len(array) else np.zeros(0)
    scales = np.array([float(f"{x:.4g}") for x in largest / _STEPS], dtype=np.float32)
    steps = np.rint(array / np.where(scales > 0, scales, 1)[:, None])
    return np.clip(steps, -_STEPS, _STEPS).astype(np.int8), scales


def _decoded(steps: NDArray[np.int8], scales: Float32Array) -> Float32Array:
    return (steps * scales[:, None]).astype(np.float32)


def feature_matrix(rows: Sequence[Sequence[int]]) -> SparseRows:
    """A row for each unit with 1 in the columns of its features."""
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.fromiter((column for row in rows for column in row), dtype=np.int32, count=int(ends[-1]))
    return SparseRows(np.ones(len(columns), dtype=np.float32), columns, ends)


@functools.cache
def _thread_pools() -> "ThreadpoolController":
    with optional_packages():
        from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_thread() -> AbstractContextManager[Any]:
    """Within the ``with`` block, matrices are multiplied by one thread: several would add in another order, and wait
    for each other longer than a product takes.
    """
    limit: AbstractContextManager[Any] = _thread_pools().limit(limits=1, user_api="blas")
    return limit


def forward(parameters: NetworkParameters, contexts: UnitContexts, dropout: Dropout | None = None) -> Activations:
    """The scores of units, and the layers below them."""
    vectors = contexts.vectors.astype(np.float32)
    if dropout:
        vectors *= dropout.factors(vectors.shape, dropout.of_vectors)
    read = contexts.features @ parameters.embedding + vectors @ parameters.from_vectors + parameters.bias
    first = np.maximum(read, 0)
    if dropout:
        first *= dropout.factors(first.shape, dropout.of_layers)
    around = np.split(contexts.around @ first, len(_AROUND))
    context = np.concatenate([first, *around], axis=1)
    second = np.maximum(context @ parameters.context + parameters.context_bias, 0)
    if dropout:
        second *= dropout.factors(second.shape, dropout.of_layers)
    return Activations(vectors, first, context, second, second @ parameters.output)


def backward(
    parameters: NetworkParameters,
    contexts: UnitContexts,
    layers: Activations,
    of_scores: Float32Array,
    dropout: Dropout | None = None,
) -> NetworkParameters:
    """Gradients of the parameters, given the gradients of the scores; `dropout` as in `forward`."""
    of_second = of_scores @ parameters.output.T * _slopes(layers.second, dropout)
    of_context = of_second @ parameters.context.T
    of_first, *of_around = np.split(of_context, 1 + len(_AROUND), axis=1)
    of_first = of_first + contexts.around.T @ np.concatenate(of_around)
    of_first *= _slopes(layers.first, dropout)
    return NetworkParameters(
        contexts.features.T @ of_first,
        layers.vectors.T @ of_first,
        of_first.sum(axis=0, keepdims=True).astype(np.float32),
        layers.context.T @ of_second,
        of_second.sum(axis=0, keepdims=True).astype(np.float32),
        layers.second.T @ of_scores,
    )


def _slopes(layer: Float32Array, dropout: Dropout | None) -> Float32Array:
    """Derivatives of ReLU and dropout: dropped values are 0, and dropout scales up the others."""
    larger = 1 / (1 - dropout.of_layers) if dropout else 1.0
    return np.where(layer > 0, larger, 0.0).astype(np.float32)
