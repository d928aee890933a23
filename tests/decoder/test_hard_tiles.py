"""Input that is hard for a search of tiles: an answer within the budget, with a certificate that holds."""

import random

import pytest

from tests.core_options import Algorithm, search_options
from tests.decoder.test_budgets import TILES, VOCABULARY, assert_in_time, long_tiles
from widl._core import Expression, LanguageModel, Realizer, Tiles, WeightVector
from widl.common.errors import InputError
from widl.decoder import CoreSearchOptions, choice, language_model_from_lines, seq

LINES = ["a b c w1", "b a c w1 a b c", "c b a a b c w1 b a", "w1 c b a c w1 a b"]
MODELS = {
    "three words": language_model_from_lines(LINES),
    "six words": language_model_from_lines(LINES, order=6),
    "one word": language_model_from_lines(["a"], order=2),
}
# Of expression, language model, words, phrases, movement. Movement that is rewarded is refused elsewhere.
WEIGHTS = {
    "usual": (1.0, 1.0, 0.0, 0.0, 1.0),
    "zero": (0.0, 0.0, 0.0, 0.0, 0.0),
    "words cost, phrases pay": (1.0, 1.0, -2.0, 2.0, 1.0),
    "wrong sign": (-1.0, 1.0, 0.5, -0.5, 1.0),
}
INEXACT = [Algorithm.cube, Algorithm.stack, Algorithm.beam, Algorithm.astar_k]


def weights(name: str) -> WeightVector:
    widl, model, words, phrases, movement = WEIGHTS[name]
    return WeightVector(
        widl=[widl], language_models=[model], word_count=words, phrase_count=phrases, distortion=movement, unknown=0.0
    )


def realizer(name: str) -> Realizer:
    models: list[LanguageModel] = [MODELS[name]]
    return Realizer(VOCABULARY, models)


def options(algorithm: Algorithm, **more: float) -> CoreSearchOptions:
    return search_options(**{"algorithm": algorithm, "beam": 1e-30, "beam_size": 100, "pop_limit": 100, **more})


def wide_tiles(alternatives: int = 200, length: int = 12) -> Tiles:
    """So many alternatives for each word and each two neighbours."""
    rng = random.Random(alternatives)
    spans = []
    for begin in range(length):
        for end in range(begin + 1, min(length, begin + 2) + 1):
            words = [rng.choices(["a", "b", "c", "w1"], k=rng.randint(1, 2)) for _ in range(alternatives)]
            phrases = [(seq(*some, f"x{i}"), 1 / alternatives) for i, some in enumerate(words)]
            spans.append((begin, end, choice(*phrases)))
    return Tiles.compile(Expression.tiles(length, spans, movement_base=0.5), VOCABULARY)


@pytest.mark.parametrize("algorithm", [*INEXACT, Algorithm.astar])
@pytest.mark.parametrize("limit", [-1, 6])
def test_two_hundred_alternatives_of_a_span(algorithm: Algorithm, limit: int) -> None:
    given = options(algorithm, distortion_limit=limit, max_readings=100)
    [found] = realizer("three words").realize([wide_tiles()], weights("usual"), given)
    assert_in_time(found)


@pytest.mark.parametrize("algorithm", [*INEXACT, Algorithm.astar])
@pytest.mark.parametrize("model", ["six words", "one word"])
def test_a_thousand_words_without_a_limit(algorithm: Algorithm, model: str) -> None:
    given = options(algorithm, distortion_limit=-1, max_readings=50)
    [found] = realizer(model).realize([TILES], weights("usual"), given)
    assert_in_time(found)


def test_a_negative_weight_of_a_language_model_is_refused() -> None:
    lambdas = WeightVector(widl=[1.0], language_models=[-1.0], word_count=0, phrase_count=0, distortion=1, unknown=0)
    with pytest.raises(InputError, match="a language model's weight is negative"):
        realizer("three words").realize([long_tiles(6, 4)], lambdas, options(Algorithm.cube))
