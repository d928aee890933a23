"""Searches with hand-computed results, and of large, deep or invalid inputs; random inputs are in `tests/proofs`."""

import math

import pytest

from tests.core_options import Algorithm, plain_weights, search_options
from tests.proofs.models import opened
from tests.reference.arpa import ARPA
from widl.common.errors import InputError
from widl.decoder import (
    CoreRealizer,
    LanguageModel,
    Outcome,
    RealizationOptions,
    Realizer,
    Tiles,
    Vocabulary,
    containing,
    default_realization_weights,
)
from widl.expressions import Expression, bag, choice, interleave, lock, seq, tiles, word

VOCABULARY = Vocabulary([])


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return opened(ARPA)


def test_by_hand(model: LanguageModel) -> None:
    """log10 of ``<s> b a c </s>`` is -0.1 - 0.2 - (0.2 + 0.9) - 0.6 = -2.0, and one of 3! orders has probability
    1/6.
    """
    result = Realizer([model]).realize_one(bag("a b c"))
    assert result.text == "b a c"
    assert result.score == pytest.approx(-2.0 * math.log(10) - math.log(6), abs=1e-5)
    assert result.features == pytest.approx(
        {
            "widl": -math.log(6),
            "lm0": -2.0 * math.log(10),
            "word_count": 3,
            "phrase_count": 3,
            "distortion": 0,
            "unknown": 0,
        },
        abs=1e-5,
    )
    assert result.optimal
    assert [position for position, _ in result.nbest[0].phrases] == [1, 0, 2]


def in_any_order(length: int) -> Tiles:
    """A tile with one word at each position."""
    spans = [(i, i + 1, Expression.word("abcd"[i % 4])) for i in range(length)]
    return Tiles.compile(Expression.tiles(length, spans, movement_base=0.5), VOCABULARY)


def test_tiles_by_hand(model: LanguageModel) -> None:
    """The same string from tiles a|b|c: the phrases start at 1, 0, 2, so movement is 1 + 2 + 1 = 4, at ln 0.5 each."""
    options = search_options(algorithm=Algorithm.astar)
    [result] = CoreRealizer(VOCABULARY, [model]).realize([in_any_order(3)], plain_weights(0, distortion=0.1), options)
    assert result.words == ["b", "a", "c"]
    assert result.features == pytest.approx([-2.0 * math.log(10), 3, 3, 4 * math.log(0.5), 0], abs=1e-5)
    assert result.score == pytest.approx(-2.0 * math.log(10) + 0.1 * 4 * math.log(0.5), abs=1e-5)
    assert result.optimal


@pytest.mark.parametrize("length", [64, 65, 130])
def test_wide_tiles_without_distortion_limit(model: LanguageModel, length: int) -> None:
    weights, options = plain_weights(0, distortion=0.1), search_options(k=0)
    [result] = CoreRealizer(VOCABULARY, [model]).realize([in_any_order(length)], weights, options)
    assert sorted(phrase.begin for phrase in result.phrases) == list(range(length))
    assert result.bound >= result.score


def test_tiles_go_their_own_way(model: LanguageModel) -> None:
    spans = {(0, 1): choice(("a", 0.5), ("b", 0.5), scores=True), (1, 2): choice(("c", 0.9), scores=True)}
    result = Realizer([model]).realize_one(tiles(2, spans, expmove=0.5))
    assert result.text == "b c"
    assert result.features["widl"] == pytest.approx(math.log(0.5 * 0.9), abs=1e-5)
    bare = Realizer([model]).realize_one(tiles(1, {(0, 1): "a"}, expmove=0.5))
    assert (bare.text, bare.features["widl"]) == ("a", 0.0)
    again = Realizer([model]).realize_one(lock(tiles(2, spans, expmove=0.5)))
    assert again.text == "b c"
    assert again.score == pytest.approx(result.score, abs=1e-5)
    wide = tiles(65, {(i, i + 1): "a" for i in range(65)}, expmove=0.5)
    with pytest.raises(InputError, match="more than 64 positions can only be realized"):
        Realizer([model]).realize_one(interleave(wide, "x"))


