"""Tiles of a source sentence from the values of a phrase table."""

import math

import pytest

from widl._core import tile_sentence, write_options
from widl.decoder import Vocabulary
from widl.errors import InputError

VOCABULARY = Vocabulary(["the", "cat", "dog", "sat"])


def option(*words: str, ef: float, fe: float = 0.5) -> tuple:
    """Word numbers, p(f|e) p(e|f) lex(f|e) lex(e|f), counts, links."""
    return [VOCABULARY.find(word) for word in words], [fe, ef, 0.25, 0.125], [2, 4, 1], []


CAT = write_options([option("the", "cat", ef=0.5), option("cat", ef=0.25), option("dog", ef=0.004)])


def tiled(source: list[str], spans: list, beam: float) -> list[tuple]:
    tiles = tile_sentence(VOCABULARY, source, [(*span, []) for span in spans], beam_probability=beam)
    return [(begin, end, tuple(words)) for begin, end, words, _ in tiles.alternatives]


def test_the_beam_is_relative_to_the_best() -> None:
    spans = [(0, 1, CAT)]
    all_three = [(0, 1, ("the", "cat")), (0, 1, ("cat",)), (0, 1, ("dog",))]
    assert tiled(["猫"], spans, 0.0) == all_three
    assert tiled(["猫"], spans, 0.008) == all_three  # 0.004 / 0.5, just within
    assert tiled(["猫"], spans, 0.01) == all_three[:2]
    assert tiled(["猫"], spans, 0.6) == all_three[:1]
    assert tiled(["猫"], spans, 1.0) == all_three[:1]


def test_scores_are_natural_logs_in_the_order_of_the_features() -> None:
    tiles = tile_sentence(VOCABULARY, ["猫"], [(0, 1, CAT, [])], beam_probability=1.0)
    (_, _, _, scores), *_ = tiles.alternatives
    assert scores == pytest.approx([math.log(p) for p in (0.5, 0.5, 0.25, 0.125)], abs=1e-6)


def test_positions_without_a_word_of_their_own_pass_through() -> None:
    """A position that only a longer phrase covers too: every order of phrases must be completable."""
    source = ["Zorblax", "的", "猫"]
    found = tiled(source, [(1, 3, CAT), (2, 3, CAT)], 0.6)
    assert sorted(found) == [(0, 1, ("Zorblax",)), (1, 2, ("的",)), (1, 3, ("the", "cat")), (2, 3, ("the", "cat"))]


@pytest.mark.parametrize("span", [(1, 1), (0, 4), (3, 2)])
def test_spans_must_be_within_the_sentence(span: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="outside"):
        tile_sentence(VOCABULARY, ["a", "b", "c"], [(*span, CAT, [])], beam_probability=0.0)


def test_bad_beams_and_values() -> None:
    for beam in (-0.1, 1.5, math.nan):
        with pytest.raises(InputError, match="beam must be between 0 and 1"):
            tile_sentence(VOCABULARY, ["a"], [], beam_probability=beam)
    with pytest.raises(InputError):
        tile_sentence(VOCABULARY, ["a"], [(0, 1, CAT[:-3], [])], beam_probability=0.0)


def given_tiled(source: list[str], spans: list, given: list) -> list[tuple]:
    """Spans, words, scores rounded, and whether they count as passed through."""
    spans, given = [(*span, []) for span in spans], [(*span, []) for span in given]
    tiles = tile_sentence(VOCABULARY, source, spans, beam_probability=0.6, given=given)
    return [
        (begin, end, " ".join(words), [round(score, 4) for score in scores], tiles.is_unknown(number))
        for number, (begin, end, words, scores) in enumerate(tiles.alternatives)
    ]


def test_what_is_given_exclusively_stands_alone() -> None:
    """Of the table's spans those that touch 1-3 are gone; a single probability counts in each component."""
    spans = [(0, 1, CAT), (0, 2, CAT), (1, 2, CAT), (1, 3, CAT), (0, 4, CAT), (2, 4, CAT), (3, 4, CAT)]
    given = [(1, 3, ["the", "Zorblax"], 0.5, True, False), (1, 3, ["dog"], 0.25, True, True)]
    cat = [round(math.log(p), 4) for p in (0.5, 0.5, 0.25, 0.125)]
    assert given_tiled(["a", "b", "c", "d"], spans, given) == [
        (1, 3, "the Zorblax", [round(math.log(0.5), 4)] * 4, False),
        (1, 3, "dog", [round(math.log(0.25), 4)] * 4, True),
        (0, 1, "the cat", cat, False),
        (3, 4, "the cat", cat, False),
    ]


