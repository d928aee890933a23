"""The 2006 paper's division of the mass of shuffles, searched: against enumeration with that count."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.expressions.expression_strategies import random_expressions
from tests.expressions.random_expressions import Random
from tests.reference.widl_semantics import derivations, joined, node_of
from widl.common.errors import InputError
from widl.decoder import LanguageModel, Realizer, default_realization_weights, estimate_language_model
from widl.expressions import enumerate_strings, parse_expression
from widl.expressions.paper_shuffles import with_paper_shuffles

FIGURE_1 = (
    "∥{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}"
    "(×(turkish · government), ∨{0.65, 0.35}(×(rebels · fighting), ×(attacked · rebels)), in · iraq)"
)
MODEL = LanguageModel.estimate(["a b c", "a c b b", "b a", "c c a b"], order=3)


@given(random_expressions())
def test_probabilities_and_the_best_derivation_are_those_of_enumeration(case: Random) -> None:
    try:
        found = with_paper_shuffles(case.expression)
    except InputError as error:
        assert "the number of shuffles depends on choices" in str(error)
        return
    expected = {one.string: one.probabilities for one in enumerate_strings(case.expression, shuffle_count="paper")}
    strings = {one.string: one.probabilities for one in enumerate_strings(found)}
    assert strings.keys() == expected.keys()
    for string, numbers in strings.items():
        assert numbers == pytest.approx(expected[string])
    if case.components > 1:
        return
    try:
        best = Realizer([MODEL], default_realization_weights(1, 1)).realize_one(found)
    except InputError:  # a part may be empty, or a tile has an interleave
        return
    scores = [
        math.log(p) + sum(MODEL.score_words(joined(text).split(" ")))
        for text, (p,) in derivations(node_of(case.expression), 1, paper=True)
        if joined(text)
    ]
    if best.optimal:
        assert best.score == pytest.approx(max(scores), rel=1e-5, abs=1e-5)


def test_figure_1() -> None:
    found = {one.string: one.probability for one in enumerate_strings(with_paper_shuffles(parse_expression(FIGURE_1)))}
    assert found["in turkish government iraq rebels fighting"] == pytest.approx(0.1 / 12 * 0.65)
    assert math.fsum(found.values()) == pytest.approx(0.95)


def test_command_line(run: Any, tmp_path: Path) -> None:
    text, lm = tmp_path / "text", tmp_path / "lm.binary"
    text.write_text("in turkish government iraq rebels fighting\n" * 9, encoding="utf-8")
    estimate_language_model(text, lm, order=3)
    scores = {}
    for count in ("normalised", "paper"):
        code, out, err = run("realize", "--lm", lm, "--shuffle-count", count, "--json", stdin=FIGURE_1)
        assert (code, err) == (0, "")
        scores[count] = json.loads(out)["score"]
        assert json.loads(out)["text"] == "in turkish government iraq rebels fighting"
    assert scores["normalised"] - scores["paper"] == pytest.approx(math.log(2))
    wrong = "∥{1 2: 0.8, shuffles: 0.2}(∨(a, b c), d e)"
    code, out, err = run("realize", "--lm", lm, "--shuffle-count", "paper", stdin=f"{wrong}\na\n")
    assert (code, out) == (1, "\na\n")
    assert "<stdin>:1: ∥: the number of shuffles depends on choices" in err
