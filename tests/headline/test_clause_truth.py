"""Sentences of modern news whose headlines would say something else without the word in question."""

import pytest

from tests.headline.parses import parsed, sentence
from tests.headline.piece_strings import texts
from widl.headline.budget import Budget
from widl.headline.clauses import ClauseGrammar
from widl.headline.fallback import beginning
from widl.headline.short_names import ShortNames
from widl.headline.words import words_of

NEITHER = (
    "{}/CCONJ/cc:preconj>2 the/DET/det>2 driver/NOUN/nsubj:pass>7 {}/CCONJ/cc>5 the/DET/det>5 passengers/NOUN/conj>2 "
    "were/AUX/aux:pass>7 hurt/VERB/root>7"
)
VOTED = (
    "Rome/PROPN/nsubj>1 voted/VERB/root>1 on/ADP/case>3 Tuesday/PROPN/obl>1 not/PART/advmod>1 to/PART/mark>6 "
    "close/VERB/xcomp>1 its/PRON/nmod:poss>8 pool/NOUN/obj>6"
)
DENIED = (
    "Acme/PROPN/nsubj>1 {}/VERB/root>1 it/PRON/nsubj>5 would/AUX/aux>5 not/PART/advmod>5 raise/VERB/ccomp>1 "
    "prices/NOUN/obj>5"
)
ON_CONDITION = DENIED + " if/SCONJ/mark>9 costs/NOUN/nsubj>9 fall/VERB/advcl>5"
WHO_LEFT = (
    "{}/NOUN/nsubj>6 of/ADP/case>3 the/DET/det>3 teachers/NOUN/nmod>0 who/PRON/nsubj>5 left/VERB/acl:relcl>3 "
    "were/AUX/cop>7+ tired/ADJ/root>7"
).replace("nsubj>6 of", "nsubj>7 of")
BILL = "the/DET/det>2 {}/PROPN/compound>2 Senate/PROPN/nsubj>3 passed/VERB/root>3 bills/NOUN/obj>3"
ELECTIONS = (
    "{}Parliament/NOUN/nsubj:pass>{a} will/AUX/aux>{a} be/AUX/aux:pass>{a} dissolved/VERB/root>{a} and/CCONJ/cc>{c} "
    "elections/NOUN/nsubj>{c} called/VERB/conj>{a}"
)
SMOKING = (
    "a/DET/det>1 {}/NOUN/nsubj>7 on/ADP/mark>3 smoking/NOUN/acl>1 in/ADP/case>6 small/ADJ/amod>6 cars/NOUN/nmod>3 "
    "began/VERB/root>7"
)
ON_MONDAY = (
    "Navy/NOUN/nsubj>1 said/VERB/root>1 on/ADP/case>3 Monday/PROPN/obl>6 it/PRON/nsubj>6 had/AUX/aux>6 "
    "rescued/VERB/ccomp>1 sailors/NOUN/obj>6"
)
IF_STRIKE = (
    "if/SCONJ/mark>3 the/DET/det>2 strike/NOUN/nsubj>3 goes/VERB/advcl>8 ahead/ADV/advmod>3+ ,/PUNCT/punct>8 "
    "no/DET/det>7 trains/NOUN/nsubj>8 run/VERB/root>8 between/ADP/case>10 Rome/PROPN/obl>8 and/CCONJ/cc>12 "
    "Milan/PROPN/conj>10"
)


def headlines(text: str, *, tight: bool = False) -> set[str]:
    words = words_of(sentence(text))
    grammar = ClauseGrammar(words, 0, ShortNames([words]), None, present_tense=True, tight=tight)
    return {made for clause in grammar.clauses() for made in texts(clause.piece)}


@pytest.mark.parametrize(("first", "second"), [("Neither", "nor"), ("Both", "and"), ("Either", "or")])
def test_paired_conjunctions_stay_together(first: str, second: str) -> None:
    assert headlines(NEITHER.format(first, second)) == {f"{first.lower()} driver {second} passengers hurt"}


def test_not_before_an_infinitive_denies_the_infinitive() -> None:
    found = headlines(VOTED)
    assert "Rome votes not to close pool" in found
    assert all("not to close" in made for made in found)


def test_what_someone_said_would_not_be_will_not_be() -> None:
    assert headlines(DENIED.format("said")) == {"Acme will not raise prices"}
    assert headlines(DENIED.format("says")) == {"Acme would not raise prices"}
    assert all("would not raise prices if" in made for made in headlines(ON_CONDITION.format("said")))


@pytest.mark.parametrize("number", ["Half", "Most", "Some"])
def test_half_of_those_who_is_not_half_of_all(number: str) -> None:
    assert all("who left" in made for made in headlines(WHO_LEFT.format(number)))


def test_do_so_needs_what_was_done() -> None:
    assert headlines("Acme/PROPN/nsubj>1 did/VERB/root>1 so/ADV/advmod>1 today/NOUN/obl>1") == set()


def test_us_may_be_a_country() -> None:
    assert headlines(BILL.format("US")) == {"US Senate passes bills"}
    assert headlines(BILL.format("us")) == set()


def test_a_clause_with_the_auxiliary_of_another_is_none() -> None:
    found = headlines(ELECTIONS.format("", a=3, c=6))
    assert found
    assert not any(made.startswith("elections") for made in found)


@pytest.mark.parametrize("noun", ["ban", "tax", "limit"])
def test_all_of_what_is_banned_stays(noun: str) -> None:
    assert headlines(SMOKING.format(noun)) == {f"{noun} on smoking in small cars begins"}


def test_a_day_behind_said_is_when_it_was_said() -> None:
    assert headlines(ON_MONDAY) == {"navy rescues sailors"}


def test_is_may_go_before_not_where_nothing_else_fits() -> None:
    zuma = "Zuma/PROPN/nsubj>3 is/AUX/cop>3 not/PART/advmod>3 eligible/ADJ/root>3"
    assert headlines(zuma) == {"Zuma is not eligible"}
    assert headlines(zuma, tight=True) == {"Zuma not eligible"}


@pytest.mark.parametrize("number", range(6, 12))
def test_a_beginning_ends_where_nothing_is_torn(number: int) -> None:
    made = beginning(parsed(IF_STRIKE), Budget(words=number))
    assert made.split()[-1] in {"ahead", "trains", "run"}


def test_a_verb_that_has_lost_its_object_is_not_printed() -> None:
    bare = "Acme/PROPN/nsubj>1 agreed/VERB/root>1 to/PART/mark>3 buy/VERB/xcomp>1"
    assert headlines(bare) == set()
    assert headlines(bare + " ships/NOUN/obj>3") == {"Acme agrees to buy ships"}
