"""The network: gradients compared with differences, its file, units without vectors."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.headline.parses import words as words_of
from tests.headline.trees import trees
from widl.headline.deletion_features import unit_features
from widl.headline.deletion_model import DeletionModel
from widl.headline.deletion_network import (
    DeletionNetwork,
    NetworkParameters,
    SparseRows,
    UnitContexts,
    backward,
    feature_matrix,
    forward,
    unit_contexts,
)
from widl.headline.units import UnitTree
from widl.headline.words import Word


def _network(trees: list[UnitTree], seed: int = 1) -> DeletionNetwork:
    """A network with random parameters that knows every second feature of some trees."""
    names = sorted({name for tree in trees for u in range(len(tree)) for name in unit_features(tree, u)})[::2]
    parameters = NetworkParameters.random(len(names), 5, np.random.default_rng(seed)).rounded()
    return DeletionNetwork({name: row for row, name in enumerate(names)}, parameters)


@given(trees(most=5), trees(most=4), st.integers(0, 2**31))
def test_gradients_are_those_of_differences(first: list[Word], second: list[Word], seed: int) -> None:
    units = [UnitTree(first), UnitTree(second, 1)]
    count = sum(map(len, units))
    generator = np.random.default_rng(seed)
    rows = unit_contexts(units, feature_matrix([[u % 3, 3] for u in range(count)]))
    contexts = UnitContexts(rows.features.for_scipy(4), rows.vectors, rows.around.for_scipy(count))
    contexts.vectors[:] = generator.normal(size=contexts.vectors.shape)
    drawn = NetworkParameters.random(4, 5, generator).arrays()
    # Uses double precision, and biases far from the kink of relu.
    parameters = NetworkParameters(*(array.astype(np.float64) for array in drawn))  # type: ignore[arg-type]
    parameters.bias += 30 * generator.choice([-1, 1], size=parameters.bias.shape)
    parameters.context_bias += 300 * generator.choice([-1, 1], size=parameters.context_bias.shape)
    worth = generator.normal(size=(count, 2)).astype(np.float32)
    layers = forward(parameters, contexts)
    gradients = backward(parameters, contexts, layers, worth).arrays()
    for array, gradient in zip(parameters.arrays(), gradients, strict=True):
        assert gradient.shape == array.shape
        for _ in range(3):
            at = tuple(int(generator.integers(size)) for size in array.shape)
            value = array[at]
            array[at] = value + 0.01
            more = (worth * forward(parameters, contexts).scores).sum()
            array[at] = value - 0.01
            less = (worth * forward(parameters, contexts).scores).sum()
            array[at] = value
            assert gradient[at] == pytest.approx((more - less) / 0.02, rel=1e-3, abs=1e-3)


def test_a_network_is_read_as_it_was_written() -> None:
    units = [UnitTree(words, s) for s, words in enumerate(words_of("Sales rose on Monday. Shares in Acme fell."))]
    model = DeletionModel({"bias": 1.0}, {}, _network(units))
    read = DeletionModel.from_json(json.loads(json.dumps(model.as_json())))
    scores, result = model.scores(units), read.scores(units)
    assert result.edges.tolist() == scores.edges.tolist()
    assert result.tops.tolist() == scores.tops.tolist()


def test_arrays_of_other_shapes_are_refused() -> None:
    [words] = words_of("Sales rose.")
    written = _network([UnitTree(words)]).as_json()
    with pytest.raises(ValueError, match="do not fit together"):
        DeletionNetwork.from_json(written | {"features": ["bias"]})


def test_the_same_words_score_by_their_context() -> None:
    """The parser's vectors of *shares* differ with its neighbors; words without vectors have scores, too."""
    text = "Shares rose on Monday."
    [rose], [fell] = words_of(text), words_of(text.replace("rose", "fell"))
    network = DeletionNetwork({}, _network([UnitTree(rose)])._parameters)
    network._parameters.embedding = np.zeros((0, 5), dtype=np.float32)
    [a], [b] = (network.scores([tree], [[]] * len(tree))[1:2] for tree in (UnitTree(rose), UnitTree(fell)))
    assert a.tolist() != b.tolist()
    bare = UnitTree([Word(w.text, w.key, w.lemma, w.tag, w.head, w.relation) for w in rose])
    assert network.scores([bare], [[]] * len(bare)).shape == (len(bare), 2)


def test_no_trees_have_no_scores() -> None:
    [words] = words_of("Sales rose.")
    assert _network([UnitTree(words)]).scores([], []).shape == (0, 2)


@given(st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=6), st.integers(0, 2**32 - 1))
def test_products_of_sparse_rows_are_those_of_scipy(rows: list[list[int]], seed: int) -> None:
    generator = np.random.default_rng(seed)
    columns = np.array([column for row in rows for column in row], dtype=np.int32)
    values = generator.normal(size=len(columns)).astype(np.float32)
    sparse = SparseRows(values, columns, np.cumsum([0, *map(len, rows)]))
    dense = generator.normal(size=(5, 3)).astype(np.float32)
    product = sparse @ dense
    assert product.tobytes() == (sparse.for_scipy(5) @ dense).tobytes()
    slow = np.zeros((len(rows), 3), dtype=np.float32)
    for i, value, column in zip(np.repeat(np.arange(len(rows)), list(map(len, rows))), values, columns, strict=True):
        slow[i] += value * dense[column]
    assert product.tobytes() == slow.tobytes()
