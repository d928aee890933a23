"""Amounts as Chinese text writes them: digits, numerals, digits with numerals behind them, and words for vagueness."""

import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from widl.translation.measure_words import COUNTED

DIGITS = {"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_MULTIPLIERS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"兆": 10**12, "亿": 10**8, "万": 10**4}
_FROM_BANKERS = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千")

MOST = 10**18
"""The largest amount; larger ones are no amounts of a text, and stay as they are."""
_LONGEST = 60  # signs of an amount

NUMERALS = "〇零一二两三四五六七八九十百千万亿兆廿卅"
NUMERAL = f"[{NUMERALS}]"
"""A pattern of a single Chinese numeral."""
NUMBER_SIGN = f"[0-9{NUMERALS}]"
"""A pattern of a digit or numeral."""
DIGIT = "[〇零一二三四五六七八九]"
"""A pattern of a numeral that may stand for a digit."""
DIGITAL = r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?:\.[0-9]+)?"
"""A pattern of a number in digits."""
POWER = "(?:[十百千]?[万亿]|[百千])"
"""A pattern of a power of ten from a hundred on."""
KILO = "(?:千[克米瓦卡伏赫焦帕]|百帕|兆[瓦赫焦帕伏欧字比])"
"""A pattern of units that begin with a numeral: 5千克, 66万千瓦, 30兆瓦."""
_ONE_SIGN = "〇零一二三四五六七八九十万亿廿卅"  # neither 千, 兆, 两 nor 百, which begin units and 百分点
_SIGN = rf"(?:(?!{KILO})[千兆]|(?<![0-9万亿])千|两(?=[百千万亿])|(?<!{NUMBER_SIGN})两|百(?!分点|帕)|[{_ONE_SIGN}])"
_POINT = f"点(?:[0-9]|{DIGIT})+"
BANKERS = "壹贰叁肆伍陆柒捌玖"
"""Digits of banks."""
BANKERS_SIGN = f"[{BANKERS}拾佰仟万亿零]"
"""A pattern of a sign behind the first in an amount of banks."""
# 来 also means to come, so that only a numeral, or what is counted, may follow.
_VAGUE = f"(?:[多余](?![数半久样少])|几(?!乎)|来(?={NUMERAL}|{COUNTED}))"
AMOUNT = (
    rf"(?>[几数](?={NUMERAL})|上(?=[百千万亿]))?(?>[{BANKERS}]{BANKERS_SIGN}+|"
    rf"(?:{DIGITAL}|{_SIGN}+)(?:{_POINT})?(?:{DIGITAL}|{_SIGN}+)*(?:{_VAGUE}{_SIGN}*)?)"
)
"""A pattern of all signs of an amount, well-formed or not: there is no shorter match."""

Vagueness = Literal["", "more", "about", "several"]


@dataclass(frozen=True)
class Amount:
    """An amount: `low` alone, or a range from `low` to `high` for 七八百 (700 to 800).

    vague: ``more`` than it, ``about`` it, or ``several`` times it, which is then a power of ten.
    """

    low: Decimal
    high: Decimal | None = None
    vague: Vagueness = ""

    @property
    def is_exact(self) -> bool:
        """Whether it is a single value, neither vague nor a range."""
        return self.high is None and not self.vague


def amount_of(text: str) -> Amount | None:
    """The amount that a whole text writes; None if it is not well-formed, or can be read in two ways.

    >>> amount_of("1亿3千多万")
    Amount(low=Decimal('130000000'), high=None, vague='more')
    >>> amount_of("七八百")
    Amount(low=Decimal('700'), high=Decimal('800'), vague='')
    >>> amount_of("几十万")
    Amount(low=Decimal('100000'), high=None, vague='several')
    >>> amount_of("1亿3千"), amount_of("三六")
    (None, None)
    """
    if len(text) > _LONGEST:
        return None
    text = text.translate(_FROM_BANKERS)
    if text[0] in "几数上":
        value = exact_value(f"一{text[1:]}") if re.fullmatch("[十百千万亿]+", text[1:]) else None
        return None if value is None else Amount(value, vague="several")
    if marker := re.search("[多余来几]", text):
        return _vague(text[: marker.start()], marker[0], text[marker.end() :])
    value = exact_value(text)
    if value is not None:
        return Amount(value) if value <= MOST else None
    return _one_or_next(text)


