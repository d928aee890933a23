"""Budgets of time and memory, on inputs designed to exceed them.

Tests use no clock: time runs out after a fixed amount of work, and the work done after that is counted.
"""

import random

import pytest

from tests.core_options import Algorithm, plain_weights, search_options
from widl._core import Bound, Expression, Realization, Realizer, Tiles, Vocabulary
from widl.decoder import CoreSearchOptions, LanguageModel, Outcome, containing
from widl.expressions import bag, choice, interleave, seq

MODEL = LanguageModel.estimate(["a b c", "b a c w1 w2", "c b a"])
VOCABULARY = Vocabulary([])
REALIZER = Realizer(VOCABULARY, [MODEL])
WEIGHTS = plain_weights(distortion=1.0)

UNIT = 10_000  # units of work between two clock readings
MAX_OVERDUE = 220 * UNIT  # 22 ms
MEGABYTE = 1 << 20
SLACK = 5 * MEGABYTE // 4  # always available to a search and its answer


def long_tiles(length: int = 1000, alternatives: int = 5) -> Tiles:
    rng = random.Random(length)
    spans = []
    for begin in range(length):
        for end in range(begin + 1, min(length, begin + 4) + 1):
            phrases = [
                (seq(*rng.choices(["a", "b", "c", "w1", f"u{begin}"], k=rng.randint(1, end - begin))), 1 / alternatives)
                for _ in range(alternatives)
            ]
            spans.append((begin, end, choice(*phrases)))
    return Tiles.compile(Expression.tiles(length, spans, movement_base=0.5), VOCABULARY)


TILES = long_tiles()
BIG_BAG = bag(" ".join(f"w{i}" for i in range(300)))
SMALL_BAG = bag(" ".join(f"w{i}" for i in range(64)))  # as many words as Equation 2 is for
ALTERNATIVES = interleave(*[choice(*[(f"v{k}.{i}", 1 / 43) for i in range(43)]) for k in range(7)])  # 301 words
NESTED = interleave(*[seq(*[interleave(f"x{k}.{i}", f"y{k}.{i}") for i in range(20)]) for k in range(6)])


def options(**budget: float) -> CoreSearchOptions:
    return search_options(**{"algorithm": Algorithm.astar, "beam": 1e-30, "stack_size": 100_000, **budget})


def realize(case: str, given: CoreSearchOptions) -> Realization:
    if case == "tiles":
        return REALIZER.realize([TILES], WEIGHTS, given)[0]
    expressions: dict[str, Expression] = {
        "bag": BIG_BAG,
        "small bag": SMALL_BAG,
        "alternatives": ALTERNATIVES,
        "nested": NESTED,
    }
    return REALIZER.realize_expressions([expressions[case]], WEIGHTS, given)[0]


CASES = ["bag", "alternatives", "nested", "tiles"]


def assert_in_time(found: Realization, max_work: int) -> None:
    assert found.statistics.work <= max_work + MAX_OVERDUE
    assert found.bound >= found.score


@pytest.mark.parametrize("readings", [1, 40])
@pytest.mark.parametrize("algorithm", Algorithm)
@pytest.mark.parametrize("case", CASES)
def test_the_time_is_up(case: str, algorithm: Algorithm, readings: int) -> None:
    result = realize(case, options(algorithm=algorithm, max_work=readings * UNIT))
    assert result.stopped in ("", "max_seconds")
    assert_in_time(result, readings * UNIT)


@pytest.mark.parametrize("bound", list(Bound))
def test_the_time_is_up_in_the_bound(bound: Bound) -> None:
    for readings in (1, 5, 50):
        case = "small bag" if bound == Bound.eq2 else "alternatives"
        result = realize(case, options(bound=bound, max_work=readings * UNIT))
        assert result.stopped in ("", "max_seconds")
        assert_in_time(result, readings * UNIT)


def test_the_time_is_up_under_a_constraint() -> None:
    some = containing([["a", "b"], ["c"]])
    [result] = REALIZER.realize_expressions([bag("a b c a b c")], WEIGHTS, options(max_work=20 * UNIT), constraint=some)
    assert_in_time(result, 20 * UNIT)
    never = containing([["a"], ["not", "there"]])
    [result] = REALIZER.realize_expressions([BIG_BAG], WEIGHTS, options(max_work=20 * UNIT), constraint=never)
    assert (result.outcome, result.stopped, result.nbest) == (Outcome.out_of_budget, "max_seconds", [])
    assert result.statistics.work <= 20 * UNIT + MAX_OVERDUE


