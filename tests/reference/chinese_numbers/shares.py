"""Ordinals, fractions and percentages."""

import random

from tests.reference.chinese_numbers.chinese import (
    FULL_WIDTH,
    SIGNS,
    decimal_numerals,
    digits_or_numerals,
    plain_numerals,
)
from tests.reference.chinese_numbers.english import cardinals, decimal, joined, ordinal_forms, percents, ranges, spelled
from tests.reference.chinese_numbers.written import Writer, Written


def ordinal(draw: random.Random) -> Written:
    value = draw.randint(3, 150)
    notation = draw.choice(("第{}届", "第{}次", "第{}个", "{}周年")).format(digits_or_numerals(value, draw))
    return Written.of("ordinal", notation, ordinal_forms(value) | cardinals(value))


def fraction(draw: random.Random) -> Written:
    whole = draw.choice((2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 50))
    part = draw.randint(1, whole - 1)
    notation = draw.choice((f"{plain_numerals(whole)}分之{plain_numerals(part)}", f"{whole}分之{part}"))
    if whole <= 10 and draw.random() < 0.2:
        notation = f"{part}/{whole}"
    forms = {f"{part}/{whole}"} | joined(spelled(part), ("-", " "), _shares_of(whole, part))
    if part == 1:
        forms |= joined(("", "a "), _shares_of(whole, part))
    if part * 100 % whole == 0:
        forms |= percents(part * 100 // whole)
    return Written.of("fraction", notation, forms)


def _shares_of(whole: int, part: int) -> set[str]:
    if whole == 2:
        return {"half", "halves"}
    names = {form + "s" * (part > 1) for form in ordinal_forms(whole)}
    return names | ({"quarter", "quarters", "fourth", "fourths"} if whole == 4 else set())


def percent(draw: random.Random) -> Written:
    scale = draw.choice((1, 1, 10, 100))
    value = draw.randint(2, 99 * scale)
    text = decimal(value, scale)
    if draw.random() < 0.1:
        return _tenths(draw)
    if draw.random() < 0.2:
        forms = joined(cardinals(value, scale), (" percentage point", " percentage points"))
        return Written.of("points", f"{text}个百分点", forms)
    ways = [f"{text}%", f"{text}％".translate(FULL_WIDTH), f"{text} %", f"百分之{text}"]
    ways.append(f"百分之{decimal_numerals(text)}")
    if scale == 1 and value % 10 == 0 and value < 100:
        ways.append(f"{SIGNS[value // 10] if value != 20 else '两'}成")
    return Written.of("percent", draw.choice(ways), percents(value, scale))


def _tenths(draw: random.Random) -> Written:
    """三成五, 三成多, 三至五成."""
    first = draw.randint(1, 8)
    last, write = draw.randint(first + 1, 9), draw.choice((str, plain_numerals))
    ways = (
        (f"{plain_numerals(first)}成五", percents(first * 10 + 5)),
        (f"{write(first)}成多", joined(("more than ", "over "), percents(first * 10))),
        (f"{write(first)}{draw.choice('至到')}{write(last)}成", ranges(cardinals(first * 10), percents(last * 10))),
    )
    return Written.of("tenths", *draw.choice(ways))


def per_thousand(draw: random.Random) -> Written:
    part, whole = draw.randint(2, 9), draw.choice((1000, 10_000))
    notation = f"{'千' if whole == 1000 else '万'}分之{draw.choice((str(part), SIGNS[part]))}"
    if whole == 1000 and draw.random() < 0.3:
        notation = f"{part}‰"
    names = ("thousand", "1,000", "1000") if whole == 1000 else ("10,000", "10000", "ten thousand")
    forms = joined([str(part)], (" per ", " in ", " out of "), names)
    return Written.of("per thousand", notation, forms | percents(part, whole // 100))


def discount(draw: random.Random) -> Written:
    """八五折: what is paid is 85 percent."""
    tens, ones = draw.randint(1, 9), draw.choice((0, 0, 5, 8))
    digits = f"{tens}{ones or ''}"
    ways = [digits, "".join(SIGNS[int(digit)] for digit in digits)] + ([f"{tens}.{ones}"] if ones else [])
    if ones - tens in (1, 2):
        ways = [digits]
    off = joined(cardinals(100 - tens * 10 - ones), (" percent off", " percent discount", "% off"))
    return Written.of("discount", f"{draw.choice(ways)}折", off)


WRITERS: tuple[Writer, ...] = (ordinal, fraction, percent, per_thousand, discount)