def _vague(before: str, marker: str, after: str) -> Amount | None:
    """三千多万, 十几, 200余: the sign of vagueness stands behind a power of ten, or behind digits from ten on."""
    if re.fullmatch("[十百千万亿]", before):
        before = f"一{before}"
    last_digits = re.search(r"[0-9][0-9,.]*$", before)
    if last_digits is None:
        is_round = before[-1:] in tuple("十百千万亿")
    else:
        is_round = re.fullmatch("[0-9][0-9,]*0", last_digits[0]) is not None
    if not is_round or (marker == "几" and before[-1] not in "十0") or (after and after[0] not in "百千万亿"):
        return None
    whole = exact_value(before + after)
    if whole is None or whole < 10 or whole > MOST:
        return None
    return Amount(whole, vague="about" if marker == "来" else "more")


def _one_or_next(text: str) -> Amount | None:
    """Two numerals for one or the next number: 七八百, 十五六, 一百二三十; of digits there are none. 三五 is 3 to 5."""
    if text == "三五":
        return Amount(Decimal(3), Decimal(5))
    for at, (one, other) in enumerate(pairwise(text)):
        if one in DIGITS and other in DIGITS and DIGITS[other] - DIGITS[one] == 1 and DIGITS[one]:
            low, high = (exact_value(text[:at] + digit + text[at + 2 :]) for digit in (one, other))
            is_whole = not re.search(f"{NUMERAL}[{''.join(DIGITS)}]", text[at + 1 :])
            if low is None or high is None or not low < high <= MOST or not is_whole:
                return None
            return Amount(low, high)
    return None


def exact_value(text: str) -> Decimal | None:
    """The value of digits and numerals; None if they are not well-formed, or can be read in two ways.

    >>> [int(exact_value(text)) for text in ("35", "三百零五", "三百五", "十二", "一亿二千万", "1,205")]
    [35, 305, 350, 12, 120000000, 1205]
    >>> [int(exact_value(text)) for text in ("3.5万", "1万2千", "3千5百万", "二点三亿", "3点5万", "1.2万亿")]
    [35000, 12000, 35000000, 230000000, 35000, 1200000000000]
    >>> exact_value("1亿3千"), exact_value("3点5")
    (None, None)
    """
    text = text.translate(_FROM_BANKERS).replace("廿", "二十").replace("卅", "三十")
    if not 0 < len(text) <= _LONGEST or not re.fullmatch(rf"(?:[0-9.,点]|{NUMERAL})+", text):
        return None
    whole, point, rest = text.partition("点")
    if not point:
        return _in_myriads(text)
    decimals = re.match(f"(?:[0-9]|{DIGIT})+", rest)
    scale = rest[decimals.end() :] if decimals else ""
    value = _section(whole)
    if decimals is None or value is None or not re.fullmatch("(?:[百千]?[万亿]|万亿)?", scale):
        return None
    # Without a scale, digits on both sides of 点 may be a time of day.
    if not scale and (whole[0].isascii() or decimals[0].isascii()):
        return None
    digits = "".join(str(DIGITS.get(sign, sign)) for sign in decimals[0])
    factor = exact_value(f"一{scale}") if scale else Decimal(1)
    return None if factor is None or "." in whole else Decimal(f"{value}.{digits}") * factor


