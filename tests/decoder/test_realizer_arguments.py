"""`Realizer` accepts the arguments of `realize`: text, one language model or files, partial weights, named options."""

import pytest

from widl.common.errors import InputError
from widl.decoder import (
    LanguageModel,
    RealizationOptions,
    Realizer,
    default_realization_weights,
    estimate_language_model,
    order,
    realize,
)
from widl.expressions import enumerate_strings, parse_expression

TEXT = "∥(sat, ×(the cat), ∨{0.7, 0.3}(on, in))"
LINES = ["the cat sat on", "the cat sat in", "on the cat sat"]
MODEL = LanguageModel.estimate(LINES)


def test_one_model_several_and_files(tmp_path) -> None:
    (tmp_path / "text").write_text("\n".join(LINES), encoding="utf-8")
    estimate_language_model([tmp_path / "text"], tmp_path / "a.arpa")
    expected = Realizer([MODEL]).realize_one(parse_expression(TEXT))
    for models in (MODEL, [MODEL], tmp_path / "a.arpa", str(tmp_path / "a.arpa"), [tmp_path / "a.arpa"]):
        result = Realizer(models).realize_one(TEXT)
        assert (result.text, result.score) == (expected.text, pytest.approx(expected.score, abs=1e-5))
        assert next(realize([TEXT], models)).text == expected.text
        assert next(order(["sat cat the"], models)).text == "the cat sat"


def test_text_is_parsed_and_an_error_says_which() -> None:
    realizer = Realizer(MODEL)
    result = [item.text for item in realizer.realize([TEXT, parse_expression("a b")])]
    assert result == [realizer.realize_one(TEXT).text, "a b"]
    with pytest.raises(InputError, match=r"^expression 2: "):
        list(realizer.realize(["a", "∨(a"]))


def test_weights_that_are_not_given_are_the_defaults() -> None:
    expected = default_realization_weights(1, 1) | {"word_count": 0.5}
    for weights in ({"word_count": 0.5}, {"word_count": 0.5, "widl": 1.0}, expected):
        result = Realizer(MODEL, weights).realize_one(TEXT)
        full = Realizer(MODEL, expected).realize_one(TEXT)
        assert (result.text, result.score) == (full.text, full.score)
    assert Realizer(MODEL, {}).realize_one(TEXT).score == Realizer(MODEL).realize_one(TEXT).score
    two = "∨{0.9 0.1, 0.1 0.9}(on, in)"
    vectors = {"widl1": 0.0, "lm0": 0.0}
    assert Realizer(MODEL, {"widl2": 0.0, "lm0": 0.0}).realize_one(two).text == "on"
    assert Realizer(MODEL, vectors).realize_one(two).text == "in"
    assert {result.string for result in enumerate_strings(parse_expression(two))} == {"on", "in"}
    with pytest.raises(InputError, match="unknown feature 'lm1'"):
        Realizer(MODEL, {"lm1": 1.0}).realize_one(TEXT)


def test_options_by_name() -> None:
    realizer = Realizer(MODEL)
    assert len(realizer.realize_one(TEXT, nbest=3).nbest) == 3
    assert len(next(realizer.realize([TEXT], RealizationOptions(words=4), nbest=2)).nbest) == 2
    assert len(next(realize([TEXT], MODEL, nbest=2)).nbest) == 2
    with pytest.raises(InputError, match="unknown option 'nbset'; did you mean 'nbest'"):
        realizer.realize_one(TEXT, nbset=3)


def test_weights_of_probabilities_are_those_of_the_expression() -> None:
    one, two = "∨{0.9, 0.1}(on, in)", "∨{0.9 0.2, 0.1 0.8}(on, in)"
    scores = {name: Realizer(MODEL, {name: 5.0}).realize_one(one).score for name in ("widl", "widl1")}
    assert scores["widl"] == scores["widl1"]
    with pytest.raises(InputError, match="no weight for widl1, widl2"):
        Realizer(MODEL, {"widl": 5.0}).realize_one(two)
    for weights in ({"widl0": 1.0}, {"widl01": 1.0}, {"widl10000": 1.0}, {"widl": 1.0, "widl2": 1.0}):
        with pytest.raises(InputError, match="widl"):
            Realizer(MODEL, weights)
