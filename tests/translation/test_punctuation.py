"""Clauses in their order, quotations in one piece: marks by hand, and what search makes of them."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.pipeline.demo import sample_corpus
from widl.translation import Sentence, TranslationOptions, Translator
from widl.translation.parts import GivenTranslations
from widl.translation.punctuation import in_clause_order
from widl.translation.sentence import GivenSpan

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()
ENDS, CLOSING = set("。！？"), set("”）)")
GIVEN = GivenTranslations.evenly([["x"]], exclusive=True)


@pytest.mark.parametrize(
    ("text", "walls", "zones"),
    [
        ("甲 ， 乙 。", (2, 3), ()),
        ("甲 。 ” 乙", (3,), ()),
        ("他 说 ： “ 好 ！ ”", (3, 5), ((3, 7),)),
        ("“ 甲 （ 乙 ” 丙 ）", (), ((0, 5),)),
        ("（ 甲 “ 乙 ” ）", (), ((2, 5), (0, 6))),
        ('a , " b " .', (2, 5), ((2, 5),)),
        ("“ " + "甲 " * 19 + "”", (), ()),
    ],
)
def test_marks_by_hand(text: str, walls: tuple[int, ...], zones: tuple[tuple[int, int], ...]) -> None:
    marked = in_clause_order(Sentence(tuple(text.split())))
    assert (marked.walls, marked.zones) == (walls, zones)
    assert marked.tokens == tuple(text.split())


def test_markup_goes_first() -> None:
    tokens = tuple("甲 ， 乙 “ 丙 丁 ” 戊 。".split())
    given_span = GivenSpan(0, 3, GIVEN)
    assert in_clause_order(Sentence(tokens, given=(given_span,))).walls == (8,)
    assert in_clause_order(Sentence(tokens, longer=((5, 8),))).zones == ()
    assert in_clause_order(Sentence(tokens, zones=((5, 8),))).zones == ((5, 8),)
    assert in_clause_order(Sentence(tokens, zones=((2, 8),))).zones == ((2, 8), (3, 7))
    marked = in_clause_order(Sentence(tokens, walls=(5,)))
    assert (marked.walls, marked.zones) == ((2, 5, 8), ())


@given(st.lists(st.sampled_from([*"甲乙，。“”（）《》", '"', "!"]), min_size=1, max_size=30))
def test_zones_are_nested_and_walls_inside(tokens: list[str]) -> None:
    """What the search demands: zones that do not cross, and walls within the sentence."""
    marked = in_clause_order(Sentence(tuple(tokens)))
    assert all(0 < wall < len(tokens) for wall in marked.walls)
    assert list(marked.walls) == sorted(set(marked.walls))
    for a, b in marked.zones:
        assert not any(a < c < b < d for c, d in marked.zones)


@pytest.fixture(scope="module")
def translator(trained) -> Translator:
    return Translator(trained)


@pytest.mark.parametrize("search", ["cube", "astar"])
def test_clauses_stay_in_order(translator: Translator, search: str) -> None:
    # Movement costs nothing, so that there is something to keep.
    mover = translator.reweighted({**translator.weights, "distortion": 0.0})
    clauses = [line.rstrip("。") for line in LINES[:13]]
    lines = [f"{first}，“{second}”。" for first, second in pairwise(clauses)]
    options = TranslationOptions(search=search, max_states=5_000)
    kept_in_order = replace(options, monotone_at_punctuation=True)
    changed = 0
    for free, kept in zip(mover.translate(lines, options), mover.translate(lines, kept_in_order), strict=True):
        changed += free.text != kept.text
        tokens = kept.source
        limits = [i + 1 for i, token in enumerate(tokens[:-1]) if token == "，"] + [len(tokens) - 1]
        for limit in limits:
            before = [phrase.end <= limit for phrase in kept.phrases]
            assert before == sorted(before, reverse=True), kept.text
        assert kept.phrases[-1].begin == len(tokens) - 1
        begin, end = tokens.index("“"), tokens.index("”")
        places = [n for n, phrase in enumerate(kept.phrases) if begin <= phrase.begin <= end]
        assert places == list(range(places[0], places[0] + len(places))), kept.text
    assert changed