@pytest.mark.slow
@pytest.mark.parametrize("nbest", [1, 20])
@pytest.mark.parametrize("algorithm", [Algorithm.astar, Algorithm.astar_k, Algorithm.beam, Algorithm.bfs])
@pytest.mark.parametrize("case", CASES)
def test_the_memory_is_full(case: str, algorithm: Algorithm, nbest: int) -> None:
    limit = 10 * MEGABYTE
    given = options(algorithm=algorithm, nbest=nbest, max_memory=limit, max_states=200_000)
    result = realize(case, given)
    assert result.stopped in ("max_memory", "max_states", "")
    assert result.statistics.peak_memory <= 1.1 * limit + SLACK
    assert result.bound >= result.score


@pytest.mark.parametrize("nbest", [1, 20])
@pytest.mark.parametrize("algorithm", Algorithm)
@pytest.mark.parametrize("case", CASES)
def test_a_sentence_has_no_more_states_than_its_limit(case: str, algorithm: Algorithm, nbest: int) -> None:
    """The limit covers all graphs: exact search of tiles has two, and completing an answer adds no states."""
    if case != "tiles" and algorithm == Algorithm.cube:
        return  # only for tiles
    bound = Bound.loose
    for limit in (1, 2, 70, 3_000):
        given = options(algorithm=algorithm, nbest=nbest, max_states=limit, distortion_limit=4, bound=bound)
        result = realize(case, given)
        assert result.outcome is Outcome.found
        assert result.stopped == "max_states" or (limit > 2 and result.stopped == "")
        assert result.statistics.states <= limit
        assert result.bound >= result.score


def test_a_state_less_than_a_search_needs_stops_it() -> None:
    expression = interleave("a", "b", "c")
    [whole] = REALIZER.realize_expressions([expression], WEIGHTS, options())
    assert (whole.stopped, whole.optimal) == ("", True)
    needed = whole.statistics.states
    for limit in range(1, needed + 2):
        [result] = REALIZER.realize_expressions([expression], WEIGHTS, options(max_states=limit))
        assert result.stopped == ("max_states" if limit < needed else "")
        assert result.statistics.states == min(limit, needed)
        assert result.bound >= whole.score - 1e-9


def test_exact_search_of_tiles_has_one_limit_for_both_graphs() -> None:
    """The first graph, cube pruning, finds a score to reach. The second graph gets the remaining budget."""
    tiles = long_tiles(9)
    exact = {"algorithm": Algorithm.astar, "distortion_limit": 4}
    [whole] = REALIZER.realize([tiles], WEIGHTS, options(**exact))
    cube = {"algorithm": Algorithm.cube, "distortion_limit": 4, "pop_limit": 200, "beam": 0, "stack_size": 0}
    [first] = REALIZER.realize([tiles], WEIGHTS, options(**cube))
    assert whole.optimal
    assert whole.statistics.states > first.statistics.states > 10
    for limit in (1, first.statistics.states, first.statistics.states + 1, whole.statistics.states - 1):
        [result] = REALIZER.realize([tiles], WEIGHTS, options(**exact, max_states=limit))
        assert (result.stopped, result.statistics.states <= limit) == ("max_states", True)
        assert result.bound >= whole.score - 1e-9
    [result] = REALIZER.realize([tiles], WEIGHTS, options(**exact, max_states=whole.statistics.states))
    assert (result.stopped, result.optimal, result.score) == ("", True, whole.score)


def test_a_lattice_under_budgets() -> None:
    given = options(algorithm=Algorithm.stack, lattice=True, distortion_limit=6, max_memory=20 * MEGABYTE)
    result = realize("tiles", given)
    assert result.lattice is not None
    assert result.statistics.peak_memory <= 22 * MEGABYTE + SLACK
    result = realize("tiles", options(algorithm=Algorithm.stack, lattice=True, distortion_limit=6, max_work=30 * UNIT))
    assert result.lattice is not None
    assert_in_time(result, 30 * UNIT)
