"""Enumeration, counts and forms of random expressions, against the set semantics written down from the definitions."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.decoder.expression_strategies import random_expressions
from tests.decoder.random_expressions import Random
from tests.reference.widl_semantics import derivations, strings, strings_of
from widl.decoder import (
    Expression,
    WeightedString,
    bag,
    choice,
    count_derivations,
    enumerate_strings,
    from_json,
    interleave,
    lock,
    movement_normalizer,
    parse_expression,
    seq,
    tiles,
    to_json,
    written_size,
)


def assert_equal(found: Sequence[WeightedString], expected: Mapping[str, Sequence[Fraction]]) -> None:
    assert {one.string for one in found} == expected.keys()
    for one in found:
        assert one.probabilities == pytest.approx(list(map(float, expected[one.string])), rel=2e-12)


@pytest.mark.slow
@given(random_expressions())
def test_enumeration_is_the_set_semantics(case: Random) -> None:
    found = enumerate_strings(case.expression)
    expected = strings(case.node, case.components)
    assert_equal(found, expected)
    # Equally probable strings are in alphabetical order.
    assert [one.string for one in found] == sorted(expected, key=lambda one: ([-p for p in expected[one]], one))
    if case.probabilistic:
        for total in map(sum, zip(*expected.values(), strict=True)):
            assert total == 1
    assert count_derivations(case.expression) == len(derivations(case.node, case.components))


@pytest.mark.slow
@given(random_expressions())
def test_the_papers_shuffle_count(case: Random) -> None:
    found = enumerate_strings(case.expression, shuffle_count="paper")
    assert_equal(found, strings(case.node, case.components, paper=True))


@pytest.mark.slow
@given(random_expressions())
def test_text_and_json_come_back_equal(case: Random) -> None:
    expression = case.expression
    text = str(expression)
    again = parse_expression(text)
    assert again == expression
    assert hash(again) == hash(expression)
    assert str(again) == text
    from_nodes = from_json(to_json(expression))
    assert from_nodes == expression
    assert from_nodes.size == expression.size  # what was shared is shared


@pytest.mark.slow
@given(random_expressions(), random_expressions())
def test_equality_is_structural(x: Random, y: Random) -> None:
    assert (x.expression == y.expression) == (str(x.expression) == str(y.expression))


@pytest.mark.slow
@given(random_expressions())
def test_size_is_linear(case: Random) -> None:
    assert case.expression.size <= case.nodes
    assert written_size(case.expression) >= case.expression.size
    n = case.nodes
    assert interleave(case.expression, *"abcdefgh"[:n]).size <= 2 * n + 1


def test_sizes_of_bags() -> None:
    for n in (1, 10, 300):
        assert bag(map(str, range(n))).size == n + 1
        assert count_derivations(bag(map(str, range(n)))) == math.factorial(n)


def written_out(length: int, spans: dict[tuple[int, int], Expression], base: float) -> dict[str, Fraction]:
    """Tiles' strings, from ∨ over segmentations of the permutations of their tiles."""
    def segmentations(position: int) -> list[list[tuple[int, int]]]:
        if position == length:
            return [[]]
        return [[span, *rest] for span in spans if span[0] == position for rest in segmentations(span[1])]

    sums: dict[str, Fraction] = {}
    for segmentation in segmentations(0):
        for order in permutations(segmentation):
            moved = sum(abs(s - e) for (s, _), e in zip(order, [0, *(e for _, e in order)], strict=False))
            for string, (p,) in strings_of(seq(*(spans[span] for span in order))).items():
                sums[string] = sums.get(string, Fraction(0)) + p * Fraction(repr(base)) ** moved
    return sums


@pytest.mark.slow
@given(st.integers(1, 5), st.data())
def test_tiles_are_their_written_out_expression(length: int, data: st.DataObject) -> None:
    possible = [(i, j) for i in range(length) for j in range(i + 2, length + 1)]
    longer = data.draw(st.lists(st.sampled_from(possible), unique=True, max_size=3)) if possible else []
    spans: dict[tuple[int, int], Expression] = {(i, i + 1): choice(("x", 0.5), (f"w{i}", 0.5)) for i in range(length)}
    spans |= {span: lock(f"p{span[0]}", f"q{span[1]}") for span in longer}
    expected = {string: (p,) for string, p in written_out(length, spans, 0.5).items()}
    assert_equal(enumerate_strings(tiles(length, spans, expmove=0.5)), expected)
    if not longer:  # then it is ∥expmove itself
        same = interleave(*(spans[i, i + 1] for i in range(length)), expmove=0.5)
        assert_equal(enumerate_strings(same), expected)


@pytest.mark.parametrize("n", range(8))
@pytest.mark.parametrize("base", [0.1, 0.5, 0.9])
def test_movement_normalizer_by_all_permutations(n: int, base: float) -> None:
    moved = [sum(abs(s - e) for s, e in zip(p, [0, *(k + 1 for k in p)], strict=False)) for p in permutations(range(n))]
    assert movement_normalizer(n, base) == pytest.approx(sum(base**d for d in moved), rel=1e-12)


def test_renormalised_where_a_choice_leaves_no_shuffles() -> None:
    # 'a' and 'x' are single units: their two orders share all of the mass, 0.8 : 0.1 for 0.9 of it.
    # 'b c' and 'x' have a third interleaving.
    expression = interleave(choice("a", "b c"), "x", order={(1, 2): 0.8}, perms=0.1, shuffles=0.1)
    found = {one.string: one.probability for one in enumerate_strings(expression)}
    half = 0.5
    assert found == pytest.approx({
        "a x": half * 8 / 9, "x a": half / 9,
        "b c x": half * 0.8, "x b c": half * 0.1, "b x c": half * 0.1,
    })


def test_a_string_has_the_probabilities_of_all_its_derivations() -> None:
    (aa,) = enumerate_strings(bag("a a"))
    assert (aa.string, aa.probability) == ("a a", 1.0)
    assert count_derivations(bag("a a")) == 2


def test_vectors() -> None:
    expression = seq(choice(("a", [0.25, 1.0]), ("b", [0.75, 0.0])), bag("c d"))
    found = enumerate_strings(expression)
    # 'b' is impossible: its second component is 0. The bag's one probability counts in both components.
    assert [(one.string, one.probabilities) for one in found] == [("a c d", (0.125, 0.5)), ("a d c", (0.125, 0.5))]
