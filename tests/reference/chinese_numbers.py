"""Writes numbers, dates and times from their values: every notation of Chinese news, with all right English forms.

The writer knows nothing of the rules that read numbers. Forms are lower case, as `plain` makes printed text.
"""

import random
import re
from calendar import monthrange
from collections.abc import Callable, Iterable
from dataclasses import dataclass

SIGNS = "零一二三四五六七八九"
BANKERS = "零壹贰叁肆伍陆柒捌玖"
FULL_WIDTH = str.maketrans("0123456789.,%:", "０１２３４５６７８９．，％：")
MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
             "twelve": "twelfth"}  # fmt: skip
CURRENCIES = {
    "元": ("yuan",), "元人民币": ("yuan",), "美元": ("us dollars", "dollars"), "港元": ("hong kong dollars",),
    "欧元": ("euros",), "日元": ("yen",), "英镑": ("pounds",), "韩元": ("won",), "卢布": ("rubles",),
    "澳元": ("australian dollars",), "加元": ("canadian dollars",),
}  # fmt: skip


@dataclass(frozen=True)
class Written:
    """A notation of a value; `forms` are all right ways to say it in English."""

    kind: str
    notation: str
    forms: frozenset[str]


def plain(text: str) -> str:
    """Lower case, with a blank between words."""
    return " ".join(text.lower().replace("°c", " degrees celsius").split())


def says(text: str, forms: Iterable[str]) -> bool:
    """Whether a printed text has one of the forms, and neither letters nor signs of a number around it."""
    spaced = plain(text)
    return any(re.search(rf"(?<![\w.,:/%-]){re.escape(form)}(?![\w%]|[.,:/-]\w)", spaced) for form in forms)


# --- English ---


def spelled(value: int) -> list[str]:
    """A whole number below a thousand in words."""
    if value < 20:
        return [WORDS[value]]
    if value < 100:
        ten, one = divmod(value, 10)
        return [TENS[ten]] if not one else [f"{TENS[ten]}-{WORDS[one]}", f"{TENS[ten]} {WORDS[one]}"]
    hundred, rest = divmod(value, 100)
    starts = [f"{WORDS[hundred]} hundred"] + (["a hundred"] if hundred == 1 else [])
    if not rest:
        return starts
    return [f"{start}{link}{end}" for start in starts for link in (" ", " and ") for end in spelled(rest)]


def decimal(value: int, scale: int) -> str:
    """``value / scale`` without final zeros, with commas; `scale` is a power of ten."""
    whole, rest = divmod(value, scale)
    digits = str(rest).rjust(len(str(scale)) - 1, "0").rstrip("0") if rest else ""
    return f"{whole:,}" + (f".{digits}" if digits else "")


def cardinals(value: int, scale: int = 1) -> set[str]:
    """All ways to say ``value / scale``."""
    if value % scale == 0:
        value, scale = value // scale, 1
    digits = decimal(value, scale)
    forms = {digits, digits.replace(",", "")}
    if scale == 1 and value < 1000:
        forms |= {*spelled(value)}
    for unit, name in ((10**3, "thousand"), (10**6, "million"), (10**9, "billion"), (10**12, "trillion")):
        if value * 100 >= unit * scale:
            share = decimal(value, unit * scale)
            forms |= {f"{share} {name}", f"{share.replace(',', '')} {name}"}
            if share.isdecimal() and int(share) < 1000:
                forms |= {f"{words} {name}" for words in spelled(int(share))}
            if share == "1":
                forms.add(f"a {name}")
    return forms


def ordinal_forms(value: int) -> set[str]:
    """All ordinals of a whole number."""
    ending = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    forms = {f"{value}{ending}", f"{value:,}{ending}"}
    for words in spelled(value) if value < 1000 else ():
        start, sign, last = re.fullmatch(r"(?:(.*)([ -]))?(\w+)", words).groups(default="")  # type: ignore[union-attr]
        named = IRREGULAR.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
        forms.add(f"{start}{sign}{named}")
    return forms


def dates(month: int, day: int | None = None, year: int | None = None) -> set[str]:
    """All ways to write a date."""
    name = MONTHS[month - 1]
    names = [name, name[:3], f"{name[:3]}."] + (["sept", "sept."] if month == 9 else [])
    if day is None:
        return {f"{written}{link}{year}" for written in names for link in (" ", ", ", " of ")} if year else {*names}
    days = [str(day), *(form for form in ordinal_forms(day) if form[0].isdecimal())]
    forms = {form for n in names for d in days for form in (f"{n} {d}", f"{n} the {d}", f"{d} {n}", f"{d} of {n}")}
    return {f"{form}{link}{year}" for form in forms for link in (" ", ", ")} if year else forms


