"""Recorded searches: compares the record with the result, and each of its steps with a plain replay of the events."""

import math
import random
from collections.abc import Callable

import numpy as np
import pytest

from tests.core_options import Algorithm, search_options
from tests.proofs.check import Draw, random_draw
from tests.proofs.models import Pool
from tests.proofs.spaces import Space, random_expression, random_tiles
from widl._core import Order
from widl.decoder import CoreRealizer, Realization, SearchRecord
from widl.decoder.search_record import KINDS, NONE
from widl.web.search_replay import Replay

_SEARCHES: list[dict[str, object]] = [
    {"algorithm": Algorithm.astar},
    {"algorithm": Algorithm.bfs},
    {"algorithm": Algorithm.astar_k, "k": 0, "order": Order.bound},
    {"algorithm": Algorithm.astar_k, "k": 1, "order": Order.bound},
    {"algorithm": Algorithm.astar_k, "k": 1, "order": Order.estimate},
    {"algorithm": Algorithm.beam, "beam": 0.5},
    {"algorithm": Algorithm.beam, "beam": 1e-9, "stack_size": 2},
    {"algorithm": Algorithm.stack, "beam": 0.01, "stack_size": 3},
    {"algorithm": Algorithm.cube, "beam": 0.0, "pop_limit": 3},
]
_MANY = 1_000_000


def record_of(realization: Realization) -> SearchRecord:
    record = SearchRecord.of(realization)
    assert record is not None
    assert record.left_out == 0
    return record


def assert_true(realization: Realization, record: SearchRecord, by_bound: bool) -> None:
    """The record contains the result, and its steps match a plain replay."""
    counts = dict(zip(KINDS, np.bincount(record.kinds, minlength=len(KINDS)), strict=True))
    assert counts["made"] == realization.statistics.states
    assert counts["unfolded"] == realization.statistics.unfolded
    replay = Replay(record, by_bound=by_bound)
    waiting: dict[int, float] = {}
    possible: dict[int, float] = {}  # bounds of the waiting states
    lost = -math.inf
    one_phase = counts["began"] == 1 and not counts["paired"]
    best, at = -math.inf, 0
    for step in range(len(replay)):
        for event in range(at, replay.end_of(step)):
            kind, state = KINDS[record.kinds[event]], int(record.states[event])
            score = float(record.scores[event])
            if kind == "began":
                waiting.clear()
            if kind in ("made", "improved"):
                if record.goals[event]:
                    best = max(best, score)
                elif record.bounds[event] > -math.inf:
                    completion = (record.bounds if by_bound else record.estimates)[event]
                    waiting[state] = score + completion
                    possible[state] = score + float(record.bounds[event])
            if kind in ("pruned", "paired") or (kind == "unfolded" and record.labels[event] == NONE):
                possible.pop(state, None)
                waiting.pop(state, None)  # by layers, a state reached again while its layer is processed has two turns
            if kind in ("pruned", "skipped"):
                lost = max(lost, score + float(record.bounds[event]))
        at = replay.end_of(step)
        moment = replay.at(step, shown=_MANY)
        assert {item.state: item.promise for item in moment.frontier} == pytest.approx(waiting)
        assert moment.best == best
        assert moment.upper >= realization.score - 1e-6
        if one_phase:
            assert moment.upper == max(best, lost, *possible.values())
    assert moment.counts["ended"] == 1
    for step, best_then, upper_then in replay.curve:
        then = replay.at(step)
        assert (then.best, then.upper) == (best_then, upper_then)
    if realization.stopped == "" and best > -math.inf:
        assert realization.bound == pytest.approx(max(moment.upper, best), abs=1e-9)
    if moment.best == pytest.approx(realization.score):
        numbers = [phrase.number for phrase in realization.phrases]
        followed = replay.follow(numbers)
        assert followed.found
        assert followed.stops[-1].words == realization.words
        assert followed.stops[-1].score == pytest.approx(realization.score, abs=1e-4)


def is_by_bound(search: dict[str, object]) -> bool:
    return search["algorithm"] == Algorithm.astar or search.get("order") == Order.bound


@pytest.mark.parametrize("search", _SEARCHES, ids=lambda search: search["algorithm"].value)
@pytest.mark.parametrize("make", [random_expression, random_tiles])
def test_a_record_is_what_was_done(make: Callable[[random.Random], Space], search: dict[str, object]) -> None:
    pool, rng = Pool(0), random.Random(f"records of {make.__name__} {search}")
    done = 0
    while done < 8:
        draw = random_draw(rng, pool, make(rng))
        if draw.best is None or draw.space.has_reordering:
            continue
        done += 1
        realizer = CoreRealizer(draw.space.vocabulary, [model.core for model in draw.models])

        def realized(draw: Draw = draw, realizer: CoreRealizer = realizer, **more: object) -> Realization:
            options = search_options(**search, **draw.limits, **more)  # type: ignore[arg-type]
            return draw.space.realize(realizer, draw.weights, options, draw.filter)

        plain, result = realized(), realized(record=_MANY)
        assert result.score == pytest.approx(plain.score)
        record = record_of(result)
        if draw.space.has_layers and search["algorithm"] == Algorithm.astar:  # two phases: cube pruning and A*
            assert (record.kinds == KINDS.index("began")).sum() == 2
            continue
        assert (result.words, result.bound) == (plain.words, plain.bound)
        assert_true(result, record, is_by_bound(search))


def test_a_full_record_says_how_much_it_lacks() -> None:
    from widl.decoder import LanguageModel, RealizationOptions, Realizer
    from widl.expressions import bag

    realizer = Realizer([LanguageModel.estimate(["a b c d"])])
    whole = realizer.realize_one(bag("a b c d"), RealizationOptions(record=_MANY)).record
    part = realizer.realize_one(bag("a b c d"), RealizationOptions(record=5)).record
    assert whole is not None
    assert part is not None
    assert len(part) == 5
    assert part.left_out == len(whole) - 5
    assert realizer.realize_one(bag("a b c d")).record is None
