"""Years, decades, centuries, and dates of three calendars."""

import random
from calendar import monthrange

from tests.reference.chinese_numbers.chinese import SIGNS, digits_or_numerals, plain_numerals, year_text
from tests.reference.chinese_numbers.english import (
    dates,
    joined,
    ordinal_forms,
    ranges,
    spelled,
)
from tests.reference.chinese_numbers.written import Writer, Written


def year(draw: random.Random) -> Written:
    value = draw.randint(1800, 2049)
    return Written.of("year", f"{year_text(value, draw)}年", [str(value)])


def year_in_two_numerals(draw: random.Random) -> Written:
    """九八年, 零九年; 七八年 may be seven or eight years."""
    value = draw.choice([*range(1950, 2000), *range(2001, 2010)])
    one, other = divmod(value % 100, 10)
    if other - one == 1 and value < 2000:
        other = 0
    start = draw.choice("零〇") if value > 2000 else SIGNS[one]
    return Written.of("short year", f"{start}{SIGNS[other] if other else '零'}年", [str(value - value % 10 + other)])


def generation(draw: random.Random) -> Written:
    year = draw.choice([*range(1950, 2011, 10), *range(1965, 2006, 10)])
    digits = f"{year % 100:02}"
    ways = (digits, "".join(draw.choice("零〇") if sign == "0" else SIGNS[int(sign)] for sign in digits))
    forms = {f"{start}{digits}s" for start in ("post-", "post ")} | {f"post-{year}s"}
    if draw.random() < 0.3 and year % 10 == 0 and year > 1959:
        before = f"{(year - 10) % 100:02}"
        notation = f"{before}{draw.choice(('后', ''))}{draw.choice('、/')}{digits}后"
        return Written.of("generations", notation, joined([f"post-{before}s and "], forms))
    return Written.of("generation", f"{draw.choice(ways)}后", forms)


def day_from_now(draw: random.Random) -> Written:
    months = {"上月": "last", "上个月": "last", "本月": "this", "下个月": "next"}
    month, day = draw.choice([*months]), draw.randint(1, 31)
    forms = joined(ordinal_forms(day), (f" of {months[month]} month",))
    return Written.of("day from now", f"{month}{draw.choice((str(day), plain_numerals(day)))}日", forms)


def roc_year(draw: random.Random) -> Written:
    value = draw.randint(1, 115)
    number = "元" if value == 1 and draw.random() < 0.5 else digits_or_numerals(value, draw)
    return Written.of("ROC year", f"民国{number}年", [str(value + 1911)])


def year_before_christ(draw: random.Random) -> Written:
    value = draw.randint(2, 999)
    return Written.of("year BC", f"公元前{value}年", [f"{value} {era}" for era in ("bc", "b.c.", "bce")])


def date(draw: random.Random) -> Written:
    year, month = draw.randint(1912, 2049), draw.randint(1, 12)
    day = draw.randint(1, monthrange(year, month)[1])
    blank = draw.choice(("", "", "", " "))
    one, other = (str(month), str(day)) if draw.random() < 0.6 else (plain_numerals(month), plain_numerals(day))
    before = [year_text(year, draw), "年"]
    shapes = {
        "ymd": ([*before, one, "月", other, draw.choice("日号")], dates(month, day, year)),
        "roc": ([f"民国{year - 1911}", "年", one, "月", other, "日"], dates(month, day, year)),
        "md": ([one, "月", other, draw.choice("日号")], dates(month, day)),
        "ym": ([*before, one, "月"], dates(month, None, year)),
        "m": ([one, draw.choice(("月份", "月"))], dates(month)),
        "d": ([f"{other}日"], {*ordinal_forms(day), str(day), *spelled(day)}),
    }
    shape = draw.choice([*shapes])
    parts, forms = shapes[shape]
    return Written.of(f"date {shape}", blank.join(parts), forms)


def months(draw: random.Random) -> Written:
    first = draw.randint(1, 11)
    write = draw.choice((str, plain_numerals))
    link, words = draw.choice((("、", ("and", "or")), ("至", ("to", "through", "or"))))
    forms = ranges(dates(first), dates(first + 1), words)
    return Written.of("months", f"{write(first)}{link}{write(first + 1)}月份", forms)


