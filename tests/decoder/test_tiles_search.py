"""Searches of tiles with hand-computed results, and of long or invalid tiles; random tiles are in `tests/proofs`."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from tests.core_options import Algorithm, plain_weights, search_options
from tests.decoder.language_models import WORDS, arpa_models, model_of
from tests.reference.arpa import arpa_text
from widl.decoder import CoreRealizer, LanguageModel, Tiles, Vocabulary
from widl.expressions import Expression

"""Exact without pruning."""


def bag(vocabulary: Vocabulary, length: int) -> Tiles:
    """All orders of `length` positions with one word each."""
    spans = [(i, i + 1, Expression.word(WORDS[i % len(WORDS)])) for i in range(length)]
    return Tiles.compile(Expression.tiles(length, spans, movement_base=0.5), vocabulary)


FLAT = plain_weights(0, distortion=0.1)
ARPA = arpa_text(
    ["-1.0\t<unk>", "-99\t<s>\t-0.3", "-0.6\t</s>", "-0.5\ta\t-0.2", "-0.7\tb\t-0.2", "-0.9\tc\t0"],
    ["-0.1\t<s> b", "-0.2\tb a"],
)


def test_by_hand() -> None:
    """Tiles a|b|c without limit.

    The log10 scores <s> b = -0.1, b a = -0.2, then c after a = -0.2 - 0.9 and </s> after c = -0.6 give -2.0. The
    phrases start at 1, 0, 2: movement 1 + 2 + 1 = 4, at ln 0.5 each.
    """
    vocabulary = Vocabulary([])
    result = CoreRealizer(vocabulary, [model_of(ARPA)]).realize(
        [bag(vocabulary, 3)], FLAT, search_options(algorithm=Algorithm.astar)
    )[0]
    assert result.words == ["b", "a", "c"]
    assert result.features == pytest.approx([-2.0 * math.log(10), 3, 3, 4 * math.log(0.5), 0], abs=1e-5)
    assert result.score == pytest.approx(-2.0 * math.log(10) + 0.1 * 4 * math.log(0.5), abs=1e-5)
    assert result.optimal


EIGHT = tuple("abcdefgh")


def best_order(model: LanguageModel, words: Sequence[str]) -> float:
    """The best ln p of all orders of different words, by dynamic programming over (words used, last two)."""
    best = {(frozenset({w}), "<s>", w): model.score_words([w], end=False)[0] for w in words}
    for _ in range(len(words) - 1):
        longer: dict[tuple[frozenset[str], str, str], float] = {}
        for (used, u, v), score in best.items():
            for w in set(words) - used:
                before = [v] if u == "<s>" else [u, v]
                step = model.score_words([*before, w], begin=u == "<s>", end=False)[-1]
                key = (used | {w}, v, w)
                longer[key] = max(longer.get(key, -math.inf), score + step)
        best = longer
    return max(score + model.score_words([u, v], begin=False)[-1] for (_, u, v), score in best.items())


@settings(max_examples=15)
@given(arpa_models(EIGHT))
def test_many_states_recombine_rightly(arpa: str) -> None:
    """Eight words in any order; only states with equal coverage and equal context may recombine."""
    model, vocabulary = model_of(arpa), Vocabulary(EIGHT)
    spans = [(i, i + 1, Expression.word(word)) for i, word in enumerate(EIGHT)]
    tiles = Tiles.compile(Expression.tiles(8, spans, movement_base=0.5), vocabulary)
    weights = plain_weights(0)
    result = CoreRealizer(vocabulary, [model]).realize([tiles], weights, search_options(algorithm=Algorithm.astar))[0]
    assert result.score == pytest.approx(best_order(model, EIGHT), abs=1e-4)
    assert result.optimal


@pytest.mark.parametrize("length", [64, 65, 130])
def test_wide_sentences_without_distortion_limit(length: int) -> None:
    vocabulary = Vocabulary([])
    tiles = bag(vocabulary, length)
    result = CoreRealizer(vocabulary, [model_of(ARPA)]).realize([tiles], FLAT, search_options(lookback=0))[0]
    assert sorted(phrase.begin for phrase in result.phrases) == list(range(length))
    assert result.bound >= result.score


@pytest.mark.parametrize("algorithm", [Algorithm.astar, Algorithm.astar_k, Algorithm.stack, Algorithm.cube])
def test_out_of_budget_it_still_answers(algorithm: Algorithm) -> None:
    vocabulary = Vocabulary([])
    realizer, tiles = CoreRealizer(vocabulary, [model_of(ARPA)]), bag(vocabulary, 20)
    options = search_options(algorithm=algorithm, lookback=20, beam=0, max_states=50)
    result = realizer.realize([tiles], FLAT, options)[0]
    assert result.stopped == "max_states"
    assert not result.optimal
    assert len(result.words) == 20
    best = realizer.realize([tiles], FLAT, search_options(lookback=2))[0]
    assert best.score <= result.bound


def test_threads_do_not_change_results() -> None:
    vocabulary = Vocabulary([])
    realizer = CoreRealizer(vocabulary, [model_of(ARPA)])
    batch = [bag(vocabulary, 1 + i % 9) for i in range(40)]
    item = realizer.realize(batch, FLAT, search_options(), threads=1)
    two = realizer.realize(batch, FLAT, search_options(), threads=2)
    assert [r.words for r in item] == [r.words for r in two]
    assert [r.score for r in item] == [r.score for r in two]
