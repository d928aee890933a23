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
    tiles = tile_sentence(VOCABULARY, source, spans, beam_probability=beam)
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
    tiles = tile_sentence(VOCABULARY, ["猫"], [(0, 1, CAT)], beam_probability=1.0)
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
        tile_sentence(VOCABULARY, ["a", "b", "c"], [(*span, CAT)], beam_probability=0.0)


def test_bad_beams_and_values() -> None:
    for beam in (-0.1, 1.5, math.nan):
        with pytest.raises(InputError, match="beam must be between 0 and 1"):
            tile_sentence(VOCABULARY, ["a"], [], beam_probability=beam)
    with pytest.raises(InputError):
        tile_sentence(VOCABULARY, ["a"], [(0, 1, CAT[:-3])], beam_probability=0.0)
