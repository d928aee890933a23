"""Zones and walls compared with WIDL-expressions, and the orders they forbid; `tests/proofs` covers every search."""

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core_options import Algorithm, plain_weights, search_options
from tests.proofs.models import opened
from tests.reference.arpa import arpa_text
from tests.reference.tiles import Orders
from tests.reference.widl_semantics import strings_of
from widl.common.errors import InputError
from widl.decoder import CoreRealizer, Outcome, Tiles, Vocabulary
from widl.decoder.search_record import NONE
from widl.expressions import Expression


@st.composite
def orders(draw: st.DrawFn, length: int) -> Orders:
    """Nested zones, and walls anywhere."""
    zones: list[tuple[int, int]] = []
    for _ in range(draw(st.integers(0, 3))):
        begin = draw(st.integers(0, length - 1))
        zone = (begin, draw(st.integers(begin + 1, length)))
        if not any(a < zone[0] < b < zone[1] or zone[0] < a < zone[1] < b for a, b in zones):
            zones.append(zone)
    return Orders(tuple(zones), tuple(draw(st.lists(st.integers(0, length), max_size=2))))


def one_word_tiles(length: int, locked: Sequence[tuple[int, int]], orders: Orders, vocabulary: Vocabulary) -> Tiles:
    """One word per position, except inside locked spans."""
    inside = {i for begin, end in locked for i in range(begin, end)}
    spans = [(i, i + 1, Expression.word(f"w{i}")) for i in range(length) if i not in inside]
    spans += [(begin, end, Expression.word(f"w{begin}")) for begin, end in locked]
    expression = Expression.tiles(length, spans, movement_base=0.5)
    return Tiles.compile(expression, vocabulary, zones=orders.zones, walls=orders.walls)


NO_WORDS = Vocabulary([])
ZEROGRAM = arpa_text(["-1\t<unk>", "-99\t<s>\t0", "-1\t</s>"], ["-1\t<s> </s>"])
FLAT = plain_weights(0, lm=0.0)


@given(st.integers(1, 8), st.sampled_from([0, 1, 2, 3, 6, -1]), st.data())
def test_no_order_begun_is_a_dead_end(length: int, limit: int, data: st.DataObject) -> None:
    """Every partial realization can be completed under locked spans, zones, walls and the limit."""
    drawn = data.draw(orders(length))
    edges = {edge for zone in drawn.zones for edge in zone} | set(drawn.walls)
    locked: list[tuple[int, int]] = []
    for begin in data.draw(st.lists(st.integers(0, length - 1), max_size=2)):
        span = (begin, min(length, begin + data.draw(st.integers(1, 4))))
        crosses = any(span[0] < edge < span[1] for edge in edges)
        if not crosses and all(span[1] <= a or b <= span[0] for a, b in locked):
            locked.append(span)
    tiles = one_word_tiles(length, locked, drawn, NO_WORDS)
    options = search_options(algorithm=Algorithm.bfs, beam=0, distortion_limit=limit, record=1_000_000)
    result = CoreRealizer(NO_WORDS, [opened(ZEROGRAM)]).realize([tiles], FLAT, options)[0]
    assert result.record is not None
    going_on = set(result.record.sources.tolist())
    events = zip(result.record.nodes.tolist(), result.record.goals.tolist(), strict=True)
    reached = {state: goal for state, goal in events if state != NONE}
    assert result.statistics.states == len(reached)
    assert all(goal or state in going_on for state, goal in reached.items())


def written_out(begin: int, end: int, spans: Sequence[tuple[int, int]], orders: Orders) -> Expression:
    """Tiles with zones and walls as an expression: ∨ of segmentations, ∥ of their tiles, × of zones, · at walls."""
    inner = [z for z in orders.zones if (begin, end) != z and begin <= z[0] and z[1] <= end]
    children = [z for z in inner if not any(z != y and y[0] <= z[0] and z[1] <= y[1] for y in inner)]
    walls = [w for w in orders.walls if begin < w < end and not any(a < w < b for a, b in children)]
    parts = [begin, *sorted(set(walls)), end]
    expressions = []
    for a, b in itertools.pairwise(parts):
        inside = [z for z in children if a <= z[0] and z[1] <= b]
        blocked = [i for c, d in inside for i in range(c, d)]
        blocks = {z: Expression.lock(written_out(*z, spans, orders)) for z in inside}
        tiles = [s for s in spans if a <= s[0] and s[1] <= b and not any(s[0] <= i < s[1] for i in blocked)]
        blocks |= {s: Expression.word(f"w{s[0]}-{s[1]}") for s in tiles}
        choices = [
            Expression.movement_interleave([blocks[s] for s in way], 0.5) if len(way) > 1 else blocks[way[0]]
            for way in segmentations(a, b, list(blocks))
        ]
        expressions.append(Expression.scored_disjunction(choices, [[1.0]] * len(choices)))
    return Expression.precedence(expressions)


def segmentations(begin: int, end: int, spans: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    if begin == end:
        return [[]]
    return [[s, *rest] for s in spans if s[0] == begin and s[1] <= end for rest in segmentations(s[1], end, spans)]


@given(st.integers(1, 5), st.data())
def test_they_are_locks_and_precedences(length: int, data: st.DataObject) -> None:
    """Tiles with zones and walls have the strings of the WIDL-expression given in docs/translation.md."""
    drawn = data.draw(orders(length))
    wide = data.draw(st.lists(st.integers(0, length - 1), max_size=2, unique=True))
    spans = [(i, i + 1) for i in range(length)] + [(i, i + 2) for i in wide if i + 2 <= length]
    contents = [(a, b, Expression.word(f"w{a}-{b}")) for a, b in spans]
    expression = Expression.tiles(length, contents, movement_base=0.5)
    tiles = Tiles.compile(expression, NO_WORDS, zones=drawn.zones, walls=drawn.walls)
    options = search_options(algorithm=Algorithm.bfs, beam=0, nbest=1000)
    result = CoreRealizer(NO_WORDS, [opened(ZEROGRAM)]).realize([tiles], FLAT, options)[0]
    strings = strings_of(written_out(0, length, spans, drawn))
    assert {" ".join(item.words) for item in result.nbest} == strings.keys()


@pytest.mark.parametrize(
    ("zones", "walls", "message"),
    [
        ([(0, 2), (1, 3)], [], "zone 1-3 crosses another"),
        ([(2, 2)], [], "zone 2-2 is empty"),
        ([(2, 4)], [], "zone 2-4 is empty or outside"),
        ([], [4], "wall 4 is outside"),
    ],
)
def test_what_makes_no_sense_is_named(zones: list, walls: list, message: str) -> None:
    with pytest.raises(InputError, match=message):
        one_word_tiles(3, [], Orders(tuple(zones), tuple(walls)), NO_WORDS)


def test_tiles_that_leave_a_zone_uncovered() -> None:
    expression = Expression.tiles(2, [(0, 2, Expression.word("a"))], movement_base=0.5)
    tiles = Tiles.compile(expression, NO_WORDS, walls=[1])
    [result] = CoreRealizer(NO_WORDS, [opened(ZEROGRAM)]).realize([tiles], FLAT, search_options())
    assert result.outcome is Outcome.proved_empty
    assert result.failure == "there is no string of the tiles within the distortion limit: proved"
