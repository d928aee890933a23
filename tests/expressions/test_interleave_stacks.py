"""The acceptor of UNFOLD with its ∥-stacks: Figure 2 (b) of the 2006 paper, and its paths against enumeration."""

import re

import pytest

from tests.expressions.test_walks import distribution
from widl.common.errors import InputError
from widl.expressions import enumerate_strings, parse_expression
from widl.expressions.drawing import draw_cuts
from widl.expressions.stack_acceptors import stack_acceptor

# With attacked rebels as the first branch of ∨, the arcs have the words that the paper's text names.
FIGURE_2 = (
    "∥{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}"
    "(×(turkish · government), ∨{0.35, 0.65}(×(attacked · rebels), ×(rebels · fighting)), in · iraq)"
)


def test_states_and_transitions_that_the_paper_names() -> None:
    result = stack_acceptor(parse_expression(FIGURE_2))
    lines = result.to_text().splitlines()
    assert lines[0] == "[vs, {}]\t[v0 v6 v20, {⟨δ1⟩}]\tε\t1"
    assert "[v0 v9 v23, {⟨δ1 3 2⟩}]\t[v0 v19 v23, {⟨δ1 3 2⟩}]\trebels\t1" in lines
    assert lines[-1] == "[ve, {}]"
    # The remaining orders: 2 1 3 has 0.2, each other permutation 0.7/5; a shuffle has 0.1/12.
    assert "[v5 v19 v23, {⟨δ1 2 1 3⟩}]\t[ve, {}]\tε\t0.2" in lines
    assert "[v5 v19 v23, {⟨δ1 3 1 2⟩}]\t[ve, {}]\tε\t0.14" in lines
    assert "[v5 v19 v23, {⟨δ1 3 1 3 2⟩}]\t[ve, {}]\tε\t0.00833333" in lines
    strings = enumerate_strings(parse_expression(FIGURE_2), shuffle_count="paper")
    found = {string: p for string, (p,) in distribution(result).items()}
    assert found == pytest.approx({item.string: item.probability for item in strings})


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("∥(∨(a, b c), d)", "number of orders depends on choices; give it probabilities"),
        ("∨(a, ()) · b", "() is not the paper's; write the choices without it"),
        ("∥(a, b, c)", "more arcs between cuts than the limit of 9"),
    ],
)
def test_messages(expression: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        stack_acceptor(parse_expression(expression), limit=9)


def test_picture() -> None:
    picture = draw_cuts(stack_acceptor(parse_expression(FIGURE_2))).source
    assert "[v0 v9 v23, {⟨δ1 3 2⟩}]" in picture
    assert " ε/0.14 " in picture
