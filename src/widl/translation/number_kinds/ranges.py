"""Ranges and lists of amounts."""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import chain

from widl.translation.chinese_numbers import AMOUNT, NUMERAL, Amount, amount_of, exact_value
from widl.translation.english_numbers import Wording, english_number, wordings
from widl.translation.number_kinds.amount_words import joined, range_wordings, vague_words
from widl.translation.number_kinds.amounts import unit_after
from widl.translation.number_kinds.kind import Kind, Reading, amount_group, kind
from widl.translation.number_kinds.shares import PERCENT, POINTS, TENTHS

_FIRST_SHORT_YEAR = 60  # 96至98年 are years, 3至5年 a span
# Units of other kinds; in 零下5至10度 both ends are below zero.
_OTHERS = "[月日号时点分度℃°]|年代|世纪|[摄华]氏"
_END = rf"{PERCENT}|{POINTS}|{TENTHS}"
_LINKS: list[Wording] = [("to",), ("and",), ("-",)]
_PERCENT_LINKS: list[Wording] = [("to",), ("-",)]


@kind(
    rf"(?<!）)(?P<percent>百分之)?(?P<sign>-)?{amount_group('first')}(?P<mark>{_END})?(?P<link>[-~—至到]){{1,2}}",
    rf"(?P<again>百分之)?{amount_group('last')}(?P<end>{_END})?(?!{_OTHERS})",
)
def amount_range(match: re.Match[str]) -> Reading | None:
    """10-20人, 5%-10%, 3~5万, 百分之五到十: a range, whose unit or scale counts for both ends."""
    first, last = match["first"], match["last"]
    ends = None if match["sign"] or match["link"] == "-" and max(len(first), len(last)) > 6 else _ends(first, last)
    is_percent_of_last_only = (match["mark"] or match["again"]) and not (match["end"] or match["percent"])
    is_of_two_kinds = match["mark"] and match["end"] and (match["mark"][-1] == "点") != (match["end"][-1] == "点")
    if ends is None or is_percent_of_last_only or is_of_two_kinds:  # 上调0.1个百分点至3.2%
        return None
    low, high = ends
    if match.string.startswith("年", match.end()) and high >= _FIRST_SHORT_YEAR:
        return None
    if match["end"] == "成":
        return _range_of_tenths(match.end(), low, high)
    words: Wording = (*english_number(low), "to", *english_number(high))
    said = joined([*wordings(low), (first,)], _LINKS, [*wordings(high), (last,)])
    if match["percent"] or re.fullmatch(PERCENT, match["end"] or ""):
        with_signs = joined(wordings(low), [("%",)], _PERCENT_LINKS, wordings(high))
        return Reading(match.end(), [(*words, "percent")], said + with_signs)
    if match["end"]:
        return Reading(match.end(), [(*words, "percentage", "points")], said)
    end, units = unit_after(match.string, match.end(), is_one=False)
    english = joined([words], units)
    if end == match.end() and (first + last).isdecimal() and (first + last).isascii():
        # Perhaps years or pages, which have no commas.
        english = [(first, "to", last)]
        if match["link"] not in "至到":
            english.insert(0, (match[0],))
            said.append((match[0],))
    return Reading(end, english, said, is_closed=end > match.end())


def _range_of_tenths(end: int, low: Decimal, high: Decimal) -> Reading | None:
    """三到五成: 30 to 50 percent."""
    if high >= 10:
        return None
    amount = Amount(low * 10, high * 10)
    said = [words for unit in ((), ("percent",)) for words in range_wordings(amount.low, high * 10, unit)]
    return Reading(end, vague_words(amount, ("percent",)), said)


def _ends(first: str, last: str) -> tuple[Decimal, Decimal] | None:
    """The values of both ends; a scale behind the last one counts for the first one as well: 3~5万."""
    if re.match("0[0-9]", first) or re.match("0[0-9]", last) or (first + last).count("点") == 1:
        return None
    scale = _shared_scale(first, last)
    low, plain_low, high = amount_of(first + scale), amount_of(first), amount_of(last)
    if low is None or plain_low is None or high is None or not (low.is_exact and high.is_exact):
        return None
    if low.low < high.low:
        is_unclear = not scale and low.low < 100 and high.low >= 1000 and not last.isdecimal()
        return None if is_unclear else (low.low, high.low)
    return (plain_low.low, high.low) if 100 <= plain_low.low < high.low else None  # 500到1万; 5到1万 is unclear


