"""Lists made by `phrases`, and counts made by `phrase_count`."""

import pytest

from widl.decoder import LanguageModel, Realizer
from widl.expressions import parse_expression

MODEL = LanguageModel.estimate(["a b c", "b a c", "c b a a", "or a"])
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
