"""Sizes of WIDL-expressions and of equivalent lattices and grammars (Soricut & Marcu 2005, §1 and §2.3; 2006, §1).

The papers argue that neither word lattices nor non-recursive context-free grammars can represent "all of these, in any
order" compactly. These are the numbers: for bags of words, by formulas that tests compare with explicit constructions,
and for the inputs of a translation model.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SpanPhrase = tuple[int, int, Sequence[str]]
"""Source positions [begin, end) and the words of their translation."""


@dataclass(frozen=True)
class BagSizes:
    """Sizes for a bag: strings; the expression ∥(w1, …, wn), its WIDL-graph, the minimal acceptor, and a grammar."""

    words: int
    strings: int
    expression_nodes: int
    graph_vertices: int
    graph_edges: int
    lattice_states: int
    lattice_edges: int
    grammar_rules: int


def bag_sizes(multiplicities: Sequence[int]) -> BagSizes:
    """Sizes for a bag, from the number of occurrences of each of its different words.

    A state of a deterministic acceptor determines the words that are left, and any sub-bag is left after some prefix.
    The minimum is therefore Π(mᵢ+1) states; the edges out of a state are the different words left.

    >>> bag_sizes([1] * 12).lattice_edges  # 12 · 2^11
    24576
    """
    if not multiplicities or min(multiplicities) < 1:
        raise ValueError(f"expected how often each word occurs, found {multiplicities!r}")
    words = sum(multiplicities)
    states = math.prod(m + 1 for m in multiplicities)
    edges = sum(states // (m + 1) * m for m in multiplicities)
    rules = edges if max(multiplicities) > 1 else min(edges, halving_rules(words))
    return BagSizes(
        words=words,
        strings=math.factorial(words) // math.prod(map(math.factorial, multiplicities)),
        expression_nodes=words + 1,
        graph_vertices=2 * words + 2,
        graph_edges=3 * words,
        lattice_states=states,
        lattice_edges=edges,
        grammar_rules=rules,
    )


def halving_rules(words: int) -> int:
    """Rules of the grammar that splits a set of words into halves: A_S → A_T A_(S∖T), |T| = ⌊|S|/2⌋.

    Up to some twenty words it has fewer rules than the right-linear grammar, A_S → w A_(S∖w), which
    has one for every edge of the acceptor. Any grammar needs exponentially many.

    >>> halving_rules(4)  # 6 ways to halve the four, 2 to order each of the 6 pairs, 4 words
    22
    """
    sizes, larger = {words}, {words}
    while larger:
        larger = {half for size in larger if size > 1 for half in (size // 2, size - size // 2)} - sizes
        sizes |= larger
    return sum(math.comb(words, size) * (math.comb(size, size // 2) if size > 1 else 1) for size in sizes)


@dataclass(frozen=True)
class TileSizes:
    """Of one translation input: its `tiles` expression, and the lattice and grammar of the same weighted strings.

    A state of the lattice knows which source positions are covered and where the last tile ended, on
    which the movement penalty depends; inside an alternative, the words left and what is covered. It is
    constructed, not minimized. The grammar has a rule (covered, end) → tile (covered', end') for each
    step and one for each alternative of a tile.
    """

    positions: int
    tiles: int
    alternatives: int
    expression_nodes: int
    lattice_states: int
    lattice_edges: int
    grammar_rules: int


def tile_sizes(positions: int, alternatives: Sequence[SpanPhrase]) -> TileSizes:
    """Exact sizes without any limit on movement: a dynamic programme over runs of covered and open positions.

    What is covered is any set of positions such that it and the rest can both be cut into tiles.
    The number of (state, next tile) pairs is a sum, over these sets, of a sum over their covered runs
    (the places where the last tile may end) times a sum over their open runs (the tiles that may
    follow), so that four moments of each prefix suffice.
    """
    runs = _Runs(positions, alternatives)
    # Prefixes of the positions, by what their last run is.
    covered = [_Moments() for _ in range(positions + 1)]
    open_ = [_Moments() for _ in range(positions + 1)]
    start = _Moments(count=1)
    for j in range(1, positions + 1):
        for i in range(j):
            if not runs.tiled[i][j]:
                continue
            covered[j] = covered[j] + (start if i == 0 else open_[i]).with_ends(runs.ends(i, j))
            steps, spans, inner = runs.steps(i, j)
            open_[j] = open_[j] + (start if i == 0 else covered[i]).with_steps(steps, spans, inner)
    total = covered[positions] + open_[positions]
    # Nothing covered yet: the last end is position 0. All covered: one state, whatever the last end.
    steps, spans, _ = runs.steps(0, positions)
    states = total.ends + 1 - runs.ends(0, positions) + 1 + total.inner
    return TileSizes(
        positions=positions,
        tiles=len(runs.counts),
        alternatives=len(alternatives),
        expression_nodes=_expression_nodes(alternatives),
        lattice_states=states,
        lattice_edges=total.ends_times_steps + steps + total.inner,
        grammar_rules=total.ends_times_spans + spans + len(alternatives),
    )


def limited_tile_sizes(
    positions: int,
    alternatives: Sequence[SpanPhrase],
    *,
    distortion_limit: int | None,
    max_states: int = 200_000,
) -> TileSizes | None:
    """Sizes under a limit on jumps, by enumeration of the states; None if there are more than `max_states`."""
    runs = _Runs(positions, alternatives)
    full = (1 << positions) - 1
    by_begin: list[list[tuple[int, int, int, int]]] = [[] for _ in range(positions)]
    for (begin, end), (count, inner) in runs.counts.items():
        by_begin[begin].append(((1 << end) - (1 << begin), end, count, inner))

    def steps(covered: int, last: int) -> Iterator[tuple[tuple[int, int], int, int]]:
        """States that may follow, each with the tile's alternatives and states inside of them."""
        jump = positions if distortion_limit is None else distortion_limit
        for begin in range(max(0, last - jump), min(positions, last + jump + 1)):
            for mask, end, count, inner in by_begin[begin]:
                if not covered & mask:
                    yield ((full, 0) if covered | mask == full else (covered | mask, end)), count, inner

    reached = {(0, 0)}
    open_states = [(0, 0)]
    while open_states:
        state = open_states.pop()
        for to, _, _ in steps(*state):
            if to not in reached:
                if len(reached) >= max_states:
                    return None
                reached.add(to)
                open_states.append(to)
    # A step covers more positions, so that in this order a state comes after all its successors.
    alive = {(full, 0)}
    rules = edges = within = 0
    # States inside an alternative do not depend on the end of the tile before.
    inside: set[tuple[int, tuple[int, int]]] = set()
    for state in sorted(reached, key=lambda state: state[0].bit_count(), reverse=True):
        for to, count, inner in steps(*state):
            if to in alive:
                alive.add(state)
                rules += 1
                edges += count
                if (state[0], to) not in inside:
                    inside.add((state[0], to))
                    within += inner
    return TileSizes(
        positions=positions,
        tiles=len(runs.counts),
        alternatives=len(alternatives),
        expression_nodes=_expression_nodes(alternatives),
        lattice_states=len(alive) + within,
        lattice_edges=edges + within,
        grammar_rules=rules + len(alternatives),
    )


