"""Clauses and who says them, what pronouns mean, names in short."""

from dataclasses import replace

import pytest

from tests.headline.parses import sentence
from tests.headline.piece_strings import strings, texts
from widl.headline.attributions import final_attribution
from widl.headline.clauses import ClauseGrammar
from widl.headline.pieces import Leaf, Piece, Said
from widl.headline.sentence_tree import SentenceTree
from widl.headline.short_names import ShortNames, with_short_owners
from widl.headline.words import words_of
from widl.headline.written_headline import written_words_of

SAID_IT = (
    "{}/NOUN/nsubj>1 said/VERB/root>1 it/PRON/nsubj>4 will/AUX/aux>4 sell/VERB/ccomp>1 two/NUM/nummod>6 "
    "mines/NOUN/obj>4"
)


def headlines(text: str, *, number: int = 0, company: Piece | None = None, tight: bool = False) -> set[str]:
    words = words_of(sentence(text))
    grammar = ClauseGrammar(words, number, ShortNames([words]), None, present_tense=True, tight=tight, company=company)
    return {made for clause in grammar.clauses() for made in texts(clause.piece)}


def test_a_fact_may_stand_without_its_speaker_an_opinion_may_not() -> None:
    fact = (
        "Prices/NOUN/nsubj>1 rose/VERB/ccomp>5+ ,/PUNCT/punct>5 trade/NOUN/compound>4 analysts/NOUN/nsubj>5 "
        "said/VERB/root>5 today/NOUN/obl:unmarked>5"
    )
    found = headlines(fact)
    assert {"prices rise", "prices rise trade analysts say", "prices rise analysts say"} <= found
    opinion = (
        "Prices/NOUN/nsubj>2 should/AUX/aux>2 rise/VERB/ccomp>6+ ,/PUNCT/punct>6 trade/NOUN/compound>5 "
        "analysts/NOUN/nsubj>6 said/VERB/root>6 today/NOUN/obl:unmarked>6"
    )
    found = headlines(opinion)
    assert "prices should rise analysts say" in found
    assert not [text for text in found if not text.endswith("say")]


def test_a_guess_needs_whose_it_is() -> None:
    guess = (
        "Prices/NOUN/nsubj>2 will/AUX/aux>2 rise/VERB/ccomp>6+ ,/PUNCT/punct>6 a/DET/det>5 survey/NOUN/nsubj>6 "
        "predicted/VERB/root>6"
    )
    assert headlines(guess) == {"prices to rise survey predicts"}


def test_the_speaker_behind_a_clause_follows_a_comma() -> None:
    fact = (
        "Prices/NOUN/nsubj>1 rose/VERB/ccomp>6 sharply/ADV/advmod>1+ ,/PUNCT/punct>6 trade/NOUN/compound>5 "
        "analysts/NOUN/nsubj>6 said/VERB/root>6"
    )
    words = words_of(sentence(fact))
    grammar = ClauseGrammar(words, 0, ShortNames([words]), None, present_tense=True)
    pieces = [clause.piece for clause in grammar.clauses()]
    written = {" ".join(written_words_of(said, [words])) for piece in pieces for said, _ in strings(piece)}
    assert "prices rise, analysts say" in written
    assert "prices rise" in written


@pytest.mark.parametrize(("speaker", "says"), [("Acme", True), ("Analysts", False), ("Spokesman", False)])
def test_it_means_a_speaker_that_is_a_thing(speaker: str, says: bool) -> None:
    found = headlines(SAID_IT.format(speaker))
    assert any("to sell two mines" in text for text in found) == says


def test_they_are_several() -> None:
    they = SAID_IT.replace("it/PRON", "they/PRON")
    assert any("to sell" in text for text in headlines(they.format("Analysts")))
    assert not headlines(they.format("Chairman"))


def test_a_pronoun_with_another_name() -> None:
    both = (
        "Acme/PROPN/nsubj>1 said/VERB/root>1 it/PRON/nsubj>6 and/CCONJ/cc>4 Brook/PROPN/conj>2 will/AUX/aux>6 "
        "sell/VERB/ccomp>1 mines/NOUN/obj>6"
    )
    assert headlines(both) == {"Acme and Brook to sell mines"}


