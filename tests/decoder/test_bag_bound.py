"""The Lagrangian bound of bags: exact search with it, and its admissibility, against all derivations."""

import math
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core_options import Algorithm, search_options
from tests.decoder.language_models import WORDS, arpa_models
from tests.decoder.test_tiles_search import EIGHT, best_order, model_of
from widl.decoder import (
    Bound,
    CoreRealizer,
    Expression,
    LanguageModel,
    Realization,
    Vocabulary,
    WeightVector,
    bag,
    choice,
    interleave,
    language_model_from_lines,
    lock,
    parse_expression,
    seq,
    word,
)
from widl.pipeline.demo import sample_corpus

# Arguments by name, with the strings they can be and the ln of their probability.
Strings = dict[tuple[str, ...], float]
ARGUMENTS: list[tuple[Expression, Strings]] = [
    *((word(w), {(w,): 0.0}) for w in WORDS),
    (lock(seq("a", "b")), {("a", "b"): 0.0}),
    (lock(seq("c", "a", "d")), {("c", "a", "d"): 0.0}),
    (choice(("a", 0.5), ("c", 0.5)), {("a",): math.log(0.5), ("c",): math.log(0.5)}),
    (choice((lock(seq("b", "d")), 0.75), ("d", 0.25)), {("b", "d"): math.log(0.75), ("d",): math.log(0.25)}),
]
WEIGHTS = [0.5, 1.0, 0.25, 0.125]  # widl, language model, words, phrases


def weight_vector() -> WeightVector:
    widl, lm, words, phrases = WEIGHTS
    return WeightVector(
        widl=[widl], language_models=[lm], word_count=words, phrase_count=phrases, distortion=0, unknown=0
    )


def best_by_hand(model: LanguageModel, chosen: Sequence[Strings], log_share: float) -> float:
    """The best score of all orders of all choices; each order has the same share of the interleave's mass."""
    best = -math.inf
    choices: list[list[tuple[tuple[str, ...], float]]] = [[]]
    for strings in chosen:
        choices = [[*done, one] for done in choices for one in strings.items()]
    for parts in choices:
        for order in set(permutations(parts)):
            words = [w for part, _ in order for w in part]
            widl = sum(p for _, p in order) + log_share
            score = WEIGHTS[0] * widl + WEIGHTS[1] * sum(model.score_words(words))
            best = max(best, score + WEIGHTS[2] * len(words) + WEIGHTS[3] * len(parts))
    return best


def realize(model: LanguageModel, expression: Expression, weights: WeightVector, **options) -> Realization:
    realizer = CoreRealizer(Vocabulary([]), [model])
    search = search_options(**({"algorithm": Algorithm.astar, "bound": Bound.lagrangian} | options))
    return realizer.realize_expressions([expression], weights, search)[0]


@pytest.mark.slow
@settings(max_examples=200)
@given(arpa_models(), st.lists(st.sampled_from(ARGUMENTS), min_size=1, max_size=5))
def test_exact_search_of_bags(arpa: str, arguments: list[tuple[Expression, Strings]]) -> None:
    """Words more than once, locked phrases and choices among them."""
    model = model_of(arpa)
    expression = interleave(*(argument for argument, _ in arguments))
    found = realize(model, expression, weight_vector())
    expected = best_by_hand(model, [s for _, s in arguments], -math.log(math.factorial(len(arguments))))
    assert found.score == pytest.approx(expected, abs=1e-4)
    assert found.optimal


@pytest.mark.slow
@settings(max_examples=15)
@given(arpa_models(EIGHT))
def test_its_certificate_holds_for_every_search(arpa: str) -> None:
    model, expression = model_of(arpa), bag(" ".join(EIGHT))
    weights = WeightVector(widl=[0], language_models=[1], word_count=0, phrase_count=0, distortion=0, unknown=0)
    best = best_order(model, EIGHT)
    exact = realize(model, expression, weights)
    assert exact.score == pytest.approx(best, abs=1e-4)
    for options in ({"algorithm": Algorithm.astar_k, "lookback": 1}, {"algorithm": Algorithm.beam, "beam": 0.2}):
        rough = realize(model, expression, weights, **options)
        assert rough.score <= best + 1e-4 <= rough.bound + 2e-4


@settings(max_examples=60)
@given(arpa_models(EIGHT), st.lists(st.sampled_from(EIGHT), min_size=4, max_size=9), st.data())
def test_groups_counted_lose_no_optimum(arpa: str, words: list[str], data: st.DataObject) -> None:
    """One best derivation is found with groups counted and steps left out, two are found without."""
    share = data.draw(st.sampled_from([None, 0.5]))
    order = " ".join(str(k + 1) for k in range(len(words)))
    shares = "" if share is None else f"{{{order}: {share}, perms: {1 - share}}}"
    expression = bag(" ".join(words)) if share is None else parse_expression(f"∥{shares}({', '.join(words)})")
    model = model_of(arpa)
    weights = WeightVector(widl=[1], language_models=[1], word_count=0, phrase_count=0, distortion=0, unknown=0)
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


@settings(max_examples=60)
@given(arpa_models(), st.lists(st.sampled_from(ARGUMENTS), min_size=2, max_size=4), st.data())
def test_admissible_from_every_state(arpa: str, arguments: list, data: st.DataObject) -> None:
    model = model_of(arpa)
    expression = interleave(*(argument for argument, _ in arguments))
    every = realize(model, expression, weight_vector(), algorithm=Algorithm.bfs, nbest=5000).nbest
    path = data.draw(st.sampled_from(every))
    edges = [edge for *_, edge in path.phrases]
    realizer = CoreRealizer(Vocabulary([]), [model])
    rows = realizer.bounds_along_edges(expression, weight_vector(), edges)
    for done, (score, *_, tightest) in enumerate(rows):
        reachable = max(one.score for one in every if [e for *_, e in one.phrases[:done]] == edges[:done])
        assert score + tightest >= reachable - 1e-5


def test_it_unfolds_far_less_than_the_static_bound() -> None:
    lines = (sample_corpus() / "train.en").read_text(encoding="utf-8").lower().splitlines()
    model = language_model_from_lines(lines)
    sentence = max(lines, key=lambda line: len(line.split()) * (len(line.split()) <= 14))
    weights = WeightVector(widl=[0], language_models=[1], word_count=0, phrase_count=0, distortion=0, unknown=0)
    found = realize(model, bag(sentence), weights)
    static = realize(model, bag(sentence), weights, bound=getattr(Bound, "static"))  # noqa: B009
    assert found.optimal
    assert found.score == pytest.approx(static.score, abs=1e-4)
    assert found.statistics.unfolded * 10 < static.statistics.unfolded


def test_a_search_that_must_end_answers_with_the_best_order_that_its_bound_met() -> None:
    lines = (sample_corpus() / "train.en").read_text(encoding="utf-8").lower().splitlines()
    model = language_model_from_lines(lines)
    weights = WeightVector(widl=[0], language_models=[1], word_count=0, phrase_count=0, distortion=0, unknown=0)
    for first in range(18, 33, 3):
        expression = bag(" ".join(lines[first : first + 3]))
        found = realize(model, expression, weights)
        stopped = realize(model, expression, weights, max_states=2)
        assert found.optimal
        assert stopped.stopped == "max_states"
        assert stopped.score == pytest.approx(found.score, abs=1e-4)
