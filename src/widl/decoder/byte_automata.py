"""Deterministic automata over bytes, for the regular expressions of slots."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from widl.common.errors import InputError
from widl.decoder.slot_patterns import SlotPattern

_MAX_STATES = 50_000  # 1 kB each
_MAX_MOVES = 3_000_000  # looked at in making one automaton: seconds

_Segment = tuple[int, int, int]
"""The first and the last byte, and the target."""


@dataclass(frozen=True)
class ByteAutomaton:
    """A deterministic automaton over bytes; state 0 is its start."""

    next: NDArray[np.int32]
    """Shape (states, 256); -1 for missing transitions."""
    accepts: list[bool]

    def after_blank(self) -> "ByteAutomaton":
        """The automaton with a blank before its texts."""
        first = np.full((1, 256), -1, np.int32)
        first[0, ord(" ")] = 1
        behind = np.where(self.next >= 0, self.next + 1, -1).astype(np.int32)
        return ByteAutomaton(np.vstack([first, behind]), [False, *self.accepts])


def byte_automaton(pattern: str, allowed: Collection[int], name: str) -> ByteAutomaton:
    """The automaton of texts that fully match a pattern and consist of the `allowed` bytes.

    Raises an InputError that names `name` if the pattern is invalid, matches no such text, or has an automaton of too
    many states.
    """
    rows, accepts = _deterministic(SlotPattern(pattern, name), f"{name}: {pattern!r}")
    usable = np.zeros(256, bool)
    usable[list(allowed)] = True
    rows = [[move for move in row if usable[move[0] : move[1] + 1].any()] for row in rows]
    alive = _alive(rows, accepts)
    if not accepts[0] and not any(alive[target] for _, _, target in rows[0]):
        raise InputError(f"{name}: no text that the vocabulary can spell matches {pattern!r}")
    table = np.full((len(rows), 256), -1, np.int32)
    for state, row in enumerate(rows):
        for first, last, target in row:
            if alive[target]:
                table[state, first : last + 1] = target
    table[:, ~usable] = -1
    return ByteAutomaton(table, accepts)


def _deterministic(pattern: SlotPattern, what: str) -> tuple[list[list[_Segment]], list[bool]]:
    """The transitions of each state, and whether it accepts: a state is a set of the pattern's states."""
    closures = _Closures(pattern)
    sets = [closures.of(0)]
    numbers = {sets[0]: 0}
    rows: list[list[_Segment]] = []
    for states in sets:  # grows
        row: list[_Segment] = []
        moves = [move for state in states for move in pattern.moves[state]]
        closures.work += len(moves)
        for first, last, targets in _segments(moves):
            reached = closures.of_all(targets)
            if reached not in numbers:
                numbers[reached] = len(sets)
                sets.append(reached)
            row.append((first, last, numbers[reached]))
        rows.append(row)
        if len(sets) > _MAX_STATES or closures.work > _MAX_MOVES:
            raise InputError(
                f"{what} needs an automaton of more than {_MAX_STATES:,} states or {_MAX_MOVES:,} moves; "
                "allow fewer repetitions"
            )
    return rows, [pattern.final in states for states in sets]


class _Closures:
    """The states that a state reaches by silent moves, of those that read a byte or end the pattern."""

    def __init__(self, pattern: SlotPattern) -> None:
        self._pattern = pattern
        self._known: dict[int, frozenset[int]] = {}
        self.work = 0

    def of(self, state: int) -> frozenset[int]:
        if state not in self._known:
            seen, waiting = {state}, [state]
            while waiting:
                more = set(self._pattern.silent[waiting.pop()]) - seen
                seen |= more
                waiting += more
            self.work += len(seen)
            moves, final = self._pattern.moves, self._pattern.final
            self._known[state] = frozenset(s for s in seen if moves[s] or s == final)
        return self._known[state]

    def of_all(self, states: Iterable[int]) -> frozenset[int]:
        parts = list(map(self.of, states))
        self.work += sum(map(len, parts))
        return frozenset().union(*parts)


def _segments(moves: Sequence[_Segment]) -> Iterator[tuple[int, int, frozenset[int]]]:
    """Ranges of bytes with equal sets of targets, without ranges that have no target."""
    changes: dict[int, list[tuple[int, int]]] = {}
    for first, last, target in moves:
        changes.setdefault(first, []).append((target, 1))
        changes.setdefault(last + 1, []).append((target, -1))
    active: dict[int, int] = {}
    begin = 0
    for at in sorted(changes):
        if targets := frozenset(target for target, count in active.items() if count):
            yield begin, at - 1, targets
        for target, change in changes[at]:
            active[target] = active.get(target, 0) + change
        begin = at


def _alive(rows: Sequence[Iterable[_Segment]], accepts: Sequence[bool]) -> list[bool]:
    """Whether each state can reach an accepting one."""
    sources: list[list[int]] = [[] for _ in rows]
    for state, row in enumerate(rows):
        for _, _, target in row:
            sources[target].append(state)
    alive = list(accepts)
    waiting = [state for state, is_alive in enumerate(alive) if is_alive]
    while waiting:
        for state in sources[waiting.pop()]:
            if not alive[state]:
                alive[state] = True
                waiting.append(state)
    return alive
