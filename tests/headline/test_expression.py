"""The expression of a headline: the paper's example, phrases and what they serve, packings within a budget."""

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.packings import derivations
from tests.core_options import Algorithm, search_options
from tests.headline.parses import sentence
from tests.headline.trees import trees
from widl._core import Realization, Vocabulary
from widl.decoder import (
    CoreRealizer,
    FeatureLayout,
    RealizationOptions,
    Realizer,
    count_derivations,
    default_realization_weights,
    enumerate_strings,
    language_model_from_lines,
)
from widl.headline.budget import Budget
from widl.headline.expression import (
    COMPONENTS,
    HeadlinePhrase,
    PhraseOptions,
    headline_phrases,
    keyword_expression,
    packing_of,
)
from widl.headline.keywords import Keyword, KeywordModel
from widl.headline.salience import Regression, SalienceModel
from widl.headline.verbs import VerbForms
from widl.headline.words import Word, words_of

# Soricut & Marcu 2006, Figure 4; the phrase of "turkish" is that of their Figure 1.
FIGURE_4 = {
    ("iraq", 0.32): {"in iraq": 0.4, "northern iraq": 0.5, "iraq and iran": 0.1},
    ("syria", 0.25): {"into syria": 0.6, "and syria": 0.4},
    ("rebels", 0.22): {"attacked rebels": 0.7, "rebels fighting": 0.3},
    ("turkish", 0.14): {"turkish government": 1.0},
}
HEADLINE = "turkish government attacked rebels in iraq and syria"
BORDER = language_model_from_lines(
    [
        "the turkish government attacked rebels again",
        "it attacked rebels in iraq and syria",
        "in iraq and syria rebels fighting the government fled",
        "they went into syria",
        "northern iraq is in the north",
    ]
)

COMPANY = (
    "Acme/PROPN/compound>1 Corp/PROPN/nsubj>2 said/VERB/root>2 it/PRON/nsubj>5 will/AUX/aux>5 sell/VERB/ccomp>2 "
    "oil/NOUN/compound>7 wells/NOUN/obj>5 in/ADP/case>9 Peru/PROPN/nmod>7"
)
WELLS = "The/DET/det>2 oil/NOUN/compound>2 wells/NOUN/nsubj>3 attracted/VERB/root>3 money/NOUN/obj>3"
DOCUMENT = [words_of(sentence(COMPANY)), words_of(sentence(WELLS))]
KEYWORDS = KeywordModel().keywords(DOCUMENT)


def test_the_papers_example_as_the_papers_expression() -> None:
    expression = keyword_expression(FIGURE_4)
    assert count_derivations(expression) == 3 * 2 * 2 * math.factorial(4)
    best = Realizer([BORDER]).realize_one(expression, RealizationOptions(max_words=10))
    assert best.optimal
    assert best.text == HEADLINE
    scores = best.features["widl"]
    interleaved = math.log(1 / math.factorial(4))
    assert scores == pytest.approx(interleaved + math.log(0.4 * 0.32 * 0.4 * 0.25 * 0.7 * 0.22 * 0.14))
    assert len(best.text.split()) <= 10


def test_in_the_papers_expression_every_keyword_has_its_phrase() -> None:
    found = enumerate_strings(keyword_expression(FIGURE_4))
    for realized_string in found:
        for _, forms in FIGURE_4.items():
            assert sum(f" {text} " in f" {realized_string.string} " for text in forms) == 1
    assert len({realized_string.string for realized_string in found}) == 3 * 2 * 2 * 24


def test_the_paper_has_no_headline_where_a_phrase_for_each_keyword_is_too_much() -> None:
    from widl.common.errors import InputError

    realizer = Realizer([BORDER])
    with pytest.raises(InputError, match="7 words"):
        realizer.realize_one(keyword_expression(FIGURE_4), RealizationOptions(max_words=7))


