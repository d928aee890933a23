"""Which parts of clauses may go, which belong together, and in which order they are said."""

import pytest

from tests.headline.parses import sentence
from tests.headline.piece_strings import texts
from widl.headline.clauses import ClauseGrammar
from widl.headline.cuts import can_cut
from widl.headline.sentence_tree import SentenceTree
from widl.headline.short_names import ShortNames
from widl.headline.verb_needs import VerbNeeds
from widl.headline.words import words_of

CONTACT = (
    "Acme/PROPN/nsubj>1 raised/VERB/root>1 the/DET/det>3 price/NOUN/obj>1 it/PRON/nsubj>5 pays/VERB/acl:relcl>3 "
    "for/ADP/case>7 oil/NOUN/obl>5 on/ADP/case>9 Monday/PROPN/obl>1"
)
CERTAIN = (
    "Parliament/PROPN/nsubj>1 approved/VERB/root>1 a/DET/det>3 plan/NOUN/obj>1 certain/ADJ/amod>3 to/PART/mark>6 "
    "fail/VERB/xcomp>4"
)
MONEY = (
    "Acme/PROPN/nsubj>1 sold/VERB/root>1 two/NUM/nummod>4 mln/NUM/nummod>4 dlrs/NOUN/obj>1 of/ADP/case>6 "
    "notes/NOUN/nmod>4"
)
SHIFTED = (
    "Moodys/PROPN/nsubj>1 lowered/VERB/root>1 to/ADP/case>3 B-2/NOUN/obl>1 the/DET/det>5 debt/NOUN/obj>1 "
    "of/ADP/case>7 Alden/PROPN/nmod>5"
)
ALL = (
    "Acme/PROPN/nsubj>1 recalled/VERB/root>1 {}/DET/det>3 cars/NOUN/obj>1 equipped/VERB/acl>3 with/ADP/case>7 "
    "faulty/ADJ/amod>7 pumps/NOUN/obl>4"
)
FALLING = "Acme/PROPN/nsubj>1 reported/VERB/root>1 {}/{}/amod>3 profits/NOUN/obj>1"
COMMITTED = "Acme/PROPN/nsubj>1 committed/VERB/root>1 to/PART/mark>3 fund/VERB/advcl>1 a/DET/det>5 school/NOUN/obj>3"
EFFECTIVE = (
    "Acme/PROPN/nsubj>1 lowered/VERB/root>1 its/PRON/nmod:poss>3 rate/NOUN/obj>1 to/ADP/case>6 16/NUM/nummod>6 "
    "pct/NOUN/obl>1+ ,/PUNCT/punct>1 effective/ADJ/xcomp>1 tomorrow/NOUN/obl:unmarked>8"
)
IF = (
    "Teams/NOUN/nsubj>2 would/AUX/aux>2 play/VERB/root>2 indoors/ADV/advmod>2 if/SCONJ/mark>6 rain/NOUN/nsubj>6 "
    "fell/VERB/advcl>2"
)
BECAUSE = (
    "Prices/NOUN/nsubj>1 rose/VERB/root>1 because/SCONJ/mark>4 rain/NOUN/nsubj>4 fell/VERB/advcl>1 in/ADP/case>6 "
    "Chile/PROPN/obl>4"
)


def headlines(text: str, *, tight: bool = False) -> set[str]:
    words = words_of(sentence(text))
    grammar = ClauseGrammar(words, 0, ShortNames([words]), None, present_tense=False, tight=tight)
    return {made for clause in grammar.clauses() for made in texts(clause.piece)}


def test_contact_clauses_and_adjectives_behind_a_noun_may_go() -> None:
    assert "Acme raised price" in headlines(CONTACT)
    assert "Parliament approved plan" in headlines(CERTAIN)


def test_a_sum_or_what_it_is_a_sum_of() -> None:
    assert headlines(MONEY) == {"Acme sold two mln dlrs of notes", "Acme sold notes"}


