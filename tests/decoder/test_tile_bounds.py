"""Exact search of long tiles, and the bound that is lowered after a search that pruned."""

import math
import random

import pytest

from tests.core_options import Algorithm, plain_weights, search_options
from tests.proofs.spaces import tiles_expression
from tests.reference.tiles import Option
from widl.decoder import CoreRealizer, LanguageModel, Realization, Tiles, Vocabulary, WeightVector

WORDS = "the a club band court city won lost plays asks held on in match match song case friday today".split()
LINES = [
    "the club won the match on friday", "the band plays a song in the city today", "a court asks the city",
    "the club lost a match", "today the court held the case", "on friday the band plays", "the city asks the club",
    "a song a song", "the case in the court on friday", "the match the club won today", "held in the city on friday",
]  # fmt: skip
VOCABULARY = Vocabulary(WORDS)
MODELS = [LanguageModel.estimate(LINES), LanguageModel.estimate([*LINES[5:], "won on friday"], order=2)]
REALIZER = CoreRealizer(VOCABULARY, MODELS)
ROUGH = {"algorithm": Algorithm.stack, "beam": 0.0, "stack_size": 1}
"""A search that nearly always prunes a better derivation."""
WEIGHTS = WeightVector(
    widl=[0.7, 0.7], language_models=[1.0, 0.4], word_count=0.3, phrase_count=-0.2, distortion=0.5, unknown=-1.0
)


def random_tiles(length: int, seed: int) -> Tiles:
    """Two or three translations of two to four words for spans of one or two positions."""
    rng = random.Random(seed)
    options = [
        Option(begin, end, tuple(rng.choices(WORDS, k=rng.randint(2, 4))), (rng.uniform(-4, 0), rng.uniform(-4, 0)))
        for begin in range(length)
        for end in range(begin + 1, min(begin + 2, length) + 1)
        for _ in range(rng.randint(2, 3))
    ]
    return Tiles.compile(tiles_expression(length, options, 0.9), VOCABULARY)


def found(tiles: Tiles, weights: WeightVector = WEIGHTS, **options: object) -> Realization:
    return REALIZER.realize([tiles], weights, search_options(**({"algorithm": Algorithm.astar} | options)))[0]


@pytest.mark.parametrize("nbest", [1, 5])
def test_lines_without_a_limit_are_proved(nbest: int) -> None:
    """There are 2^18 coverages with up to 18 ends each: far more than can be listed."""
    tiles, weights = random_tiles(18, 0), plain_weights(2, 2, distortion=2.0)
    result = found(tiles, weights, nbest=nbest, max_memory=200 << 20)
    limited = found(tiles, weights, distortion_limit=4)
    assert (result.optimal, limited.optimal, len(result.nbest)) == (True, True, nbest)
    assert result.score >= limited.score - 1e-9


def test_what_ties_everywhere_is_proved_without_a_search() -> None:
    result = found(random_tiles(40, 0), plain_weights(2, 2, widl=0.0, lm=0.0), distortion_limit=4)
    assert (result.optimal, result.score) == (True, 0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("limit", [0, 2])
def test_lowered_bounds_come_near_the_best_score(seed: int, limit: int) -> None:
    tiles = random_tiles(8, seed)
    best = found(tiles, distortion_limit=limit).score
    bounds = [found(tiles, **ROUGH, distortion_limit=limit, gap=gap).bound for gap in (math.inf, 5.0, 0.0)]
    assert bounds[0] >= bounds[1] >= bounds[2] >= best - 1e-6 * abs(best)
    assert bounds[2] - best <= 0.2 * (bounds[0] - best) + 0.01