LINKS = (("、", ("and",)), ("至", ("to", "through")), ("-", ("to", "through")))


def days(draw: random.Random) -> Written:
    first = draw.randint(1, 30)
    link, words = draw.choice(LINKS)
    one, other = (joined(("", "the "), {*ordinal_forms(day), str(day)}) for day in (first, first + 1))
    return Written.of("days", f"{first}{link}{first + 1}日", ranges(one, other, words))


def days_of_month(draw: random.Random) -> Written:
    first, month = draw.randint(1, 28), draw.randint(1, 12)
    link, words = draw.choice(LINKS)
    ends = {*ordinal_forms(first + 1), str(first + 1), *dates(month, first + 1)}
    forms = ranges(dates(month, first), ends, words)
    return Written.of("days of a month", f"{month}月{first}{link}{first + 1}日", forms)


def lunar(draw: random.Random) -> Written:
    month, day = draw.randint(1, 12), draw.randint(1, 30)
    names = {1: "正", 12: draw.choice(("腊", "十二"))}
    day_text = plain_numerals(day)
    if day <= 10:
        day_text = f"初{day_text}"
    elif 20 < day < 30 and draw.random() < 0.5:
        day_text = f"廿{SIGNS[day % 10]}"
    forms = joined(ordinal_forms(day), (" day of the ",), ordinal_forms(month), (" lunar month",))
    month_text = names.get(month) or plain_numerals(month)
    return Written.of("lunar date", f"{draw.choice(('农历', '阴历'))}{month_text}月{day_text}", forms)


def decade(draw: random.Random) -> Written:
    if draw.random() < 0.2:
        value = draw.randint(180, 202) * 10
        return Written.of("decade", f"{value}年代", [f"{value}s"])
    tens = draw.randint(1, 9) * 10
    right = [f"{tens}s", f"'{tens}s", *([f"19{tens}s"] if tens >= 30 else [])]
    return Written.of("decade", f"{digits_or_numerals(tens, draw)}年代", right)


def decade_of_century(draw: random.Random) -> Written:
    tens, century = draw.randint(1, 9) * 10, draw.randint(16, 21)
    ways = [(f"{digits_or_numerals(century, draw)}世纪", (century - 1) * 100), ("上世纪", 1900), ("本世纪", 2000)]
    (before, start), blank = draw.choice(ways), draw.choice(("", "", " "))
    notation = f"{before}{blank}{digits_or_numerals(tens, draw)}{blank}年代"
    return Written.of("decade of a century", notation, [f"{start + tens}s"])


def decades(draw: random.Random) -> Written:
    first = draw.randint(3, 8)
    in_numerals = f"{SIGNS[first : first + 2]}十年代"
    notation = draw.choice((in_numerals, f"{first}0、{first + 1}0年代", f"上世纪{in_numerals}"))
    one, other = ((f"19{n}0s", f"{n}0s", f"'{n}0s") for n in (first, first + 1))
    return Written.of("decades", notation, joined(one, (" and ", " or "), ("", "the "), other))


def century(draw: random.Random) -> Written:
    value = draw.randint(2, 30)
    notation, forms = f"{digits_or_numerals(value, draw)}世纪", joined(ordinal_forms(value), (" century",))
    if draw.random() < 0.2:
        return Written.of("century BC", f"公元前{notation}", joined(forms, (" bc", " b.c.", " bce")))
    return Written.of("century", notation + draw.choice(("", "", "初", "末")), forms)


def centuries(draw: random.Random) -> Written:
    first, write = draw.randint(2, 19), draw.choice((str, plain_numerals))
    last = first + draw.randint(1, 2)
    link, words = draw.choice((("、", ("and",)), ("至", ("to", "through")), ("到", ("to", "through")), ("-", ("to",))))
    one, other = (joined(("", "the "), ordinal_forms(value)) for value in (first, last))
    forms = joined(ranges(one, other, words), (" centuries",))
    return Written.of("centuries", f"{write(first)}{link}{write(last)}世纪", forms)


WRITERS: tuple[Writer, ...] = (
    *(year, year_in_two_numerals, generation, day_from_now),
    *(roc_year, year_before_christ, date, date, date, months, days, days_of_month),
    *(lunar, decade, decade_of_century, decades, century, centuries),
)
