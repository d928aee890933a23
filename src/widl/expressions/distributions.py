"""Parsing of distributions in the text form: the text between ``{`` and ``}`` after ∨, ∥ and tiles."""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_COUNT = re.compile(r"[0-9]{1,9}")
_BY_MOVEMENT = re.compile(r"(.*\S)\s+expmove\s+(\S+)\s*", re.DOTALL)
_ENTRY = re.compile(r"\s*([^:]*?)\s*:")


class ChoiceForm(NamedTuple):
    """The distribution of ∨: J numbers per argument."""

    rows: Sequence[Sequence[float]]
    scored: bool


class InterleaveForm(NamedTuple):
    """The distribution of ∥, as `weighted_interleave` takes it."""

    listed: Sequence[tuple[Sequence[int], Sequence[float]]] | None
    other_permutations: Sequence[float] | None
    shuffles: Sequence[float] | None
    base: float | None
    normalized: bool = False


class TilesForm(NamedTuple):
    """The number of source positions and the movement base of tiles."""

    length: int
    movement_base: float
    normalized: bool


class FormError(Exception):
    """A syntax error, with its offset from the opening brace."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


# Cached, because program-generated expressions repeat the same distributions.
@lru_cache(maxsize=1024)
def parse_choice_form(braces: str) -> ChoiceForm:
    """``{0.65, 0.35}``, with J numbers per argument ``{0.13 0.14, 0.47 0.15}``; scores as ``{scores: …}``."""
    named = re.match(r"\{\s*scores\s*:", braces)
    begin = named.end() if named else 1
    return ChoiceForm([_numbers(item, start) for item, start in _items(braces, begin)], named is not None)


@lru_cache(maxsize=1024)
def parse_interleave_form(braces: str) -> InterleaveForm:
    """``{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}``, ``{expmove: 0.5}``, ``{expmove: 0.5, normalized}``, or both kinds.

    Movement spreads the mass in ``perms: 0.7 expmove 0.5``.
    """
    listed: list[tuple[Sequence[int], Sequence[float]]] = []
    masses: dict[str, Sequence[float]] = {}
    items = list(_items(braces, 1))
    normalized = len(items) == 2 and items[1][0].strip() == "normalized" and items[0][0].strip().startswith("expmove")
    for item, start in items[:1] if normalized else items:
        key, value, value_start = _entry(item, start)
        if key == "perms" and (by_movement := _BY_MOVEMENT.fullmatch(value)):
            masses["expmove"] = _numbers(by_movement[2], value_start + by_movement.start(2))
            value = by_movement[1]
        numbers = _numbers(value, value_start)
        if key[:1].isdigit():
            listed.append((_order(key, start + item.index(key)), numbers))
            continue
        key_start = start + len(item) - len(item.lstrip())
        if key not in ("perms", "shuffles", "expmove"):
            close = get_close_matches(key, ("perms", "shuffles", "expmove"), n=1)
            hint = f" (did you mean '{close[0]}'?)" if close else ""
            message = f"found {_short(key)}, expected an order like '2 1', perms, shuffles or expmove{hint}"
            raise FormError(message, key_start)
        if key in masses:
            raise FormError(f"'{key}' is given twice", key_start)
        if key == "expmove" and (len(items) > 1 + normalized or len(numbers) > 1):
            raise FormError("expmove is given alone, with one number, or in 'perms: MASS expmove A'", key_start)
        masses[key] = numbers
    base = masses["expmove"][0] if "expmove" in masses else None
    return InterleaveForm(listed or None, masses.get("perms"), masses.get("shuffles"), base, normalized)


@lru_cache(maxsize=1024)
def parse_tiles_form(braces: str) -> TilesForm:
    """``{5, expmove: 0.5}`` or ``{5, expmove: 0.5, normalized}``: source positions and the movement base."""
    items = list(_items(braces, 1))
    normalized = len(items) == 3 and items[2][0].strip() == "normalized"
    if len(items) != 2 + normalized:
        raise FormError("expected '{LENGTH, expmove: A}'", 0)
    (length, length_start), (item, start) = items[:2]
    length = length.strip()
    if not _COUNT.fullmatch(length):
        raise FormError(f"found {_short(length)}, expected the number of source positions", length_start)
    key, value, value_start = _entry(item, start)
    numbers = _numbers(value, value_start)
    if key != "expmove" or len(numbers) != 1:
        raise FormError(f"found {_short(item)}, expected 'expmove: A' with one number", start)
    return TilesForm(int(length), numbers[0], normalized)


def _items(braces: str, begin: int) -> Iterator[tuple[str, int]]:
    """The comma-separated parts between the braces, and where they start."""
    for item in braces[begin:-1].split(","):
        if not item.strip():
            raise FormError("found nothing, expected a number", begin)
        yield item, begin
        begin += len(item) + 1


def _entry(item: str, start: int) -> tuple[str, str, int]:
    """The key and the value of ``key: value``, and where the value starts."""
    match = _ENTRY.match(item)
    if match is None:
        blank = len(item) - len(item.lstrip())
        raise FormError(f"found {_short(item)}, expected 'NAME: NUMBER' or an order like '2 1: NUMBER'", start + blank)
    return match[1], item[match.end() :], start + match.end()


def _numbers(text: str, start: int) -> list[float]:
    values = []
    for match in re.finditer(r"\S+", text):
        if not _NUMBER.fullmatch(match[0]):
            raise FormError(f"found {_short(match[0])}, expected a number", start + match.start())
        values.append(float(match[0]))
    if not values:
        raise FormError("found nothing, expected a number", start)
    return values


def _order(key: str, start: int) -> list[int]:
    order = []
    for match in re.finditer(r"\S+", key):
        if not _COUNT.fullmatch(match[0]) or int(match[0]) == 0:
            raise FormError(
                f"found {_short(match[0])} in an order, expected an argument's number, from 1", start + match.start()
            )
        order.append(int(match[0]) - 1)
    return order


def _short(text: str) -> str:
    text = " ".join(text.split())
    return f"'{text if len(text) <= 30 else text[:29] + '…'}'"
