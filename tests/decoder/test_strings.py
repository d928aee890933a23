"""Strings ranked by the sum of their derivations, against all strings written out; what `phrases` counts."""

import math
import random
from typing import get_args

import pytest

from tests.core_options import search_options
from tests.decoder.random_expressions import Generator
from tests.reference.widl_semantics import strings
from widl.common.errors import InputError
from widl.decoder import (
    CoreRealizer,
    Expression,
    RealizationOptions,
    Realizer,
    Tiles,
    Vocabulary,
    WeightVector,
    bag,
    language_model_from_lines,
    parse_expression,
)
from widl.decoder.search_options import Search

MODEL = language_model_from_lines(["a b c", "b a c", "c b a a", "or a"])
CASES = 60


def weights(model: float, words: float) -> dict[str, float]:
    others = {"lm0": model, "word_count": words, "phrase_count": 0.0, "distortion": 1.0, "unknown": 0.0}
    return {"widl": 1.0, **others}


def sums(case: int) -> tuple[Realizer, Expression, dict[str, float]]:
    """A random expression of one component, with the log of each string's sum."""
    rng = random.Random(f"strings {case}")
    while True:
        made = Generator(rng, with_tiles=True, words=["a", "b", "c"]).expression(rng.randint(1, 5))
        if made.components == 1:
            break
    model, words = rng.choice([0.0, 1.0, 0.4]), rng.choice([0.0, -0.5])
    expected = {}
    for string, (p,) in strings(made.node, 1).items():
        text = string.split()
        expected[string] = math.log(p) + words * len(text) + model * math.fsum(MODEL.score_words(text))
    return Realizer([MODEL], weights(model, words)), made.expression, expected


@pytest.mark.parametrize("search", get_args(Search))
def test_sums_are_those_of_all_derivations(search: str) -> None:
    for case in range(CASES):
        realizer, expression, expected = sums(case)
        ranked = sorted(expected.values(), reverse=True)
        rng = random.Random(case)
        options = RealizationOptions(search=search, strings=True, nbest=rng.choice([1, 2, 5, 1000]))
        found = realizer.realize_one(expression, options)
        exact = search in ("astar", "bfs")
        assert found.optimal or not exact
        assert found.bound >= ranked[0] - 1e-9
        if found.optimal:
            assert found.score == pytest.approx(ranked[0], abs=1e-6)
        for candidate, score in zip(found.nbest, ranked, strict=False):
            assert candidate.score <= expected[candidate.text] + 1e-9
            if exact:
                assert candidate.score == pytest.approx(score, abs=1e-8)
                assert candidate.score == pytest.approx(expected[candidate.text], abs=1e-8)
        if exact:
            assert len(found.nbest) == min(options.nbest, len(expected))


def test_sums_under_budgets_are_no_more_than_they_are() -> None:
    for case in range(CASES):
        realizer, expression, expected = sums(case)
        best = max(expected.values())
        options = RealizationOptions(strings=True, max_states=random.Random(case).randint(1, 12), nbest=2)
        found = realizer.realize_one(expression, options)
        assert found.bound >= best - 1e-9
        assert found.score <= expected[found.text] + 1e-9
        if found.optimal:
            assert found.score == pytest.approx(best, abs=1e-6)


def test_the_best_derivation_may_have_another_string() -> None:
    expression = parse_expression("∨{0.4, 0.3, 0.3}(a, b, b)")
    realizer = Realizer([MODEL], weights(0.0, 0.0))
    assert realizer.realize_one(expression).text == "a"
    found = realizer.realize_one(expression, RealizationOptions(strings=True))
    assert (found.text, found.optimal) == ("b", True)
    assert math.exp(found.score) == pytest.approx(0.6)


def test_equal_arguments_are_derivations_of_their_own() -> None:
    # One string, and 8! derivations, of which search looks at one.
    realizer = Realizer([MODEL], weights(0.0, 0.0))
    found = realizer.realize_one(bag("a a a a a a a a"), RealizationOptions(strings=True))
    assert found.score == pytest.approx(0.0, abs=1e-9)
    assert found.optimal


def test_a_flat_space_is_not_proved_within_a_budget() -> None:
    many = parse_expression(" · ".join(["∨(a, b, c, a)"] * 12))
    realizer = Realizer([MODEL], weights(0.1, 0.0))
    found = realizer.realize_one(many, RealizationOptions(strings=True, max_states=20))
    assert (found.optimal, found.stopped) == (False, "max_states")
    whole = realizer.realize_one(many, RealizationOptions(strings=True))
    assert whole.optimal
    assert found.score <= whole.score <= found.bound


PHRASES = [
    ("a b c", [(0, ("a", "b", "c"))]),
    ("×(a b) c", [(0, ("a", "b", "c"))]),
    ("∨(a b) c", [(0, ("a", "b")), (2, ("c",))]),
    ("∥{shuffles: 1}(a b, c)", [(0, ("a", "b")), (2, ("c",))]),
    ("tiles{2, expmove: 0.5}(0-1: ×(a b), 1-2: c)", [(0, ("a", "b")), (1, ("c",))]),
]


@pytest.mark.parametrize(("text", "phrases"), PHRASES)
def test_phrases_are_listed_as_they_are_counted(text: str, phrases: list[tuple[int, tuple[str, ...]]]) -> None:
    found = Realizer([MODEL]).realize_one(parse_expression(text))
    assert list(found.phrases) == phrases
    assert found.features["phrase_count"] == len(phrases)
    assert [one["words"] for one in found.as_dict()["phrases"]] == [list(words) for _, words in phrases]


def test_phrases_of_random_expressions_are_as_many_as_they_count() -> None:
    for case in range(CASES):
        rng = random.Random(f"phrases {case}")
        made = Generator(rng, with_tiles=False, words=["a", "b", "c"]).expression(rng.randint(1, 5))
        for candidate in Realizer([MODEL]).realize_one(made.expression, RealizationOptions(nbest=20)).nbest:
            assert len(candidate.phrases) == candidate.features["phrase_count"]
            words = sorted(word for _, phrase in candidate.phrases for word in phrase)
            assert words == sorted(candidate.text.split())


def test_the_length_in_tiles_is_that_of_phrases() -> None:
    # Each string is one phrase: no state is shorter than another, and A*_0 leaves nothing out.
    expression = parse_expression("∨(" + ", ".join(["a b c a b c", "c", "b b b", "a c"]) + ")")
    exact = Realizer([MODEL]).realize_one(expression)
    found = Realizer([MODEL]).realize_one(expression, RealizationOptions(search="astar-k", k=0, k_unit="tiles"))
    assert (found.text, found.optimal) == (exact.text, True)


def test_strings_are_of_expressions() -> None:
    vector = WeightVector(
        widl=[1.0], language_models=[1.0], word_count=0.0, phrase_count=0.0, distortion=1.0, unknown=0.0
    )
    vocabulary = Vocabulary(["a"])
    core = CoreRealizer(vocabulary, [MODEL])
    tiles = Tiles.compile(parse_expression("tiles{1, expmove: 0.5}(0-1: ∨{0.5, 0.5}(a, a))"), vocabulary)
    with pytest.raises(InputError, match="summed to strings of expressions, not of tiles"):
        core.realize([tiles], vector, search_options(strings=True))