@dataclass(frozen=True)
class _Moments:
    """Sums over the coverages of a prefix: of 1, of ends, steps and spans, of their products, of inner states."""

    count: int = 0
    ends: int = 0
    steps: int = 0
    spans: int = 0
    ends_times_steps: int = 0
    ends_times_spans: int = 0
    inner: int = 0

    def __add__(self, other: "_Moments") -> "_Moments":
        return _Moments(
            self.count + other.count,
            self.ends + other.ends,
            self.steps + other.steps,
            self.spans + other.spans,
            self.ends_times_steps + other.ends_times_steps,
            self.ends_times_spans + other.ends_times_spans,
            self.inner + other.inner,
        )

    def with_ends(self, ends: int) -> "_Moments":
        """The moments after a further covered run, in which the last tile may end at `ends` positions."""
        return _Moments(
            self.count,
            self.ends + ends * self.count,
            self.steps,
            self.spans,
            self.ends_times_steps + ends * self.steps,
            self.ends_times_spans + ends * self.spans,
            self.inner,
        )

    def with_steps(self, steps: int, spans: int, inner: int) -> "_Moments":
        """The moments after a further open run, with its numbers of alternatives, tiles and inner states."""
        return _Moments(
            self.count,
            self.ends,
            self.steps + steps * self.count,
            self.spans + spans * self.count,
            self.ends_times_steps + steps * self.ends,
            self.ends_times_spans + spans * self.ends,
            self.inner + inner * self.count,
        )


class _Runs:
    """Runs of positions that can be cut into tiles, with the tiles in them."""

    def __init__(self, positions: int, alternatives: Sequence[SpanPhrase]) -> None:
        words: Counter[tuple[int, int]] = Counter()
        number: Counter[tuple[int, int]] = Counter()
        for begin, end, put in alternatives:
            number[begin, end] += 1
            words[begin, end] += len(put) - 1
        # By tile: alternatives, and states inside of them.
        self.counts = {span: (number[span], words[span]) for span in sorted(number)}
        self.tiled = [[i == j for j in range(positions + 1)] for i in range(positions + 1)]
        for i in reversed(range(positions)):
            for begin, end in self.counts:
                if begin == i:
                    for j in range(end, positions + 1):
                        self.tiled[i][j] = self.tiled[i][j] or self.tiled[end][j]

    def ends(self, i: int, j: int) -> int:
        """Number of positions at which the last tile of the covered run [i, j) may end."""
        return len({end for _, end in self._within(i, j)})

    def steps(self, i: int, j: int) -> tuple[int, int, int]:
        """Alternatives, tiles and states inside alternatives that may come next in the open run [i, j)."""
        spans = list(self._within(i, j))
        return sum(self.counts[s][0] for s in spans), len(spans), sum(self.counts[s][1] for s in spans)

    def _within(self, i: int, j: int) -> Iterator[tuple[int, int]]:
        for begin, end in self.counts:
            if i <= begin and end <= j and self.tiled[i][begin] and self.tiled[end][j]:
                yield begin, end


def _expression_nodes(alternatives: Sequence[SpanPhrase]) -> int:
    """Nodes of `tiles` written out: an ∨ for a tile of several alternatives, × and · for one of several words."""
    tiles = Counter((begin, end) for begin, end, _ in alternatives)
    words = sum(len(put) + (2 if len(put) > 1 else 0) for _, _, put in alternatives)
    return 1 + words + sum(count > 1 for count in tiles.values())
