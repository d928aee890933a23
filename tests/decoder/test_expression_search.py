"""Every search on random nested expressions, against all of their derivations written out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core_options import Algorithm, search_options
from tests.decoder.expression_strategies import random_expressions
from tests.decoder.language_models import arpa_models
from tests.decoder.random_expressions import Random
from tests.decoder.test_tiles_search import ARPA, model_of
from tests.reference.realization import Derivation, derivations, features
from widl.common.errors import InputError
from widl.decoder import (
    Bound,
    CoreRealizer,
    Expression,
    LanguageModel,
    Realization,
    RealizationOptions,
    Realizer,
    Vocabulary,
    WeightVector,
    bag,
    choice,
    default_realization_weights,
    interleave,
    lock,
    parse_expression,
    seq,
    tiles,
    word,
)

FOR_EXPRESSIONS = tuple(Algorithm)
LM_WORDS = ("a", "b", "c", "猫")
close = pytest.approx


@dataclass(frozen=True)
class Case:
    random: Random
    arpas: tuple[str, ...]
    weights: tuple[float, ...]

    def weight_vector(self) -> WeightVector:
        j, m = self.random.components, len(self.arpas)
        words, phrases, distortion, unknown = self.weights[j + m :]
        return WeightVector(
            widl=self.weights[:j], language_models=self.weights[j : j + m],
            word_count=words, phrase_count=phrases, distortion=distortion, unknown=unknown,
        )

    def score(self, values: Sequence[float]) -> float:
        return sum(w * h for w, h in zip(self.weights, values, strict=True))


@dataclass(frozen=True)
class Solved:
    """A case with all its derivations, best first."""

    case: Case
    models: list[LanguageModel]
    ranked: list[tuple[float, Derivation]]

    def realize(self, **options: object) -> Realization:
        realizer = CoreRealizer(Vocabulary([]), self.models)
        search = search_options(**options)  # type: ignore[arg-type]
        return realizer.realize_expressions([self.case.random.expression], self.case.weight_vector(), search)[0]


@st.composite
def solved_cases(draw: st.DrawFn) -> Solved:
    # Tiles that are the whole expression have tests of their own: each of their tiles is a phrase.
    random = draw(random_expressions().filter(lambda one: one.expression.kind != Expression.Kind.tiles))
    arpas = tuple(draw(st.lists(arpa_models(LM_WORDS), min_size=1, max_size=2)))
    any_weight, positive = st.floats(-1, 1), st.floats(0, 1)
    weights = [draw(any_weight) for _ in range(random.components)] + [draw(positive) for _ in arpas]
    weights += [draw(any_weight), draw(any_weight), draw(st.sampled_from([0.0, 0.1, 0.5, -0.2])), 0.0]
    case = Case(random, arpas, tuple(weights))
    models = [model_of(arpa) for arpa in arpas]
    scored = [(case.score(features(d, models)), d) for d in derivations(random.node, random.components)]
    return Solved(case, models, sorted(scored, key=lambda one: -one[0]))


@pytest.mark.slow
@settings(max_examples=300)
@given(solved_cases(), st.sampled_from(list(Bound)), st.data())
def test_exact_searches_find_the_best_derivation(solved: Solved, bound: Bound, data: st.DataObject) -> None:
    algorithm = data.draw(st.sampled_from([Algorithm.bfs, Algorithm.astar]))
    found = solved.realize(algorithm=algorithm, bound=bound)
    assert found.score == close(solved.ranked[0][0], abs=1e-5)
    assert found.optimal
    assert_genuine(solved, found)


@pytest.mark.slow
@settings(max_examples=200)
@given(solved_cases(), st.sampled_from(list(Bound)), st.data())
def test_other_searches_are_certified(solved: Solved, bound: Bound, data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        found = solved.realize(algorithm=Algorithm.astar_k, lookback=data.draw(st.integers(0, 3)), bound=bound)
    else:
        beam, size = data.draw(st.sampled_from([1.0, 0.5, 0.01, 1e-30])), data.draw(st.integers(0, 3))
        found = solved.realize(algorithm=Algorithm.beam, beam=beam, beam_size=size, bound=bound)
    best = solved.ranked[0][0]
    assert found.score <= best + 1e-5
    assert found.bound >= best - 1e-5
    assert not found.optimal or found.score == close(best, rel=1e-5, abs=1e-5)
    assert_genuine(solved, found)


@pytest.mark.slow
@settings(max_examples=150)
@given(solved_cases(), st.sampled_from(["max_states", "max_memory", "max_readings"]), st.sampled_from(FOR_EXPRESSIONS))
def test_out_of_budget_there_is_still_an_answer(solved: Solved, budget: str, algorithm: Algorithm) -> None:
    found = solved.realize(algorithm=algorithm, beam=1e-9, lookback=9, **{budget: 3})
    assert found.stopped in ("", "max_seconds" if budget == "max_readings" else budget)
    assert found.bound >= solved.ranked[0][0] - 1e-5
    assert_genuine(solved, found)


def assert_genuine(solved: Solved, found: Realization) -> None:
    """Each derivation returned is one of the expression's, with its features and its score."""
    for one in found.nbest:
        assert any(
            list(d.words) == one.words and features(d, solved.models) == close(one.features, abs=1e-5)
            for _, d in solved.ranked
        )
        assert solved.case.score(one.features) == close(one.score, abs=1e-5)
        assert sum(count for _, _, count, _ in one.phrases) == len(one.words)


