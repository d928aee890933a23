"""Lists made by `phrases`, and counts made by `phrase_count`."""

import random

import pytest

from tests.expressions.random_expressions import Generator
from widl.decoder import LanguageModel, RealizationOptions, Realizer
from widl.expressions import parse_expression

MODEL = LanguageModel.estimate(["a b c", "b a c", "c b a a", "or a"])
CASES = 60

PHRASES = [
    ("a b c", [(0, ("a", "b", "c"))]),
    ("×(a b) c", [(0, ("a", "b", "c"))]),
    ("∨(a b) c", [(0, ("a", "b")), (2, ("c",))]),
    ("∥{shuffles: 1}(a b, c)", [(0, ("a", "b")), (2, ("c",))]),
    ("tiles{2, expmove: 0.5}(0-1: ×(a b), 1-2: c)", [(0, ("a", "b")), (1, ("c",))]),
]


@pytest.mark.parametrize(("text", "phrases"), PHRASES)
def test_phrases_are_listed_as_they_are_counted(text: str, phrases: list[tuple[int, tuple[str, ...]]]) -> None:
    result = Realizer([MODEL]).realize_one(parse_expression(text))
    assert list(result.phrases) == phrases
    assert result.features["phrase_count"] == len(phrases)
    assert [item["words"] for item in result.as_dict()["phrases"]] == [list(words) for _, words in phrases]


def test_phrases_of_random_expressions_are_as_many_as_they_count() -> None:
    for case in range(CASES):
        rng = random.Random(f"phrases {case}")
        result = Generator(rng, with_tiles=False, words=["a", "b", "c"]).expression(rng.randint(1, 5))
        for candidate in Realizer([MODEL]).realize_one(result.expression, RealizationOptions(nbest=20)).nbest:
            assert len(candidate.phrases) == candidate.features["phrase_count"]
            words = sorted(word for _, phrase in candidate.phrases for word in phrase)
            assert words == sorted(candidate.text.split())
