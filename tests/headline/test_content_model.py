"""The content model: trained on pairs of headlines and texts, saved and loaded."""

import json
import random
from collections.abc import Sequence

import pytest

from tests.headline.parses import words
from widl.headline.content_model import CompressedText, ContentModel, TrainingPair, train_content_model
from widl.headline.deletion_model import KeepProbabilities
from widl.headline.shortened_texts import lemma_counts
from widl.headline.units import UnitTree
from widl.headline.words import Word

COMPANIES = ["Acme", "Shell", "Fiat", "Sony", "Ford", "Nestle"]
GOODS = ["wells", "mines", "farms", "ships", "shops"]


def pair(company: str, goods: str, place: str) -> TrainingPair:
    """The headline keeps the company, a present-tense verb and the goods, but never the day, the place or the
    adverb.
    """
    text = f"{company} bought {goods} quietly on Friday. It opened them in {place}."
    return TrainingPair(f"{company} BUYS {goods}".upper(), text, words(text))


def pairs(count: int = 60) -> list[TrainingPair]:
    generator = random.Random(1)
    places = ["Peru", "Oslo", "Rome", "Cairo"]
    return [pair(generator.choice(COMPANIES), generator.choice(GOODS), generator.choice(places)) for _ in range(count)]


@pytest.fixture(scope="module")
def model() -> ContentModel:
    return train_content_model(pairs())


def kept(model: ContentModel, sentences: Sequence[Sequence[Word]]) -> KeepProbabilities:
    """The words of a text that a headline keeps."""
    assert model.headlines is not None
    counts = lemma_counts(sentences)
    return KeepProbabilities(
        model.headlines, [[UnitTree(words, s, counts=counts) for s, words in enumerate(sentences)]]
    )


def test_what_headlines_take_is_learned(model: ContentModel) -> None:
    """The test sentence is *Opec bought farms quietly on Friday*, with an unseen company."""
    result = kept(model, pair("Opec", "farms", "Lima").sentences)
    company, bought, goods, quietly, _, friday = (result.word(0, i) for i in range(6))
    assert min(company, bought, goods) > 0.7
    assert max(quietly, friday) < 0.2
    assert result.word(1, 4) < company - 0.2  # a name, too, but in the second sentence
    assert result.pair(0, 0, 1) > 0.7 > 0.2 > result.pair(0, 1, 3)


def test_each_stage_is_reported_up_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("widl.headline.deletion_training._MIN_TEXTS", 50)
    monkeypatch.setattr("widl.headline.deletion_training._EPOCHS", 2)
    given = pairs()
    texts = [CompressedText(" ".join(pair.text.split()[:3]), pair.sentences) for pair in given]
    reports: list[tuple[str, int, int]] = []
    train_content_model(given, texts, lambda *report: reports.append(report))
    expected = []
    for kind in ("headlines", "compressions"):
        expected += [(f"read {kind}", done, 60) for done in range(1, 61)]
        expected += [(f"learn {kind}", done, 2) for done in (1, 2)]
    assert reports == expected


def test_verbs_in_the_present(model: ContentModel) -> None:
    assert model.forms is not None
    assert model.forms.is_present(pair("Opec", "farms", "Lima").sentences[0], 1)
    assert model.forms.verbs == {"one": [0, 60, 0]}


def test_keywords(model: ContentModel) -> None:
    result = model.keywords.keywords(pair("Acme", "farms", "Peru").sentences, 2)
    assert {keyword.text for keyword in result} == {"Acme", "farms"}
    # Each headline has two words of its text's first sentence, none of the second.
    assert model.keywords.positions[:2] == pytest.approx([121 / 140, 1 / 140])


def test_through_json(model: ContentModel) -> None:
    again = ContentModel.from_json(json.loads(json.dumps(model.as_json())))
    assert again.as_json() == model.as_json()
    document = pair("Opec", "farms", "Lima").sentences
    assert kept(again, document).pair(0, 0, 2) == kept(model, document).pair(0, 0, 2)
    assert again.keywords.keywords(document) == model.keywords.keywords(document)


def test_without_pairs() -> None:
    model = ContentModel()
    assert model.headlines is None
    assert model.forms is None
    assert ContentModel.from_json(json.loads(json.dumps(model.as_json()))).as_json() == model.as_json()


def test_headlines_that_have_nothing_of_their_texts() -> None:
    strange = [TrainingPair("GANZ ANDERE WORTE", example.text, example.sentences) for example in pairs(12)]
    model = train_content_model(strange)
    assert not any(model.headlines.edges.values())
    assert sum(keyword.weight for keyword in model.keywords.keywords(strange[0].sentences)) == pytest.approx(1)


def test_pairs_without_words() -> None:
    model = train_content_model([TrainingPair("", "", []), TrainingPair("A HEADLINE", "", [])])
    document = pair("Opec", "farms", "Lima").sentences
    assert not model.headlines.edges
    assert model.keywords.keywords(document)
