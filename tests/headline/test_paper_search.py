"""``widl-paper``: phrases of keywords, the expression's size, the search, and results within the limit."""

import math
from collections.abc import Mapping, Sequence
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.headline.parses import parsed, words
from tests.headline.searches import searched
from tests.headline.trees import trees
from widl.decoder import CoreRealizer, LanguageModel, RealizationOptions, Realizer, Vocabulary
from widl.expressions import count_derivations, enumerate_strings
from widl.headline import Headliner
from widl.headline.keyword_phrases import KeywordPhrase, keyword_phrases
from widl.headline.keywords import Keyword, KeywordModel
from widl.headline.length_options import LengthLimit
from widl.headline.options import HeadlineOptions
from widl.headline.paper_search import (
    PAPER_WEIGHTS,
    fitting_phrases,
    paper_expression,
)
from widl.headline.punctuation import Letters, in_letters
from widl.headline.words import Word

BORDER = "Turkish troops attacked Kurdish rebels in northern Iraq and Syria. The rebels had fled into Iraq."
SENTENCES = words(BORDER)
IRAQ = Keyword("Iraq", ("iraq",), 0.4)
REBELS = Keyword("rebels", ("rebel",), 0.3)
TROOPS = Keyword("troops", ("troop",), 0.2)


def keywords_with_phrases(
    phrases: Mapping[tuple[str, float], Mapping[str, float]],
) -> dict[Keyword, list[KeywordPhrase]]:
    """Maps each keyword with its weight to phrases with probabilities."""
    return {
        Keyword(text, (text,), weight): [
            KeywordPhrase(tuple(form.split()), tuple(form.split()), p) for form, p in forms.items()
        ]
        for (text, weight), forms in phrases.items()
    }


# Soricut & Marcu 2006, Figure 4; the phrase of "turkish" comes from their Figure 1.
FIGURE_4 = keywords_with_phrases(
    {
        ("iraq", 0.32): {"in iraq": 0.4, "northern iraq": 0.5, "iraq and iran": 0.1},
        ("syria", 0.25): {"into syria": 0.6, "and syria": 0.4},
        ("rebels", 0.22): {"attacked rebels": 0.7, "rebels fighting": 0.3},
        ("turkish", 0.14): {"turkish government": 1.0},
    }
)
HEADLINE = "turkish government attacked rebels in iraq and syria"
FIGURE_MODEL = LanguageModel.estimate(
    [
        "the turkish government attacked rebels again",
        "it attacked rebels in iraq and syria",
        "in iraq and syria rebels fighting the government fled",
        "they went into syria",
        "northern iraq is in the north",
    ]
)


def shares(phrases: Sequence[KeywordPhrase]) -> dict[str, float]:
    return {" ".join(phrase.words): phrase.probability for phrase in phrases}


def test_phrases_of_a_keyword_by_hand() -> None:
    result = keyword_phrases(SENTENCES, [IRAQ, REBELS], 20)
    # Each once in the first sentence (1) or the second (1/2); Iraq alone and in are in both or one of them.
    iraq = {
        "Iraq": 1.5,
        "attacked in Iraq": 1,
        "in Iraq": 1,
        "northern Iraq": 1,
        "Iraq and Syria": 1,
        "fled into Iraq": 0.5,
        "into Iraq": 0.5,
    }
    assert shares(result[IRAQ]) == pytest.approx({text: count / 6.5 for text, count in iraq.items()})
    rebels = {"rebels": 1.5, "attacked rebels": 1, "Kurdish rebels": 1, "rebels fled": 0.5}
    assert shares(result[REBELS]) == pytest.approx({text: count / 4 for text, count in rebels.items()})


def test_names_are_keywords_in_whole_and_in_part() -> None:
    text = words("Acme Steel buys ships. Acme pays.")
    [name] = [keyword for keyword in KeywordModel().keywords(text) if keyword.text == "Acme Steel"]
    result = shares(keyword_phrases(text, [name], 9)[name])
    assert result == pytest.approx({"Acme Steel": 1 / 3, "Acme Steel buys": 1 / 3, "Acme": 1 / 6, "Acme pays": 1 / 6})


