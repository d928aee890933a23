"""Lists shortened by a budget say so, and all other lists are complete."""

import itertools
import math

import pytest

from tests.core_options import Algorithm, plain_weights, search_options
from widl.decoder import CoreRealizer, LanguageModel, Realization, RealizationOptions, Realizer, Vocabulary
from widl.expressions import bag, parse_expression

MODEL = LanguageModel.estimate(["a b c d e f g", "g f a b c"])
SEVEN = bag("a b c d e f g")
TICKS_PER_READING = 10_000
ALL_STATES = {"beam": 1e-300, "stack_size": 0}
EVERYTHING = {"astar": {}, "bfs": {}, "cube": {"pop_limit": 0}, "stack": ALL_STATES, "beam": ALL_STATES}


@pytest.mark.parametrize("search", EVERYTHING)
def test_a_list_cut_by_memory_says_so(search: str) -> None:
    expected = sorted(
        (math.fsum(MODEL.score_words(words)) for words in itertools.permutations("abcdefg")), reverse=True
    )
    cut = 0
    for megabytes in (0.5, 20):
        options = RealizationOptions(search=search, nbest=50_000, max_memory=int(megabytes * 1e6), **EVERYTHING[search])
        result = Realizer([MODEL]).realize_one(SEVEN, options)
        scores = [item.features["lm0"] for item in result.nbest]
        assert result.nbest_complete == (len(scores) == len(expected))
        assert result.nbest_complete == (not result.stopped)
        cut += not result.nbest_complete
        if result.nbest_complete:
            assert scores == pytest.approx(expected, abs=1e-6)
        assert all(score <= best + 1e-6 for score, best in zip(scores, expected, strict=False))
        assert result.as_dict()["nbest_complete"] is result.nbest_complete
    assert cut == 1


# A*_k ends before the clock is read.
@pytest.mark.parametrize("algorithm", [one for one in Algorithm if one != Algorithm.astar_k])
def test_a_list_cut_by_time_says_so(algorithm: Algorithm) -> None:
    core = CoreRealizer(Vocabulary([]), [MODEL])
    weights = plain_weights(distortion=1.0)

    def found(readings: int) -> Realization:
        options = search_options(
            algorithm=algorithm, nbest=5000, beam=0.0, k=8, max_work=readings * TICKS_PER_READING
        )
        return core.realize_expressions([SEVEN], weights, options)[0]

    whole, cut = found(0), 0
    assert whole.nbest_complete
    for readings in (1, 2, 3, 5, 10, 20, 50, 100, 1000, 100_000):
        some = found(readings)
        assert some.nbest_complete or some.stopped
        cut += not some.nbest_complete
        if some.nbest_complete:
            assert [item.score for item in some.nbest] == [item.score for item in whole.nbest]
    assert 0 < cut < 10


def test_a_lattice_cut_by_a_budget_says_so() -> None:
    core = CoreRealizer(Vocabulary([]), [MODEL])
    weights = plain_weights(distortion=1.0)
    sizes: dict[bool, list[int]] = {True: [], False: []}
    for readings in (0, 1, 2, 3, 5, 10, 20):
        options = search_options(algorithm=Algorithm.bfs, lattice=True, max_work=readings * TICKS_PER_READING)
        [result] = core.realize_expressions([SEVEN], weights, options)
        assert result.lattice is not None
        assert result.lattice_complete or result.stopped
        sizes[result.lattice_complete].append(len(result.lattice.arcs))
    assert len(set(sizes[True])) == 1
    assert max(sizes[False]) < sizes[True][0]


@pytest.mark.parametrize("equal", [1, 8, 57])
def test_distinct_strings_have_any_number_of_derivations(equal: int) -> None:
    expression = parse_expression(" · ".join(["∨(a, a)"] * equal + ["∨(a, b)"]))
    for search in ("astar", "bfs", "cube"):
        options = RealizationOptions(search=search, nbest=3, distinct=True)
        result = Realizer([MODEL]).realize_one(expression, options)
        assert sorted(item.text.split()[-1] for item in result.nbest) == ["a", "b"]
        assert result.nbest_complete
