"""The acceptor of UNFOLD with its ∥-stacks: Figure 2 (b) of the 2006 paper, and its paths against enumeration."""

from typing import Any

import pytest

from tests.expressions.test_walks import strings_of_stacks
from widl.expressions import enumerate_strings, parse_expression
from widl.expressions.drawing import draw_cuts
from widl.expressions.interleave_stacks import stack_acceptor

# As the paper draws it: attacked rebels is the upper branch.
FIGURE_2 = (
    "∥{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}"
    "(×(turkish · government), ∨{0.35, 0.65}(×(attacked · rebels), ×(rebels · fighting)), in · iraq)"
)


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
    assert {string: float(p) for string, p in strings_of_stacks(found).items()} == pytest.approx(
        {one.string: one.probability for one in enumerate_strings(parse_expression(FIGURE_2), shuffle_count="paper")}
    )
    picture = draw_cuts(found).source
    assert picture.count("->") == len(found.arcs) == 83
    assert "[v0 v9 v23, {⟨δ1 3 2⟩}]" in picture
    assert "ε/0.14" in picture


CUTS = ("--cuts", "--paper", "2006")


@pytest.mark.parametrize(
    ("arguments", "expression", "message"),
    [
        ([*CUTS], "∥(∨(a, b c), d)", "number of orders depends on choices; give it probabilities"),
        ([*CUTS], "∨(a, ()) · b", "() is not the paper's; write the choices without it"),
        ([*CUTS, "--limit", "9"], "∥(a, b, c)", "more arcs between cuts than the limit of 9"),
    ],
)
def test_messages(run: Any, arguments: list[str], expression: str, message: str) -> None:
    code, out, err = run("enumerate", *arguments, stdin=expression)
    assert code
    assert out == ""
    assert message in err


def test_command_line(run: Any) -> None:
    code, out, err = run("enumerate", "--cuts", "--paper", "2006", stdin=FIGURE_2)
    assert (code, err) == (0, "")
    assert out == stack_acceptor(parse_expression(FIGURE_2)).to_text()