def figure_phrases() -> list[HeadlinePhrase]:
    lemmas = {
        "in iraq": "iraq",
        "northern iraq": "iraq northern",
        "iraq and iran": "iraq iran",
        "into syria": "syria",
        "and syria": "syria",
        "attacked rebels": "attack rebel",
        "rebels fighting": "rebel fight",
        "turkish government": "turkish government",
    }
    found = []
    for (_, weight), forms in FIGURE_4.items():
        for text, p in forms.items():
            words = tuple(text.split())
            features = {"keywords": weight, "phrase": math.log(p), "words": 0.0, "pairs": 0.0, "place": 0.0}
            found.append(HeadlinePhrase(words, words, frozenset(lemmas[text].split()), features, 0))
    return found


def realized(phrases: Sequence[HeadlinePhrase], weights: dict[str, float], **options: object) -> Realization:
    vocabulary = Vocabulary([])
    packing, kept = packing_of(phrases, vocabulary)
    assert kept == list(phrases)
    names = dict.fromkeys(default_realization_weights(1, 1), 0.0) | dict.fromkeys(COMPONENTS, 0.0)
    vector = FeatureLayout.of(COMPONENTS, 1).weight_vector({n: w for n, w in (names | weights).items() if n != "widl"})
    [found] = CoreRealizer(vocabulary, [BORDER]).realize_packings([packing], vector, search_options(**options))
    return found


@pytest.mark.parametrize(
    ("limits", "headline"),
    [
        ({"max_words": 10}, HEADLINE),
        ({"max_words": 6}, "attacked rebels in iraq and syria"),
        ({"max_bytes": 26}, "attacked rebels in iraq"),
    ],
)
def test_the_papers_example_as_a_packing(limits: dict[str, int], headline: str) -> None:
    """As much weight of keywords as the budget holds, put fluently; less of it where there's less room."""
    weights = {"keywords": 20.0, "phrase": 0.1, "lm0": 1.0}
    found = realized(figure_phrases(), weights, algorithm=Algorithm.astar, **limits)
    assert found.optimal
    if "max_bytes" in limits:
        assert len(" ".join(found.words)) <= 26
        assert sum(word in {"iraq", "syria", "rebels", "turkish"} for word in found.words) == 2
    else:
        assert " ".join(found.words) == headline
    texts = {" ".join(phrase.words) for phrase in figure_phrases()}
    at, used = 0, []
    for _, _, count, _ in found.nbest[0].phrases:
        used.append(" ".join(found.words[at : at + count]))
        at += count
    assert set(used) <= texts


def test_phrases_of_a_document_by_hand() -> None:
    found = {" ".join(p.words): p for p in headline_phrases(DOCUMENT, KEYWORDS, None, None, PhraseOptions(most=1000))}
    weight = {keyword.text: keyword.weight for keyword in KEYWORDS}
    wells = found["oil wells"]
    assert wells.lemmas == {"oil", "well"}
    assert wells.sentence == 0
    covered = wells.features
    assert covered["keywords"] == pytest.approx(weight["oil"] + weight["wells"])
    assert covered["words"] == pytest.approx(weight["oil"] + weight["wells"])
    assert covered["pairs"] == pytest.approx(math.sqrt(weight["oil"] * weight["wells"]))
    assert covered["place"] == 0
    assert found["attracted money"].features["place"] == -1
    # Without a content word there is no phrase: "it" and "in" alone.
    assert all(phrase.lemmas for phrase in found.values())
    assert "Acme Corp sell oil wells in Peru" in found
    assert found["oil wells attracted money"].lemmas == {"oil", "well", "attract", "money"}


def test_a_name_counts_once_and_a_part_of_it_in_part() -> None:
    weight = {keyword.text: keyword.weight for keyword in KEYWORDS}
    found = {" ".join(p.words): p for p in headline_phrases(DOCUMENT, KEYWORDS, None, None, PhraseOptions(most=1000))}
    assert found["Acme Corp"].features["keywords"] == pytest.approx(weight["Acme Corp"])
    assert found["Acme"].features["keywords"] == pytest.approx(weight["Acme Corp"] / 2)


def test_no_phrase_says_a_word_twice() -> None:
    """*Acme buys Acme wells* would, with both subjects and compounds; its parts are there."""
    twice = "Acme/PROPN/nsubj>1 bought/VERB/root>1 Acme/PROPN/compound>3 wells/NOUN/obj>1"
    words = [words_of(sentence(twice))]
    found = {" ".join(p.words) for p in headline_phrases(words, KEYWORDS, None, None, PhraseOptions(most=1000))}
    assert {"Acme", "Acme bought", "bought Acme wells", "Acme wells"} <= found
    assert "Acme bought Acme wells" not in found