def test_what_is_given_inclusively_competes() -> None:
    spans = [(0, 1, CAT), (0, 2, CAT)]
    found = given_tiled(["a", "b"], spans, [(0, 1, ["dog"], 1.0, False, False), (1, 2, ["sat"], 1.0, False, False)])
    assert [(b, e, words) for b, e, words, _, _ in found] == [
        (0, 1, "dog"), (1, 2, "sat"), (0, 1, "the cat"), (0, 2, "the cat"),
    ]
    # A longer one leaves the position without a word of its own; it passes through.
    found = given_tiled(["a", "b"], [(0, 1, CAT)], [(0, 2, ["dog"], 1.0, False, False)])
    assert [(b, e, words) for b, e, words, _, _ in found] == [(0, 2, "dog"), (0, 1, "the cat"), (1, 2, "b")]


def test_exclusive_spans_that_overlap_leave_each_position_a_word() -> None:
    given = [(0, 2, ["x"], 1.0, True, False), (1, 3, ["y"], 2.0, True, False), (3, 5, ["z"], 1.0, True, False)]
    found = given_tiled(["a", "b", "c", "d", "e"], [(0, 1, CAT), (3, 4, CAT)], given)
    assert [(begin, end, words) for begin, end, words, _, _ in found] == [
        (0, 2, "x"), (1, 3, "y"), (3, 5, "z"), (0, 1, "a"), (1, 2, "b"), (2, 3, "c"),
    ]
    assert found[1][3] == [round(math.log(2), 4)] * 4


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([(0, 3, ["x"], 1.0, True, False)], "outside of the sentence"),
        ([(1, 1, ["x"], 1.0, True, False)], "outside of the sentence"),
        ([(0, 1, [], 1.0, True, False)], "has no words"),
        ([(0, 1, ["x"], 0.0, True, False)], "a number above 0"),
        ([(0, 1, ["x"], math.inf, True, False)], "a number above 0"),
        ([(0, 1, ["x"], math.nan, True, False)], "a number above 0"),
    ],
)
def test_what_can_not_be_given(given: list, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tile_sentence(VOCABULARY, ["a", "b"], [], beam_probability=0.0, given=[(*span, []) for span in given])


def test_marks_are_further_scores() -> None:
    """Of all translations of a span; what a span leaves out is 0, and so are those of words passed through."""
    spans = [(0, 1, CAT, [0.0, 2.0]), (0, 1, CAT, []), (0, 2, CAT, [3.0])]
    given = [(1, 2, ["sat"], 0.5, False, False, [0.0, 0.0, 1.0])]
    tiles = tile_sentence(VOCABULARY, ["a", "b", "c"], spans, beam_probability=0.6, given=given, marks=3)
    half = [math.log(0.5)] * 4
    cat = [math.log(p) for p in (0.5, 0.5, 0.25, 0.125)]
    rows = [(begin, end, " ".join(words), list(scores)) for begin, end, words, scores in tiles.alternatives]
    assert rows == [
        (1, 2, "sat", pytest.approx([*half, 0, 0, 1], abs=1e-6)),
        (0, 1, "the cat", pytest.approx([*cat, 0, 2, 0], abs=1e-6)),
        (0, 1, "the cat", pytest.approx([*cat, 0, 0, 0], abs=1e-6)),
        (0, 2, "the cat", pytest.approx([*cat, 3, 0, 0], abs=1e-6)),
        (2, 3, "c", pytest.approx([0.0] * 7)),
    ]


def test_too_many_marks() -> None:
    with pytest.raises(InputError, match="too many marks"):
        tile_sentence(VOCABULARY, ["a"], [(0, 1, CAT, [1.0, 2.0])], beam_probability=0.0, marks=1)
    with pytest.raises(InputError, match="at most 100 marks"):
        tile_sentence(VOCABULARY, ["a"], [], beam_probability=0.0, marks=101)
