"""Movement that is paid in advance, as Moses' early distortion cost, against its definition and all derivations."""

import math
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.decoder.random_tiles import Case, model_of, oriented_cases
from tests.reference.tiles import Option, derivations
from widl.decoder import Algorithm, LanguageModel

UNLIMITED = (Algorithm.bfs, Algorithm.astar, Algorithm.stack, Algorithm.cube)
"""Exact when nothing is pruned."""


def moses_costs(spans: Sequence[tuple[int, int]]) -> list[int]:
    """Each step's cost by Moses' four cases (DistortionScoreProducer), with its ends of spans, which are inclusive."""
    covered: set[int] = set()
    costs, previous = [], -1
    for begin, end in spans:
        last = end - 1
        prefix = -1
        while prefix + 1 in covered:
            prefix += 1
        if begin == prefix + 1:
            costs.append(0)
        elif last < previous:
            costs.append(2 * (end - begin))
        elif previous <= prefix:
            costs.append(2 * (begin - prefix - 1 + end - begin))
        else:
            costs.append(2 * (begin - previous - 1 + end - begin))
        covered |= set(range(begin, end))
        previous = last
    return costs


def jumps(spans: Sequence[tuple[int, int]], length: int) -> int:
    """All jumps, and one to the end of the sentence."""
    ends = [0, *(end for _, end in spans)]
    return sum(abs(begin - end) for end, begin in zip(ends, [*(begin for begin, _ in spans), length], strict=True))


def segmentations(length: int) -> list[list[tuple[int, int]]]:
    if length == 0:
        return [[]]
    return [[*rest, (begin, length)] for begin in range(length) for rest in segmentations(begin)]


@pytest.mark.parametrize("length", range(1, 7))
def test_costs_in_advance_sum_to_all_jumps_and_one_to_the_end(length: int) -> None:
    for spans in segmentations(length):
        for order in permutations(spans):
            assert sum(moses_costs(order)) == jumps(order, length)


def features(case: Case, models: Sequence[LanguageModel], derivation: Sequence[Option]) -> list[float]:
    values = case.features(derivation, models)
    spans = [(option.begin, option.end) for option in derivation]
    moved = sum(abs(begin - end) for (begin, _), end in zip(spans, [0, *(end for _, end in spans)], strict=False))
    at = len(values) - len(case.weights[len(case.arpas) + 6 :]) - 2  # before the words passed through and reordering
    assert values[at] == pytest.approx(moved * math.log(case.base))
    values[at] = sum(moses_costs(spans)) * math.log(case.base)
    return values


@pytest.mark.slow
@settings(max_examples=300)
@given(oriented_cases(), st.sampled_from(list(Algorithm)), st.integers(1, 6), st.booleans(), st.booleans())
def test_search_against_all_derivations(
    case: Case, algorithm: Algorithm, n: int, estimates: bool, contexts: bool
) -> None:
    models = [model_of(arpa) for arpa in case.arpas]
    solved = {d: features(case, models, d) for d in derivations(case.length, case.options, case.limit)}
    ranked = sorted(map(case.score, solved.values()), reverse=True)
    found = case.search(
        models, early_distortion=True, algorithm=algorithm, beam=0.0 if algorithm in UNLIMITED else 1e-3, nbest=n,
        estimate_movement=estimates, own_contexts=contexts,
    )  # fmt: skip
    for one in found.nbest:
        assert one.features == pytest.approx(solved[case.path_of(one.phrases)], abs=1e-4)
        assert one.score == pytest.approx(case.score(one.features), abs=1e-4)
    scores = [one.score for one in found.nbest]
    assert found.bound >= ranked[0] - 1e-4
    assert scores == sorted(scores, reverse=True)
    if algorithm in UNLIMITED:
        assert scores == pytest.approx(ranked[:n], abs=1e-4)
        assert found.optimal


@pytest.mark.slow
@settings(max_examples=200)
@given(
    oriented_cases(), st.sampled_from([Algorithm.stack, Algorithm.cube]), st.integers(0, 3), st.integers(0, 6),
    st.booleans(), st.sampled_from([math.inf, 0.5]),
)  # fmt: skip
def test_pruned_stacks_know_what_they_may_have_lost(
    case: Case, algorithm: Algorithm, size: int, pops: int, estimates: bool, gap: float
) -> None:
    models = [model_of(arpa) for arpa in case.arpas]
    written_out = derivations(case.length, case.options, case.limit)
    best = max(case.score(features(case, models, d)) for d in written_out)
    found = case.search(
        models, early_distortion=True, algorithm=algorithm, beam=0.3 if size == 3 else 0, beam_size=size,
        pop_limit=pops, estimate_movement=estimates, gap=gap,
    )  # fmt: skip
    assert found.score <= best + 1e-4
    assert found.bound >= best - 1e-4
    assert not found.optimal or found.score == pytest.approx(best, rel=1e-5, abs=1e-4)
