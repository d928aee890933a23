"""The Lagrangian bound of bags with more words than in `tests/proofs`."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core_options import Algorithm, plain_weights, search_options
from tests.proofs.models import WORDS, random_model
from widl.decoder import Bound, CoreRealizer, LanguageModel, Realization, Vocabulary, WeightVector
from widl.expressions import Expression, bag, parse_expression
from widl.pipeline.demo import sample_corpus


def realize(model: LanguageModel, expression: Expression, weights: WeightVector, **options) -> Realization:
    realizer = CoreRealizer(Vocabulary([]), [model])
    search = search_options(**({"algorithm": Algorithm.astar, "bound": Bound.lagrangian} | options))
    return realizer.realize_expressions([expression], weights, search)[0]


@given(
    st.randoms(use_true_random=False),
    st.integers(2, 4),
    st.lists(st.sampled_from(WORDS), min_size=4, max_size=9),
    st.sampled_from([None, 0.5]),
)
def test_groups_counted_lose_no_optimum(rng: random.Random, order: int, words: list[str], share: float | None) -> None:
    """With `nbest=1`, groups are counted and steps are skipped, but not with `nbest=2`."""
    model = random_model(rng, order).core
    listed = " ".join(str(k + 1) for k in range(len(words)))
    shares = "" if share is None else f"{{{listed}: {share}, perms: {1 - share}}}"
    expression = bag(" ".join(words)) if share is None else parse_expression(f"∥{shares}({', '.join(words)})")
    weights = plain_weights()
    counted, plain = (realize(model, expression, weights, nbest=n) for n in (1, 2))
    assert counted.optimal
    assert plain.optimal
    assert counted.score == pytest.approx(plain.score, abs=1e-6)
    stopped = realize(model, expression, weights, max_states=2)
    assert stopped.score <= counted.score + 1e-6 <= stopped.bound + 2e-6
    assert sorted(stopped.words) == sorted(words)
    if share is None:
        assert stopped.score == pytest.approx(
            sum(model.score_words(stopped.words)) - math.lgamma(len(words) + 1), abs=1e-4
        )


def test_it_unfolds_far_less_than_the_loose_bound() -> None:
    lines = (sample_corpus() / "train.en").read_text(encoding="utf-8").lower().splitlines()
    model = LanguageModel.estimate(lines)
    sentence = max(lines, key=lambda line: len(line.split()) * (len(line.split()) <= 14))
    weights = plain_weights(widl=0.0)
    result = realize(model, bag(sentence), weights)
    loose = realize(model, bag(sentence), weights, bound=Bound.loose)
    assert result.optimal
    assert result.score == pytest.approx(loose.score, abs=1e-4)
    assert result.statistics.unfolded * 10 < loose.statistics.unfolded


def test_an_interrupted_search_keeps_the_order_that_its_bound_met() -> None:
    """With one state, the greedy completion of a path scores -24.34, and the bound knows a better order."""
    model = LanguageModel.estimate(["a b c d", "b d a c a", "c a d b", "d d b a c", "a c b d b"])
    expression, weights = bag("b a d a d d a d"), plain_weights(widl=0.0)
    stopped, best = (realize(model, expression, weights, max_states=n) for n in (1, 0))
    assert stopped.score == pytest.approx(best.score)
    assert stopped.optimal
