"""Regular expressions as nondeterministic automata over the bytes of UTF-8; Python's `re` parses them."""

import importlib
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from widl.common.errors import InputError

Range = tuple[int, int]
"""The first and the last of some code points or bytes."""

_LAST = 0x10FFFF
_SURROGATES = (0xD800, 0xDFFF)  # UTF-8 lacks them
_LENGTHS = (0x7F, 0x7FF, 0xFFFF, _LAST)  # last characters of one, two, three and four bytes
_MAX_STATES = 100_000

# Under re.ASCII, as in JSON schemas.
_CATEGORIES = {
    "DIGIT": [(0x30, 0x39)],
    "SPACE": [(0x09, 0x0D), (0x20, 0x20)],
    "WORD": [(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)],
}
_NOT_MATCHED = {
    "ASSERT": "look-around",
    "ASSERT_NOT": "look-around",
    "GROUPREF": "a back reference",
    "GROUPREF_EXISTS": "a condition on a group",
    "ATOMIC_GROUP": "an atomic group",
    "POSSESSIVE_REPEAT": "a possessive repetition",
}


class SlotPattern:
    """A regular expression as an automaton over bytes, with silent moves; state 0 is its start.

    The texts are those that ``re.fullmatch(pattern, text, re.ASCII)`` matches. `name` is for messages.

    Raises:
        InputError: The pattern is invalid, has a part that no automaton matches, or is too large.
    """

    def __init__(self, pattern: str, name: str) -> None:
        self.moves: list[list[tuple[int, int, int]]] = [[]]
        """By state: first byte, last byte, target."""
        self.silent: list[list[int]] = [[]]
        self._pattern, self._name = pattern, name
        self._rests: dict[tuple[int, tuple[Range, ...]], int] = {}
        parser = _parser_of_python(name)
        self._no_limit = parser.MAXREPEAT
        try:
            parsed = parser.parse(pattern, re.ASCII)
        except (re.error, OverflowError) as error:
            raise self._refused(f"is not a regular expression ({error})") from None
        if flags := re.RegexFlag(parsed.state.flags) & (re.I | re.L | re.M):
            raise self._refused(f"has the flag {flags.name}, which slots don't have")
        self.final = self._sequence(parsed, 0, bool(parsed.state.flags & re.S), ends=(True, True))

    def _refused(self, why: str) -> InputError:
        return InputError(f"{self._name}: {self._pattern!r} {why}")

    def _new_state(self) -> int:
        if len(self.moves) > _MAX_STATES:
            raise self._refused(f"needs more than {_MAX_STATES:,} states; allow fewer repetitions")
        self.moves.append([])
        self.silent.append([])
        return len(self.moves) - 1

    def _sequence(self, items: Any, state: int, dotall: bool, *, ends: tuple[bool, bool]) -> int:
        """Adds items that follow each other from a state on, and returns the state after them.

        `ends`: whether the sequence is at the pattern's begin, and at its end. Anchors have no effect there.
        """
        content = [i for i, (op, _) in enumerate(items) if str(op) != "AT"]
        first, last = (content[0], content[-1]) if content else (len(items), -1)
        for i, (op, value) in enumerate(items):
            name = str(op)
            here = (ends[0] and i <= first, ends[1] and i >= last)
            if name == "AT":
                self._check_anchor(str(value), here)
            elif name in _NOT_MATCHED:
                raise self._refused(f"has {_NOT_MATCHED[name]}, which no automaton matches")
            else:
                state = self._item(name, value, state, dotall, here)
        return state

    def _check_anchor(self, name: str, here: tuple[bool, bool]) -> None:
        """A slot is matched whole, so that anchors at its ends are always satisfied."""
        if name in ("AT_BEGINNING", "AT_BEGINNING_STRING") and here[0]:
            return
        if name in ("AT_END", "AT_END_STRING") and here[1]:
            return
        if "BOUNDARY" in name:
            raise self._refused("has \\b or \\B, which slots don't have")
        raise self._refused("has an anchor inside; a slot is matched whole, so remove it, or write \\^ or \\$")

    def _item(self, name: str, value: Any, state: int, dotall: bool, here: tuple[bool, bool]) -> int:
        match name:
            case "SUBPATTERN":
                _, added, removed, content = value
                if (added | removed) & ~(re.S | re.X | re.A):
                    raise self._refused("has flags of a group that slots don't have")
                inner = (dotall or bool(added & re.S)) and not removed & re.S
                return self._sequence(content, state, inner, ends=here)
            case "BRANCH":
                after = self._new_state()
                for branch in value[1]:
                    self.silent[self._sequence(branch, state, dotall, ends=here)].append(after)
                return after
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, most, content = value
                return self._repeat((least, most), content, state, dotall)
            case _:
                try:
                    ranges = _characters(name, value, dotall)
                except LookupError:
                    raise self._refused(f"has a part that slots do not know ({name})") from None
                return self._character(ranges, state)

    def _repeat(self, bounds: tuple[int, int], content: Any, state: int, dotall: bool) -> int:
        least, most = bounds
        for _ in range(least):
            state = self._sequence(content, state, dotall, ends=(False, False))
        after = self._new_state()
        self.silent[state].append(after)
        if most == self._no_limit:
            self.silent[self._sequence(content, after, dotall, ends=(False, False))].append(after)
            return after
        for _ in range(most - least):
            state = self._sequence(content, state, dotall, ends=(False, False))
            self.silent[state].append(after)
        return after

    def _character(self, ranges: Iterable[Range], state: int) -> int:
        after = self._new_state()
        for first, last in ranges:
            for (low, high), *rest in utf8_ranges(first, last):
                self.moves[state].append((low, high, self._rest(after, tuple(rest))))
        return after

    def _rest(self, target: int, ranges: tuple[Range, ...]) -> int:
        """A state; these bytes lead from it to a target. Characters of a class share it."""
        if not ranges:
            return target
        if (target, ranges) not in self._rests:
            state = self._rests[target, ranges] = self._new_state()
            self.moves[state].append((*ranges[0], self._rest(target, ranges[1:])))
        return self._rests[target, ranges]