def test_pronouns_and_determiners_are_in_no_phrase_and_negations_are_in_all() -> None:
    rate, bank = Keyword("rate", ("rate",), 0.5), Keyword("bank", ("bank",), 0.5)
    result = keyword_phrases(words("The bank did not cut its rate."), [rate, bank], 9)
    assert set(shares(result[rate])) == {"rate", "not cut rate"}
    assert set(shares(result[bank])) == {"bank", "bank not cut"}


def test_six_keywords_with_four_phrases_have_the_papers_three_million_realizations() -> None:
    forms = {(f"k{i}", 1 / 6): {f"p{j} k{i}": 1 / 4 for j in range(4)} for i in range(6)}
    assert count_derivations(paper_expression(keywords_with_phrases(forms))) == 4**6 * math.factorial(6) == 2_949_120


def test_the_probability_is_that_of_keywords_times_phrases() -> None:
    phrases = keyword_phrases(SENTENCES, [IRAQ, REBELS], 2)
    result = {string.string: string.probability for string in enumerate_strings(paper_expression(phrases))}
    iraq, rebels = shares(phrases[IRAQ]), shares(phrases[REBELS])
    expected = {
        " ".join(order).lower(): 0.4 * iraq[a] * 0.3 * rebels[b] / 2
        for a, b in product(iraq, rebels)
        for order in permutations((a, b))
    }
    assert result == pytest.approx(expected)


def test_keywords_that_do_not_fit_are_left_out_from_the_lightest() -> None:
    def kept(limit: LengthLimit) -> list[str]:
        phrases = keyword_phrases(SENTENCES, [IRAQ, REBELS, TROOPS])
        return [keyword.text for keyword in fitting_phrases(phrases, limit)]

    assert kept(LengthLimit(words=3)) == ["Iraq", "rebels", "troops"]
    assert kept(LengthLimit(words=2)) == ["Iraq", "rebels"]
    assert kept(LengthLimit(words=0, bytes=4)) == ["Iraq"]
    assert kept(LengthLimit(words=0, bytes=3)) == []


@settings(max_examples=60)
@given(
    st.lists(trees(most=6), min_size=1, max_size=3),
    st.builds(LengthLimit, words=st.integers(0, 8), bytes=st.integers(8, 40)),
)
def test_what_is_kept_has_a_realization_within_the_budget(sentences: list[list[Word]], limit: LengthLimit) -> None:
    keywords = KeywordModel().keywords(sentences, 4)
    phrases = keyword_phrases(sentences, keywords, 3)
    for result in phrases.values():
        assert 1 <= len(result) <= 3
        assert sum(phrase.probability for phrase in result) == pytest.approx(1)
    remaining = fitting_phrases(phrases, limit)
    assert list(remaining) == [keyword for keyword in keywords if keyword in remaining]
    if remaining:
        choices = product(*([phrase.keys for phrase in result] for result in remaining.values()))
        assert any(limit.fits([key for keys in chosen for key in keys]) for chosen in choices)


GENERAL = ["rebels attacked in iraq", "kurdish rebels fled into syria", "troops attacked rebels", "iraq and syria"]


class FakeModel:
    """The parts of a model that `PaperSearch` uses: keywords, and a general and a document language model."""

    def __init__(self, keywords: list[Keyword]) -> None:
        self._keywords = keywords
        self.vocabulary = Vocabulary([])
        self.language_models = [LanguageModel.estimate(GENERAL), LanguageModel.estimate(GENERAL[:2])]

    def keywords(self, _parsed: object, count: int) -> list[Keyword]:
        return self._keywords[:count]

    def realizer(self, _text: str, *, headlines: bool) -> CoreRealizer:
        assert not headlines
        return CoreRealizer(self.vocabulary, self.language_models)