def test_phrase_shares_sum_to_one_for_each_keyword() -> None:
    """The phrases whose heaviest keyword is the same share one probability, by frequency and nearness."""
    weights = {lemma: keyword.weight / len(keyword.lemmas) for keyword in KEYWORDS for lemma in keyword.lemmas}
    phrases = headline_phrases(DOCUMENT, KEYWORDS, None, None, PhraseOptions(most=1000))
    shares: dict[str, list[float]] = {}
    for phrase in phrases:
        heaviest = max(sorted(phrase.lemmas), key=lambda lemma: weights.get(lemma, 0.0))
        shares.setdefault(heaviest, []).append(math.exp(phrase.features["phrase"]))
    assert len(shares) > 1
    assert [sum(each) for each in shares.values()] == pytest.approx([1] * len(shares))
    by_text = {" ".join(phrase.words): phrase.features["phrase"] for phrase in phrases}
    # Said in both sentences, and in the first only.
    assert math.exp(by_text["oil wells"] - by_text["oil wells in Peru"]) == pytest.approx(1.5)


def test_with_salience_and_verb_forms() -> None:
    model = SalienceModel(Regression({"bias": -1.0, "key peru": 2.0}), Regression({"bias": -2.0}), {})
    salience = model.document(DOCUMENT)
    verbs = VerbForms({":one": [0.0, 1.0, 0.0], ":several": [0.0, 0.0, 1.0], ":none": [1.0, 0.0, 0.0]})
    options = PhraseOptions(most=1000)
    found = {" ".join(p.words): p for p in headline_phrases(DOCUMENT, KEYWORDS, salience, verbs, options)}
    peru, other, pair = 1 / (1 + math.exp(-1)), 1 / (1 + math.e), 1 / (1 + math.exp(2))
    assert measures(found["Peru"]) == pytest.approx((peru, 0))
    assert measures(found["oil wells in Peru"]) == pytest.approx((3 * other + peru, 3 * pair))
    attract = found["oil wells attract money"]  # and the verb's lemma stays what it was
    assert (attract.keys, attract.lemmas) == (attract.words, {"oil", "well", "attract", "money"})
    assert "oil wells attracted money" not in found
    plain = headline_phrases(DOCUMENT, KEYWORDS, salience, verbs, PhraseOptions(most=1000, present_tense=False))
    assert "oil wells attracted money" in {" ".join(p.words) for p in plain}


def measures(phrase: HeadlinePhrase) -> tuple[float, float]:
    return phrase.features["words"], phrase.features["pairs"]


def test_options_of_phrases() -> None:
    assert len(headline_phrases(DOCUMENT, KEYWORDS, None, None, PhraseOptions(most=3))) == 3
    first = headline_phrases(DOCUMENT, KEYWORDS, None, None, PhraseOptions(sentences=1, most=1000))
    assert {phrase.sentence for phrase in first} == {0}
    short = headline_phrases(DOCUMENT, KEYWORDS, None, None, PhraseOptions(longest=2, most=1000))
    assert {len(phrase.words) for phrase in short} == {1, 2}
    assert headline_phrases([], [], None, None, PhraseOptions()) == []


def test_a_packing_tells_apart_the_lemmas_that_most_phrases_share() -> None:
    nothing = dict.fromkeys(COMPONENTS, 0.0)
    phrases = [HeadlinePhrase((w,), (w,), frozenset({w}), nothing, 0) for w in map("w{}".format, range(70))]
    phrases.append(HeadlinePhrase(("w69", "w68"), ("w69", "w68"), frozenset({"w69", "w68"}), nothing, 0))
    packing, kept = packing_of(phrases, Vocabulary([]))
    assert len(kept) == 62 + 3
    assert {"w68", "w69"} <= frozenset().union(*(phrase.lemmas for phrase in kept))
    assert kept[-1].words == ("w69", "w68")
    assert packing is not None


