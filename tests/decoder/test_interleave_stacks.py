"""The acceptor of UNFOLD with its ∥-stacks: Figure 2 (b) of the 2006 paper, and its paths against enumeration."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from tests.decoder.expression_strategies import random_expressions
from tests.decoder.random_expressions import Random
from tests.reference import widl_semantics as definition
from widl.common.errors import InputError
from widl.decoder import enumerate_strings, parse_expression
from widl.decoder.drawing import draw_cuts
from widl.decoder.interleave_stacks import StackAcceptor, StackState, stack_acceptor

# As the paper draws it: attacked rebels is the upper branch.
FIGURE_2 = (
    "∥{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}"
    "(×(turkish · government), ∨{0.35, 0.65}(×(attacked · rebels), ×(rebels · fighting)), in · iraq)"
)


def strings_of(acceptor: StackAcceptor) -> dict[str, Fraction]:
    """All paths written out."""
    out: dict[StackState, list] = {}
    for arc in acceptor.arcs:
        out.setdefault(arc.source, []).append(arc)
    sums: dict[str, Fraction] = {}
    rest: list[tuple[StackState, tuple[str, ...], Fraction]] = [(acceptor.cuts[0], (), Fraction(1))]
    while rest:
        state, words, p = rest.pop()
        if state == acceptor.final:
            sums[" ".join(words)] = sums.get(" ".join(words), Fraction(0)) + p
        for arc in out.get(state, []):
            rest.append((arc.target, (*words, arc.word) if arc.word else words, p * arc.probability))
    return sums


def test_states_and_transitions_that_the_paper_names() -> None:
    found = stack_acceptor(parse_expression(FIGURE_2))
    lines = found.to_text().splitlines()
    assert lines[0] == "[vs, {}]\t[v0 v6 v20, {⟨δ1⟩}]\tε\t1"
    assert "[v0 v9 v23, {⟨δ1 3 2⟩}]\t[v0 v19 v23, {⟨δ1 3 2⟩}]\trebels\t1" in lines
    assert lines[-1] == "[ve, {}]"
    # The orders that are left: 2 1 3 has 0.2, each other permutation 0.7/5; a shuffle has 0.1/12.
    assert "[v5 v19 v23, {⟨δ1 2 1 3⟩}]\t[ve, {}]\tε\t0.2" in lines
    assert "[v5 v19 v23, {⟨δ1 3 1 2⟩}]\t[ve, {}]\tε\t0.14" in lines
    assert "[v5 v19 v23, {⟨δ1 3 1 3 2⟩}]\t[ve, {}]\tε\t0.00833333" in lines
    assert {string: float(p) for string, p in strings_of(found).items()} == pytest.approx(
        {one.string: one.probability for one in enumerate_strings(parse_expression(FIGURE_2), shuffle_count="paper")}
    )
    picture = draw_cuts(found).source
    assert picture.count("->") == len(found.arcs) == 83
    assert "[v0 v9 v23, {⟨δ1 3 2⟩}]" in picture
    assert "ε/0.14" in picture


@given(random_expressions(with_tiles=False))
def test_paths_have_the_probabilities_of_the_strings(case: Random) -> None:
    try:
        found = stack_acceptor(case.expression, limit=5000)
    except InputError as error:
        reasons = ("one probability a transition", "depends on choices", "limit", "() is not the paper's")
        assert any(reason in str(error) for reason in reasons)
        return
    expected = definition.strings_of(case.expression, paper=True)
    assert strings_of(found) == {string: p for string, (p,) in expected.items()}
    reached = {arc.target for arc in found.arcs}
    assert all(state in reached for state in found.cuts[1:])


def test_nested_interleaves_have_stacks_of_their_own() -> None:
    found = stack_acceptor(parse_expression("∥{perms: 1}(a, b · ∥{2 1: 1}(c, d))"))
    names = [found.name(state) for state in found.cuts]
    assert [name for name in names if "⟨δ1 2⟩ ⟨δ2 2 1⟩" in name] == ["[v0 v6 v8, {⟨δ1 2⟩ ⟨δ2 2 1⟩}]"]
    assert strings_of(found) == {"a b d c": Fraction(1, 2), "b d c a": Fraction(1, 2)}


@pytest.mark.parametrize(
    ("arguments", "expression", "message"),
    [
        (["--cuts", "--paper"], "∨{0.5 0.5, 0.5 0.5}(a, b)", "one probability a transition, and choices have 2"),
        (["--cuts", "--paper"], "∥(∨(a, b c), d)", "number of orders depends on choices; give it probabilities"),
        (["--cuts", "--paper"], "tiles{1, expmove: 0.5}(0-1: a)", "tiles are not the paper's"),
        (["--cuts", "--paper"], "∨(a, ()) · b", "() is not the paper's; write the choices without it"),
        (["--cuts", "--paper", "--limit", "9"], "∥(a, b, c)", "more transitions than the limit of 9"),
    ],
)
def test_messages(run: Any, arguments: list[str], expression: str, message: str) -> None:
    code, out, err = run("enumerate", *arguments, stdin=expression)
    assert code
    assert out == ""
    assert message in err


def test_command_line(run: Any) -> None:
    code, out, err = run("enumerate", "--cuts", "--paper", stdin=FIGURE_2)
    assert (code, err) == (0, "")
    assert out == stack_acceptor(parse_expression(FIGURE_2)).to_text()