# --- Chinese ---


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
        text += _group(group, signs, units) + name
        pending_zero = False
    text = text or signs[0]
    if text.startswith(f"{signs[1]}{units[0]}") and signs == SIGNS:
        text = text[1:]
    if liang and signs == SIGNS and draw.random() < 0.5:
        text = re.sub("^二(?=[百千万亿])", "两", text)
    return text


def _group(value: int, signs: str, units: str) -> str:
    text, zero = "", False
    for exponent in (3, 2, 1, 0):
        digit = value // 10**exponent % 10
        if not digit:
            zero = bool(text)
            continue
        text += (signs[0] if zero else "") + signs[digit] + (units[exponent - 1] if exponent else "")
        zero = False
    return text


def a_value(draw: random.Random, most: int = 12) -> int:
    """A whole number from 2, of up to `most` digits; often with few digits that are not 0."""
    exponent = draw.randint(0, most - 1)
    digits = draw.choice((1, 1, 2, 2, 3, 4, 7))
    value = draw.randint(1, 10 ** min(digits, exponent + 1) - 1) * 10 ** max(0, exponent + 1 - digits)
    return max(2, value)


def amount(value: int, draw: random.Random) -> str:
    """A whole number in any notation that tells it without doubt."""
    ways: list[str] = [
        str(value),
        f"{value:,}",
        numerals(value, draw),
        f"{value:,}".translate(FULL_WIDTH),
        str(value).translate(FULL_WIDTH),
    ]
    for unit, sign in ((10**4, "万"), (10**8, "亿"), (10**12, "万亿")):
        if value * 10 >= unit and value * 1000 % unit == 0:
            share = decimal(value, unit)
            ways += [
                f"{share}{sign}",
                f"{share.replace(',', '')}{sign}",
                f"{share} {sign}",
                f"{share}{sign}".translate(FULL_WIDTH),
            ]
            if "." in share and value // unit < 10**4:
                whole, rest = share.replace(",", "").split(".")
                ways.append(f"{numerals(int(whole), draw, liang=False)}点{''.join(SIGNS[int(d)] for d in rest)}{sign}")
        if value >= 10 * unit and value % unit == 0 and value // unit < 10**5:
            ways.append(f"{value // unit}{sign}")
    if 10**8 <= value < 10**12 and value % 10**4 == 0 and value // 10**4 % 10**4 >= 1000:
        ways.append(f"{value // 10**8}亿{value // 10**4 % 10**4}万")
    if 10**8 <= value < 10**12 and value % 10**7 == 0 and value % 10**8:
        ways += [
            f"{value // 10**8}亿{value // 10**7 % 10}千万",
            f"{numerals(value // 10**8, draw, liang=False)}亿{SIGNS[value // 10**7 % 10]}千万",
        ]
    if 10**4 <= value < 10**8 and value % 1000 == 0 and value // 1000 % 10:
        ways += [
            f"{value // 10**4}万{value // 1000 % 10}千",
            f"{numerals(value // 10**4, draw, liang=False)}万{SIGNS[value // 1000 % 10]}",
        ]
    if 10**4 <= value < 10**8 and value % 10**4 >= 1000:
        ways.append(f"{value // 10**4}万{value % 10**4}")
    if 1000 <= value < 10**4 and value % 100 == 0:
        ways.append(f"{value // 1000}千" + (f"{value // 100 % 10}百" if value // 100 % 10 else ""))
    if 10**6 <= value < 10**8 and value % 10**6 == 0:
        ways.append(f"{value // 10**6}百万")
    if value < 10**8 and value % 100 == 0 and value >= 1000:
        ways.append(numerals(value, draw, signs=BANKERS, units="拾佰仟"))
    if 100 < value < 1000 and value % 10 == 0 and value // 10 % 10:
        ways.append(f"{SIGNS[value // 100]}百{SIGNS[value // 10 % 10]}")
    if 20 < value < 40 and value % 10:
        ways.append("廿卅"[value // 10 - 2] + SIGNS[value % 10])
    return draw.choice(ways)


COUNTED = ("人", "名", "个", "辆", "家", "座", "件", "户", "吨", "公里", "公斤", "亩", "架", "艘", "所")


def cardinal(draw: random.Random) -> Written:
    value = a_value(draw)
    notation = amount(value, draw)
    return Written("cardinal", notation + draw.choice(COUNTED), frozenset(cardinals(value)))


def decimal_number(draw: random.Random) -> Written:
    scale = 10 ** draw.randint(1, 2)
    value = draw.randint(2, 9999)
    if value % 10 == 0:
        value += 1
    text = decimal(value, scale)
    whole, rest = text.replace(",", "").split(".") if "." in text else (text.replace(",", ""), "")
    if not rest:
        return decimal_number(draw)
    in_numerals = f"{numerals(int(whole), draw, liang=False)}点{''.join(SIGNS[int(d)] for d in rest)}"
    notation = draw.choice((text, text.translate(FULL_WIDTH), in_numerals, text.replace(",", "")))
    return Written(
        "decimal", notation + draw.choice(("米", "公里", "公斤", "吨", "倍")), frozenset(cardinals(value, scale))
    )


def ordinal(draw: random.Random) -> Written:
    value = draw.randint(3, 150)
    number = draw.choice((str(value), numerals(value, draw, liang=False)))
    notation = draw.choice((f"第{number}届", f"第{number}次", f"第{number}个", f"{number}周年"))
    return Written("ordinal", notation, frozenset({*ordinal_forms(value), *cardinals(value)}))


def fraction(draw: random.Random) -> Written:
    whole = draw.choice((2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 50))
    part = draw.randint(1, whole - 1)
    if draw.random() < 0.2 and whole <= 10:
        notation = f"{part}/{whole}"
    else:
        notation = draw.choice(
            (f"{numerals(whole, draw, liang=False)}分之{numerals(part, draw, liang=False)}", f"{whole}分之{part}")
        )
    forms = {f"{part}/{whole}"}
    names = {"half", "halves"} if whole == 2 else {"quarter", "quarters", "fourth", "fourths"} if whole == 4 else set()
    names |= {form + "s" * (part > 1) for form in ordinal_forms(whole)}
    for name in names:
        for number in spelled(part):
            forms |= {f"{number}-{name}", f"{number} {name}"}
        if part == 1:
            forms |= {name, f"a {name}"}
    if part * 100 % whole == 0:
        forms |= {f"{share} percent" for share in cardinals(part * 100 // whole)}
    return Written("fraction", notation, frozenset(forms))


def _percent_forms(value: int, scale: int) -> set[str]:
    return {f"{number}{sign}" for number in cardinals(value, scale) for sign in (" percent", "%", " %", " per cent")}


def percent(draw: random.Random) -> Written:
    scale = draw.choice((1, 1, 10, 100))
    value = draw.randint(2, 99 * scale)
    text = decimal(value, scale)
    whole, _, rest = text.partition(".")
    in_numerals = numerals(int(whole.replace(",", "")), draw, liang=False) + (
        f"点{''.join(SIGNS[int(d)] for d in rest)}" if rest else ""
    )
    ways = [f"{text}%", f"{text}％".translate(FULL_WIDTH), f"百分之{in_numerals}", f"{text} %", f"百分之{text}"]
    if scale == 1 and value % 10 == 0 and value < 100:
        ways.append(f"{SIGNS[value // 10] if value != 20 else '两'}成")
    if draw.random() < 0.2:
        points = f"{text}个百分点"
        return Written(
            "points",
            points,
            frozenset(f"{form} percentage point{s}" for form in cardinals(value, scale) for s in ("", "s")),
        )
    return Written("percent", draw.choice(ways), frozenset(_percent_forms(value, scale)))


def per_thousand(draw: random.Random) -> Written:
    part, whole = draw.randint(2, 9), draw.choice((1000, 10_000))
    notation = f"{'千' if whole == 1000 else '万'}分之{draw.choice((str(part), SIGNS[part]))}"
    if whole == 1000 and draw.random() < 0.3:
        notation = f"{part}‰"
    names = ("thousand", "1,000", "1000") if whole == 1000 else ("10,000", "10000", "ten thousand")
    forms = {f"{part} {link} {name}" for link in ("per", "in", "out of") for name in names}
    return Written("per thousand", notation, frozenset(forms | _percent_forms(part, whole // 100)))


def money(draw: random.Random) -> Written:
    currency = draw.choice([*CURRENCIES])
    value = a_value(draw)
    forms = {f"{number} {name}" for number in cardinals(value) for name in CURRENCIES[currency]}
    if currency == "美元":
        forms |= {f"${number}" for number in cardinals(value)}
    if currency == "元" and draw.random() < 0.2:
        whole, tenth = draw.randint(2, 99), draw.randint(1, 9)
        notation = draw.choice(
            (f"{whole}元{tenth}角", f"{numerals(whole, draw, liang=False)}块{SIGNS[tenth]}", f"{whole}块{tenth}")
        )
        return Written(
            "money", notation, frozenset(f"{number} yuan" for number in (f"{whole}.{tenth}", f"{whole}.{tenth}0"))
        )
    return Written("money", amount(value, draw) + currency, frozenset(forms))


def _year_text(year: int, draw: random.Random) -> str:
    positional = "".join(SIGNS[int(digit)] for digit in str(year))
    return draw.choice(
        (
            str(year),
            str(year).translate(FULL_WIDTH),
            positional,
            positional.replace("零", "〇"),
            positional.replace("零", "○"),
        )
    )


def year(draw: random.Random) -> Written:
    if draw.random() < 0.2:
        roc = draw.randint(1, 115)
        number = draw.choice((str(roc), numerals(roc, draw, liang=False), "元" if roc == 1 else str(roc)))
        return Written("ROC year", f"民国{number}年", frozenset({str(roc + 1911)}))
    if draw.random() < 0.1:
        before = draw.randint(2, 999)
        return Written("year BC", f"公元前{before}年", frozenset(f"{before} {era}" for era in ("bc", "b.c.", "bce")))
    value = draw.randint(1800, 2049)
    return Written("year", f"{_year_text(value, draw)}年", frozenset({str(value)}))


def date(draw: random.Random) -> Written:
    value, month = draw.randint(1900, 2049), draw.randint(1, 12)
    day = draw.randint(1, monthrange(value, month)[1])
    blank = draw.choice(("", "", "", " "))
    in_numerals = draw.random() < 0.4
    month_text, day_text = (
        numerals(number, draw, liang=False) if in_numerals else str(number) for number in (month, day)
    )
    year_text = _year_text(value, draw)
    shape = draw.choice(("ymd", "md", "ym", "m", "d", "roc"))
    if shape == "ymd":
        parts, forms = [year_text, "年", month_text, "月", day_text, draw.choice("日号")], dates(month, day, value)
    elif shape == "roc":
        parts, forms = [f"民国{value - 1911}", "年", month_text, "月", day_text, "日"], dates(month, day, value)
        if value < 1912:
            return date(draw)
    elif shape == "md":
        parts, forms = [month_text, "月", day_text, draw.choice("日号")], dates(month, day)
    elif shape == "ym":
        parts, forms = [year_text, "年", month_text, "月"], dates(month, None, value)
    elif shape == "m":
        parts, forms = [month_text, draw.choice(("月份", "月"))], dates(month)
    else:
        parts, forms, blank = [day_text, "日"], {*ordinal_forms(day), str(day), *spelled(day)}, ""
    return Written(f"date {shape}", blank.join(parts), frozenset(forms))


def dates_together(draw: random.Random) -> Written:
    first = draw.randint(1, 11)
    last = first + 1
    if draw.random() < 0.5:
        one, other = (
            numerals(number, draw, liang=False) if draw.random() < 0.5 else str(number) for number in (first, last)
        )
        one, other = (str(first), str(last)) if one.isascii() != other.isascii() else (one, other)
        links = draw.choice(("、", "、", "至"))
        words = ("and",) if links == "、" else ("to", "through")
        forms = {f"{a} {by} {b}" for a in dates(first) for by in (*words, "or") for b in dates(last)}
        return Written("months", f"{one}{links}{other}月份", frozenset(forms))
    links, words = draw.choice((("、", ("and",)), ("至", ("to", "through")), ("-", ("to", "through"))))
    month = draw.randint(1, 12)
    if draw.random() < 0.5:
        forms = {
            f"{the_a}{a} {by} {the_b}{b}"
            for the_a in ("", "the ")
            for the_b in ("", "the ")
            for a in {*ordinal_forms(first), str(first)}
            for b in {*ordinal_forms(last), str(last)}
            for by in words
        }
        return Written("days", f"{first}{links}{last}日", frozenset(forms))
    forms = {
        f"{a} {by} {b}"
        for a in dates(month, first)
        for by in words
        for b in {*ordinal_forms(last), str(last), *dates(month, last)}
    }
    return Written("days of a month", f"{month}月{first}{links}{last}日", frozenset(forms))


def lunar(draw: random.Random) -> Written:
    month, day = draw.randint(1, 12), draw.randint(1, 30)
    month_text = (
        "正" if month == 1 else "腊" if month == 12 and draw.random() < 0.5 else numerals(month, draw, liang=False)
    )
    day_text = (
        f"初{numerals(day, draw, liang=False)}"
        if day <= 10
        else draw.choice(
            (
                numerals(day, draw, liang=False),
                f"廿{SIGNS[day % 10]}" if 20 < day < 30 else numerals(day, draw, liang=False),
            )
        )
    )
    forms = {f"{d} day of the {m} lunar month" for d in ordinal_forms(day) for m in ordinal_forms(month)}
    return Written("lunar date", f"{draw.choice(('农历', '阴历'))}{month_text}月{day_text}", frozenset(forms))


def decade(draw: random.Random) -> Written:
    tens = draw.randint(1, 9) * 10
    text = draw.choice((str(tens), numerals(tens, draw, liang=False)))
    shape = draw.choice(("alone", "century", "last", "this", "full", "two"))
    if shape == "full":
        value = draw.randint(180, 202) * 10
        return Written("decade", f"{value}年代", frozenset({f"{value}s"}))
    if shape == "two":
        first = draw.randint(3, 8)
        notation = draw.choice(
            (
                f"{SIGNS[first]}{SIGNS[first + 1]}十年代",
                f"{first}0、{first + 1}0年代",
                f"上世纪{SIGNS[first]}{SIGNS[first + 1]}十年代",
            )
        )
        names = [(f"19{n}0s", f"{n}0s", f"'{n}0s") for n in (first, first + 1)]
        return Written(
            "decades",
            notation,
            frozenset(
                f"{a} {link} {the}{b}"
                for a in names[0]
                for b in names[1]
                for link in ("and", "or")
                for the in ("", "the ")
            ),
        )
    if shape == "century":
        century = draw.randint(16, 21)
        number = draw.choice((str(century), numerals(century, draw, liang=False)))
        return Written("decade of a century", f"{number}世纪{text}年代", frozenset({f"{(century - 1) * 100 + tens}s"}))
    if shape in ("last", "this"):
        start = 1900 if shape == "last" else 2000
        return Written(
            "decade of a century", f"{'上' if shape == 'last' else '本'}世纪{text}年代", frozenset({f"{start + tens}s"})
        )
    right = {f"{tens}s", f"'{tens}s"} | ({f"19{tens}s"} if tens >= 30 else set())
    return Written("decade", f"{text}年代", frozenset(right))


def century(draw: random.Random) -> Written:
    value = draw.randint(2, 30)
    number = draw.choice((str(value), numerals(value, draw, liang=False)))
    return Written("century", f"{number}世纪", frozenset(f"{form} century" for form in ordinal_forms(value)))


PARTS = {"上午": range(5, 12), "凌晨": range(1, 6), "早上": range(5, 11), "下午": range(1, 7), "晚上": range(6, 12)}


def time_of_day(draw: random.Random) -> Written:
    minute = draw.choice((0, 5, 8, 11, 20, 30, 45, 59, draw.randint(0, 59)))
    part = draw.choice((*PARTS, "", "", ""))
    hour = draw.choice([*PARTS[part]]) if part else draw.randint(1, 23)
    in_numerals = draw.random() < 0.4
    sign = draw.choice("时点") if part or minute else "时"
    hour_text = numerals(hour, draw, liang=False) if in_numerals else str(hour)
    if in_numerals and hour == 2:
        hour_text = "两"
    if not minute:
        minute_text = ""
    elif in_numerals:
        minute_text = ("零" if minute < 10 and draw.random() < 0.5 else "") + numerals(minute, draw, liang=False) + "分"
    else:
        minute_text = draw.choice((f"{minute}分", f"{minute:02}分"))
    ways = [f"{part}{hour_text}{sign}{minute_text}"]
    if minute == 30:
        ways.append(f"{part}{hour_text}点半")
    if part:
        ways.append(f"{part}{hour}:{minute:02}")
    after_noon = part in ("下午", "晚上")
    shown = hour + 12 if after_noon else hour
    twelve = (shown - 1) % 12 + 1
    half = "p.m." if shown >= 12 else "a.m."
    forms = (
        {f"{h}:{minute:02}{end}" for h in (shown, f"{shown:02}") for end in ("", " o'clock")}
        if not after_noon or True
        else set()
    )
    forms |= {f"{twelve}:{minute:02} {end}" for end in (half, half.replace(".", ""))}
    if not minute:
        forms |= {f"{n} {end}" for n in {str(twelve), *spelled(twelve)} for end in (half, half.replace(".", ""))}
        forms |= {f"{n} o'clock" for n in {str(twelve), str(shown), *spelled(twelve), *spelled(shown)}}
    return Written("time", draw.choice(ways), frozenset(forms))


UNITS = {"小时": "hours", "分钟": "minutes", "天": "days", "个月": "months", "个星期": "weeks"}


def duration(draw: random.Random) -> Written:
    unit = draw.choice([*UNITS])
    value = draw.randint(2, 99)
    number = draw.choice(
        (
            str(value),
            numerals(value, draw, liang=False).replace("二", "两")
            if value == 2
            else numerals(value, draw, liang=False),
        )
    )
    if draw.random() < 0.25 and value < 20:
        half = {
            "小时": f"{number}个半小时",
            "天": f"{number}天半",
            "个月": f"{number}个半月",
            "个星期": f"{number}个半星期",
        }.get(unit)
        if half:
            name = UNITS[unit]
            forms = (
                {f"{value}.5 {name}"}
                | {f"{n} and a half {name}" for n in cardinals(value)}
                | {f"{n} {name} and a half" for n in cardinals(value)}
            )
            return Written("duration", half, frozenset(forms))
    return Written("duration", number + unit, frozenset(f"{form} {UNITS[unit]}" for form in cardinals(value)))


def temperature(draw: random.Random) -> Written:
    value, below = draw.randint(2, 40), draw.random() < 0.5
    number = draw.choice((str(value), numerals(value, draw, liang=False)))
    sign, celsius = draw.choice(("摄氏度", "度", "℃")), {"", " celsius"}
    notation = f"零下{number}{sign}" if below else f"{number}{sign}"
    if below and sign == "℃" and number.isascii() and draw.random() < 0.5:
        notation = f"-{value}℃"
    forms = {f"{n} degrees{c}" for n in cardinals(value) for c in celsius}
    if below:
        forms = (
            {f"{form} below zero" for form in forms}
            | {f"minus {form}" for form in forms}
            | {f"-{value} degrees{c}" for c in celsius}
        )
    return Written("temperature", notation, frozenset(forms))


def code(draw: random.Random) -> Written:
    telephone = f"0{draw.randint(10, 99)}-{draw.randint(10**7, 10**8 - 1)}"
    mobile = f"1{draw.randint(3 * 10**9, 10**10 - 1)}"
    iso = f"{draw.randint(1990, 2030)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
    notation = draw.choice((telephone, mobile, iso, f"400-{draw.randint(100, 999)}-{draw.randint(1000, 9999)}"))
    return Written("code", notation, frozenset({notation}))


def score(draw: random.Random) -> Written:
    one, other = draw.randint(0, 30), draw.randint(0, 30)
    notation = draw.choice(
        (
            f"{one}比{other}",
            f"{one}:{other}",
            f"{numerals(one, draw, liang=False)}比{numerals(other, draw, liang=False)}",
            f"{one}：{other}",
        )
    )
    forms = {
        f"{a}{link}{b}"
        for a in {str(one), *spelled(one)}
        for b in {str(other), *spelled(other)}
        for link in ("-", " to ", ":", " - ", " : ")
    }
    return Written("score", notation, frozenset(forms))


def span(draw: random.Random) -> Written:
    first = draw.randint(2, 90)
    last = first + draw.randint(1, 60)
    link = draw.choice("-~—至到")
    scale, sign = draw.choice(((1, ""), (1, ""), (10**4, "万"), (10**8, "亿"), (1, "%")))
    links = ("to", "and", "-")
    if sign == "%":
        notation = draw.choice(
            (
                f"{first}%{link}{last}%",
                f"{first}{link}{last}%",
                f"百分之{numerals(first, draw, liang=False)}至{numerals(last, draw, liang=False)}",
                f"百分之{numerals(first, draw, liang=False)}到百分之{numerals(last, draw, liang=False)}",
            )
        )
        forms = {
            f"{a}{p} {by} {b}{q}"
            for a in cardinals(first)
            for b in cardinals(last)
            for by in links
            for p in ("", " percent", "%")
            for q in (" percent", "%")
        }
        return Written("range", notation, frozenset(forms))
    notation = draw.choice(
        (
            f"{first}{sign}{link}{last}{sign}",
            f"{first}{link}{last}{sign}",
            f"{numerals(first * scale, draw, liang=False)}至{numerals(last * scale, draw, liang=False)}",
        )
    )
    forms = {f"{a} {by} {b}" for a in cardinals(first * scale) for b in cardinals(last * scale) for by in links}
    return Written("range", notation + draw.choice(("人", "名", "公里", "吨")), frozenset(forms))


SEVERAL = {1: ("dozens", "several dozen"), 2: ("hundreds", "several hundred"), 3: ("thousands", "several thousand"),
           4: ("tens of thousands",), 5: ("hundreds of thousands",), 6: ("millions", "several million"),
           7: ("tens of millions",), 8: ("hundreds of millions",), 9: ("billions",), 10: ("tens of billions",),
           11: ("hundreds of billions",), 12: ("trillions",)}  # fmt: skip
POWERS = ("", "十", "百", "千", "万", "十万", "百万", "千万", "亿", "十亿", "百亿", "千亿", "万亿")


def approximate(draw: random.Random) -> Written:
    shape = draw.choice(("more", "more in digits", "several", "one or next", "ten and some"))
    counted = draw.choice(("人", "名", "家", "亩"))
    if shape == "several":
        power = draw.randint(1, 12)
        return Written("several", draw.choice("几数") + POWERS[power] + counted, frozenset(SEVERAL[power]))
    if shape == "one or next":
        first, power = draw.randint(1, 8), draw.choice((2, 3, 4, 8))
        low, high = first * 10**power, (first + 1) * 10**power
        notation = f"{SIGNS[first] if first != 2 or power == 1 else '两'}{SIGNS[first + 1]}{POWERS[power]}"
        if first == 1 and power > 1:
            notation = f"一两{POWERS[power]}"
        forms = {f"{a} {by} {b}" for a in cardinals(low) for b in cardinals(high) for by in ("to", "or", "-", "and")}
        return Written("one or next", notation + counted, frozenset(forms))
    if shape == "ten and some":
        scale, sign = draw.choice(((1, ""), (10**4, "万"), (10**8, "亿")))
        value = 10 * scale
        notation = f"十{draw.choice('几多余')}{sign}"
    elif shape == "more in digits":
        scale, sign = draw.choice(((1, ""), (10**4, "万"), (10**8, "亿"), (10**12, "万亿")))
        ten = draw.randint(1, 99) * 10
        value = ten * scale
        notation = draw.choice(
            (f"{ten}{draw.choice('多余')}{sign}", f"{ten}{sign}{draw.choice('多余')}" if sign else f"{ten}多")
        )
    else:
        power, group = draw.choice((8, 4)), draw.choice((10, 100, 1000)) * draw.randint(1, 9)
        above = draw.randint(0, 9) if power == 4 else 0
        value = above * 10**8 + group * 10**power
        start = f"{SIGNS[above]}亿" if above else ""
        zero = "零" if above and group < 1000 else ""
        notation = f"{start}{zero}{_group(group, SIGNS, '十百千').removeprefix('一') if 10 <= group < 20 and not start else _group(group, SIGNS, '十百千')}{draw.choice('多余')}{'万' if power == 4 else '亿'}"
    forms = {f"{start} {number}" for start in ("more than", "over", "above") for number in cardinals(value)}
    return Written("approximate", notation + counted, frozenset(forms))


KINDS: tuple[Callable[[random.Random], Written], ...] = (
    cardinal, cardinal, decimal_number, ordinal, fraction, percent, per_thousand, money, money, year, date, date,
    dates_together, lunar, decade, century, time_of_day, duration, temperature, code, score, span, approximate, approximate,
)  # fmt: skip


def written(draw: random.Random) -> Written:
    """A random value of a random kind in a random notation."""
    return draw.choice(KINDS)(draw)