@settings(max_examples=40)
@given(
    st.fixed_dictionaries(
        {"widl": st.floats(-1, 2), "lm0": st.floats(0, 1), "lm1": st.floats(0, 1)}
        | {"word_count": st.floats(-2, 5), "phrase_count": st.floats(-2, 2)}
    ),
    st.builds(LengthLimit, words=st.integers(2, 6))
    | st.builds(LengthLimit, words=st.just(0), bytes=st.integers(5, 50)),
    st.sampled_from(["sentence", "title", "capitals"]),
)
def test_the_headline_is_the_best_of_all(weights: dict[str, float], limit: LengthLimit, letters: Letters) -> None:
    """Scores all strings of the expression that fit the limit in print, each separately."""
    model = FakeModel([IRAQ, REBELS, TROOPS])
    options = HeadlineOptions(system="widl-paper", words=limit.words, bytes=limit.bytes, letters=letters)
    headline = searched(model, parsed(BORDER), options, weights)  # type: ignore[arg-type]
    phrases = fitting_phrases(keyword_phrases(SENTENCES, model.keywords(None, 6)), limit, letters)
    if not phrases:
        assert headline.message
        return
    scores = {}
    for order in permutations(phrases):
        for chosen in product(*(phrases[keyword] for keyword in order)):
            keys = [key for phrase in chosen for key in phrase.keys]
            printed = in_letters([word for phrase in chosen for word in phrase.words], letters)
            p = math.prod(k.weight * phrase.probability for k, phrase in zip(order, chosen, strict=True))
            score = weights["widl"] * math.log(p / math.factorial(len(order)))
            for name, model_of in zip(("lm0", "lm1"), model.language_models, strict=True):
                score += weights[name] * sum(model_of.score_words(keys))
            score += weights["word_count"] * len(keys) + weights["phrase_count"] * len(chosen)
            if limit.fits(printed):
                scores[" ".join(keys)] = max(score, scores.get(" ".join(keys), -math.inf))
    assert headline.optimal
    assert limit.fits(headline.text.split(" "))
    assert headline.best.score == pytest.approx(max(scores.values()), abs=1e-6)
    assert scores[headline.text.lower()] == pytest.approx(max(scores.values()), abs=1e-6)
    features = headline.best.features
    assert headline.best.score == pytest.approx(sum(weights[n] * h for n, h in features.items()), abs=1e-6)
    assert len(headline.phrases) == len(phrases)


def test_the_papers_example_as_the_papers_expression() -> None:
    expression = paper_expression(FIGURE_4)
    assert count_derivations(expression) == 3 * 2 * 2 * math.factorial(4)
    best = Realizer([FIGURE_MODEL]).realize_one(expression, RealizationOptions(words=10))
    assert best.optimal
    assert best.text == HEADLINE
    scores = best.features["widl"]
    interleaved = math.log(1 / math.factorial(4))
    assert scores == pytest.approx(interleaved + math.log(0.4 * 0.32 * 0.4 * 0.25 * 0.7 * 0.22 * 0.14))
    assert len(best.text.split()) <= 10


def test_the_paper_has_no_headline_where_a_phrase_for_each_keyword_is_too_much() -> None:
    realizer = Realizer([FIGURE_MODEL])
    result = realizer.realize_one(paper_expression(FIGURE_4), RealizationOptions(words=7))
    assert result.failure == "no string of the expression fits 7 words: proved"


def test_a_document_without_room_gets_its_beginning() -> None:
    model = FakeModel([])
    options = HeadlineOptions(system="widl-paper")
    headline = searched(model, parsed(BORDER), options, PAPER_WEIGHTS)  # type: ignore[arg-type]
    assert headline.text.startswith("Turkish troops attacked")
    assert "no phrases" in headline.message


def test_the_explanation_lists_keywords_and_phrases(headlines: Path) -> None:
    """Same format as Figure 4; the expression's alternatives have the products of the two probabilities."""
    headliner = Headliner(headlines, system="widl-paper")
    options = HeadlineOptions(preset="paper-2006", explain=True)
    result = headliner.generate_one(
        "The bank said on Monday that it will sell bills. The bills are for banks.", options
    )
    assert result.explanation is not None
    keywords = result.explanation.as_dict()["keywords"]
    assert [keyword["weight"] for keyword in keywords] == sorted((k["weight"] for k in keywords), reverse=True)
    printed = str(result.explanation)
    for keyword in keywords:
        assert sum(phrase["probability"] for phrase in keyword["phrases"]) == pytest.approx(1, abs=1e-3)
        assert f"{keyword['keyword']} {keyword['weight']:.2f} {{" in printed
    by_words = {
        phrase["words"]: keyword["weight"] * phrase["probability"]
        for keyword in keywords
        for phrase in keyword["phrases"]
    }
    assert result.best.features["widl"] == pytest.approx(
        sum(math.log(by_words[phrase]) for phrase in result.best.phrases) - math.lgamma(len(keywords) + 1), abs=0.01
    )
