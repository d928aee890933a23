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
    grammar = ClauseGrammar(
        words, number, ShortNames([words]), None, present_tense=True, tight=tight, company=company
    )
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
    words = words_of(
        sentence("Minister/PROPN/compound>2 Ann/PROPN/compound>2 Reed/PROPN/nsubj>3 resigned/VERB/root>3")
    )
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
