"""Scores, and digits that are copied."""

import random

from tests.reference.chinese_numbers.chinese import plain_numerals
from tests.reference.chinese_numbers.english import joined, spelled
from tests.reference.chinese_numbers.written import Writer, Written


def code(draw: random.Random) -> Written:
    telephone = f"0{draw.randint(10, 99)}-{draw.randint(10**7, 10**8 - 1)}"
    mobile = f"1{draw.randint(3 * 10**9, 10**10 - 1)}"
    iso = f"{draw.randint(1990, 2030)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
    notation = draw.choice((telephone, mobile, iso, f"400-{draw.randint(100, 999)}-{draw.randint(1000, 9999)}"))
    return Written.of("code", notation, [notation])


def card(draw: random.Random) -> Written:
    """Groups of digits stay in their order."""
    notation = " ".join(f"{draw.randint(0, 9999):04}" for _ in range(draw.randint(3, 5)))
    return Written.of("card", notation, [notation])


def score(draw: random.Random) -> Written:
    one, other = draw.randint(0, 30), draw.randint(0, 30)
    in_numerals = f"{plain_numerals(one)}比{plain_numerals(other)}"
    notation = draw.choice((f"{one}比{other}", f"{one}:{other}", in_numerals, f"{one}：{other}"))
    links = ("-", " to ", ":", " - ", " : ")
    return Written.of("score", notation, joined({str(one), *spelled(one)}, links, {str(other), *spelled(other)}))


def label(draw: random.Random) -> Written:
    """二号嫌疑人: not the second day of a month."""
    value = draw.randint(1, 19)
    named = draw.choice(("嫌疑人", "文件", "线", "公路", "楼"))
    number = draw.choice((str(value), plain_numerals(value)))
    notation = f"{number}号{named}"
    return Written.of("label", notation, joined(("no. ", "number "), [str(value)]))


WRITERS: tuple[Writer, ...] = (code, card, score, label)