def test_an_object_behind_a_phrase_comes_first() -> None:
    found = headlines(SHIFTED)
    assert "Moodys lowered debt of Alden to B-2" in found
    assert not [text for text in found if "to B-2 debt" in text]


@pytest.mark.parametrize(("word", "free"), [("the", True), ("all", False), ("no", False)])
def test_what_restricts_all_stays(word: str, free: bool) -> None:
    found = headlines(ALL.format(word))
    assert any("equipped with" in text for text in found)
    assert any("equipped" not in text for text in found) == free


@pytest.mark.parametrize(("word", "tag", "free"), [("falling", "VERB", False), ("large", "ADJ", True)])
def test_participles_before_nouns_stay(word: str, tag: str, free: bool) -> None:
    assert ("Acme reported profits" in headlines(FALLING.format(word, tag))) == free


def test_an_infinitive_right_behind_its_verb_stays() -> None:
    assert headlines(COMMITTED) == {"Acme committed to fund school"}


def test_asides_of_dates_may_go() -> None:
    found = headlines(EFFECTIVE)
    assert {"Acme lowered rate to 16 pct", "Acme lowered rate to 16 pct effective tomorrow"} <= found


def test_a_condition_stays_and_a_reason_may_go() -> None:
    assert headlines(IF) == {"teams would play indoors if rain fell"}
    found = headlines(BECAUSE)
    assert "prices rose" in found
    assert any("because rain fell" in text for text in found)


@pytest.mark.parametrize(
    ("text", "at", "possible"),
    [
        ("effort/NOUN/root>0 to/PART/mark>2 win/VERB/acl>0", 0, False),
        ("agreement/NOUN/root>0 to/PART/mark>2 win/VERB/acl>0", 0, True),
        ("achieve/VERB/root>0 and/CCONJ/cc>2 keep/VERB/conj>0 order/NOUN/obj>2", 0, False),
        ("sail/VERB/root>0 late/ADV/advmod>0 this/DET/det>3 month/NOUN/obl>0", 1, False),
        ("mines/NOUN/root>0 of/ADP/case>2 Chile/PROPN/nmod>0", 0, False),
        ("mines/NOUN/root>0 in/ADP/case>2 Chile/PROPN/nmod>0", 0, True),
    ],
)
def test_where_words_may_be_cut(text: str, at: int, possible: bool) -> None:
    assert can_cut(SentenceTree(words_of(sentence(text))), at) == possible


def test_verbs_that_need_what_they_call_a_thing() -> None:
    called = "They/PRON/nsubj>1 called/VERB/root>1 the/DET/det>3 plan/NOUN/obj>1 {}/{}/{}>3"
    for word, tag, relation, lacks in (("bitter", "ADJ", "amod", True), ("Monday", "PROPN", "flat", False)):
        tree = SentenceTree(words_of(sentence(called.format(word, tag, relation))))
        assert VerbNeeds(tree).lacks_object(1, has_object=True) == lacks


def test_a_list_with_one_article_shares_its_head() -> None:
    text = (
        "Acme/PROPN/nsubj>1 signed/VERB/root>1 a/DET/det>3 bond/NOUN/obj>1 and/CCONJ/cc>6 {}guarantee/NOUN/compound>{} "
        "facility/NOUN/conj>3"
    )
    shared = headlines(text.format("", 6))
    assert shared == {"Acme signed bond and guarantee facility"}
    apart = text.replace("cc>6", "cc>7").format("a/DET/det>7 ", 7)
    assert "Acme signed bond" in headlines(apart)


def test_only_keeps_what_it_belongs_to() -> None:
    text = (
        "Mergers/NOUN/nsubj>1 had/VERB/root>1 only/ADV/advmod>5 a/DET/det>5 modest/ADJ/amod>5 effect/NOUN/obj>1 "
        "on/ADP/case>7 prices/NOUN/nmod>5"
    )
    found = headlines(text)
    assert found
    assert all("only modest effect" in made for made in found)
