"""Arguments of ∥ and × that may be empty, against a list of all choices and orders."""

import itertools
import math
import random
from collections import defaultdict
from fractions import Fraction

import pytest

from tests.reference.widl_semantics import strings_of
from widl.common.errors import InputError
from widl.decoder import LanguageModel, Realizer
from widl.expressions import (
    Expression,
    choice,
    enumerate_strings,
    from_json,
    interleave,
    lock,
    parse_expression,
    seq,
    to_json,
)

Choices = dict[tuple[str, ...], Fraction]
"""Units of an argument and their probabilities."""

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
ARGUMENTS: dict[str, Choices] = {
    "a": {("a",): Fraction(1)},
    "b c": {("b", "c"): Fraction(1)},
    "×(d e)": {("d e",): Fraction(1)},
    "()": {(): Fraction(1)},
    "∨{0.7, 0.3}(f, ())": {("f",): Fraction(7, 10), (): Fraction(3, 10)},
    "∨{0.5, 0.25, 0.25}(g, (), h i)": {("g",): HALF, (): HALF / 2, ("h", "i"): HALF / 2},
    "∨(j, ∨{0.2, 0.8}((), k))": {("j",): HALF, (): HALF / 5, ("k",): HALF * 4 / 5},
    "∨(l, ()) · ∨(m, ())": {("l", "m"): HALF / 2, ("l",): HALF / 2, ("m",): HALF / 2, (): HALF / 2},
    "×(∨{0.6, 0.4}(n o, ()))": {("n o",): Fraction(3, 5), (): Fraction(2, 5)},
    "∨{1, 0}(p, ())": {("p",): Fraction(1)},
    "∨{0, 1}(q, ())": {(): Fraction(1)},
}


def interleavings(arguments: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """All ways to mix sequences, each with its multiplicity."""
    if not any(arguments):
        return [()]
    return [
        (units[0], *rest)
        for k, units in enumerate(arguments)
        if units
        for rest in interleavings([*arguments[:k], units[1:], *arguments[k + 1 :]])
    ]


def check(expression: Expression, expected: dict[str, Fraction]) -> None:
    found = {item.string: item.probability for item in enumerate_strings(expression)}
    assert found == {string: pytest.approx(float(p)) for string, p in expected.items() if p}
    assert parse_expression(str(expression)) == expression
    assert from_json(to_json(expression)) == expression
    by_definition = strings_of(expression)
    assert found == {string: pytest.approx(float(p)) for string, (p,) in by_definition.items() if p}


@pytest.mark.parametrize("seed", range(60))
def test_all_interleavings(seed: int) -> None:
    rng = random.Random(seed)
    names = rng.sample(list(ARGUMENTS), rng.randint(1, 4))
    expected: dict[str, Fraction] = defaultdict(Fraction)
    for chosen in itertools.product(*(ARGUMENTS[name].items() for name in names)):
        every = interleavings([units for units, _ in chosen])
        for units in every:
            expected[" ".join(units)] += math.prod(p for _, p in chosen) / len(every)
    check(parse_expression(f"∥({', '.join(names)})"), expected)


@pytest.mark.parametrize("seed", range(60))
def test_masses_of_orders(seed: int) -> None:
    """An order of the arguments that are there has the masses of all orders of all arguments that contain it."""
    rng = random.Random(seed)
    names = rng.sample(list(ARGUMENTS), rng.randint(2, 4))
    orders = list(itertools.permutations(range(len(names))))
    listed = rng.sample(orders, rng.randint(0, min(3, len(orders) - 1)))
    masses = {order: Fraction(1, 5) for order in listed}
    rest = 1 - sum(masses.values())
    every = {order: masses.get(order, rest / (len(orders) - len(listed))) for order in orders}
    expected: dict[str, Fraction] = defaultdict(Fraction)
    for chosen in itertools.product(*(ARGUMENTS[name].items() for name in names)):
        for order, mass in every.items():
            units = [unit for k in order for unit in chosen[k][0]]
            expected[" ".join(units)] += math.prod(p for _, p in chosen) * mass
    braces = [f"{' '.join(str(k + 1) for k in order)}: 0.2" for order in listed] + [f"perms: {float(rest)!r}"]
    check(parse_expression(f"∥{{{', '.join(braces)}}}({', '.join(names)})"), expected)


def test_written_in_python_and_searched() -> None:
    expression = interleave("the cat", choice({"today": 0.7, seq(): 0.3}))
    assert str(expression) == "∨{0.7, 0.3}(∥(the · cat, today), the · cat)"
    assert str(lock(choice("a", seq()))) == "∨(×(a), ())"
    result = Realizer(LanguageModel.estimate(["today the cat"])).realize_one(expression)
    assert (result.text, result.optimal) == ("today the cat", True)


def test_scores_and_vectors() -> None:
    scored = enumerate_strings("∥(a, ∨{scores: 0.5, 0.2, 0.1}(b, (), ()))")
    assert {item.string: item.probability for item in scored} == pytest.approx({"a b": 0.25, "b a": 0.25, "a": 0.3})
    vectors = enumerate_strings("∥{1 2: 0.9 0.4, perms: 0.1 0.6}(a, ∨{0.7 0.25, 0.3 0.75}(b, ()))")
    expected = {"a": (0.3, 0.75), "a b": (0.63, 0.1), "b a": (0.07, 0.15)}
    assert {item.string: item.probabilities for item in vectors} == {k: pytest.approx(p) for k, p in expected.items()}
    # A choice with probability 0 in a component is impossible.
    assert [item.string for item in enumerate_strings("∥(a, ∨{0.7 0, 0.3 1}(b, ()))")] == ["a"]


def test_deep_choices_are_refused() -> None:
    deep = choice("a", seq())
    for _ in range(5_000):
        deep = choice("b", deep)
    with pytest.raises(InputError, match="choices that may be empty are nested too deep"):
        interleave("a", deep)
