"""The bound of tiles that is lowered after a search: above every derivation, but closer to the best."""

import math
import random

import pytest

from tests.core_options import Algorithm, search_options
from widl._core import Vocabulary, WeightVector
from widl.common.errors import InputError
from widl.decoder import CoreRealizer, LanguageModel, Realization, Tiles
from widl.expressions import Expression
from widl.translation import TranslationOptions

WORDS = "the a club band court city won lost plays asks held on in match match song case friday today".split()
LINES = [
    "the club won the match on friday", "the band plays a song in the city today", "a court asks the city",
    "the club lost a match", "today the court held the case", "on friday the band plays", "the city asks the club",
    "a song a song", "the case in the court on friday", "the match the club won today", "held in the city on friday",
]  # fmt: skip
VOCABULARY = Vocabulary(WORDS)
MODELS = [LanguageModel.estimate(LINES), LanguageModel.estimate([*LINES[5:], "won on friday"], order=2)]
ROUGH = {"algorithm": Algorithm.stack, "beam": 0.0, "beam_size": 1}
"""A search that nearly always prunes a better derivation."""


def weights(components: int) -> WeightVector:
    return WeightVector(
        widl=[0.7] * components, language_models=[1.0, 0.4], word_count=0.3, phrase_count=-0.2, distortion=0.5,
        unknown=-1.0,
    )  # fmt: skip


def pairs_of_words(length: int, seed: int) -> Tiles:
    """Two or three translations of two to four words for spans of one or two positions."""
    rng = random.Random(seed)
    contents = []
    for begin in range(length):
        for end in range(begin + 1, min(begin + 2, length) + 1):
            phrases = [rng.choices(WORDS, k=rng.randint(2, 4)) for _ in range(rng.randint(2, 3))]
            locked = [Expression.lock(Expression.precedence([Expression.word(w) for w in words])) for words in phrases]
            scores = [[2.0 ** -rng.randint(0, 6), 2.0 ** -rng.randint(0, 6)] for _ in phrases]
            contents.append((begin, end, Expression.scored_disjunction(locked, scores)))
    return Tiles.compile(Expression.tiles(length, contents, movement_base=0.9), VOCABULARY)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("limit", [0, 2])
def test_lowered_bounds_come_near_the_best_score(seed: int, limit: int) -> None:
    realizer, tiles = CoreRealizer(VOCABULARY, MODELS), pairs_of_words(8, seed)

    def found(**options: object) -> Realization:
        return realizer.realize([tiles], weights(2), search_options(distortion_limit=limit, **options))[0]

    best = found(algorithm=Algorithm.astar).score
    as_searched, lowered = found(**ROUGH), found(**ROUGH, gap=0.0)
    assert best - 1e-6 * abs(best) <= lowered.bound
    assert lowered.bound - best <= 0.2 * (as_searched.bound - best) + 0.01


def test_a_bound_is_lowered_as_far_as_asked() -> None:
    realizer, tiles = CoreRealizer(VOCABULARY, MODELS), pairs_of_words(8, 1)
    bounds = [
        realizer.realize([tiles], weights(2), search_options(**ROUGH, distortion_limit=2, gap=gap))[0].bound
        for gap in (math.inf, 5.0, 0.0)
    ]
    assert bounds[0] > bounds[1] > bounds[2]


def test_a_gap_is_at_least_zero() -> None:
    with pytest.raises(InputError, match="gap: expected at least 0"):
        TranslationOptions(gap=-1.0)
