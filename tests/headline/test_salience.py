"""Salience: the regression against a dense one, features by hand."""

import math
import random

import pytest

from reference.logistic import fit
from tests.headline.parses import sentence
from widl.headline.salience import DocumentFeatures, Regression, SalienceModel
from widl.headline.words import words_of

OIL = "Oil/NOUN/compound>1 prices/NOUN/nsubj>2 rose/VERB/root>2 5.5/NUM/nummod>4 pct/NOUN/obj>2+ ./PUNCT/punct>2"
AGAIN = "Prices/NOUN/nsubj>3 of/ADP/case>2 OPEC/PROPN/nmod>0 rose/VERB/root>3 again/ADV/advmod>3"
SENTENCES = [words_of(sentence(OIL)), words_of(sentence(AGAIN))]


def rows(seed: int, count: int = 200) -> list[tuple[dict[str, float], bool]]:
    order = random.Random(seed)
    found = []
    for _ in range(count):
        features = {"bias": 1.0} | {name: order.gauss(0, 1) for name in "abc" if order.random() < 0.6}
        features |= {f"rare {order.randrange(60)}": 1.0}
        z = 0.7 + 1.5 * features.get("a", 0) - features.get("b", 0)
        found.append((features, order.random() < 1 / (1 + math.exp(-z))))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "penalty", "min_count"), [(1, 1.0, 10), (2, 0.1, 4), (3, 5.0, 1)])
def test_regression_equals_newtons_method(seed: int, penalty: float, min_count: int) -> None:
    data = rows(seed)
    found = Regression.fit(data, penalty=penalty, min_count=min_count)
    expected = fit(data, penalty, min_count)
    assert set(found.weights) <= set(expected)
    for name, weight in expected.items():
        assert found.weights.get(name, 0.0) == pytest.approx(weight, abs=3e-3)
    features = data[0][0]
    z = sum(expected.get(name, 0) * value for name, value in features.items())
    assert found.probability(features) == pytest.approx(1 / (1 + math.exp(-z)), abs=1e-3)


def test_probabilities_at_the_ends() -> None:
    regression = Regression({"x": 1.0})
    assert regression.probability({}) == 0.5
    assert regression.probability({"x": 1000.0}) == 1.0
    assert 0 < regression.probability({"x": -1000.0}) < 1e-12
    assert regression.probability({"unknown": 5.0}) == 0.5


def test_nothing_to_learn_from() -> None:
    assert Regression.fit([]).weights == {}
    assert Regression.fit([({"bias": 1.0}, False)] * 3).weights == {}


def test_word_features_by_hand() -> None:
    document = DocumentFeatures(SENTENCES, {"prices": 0.25})
    assert document.word_features(0, 1) == {
        "bias": 1.0,
        "tag NOUN": 1.0,
        "relation nsubj": 1.0,
        "relation nsubj root 0": 1.0,
        "sentence 0": 1.0,
        "position 0 1": 1.0,
        "above rise": 1.0,
        "key prices": 1.0,
        "first 0": 1.0,
        "count 2": 1.0,
        "shape lower 0": 1.0,
        "taken": math.log(0.25),
        "next VERB": 1.0,
        "before NOUN": 1.0,
    }
    features = document.word_features(1, 2)
    assert {"never seen", "shape upper 1", "first 1", "before of", "next VERB", "above NOUN"} <= set(features)
    assert "shape number 0" in document.word_features(0, 3)
    assert "taken" in document.word_features(1, 0)
    assert "first 0" in document.word_features(1, 0)


def test_pair_features_by_hand() -> None:
    document = DocumentFeatures(SENTENCES, {})
    features = document.pair_features(0, 1, 4, 0.5, 0.2)
    assert features["left"] == 0
    assert features["right"] == pytest.approx(math.log(0.2 / 0.8))
    assert features["product"] == pytest.approx(math.log(0.1 / 0.9))
    assert {
        "gap 3",
        "gap 3 side nsubj+obj",
        "tags NOUN NOUN",
        "tags NOUN NOUN 3",
        "between VERB NUM",
        "keys prices pct",
        "right key pct NOUN",
        "left key prices NOUN",
        "sentence 0",
        "pair count 0",
        "position 0 1",
    } <= set(features)
    assert "gap 1 up compound" in document.pair_features(0, 0, 1, 0.5, 0.5)
    assert "gap 2 down nmod" in document.pair_features(1, 0, 2, 0.5, 0.5)
    assert "gap 2 none compound+root" in document.pair_features(0, 0, 2, 0.5, 0.5)
    assert "pair count 1" in document.pair_features(0, 1, 2, 0.5, 0.5)
    assert all(map(math.isfinite, document.pair_features(0, 0, 1, 0.0, 1.0).values()))


def test_salience_of_a_word_is_computed_once() -> None:
    words = Regression({"key prices": 2.0, "bias": -1.0})
    pairs = Regression({"product": 1.0})
    document = SalienceModel(words, pairs, {}).document(SENTENCES)
    assert document.word(0, 1) == pytest.approx(1 / (1 + math.exp(-1)))
    assert document.word(0, 0) == pytest.approx(1 / (1 + math.e))
    # With its one weight, the pair's probability is the product of the words'.
    assert document.pair(0, 0, 1) == pytest.approx(document.word(0, 0) * document.word(0, 1))
    pairs.weights["product"] = 0.0  # type: ignore[index]
    words.weights["bias"] = 5.0  # type: ignore[index]
    assert document.pair(0, 0, 1) == pytest.approx(document.word(0, 0) * document.word(0, 1))
    assert document.pair(0, 1, 2) == 0.5
