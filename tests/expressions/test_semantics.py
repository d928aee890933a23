"""Enumeration, counts and forms of random expressions, against the set semantics written down from the definitions."""

from itertools import permutations

import pytest

from widl.decoder import LanguageModel, Realizer
from widl.expressions import (
    enumerate_strings,
    movement_normalizer,
    parse_expression,
)


@pytest.mark.parametrize("n", range(8))
@pytest.mark.parametrize("base", [0.1, 0.5, 0.9])
def test_movement_normalizer_by_all_permutations(n: int, base: float) -> None:
    moved = [sum(abs(s - e) for s, e in zip(p, [0, *(k + 1 for k in p)], strict=False)) for p in permutations(range(n))]
    assert movement_normalizer(n, base) == pytest.approx(sum(base**d for d in moved), rel=1e-12)


@pytest.mark.parametrize(
    ("text", "string", "probability"),
    [
        ("∥{shuffles: 1}(x, ×(a · ∨{0.4, 0.6}(c, ())) · b)", "a x b", 0.6),
        ("∥{shuffles: 1}(x, ×(a · ∨{0.4, 0.6}(c, ()) · ∨{0.5, 0.5}(d, ())) · b)", "a x b", 0.3),
        ("∥{shuffles: 1}(x, ×(a · ∨{0.4, 0.6}(c, ())) · ∨{0.5, 0.5}(d, ()) · b)", "a x b", 0.3),
        ("∥{shuffles: 1}(x y, ×(∨{0.2, 0.8}(c, ()) · a · ∨{0.4, 0.6}(c, ())))", "x a y", 0.48),
        ("∥{shuffles: 1}(x, ×(a · ∨{0.4, 0.6}(c, ())) · ×(b · ∨{0.5, 0.5}(d, ())) · e)", "a x b e", 0.15),
    ],
)
def test_a_lock_whose_end_is_left_out_is_closed(text: str, string: str, probability: float) -> None:
    """No other word may come between the lock's words; after its last chosen word, even an optional end is closed."""
    expression = parse_expression(text)
    result = {item.string: item.probability for item in enumerate_strings(expression)}
    assert sum(result.values()) == pytest.approx(1)
    assert result[string] == pytest.approx(probability)
    realized = Realizer(LanguageModel.estimate([string] * 3)).realize_one(expression, search="astar")
    assert (realized.text, realized.optimal) == (string, True)