def _in_myriads(text: str) -> Decimal | None:
    """The value of sections with 兆, 亿 and 万 behind them."""
    for sign, unit in _MYRIADS.items():
        high, found, low = text.rpartition(sign)
        if not found:
            continue
        above = _in_myriads(high) if high else None
        below = _below(low, unit, high[-1:].isascii())
        # Digits have no largest section: 12,345万.
        most = 10**8 if sign == "亿" or high.replace(",", "").replace(".", "").isdecimal() else 10**4
        if above is None or below is None or sign in high or above >= most:
            return None
        return above * unit + below
    return _section(text)


def _below(low: str, unit: int, behind_digits: bool) -> Decimal | None:
    """The value of the numerals after 兆, 亿 or 万; None if it may count another unit than it says.

    A final numeral counts the next smaller unit, which is omitted: 三万五 is 35,000. 1亿3千 is perhaps 130 million.
    """
    if not low:
        return Decimal(0)
    if low in DIGITS or (behind_digits and re.fullmatch("[1-9]", low)):  # 1万2
        digit = DIGITS[low] if low in DIGITS else int(low)
        return Decimal(digit * unit // 10) if digit else None
    rest = low.lstrip("零〇")
    value = _in_myriads(rest) if rest else None
    if value is None or value >= unit:
        return None
    is_plain = rest == low
    if is_plain and unit > 10**4 and not re.search("[万亿]", low):
        return None
    return None if is_plain and low.isascii() and value < 10 else value


def _section(text: str) -> Decimal | None:
    """The value of digits, or of numerals below 万, or of digits with 千, 百 and 十: 3千5百."""
    if not text:
        return None
    if text[0].isascii():
        return _digits_with_units(text)
    return _numerals(text)


def _numerals(text: str) -> Decimal | None:
    """The value of numerals below 万: units decrease from left to right, each with its digit (only 十 may lack it).

    A final digit after 百 or 千 counts the next smaller unit, which is omitted: 三百五 is 350.
    """
    total, digit, last_multiplier, after_zero = 0, None, 10_000, False
    for at, sign in enumerate(text):
        if sign == "两" and (digit is not None or (at + 1 == len(text) > 1)):
            return None
        if sign in DIGITS:
            if digit:
                return None  # 三五: not one number
            after_zero = after_zero or (at > 0 and not DIGITS[sign])
            digit = DIGITS[sign]
        elif sign in _MULTIPLIERS:
            multiplier = _MULTIPLIERS[sign]
            if multiplier >= last_multiplier or (digit is None and (sign != "十" or total >= 1000)) or digit == 0:
                return None
            total, digit, last_multiplier = total + (digit or 1) * multiplier, None, multiplier
        else:
            return None
    if text[-2:-1] in ("百", "千") and not after_zero:
        digit = (digit or 0) * last_multiplier // 10
    if digit == 0 and len(text) > 1:
        return None  # 三百零
    return Decimal(total + (digit or 0))


_TERM = re.compile(f"({DIGITAL})([百千]?)")


def _digits_with_units(text: str) -> Decimal | None:
    """The sum of terms such as 2千 and 5百, each smaller than the unit of the one before it."""
    terms = [match.groups() for match in _TERM.finditer(text.replace("零", ""))]
    if "".join(digits + sign for digits, sign in terms) != text.replace("零", ""):
        return None
    total, least = Decimal(0), Decimal("Infinity")
    for number, (digits, sign) in enumerate(terms):
        multiplier = Decimal(_MULTIPLIERS.get(sign, 1))
        term = Decimal(digits.replace(",", "")) * multiplier
        is_large = sign and Decimal(digits.replace(",", "")) >= 10  # 200百
        if term >= least or is_large or (number and not sign and "零" not in text and term * 10 < least):
            return None  # 5百3千, 3千5
        total, least = total + term, multiplier
    return total


def positional_value(text: str) -> int | None:
    """The value of numerals that stand for one digit each: 一九九八, 二〇〇三.

    >>> positional_value("二〇〇三"), positional_value("二十")
    (2003, None)
    """
    digits = [DIGITS.get(sign) for sign in text.replace("○", "〇") if sign != "两"]
    return int("".join(map(str, digits))) if len(digits) == len(text) and None not in digits else None
