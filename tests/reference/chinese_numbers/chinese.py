"""Every notation of a number in Chinese."""

import random
import re
from collections.abc import Iterator

from tests.reference.chinese_numbers.english import decimal

SIGNS = "零一二三四五六七八九"
BANKERS = "零壹贰叁肆伍陆柒捌玖"
FULL_WIDTH = str.maketrans("0123456789.,%:", "０１２３４５６７８９．，％：")
POWERS = ("", "十", "百", "千", "万", "十万", "百万", "千万", "亿", "十亿", "百亿", "千亿", "万亿")
SCALES = ((10**4, "万"), (10**8, "亿"), (10**12, "万亿"))


def numerals(value: int, draw: random.Random, *, signs: str = SIGNS, units: str = "十百千", liang: bool = True) -> str:
    """A whole number below 10¹⁶ in numerals."""
    text, pending_zero = "", False
    for exponent, name in ((12, "万亿"), (8, "亿"), (4, "万"), (0, "")):
        group = value // 10**exponent % 10**4
        if exponent == 12 and group:
            name = "万亿" if not value // 10**8 % 10**4 else "万"
        if not group:
            pending_zero = bool(text)
            continue
        if text and (pending_zero or group < 1000):
            text += signs[0]
        text += group_numerals(group, signs, units) + name
        pending_zero = False
    text = text or signs[0]
    if text.startswith(f"{signs[1]}{units[0]}") and signs == SIGNS:
        text = text[1:]
    if liang and signs == SIGNS and draw.random() < 0.5:
        text = re.sub("^二(?=[百千万亿])", "两", text)
    return text


def group_numerals(value: int, signs: str = SIGNS, units: str = "十百千") -> str:
    """A whole number below 10,000 in numerals, 十 always with its digit."""
    text, zero = "", False
    for exponent in (3, 2, 1, 0):
        digit = value // 10**exponent % 10
        if not digit:
            zero = bool(text)
            continue
        text += (signs[0] if zero else "") + signs[digit] + (units[exponent - 1] if exponent else "")
        zero = False
    return text


def plain_numerals(value: int) -> str:
    """A whole number in numerals, without 两."""
    return numerals(value, random.Random(0), liang=False)


def digits_or_numerals(value: int, draw: random.Random) -> str:
    return draw.choice((str(value), plain_numerals(value)))


def decimal_numerals(text: str) -> str:
    """A decimal in numerals: 三点一四."""
    whole, _, rest = text.replace(",", "").partition(".")
    return plain_numerals(int(whole)) + (f"点{by_digit(rest)}" if rest else "")


def by_digit(digits: str) -> str:
    """A numeral for each digit."""
    return "".join(SIGNS[int(digit)] for digit in digits)


def a_value(draw: random.Random, most: int = 12) -> int:
    """A whole number from 2, of up to `most` digits; often with few digits that are not 0."""
    exponent = draw.randint(0, most - 1)
    digits = draw.choice((1, 1, 2, 2, 3, 4, 7))
    value = draw.randint(1, 10 ** min(digits, exponent + 1) - 1) * 10 ** max(0, exponent + 1 - digits)
    return max(2, value)


def amount(value: int, draw: random.Random) -> str:
    """A whole number in any notation that tells it without doubt."""
    plain = [str(value), f"{value:,}"]
    ways = [*plain, *(text.translate(FULL_WIDTH) for text in plain), numerals(value, draw)]
    return draw.choice([*ways, *_scaled(value), *_mixed(value), *_with_units(value), *_unusual(value, draw)])


def _scaled(value: int) -> Iterator[str]:
    """Digits with a scale behind them: 3.5万."""
    for unit, sign in SCALES:
        if value * 10 >= unit and value * 1000 % unit == 0:
            share = decimal(value, unit)
            yield from (f"{share}{sign}", f"{share} {sign}", f"{share.replace(',', '')}{sign}")
            yield f"{share}{sign}".translate(FULL_WIDTH)
            if "." in share and value // unit < 10**4:
                yield f"{decimal_numerals(share)}{sign}"


def _mixed(value: int) -> Iterator[str]:
    """Two scales: 3亿5000万, 3亿5千万, 三亿五千万, 12万3456."""
    high, below = divmod(value, 10**8)
    if 0 < high < 10**4 and value % 10**4 == 0 and below >= 10**7:
        yield f"{high}亿{below // 10**4}万"
        if below % 10**7 == 0:
            yield f"{high}亿{below // 10**7}千万"
            yield f"{plain_numerals(high)}亿{SIGNS[below // 10**7]}千万"
    high, below = divmod(value, 10**4)
    if 0 < high < 10**4 and below >= 1000:
        yield f"{high}万{below}"
        if below % 1000 == 0:
            yield f"{high}万{below // 1000}千"
            yield f"{plain_numerals(high)}万{SIGNS[below // 1000]}"


def _with_units(value: int) -> Iterator[str]:
    """Digits before 千 and 百: 3千5百, 35百万."""
    if 1000 <= value < 10**4 and value % 100 == 0:
        hundreds = value // 100 % 10
        yield f"{value // 1000}千" + (f"{hundreds}百" if hundreds else "")
    if 10**6 <= value < 10**8 and value % 10**6 == 0:
        yield f"{value // 10**6}百万"


def _unusual(value: int, draw: random.Random) -> Iterator[str]:
    """Digits of banks, omitted units (三百五) and 廿, 卅."""
    if 1000 <= value < 10**8 and value % 100 == 0:
        yield numerals(value, draw, signs=BANKERS, units="拾佰仟")
    if 100 < value < 1000 and value % 10 == 0 and value // 10 % 10:
        yield f"{SIGNS[value // 100]}百{SIGNS[value // 10 % 10]}"
    if 20 < value < 40 and value % 10:
        yield "廿卅"[value // 10 - 2] + SIGNS[value % 10]


def year_text(year: int, draw: random.Random) -> str:
    """A year in digits or with a numeral for each digit."""
    positional = by_digit(str(year))
    zeros = [positional.replace("零", zero) for zero in "零〇○"]
    return draw.choice([str(year), str(year).translate(FULL_WIDTH), *zeros])