@pytest.mark.slow
@settings(max_examples=150)
@given(solved_cases(), st.data())
def test_bounds_are_admissible_along_paths(solved: Solved, data: st.DataObject) -> None:
    """From each state of a path no completion gains more than any bound says."""
    found = solved.realize(algorithm=Algorithm.bfs, nbest=1000)
    assert len(found.nbest) == len(solved.ranked)
    realizer = CoreRealizer(Vocabulary([]), solved.models)
    path = data.draw(st.sampled_from(found.nbest))
    edges = [edge for _, _, _, edge in path.phrases]
    rows = realizer.bounds_along_edges(solved.case.random.expression, solved.case.weight_vector(), edges)
    assert len(rows) == len(edges) + 1
    assert rows[-1][0] == close(path.score, abs=1e-5)
    for done, (score, _, fixed, context, tightest) in enumerate(rows):
        reachable = max(one.score for one in found.nbest if [e for *_, e in one.phrases[:done]] == edges[:done])
        assert score + fixed >= reachable - 1e-5
        assert score + context >= reachable - 1e-5
        assert score + tightest >= reachable - 1e-5
        assert context <= fixed + 1e-9 or math.isclose(context, fixed)


@pytest.mark.slow
@settings(max_examples=200)
@given(solved_cases(), st.integers(1, 12), st.sampled_from([Algorithm.astar, Algorithm.bfs]))
def test_nbest_is_exact(solved: Solved, n: int, algorithm: Algorithm) -> None:
    found = solved.realize(algorithm=algorithm, nbest=n)
    assert [one.score for one in found.nbest] == close([score for score, _ in solved.ranked[:n]], abs=1e-5)
    assert_genuine(solved, found)
    distinct = solved.realize(algorithm=algorithm, nbest=n, distinct=True)
    best: dict[tuple[str, ...], float] = {}
    for score, d in solved.ranked:
        best.setdefault(d.words, score)
    assert [one.score for one in distinct.nbest] == close(list(best.values())[:n], abs=1e-5)
    assert len({tuple(one.words) for one in distinct.nbest}) == len(distinct.nbest)


