"""Enumeration, counts and forms of random expressions, against the set semantics written down from the definitions."""

from itertools import permutations

import pytest

from widl.decoder import LanguageModel, Realizer
from widl.expressions import (
    bag,
    choice,
    count_derivations,
    enumerate_strings,
    interleave,
    movement_normalizer,
    parse_expression,
    seq,
)


@pytest.mark.parametrize("n", range(8))
@pytest.mark.parametrize("base", [0.1, 0.5, 0.9])
def test_movement_normalizer_by_all_permutations(n: int, base: float) -> None:
    moved = [sum(abs(s - e) for s, e in zip(p, [0, *(k + 1 for k in p)], strict=False)) for p in permutations(range(n))]
    assert movement_normalizer(n, base) == pytest.approx(sum(base**d for d in moved), rel=1e-12)


def test_renormalized_where_a_choice_leaves_no_shuffles() -> None:
    # 'a' and 'x' are single units: their two orders share all of the mass, 0.8 : 0.1 for 0.9 of it.
    # 'b c' and 'x' have a third interleaving.
    expression = interleave(choice("a", "b c"), "x", order={(1, 2): 0.8}, perms=0.1, shuffles=0.1)
    result = {item.string: item.probability for item in enumerate_strings(expression)}
    half = 0.5
    assert result == pytest.approx(
        {
            "a x": half * 8 / 9,
            "x a": half / 9,
            "b c x": half * 0.8,
            "x b c": half * 0.1,
            "b x c": half * 0.1,
        }
    )


def test_a_string_has_the_probabilities_of_all_its_derivations() -> None:
    (aa,) = enumerate_strings(bag("a a"))
    assert (aa.string, aa.probability) == ("a a", 1.0)
    assert count_derivations(bag("a a")) == 2


def test_vectors() -> None:
    expression = seq(choice(("a", [0.25, 1.0]), ("b", [0.75, 0.0])), bag("c d"))
    result = enumerate_strings(expression)
    # 'b' is impossible: its second component is 0. The bag's one probability counts in both components.
    assert [(item.string, item.probabilities) for item in result] == [("a c d", (0.125, 0.5)), ("a d c", (0.125, 0.5))]


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
