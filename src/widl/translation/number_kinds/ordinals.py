"""Ordinals, alone, in lists and in ranges."""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from widl.translation.chinese_numbers import DIGITAL, NUMERAL, amount_of, exact_value
from widl.translation.english_numbers import Wording, before_each, wordings
from widl.translation.english_numbers import ordinals as ordinal_wordings
from widl.translation.number_kinds.amount_words import joined
from widl.translation.number_kinds.kind import Kind, Reading, amount_group, kind

_ITEM = rf"(?:{DIGITAL}|{NUMERAL}+)"
_LINK = "[、至到~—-]"


def _ordinal(text: str, end: int, *, is_closed: bool) -> Reading | None:
    amount = amount_of(text)
    if amount is None or not amount.is_exact or amount.low != int(amount.low) or not amount.low:
        return None
    said = ordinal_wordings(amount.low)
    return Reading(end, before_each(("the", ""), said[:1]), [*said, *wordings(amount.low)], is_closed=is_closed)


@kind(rf"第{amount_group('number')}(?P<of>[个名位号])?")
def ordinal(match: re.Match[str]) -> Reading | None:
    """第三十四, 第3个: the 34th, the third; 第12号: No. 12."""
    if match["of"] == "号":
        return _number_of(match)
    return _ordinal(match["number"], match.end(), is_closed=match["of"] is not None)


def _number_of(match: re.Match[str]) -> Reading | None:
    value = exact_value(match["number"])
    if value is None or value != int(value) or not value:
        return None
    digits = (str(int(value)),)
    said = [*wordings(value), digits, *ordinal_wordings(value)]
    return Reading(match.end(), before_each(("No.", "number"), [digits]), said)


# 大 of a party's congress, not of a large thing: 十九大以来, 三大战役, 十大品牌.
_CONGRESS = (
    "(?:(?<=十[一二三四五六七八九])|(?<=二十)|(?<=1[2-9])|(?<=20))大"
    "(?:[以精报的召代提后前，。、）”》]|$)"
)


@kind(rf"{amount_group('number')}(?=周年|届|[大中]全会|{_CONGRESS})")
def ordinal_without_sign(match: re.Match[str]) -> Reading | None:
    """40周年, 十九大: the 40th, the 19th."""
    return _ordinal(match["number"], match.end(), is_closed=True)


@kind(r"(?P<number>十[一二三四五六七八九]|二十|1[2-9]|20)大(?=[于在将](?:[0-9召今明北本]|$))")
def congress(match: re.Match[str]) -> Reading | None:
    """十九大于10月召开: the 19th congress; not 大于, greater than."""
    said = ordinal_wordings(exact_value(match["number"]) or Decimal(0))
    return Reading(match.end(), [("the", *said[0], "Congress")], said)


@kind(rf"第(?P<items>{_ITEM}(?:{_LINK}第?{_ITEM})+)")
def ordinals(match: re.Match[str]) -> Reading | None:
    """第三、四: the third and fourth; 第3至5: the third to fifth."""
    joint = "and" if "、" in match["items"] else "to"
    values = [exact_value(item) for item in re.split(f"{_LINK}第?", match["items"])]
    numbers = [value for value in values if value is not None and 0 < value < 1000 and value == int(value)]
    if len(numbers) < len(values) or any(one >= other for one, other in pairwise(numbers)):
        return None
    if joint == "to" and len(numbers) > 2:
        return None
    words = _in_a_row(numbers, joint)
    said = [words] if len(numbers) > 2 else _pair_wordings(numbers[0], numbers[1], joint)
    if "-" in match["items"] and match["items"].isascii() and numbers[-1] >= 20:  # perhaps a code: 第20-51号
        said.append((match["items"],))
        return Reading(match.end(), said[-1:], said, is_closed=False)
    return Reading(match.end(), before_each(("the", ""), [words]), said, is_closed=False)


def _in_a_row(numbers: Sequence[Decimal], joint: str) -> Wording:
    words = ordinal_wordings(numbers[0])[0]
    for number in numbers[1:-1]:
        words = (*words, ",", *ordinal_wordings(number)[0])
    return (*words, joint, *ordinal_wordings(numbers[-1])[0])


def _pair_wordings(one: Decimal, other: Decimal, joint: str) -> list[Wording]:
    links: list[Wording] = [(link,) for link in dict.fromkeys((joint, "and", "to", "-"))]
    in_digits = [(f"{one}-{other}",), *joined(wordings(one), links, wordings(other))]  # articles 3 and 12
    return [*joined(ordinal_wordings(one), links, [(), ("the",)], ordinal_wordings(other)), *in_digits]


KINDS: tuple[Kind, ...] = (ordinal, ordinals, ordinal_without_sign, congress)