def test_what_moves_past_64_positions_is_not_denied() -> None:
    """No search unfolds such derivations, so the bound covers them."""
    model = LanguageModel.estimate(["b a"] * 3 + ["c a b"])
    for length, texts in ((64, ["b a"]), (65, ["a b"])):
        space = tiles(length, {(0, 1): "a", (1, length): "b"}, expmove=0.999999)
        result = Realizer([model]).realize_one(space)
        assert (result.text, result.optimal) == (texts[0], length == 64)
        assert result.bound >= sum(model.score_words(["b", "a"])) - 1e-3
        demanded = Realizer([model], constraint=containing([["b", "a"]])).realize_one(space)
        assert demanded.outcome is (Outcome.found if length == 64 else Outcome.undecided)
        assert demanded.bound >= sum(model.score_words(["b", "a"])) - 1e-3


def test_expressions_of_several_widths_in_one_batch(model: LanguageModel) -> None:
    two = choice(("a", [0.5, 0.25]), ("b", [0.5, 0.75]))
    result = list(Realizer([model]).realize([word("a"), two, bag("a b")]))
    assert [next(iter(item.features)) for item in result] == ["widl", "widl1", "widl"]
    weights = default_realization_weights(2, 1)
    assert [item.text for item in Realizer([model], weights).realize([word("a"), two])] == ["a", "b"]
    with pytest.raises(InputError, match="3 probabilities per choice, but there are weights for 2"):
        Realizer([model], weights).realize_one(choice(("a", [0.5] * 3), ("b", [0.5] * 3)))


def test_threads_do_not_change_results(model: LanguageModel) -> None:
    bags = [bag("a b c a b c x"[: 2 * (i % 7) + 1]) for i in range(60)]
    item, two = (list(Realizer([model]).realize(bags, threads=threads)) for threads in (1, 2))
    assert [(r.text, r.score) for r in item] == [(r.text, r.score) for r in two]


def test_a_word_of_a_megabyte(model: LanguageModel) -> None:
    long = "x" * 1_000_000
    realizer = Realizer([model])
    assert sorted(realizer.realize_one(bag([long, "a"])).text.split()) == ["a", long]
    result = realizer.realize_one(bag([long, "a"]), RealizationOptions(bytes=1000))
    assert (result.outcome, result.failure) == (
        Outcome.proved_empty,
        "no string of the expression fits 1000 bytes: proved",
    )


@pytest.mark.parametrize("operator", ["×", "·", "∨", "∨∨", "∥"])
def test_deep_nesting(model: LanguageModel, operator: str) -> None:
    expression = interleave("a", "b")
    depth = 20_000 if operator == "·" else 100_000
    for _ in range(depth):
        if operator == "×":
            expression = lock(expression)
        elif operator == "·":
            expression = seq(expression, "c")
        elif operator == "∨":
            expression = Expression.disjunction([expression], [[1.0]])
        elif operator == "∨∨":
            expression = choice((expression, 0.5), ("c", 0.5))
        else:
            expression = interleave(expression, "c")
    realizer = Realizer([model])
    if operator in ("∨∨", "∥"):
        with pytest.raises(InputError, match="need more than 512 bits"):
            realizer.realize_one(expression)
    else:
        words = realizer.realize_one(expression, RealizationOptions(search="astar-k")).text.split()
        assert sorted(words) == ["a", "b", *["c"] * (depth if operator == "·" else 0)]


def test_shared_parts_that_are_huge_written_out(model: LanguageModel) -> None:
    expression = seq("a", "b")
    for _ in range(40):
        expression = seq(expression, expression)
    with pytest.raises(InputError, match="too large to realize"):
        Realizer([model]).realize_one(expression)


def test_weights_that_make_no_sense(model: LanguageModel) -> None:
    good = default_realization_weights(1, 1)
    for weights, message in (
        (good | {"lm0": -1.0}, "negative"),
        (good | {"widl": math.nan}, "the weight of widl must be a finite number, not nan"),
        ({"lm0": -1.0}, "negative"),
        (good | {"lm1": 1.0}, "unknown feature 'lm1'"),
    ):
        with pytest.raises(InputError, match=message):
            Realizer([model], weights).realize_one(bag("a b"))


@pytest.mark.parametrize("search", ["beam", "stack"])
def test_layers_have_a_size_by_default(search: str) -> None:
    """Without a size, long bags have hundreds of times more states than exact search needs."""
    realizer = Realizer(LanguageModel.estimate(["the cat sat on the mat and the dog ran"]))
    words = bag("the cat sat on a mat and the dog ran to it so far")
    result, all_kept = (realizer.realize_one(words, search=search, **more) for more in ({}, {"stack_size": 0}))
    assert RealizationOptions(search=search).stack_size == 20  # type: ignore[arg-type]
    assert result.states <= 20 * 15 * 15
    assert result.states <= all_kept.states