def _parser_of_python(name: str) -> Any:
    """The module that parses the patterns of `re`, which has no public name; the only use of it.

    Its results have been the same since Python 3.11. Parts that it may get are refused (`_item`), and without it only
    slots are refused.
    """
    try:
        parser: Any = importlib.import_module("re._parser")
        if callable(parser.parse) and parser.MAXREPEAT:
            return parser
    except (ImportError, AttributeError):
        pass
    version = ".".join(map(str, sys.version_info[:2]))
    raise InputError(f"{name}: slots need a part of Python's re that Python {version} has no more; use 3.11 to 3.13")


def _characters(name: str, value: Any, dotall: bool) -> list[Range]:
    """The characters of a literal, a class or a dot."""
    match name:
        case "LITERAL":
            return _without([(value, value)], [_SURROGATES])
        case "NOT_LITERAL":
            return _without([(0, _LAST)], [(value, value), _SURROGATES])
        case "ANY":
            return _without([(0, _LAST)], [_SURROGATES] if dotall else [(10, 10), _SURROGATES])
        case "IN":
            is_negated = str(value[0][0]) == "NEGATE"
            named = [one for op, item in value[is_negated:] for one in _members(str(op), item)]
            return _without([(0, _LAST)], [*named, _SURROGATES]) if is_negated else _without(named, [_SURROGATES])
    raise LookupError(name)


def _members(name: str, value: Any) -> Sequence[Range]:
    match name:
        case "LITERAL":
            return [(value, value)]
        case "RANGE":
            return [value]
    _, *is_not, category = str(value).split("_")
    return _without([(0, _LAST)], _CATEGORIES[category]) if is_not else _CATEGORIES[category]


def _without(ranges: Iterable[Range], removed: Iterable[Range]) -> list[Range]:
    """The ranges' characters that are not in the removed ones."""
    result = []
    gaps = sorted(removed)
    for first, last in ranges:
        begin = first
        for low, high in gaps:
            if begin <= min(low - 1, last):
                result.append((begin, min(low - 1, last)))
            begin = max(begin, high + 1)
        if begin <= last:
            result.append((begin, last))
    return result


def utf8_ranges(first: int, last: int) -> Iterator[list[Range]]:
    """Sequences of byte ranges that together encode exactly the characters of a range.

    >>> list(utf8_ranges(0x61, 0xe9))
    [[(97, 127)], [(194, 194), (128, 191)], [(195, 195), (128, 169)]]
    """
    begin = first
    for end in _LENGTHS:
        if begin <= min(end, last):
            yield from _of_one_length(begin, min(end, last))
            begin = end + 1


def _of_one_length(first: int, last: int) -> Iterator[list[Range]]:
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
