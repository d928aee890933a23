"""Equation 1 of Soricut & Marcu (2006): strings with probabilities of the log-linear model."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.expressions.expression_strategies import random_expressions
from tests.expressions.random_expressions import Random
from tests.reference.widl_semantics import strings
from widl.common.errors import InputError
from widl.decoder import LanguageModel, Realizer, interpolate_strings
from widl.expressions import choice, interleave, lock, parse_expression

MODEL = LanguageModel.estimate(["a b c", "a c b b", "b a", "c c a b"], order=3)
OTHER = LanguageModel.estimate(["b c", "c b a", "a a"], order=2)


def test_equation_1_of_the_2006_papers_translation_by_hand() -> None:
    """h0 to h3 with movement, h4 a language model, h5 words: two tiles in both orders."""
    tile = {"a": (0.5, 0.25, 0.2, 0.6), "b c": (0.5, 0.75, 0.8, 0.4)}
    expression = interleave(choice(*((lock(words), p) for words, p in tile.items())), "b", expmove=0.5)
    lambdas, lm, per_word = (0.3, 0.1, 0.2, 0.4), 0.7, -0.5
    weights = {f"widl{j + 1}": value for j, value in enumerate(lambdas)}
    weights |= {"lm0": lm, "word_count": per_word}
    masses = {}
    for words, p in tile.items():
        for string, movement in ((f"{words} b", 0), (f"b {words}", 3)):  # from 0 to 1, from 2 back to 0
            h0_to_h3 = sum(x * (math.log(y) + movement * math.log(0.5)) for x, y in zip(lambdas, p, strict=True))
            h4 = sum(MODEL.score_words(string.split()))
            masses[string] = math.exp(h0_to_h3 + lm * h4 + per_word * len(string.split()))
    result = interpolate_strings(expression, [MODEL], weights)
    assert {item.string: item.probability for item in result} == pytest.approx(
        {string: mass / sum(masses.values()) for string, mass in masses.items()}
    )
    best = Realizer([MODEL], weights | {"distortion": sum(lambdas), "unknown": 0.0, "phrase_count": 0.0}).realize_one(
        expression
    )
    assert (best.text, pytest.approx(best.score)) == (result[0].string, result[0].score)


@given(random_expressions(), st.floats(0, 2), st.floats(0, 2), st.floats(-2, 2))
def test_against_the_definition(case: Random, widl: float, lm0: float, word_count: float) -> None:
    names = ["widl"] if case.components == 1 else [f"widl{j + 1}" for j in range(case.components)]
    weights = {name: widl / (j + 1) for j, name in enumerate(names)} | {"lm0": lm0, "word_count": word_count}
    masses = {}
    for string, numbers in strings(case.node, case.components).items():
        if min(numbers) > 0:
            words = string.split(" ") if string else []
            score = sum(weights[name] * math.log(number) for name, number in zip(names, numbers, strict=True))
            masses[string] = math.exp(score + lm0 * sum(MODEL.score_words(words)) + word_count * len(words))
    result = interpolate_strings(case.expression, [MODEL], weights)
    assert math.fsum(item.probability for item in result) == pytest.approx(1)
    assert {item.string for item in result} == masses.keys()
    for item in result:
        assert item.probability == pytest.approx(masses[item.string] / sum(masses.values()), rel=1e-6)
    assert result == sorted(result, key=lambda item: (-item.score, item.string))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"lm1": 1.0}, "no feature 'lm1' here"),
        ({"unknown": 1.0}, "unknown is a feature of a derivation"),
        ({"phrase_count": 1.0}, "phrase_count is a feature of a derivation"),
        ({"distortion": 0.3}, "movement is part of widl here; give distortion the sum of their weights, 1"),
    ],
)
def test_weights_that_no_string_has(weights: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        interpolate_strings(parse_expression("∥{expmove: 0.5}(a, b)"), [MODEL], weights)
