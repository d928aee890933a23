"""Keywords: the models of headlines and texts against their definitions, names, forms of a word, weights."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.headline.parses import words
from tests.headline.trees import trees
from widl.headline.keywords import MAX_SENTENCES, KeywordModel, position_model, text_model
from widl.headline.words import Word

KEYS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=8)


STOCK = "Ohio Edison sells three plants today. Edison said its plant is old."


@given(st.lists(st.tuples(KEYS, KEYS), min_size=1, max_size=6))
def test_text_model_is_its_definition(pairs: list[tuple[list[str], list[str]]]) -> None:
    """Zhou & Hovy 2003: Σ_j doc_tf(w, j) · title_tf(w, j) / Σ_j doc_tf(w, j), here smoothed by four average words."""
    everything = [(w, j) for j, (_, text) in enumerate(pairs) for w in text]
    taken = {w: sum(pairs[j][0].count(w) for v, j in everything if v == w) for w, _ in everything}
    average = max(1, sum(taken.values())) / max(1, len(everything))
    result = text_model(pairs)
    assert set(result) == {w for w, _ in everything if sum(v == w for v, _ in everything) >= 3}
    for w, probability in result.items():
        count = sum(v == w for v, _ in everything)
        assert probability == pytest.approx((taken[w] + 4 * average) / (count + 4))
        assert probability > 0


def test_position_model_by_hand() -> None:
    """*edison* and *plants* of the first, *old* of the second sentence; *gas* does not occur; counts are incremented by
    one.
    """
    result = position_model([(["edison", "plants", "old", "gas"], words(STOCK))])
    assert len(result) == MAX_SENTENCES
    assert result == pytest.approx([3 / 23, 2 / 23] + [1 / 23] * 18)


def test_untrained_weights_are_frequency_and_place() -> None:
    """Ohio Edison and its words: 3 occurrences; plant and plants: 2; sells and old: 1, old in the second sentence.

    *three*, *said*, *is* and *its* are not keywords.
    """
    result = KeywordModel().keywords(words(STOCK))
    total = 3 + 2 + 1 + 1 + 0.7
    assert [(keyword.text, keyword.lemmas) for keyword in result] == [
        ("Ohio Edison", ("ohio", "edison")),
        ("plants", ("plant",)),
        ("sells", ("sell",)),
        ("today", ("today",)),
        ("old", ("old",)),
    ]
    assert [keyword.weight for keyword in result] == pytest.approx(
        [3 / total, 2 / total, 1 / total, 1 / total, 0.7 / total]
    )


def test_trained_weights_are_the_product_of_both_models() -> None:
    model = KeywordModel({"plants": 0.4, "plant": 0.1, "old": 0.5, "sells": 0.2}, [0.6, 0.3, 0.1])
    result = {keyword.text: keyword.weight for keyword in model.keywords(words(STOCK))}
    # The best form counts; unseen words count like the rarest.
    weights = {"plants": 0.6 * 0.4, "old": 0.3 * 0.5, "sells": 0.6 * 0.2, "Ohio Edison": 0.6 * 0.1, "today": 0.6 * 0.1}
    total = sum(weights.values())
    assert result == pytest.approx({text: weight / total for text, weight in weights.items()})
    assert max(result, key=lambda text: result[text]) == "plants"


def test_a_name_that_begins_with_a_light_word_keeps_its_text() -> None:
    assert [keyword.text for keyword in KeywordModel().keywords(words("Said Aouita won."))] == [
        "Said Aouita",
        "won",
    ]


@pytest.mark.parametrize("text", ["He was there.", "3.5 17", "--"])
def test_no_keywords(text: str) -> None:
    assert KeywordModel().keywords(words(text)) == KeywordModel({"a": 0.5}, [1.0]).keywords(words(text)) == []


@pytest.mark.slow
@given(st.lists(trees(), min_size=1, max_size=4), st.integers(1, 6))
def test_keywords_of_anything(sentences: Sequence[Sequence[Word]], count: int) -> None:
    result = KeywordModel().keywords(sentences, count)
    assert len(result) <= count
    assert sum(keyword.weight for keyword in result) == pytest.approx(1 if result else 0)
    assert [keyword.weight for keyword in result] == sorted((keyword.weight for keyword in result), reverse=True)
    lemmas = [lemma for keyword in result for lemma in keyword.lemmas]
    assert len({keyword.lemmas for keyword in result}) == len(result)
    content = {word.lemma for s in sentences for word in s if word.tag == "PROPN" or word.is_content}
    assert set(lemmas) <= content
    texts = {word.text for s in sentences for word in s}
    for keyword in result:
        assert keyword.text
        assert set(keyword.text.split()) <= texts
        assert math.isfinite(keyword.weight)
        assert keyword.weight > 0