_ONE_SIGN = re.compile(r"[0-9.,]+|[一二两三四五六七八九]")
_ONE_SIGN_AND_SCALE = re.compile(r"(?:[0-9.,]+|[一二两三四五六七八九])([百千]?[万亿]+|[百千])")


def _shared_scale(first: str, last: str) -> str:
    """The scale behind the last number that counts for the first one: 万 of 十至二十万, 千 of 五到六千."""
    if re.search("[万亿]", first):
        return ""
    if _ONE_SIGN.fullmatch(first) and (match := _ONE_SIGN_AND_SCALE.fullmatch(last)):
        return match[1]
    scale = re.search("[万亿]+$", last)
    return scale[0] if scale else ""


_SPANS = {"年": "years", "个月": "months", "日": "days", "元": "yuan", "人": "people", "倍": "times"}


@kind(
    rf"{amount_group('first')}(?P<unit>{'|'.join(_SPANS)})以上(?:至|，)?{amount_group('last')}(?P=unit)以下",
)
def from_and_up_to(match: re.Match[str]) -> Reading | None:
    """三年以上七年以下: three to seven years."""
    low, high = amount_of(match["first"]), amount_of(match["last"])
    if low is None or high is None or not (low.is_exact and high.is_exact) or low.low >= high.low:
        return None
    unit = (_SPANS[match["unit"]],)
    words = vague_words(Amount(low.low, high.low), unit)
    said = joined(wordings(low.low), [(), unit], _LINKS, wordings(high.low))
    return Reading(match.end(), words, said)


_FROM_DIGITS = str.maketrans("123456789", "一二三四五六七八九")


@kind(rf"(?P<one>{NUMERAL}|(?<![0-9.])[1-8](?=、[2-9][十百千万亿]))、{amount_group('other')}")
def one_or_next(match: re.Match[str]) -> Reading | None:
    """三、四百, 三、四个: 300 to 400, three or four; 5、6千: 5,000 to 6,000."""
    amount = amount_of((match["one"] + match["other"]).translate(_FROM_DIGITS))
    end, units = unit_after(match.string, match.end(), is_one=False)
    is_pair = len(match["other"]) > 1 or end > match.end()
    if amount is None or amount.high is None or not is_pair or match.string.startswith("、", match.end()):
        return None
    english = [words for unit in units for words in vague_words(amount, unit)]
    # 位居二、三位 means the second and third.
    is_certain = amount.low >= 10
    said = range_wordings(amount.low, amount.high)
    return Reading(end, english, said, is_certain=is_certain, is_closed=end > match.end())


@kind(rf"(?P<items>{AMOUNT}(?:、{AMOUNT})+)")
def amount_list(match: re.Match[str]) -> Reading | None:
    """3、5、7: 3, 5 and 7."""
    items = match["items"].split("、")
    values = [exact_value(item) for item in items]
    if None in values or not all(item[0].isascii() for item in items) or _has_last_scale_only(items):
        return None
    numbers = [
        (item,) if item.isascii() else english_number(value) for item, value in zip(items, values, strict=True) if value
    ]
    english = [_in_a_row(numbers, ","), _in_a_row(numbers, "and")]
    return Reading(match.end(), english, english, is_certain=False, is_closed=False)


def _has_last_scale_only(items: Sequence[str]) -> bool:
    """Whether a scale may count for several numbers: 3、5万."""
    return not items[-1].isascii() and any(item.isascii() for item in items)


def _in_a_row(numbers: Sequence[Wording], joint: str) -> Wording:
    """The numbers with commas between them, the last one behind `joint`."""
    *before, last = numbers
    with_commas = chain.from_iterable((*words, ",") for words in before)
    return (*list(with_commas)[:-1], joint, *last)


KINDS: tuple[Kind, ...] = (amount_range, from_and_up_to, one_or_next, amount_list)
