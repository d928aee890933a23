"""What restricts a statement stays with it, and what refers to nothing is not said."""

import pytest

from tests.headline.parses import parsed, sentence
from tests.headline.piece_strings import texts
from widl.headline.budget import Budget
from widl.headline.clauses import ClauseGrammar
from widl.headline.fallback import noun_phrase
from widl.headline.short_names import ShortNames
from widl.headline.words import words_of

SALES = (
    "Sales/NOUN/nsubj>4 of/ADP/case>3 hybrid/ADJ/amod>3 {}/NOUN/nmod>0 rose/VERB/root>4 in/ADP/case>7 "
    "{}/ADJ/amod>7 March/PROPN/obl>4"
)
OWNING = (
    "{}/DET/det>1 firm/NOUN/nsubj>3 may/AUX/aux>3 own/VERB/root>3 mines/NOUN/obj>3 for/ADP/case>6 years/NOUN/obl>3 "
    "in/ADP/case>8 Chile/PROPN/obl>3"
)
LAST = (
    "Shops/NOUN/nsubj>1 opened/VERB/root>1 on/ADP/case>5 the/DET/det>5 last/ADJ/amod>5 Saturday/PROPN/obl>1 "
    "before/ADP/case>7 Easter/PROPN/obl>1"
)
POWERS = (
    "Police/NOUN/nsubj>1 arrested/VERB/root>1 ten/NUM/nummod>3 men/NOUN/obj>1 under/ADP/case>6 {}/DET/det>6 "
    "powers/NOUN/obl>1"
)
COUNT = (
    "The/DET/det>1 number/NOUN/nsubj>6 of/ADP/case>3 people/NOUN/nmod>1 in/ADP/case>5 work/NOUN/nmod>3 rose/VERB/root>6"
)
TEA = "Acme/PROPN/nsubj>1 exported/VERB/root>1 ten/NUM/nummod>3 tonne/NOUN/obj>1 of/ADP/case>5 tea/NOUN/nmod>3"
EITHER = (
    "Acme/PROPN/nsubj>2 must/AUX/aux>2 raise/VERB/root>2 prices/NOUN/obj>2 or/CCONJ/cc>5 cut/VERB/conj>2 "
    "costs/NOUN/obj>5"
)
FANS = (
    "Fans/NOUN/nsubj:pass>6 wearing/VERB/acl>0 masks/NOUN/obj>1 will/AUX/aux>6 {}/ADV/advmod>6 be/AUX/aux:pass>6 "
    "barred/VERB/root>6"
)
EXPORTS = (
    "Acme/PROPN/nsubj>1 raised/VERB/root>1 the/DET/det>3 {}/NOUN/obj>1 of/ADP/case>5 exports/NOUN/nmod>3 "
    "to/ADP/case>7 Chile/PROPN/nmod>5"
)


def headlines(text: str, *, tight: bool = False, number: int = 0, present_tense: bool = False) -> set[str]:
    words = words_of(sentence(text))
    grammar = ClauseGrammar(words, number, ShortNames([words]), None, present_tense=present_tense, tight=tight)
    return {made for clause in grammar.clauses() for made in texts(clause.piece)}


@pytest.mark.parametrize(("noun", "free"), [("cars", False), ("car", True)])
def test_an_adjective_of_a_kind_stays(noun: str, free: bool) -> None:
    found = headlines(SALES.format(noun, "early"))
    assert found
    assert any("hybrid" not in text for text in found) == free


def test_early_in_a_month_is_not_in_all_of_it() -> None:
    found = headlines(SALES.format("cars", "early"))
    assert any("March" in text for text in found)
    assert all("early" in text for text in found if "March" in text)


@pytest.mark.parametrize(("article", "free"), [("No", False), ("The", True)])
def test_what_a_denial_is_limited_to_stays(article: str, free: bool) -> None:
    found = headlines(OWNING.format(article))
    assert any("Chile" in text for text in found)
    assert any("Chile" not in text for text in found) == free


def test_the_last_day_is_that_of_something() -> None:
    found = headlines(LAST)
    assert "shops opened on last Saturday before Easter" in found
    assert not any(text.endswith("Saturday") for text in found)


@pytest.mark.parametrize(("word", "said"), [("these", False), ("new", True)])
def test_these_powers_are_named_nowhere(word: str, said: bool) -> None:
    text = POWERS.format(word) if word == "these" else POWERS.format(word).replace("new/DET/det", "new/ADJ/amod")
    found = headlines(text)
    assert "police arrested ten men" in found
    assert any("powers" in text for text in found) == said


def test_what_is_counted_is_not_less_restricted() -> None:
    assert headlines(COUNT) == {"number of people in work rose"}


def test_traded_goods_may_stand_without_their_weight() -> None:
    assert "Acme exported tea" in headlines(TEA, tight=True)
    assert headlines(TEA) == {"Acme exported ten tonne of tea"}


def test_one_of_two_is_not_the_other() -> None:
    assert not any(text == "Acme must raise prices" for text in headlines(EITHER))
    assert "Acme must raise prices" in headlines(EITHER.replace("or/CCONJ", "and/CCONJ"))