WEIGHTS = st.fixed_dictionaries(
    {name: st.floats(-1, 2) for name in (*COMPONENTS, "word_count", "phrase_count")} | {"lm0": st.floats(0, 1)}
)


@settings(max_examples=60)
@given(
    st.lists(trees(most=6), min_size=1, max_size=2),
    WEIGHTS,
    st.builds(Budget, words=st.integers(2, 10), bytes=st.integers(12, 60)),
)
def test_every_alternative_within_the_budget_is_reached(
    sentences: list[list[Word]], weights: dict[str, float], budget: Budget
) -> None:
    keywords = KeywordModel().keywords(sentences)
    phrases = headline_phrases(sentences, keywords, None, None, PhraseOptions(most=5))
    phrases = [phrase for phrase in phrases if budget.fits(phrase.keys)]
    if not phrases:
        return
    lemmas = sorted(frozenset().union(*(phrase.lemmas for phrase in phrases)))
    plain = [(frozenset(map(lemmas.index, phrase.lemmas)), phrase.keys, phrase.features) for phrase in phrases]
    expected = {family for family in derivations(plain) if budget.fits([w for p in family for w in phrases[p].keys])}
    limits = {"max_words": budget.words, "max_bytes": budget.bytes}
    found = realized(phrases, weights, algorithm=Algorithm.astar, nbest=1000, **limits)
    reached = [tuple(number for _, _, _, number in candidate.phrases) for candidate in found.nbest]
    assert len(reached) == len(set(reached))
    assert set(reached) == expected
    for family in reached:
        said = [lemma for p in family for lemma in phrases[p].lemmas]
        assert len(said) == len(set(said))  # no keyword twice


@pytest.mark.slow
@settings(max_examples=80)
@given(st.lists(trees(), min_size=1, max_size=4), st.integers(1, 4))
def test_phrases_of_anything(sentences: list[list[Word]], count: int) -> None:
    keywords = KeywordModel().keywords(sentences)
    phrases = headline_phrases(sentences, keywords, None, VerbForms({}), PhraseOptions(sentences=count, most=1000))
    weights = {lemma: keyword.weight / len(keyword.lemmas) for keyword in keywords for lemma in keyword.lemmas}
    assert len({phrase.keys for phrase in phrases}) == len(phrases)
    for phrase in phrases:
        assert phrase.sentence < count
        assert len(phrase.words) == len(phrase.keys) <= 10
        assert all(map(math.isfinite, phrase.features.values()))
        assert phrase.features["keywords"] == pytest.approx(sum(weights.get(lemma, 0.0) for lemma in phrase.lemmas))
        assert phrase.features["phrase"] <= 1e-9
        words = sentences[phrase.sentence]
        # Its words are in the sentence's order, and its lemmas are those of its content words and verbs.
        at = [i for i, word in enumerate(words) if word.text in phrase.words]
        assert len(at) >= len(set(phrase.words))
        assert phrase.lemmas <= {word.lemma for word in words if word.is_content}


def test_keyword_expression_of_one_keyword_or_one_phrase() -> None:
    assert str(keyword_expression({("a", 0.5): {"a b": 1.0}})) == "∨{scores: 0.5}(×(a · b))"
    two = keyword_expression({("a", 0.5): {"a": 1.0}, ("b", 0.5): {"b": 1.0}})
    found = {result.string: result.probability for result in enumerate_strings(two)}
    assert found == pytest.approx({"a b": 0.125, "b a": 0.125})


def test_neighbours_of_a_phrase_need_not_be_neighbours_in_the_text() -> None:
    """The feature counts pairs of a phrase: *sell wells* of *sell oil wells*."""
    keywords = [Keyword("sell", ("sell",), 0.5), Keyword("peru", ("peru",), 0.5)]
    found = headline_phrases(DOCUMENT, keywords, None, None, PhraseOptions(most=1000))
    by_text = {phrase.words: phrase for phrase in found}
    for words, phrase in by_text.items():
        values = [0.5 if word.lower() in {"sell", "peru"} else 0.0 for word in words]
        assert phrase.features["pairs"] == pytest.approx(sum(math.sqrt(a * b) for a, b in pairwise(values)))
