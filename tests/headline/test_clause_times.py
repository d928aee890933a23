"""Times and what completes a verb: the past of last year, *have until May to*, *leave unchanged*, *put somewhere*."""

import pytest

from tests.headline.parses import sentence
from tests.headline.test_clause_restrictions import headlines
from widl.headline.cuts import breaks_off, can_cut
from widl.headline.noun_needs import NounNeeds
from widl.headline.sentence_tree import SentenceTree
from widl.headline.verb_groups import may_be_plural
from widl.headline.words import words_of

BEST = (
    "Wales/PROPN/nsubj>1 made/VERB/root>1 their/PRON/nmod:poss>4 {}/ADJ/amod>4 start/NOUN/obj>1 since/SCONJ/mark>7 "
    "they/PRON/nsubj>7 won/VERB/advcl>1"
)


@pytest.mark.parametrize(("time", "form"), [("last/ADJ/amod>4", "rose"), ("this/DET/det>4", "rises")])
def test_what_was_last_year_stays_past(time: str, form: str) -> None:
    text = f"Debt/NOUN/nsubj>1 rose/VERB/root>1 quickly/ADV/advmod>1 {time} year/NOUN/obl:unmarked>1"
    found = headlines(text.replace("quickly/ADV/advmod>1", "sharply/ADV/advmod>1"), present_tense=True)
    assert any(made.endswith("year") and form in made for made in found)
    assert not any(made.endswith("last year") and "rises" in made for made in found)


def test_recently_is_past() -> None:
    found = headlines(
        "Smith/PROPN/nsubj>1 moved/VERB/root>1 here/ADV/advmod>1 recently/ADV/advmod>1", present_tense=True
    )
    assert found
    assert not any("moves" in made for made in found)


@pytest.mark.parametrize("adjective", ["best", "worst", "greatest"])
def test_the_best_since_is_not_the_best(adjective: str) -> None:
    assert not any(made.endswith("start") for made in headlines(BEST.format(adjective)))
    assert any(made.endswith("start") for made in headlines(BEST.format("good")))


def test_to_have_until_a_day_to_do_it_is_not_to_have_to() -> None:
    text = (
        "Fiat/PROPN/nsubj>1 has/VERB/root>1 until/ADP/case>3 May/PROPN/obl>1 to/PART/mark>5 settle/VERB/xcomp>1 "
        "debts/NOUN/obj>5"
    )
    assert not headlines(text.replace("has/", "have/"))


def test_rates_that_are_left_unchanged() -> None:
    text = "Chile/PROPN/nsubj>1 left/VERB/root>1 its/PRON/nmod:poss>3 rates/NOUN/obj>1 unchanged/ADJ/amod>3"
    assert headlines(text) == {"Chile left rates unchanged"}


def test_what_is_put_is_put_somewhere() -> None:
    text = "Chile/PROPN/nsubj>2 has/AUX/aux>2 put/VERB/root>2 cuts/NOUN/obj>2"
    assert not headlines(text)
    assert headlines(text + " at/ADP/case>6 the/DET/det>6 centre/NOUN/obl>2") == {"Chile has put cuts at centre"}


def test_a_condition_that_begins_with_as_long_as_is_not_cut_off() -> None:
    text = (
        "Rates/NOUN/nsubj>1 rise/VERB/root>1 {}/ADV/advmod>1 long/ADV/advmod>1 as/SCONJ/mark>6 debt/NOUN/nsubj>6 "
        "rises/VERB/advcl>3"
    )
    assert not can_cut(SentenceTree(words_of(sentence(text.format("as")))), 1)
    assert can_cut(SentenceTree(words_of(sentence(text.format("too")))), 1)


@pytest.mark.parametrize(("noun", "unknown"), [("X-rays", True), ("cars", False), ("glass", False)])
def test_a_noun_whose_lemma_ends_in_s_may_be_plural(noun: str, unknown: bool) -> None:
    text = f"The/DET/det>1 {noun}/PROPN/nsubj>2 showed/VERB/root>2".replace("PROPN", "NOUN")
    [article, word, verb] = words_of(sentence(text))
    if noun == "X-rays":
        word = type(word)(**{name: getattr(word, name) for name in word.__slots__} | {"lemma": word.key})
    assert may_be_plural(SentenceTree([article, word, verb]), 1) == unknown


def test_and_without_what_it_joins() -> None:
    text = "Talks/NOUN/nsubj>4 between/ADP/case>2 Smith/PROPN/nmod>0 {} failed/VERB/root>4"
    torn = SentenceTree(words_of(sentence(text.format("and/CCONJ/cc>2"))))
    assert NounNeeds(torn, tight=False).ends_in_and(2)
    whole = (
        "Talks/NOUN/nsubj>5 between/ADP/case>2 Smith/PROPN/nmod>0 and/CCONJ/cc>4 Bell/PROPN/conj>2 failed/VERB/root>5"
    )
    assert not NounNeeds(SentenceTree(words_of(sentence(whole))), tight=False).ends_in_and(2)


def test_companies_such_as_one_are_not_all_companies() -> None:
    text = "Firms/NOUN/nsubj>5 such/ADJ/case>3 as/ADP/fixed>1 Acme/PROPN/nmod>0 have/AUX/aux>5 grown/VERB/root>5"
    assert all("such as Acme" in made for made in headlines(text))
    some = (
        "Two/NUM/nummod>1 firms/NOUN/nsubj>6 such/ADJ/case>4 as/ADP/fixed>2 Acme/PROPN/nmod>1 have/AUX/aux>6 "
        "grown/VERB/root>6"
    )
    assert any("Acme" not in made for made in headlines(some))


@pytest.mark.parametrize(("subject", "free"), [("Firms/NOUN", False), ("Acme/PROPN", True)])
def test_it_is_not_several(subject: str, free: bool) -> None:
    text = f"{subject}/nsubj>1 believed/VERB/root>1 it/PRON/nsubj>4 will/AUX/aux>4 grow/VERB/ccomp>1"
    assert bool(headlines(text)) == free


def test_more_than_what_is_not_cut_off() -> None:
    words = words_of(
        sentence(
            "Acme/PROPN/nsubj>1 gets/VERB/root>1 more/ADJ/amod>3 orders/NOUN/obj>1 now/ADV/advmod>1 than/ADP/case>6 "
            "Albion/PROPN/obl>1"
        )
    )
    assert breaks_off(words, [2, 3])
    assert not breaks_off(words, [2, 3, 4, 5, 6])
    assert not breaks_off(words[:5], [2, 3])
