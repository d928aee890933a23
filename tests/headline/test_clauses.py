"""Clauses of sentences: what can be said, and what can't."""

from itertools import pairwise

import pytest
from hypothesis import given

from tests.headline.parses import sentence
from tests.headline.piece_strings import strings, texts
from tests.headline.trees import trees
from widl.headline.clauses import ClauseGrammar
from widl.headline.sentence_tree import NEGATIONS, SentenceTree
from widl.headline.short_names import ShortNames
from widl.headline.words import Word, words_of

EXTRADITION = (
    "A/DET/det>1 court/NOUN/nsubj>2 refused/VERB/root>2 on/ADP/case>4 Friday/PROPN/obl>2 to/PART/mark>6 "
    "extradite/VERB/xcomp>2 a/DET/det>8 hacker/NOUN/obj>6 to/ADP/case>12 the/DET/det>12 United/PROPN/compound>12 "
    "States/PROPN/obl>6+ ./PUNCT/punct>2"
)
NOT = (
    "The/DET/det>1 president/NOUN/nsubj>4 will/AUX/aux>4 not/PART/advmod>4 run/VERB/root>4 for/ADP/case>6 "
    "office/NOUN/obl>4+ ,/PUNCT/punct>4 aides/NOUN/nsubj>9 said/VERB/parataxis>4 on/ADP/case>11 Sunday/PROPN/obl>9"
)
FUTURE = (
    "The/DET/det>1 ministry/NOUN/nsubj>3 will/AUX/aux>3 offer/VERB/root>3 free/ADJ/amod>5 vaccines/NOUN/obj>3 "
    "to/ADP/case>7 children/NOUN/obl>3"
)
PASSIVE = (
    "The/DET/det>1 bridge/NOUN/nsubj:pass>3 was/AUX/aux:pass>3 closed/VERB/root>3 by/ADP/case>5 "
    "engineers/NOUN/obl:agent>3 on/ADP/case>7 Monday/PROPN/obl>3"
)
PLURAL = "Unions/NOUN/nsubj>1 called/VERB/root>1 off/ADP/compound:prt>1 a/DET/det>4 strike/NOUN/obj>1"
SPEAKER = (
    "Acme/PROPN/nsubj>2 Corp/PROPN/flat>0 said/VERB/root>2 it/PRON/nsubj>5 will/AUX/aux>5 build/VERB/ccomp>2 "
    "a/DET/det>8 large/ADJ/amod>8 plant/NOUN/obj>5 in/ADP/case>10 Portugal/PROPN/obl>5"
)
ALL_BUT = (
    "Radio/PROPN/nsubj>1 said/VERB/root>1 all/DET/det>4 but/CCONJ/cc>4 one/NUM/advmod>1 diplomat/NOUN/nsubj>7 "
    "would/AUX/aux>7 return/VERB/ccomp>1 home/ADV/advmod>7"
)
CONDITION = (
    "If/SCONJ/mark>2 rain/NOUN/nsubj>2 falls/VERB/advcl>6+ ,/PUNCT/punct>6 teams/NOUN/nsubj>6 will/AUX/aux>6 "
    "play/VERB/root>6 indoors/ADV/advmod>6"
)
RELATIVE = (
    "Police/NOUN/nsubj>1 found/VERB/root>1 a/DET/det>3 painting/NOUN/obj>1 that/PRON/nsubj:pass>6 was/AUX/aux:pass>6 "
    "stolen/VERB/acl:relcl>3 in/ADP/case>8 Antwerp/PROPN/obl>6"
)
LIST = "Skyline/PROPN/nsubj>3 and/CCONJ/cc>2 Albion/PROPN/conj>0 agreed/VERB/root>3 to/PART/mark>5 merge/VERB/xcomp>3"
LEANING = (
    "Farmers/NOUN/nsubj>2 are/AUX/aux:pass>2 hit/VERB/root>2 by/ADP/case>5 the/DET/det>5 tax/NOUN/obl:agent>2 "
    "on/ADP/case>7 oils/NOUN/obl>2"
)
OPINION = (
    "Banks/NOUN/nsubj>1 say/VERB/root>1 the/DET/det>3 plan/NOUN/nsubj>6 is/AUX/cop>6 a/DET/det>6 mistake/NOUN/ccomp>1"
)
OWN = (
    "The/DET/det>1 governor/NOUN/nsubj>3 has/AUX/aux>3 retired/VERB/root>3 at/ADP/case>7 his/PRON/nmod:poss>7 "
    "own/ADJ/amod>7 request/NOUN/obl>3"
)
BOUGHT = (
    "The/DET/det>1 bank/NOUN/nsubj>2 bought/VERB/root>2 nine/NUM/nummod>5 million/NUM/compound>5 yen/NOUN/obj>2 "
    "in/ADP/case>7 bonds/NOUN/{} on/ADP/case>9 Monday/PROPN/obl>2"
)
LEFT = (
    "The/DET/det>1 minister/NOUN/nsubj>2 left/VERB/root>2 on/ADP/case>4 Monday/PROPN/obl>2 for/ADP/case>6 "
    "Lisbon/PROPN/obl>2"
)
FERRIES = "Northern/{}>1 Ferries/PROPN/nsubj>2 closed/VERB/root>2 a/DET/det>4 harbour/NOUN/obj>2"
STEEL = (
    "A/DET/det>3 wage/NOUN/compound>3 {}/{}>3 agreement/NOUN/nsubj>4 failed/VERB/root>4 on/ADP/case>6 "
    "Monday/PROPN/obl>4"
)


