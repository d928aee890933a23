"""Times of day."""

import random

from tests.reference.chinese_numbers.chinese import plain_numerals
from tests.reference.chinese_numbers.english import joined, spelled
from tests.reference.chinese_numbers.written import Writer, Written

PARTS = {"上午": range(5, 12), "凌晨": range(1, 6), "早上": range(5, 11), "下午": range(1, 7), "晚上": range(6, 12)}
AFTER_NOON = ("下午", "晚上")


def time_of_day(draw: random.Random) -> Written:
    minute = draw.choice((0, 5, 8, 11, 20, 30, 45, 59, draw.randint(0, 59)))
    part = draw.choice((*PARTS, "", "", ""))
    hour = draw.choice([*PARTS[part]]) if part else draw.randint(1, 23)
    sign = draw.choice("时点") if part or minute else "时"
    ways = [part + (_in_numerals if draw.random() < 0.4 else _in_digits)(hour, sign, minute, draw)]
    if minute == 30:
        ways.append(f"{part}{hour}点半")
    if part:
        ways.append(f"{part}{hour}:{minute:02}")
    return Written.of("time", draw.choice(ways), clock_forms(hour + 12 if part in AFTER_NOON else hour, minute))


def _in_numerals(hour: int, sign: str, minute: int, draw: random.Random) -> str:
    hour_text = "两" if hour == 2 else plain_numerals(hour)
    zero = "零" if minute < 10 and draw.random() < 0.5 else ""
    return f"{hour_text}{sign}" + (f"{zero}{plain_numerals(minute)}分" if minute else "")


def _in_digits(hour: int, sign: str, minute: int, draw: random.Random) -> str:
    return f"{hour}{sign}" + (draw.choice((f"{minute}分", f"{minute:02}分")) if minute else "")


def clock_forms(hour: int, minute: int) -> set[str]:
    """All ways to say a time; `hour` of 24."""
    twelve, half = (hour - 1) % 12 + 1, "p.m." if hour >= 12 else "a.m."
    halves = (f" {half}", f" {half.replace('.', '')}")
    forms = joined({str(hour), f"{hour:02}"}, (f":{minute:02}",), ("", " o'clock"))
    forms |= joined((f"{twelve}:{minute:02}",), halves)
    if not minute:
        forms |= joined({str(twelve), *spelled(twelve)}, halves)
        forms |= joined({str(twelve), str(hour), *spelled(twelve), *spelled(hour)}, (" o'clock",))
    return forms


def time_before_hour(draw: random.Random) -> Written:
    """差五分三点, 三点差五分."""
    hour, minute = draw.randint(2, 12), draw.choice((1, 2, 5, 8, 10, 15, 20))
    hour_text = draw.choice((str(hour), "两" if hour == 2 else plain_numerals(hour)))
    before = draw.choice((f"{minute}分", f"{plain_numerals(minute)}分"))
    notation = draw.choice((f"差{before}{hour_text}点", f"{hour_text}点差{before}"))
    return Written.of("time before the hour", notation, clock_forms(hour - 1, 60 - minute))


def years_and_months(draw: random.Random) -> Written:
    """三年零六个月, 3年6个月."""
    years, months = draw.randint(2, 20), draw.randint(1, 11)
    write = draw.choice((str, plain_numerals))
    notation = f"{write(years)}年{draw.choice(('零', ''))}{write(months)}个月".replace("零二个", "零两个")
    one, other = ({str(value), *spelled(value)} for value in (years, months))
    unit = "month" if months == 1 else "months"
    return Written.of("years and months", notation, joined(one, (" years and ", " years "), other, (f" {unit}",)))


def days(draw: random.Random) -> Written:
    value = draw.randint(2, 29)
    number = draw.choice((str(value), plain_numerals(value)))
    notation = draw.choice((f"{number}日后", f"{number}日之内", f"拘留{number}日", f"为期{number}日"))
    return Written.of("span of days", notation, joined({str(value), *spelled(value)}, (" days",)))


def years_or_next(draw: random.Random) -> Written:
    first = draw.randint(1, 8)
    start = {1: "一两", 2: "两三"}.get(first) or f"{plain_numerals(first)}{plain_numerals(first + 1)}"
    one, other = ({str(value), *spelled(value)} for value in (first, first + 1))
    forms = joined(one, (" or ", " to "), other, (" years",))
    return Written.of("years or next", f"{start}年{draw.choice(('内', '来', '以来'))}", forms)


def seconds(draw: random.Random) -> Written:
    hour, minute, second = draw.randint(1, 23), draw.randint(0, 59), draw.randint(0, 59)
    return Written.of("time of seconds", f"{hour}时{minute:02}分{second:02}秒", [f"{hour}:{minute:02}:{second:02}"])


WRITERS: tuple[Writer, ...] = (
    *(time_of_day, time_of_day, time_before_hour, years_and_months, days, years_or_next, seconds),
)
