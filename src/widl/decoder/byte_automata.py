"""Regular expressions as automata over the bytes of UTF-8; greenery parses and minimizes them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from widl.common.errors import InputError

_SURROGATES = (0xD800, 0xDFFF)
_LAST = 0x10FFFF
_LENGTHS = (0x7F, 0x7FF, 0xFFFF, _LAST)  # last characters of one, two, three and four bytes


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

    Raises an InputError that names `name` if the pattern is invalid or matches no such text.
    """
    from greenery import parse

    try:
        machine = parse(pattern).to_fsm().reduce()
    except Exception as error:
        raise InputError(f"{name}: {pattern!r} is not a regular expression that greenery reads ({error})") from None
    rows: list[dict[int, int]] = [{} for _ in machine.states]
    numbers = {state: number for number, state in enumerate([machine.initial, *(machine.states - {machine.initial})])}
    for state, moves in machine.map.items():
        for characters, target in moves.items():
            for first, last in _ranges(characters):
                for path in utf8_ranges(first, last):
                    _add_path(rows, numbers[state], path, numbers[target])
    accepts = [False] * len(rows)  # including states inside characters
    for state in machine.finals:
        accepts[numbers[state]] = True
    table = np.full((len(rows), 256), -1, np.int32)
    for number, row in enumerate(rows):
        for byte, target in row.items():
            if byte in allowed:
                table[number, byte] = target
    _remove_dead_ends(table, accepts)
    if not accepts[0] and (table[0] < 0).all():
        raise InputError(f"{name}: no text that the vocabulary can spell matches {pattern!r}")
    return ByteAutomaton(table, accepts)


def _ranges(characters: Any) -> Iterator[tuple[int, int]]:
    """The ranges of code points of greenery's class of characters, without surrogates, which UTF-8 lacks."""
    without = [*characters.ord_ranges, _SURROGATES] if characters.negated else [_SURROGATES]
    for first, last in [(0, _LAST)] if characters.negated else characters.ord_ranges:
        begin = first
        for low, high in sorted(without):
            if begin <= min(low - 1, last):
                yield begin, min(low - 1, last)
            begin = max(begin, high + 1)
        if begin <= last:
            yield begin, last


def utf8_ranges(first: int, last: int) -> Iterator[list[tuple[int, int]]]:
    """Sequences of byte ranges that together encode exactly the characters of a range.

    >>> list(utf8_ranges(0x61, 0xe9))
    [[(97, 127)], [(194, 194), (128, 191)], [(195, 195), (128, 169)]]
    """
    begin = first
    for end in _LENGTHS:
        if begin <= min(end, last):
            yield from _of_one_length(begin, min(end, last))
            begin = end + 1


def _of_one_length(first: int, last: int) -> Iterator[list[tuple[int, int]]]:
    """Splits a range of characters with equally many bytes so that each part covers all values of its later bytes."""
    for bits in (6, 12, 18):
        block = (1 << bits) - 1
        if first & ~block != last & ~block:
            if first & block:
                yield from _of_one_length(first, first | block)
                yield from _of_one_length((first | block) + 1, last)
                return
            if last & block != block:
                yield from _of_one_length(first, (last & ~block) - 1)
                yield from _of_one_length(last & ~block, last)
                return
    yield list(zip(chr(first).encode(), chr(last).encode(), strict=True))


def _add_path(rows: list[dict[int, int]], state: int, path: list[tuple[int, int]], target: int) -> None:
    """Transitions from a state to another over ranges of bytes.

    If the first range has several bytes, all characters that begin with them are in the path, so that they share the
    state after it. A single byte may begin several paths.
    """
    (first, last), *rest = path
    if not rest:
        rows[state] |= dict.fromkeys(range(first, last + 1), target)
        return
    if first not in rows[state]:
        rows.append({})
        rows[state] |= dict.fromkeys(range(first, last + 1), len(rows) - 1)
    _add_path(rows, rows[state][first], rest, target)


def _remove_dead_ends(table: NDArray[np.int32], accepts: list[bool]) -> None:
    """Remove transitions to states that cannot reach an accepting state."""
    alive = np.array(accepts)
    while True:
        leads = ((table >= 0) & alive[np.maximum(table, 0)]).any(axis=1) | alive
        if (leads == alive).all():
            break
        alive = leads
    table[(table >= 0) & ~alive[np.maximum(table, 0)]] = -1
