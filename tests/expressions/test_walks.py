"""Every walk over an expression gives the strings and probabilities of the set semantics, on random expressions."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given

from tests.expressions.expression_strategies import random_expressions
from tests.expressions.random_expressions import Random
from tests.reference.lattices import paths
from tests.reference.widl_semantics import derivations, strings
from widl.common.errors import InputError
from widl.decoder import LanguageModel, Realizer
from widl.expressions import (
    Acceptor,
    AcceptorArc,
    count_derivations,
    enumerate_strings,
    from_json,
    make_acceptor,
    parse_expression,
    to_json,
)
from widl.expressions.cut_acceptors import CutAcceptor
from widl.expressions.stack_acceptors import StackState, stack_acceptor

Count = Literal["normalized", "paper"]
Strings = dict[str, tuple[float, ...]]
# Why an expression has no acceptor as the paper draws it.
NOT_OF_THE_PAPER = (
    "one probability a transition", "depends on choices", "limit", "() is not the paper's", "tiles have no cuts",
)  # fmt: skip


def paths_of(acceptor: Acceptor | CutAcceptor[StackState]) -> list[tuple[str, tuple[float, ...]]]:
    """Strings with probabilities, one path at a time."""
    start = next(iter(acceptor.names)) if isinstance(acceptor, CutAcceptor) else 0
    result = []
    for path in paths([(arc.source, arc.target) for arc in acceptor.arcs], start, {acceptor.final}):
        arcs = [acceptor.arcs[number] for number in path]
        p = [arc.probabilities if isinstance(arc, AcceptorArc) else (float(arc.probability),) for arc in arcs]
        result.append((" ".join(arc.word for arc in arcs if arc.word), tuple(map(math.prod, zip(*p, strict=True)))))
    return result


def distribution(acceptor: Acceptor | CutAcceptor[StackState]) -> Strings:
    sums: Strings = {}
    for string, p in paths_of(acceptor):
        sums[string] = tuple(map(sum, zip(sums.get(string, (0.0,) * len(p)), p, strict=True)))
    return sums


def enumerated(case: Random, count: Count) -> Strings:
    result = enumerate_strings(case.expression, shuffle_count=count)
    assert [(item.probabilities, item.string) for item in result] == sorted(
        ((item.probabilities, item.string) for item in result), key=lambda item: ([-p for p in item[0]], item[1])
    )
    return {item.string: item.probabilities for item in result}


def accepted(case: Random, count: Count) -> Strings:
    acceptor = make_acceptor(case.expression, shuffle_count=count)
    assert len(paths_of(acceptor)) == count_derivations(case.expression) == len(derivations(case.node, case.components))
    sums: dict[int, list[float]] = {}
    for arc in acceptor.arcs:
        before = sums.get(arc.source, [0.0] * acceptor.components)
        sums[arc.source] = list(map(sum, zip(before, arc.probabilities, strict=True)))
    assert all(total == pytest.approx([1.0] * acceptor.components) for state, total in sums.items() if state)
    return distribution(acceptor)


def stacked(case: Random, count: Count) -> Strings:
    assert count == "paper"
    acceptor = stack_acceptor(case.expression, limit=5000)
    assert {arc.target for arc in acceptor.arcs} >= set(list(acceptor.names)[1:])
    return distribution(acceptor)


def written_and_read(case: Random, count: Count) -> Strings:
    again, nodes = parse_expression(str(case.expression)), from_json(to_json(case.expression))
    assert again == nodes == case.expression
    assert (hash(again), str(again)) == (hash(case.expression), str(case.expression))
    assert nodes.size == case.expression.size <= case.nodes  # sharing is preserved
    return {item.string: item.probabilities for item in enumerate_strings(again, shuffle_count=count)}


WALKS: list[tuple[Callable[[Random, Count], Strings], Count]] = [
    (enumerated, "normalized"), (enumerated, "paper"), (accepted, "normalized"), (accepted, "paper"),
    (stacked, "paper"), (written_and_read, "normalized"),
]  # fmt: skip


@pytest.mark.parametrize(("walk", "count"), WALKS, ids=lambda one: getattr(one, "__name__", one))
@given(case=random_expressions())
def test_strings_are_those_of_the_definition(
    case: Random, walk: Callable[[Random, Count], Strings], count: Count
) -> None:
    try:
        result = walk(case, count)
    except InputError as error:
        assert walk == stacked
        assert any(reason in str(error) for reason in NOT_OF_THE_PAPER)
        return
    assert_equal(result, strings(case.node, case.components, paper=count == "paper"))
    if case.probabilistic and count == "normalized":
        for total in map(sum, zip(*result.values(), strict=True)):
            assert total == pytest.approx(1)


@given(random_expressions(), random_expressions())
def test_expressions_are_equal_if_they_are_written_alike(one: Random, other: Random) -> None:
    assert (one.expression == other.expression) == (str(one.expression) == str(other.expression))


def assert_equal(found: Strings, expected: Mapping[str, tuple[Fraction, ...]]) -> None:
    assert found.keys() == expected.keys()
    for string, p in found.items():
        assert p == pytest.approx(list(map(float, expected[string])), rel=1e-11)


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