def test_two_companies_are_plural_and_one_with_and_in_its_name_is_not() -> None:
    two = (
        "Alden/PROPN/compound>1 Corp/PROPN/nsubj>5 and/CCONJ/cc>4 Brook/PROPN/compound>4 Corp/PROPN/conj>1 "
        "agreed/VERB/root>5 to/PART/mark>7 merge/VERB/xcomp>5"
    )
    assert headlines(two) == {"Alden and Brook agree to merge"}
    one = (
        "Alden/PROPN/nsubj>4 and/CCONJ/cc>3 Brook/PROPN/compound>3 Corp/PROPN/conj>0 agreed/VERB/root>4 "
        "to/PART/mark>6 merge/VERB/xcomp>4"
    )
    assert headlines(one) == {"Alden and Brook agrees to merge"}


def test_the_company_is_called_by_its_name_further_down() -> None:
    text = "The/DET/det>1 {}/NOUN/nsubj>2 sold/VERB/root>2 mines/NOUN/obj>2"
    [name] = words_of(sentence("Acme/PROPN/root>0"))
    company = Leaf((Said(name, 0, 0),))
    assert headlines(text.format("company"), number=1, company=company) == {"Acme sold mines"}  # "sold": no base form
    assert headlines(text.format("company"), number=1) == set()
    assert headlines(text.format("plan"), number=1, company=company) == set()
    assert headlines(text.format("company")) != set()


def test_what_there_is_has_its_speaker() -> None:
    there = (
        "Officials/NOUN/nsubj>1 said/VERB/root>1 there/PRON/expl>4 are/VERB/cop>4 signs/NOUN/ccomp>1 of/ADP/case>6 "
        "growth/NOUN/nmod>4"
    )
    assert headlines(there) == {"officials say there are signs of growth"}


def test_titles_stay_with_a_persons_last_name() -> None:
    words = words_of(sentence("Minister/PROPN/compound>2 Ann/PROPN/compound>2 Reed/PROPN/nsubj>3 resigned/VERB/root>3"))
    names = ShortNames([words])
    assert names.of(SentenceTree(words), [0, 1, 2]) == [(0, 2), (1, 2)]
    alone = words_of(sentence("Reed/PROPN/nsubj>1 spoke/VERB/root>1"))
    assert ShortNames([words, alone]).of(SentenceTree(words), [0, 1, 2]) == [(0, 2), (1, 2), (2,)]


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("Alden/PROPN/compound>1 Co's/PROPN/nmod:poss>2 mine/NOUN/root>2", ["Alden's", "mine"]),
        (
            "Alden/PROPN/compound>3 Brook/PROPN/compound>3 and/CCONJ/cc>3 Co's/PROPN/nmod:poss>4 mine/NOUN/root>4",
            ["Alden", "Brook's", "mine"],
        ),
        ("Alden's/PROPN/nmod:poss>1 mine/NOUN/root>1", ["Alden's", "mine"]),
        ("Woods/PROPN/compound>1 Co's/PROPN/nmod:poss>2 mine/NOUN/root>2", ["Woods", "Co's", "mine"]),
    ],
)
def test_owners_in_short(text: str, short: list[str]) -> None:
    said = [Said(word, 0, i) for i, word in enumerate(words_of(sentence(text)))]
    assert [word.word.text for word in with_short_owners(said)] == short


def test_final_attributions_of_bodies_with_and_in_their_names() -> None:
    words = words_of(
        sentence(
            "Prices/NOUN/nsubj>1 rose/VERB/ccomp>6+ ,/PUNCT/punct>6 Trade/PROPN/compound>5 and/CCONJ/cc>5 "
            "Industry/PROPN/nsubj>6 said/VERB/root>6"
        )
    )
    found = final_attribution(words)
    assert found is not None
    assert (found.begin, found.verb) == (2, 5)
    lower = [replace(word, text=word.text.lower()) if i == 4 else word for i, word in enumerate(words)]
    assert final_attribution(lower) is None


SUGGESTS = (
    "Prices/NOUN/nsubj>1 rose/VERB/ccomp>3+ ,/PUNCT/punct>3 said/VERB/root>3 trade/NOUN/compound>5 "
    "analysts/NOUN/nsubj>3"
)
ACCORDING = (
    "Prices/NOUN/nsubj>1 {}/VERB/root>1+ ,/PUNCT/punct>1 according/VERB/case>6 to/ADP/case>6 a/DET/det>6 "
    "report/NOUN/obl>1 released/VERB/acl>6 today/NOUN/obl:unmarked>7"
)
UNIT = (
    "Acme/PROPN/nsubj>1 said/VERB/root>1 its/PRON/nmod:poss>5 Brook/PROPN/compound>5 Farms/PROPN/compound>5 "
    "{}/NOUN/nsubj>6 closed/VERB/ccomp>1 mines/NOUN/obj>6"
)
CLUB = (
    "Smith/PROPN/nsubj>1 said/VERB/root>1 the/DET/det>3 {}/NOUN/nsubj>5 may/AUX/aux>5 sell/VERB/ccomp>1 "
    "players/NOUN/obj>5"
)
ALLEGED = "A/DET/det>1 {}/NOUN/nsubj>2 said/VERB/root>2 Smith/PROPN/nsubj>4 took/VERB/ccomp>2 bribes/NOUN/obj>4"
COULD = "Prices/NOUN/nsubj>2 {}/AUX/aux>2 fall/VERB/ccomp>5+ ,/PUNCT/punct>5 ministers/NOUN/nsubj>5 said/VERB/root>5"


