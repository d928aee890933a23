"""What pairs of headlines and texts teach."""

import json
import random

import pytest

from tests.headline.parses import sentence
from widl.headline.documents import Document
from widl.headline.expression import PhraseOptions, headline_phrases
from widl.headline.learning import Lessons, Pair, learn, untrained
from widl.headline.parsing import ParsedDocument
from widl.headline.words import sentences_of, words_of

COMPANIES = ["Acme", "Shell", "Fiat", "Sony", "Ford", "Nestle"]
GOODS = ["wells", "mines", "farms", "ships", "shops"]


def pair(company: str, goods: str, place: str) -> Pair:
    """The headline takes the company, a verb in the present and the goods; never the day, the place or the adverb."""
    text = (
        f"{company}/PROPN/nsubj>1 bought/VERB/root>1 {goods}/NOUN/obj>1 quietly/ADV/advmod>1 on/ADP/case>5 "
        f"Friday/PROPN/obl>1+ ./PUNCT/punct>1"
    )
    more = f"It/PRON/nsubj>1 opened/VERB/root>1 them/PRON/obj>1 in/ADP/case>4 {place}/PROPN/obl>1+ ./PUNCT/punct>1"
    sentences = [words_of(sentence(text)), words_of(sentence(more))]
    for words in sentences:
        words[:] = [word if word.text != "bought" else type(word)(*_bought(word)) for word in words]
    plain = " ".join(word.text for words in sentences for word in words)
    return Pair(f"{company} BUYS {goods}".upper(), plain, sentences)


def _bought(word: object) -> tuple[object, ...]:
    fields = {name: getattr(word, name) for name in ("text", "key", "lemma", "tag", "head", "relation")}
    return tuple((fields | {"lemma": "buy"}).values())


def pairs(count: int = 60) -> list[Pair]:
    order = random.Random(1)
    places = ["Peru", "Oslo", "Rome", "Cairo"]
    return [pair(order.choice(COMPANIES), order.choice(GOODS), order.choice(places)) for _ in range(count)]


@pytest.fixture(scope="module")
def lessons() -> Lessons:
    return learn(pairs())


def test_words_and_pairs_that_headlines_take_are_worth_more(lessons: Lessons) -> None:
    """*Opec bought farms quietly on Friday*, with a company never seen."""
    document = pair("Opec", "farms", "Lima").sentences
    assert lessons.worth is not None
    worth = lessons.worth.of(document)
    company, bought, goods, quietly, _, friday = (worth.word(0, i) for i in range(6))
    assert min(company, bought, goods) > 0.7
    assert max(quietly, friday) < 0.2
    assert worth.word(1, 4) < company - 0.2  # a name too, but of the second sentence
    assert worth.pair(0, 0, 1) > 0.7 > 0.2 > worth.pair(0, 1, 3)


def test_verbs_in_the_present(lessons: Lessons) -> None:
    assert lessons.verbs is not None
    words = pair("Opec", "farms", "Lima").sentences[0]
    shown, chance = lessons.verbs.best(words, 1)
    assert shown.text == "buys"
    assert chance > 0.9
    assert lessons.verbs.counts["bought"] == [0, 60, 0]


def test_keywords(lessons: Lessons) -> None:
    found = lessons.keywords.keywords(pair("Acme", "farms", "Peru").sentences, 2)
    assert {one.text for one in found} == {"Acme", "farms"}
    # Each headline has two words of its text's first sentence, none of the second.
    assert lessons.keywords.positions[:2] == pytest.approx([121 / 140, 1 / 140])


def test_the_best_phrase_is_the_headline(lessons: Lessons) -> None:
    document = pair("Opec", "farms", "Lima").sentences
    assert lessons.worth is not None
    keywords = lessons.keywords.keywords(document)
    best = headline_phrases(document, keywords, lessons.worth.of(document), lessons.verbs, PhraseOptions())[0]
    assert best.words == ("Opec", "buys", "farms")


def test_through_json(lessons: Lessons) -> None:
    again = Lessons.from_json(json.loads(json.dumps(lessons.as_json())))
    assert again.as_json() == lessons.as_json()
    assert again.worth is not None
    assert lessons.worth is not None
    document = pair("Opec", "farms", "Lima").sentences
    assert again.worth.of(document).pair(0, 0, 2) == lessons.worth.of(document).pair(0, 0, 2)
    assert again.keywords.keywords(document) == lessons.keywords.keywords(document)


def test_without_pairs() -> None:
    lessons = untrained()
    assert lessons.worth is None
    assert lessons.verbs is None
    assert not lessons.keywords.is_trained
    assert not Lessons.from_json(json.loads(json.dumps(lessons.as_json()))).keywords.is_trained


@pytest.mark.slow
def test_learning_depends_on_the_pairs_and_the_seed_only() -> None:
    assert learn(pairs(20), seed=3).as_json() == learn(pairs(20), seed=3).as_json()


def test_headlines_that_have_nothing_of_their_texts() -> None:
    strange = [Pair("GANZ ANDERE WORTE", one.text, one.sentences) for one in pairs(12)]
    lessons = learn(strange)
    assert lessons.worth is not None
    worth = lessons.worth.of(strange[0].sentences)
    assert 0 < worth.word(0, 0) < 0.2
    assert sum(one.weight for one in lessons.keywords.keywords(strange[0].sentences)) == pytest.approx(1)


def test_pairs_without_words() -> None:
    empty = sentences_of(ParsedDocument(Document("1", ""), ()))
    lessons = learn([Pair("", "", empty), Pair("A HEADLINE", "", empty)])
    document = pair("Opec", "farms", "Lima").sentences
    assert lessons.worth is not None
    assert lessons.worth.of(document).word(0, 0) == 0.5
    assert lessons.keywords.keywords(document)