@pytest.mark.slow
@settings(max_examples=200)
@given(solved_cases(), st.integers(0, 6), st.integers(0, 14), st.sampled_from([Algorithm.astar, Algorithm.bfs]))
def test_limits_of_length(solved: Solved, max_words: int, max_bytes: int, algorithm: Algorithm) -> None:
    fitting = [
        (score, d) for score, d in solved.ranked
        if (not max_words or len(d.words) <= max_words)
        and (not max_bytes or len(" ".join(d.words).encode()) <= max_bytes)
    ]
    limits = {"max_words": max_words, "max_bytes": max_bytes}
    if not fitting:
        with pytest.raises(InputError, match="nothing can be realized within"):
            solved.realize(algorithm=algorithm, **limits)
        return
    found = solved.realize(algorithm=algorithm, nbest=4, **limits)
    assert [one.score for one in found.nbest] == close([score for score, _ in fitting[:4]], abs=1e-5)
    assert found.optimal
    assert_genuine(solved, found)


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return model_of(ARPA)


def test_by_hand(model: LanguageModel) -> None:
    """log10 of ``<s> b a c </s>`` is -0.1 - 0.2 - (0.2 + 0.9) - 0.6 = -2.0, and one of 3! orders counts 1/6."""
    found = Realizer([model]).realize_one(bag("a b c"))
    assert found.text == "b a c"
    assert found.score == close(-2.0 * math.log(10) - math.log(6), abs=1e-5)
    assert found.features == close(
        {"widl": -math.log(6), "lm0": -2.0 * math.log(10), "word_count": 3, "phrase_count": 3, "distortion": 0,
         "unknown": 0}, abs=1e-5,
    )
    assert found.optimal
    assert [position for position, _ in found.nbest[0].phrases] == [1, 0, 2]


def test_figure_1_of_the_2006_paper(model: LanguageModel) -> None:
    """Its most probable realization, 0.2 · 0.65 = 0.130, when the language model doesn't count."""
    expression = parse_expression(
        "∥{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}( ×(turkish · government),"
        " ∨{0.65, 0.35}( ×(rebels · fighting), ×(attacked · rebels) ), in · iraq )"
    )
    weights = default_realization_weights(1, 1) | {"lm0": 0.0}
    found = Realizer([model], weights).realize_one(expression, RealizationOptions(nbest=3))
    assert found.text == "rebels fighting turkish government in iraq"
    assert math.exp(found.score) == close(0.130)
    assert math.exp(found.nbest[1].score) == close(0.7 / 5 * 0.65)


def test_tiles_go_their_own_way(model: LanguageModel) -> None:
    spans = {(0, 1): choice(("a", 0.5), ("b", 0.5), scores=True), (1, 2): choice(("c", 0.9), scores=True)}
    found = Realizer([model]).realize_one(tiles(2, spans, expmove=0.5))
    assert found.text == "b c"
    assert found.features["widl"] == close(math.log(0.5 * 0.9), abs=1e-5)
    bare = Realizer([model]).realize_one(tiles(1, {(0, 1): "a"}, expmove=0.5))
    assert (bare.text, bare.features["widl"]) == ("a", 0.0)
    again = Realizer([model]).realize_one(lock(tiles(2, spans, expmove=0.5)))
    assert again.text == "b c"
    assert again.score == close(found.score, abs=1e-5)
    wide = tiles(65, {(i, i + 1): "a" for i in range(65)}, expmove=0.5)
    with pytest.raises(InputError, match="may have at most 64 positions"):
        Realizer([model]).realize_one(interleave(wide, "x"))


def test_expressions_of_several_widths_in_one_batch(model: LanguageModel) -> None:
    two = choice(("a", [0.5, 0.25]), ("b", [0.5, 0.75]))
    found = list(Realizer([model]).realize([word("a"), two, bag("a b")]))
    assert [next(iter(one.features)) for one in found] == ["widl", "widl1", "widl"]
    weights = default_realization_weights(2, 1)
    assert [one.text for one in Realizer([model], weights).realize([word("a"), two])] == ["a", "b"]
    with pytest.raises(InputError, match="3 probabilities per choice, but there are weights for 2"):
        Realizer([model], weights).realize_one(choice(("a", [0.5] * 3), ("b", [0.5] * 3)))


