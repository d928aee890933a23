"""Pieces: rows, alternatives, parts that may be left out, and their expressions."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.headline.piece_strings import chosen_parts, strings, texts
from widl.decoder import enumerate_strings
from widl.headline.clause_expression import WordWorth, clause_expression
from widl.headline.clauses import Clause
from widl.headline.pieces import Leaf, Part, Piece, Row, Said, options, row, shortest, size, with_optional
from widl.headline.required_terms import MOST_TERMS, terms_grammar, without_words
from widl.headline.words import Word


def leaf(text: str) -> Leaf:
    words = (Word(word, word.lower(), word.lower(), "NOUN", 0, "root") for word in text.split())
    return Leaf(tuple(Said(word, 0, position) for position, word in enumerate(words)))


WORDS = st.sampled_from(["rates", "fall", "banks", "cut", "in May"])
LEAVES = WORDS.map(leaf)


def _extended(pieces: st.SearchStrategy[Piece]) -> st.SearchStrategy[Piece]:
    rows = st.lists(pieces, min_size=2, max_size=3).map(lambda parts: Row(tuple(parts)))
    priors = st.floats(0.05, 0.95).map(math.log)
    choices = st.lists(st.tuples(pieces, priors), min_size=1, max_size=3).map(lambda made: options(made) or made[0][0])
    return st.one_of(rows, choices)


PIECES: st.SearchStrategy[Piece] = st.recursive(LEAVES, _extended, max_leaves=6)


def test_rows_and_options_of_few_parts() -> None:
    assert row([None, None]) is None
    assert row([None, leaf("a")]) == leaf("a")
    assert options([]) is None
    assert options([(leaf("a"), 0.0)]) == leaf("a")


@given(PIECES)
def test_size_and_the_shortest_string(piece: Piece) -> None:
    assert len(shortest(piece)) == min(len(words) for words, _ in strings(piece))
    assert size(piece) >= max(len(words) for words, _ in strings(piece))


@given(PIECES)
def test_the_expression_has_the_strings_of_the_piece(piece: Piece) -> None:
    made = clause_expression([Clause(piece, 0, 0.0)], WordWorth({}, None))
    assert made is not None
    assert {found.string for found in enumerate_strings(made.expression, limit=10_000)} == {
        " ".join(said.word.key for said in words) for words, _ in strings(piece)
    }


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=5))
def test_parts_that_may_be_left_out(drawn: list[tuple[bool, bool]]) -> None:
    parts = [Part(leaf(f"w{n}"), optional, 0.5, leans) for n, (optional, leans) in enumerate(drawn)]
    made = with_optional(parts, most=5)
    expected = {" ".join(f"w{n}" for n in chosen) for chosen in chosen_parts(parts)}
    assert (texts(made) if made is not None else set()) == expected


def test_of_too_many_parts_the_least_likely_go() -> None:
    parts = [Part(leaf("cut")), Part(leaf("sharply"), True, 0.2), Part(leaf("today"), True, 0.9)]
    made = with_optional(parts, most=1)
    assert made is not None
    assert texts(made) == {"cut", "cut today"}
    assert {" ".join(said.word.key for said in words): prior for words, prior in strings(made)}["cut"] == pytest.approx(
        math.log(0.8) + math.log(0.1)
    )


@given(PIECES, st.sets(st.sampled_from(["rates", "fall", "may", "cut"])))
def test_words_that_are_forbidden(piece: Piece, keys: set[str]) -> None:
    left = without_words(piece, keys)
    expected = {
        " ".join(said.word.text for said in words)
        for words, _ in strings(piece)
        if keys.isdisjoint(said.word.key for said in words)
    }
    assert (texts(left) if left is not None else set()) == expected


@given(
    st.lists(st.sampled_from(["rates", "fall", "in May"]), min_size=1, max_size=3),
    st.lists(st.sampled_from(["rates", "fall", "in", "may", "banks"]), max_size=6),
)
def test_terms_that_must_be_there(terms: list[str], words: list[str]) -> None:
    """Each term has words of its own: some assignment of places to terms without overlap."""

    def placed(left: list[list[str]], free: set[int]) -> bool:
        if not left:
            return True
        first, *rest = left
        spans = [range(at, at + len(first)) for at in range(len(words) - len(first) + 1)]
        return any(
            placed(rest, free - set(span))
            for span in spans
            if words[span.start : span.stop] == first and set(span) <= free
        )

    expected = placed([term.lower().split() for term in terms], set(range(len(words))))
    assert terms_grammar(terms).accepts(words) == expected


def test_a_grammar_has_a_rule_for_each_order() -> None:
    assert terms_grammar(["a", "b", "c"]).accepts(list("cab"))
    assert MOST_TERMS <= 6  # 720 rules
