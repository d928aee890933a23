"""Exact search over tiles: proven best derivations, or an answer within the budget."""

import random

import pytest

from tests.core_options import Algorithm, search_options
from widl.decoder import CoreRealizer, LanguageModel, Realization, Tiles, Vocabulary, WeightVector
from widl.expressions import Expression

LETTERS = ["a", "b", "c", "d", "e"]
RNG = random.Random(5)
LINES = [" ".join(RNG.choices(LETTERS, k=RNG.randint(1, 9))) for _ in range(60)]
MODEL = LanguageModel.estimate(LINES)
MEGABYTE = 1 << 20


def tiles(vocabulary: Vocabulary, length: int, alternatives: int, longest: int = 2) -> Tiles:
    """Random translations of up to three words."""
    rng = random.Random(length)
    spans = []
    for begin in range(length):
        for end in range(begin + 1, min(length, begin + longest) + 1):
            phrases = [rng.choices(LETTERS, k=rng.randint(1, 3)) for _ in range(alternatives)]
            locked = [Expression.lock(Expression.precedence([Expression.word(w) for w in words])) for words in phrases]
            spans.append((begin, end, Expression.scored_disjunction(locked, [[rng.uniform(0.1, 1)] for _ in phrases])))
    return Tiles.compile(Expression.tiles(length, spans, movement_base=0.7), vocabulary)


def weights(lm: float = 1.0, distortion: float = 1.0, widl: float = 1.0) -> WeightVector:
    return WeightVector(
        widl=[widl], language_models=[lm], word_count=0.3 * widl, phrase_count=0.0, distortion=distortion, unknown=0.0
    )


def realized(
    model: LanguageModel, length: int, alternatives: int, weight: WeightVector, **options: object
) -> Realization:
    vocabulary = Vocabulary(LETTERS)
    asked = search_options(algorithm=Algorithm.astar, **options)
    return CoreRealizer(vocabulary, [model]).realize([tiles(vocabulary, length, alternatives)], weight, asked)[0]


def test_two_hundred_alternatives_of_each_span() -> None:
    result = realized(MODEL, 12, 200, weights(), distortion_limit=3)
    assert result.optimal
    few = realized(MODEL, 12, 200, weights(), distortion_limit=3, alternatives_per_span=5)
    assert few.score <= result.score


@pytest.mark.parametrize("n", [1, 5])
def test_lines_without_a_limit_are_proved(n: int) -> None:
    # There are 2^18 coverages with up to 18 ends each: far more than can be listed.
    result = realized(MODEL, 18, 5, weights(distortion=2.0), nbest=n, max_memory=200 * MEGABYTE)
    assert result.optimal
    assert len(result.nbest) == n
    limited = realized(MODEL, 18, 5, weights(distortion=2.0), distortion_limit=4)
    assert limited.optimal
    assert result.score >= limited.score - 1e-9


def test_what_ties_everywhere_is_proved_without_a_search() -> None:
    result = realized(MODEL, 40, 20, weights(0, 0, 0), distortion_limit=4)
    assert result.optimal
    assert result.score == 0