def test_the_speaker_behind_said_comes_before_it() -> None:
    assert {"prices rise", "prices rise trade analysts say"} <= headlines(SUGGESTS)


def test_who_it_is_according_to_says_it() -> None:
    assert "prices rise report says" in headlines(ACCORDING.format("rose"))


def test_a_unit_is_named_by_its_owner() -> None:
    assert "Acme unit closes mines" in headlines(UNIT.format("unit"))
    assert "Acme unit closes mines" not in headlines(UNIT.format("mill"))


@pytest.mark.parametrize(("noun", "free"), [("club", False), ("government", True)])
def test_the_club_is_that_of_the_speaker(noun: str, free: bool) -> None:
    found = headlines(CLUB.format(noun))
    assert any("Smith says" in text for text in found)
    assert any("Smith" not in text for text in found) == free


@pytest.mark.parametrize(("noun", "free"), [("lawsuit", False), ("statement", True)])
def test_what_a_lawsuit_says_is_alleged(noun: str, free: bool) -> None:
    found = headlines(ALLEGED.format(noun))
    assert any(noun in text for text in found)
    assert any(noun not in text for text in found) == free


@pytest.mark.parametrize(("modal", "free"), [("could", False), ("will", True)])
def test_what_could_be_is_someones_guess(modal: str, free: bool) -> None:
    found = headlines(COULD.format(modal))
    assert any("ministers" in text for text in found)
    assert any("ministers" not in text for text in found) == free


def test_the_acronym_of_the_text_stands_for_the_name() -> None:
    name = (
        "The/DET/det>2 National/PROPN/compound>2 Union/PROPN/nsubj>5 of/ADP/case>4 Miners/PROPN/nmod>2 "
        "struck/VERB/root>5"
    )
    words = words_of(sentence(name))
    later = words_of(sentence("NUM/PROPN/nsubj>1 agreed/VERB/root>1"))
    grammar = ClauseGrammar(words, 0, ShortNames([words, later]), None, present_tense=False)
    assert {made for clause in grammar.clauses() for made in texts(clause.piece)} == {
        "National Union of Miners struck",
        "NUM struck",
    }
    assert headlines(name) == {"National Union of Miners struck"}


def test_a_person_behind_a_long_title_by_name() -> None:
    text = (
        "Trade/PROPN/compound>5 and/CCONJ/cc>2 Industry/PROPN/conj>0 Minister/PROPN/compound>5 Ann/PROPN/compound>5 "
        "Bell/PROPN/nsubj>6 left/VERB/root>6"
    )
    words = words_of(sentence(text))
    names = ShortNames([words])
    assert names.of(SentenceTree(words), range(6)) == [(4, 5)]
    bell = words_of(sentence("Bell/PROPN/nsubj>1 left/VERB/root>1"))
    assert ShortNames([words, bell]).of(SentenceTree(words), range(6)) == [(4, 5), (5,)]


def test_mr_smith_is_no_it() -> None:
    text = SAID_IT.replace("{}/NOUN", "Bell/PROPN")
    assert "Bell to sell two mines" in headlines(text)
    titled = (
        "Mr/PROPN/compound>1 Bell/PROPN/nsubj>2 said/VERB/root>2 it/PRON/nsubj>5 will/AUX/aux>5 sell/VERB/ccomp>2 "
        "two/NUM/nummod>7 mines/NOUN/obj>5"
    )
    assert not any("Bell to sell" in made for made in headlines(titled))


def test_there_would_be_stays() -> None:
    text = (
        "Bell/PROPN/nsubj>1 said/VERB/root>1 there/PRON/expl>4 would/AUX/aux>4 be/VERB/ccomp>1 no/DET/det>6 "
        "spending/NOUN/obj>4"
    )
    assert not any("there to be" in made for made in headlines(text))
    assert any("there would be no spending" in made for made in headlines(text))