@pytest.mark.parametrize(("adverb", "free"), [("not", False), ("also", True)])
def test_who_is_not_barred_may_be_some(adverb: str, free: bool) -> None:
    text = FANS.format(adverb) if not free else FANS.replace("will/", "had/").format(adverb)
    found = headlines(text)
    assert found
    assert any("masks" not in text for text in found) == free


def test_exports_keep_where_they_go() -> None:
    found = headlines(EXPORTS.format("volume"))
    assert found == {"Acme raised volume of exports to Chile"}


def test_the_us_is_no_pronoun() -> None:
    text = "A/DET/det>2 US/PROPN/compound>2 judge/NOUN/nsubj>3 resigned/VERB/root>3"
    assert "US judge resigned" in headlines(text)
    assert not headlines(text.replace("US/PROPN", "us/PRON"))


def test_what_was_is_no_more() -> None:
    text = "Acme/PROPN/nsubj>1 was/AUX/root>1 in/ADP/case>3 talks/NOUN/obl>1"
    assert not any(" is " in made for made in headlines(text.replace("AUX/root", "VERB/root"), present_tense=True))


def test_no_sign_is_said_without_there_is() -> None:
    there = "There/PRON/expl>3 is/AUX/cop>3 {}/DET/det>3 sign/NOUN/root>3 of/ADP/case>5 growth/NOUN/nmod>3"
    assert headlines(there.format("no")) == {"no sign of growth"}
    assert not headlines(there.format("a"))


def test_the_kenyan_further_down_was_named_before() -> None:
    text = "The/DET/det>1 {}/PROPN/nsubj>2 won/VERB/root>2 two/NUM/nummod>4 races/NOUN/obj>2"
    assert headlines(text.format("Kenyan"))
    assert not headlines(text.format("Kenyan"), number=1)
    assert headlines(text.format("Thunderbolt"), number=1)


def test_background_further_down_is_no_news() -> None:
    text = "Smith/PROPN/nsubj>2 was/AUX/aux>2 touring/VERB/root>2 mines/NOUN/obj>2"
    assert headlines(text)
    assert not headlines(text, number=1)


def test_a_comparison_is_not_torn() -> None:
    text = (
        "Prices/NOUN/nsubj>1 rose/VERB/root>1 at/ADP/case>4 faster/ADJ/amod>4 rates/NOUN/obl>1 in/ADP/case>6 "
        "May/PROPN/obl>1 than/ADP/case>8 June/PROPN/obl>1"
    )
    assert not any("than" in made and "faster" not in made for made in headlines(text))


def test_a_noun_phrase_that_denies_is_none() -> None:
    text = (
        "Smith/PROPN/nsubj>2 never/ADV/advmod>2 invited/VERB/root>2 {}/DET/det>6 big/ADJ/amod>6 mining/NOUN/compound>6 "
        "offers/NOUN/obj>2"
    )
    assert noun_phrase(parsed(text.format("any")), Budget()) == ""
    assert noun_phrase(parsed(text.format("the")), Budget()) == "big mining offers"


def test_a_title_keeps_its_article() -> None:
    text = "Actor/NOUN/nsubj>1 left/VERB/root>1 The/DET/det>4 Long/PROPN/compound>4 Night/PROPN/obj>1"
    assert headlines(text) == {"actor left The Long Night"}
    assert headlines(text.replace("The/DET", "the/DET")) == {"actor left Long Night"}


def test_the_first_of_its_kind_names_the_kind() -> None:
    text = (
        "Acme/PROPN/nsubj>1 opened/VERB/root>1 the/DET/det>5 {}/ADJ/amod>5 electric/ADJ/amod>5 tramway/NOUN/obj>1 "
        "in/ADP/case>7 Chile/PROPN/nmod>5"
    )
    found = headlines(text.format("first"))
    assert found
    assert all("electric" in made for made in found)
    assert any("electric" not in made for made in headlines(text.format("fast")))


def test_a_comparison_needs_what_it_compares_with() -> None:
    text = "Prices/NOUN/nsubj>2 are/AUX/cop>2 {}/ADJ/root>2 {}/SCONJ/mark>4 forecast/VERB/advcl>2"
    assert headlines(text.format("higher", "as")) == {"prices are higher as forecast"}
    assert all("than" in made for made in headlines(text.format("higher", "than")))
    torn = text.replace("forecast/VERB", "us/PRON")  # which no headline says
    assert not headlines(torn.format("higher", "than"))


def test_what_someone_has_had_done_is_not_what_someone_has() -> None:
    text = "Smith/PROPN/nsubj>2 has/AUX/aux>2 had/VERB/root>2 a/DET/det>4 bag/NOUN/obj>2 removed/VERB/acl>4"
    stolen = text.replace("had/VERB", "have/VERB")
    assert not headlines(stolen)
    assert headlines(" ".join(stolen.split()[:-1])) == {"Smith has have bag"}


def test_no_word_comes_twice_where_words_are_taken_as_they_stand() -> None:
    words = words_of(
        sentence("Taxes/NOUN/nsubj>1 are/AUX/root>1 not/PART/advmod>1 up/ADP/case>5 for/ADP/case>5 debate/NOUN/obl>1")
    )
    grammar = ClauseGrammar(words, 0, ShortNames([words]), None, present_tense=True, by_prefix=True)
    found = {made for clause in grammar.clauses() for made in texts(clause.piece)}
    assert found == {"taxes are not up for debate"}