def headlines(text: str, *, present_tense: bool = True, tight: bool = False) -> set[str]:
    words = words_of(sentence(text))
    grammar = ClauseGrammar(words, 0, ShortNames([words]), None, present_tense=present_tense, tight=tight)
    return {made for clause in grammar.clauses() for made in texts(clause.piece)}


def test_objects_stay_behind_their_verbs() -> None:
    found = headlines(EXTRADITION)
    assert "court refuses to extradite hacker to United States" in found
    assert "court refuses to extradite hacker" not in found  # but perhaps elsewhere
    assert not [text for text in found if "extradite United" in text or not text.startswith("court refuses")]


def test_a_negation_is_never_left_out() -> None:
    found = headlines(NOT)
    assert found
    assert all(text.startswith("president will not run") for text in found)


def test_the_future_and_its_subject() -> None:
    assert headlines(FUTURE) == {
        "ministry to offer vaccines",
        "ministry to offer free vaccines",
        "ministry to offer vaccines to children",
        "ministry to offer free vaccines to children",
    }
    assert "ministry will offer vaccines" in headlines(FUTURE, present_tense=False)


def test_a_passive_keeps_by() -> None:
    found = headlines(PASSIVE)
    assert {"bridge closed", "bridge closed by engineers", "bridge closed on Monday"} <= found
    assert not [text for text in found if "closed engineers" in text]


def test_the_present_agrees_with_a_plural() -> None:
    assert headlines(PLURAL) == {"unions call off strike"}
    assert headlines(PLURAL, present_tense=False) == {"unions called off strike"}


def test_the_speaker_stands_for_a_pronoun() -> None:
    found = headlines(SPEAKER)
    assert "Acme to build plant in Portugal" in found
    assert "Acme to build large plant" in found
    assert not [text for text in found if " it " in text]


def test_all_but_one_is_not_one() -> None:
    assert not [text for text in headlines(ALL_BUT) if text.startswith("one")]


def test_a_condition_stays() -> None:
    found = headlines(CONDITION)
    assert found
    assert all(text.endswith("if rain falls") for text in found)


def test_a_relative_clause_goes_as_a_whole() -> None:
    found = headlines(RELATIVE)
    assert "police found painting" in found
    assert len(found) == 2


def test_a_list_of_names_stays_whole() -> None:
    assert headlines(LIST) == {"Skyline and Albion agree to merge"}


def test_what_may_belong_to_the_part_before_stays_only_with_it() -> None:
    found = headlines(LEANING)
    assert "farmers hit by tax on oils" in {text.lower() for text in found}
    assert not [text for text in found if "hit on oils" in text]


def test_an_opinion_has_its_speaker() -> None:
    assert {text.lower() for text in headlines(OPINION)} == {"banks say plan is mistake"}


def test_a_request_of_ones_own_stays_that() -> None:
    assert "governor retires at his own request" in headlines(OWN)
    assert not [text for text in headlines(OWN) if text.endswith("at request")]


@pytest.mark.parametrize("relation", ["nmod>5", "obl>2"])
def test_what_money_buys_stays(relation: str) -> None:
    found = headlines(BOUGHT.format(relation))
    assert found
    assert all(text.startswith("bank buys nine million yen in bonds") for text in found)


def test_a_departure_keeps_its_goal() -> None:
    found = headlines(LEFT)
    assert found
    assert all("for Lisbon" in text for text in found)


def test_the_end_of_a_name_is_no_name() -> None:
    as_name, as_adjective = (words_of(sentence(FERRIES.format(tag))) for tag in ("PROPN/compound", "ADJ/amod"))
    alone = words_of(sentence("Ferries/PROPN/nsubj>1 closed/VERB/root>1"))
    tree = SentenceTree(as_name)
    assert ShortNames([as_name, alone]).of(tree, [0, 1]) == [(1,)]
    assert ShortNames([as_name, as_adjective]).of(tree, [0, 1]) == []


def test_a_noun_before_a_noun_stays_and_one_before_an_adjective_may_go() -> None:
    found = headlines(STEEL.format("steel", "NOUN/compound"), tight=True)
    assert {text.split(" fails")[0] for text in found} == {"wage steel agreement"}
    found = headlines(STEEL.format("joint", "ADJ/amod"), tight=True)
    assert {text.split(" fails")[0] for text in found} == {"wage joint agreement", "joint agreement"}


@pytest.mark.parametrize("by_prefix", [False, True])
@given(words=trees())
def test_whatever_the_tree_words_stay_in_order(words: list[Word], by_prefix: bool) -> None:
    """Of each clause, only a speaker and a condition may change places, and no kept predicate loses its negation."""
    grammar = ClauseGrammar(words, 0, ShortNames([words]), None, present_tense=True, by_prefix=by_prefix)
    for clause in grammar.clauses():
        for number, (said, prior) in enumerate(strings(clause.piece)):
            if number > 200:
                break
            assert prior <= 0
            positions = [word.position for word in said]
            assert len(set(positions)) == len(positions)
            falls = sum(a > b for a, b in pairwise(positions))
            assert falls <= 2
            for place in positions:
                negations = {
                    i for i, word in enumerate(grammar.tree.words) if word.head == place and word.key in NEGATIONS
                }
                if grammar.tree.words[place].tag == "VERB":
                    assert negations <= set(positions) | {place}
