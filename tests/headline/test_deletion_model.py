"""Cuts: sums over trees compared with all connected parts; training on a planted rule."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from tests.headline.parses import words as words_of
from tests.headline.trees import trees
from widl.headline.deletion_features import unit_features
from widl.headline.deletion_model import (
    DeletionModel,
    Forest,
    KeepProbabilities,
    TreeScores,
    kept_gradient,
    marginals,
)
from widl.headline.deletion_training import ShortenedText, train_deletion_model
from widl.headline.units import UnitTree
from widl.headline.words import Word


def connected_parts(tree: UnitTree) -> list[tuple[int, frozenset[int]]]:
    """All connected parts of a tree with their tops, by definition."""
    result = []
    for count in range(1, len(tree) + 1):
        for part in itertools.combinations(range(len(tree)), count):
            tops = [u for u in part if tree.units[u].parent not in part]
            if len(tops) == 1:
                result.append((tops[0], frozenset(part)))
    return result


@given(trees(most=7), st.integers(0, 2**31))
def test_marginals_are_those_of_all_connected_parts(words: list[Word], seed: int) -> None:
    tree = UnitTree(words)
    rng = np.random.default_rng(seed)
    scores = TreeScores(rng.normal(0, 2, len(tree)), rng.normal(0, 2, len(tree)))
    result = marginals(Forest([[tree]]), scores)
    weights = {
        (top, part): math.exp(scores.tops[top] + sum(scores.edges[u] for u in part if u != top))
        for top, part in connected_parts(tree)
    }
    total = sum(weights.values())
    assert result.partition[0] == pytest.approx(math.log(total))
    for u in range(len(tree)):
        assert result.top[u] == pytest.approx(sum(w for (top, _), w in weights.items() if top == u) / total)
        remaining = sum(w for (_, part), w in weights.items() if u in part) / total
        assert result.kept[u] == pytest.approx(remaining)
        parent = tree.units[u].parent
        if parent is not None:
            with_parent = sum(w for (_, part), w in weights.items() if parent in part)
            both = sum(w for (_, part), w in weights.items() if parent in part and u in part)
            assert result.keep_probabilities[u] == pytest.approx(both / with_parent)


@given(trees(most=6), st.integers(0, 2**31))
def test_pairs_of_words_are_kept_as_often_as_in_all_connected_parts(words: list[Word], seed: int) -> None:
    tree = UnitTree(words)
    rng = np.random.default_rng(seed)
    names = sorted({name for u in range(len(tree)) for name in unit_features(tree, u)})
    model = DeletionModel(*(dict(zip(names, rng.normal(0, 0.1, len(names)).tolist(), strict=True)) for _ in range(2)))
    result, scores = KeepProbabilities(model, [[tree]]), model.scores([tree])
    weights = {
        part: math.exp(scores.tops[top] + sum(scores.edges[u] for u in part if u != top))
        for top, part in connected_parts(tree)
    }
    total = sum(weights.values())
    for i, j in itertools.product(range(len(words)), repeat=2):
        both = sum(w for part, w in weights.items() if {tree.unit_of[i], tree.unit_of[j]} <= part)
        assert result.pair(0, i, j) == pytest.approx(both / total)
        assert result.pair(1, i, j) == 0  # a sentence beyond the text's end


@given(trees(most=6), trees(most=6), st.integers(0, 2**31))
def test_a_text_of_two_sentences_has_one_top(first: list[Word], second: list[Word], seed: int) -> None:
    texts = [UnitTree(first), UnitTree(second, 1)]
    count = sum(map(len, texts))
    rng = np.random.default_rng(seed)
    result = marginals(Forest([texts]), TreeScores(rng.normal(size=count), rng.normal(size=count)))
    assert result.top.sum() == pytest.approx(1)


@given(trees(most=6), trees(most=5), st.integers(0, 2**31))
def test_the_gradient_of_what_is_kept_is_that_of_differences(first: list[Word], second: list[Word], seed: int) -> None:
    forest = Forest([[UnitTree(first), UnitTree(second, 1)], [UnitTree(second)]])
    rng = np.random.default_rng(seed)
    worth, edges, tops = rng.normal(size=(3, len(forest)))

    def value(edges: np.ndarray, tops: np.ndarray) -> float:
        return float(worth @ marginals(forest, TreeScores(edges, tops)).kept)

    of_edges, of_tops = kept_gradient(forest, marginals(forest, TreeScores(edges, tops)), worth)
    for u in range(len(forest)):
        step = 1e-5 * np.eye(len(forest))[u]
        assert of_edges[u] == pytest.approx((value(edges + step, tops) - value(edges - step, tops)) / 2e-5, abs=1e-6)
        assert of_tops[u] == pytest.approx((value(edges, tops + step) - value(edges, tops - step)) / 2e-5, abs=1e-6)


def _tree(day: str) -> UnitTree:
    [words] = words_of(f"Sales rose sharply on {day}.")
    return UnitTree(words)


@pytest.mark.parametrize("with_network", [False, True])
def test_training_finds_what_is_left_out(monkeypatch: pytest.MonkeyPatch, with_network: bool) -> None:
    monkeypatch.setattr("widl.headline.deletion_training._MIN_TEXTS", 100 if with_network else 1000)
    days = ["Monday", "Friday", "Sunday"]
    texts = [ShortenedText([_tree(day)], [[True, True, True, False, False]]) for day in days * 100]
    model = train_deletion_model(texts)
    tree = _tree("Tuesday")
    result = KeepProbabilities(model, [[tree]])
    stays = {tree.content(u).key: result.keep_probability(tree, u) for u in range(len(tree))}
    assert stays["tuesday"] < 0.2
    assert stays["sales"] > 0.8
    assert result.top(tree, 0) > 0.8  # rose
    assert train_deletion_model(texts).as_json() == model.as_json()
    assert (model.network is not None) == with_network


def test_training_has_one_thread_of_linear_algebra_whatever_the_process_has(monkeypatch: pytest.MonkeyPatch) -> None:
    def threads(_: object) -> DeletionModel:
        used = {item["num_threads"] for item in threadpool_info() if item["user_api"] == "blas"}
        return DeletionModel({str(number): 1.0 for number in used}, {})

    monkeypatch.setattr("widl.headline.deletion_training._train_weights", threads)
    with threadpool_limits(2, user_api="blas"):
        assert list(train_deletion_model([]).edges) == ["1"]


def test_a_model_without_weights_knows_nothing() -> None:
    tree = _tree("Monday")
    result = KeepProbabilities(DeletionModel({}, {}), [[tree]])
    assert [result.keep_probability(tree, u) for u in range(1, len(tree))] == [0.5, 0.5, 0.5]
