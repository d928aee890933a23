"""Every search on random nested expressions, against all of their derivations written out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.decoder.language_models import arpa_models
from tests.decoder.random_expressions import Random, random_expressions
from tests.decoder.test_tiles_search import model_of
from tests.reference.realization import Derivation, derivations, features
from widl.decoder import Algorithm, Bound, LanguageModel, Realization, Realizer, SearchOptions, Vocabulary, WeightVector

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
        realizer = Realizer(Vocabulary([]), self.models)
        search = SearchOptions(**options)  # type: ignore[arg-type]
        return realizer.realize_expressions([self.case.random.expression], self.case.weight_vector(), search)[0]


@st.composite
def solved_cases(draw: st.DrawFn) -> Solved:
    random = draw(random_expressions(with_tiles=False))
    arpas = tuple(draw(st.lists(arpa_models(LM_WORDS), min_size=1, max_size=2)))
    any_weight, positive = st.floats(-1, 1), st.floats(0, 1)
    weights = [draw(any_weight) for _ in range(random.components)] + [draw(positive) for _ in arpas]
    weights += [draw(any_weight), draw(any_weight), draw(st.sampled_from([0.0, 0.1, 0.5, -0.2])), 0.0]
    case = Case(random, arpas, tuple(weights))
    models = [model_of(arpa) for arpa in arpas]
    scored = [(case.score(features(d, models)), d) for d in derivations(random.node, random.components)]
    return Solved(case, models, sorted(scored, key=lambda one: -one[0]))


@settings(max_examples=300, deadline=None)
@given(solved_cases(), st.sampled_from(list(Bound)), st.data())
def test_exact_searches_find_the_best_derivation(solved: Solved, bound: Bound, data: st.DataObject) -> None:
    algorithm = data.draw(st.sampled_from([Algorithm.bfs, Algorithm.astar]))
    found = solved.realize(algorithm=algorithm, bound=bound)
    assert found.score == close(solved.ranked[0][0], abs=1e-5)
    assert found.optimal
    assert_genuine(solved, found)


@settings(max_examples=200, deadline=None)
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


@settings(max_examples=150, deadline=None)
@given(solved_cases(), st.sampled_from(["max_states", "max_memory"]), st.sampled_from(list(Algorithm)))
def test_out_of_budget_there_is_still_an_answer(solved: Solved, budget: str, algorithm: Algorithm) -> None:
    found = solved.realize(algorithm=algorithm, beam=1e-9, lookback=9, **{budget: 3})
    assert found.stopped in ("", budget)
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


@settings(max_examples=150, deadline=None)
@given(solved_cases(), st.data())
def test_bounds_are_admissible_along_paths(solved: Solved, data: st.DataObject) -> None:
    """From each state of a path no completion gains more than either bound says."""
    found = solved.realize(algorithm=Algorithm.bfs, nbest=1000)
    assert len(found.nbest) == len(solved.ranked)
    realizer = Realizer(Vocabulary([]), solved.models)
    path = data.draw(st.sampled_from(found.nbest))
    edges = [edge for _, _, _, edge in path.phrases]
    rows = realizer.bounds_along_edges(solved.case.random.expression, solved.case.weight_vector(), edges)
    assert len(rows) == len(edges) + 1
    assert rows[-1][0] == close(path.score, abs=1e-5)
    for done, (score, _, fixed, context) in enumerate(rows):
        reachable = max(one.score for one in found.nbest if [e for *_, e in one.phrases[:done]] == edges[:done])
        assert score + fixed >= reachable - 1e-5
        assert score + context >= reachable - 1e-5
        assert context <= fixed + 1e-9 or math.isclose(context, fixed)


@settings(max_examples=200, deadline=None)
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