def test_threads_do_not_change_results(model: LanguageModel) -> None:
    bags = [bag("a b c a b c x"[: 2 * (i % 7) + 1]) for i in range(60)]
    one, two = (list(Realizer([model]).realize(bags, threads=threads)) for threads in (1, 2))
    assert [(r.text, r.score) for r in one] == [(r.text, r.score) for r in two]


@pytest.mark.slow
@pytest.mark.parametrize("search", ["astar", "astar-k", "beam", "bfs", "stack", "cube"])
def test_a_bag_of_300_words(model: LanguageModel, search: str) -> None:
    words = [f"w{i}" for i in range(298)] + ["b", "a"]
    options = RealizationOptions(search=search, max_seconds=0.5, max_memory=200_000_000)
    found = Realizer([model]).realize_one(bag(words), options)
    assert sorted(found.text.split()) == sorted(words)
    assert found.bound >= found.score
    assert found.stopped in ("", "max_seconds", "max_memory")


def test_a_bag_of_600_words_is_refused(model: LanguageModel) -> None:
    with pytest.raises(InputError, match="need more than 512 bits"):
        Realizer([model]).realize_one(bag([f"w{i}" for i in range(600)]))


def test_a_word_of_a_megabyte(model: LanguageModel) -> None:
    long = "x" * 1_000_000
    realizer = Realizer([model])
    assert sorted(realizer.realize_one(bag([long, "a"])).text.split()) == ["a", long]
    with pytest.raises(InputError, match="nothing can be realized within 1000 bytes"):
        realizer.realize_one(bag([long, "a"]), RealizationOptions(max_bytes=1000))


@pytest.mark.parametrize("operator", ["×", "·", "∨", "∨∨", "∥"])
def test_nesting_100000_deep(model: LanguageModel, operator: str) -> None:
    expression = interleave("a", "b")
    for _ in range(100_000):
        if operator == "×":
            expression = lock(expression)
        elif operator == "·":
            expression = seq(expression, "c")
        elif operator == "∨":
            expression = Expression.disjunction([expression], [[1.0]])
        elif operator == "∨∨":
            expression = choice((expression, 0.5), ("c", 0.5))
        else:
            expression = interleave(expression, "c")
    realizer = Realizer([model])
    if operator in ("∨∨", "∥"):
        with pytest.raises(InputError, match="need more than 512 bits"):
            realizer.realize_one(expression)
    else:
        words = realizer.realize_one(expression, RealizationOptions(search="astar-k", max_seconds=20)).text.split()
        assert sorted(words) == ["a", "b", *["c"] * (100_000 if operator == "·" else 0)]


def test_shared_parts_that_are_huge_written_out(model: LanguageModel) -> None:
    expression = seq("a", "b")
    for _ in range(40):
        expression = seq(expression, expression)
    with pytest.raises(InputError, match="too large to realize"):
        Realizer([model]).realize_one(expression)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "dfs"}, "unknown search 'dfs'; it is one of bfs, astar, astar-k, beam, stack, cube"),
        ({"bound": "best"}, "unknown bound"),
        ({"search": "beam", "beam": -0.1}, "beam must be between 0 and 1"),
        ({"nbest": 0}, "nbest must be from 1"),
        ({"max_words": -1}, "max-words must not be negative"),
        ({"max_seconds": math.nan}, "max-seconds must not be negative"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RealizationOptions(**options)  # type: ignore[arg-type]


def test_weights_that_make_no_sense(model: LanguageModel) -> None:
    good = default_realization_weights(1, 1)
    for weights, message in (
        (good | {"lm0": -1.0}, "negative"),
        (good | {"widl": math.nan}, "a WIDL feature is not a number"),
        ({"lm0": -1.0}, "negative"),
        (good | {"lm1": 1.0}, "unknown feature 'lm1'"),
    ):
        with pytest.raises(InputError, match=message):
            Realizer([model], weights).realize_one(bag("a b"))
