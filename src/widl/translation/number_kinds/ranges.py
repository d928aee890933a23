"""Ranges and lists of amounts."""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import chain

from widl.translation.english_numbers import Wording, english_number, wordings
from widl.translation.number_kinds.amount_words import joined, range_wordings, vague_words
from widl.translation.number_kinds.amounts import unit_after
from widl.translation.number_kinds.kind import Kind, Reading, amount_group, kind
from widl.translation.number_kinds.shares import PERCENT, POINTS
from widl.translation.numerals import AMOUNT, NUMERAL, amount_of, exact_value

_END = rf"{PERCENT}|{POINTS}"
_LINKS: list[Wording] = [("to",), ("and",), ("-",)]
_PERCENT_LINKS: list[Wording] = [("to",), ("-",)]


@kind(
    rf"(?<!）)(?P<percent>百分之)?(?P<sign>-)?{amount_group('first')}(?P<mark>{_END})?(?P<link>[-~—至到]){{1,2}}",
    rf"(?P<again>百分之)?{amount_group('last')}(?P<end>{_END})?(?![月日号时点分年])",
)
def amount_range(match: re.Match[str]) -> Reading | None:
    """10-20人, 5%-10%, 3~5万, 百分之五到十: a range, whose unit or scale counts for both ends."""
    first, last = match["first"], match["last"]
    ends = None if match["sign"] or match["link"] == "-" and max(len(first), len(last)) > 6 else _ends(first, last)
    is_percent_of_last_only = (match["mark"] or match["again"]) and not (match["end"] or match["percent"])
    if ends is None or is_percent_of_last_only:
        return None
    low, high = ends
    words: Wording = (*english_number(low), "to", *english_number(high))
    said = joined([*wordings(low), (first,)], _LINKS, [*wordings(high), (last,)])
    if match["percent"] or re.fullmatch(PERCENT, match["end"] or ""):
        with_signs = joined(wordings(low), [("%",)], _PERCENT_LINKS, wordings(high))
        return Reading(match.end(), [(*words, "percent")], said + with_signs)
    if match["end"]:
        return Reading(match.end(), [(*words, "percentage", "points")], said)
    end, units = unit_after(match.string, match.end(), is_one=False)
    return Reading(end, joined([words], units), said, is_closed=end > match.end())


def _ends(first: str, last: str) -> tuple[Decimal, Decimal] | None:
    """The values of both ends; a scale behind the last one counts for the first one as well: 3~5万."""
    if re.match("0[0-9]", first) or re.match("0[0-9]", last) or (first + last).count("点") == 1:
        return None
    scale = re.search(f"{NUMERAL}+$", last) if first.isascii() and last[0].isascii() else None
    low, high = amount_of(first + (scale[0] if scale else "")), amount_of(last)
    if low is None or high is None or not (low.is_exact and high.is_exact) or low.low >= high.low:
        return None
    return low.low, high.low


@kind(rf"(?P<one>{NUMERAL})、{amount_group('other')}")
def one_or_next(match: re.Match[str]) -> Reading | None:
    """三、四百, 三、四个: 300 to 400, three or four."""
    amount = amount_of(match["one"] + match["other"])
    end, units = unit_after(match.string, match.end(), is_one=False)
    is_pair = len(match["other"]) > 1 or end > match.end()
    if amount is None or amount.high is None or not is_pair or match.string.startswith("、", match.end()):
        return None
    english = [words for unit in units for words in vague_words(amount, unit)]
    return Reading(end, english, range_wordings(amount.low, amount.high), is_closed=end > match.end())


@kind(rf"(?P<items>{AMOUNT}(?:、{AMOUNT})+)")
def amount_list(match: re.Match[str]) -> Reading | None:
    """3、5、7: 3, 5 and 7."""
    items = match["items"].split("、")
    values = [exact_value(item) for item in items]
    if None in values or not all(item[0].isascii() for item in items):
        return None
    numbers = [
        (item,) if item.isascii() else english_number(value) for item, value in zip(items, values, strict=True) if value
    ]
    english = [_in_a_row(numbers, ","), _in_a_row(numbers, "and")]
    return Reading(match.end(), english, english, is_certain=False, is_closed=False)


def _in_a_row(numbers: Sequence[Wording], joint: str) -> Wording:
    """The numbers with commas between them, the last one behind `joint`."""
    *before, last = numbers
    with_commas = chain.from_iterable((*words, ",") for words in before)
    return (*list(with_commas)[:-1], joint, *last)


KINDS: tuple[Kind, ...] = (amount_range, one_or_next, amount_list)
