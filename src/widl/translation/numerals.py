"""Values of digits and Chinese numerals, and numbers as English text has them."""

import re
from collections.abc import Callable
from decimal import Decimal

DIGITS = {"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_TENS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8, "万亿": 10**12}
LONGEST = 60
"""Maximum number of signs of a number; longer ones, and numbers above `MOST`, are not amounts and stay unchanged."""
MOST = 10**18
# Not from the calendar module, whose names depend on the locale.
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)

HAN_NUMERAL = "[〇零一二两三四五六七八九十百千万亿]"
DIGITAL = r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?"
"""Patterns of a numeral and of digits."""
SCALE = "(?:[十百千]?(?:万亿|[万亿])|[百千](?![克米瓦卡伏赫焦帕吨分]))"
TERMS = f"{DIGITAL}{SCALE}(?:零?[0-9]+{SCALE})*"
MIXED = f"{TERMS}(?:零?[0-9]{{2,4}}(?![0-9年月日号时.,]))?(?!(?!千[克米瓦])[多余几来]?[十百千万亿])"
"""Patterns of a numeral behind digits, of digits with several, and of such a whole number: 3.5万, 1万2千, 3千5百万."""
_TERM = re.compile(f"({DIGITAL})([十百千]?)")


def chinese_number(text: str) -> Decimal | None:
    """The value of digits, Chinese numerals, or `MIXED` text; None if they are not a well-formed number.

    >>> [int(chinese_number(text)) for text in ("35", "三百零五", "三百五", "十二", "一亿二千万")]
    [35, 305, 350, 12, 120000000]
    >>> [int(chinese_number(text)) for text in ("3.5万", "1万2千", "2亿5千万", "3千5百万", "1亿2000万")]
    [35000, 12000, 250000000, 35000000, 120000000]
    """
    if len(text) > LONGEST:
        return None
    if text[0] in "0123456789":
        return _in_myriads(text.replace("零", ""), _digits_with_numerals)
    whole, _, fraction = text.partition("点")
    value = _in_myriads(whole, _numerals)
    return value if value is None or not fraction else Decimal(f"{value}.{''.join(str(DIGITS[s]) for s in fraction)}")


def _in_myriads(text: str, below_myriad: Callable[[str], Decimal | None]) -> Decimal | None:
    """The value of groups with 万, 亿 and 万亿 between them, each smaller than the unit before it.

    A final numeral counts the next smaller unit, which is omitted: 三万五 is 35,000. Digits: 1亿3千 is perhaps 130
    million, so it is no number.
    """
    for name in ("万亿", "亿", "万"):
        high, unit_sign, low = text.rpartition(name) if name != "万" else text.partition(name)
        if unit_sign:
            above = _in_myriads(high, below_myriad) if high else None
            below = _in_myriads(low, below_myriad) if low else Decimal(0)
            if above is None or below is None or below >= _MYRIADS[name]:
                return None
            if low in DIGITS:
                below *= _MYRIADS[name] // 10
            if below and name != "万" and low[0].isascii() and not any(sign in low for sign in "万亿"):
                return None
            return above * _MYRIADS[name] + below
    return below_myriad(text)


def _numerals(text: str) -> Decimal | None:
    """The value of numerals below 万: units decrease from left to right, each with its digit (only 十 may lack it).

    A final digit after a unit above ten counts the next smaller unit, which is omitted: 三百五 is 350.
    """
    total, digit, last_unit = 0, None, 10_000
    for sign in text:
        if sign in DIGITS:
            if digit:
                return None  # 三五: not one number
            digit = DIGITS[sign]
        else:
            unit = _TENS[sign]
            if unit >= last_unit or (digit is None and (sign != "十" or total)) or digit == 0:
                return None
            total, digit, last_unit = total + (digit or 1) * unit, None, unit
    if text[-2:-1] in ("百", "千"):
        digit = (digit or 0) * last_unit // 10
    return Decimal(total + (digit or 0))


def _digits_with_numerals(text: str) -> Decimal | None:
    """The sum of terms such as 2千 and 5百, each smaller than the unit of the one before it."""
    total, least = Decimal(0), Decimal("Infinity")
    for digits, sign in _TERM.findall(text):
        unit = Decimal(_TENS.get(sign, 1))
        term = Decimal(digits.replace(",", "")) * unit
        if term >= least:
            return None  # 5百3千: not one number
        total, least = total + term, unit
    return total


def english_number(value: Decimal) -> list[str]:
    """A number as English text has it: ``35,000``, but ``3.5 million``.

    >>> english_number(Decimal(35_000)), english_number(Decimal(3_500_000))
    (['35,000'], ['3.5', 'million'])
    """
    for scale, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if value >= scale and (value * 1000) % scale == 0:
            return [with_commas(value / scale), name]
    return [with_commas(value)]


def with_commas(value: Decimal) -> str:
    """A number in digits, a comma between each three."""
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
