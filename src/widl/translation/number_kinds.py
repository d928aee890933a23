"""Kinds of Chinese numbers: a pattern of the whole notation, and its reading in English.

`KINDS` has them all. A pattern begins at the first sign of a number, and ends behind the last one, its unit included; the
reading is None if the signs are no number of the kind. `widl.translation.numbers` decides which reading counts.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from widl.translation.english_numbers import (
    MONTHS,
    Wording,
    before_each,
    date_wordings,
    day_in,
    day_ordinal,
    english_number,
    fraction_wordings,
    ordinals,
    small_or_digits,
    spelled,
    with_commas,
    wordings,
)
from widl.translation.measure_words import CLASSIFIER, UNIT, english_units
from widl.translation.numerals import AMOUNT, DIGITAL, NUMERAL, Amount, amount_of, exact_value, positional_value


@dataclass(frozen=True)
class Reading:
    """A number of a text that ends at `end`, in English.

    english: what the rule proposes, equally probable. accepted: all ways to say the number that a phrase of the table
    may have; none: any phrase may translate it. is_certain: whether a phrase must say it. is_closed: whether a unit or
    another sign shows that the number ends here.
    """

    end: int
    english: Sequence[Wording]
    accepted: Sequence[Wording]
    is_certain: bool = True
    is_closed: bool = True


@dataclass(frozen=True)
class Kind:
    """A kind of number."""

    name: str
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], Reading | None]


KINDS: list[Kind] = []
"""All kinds; the order has no effect, since the longest reading counts."""

_Read = Callable[[re.Match[str]], Reading | None]


def _kind(pattern: str) -> Callable[[_Read], _Read]:
    """Adds a function that reads matches of a pattern to `KINDS`, under the function's name."""

    def add(read: _Read) -> _Read:
        KINDS.append(Kind(read.__name__.removeprefix("_read_"), re.compile(pattern), read))
        return read

    return add


def _amount(name: str) -> str:
    return f"(?P<{name}>{AMOUNT})"


# --- dates ---

_YEAR = r"(?P<year>[12][0-9]{3}|[一二][〇零一二三四五六七八九]{3}|公元[0-9]{3,4})"
_ROC_YEAR = rf"民国(?P<roc>元|[0-9]{{1,3}}|{NUMERAL}{{1,6}})"
_MONTH = r"(?P<month>元|1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月"
_ONE_DAY = "3[01]|[12][0-9]|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|[一二三四五六七八九]"
_DAY = rf"(?P<day>{_ONE_DAY})[日号]"
_BLANK = " ?"
# Words of a day that are no calendar day: 日元 yen, 三日游 a tour of three days, 3日内 within three days.
_AFTER_DAY = "(?![元圆本均报方常程夜子游间内]|之?[后前](?!往))"
_AFTER_DATE = "(?![元圆本均报方常程子])"
_DATELINE = "(?:电(?![力话视脑子影台池器信讯网邮]))?"


def _year_of(match: re.Match[str]) -> int | None:
    """The year of a date; 0 without one, None for a year that is none."""
    if roc := match.groupdict().get("roc"):
        value = Decimal(1) if roc == "元" else exact_value(roc) or positional_value(roc)
        return int(value) + 1911 if value and value < 200 else None
    year = match["year"]
    if year is None:
        return 0
    return int(year.removeprefix("公元")) if year[-1].isascii() else positional_value(year)


def _month_of(text: str) -> int:
    return int(exact_value(text.replace("元", "一")) or 0)


@_kind(
    rf"(?:(?:{_YEAR}|{_ROC_YEAR}){_BLANK}年{_BLANK})?{_MONTH.replace('月', _BLANK + '月')}{_BLANK}{_DAY.replace('[日号]', _BLANK + '[日号]')}"
    rf"{_AFTER_DATE}{_DATELINE}"
)
def _read_date(match: re.Match[str]) -> Reading | None:
    """2019年3月5日, 民国九十年三月五日, 3月5日: March 5, 2019."""
    year, month, day = _year_of(match), _month_of(match["month"]), int(exact_value(match["day"]) or 0)
    if year is None or not 1 <= day <= monthrange(year or 2000, month)[1]:
        return None
    words: Wording = (MONTHS[month - 1], str(day), *((",", str(year)) if year else ()))
    return Reading(match.end(), [words, ("on", *words)], date_wordings(month, day, year or None))


@_kind(rf"(?:{_YEAR}|{_ROC_YEAR}){_BLANK}年{_BLANK}{_MONTH.replace('月', _BLANK + '月')}(?:份(?!额))?")
def _read_month_of_year(match: re.Match[str]) -> Reading | None:
    """2021年1月: January 2021."""
    year, month = _year_of(match), _month_of(match["month"])
    if not year:
        return None
    words = (MONTHS[month - 1], str(year))
    return Reading(match.end(), [words, ("in", *words)], date_wordings(month, None, year))


@_kind(rf"{_MONTH.replace('月', _BLANK + '月')}(?:份(?!额))?(?![球亮光饼子]|{_BLANK}(?:{_ONE_DAY}){_BLANK}[日号])")
def _read_month(match: re.Match[str]) -> Reading | None:
    """3月, 元月份: March, in March."""
    month = _month_of(match["month"])
    said = [*date_wordings(month), *wordings(Decimal(month))]
    return Reading(match.end(), [(MONTHS[month - 1],), ("in", MONTHS[month - 1])], said)


_MONTHS = "1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九]"


@_kind(
    rf"(?P<first>{_MONTHS})(?P<link>[、至到~—-]|月[、至到~—-]|)(?P<last>{_MONTHS})月(?:份(?!额))?(?![球亮光饼子0-9])"
)
def _read_months(match: re.Match[str]) -> Reading | None:
    """3、4月份, 七八月: March and April; 3-5月: March to May."""
    first, last = (int(exact_value(match[name]) or 0) for name in ("first", "last"))
    link = match["link"].removeprefix("月")
    # Without a sign between them, numerals are one or the next month, digits a single number.
    if first >= last or (not match["link"] and (match["first"].isascii() or last != first + 1 or first > 9)):
        return None
    joint = "and" if link in ("", "、") else "to"
    words = (MONTHS[first - 1], joint, MONTHS[last - 1])
    links: tuple[Wording, ...] = (("and",), ("or",), ("to",), ("through",), ("-",))
    said = [(*one, *by, *other) for one in date_wordings(first) for by in links for other in date_wordings(last)]
    return Reading(match.end(), [words, ("in", *words)], said)


@_kind(rf"{_DAY}{_AFTER_DAY}{_DATELINE}")
def _read_day(match: re.Match[str]) -> Reading | None:
    """17日: on the 17th."""
    day = int(exact_value(match["day"]) or 0)
    if match[0][len(match["day"])] == "号":  # perhaps a number of something
        return None
    said = [*ordinals(Decimal(day)), *wordings(Decimal(day))]
    ordinal = day_ordinal(day)
    return Reading(match.end(), [("on", "the", ordinal), ("the", ordinal), (str(day),)], said)


@_kind(
    rf"(?:{_MONTH})?(?P<first>{_ONE_DAY})(?P<link>[、至到~—-]|日[、至到~—-])(?P<last>{_ONE_DAY})[日号]{_AFTER_DAY}{_DATELINE}"
)
def _read_days(match: re.Match[str]) -> Reading | None:
    """15、16日: the 15th and 16th; 5月3日至7日: May 3 to 7."""
    first, last = (int(exact_value(match[name]) or 0) for name in ("first", "last"))
    if first >= last or last > 31 or (match[0].rstrip("电")[-1] == "号" and not match["month"]):
        return None
    links: tuple[Wording, ...] = (("and",), ("to",), ("through",), ("-",))
    joint = ("and",) if match["link"].endswith("、") else ("to",)
    if match["month"]:
        month = _month_of(match["month"])
        if last > monthrange(2000, month)[1]:
            return None
        words: Wording = (MONTHS[month - 1], str(first), *joint, str(last))
        said = [(*date, *by, str(last)) for date in date_wordings(month, first) for by in links]
        said += [
            (*date, *by, *other)
            for date in date_wordings(month, first)
            for by in links
            for other in date_wordings(month, last)
        ]
        return Reading(match.end(), [words, ("on", *words)], said)
    one, other = ([(*the, day_ordinal(day)) for the in ((), ("the",))] + [(str(day),)] for day in (first, last))
    said = [(*a, *by, *b) for a in one for by in links for b in other]
    words = ("the", day_ordinal(first), *joint, day_ordinal(last))
    return Reading(match.end(), [words, ("on", *words)], said)


_LUNAR_MONTH = "正|腊|冬|十[一二]?|[一二三四五六七八九]|1[0-2]|[1-9]"
_LUNAR_DAY = "初[一二三四五六七八九十]|三十|[廿][一二三四五六七八九]?|二?十[一二三四五六七八九]?|[12][0-9]|30|[1-9]"


@_kind(
    rf"(?:农历|阴历|旧历)(?P<month>{_LUNAR_MONTH})月(?P<day>{_LUNAR_DAY})日?|"
    rf"(?P<new_month>[正腊]|{_LUNAR_MONTH})月(?P<new_day>初[一二三四五六七八九十]|廿[一二三四五六七八九]?)|"
    rf"(?P<only_month>[正腊])月(?P<only_day>{_LUNAR_DAY})"
)
def _read_lunar_date(match: re.Match[str]) -> Reading | None:
    """农历八月十五: the 15th day of the eighth lunar month."""
    month_text = match["month"] or match["new_month"] or match["only_month"]
    day_text = (match["day"] or match["new_day"] or match["only_day"]).removeprefix("初")
    month = exact_value({"正": "一", "腊": "十二", "冬": "十一"}.get(month_text, month_text))
    day = exact_value(day_text)
    if month is None or day is None or day > 30:
        return None
    said_day, said_month = ordinals(day), ordinals(month)
    short = (day_ordinal(int(day)),)
    words = ("the", *short, "day", "of", "the", *said_month[0], "lunar", "month")
    accepted = [("the", *a, "day", "of", "the", *b, "lunar", "month") for a in said_day for b in said_month] + [
        (*b, "month") for b in said_month
    ]
    return Reading(match.end(), [words, ("on", *words)], accepted, is_certain=False)


@_kind(r"(?P<digits>(?:1[0-2]|[1-9])·(?:3[01]|[12][0-9]|[1-9]))(?=[\u4e00-\u9fff”])(?!年|月|日|[0-9])")
def _read_date_with_dot(match: re.Match[str]) -> Reading | None:
    """9·11: September 11."""
    month, day = map(int, match["digits"].split("·"))
    if day > monthrange(2000, month)[1]:
        return None
    said = [*date_wordings(month, day), (f"{month}/{day}",), (f"{month}-{day}",), (match[0],)]
    return Reading(match.end(), [(MONTHS[month - 1], str(day))], said, is_certain=False)


@_kind(rf"(?P<before_christ>公元前|前)?{_YEAR}{_BLANK}年(?![度级])|{_ROC_YEAR}年")
def _read_year(match: re.Match[str]) -> Reading | None:
    """2003年: 2003; 民国九十年: 2001."""
    year = _year_of(match)
    if not year or match["before_christ"]:
        return None
    return Reading(match.end(), [(str(year),), ("in", str(year))], [(str(year),)])


@_kind(rf"(?P<year>[一两二]千零?[{NUMERAL[1:-1]}]+)年(?![前来间后历多])")
def _read_year_in_numerals(match: re.Match[str]) -> Reading | None:
    """两千零八年: 2008."""
    value = exact_value(match["year"])
    if value is None or not 1800 <= value < 2200:
        return None
    year = str(int(value))
    return Reading(match.end(), [(year,), ("in", year)], [(year,)])


@_kind(r"公元前(?P<year>[0-9]{1,4})年")
def _read_year_before_christ(match: re.Match[str]) -> Reading | None:
    """公元前221年: 221 BC."""
    said: list[Wording] = [(match["year"], era) for era in ("BC", "B.C.", "BCE")]
    return Reading(match.end(), [said[0], ("in", *said[0])], said)


@_kind(
    rf"(?P<first>[12][0-9]{{3}})(?:年?[-~—至到])(?P<last>[12][0-9]{{3}})年(?!度)|"
    rf"(?P<spelled>一[八九][〇零一二三四五六七八九]{{2}}|二[〇零][〇零一二三四五六七八九]{{2}})(?!{NUMERAL}|[0-9点])"
)
def _read_years(match: re.Match[str]) -> Reading | None:
    """1990-2000年: 1990 to 2000; 一九九八至…: 1998."""
    if match["spelled"]:
        year = str(positional_value(match["spelled"]))
        return Reading(match.end(), [(year,)], [(year,)])
    first, last = match["first"], match["last"]
    if first >= last:
        return None
    said: list[Wording] = [(first, link, last) for link in ("to", "-", "and", "through")] + [(f"{first}-{last}",)]
    return Reading(match.end(), [said[0], ("from", *said[0])], said)


_DECADE = "[1-9]0|[二三四五六七八九]?十"
_CENTURY_BEFORE = rf"(?:(?P<century>{DIGITAL}|{NUMERAL}+)世纪|(?P<last>上个?世纪)|(?P<this>本世纪))"


def _century_of(match: re.Match[str]) -> int | None:
    """The first year of the century that is named before a decade; 0 if none is."""
    if match["last"] or match["this"]:
        return 1900 if match["last"] else 2000
    if not match["century"]:
        return 0
    number = exact_value(match["century"])
    return None if number is None or not 1 < number < 22 else int(number - 1) * 100


def _decade_wordings(decade: int, *, alone: bool) -> list[Wording]:
    text = str(decade)
    if len(text) < 3:
        return [(f"{text}s",), (f"'{text}s",), (f"19{text}s",), (f"20{text}s",)]
    return [(f"{text}s",), *([(f"{text[2:]}s",), (f"'{text[2:]}s",)] if alone else [])]


@_kind(rf"{_CENTURY_BEFORE}?(?P<decade>{_DECADE}|[12][0-9]{{2}}0)年代")
def _read_decade(match: re.Match[str]) -> Reading | None:
    """90年代, 上世纪九十年代: the 1990s; 19世纪60年代: the 1860s. 20年代 alone may be of two centuries: the 20s."""
    century, decade = _century_of(match), int(exact_value(match["decade"]) or 0)
    if century is None or (decade > 99 and century):
        return None
    if decade < 100 and (century or decade >= 30):
        decade += century or 1900
    said = _decade_wordings(decade, alone=True)
    return Reading(match.end(), [("the", *said[0])], said)


@_kind(
    rf"{_CENTURY_BEFORE}?(?:(?P<first>[3-9]0|[三四五六七八]十?)(?P<link>年代)?[、至到~—-]|(?P<near>[三四五六七八]))"
    rf"(?P<decade>[4-9]0|[四五六七八九]十)年代"
)
def _read_decades(match: re.Match[str]) -> Reading | None:
    """五六十年代, 50、60年代: the 1950s and 1960s."""
    first_text = match["first"] or f"{match['near']}十"
    if len(first_text) == 1:
        first_text += "十"
    century, first, last = _century_of(match), exact_value(first_text), exact_value(match["decade"])
    if century is None or first is None or last is None or first >= last or (match["near"] and last - first != 10):
        return None
    one, other = (int(century or 1900) + int(decade) for decade in (first, last))
    said = [
        (*the, *a, link, *the, *b)
        for a in _decade_wordings(one, alone=True)
        for b in _decade_wordings(other, alone=True)
        for link in ("and", "to", "or")
        for the in ((), ("the",))
    ]
    joint = "to" if re.search("[至到~—-]", match[0]) else "and"
    return Reading(match.end(), [("the", f"{one}s", joint, f"{other}s")], said)


@_kind(rf"{_amount('number')}世纪(?!末?[0-9{NUMERAL[1:-1]}]+年代)")
def _read_century(match: re.Match[str]) -> Reading | None:
    """21世纪, 廿一世纪: the 21st century."""
    amount = amount_of(match["number"])
    if amount is None or not amount.is_exact or not 0 < amount.low < 100 or amount.low != int(amount.low):
        return None
    if amount.low == 1 and match["number"] == "一":
        return None
    first = ordinals(amount.low)[0]
    return Reading(match.end(), [("the", *first, "century"), (*first, "century")], ordinals(amount.low))


# --- times of day ---

_HALVES = {
    **dict.fromkeys(("凌晨", "清晨", "早晨", "早上", "上午", "早"), "a.m."),
    **dict.fromkeys(("下午", "午后", "傍晚"), "p.m."),
    **dict.fromkeys(("晚上", "晚间", "夜间", "夜里", "深夜", "晚"), "night"),
    **dict.fromkeys(("中午", "正午"), "noon"),
}
_HOUR = "2[0-4]|1[0-9]|0?[0-9]|二十[一二三四]?|十[一二三四五六七八九]?|[零一二两三四五六七八九]"
_MINUTE = "[0-5]?[0-9]|[二三四五]?十[一二三四五六七八九]?|零?[一二三四五六七八九]"


def _half_of(part_of_day: str, hour: int) -> str | None:
    """a.m. or p.m.; None if the hour is none of the part of the day."""
    half = _HALVES[part_of_day]
    if half == "a.m.":
        return "a.m." if hour < 12 or (hour == 12 and part_of_day == "凌晨") else None
    if half == "noon":
        return "a.m." if hour in (10, 11) else "p.m." if hour in (12, 1, 2) else None
    if half == "night" and hour < 5:
        return "a.m." if part_of_day in ("夜里", "深夜", "夜间") and hour else None
    if half == "night" and hour == 12:
        return "a.m."
    return "p.m." if hour < 12 or (hour == 12 and half == "p.m.") else None


@_kind(
    rf"(?P<part>{'|'.join(_HALVES)})?{_BLANK}(?P<hour>{_HOUR})"
    rf"(?:(?P<colon>:)(?P<clock>[0-5][0-9])(?![0-9:.])"
    rf"|[点时]钟?(?:(?P<half>半)|(?P<quarter>[一三])刻钟?|(?P<full>整)|零?(?P<minute>{_MINUTE})分(?![之钟析别为数])|(?P<short>[0-5][0-9])(?![0-9.分]))"
    rf"|(?P<exact>点钟)|(?P<alone>时)(?![间代期段刻分而常候尚差机报局事装速空限])|(?P<spoken>点)(?![0-9{NUMERAL[1:-1]}]))"
)
def _read_time(match: re.Match[str]) -> Reading | None:
    """14时05分: 14:05; 下午三点二十分: 3:20 p.m.; 8时: 8:00. 8点 alone may be eight points."""
    hour = int(exact_value(match["hour"]) or 0)
    minute = _minute_of(match)
    part = match["part"] or _part_before(match)
    if minute is None or (match["spoken"] and not part) or (match["colon"] and not part):
        return None
    if match["hour"] == "零" and match["minute"] is None:
        return None
    if part is None or hour > 12:
        half = None
    else:
        half = _half_of(part, hour)
        if half is None:
            return None
    return _time(match, hour, minute, half)


def _part_before(match: re.Match[str]) -> str | None:
    """晚 of 昨晚, behind which the match begins."""
    return "晚" if re.search("[今昨明当前每]晚$", match.string[max(0, match.start() - 2) : match.start()]) else None


def _minute_of(match: re.Match[str]) -> int | None:
    if match["half"] or match["quarter"]:
        return 30 if match["half"] else 15 if match["quarter"] == "一" else 45
    text = match["clock"] or match["minute"] or match["short"]
    if not text:
        return 0
    value = exact_value(text.lstrip("零"))
    return None if value is None or value > 59 else int(value)


def _time(match: re.Match[str], hour: int, minute: int, half: str | None) -> Reading:
    """The reading of a time; `half`: a.m. or p.m., if the text says which."""
    shown = f"{minute:02}"
    clocks = [(hour, f"{hour}", half)]
    twelve = (hour - 1) % 12 + 1
    if half is None and hour != twelve:
        clocks.append((hour, str(twelve), "p.m." if 12 <= hour < 24 else "a.m."))
    if half == "p.m." and hour < 12:
        clocks.append((hour + 12, str(hour + 12), None))
    said: list[Wording] = []
    for _, number, of_day in clocks:
        ends: list[Wording] = [()] if of_day is None else [(of_day,), (of_day.replace(".", ""),)]
        forms: list[Wording] = [(number, ":", shown), (f"{number}:{shown}",), (f"0{number}", ":", shown)]
        if minute == 0:
            forms += [(number,), (*small_or_digits(Decimal(int(number))),), (number, "o'clock")]
        said += [(*form, *end) for form in forms for end in (*ends, ())]
    if minute == 0:
        said += (
            [("12", "noon"), ("noon",)]
            if hour == 12 and half == "p.m."
            else [("midnight",)]
            if hour in (0, 24) or half == "a.m." and hour == 12
            else []
        )
    time: Wording = (str(hour), ":", shown) if minute or half is None else (str(hour),)
    words = (*time, half) if half else time
    if hour == 12 and not minute and half == "p.m.":
        words = ("12", "noon")
    if match["exact"]:
        words = (*small_or_digits(Decimal(hour)), "o'clock")
    return Reading(match.end(), [words, ("at", *words)], list(dict.fromkeys(said)))


# --- shares, ordinals, scores ---

_ITEM = rf"(?:{DIGITAL}|{NUMERAL}+)"


def _percent_said(value: Decimal) -> list[Wording]:
    said = [(*words, *sign) for words in wordings(value) for sign in (("percent",), ("%",), ("per", "cent"))]
    return [*said, *wordings(value)]


def _vague_words(amount: Amount, unit: Sequence[str] = ()) -> list[Wording]:
    """English words for an amount of any vagueness, with what is counted behind it."""
    low = small_or_digits(amount.low) if amount.vague != "more" else english_number(amount.low)
    if amount.high is not None:
        joint = "to" if amount.low > 10 else "or"
        return [(*low, joint, *small_or_digits(amount.high), *unit)]
    starts = {"": [""], "more": ["more than", "over"], "about": ["about", "some"]}[amount.vague]
    return [(*start, *unit) for start in before_each(starts, [low])]


@_kind(
    rf"(?P<sign>[-−+±]|零下|负)?(?:百分之{_amount('han')}|{_amount('digits')}(?:[%％]|个?百分点|成(?!员|都|功|立|为|就|长|交|果|本)(?P<half>五|半)?))"
)
def _read_percent(match: re.Match[str]) -> Reading | None:
    """百分之二十, 35%, 三成五: 20 percent; 3个百分点: three percentage points."""
    amount = amount_of(match["han"] or match["digits"])
    if amount is None or amount.vague == "several" or (match["han"] and match[0].endswith("成")):
        return None
    if "成" in match[0] and not match["han"]:
        if (
            not re.fullmatch("[一二两三四五六七八九]|[1-9]|[一二三四五六七八][二三四五六七八九]", match["digits"])
            or match["sign"]
        ):
            return None
        half = 5 if match["half"] else 0
        amount = Amount(amount.low * 10 + half, None if amount.high is None else amount.high * 10)
    points = match[0].endswith("百分点")
    unit = ("percentage", "points" if amount.low != 1 or amount.high else "point") if points else ("percent",)
    sign = {
        "-": ("minus",),
        "−": ("minus",),
        "负": ("minus",),
        "零下": ("minus",),
        "+": ("plus",),
        "±": ("plus", "or", "minus"),
    }
    before: Wording = sign.get(match["sign"] or "", ())
    shown = Amount(amount.low, amount.high, amount.vague)
    digits = [words if points else _with_digits(words, shown) for words in _vague_words(shown, unit)]
    said = _percent_said(amount.low)
    if amount.high is not None:
        said = _range_said(amount.low, amount.high, ("percent",)) + _range_said(amount.low, amount.high, ())
    if before:
        return Reading(match.end(), [(*before, *words) for words in digits], [(*before, *words) for words in said])
    more = [] if points else [(*words[:-1], "%") for words in digits]
    return Reading(match.end(), [*digits, *more], said)


def _with_digits(words: Wording, amount: Amount) -> Wording:
    """The same words, small numbers in digits, as English has percentages."""
    numbers = {
        spelled(value)[0][0]: with_commas(value)
        for value in (amount.low, amount.high)
        if value is not None and spelled(value)
    }
    return tuple(numbers.get(word, word) for word in words)


@_kind(rf"(?:{_amount('digits')}‰|(?P<whole>[千万])分之{_amount('part')})")
def _read_per_thousand(match: re.Match[str]) -> Reading | None:
    """千分之三, 3‰: 3 per thousand; 万分之一: 1 in 10,000."""
    amount = amount_of(match["digits"] or match["part"])
    if amount is None or not amount.is_exact:
        return None
    whole = Decimal(10_000 if match["whole"] == "万" else 1000)
    number = with_commas(amount.low)
    names = [("thousand",), ("1,000",)] if whole == 1000 else [("10,000",), ("ten", "thousand")]
    said = [(number, *link, *name) for name in names for link in (("per",), ("in",), ("out", "of"))]
    said += _percent_said(amount.low * 100 / whole) + [(f"{number}/{with_commas(whole)}",)]
    return Reading(match.end(), [said[0]], said)


@_kind(rf"(?!百分|千分|万分){_amount('whole')}分之{_amount('part')}")
def _read_fraction(match: re.Match[str]) -> Reading | None:
    """三分之二: two-thirds; 二十分之一: 1/20."""
    whole, part = amount_of(match["whole"]), amount_of(match["part"])
    if whole is None or part is None or not (whole.is_exact and part.is_exact):
        return None
    said = fraction_wordings(whole.low, part.low)
    if not said:
        return None
    more = _percent_said(part.low * 100 / whole.low) if (part.low * 100) % whole.low == 0 else []
    return Reading(match.end(), said[:2], [*said, *more])


@_kind(rf"第{_amount('number')}(?P<of>[个名位])?")
def _read_ordinal(match: re.Match[str]) -> Reading | None:
    """第三十四, 第3个: the 34th, the third."""
    amount = amount_of(match["number"])
    if amount is None or not amount.is_exact or amount.low != int(amount.low) or not amount.low:
        return None
    first = ordinals(amount.low)[0]
    said = [*ordinals(amount.low), *wordings(amount.low)]
    return Reading(match.end(), [("the", *first), first], said, is_closed=match["of"] is not None)


@_kind(rf"第(?P<items>{_ITEM}(?:[、至到~—-]第?{_ITEM})+)")
def _read_ordinals(match: re.Match[str]) -> Reading | None:
    """第三、四: the third and fourth; 第3至5: the third to fifth."""
    items = re.split("[、至到~—-]第?", match["items"])
    values = [exact_value(item) for item in items]
    if any(value is None or not 0 < value < 1000 or value != int(value) for value in values):
        return None
    numbers = [value for value in values if value is not None]
    joint = "and" if "、" in match["items"] else "to"
    if any(a >= b for a, b in pairwise(numbers)) or (joint == "to" and len(numbers) > 2):
        return None
    words: Wording = ordinals(numbers[0])[0]
    for value in numbers[1:-1]:
        words = (*words, ",", *ordinals(value)[0])
    words = (*words, joint, *ordinals(numbers[-1])[0])
    links = {joint, "and", "to", "-"}
    said: list[Wording] = [words]
    if len(numbers) == 2:
        one, other = numbers
        said = [
            (*a, link, *the, *b)
            for a in ordinals(one)
            for link in links
            for the in ((), ("the",))
            for b in ordinals(other)
        ]
    return Reading(match.end(), [("the", *words), words], said, is_closed=False)


@_kind(rf"{_amount('number')}(?=周年|届|[大中]全会|大(?:[以精报的召代提后前，。、）”》]|$))")
def _read_ordinal_without_sign(match: re.Match[str]) -> Reading | None:
    """40周年, 十九大: the 40th, the 19th."""
    amount = amount_of(match["number"])
    if amount is None or not amount.is_exact or amount.low != int(amount.low) or not amount.low:
        return None
    first = ordinals(amount.low)[0]
    return Reading(match.end(), [("the", *first), first], [*ordinals(amount.low), *wordings(amount.low)])


@_kind(
    rf"(?P<one>[0-9]{{1,3}}|[零一二三四五六七八九]|[一二三四五六七八九]?十[一二三四五六七八九]?)比(?P<other>[0-9]{{1,3}}|[零一二三四五六七八九]|[一二三四五六七八九]?十[一二三四五六七八九]?)(?![0-9.]|{NUMERAL})"
)
def _read_score(match: re.Match[str]) -> Reading | None:
    """3比2, 三比二: 3-2."""
    one, other = exact_value(match["one"]), exact_value(match["other"])
    if one is None or other is None:
        return None
    pairs = [(with_commas(one), with_commas(other)), (*small_or_digits(one), *small_or_digits(other))]
    said = [(f"{a}-{b}",) for a, b in pairs] + [(a, link, b) for a, b in pairs for link in ("to", ":", "-")]
    return Reading(match.end(), [said[0]], said, is_closed=False)


# --- amounts ---

_SEVERAL = {
    10: ("dozens", "several dozen"), 100: ("hundreds", "several hundred"), 1000: ("thousands", "several thousand"),
    10**4: ("tens of thousands",), 10**5: ("hundreds of thousands",), 10**6: ("millions", "several million"),
    10**7: ("tens of millions",), 10**8: ("hundreds of millions",), 10**9: ("billions",),
    10**10: ("tens of billions",), 10**11: ("hundreds of billions",), 10**12: ("trillions",),
}  # fmt: skip


@_kind(rf"(?P<amount>[几数上]{NUMERAL}+)(?P<of>[名人个家年亩吨元辆位天次条件])?(?![分字据码目额计])")
def _read_several(match: re.Match[str]) -> Reading | None:
    """几十万: hundreds of thousands; the word that is counted stays."""
    amount = amount_of(match["amount"])
    if amount is None or amount.vague != "several" or int(amount.low) not in _SEVERAL:
        return None
    names = _SEVERAL[int(amount.low)]
    said = [
        tuple(f"{name} of".split()) if " " not in name or name.endswith("s") else tuple(name.split()) for name in names
    ]
    end = match.end("amount")
    return Reading(end, [*said, tuple(names[0].split())], (), is_closed=match["of"] is not None)


@_kind(r"近(?P<unit>[百千万亿])(?=[名人个家年亩吨元辆位])")
def _read_nearly(match: re.Match[str]) -> Reading | None:
    """近百人: nearly 100."""
    value = exact_value(f"一{match['unit']}") or Decimal(0)
    return Reading(match.end(), before_each(("nearly", "almost"), [english_number(value)]), wordings(value))


def _unit_after(text: str, at: int, *, is_one: bool) -> tuple[int, list[list[str]]]:
    """The end of the unit or classifier at a place, and its English words; the place itself if there is none."""
    if unit := UNIT.match(text, at):
        return unit.end(), english_units(unit[0], is_one=is_one)
    classifier = None if re.search("[0-9]{9}$", text[:at]) else CLASSIFIER.match(text, at)
    return (classifier.end() if classifier else at), [[]]


_MONEY = ("元", "币", "金", "钱", "圆", "镑", "布", "郎", "铢", "比", "索")


@_kind(rf"(?P<sign>[-−+±])?{_amount('amount')}")
def _read_counted(match: re.Match[str]) -> Reading | None:
    """3.5万人, 三十多亿元, 七八百名, 19个: an amount with its unit or classifier."""
    text, amount = match["amount"], amount_of(match["amount"])
    if amount is None or amount.vague == "several" or not amount.low:
        return None
    is_one = amount.is_exact and amount.low == 1
    end, units = _unit_after(match.string, match.end(), is_one=is_one)
    is_money = match.string[:end].endswith(_MONEY)
    if end == match.end() or (is_one and units == [[]]) or ("兆" in text and not is_money):
        return None
    if match["sign"]:
        return _signed(match, amount, end, units)
    named = [tuple(unit) for unit in units]
    if amount.is_exact:
        words_of = [english_number(amount.low)] if text.isascii() and units != [[]] else _exact_words(amount.low)
        english = [(*words, *unit) for unit in named for words in words_of]
    else:
        english = [words for unit in named for words in _vague_words(amount, unit)]
    return Reading(end, english, _accepted(amount, text, is_money=is_money))


@_kind(rf"(?P<sign>[-−+±])?{_amount('amount')}")
def _read_uncounted(match: re.Match[str]) -> Reading | None:
    """48.5, 三百五十, 30多万: an amount alone. Few numerals may be a name, as may two digits before 年 be a year."""
    text, amount = match["amount"], amount_of(match["amount"])
    if amount is None or amount.vague == "several" or not amount.low or "兆" in text:
        return None
    in_digits = text[0].isascii()
    if match["sign"]:
        return _signed(match, amount, match.end(), [[]])
    is_small = amount.low <= 10 or (amount.high is not None and amount.high <= 20)
    if not in_digits and (len(text) < 2 or (is_small and "点" not in text)):
        return None
    if (amount.is_exact and amount.low == 1) or text.startswith("0") and text.isdecimal():
        return None
    if text.isascii():  # perhaps the number of something, which has no commas
        english: list[Wording] = [(text,)]
    else:
        english = _exact_words(amount.low) if amount.is_exact else _vague_words(amount)
    has_year = re.match("年(?![来间前后内以代])", match.string[match.end() : match.end() + 2])
    is_year = has_year and (60 <= amount.low < 120 or re.fullmatch("0[0-9]", text))
    is_large = amount.low >= 100 or (amount.low > 20 and amount.low % 10 != 0) or "点" in text
    is_certain = not is_year and (
        in_digits or is_large or match.string.startswith(("年", "号", "票", "席"), match.end())
    )
    return Reading(
        match.end(), english, _accepted(amount, text, is_money=False), is_certain=is_certain, is_closed=False
    )


def _exact_words(value: Decimal) -> list[Wording]:
    """The words that the rule proposes for an exact amount."""
    return [*(spelled(value) if value <= 10 else ()), english_number(value)]


def _accepted(amount: Amount, text: str, *, is_money: bool) -> list[Wording]:
    """All ways to say an amount that a phrase of the table may have."""
    if amount.high is not None:
        return _range_said(amount.low, amount.high, ())
    said: list[Wording] = list(wordings(amount.low))
    if is_money:
        said = [*(("$", *words) for words in said), *said]
    if text.isascii() and amount.is_exact:
        said.append((text,))
    if amount.vague == "more":
        said += [
            (f"{with_commas(amount.low)}s",),
            *((f"{words[0][:-1]}ies",) for words in spelled(amount.low) if words[0].endswith("ty")),
        ]
    if text.isdecimal():
        said += [*([(f"{text}:00",)] if int(text) < 24 else []), *(day_in(text) if len(text) > 2 else [])]
    return said


def _range_said(low: Decimal, high: Decimal, unit: Wording) -> list[Wording]:
    links: tuple[Wording, ...] = (("to",), ("or",), ("-",), ("and",))
    return [(*a, *link, *b, *unit) for a in wordings(low) for b in wordings(high) for link in links]


def _signed(match: re.Match[str], amount: Amount, end: int, units: list[list[str]]) -> Reading | None:
    """-5: the sign stays as it is, since it may be a dash."""
    # Behind a Chinese character - is a hyphen or a dash.
    if not amount.is_exact or re.match("[\\w]", match.string[: match.start()][-1:]):
        return None
    number = english_number(amount.low)
    shown = f"{match['sign']}{match['amount']}" if match["amount"].isascii() else None
    if shown is None:
        return None
    english: list[Wording] = [(shown, *unit) for unit in units]
    minus = [("minus", *words) for words in wordings(amount.low)] if match["sign"] in "-−" else []
    return Reading(end, english, [(shown,), (f"{match['sign']}{number[0]}",), *minus], is_closed=end > match.end())


@_kind(
    rf"(?P<sign>零下|负|[-−])?{_amount('amount')}(?P<unit>摄氏度|华氏度|度|℃|°C)(?![假过])|(?P<scale>摄氏|华氏)(?P<below>零下)?{_amount('of_scale')}度"
)
def _read_temperature(match: re.Match[str]) -> Reading | None:
    """零下五度: minus five degrees; 3摄氏度: three degrees Celsius. 三度 may be three times."""
    text = match["amount"] or match["of_scale"]
    amount = amount_of(text)
    if amount is None or amount.vague == "several":
        return None
    below = bool(match["sign"] or match["below"])
    if not below and not match["scale"] and match["unit"] == "度" and len(text) == 1 and not text.isascii():
        return None
    unit = match["unit"] or match["scale"]
    scale: Wording = (
        ("Celsius",) if unit in ("摄氏度", "摄氏", "℃", "°C") else ("Fahrenheit",) if "华氏" in unit else ()
    )
    degree = "degree" if amount.is_exact and amount.low == 1 else "degrees"
    words = _vague_words(amount, (degree, *scale))
    if below:
        words = [("minus", *number) for number in words] + [(*number, "below", "zero") for number in words]
    said = _accepted(amount, text, is_money=False)
    if below:
        said = (
            [(*start, *number) for number in said for start in (("minus",), ("-",))]
            + [(f"-{number[0]}",) for number in said if len(number) == 1]
            + said
        )
    return Reading(match.end(), words, said)


_HALF_UNITS = {
    "小时": "hours",
    "月": "months",
    "世纪": "centuries",
    "星期": "weeks",
    "年": "years",
    "天": "days",
    "多小时": "",
    "钟头": "hours",
}


@_kind(
    rf"{_amount('amount')}(?:个半(?P<unit>小时|月|世纪|星期|钟头)|(?P<whole>年|天|倍|小时)半(?![径数决夜票响路天年月]))"
)
def _read_and_a_half(match: re.Match[str]) -> Reading | None:
    """三个半月, 两年半: three and a half months."""
    amount = amount_of(match["amount"])
    if amount is None or not amount.is_exact or amount.low != int(amount.low):
        return None
    unit = {"倍": "times"}.get(match["whole"] or "") or _HALF_UNITS[match["unit"] or match["whole"]]
    value = amount.low + Decimal("0.5")
    words = (*small_or_digits(amount.low), "and", "a", "half", unit)
    said = [(*number, "and", "a", "half") for number in wordings(amount.low)] + list(wordings(value))
    said += [
        (*number, word, "and", "a", "half") for number in wordings(amount.low) for word in (unit, unit.rstrip("s"))
    ]
    return Reading(match.end(), [words, (with_commas(value), unit)], said)


@_kind(
    rf"(?P<whole>[0-9]+|{NUMERAL}{{1,4}})(?:块|元)(?:(?P<tenths>[1-9一二三四五六七八九])[角毛]?(?:(?P<hundredths>[1-9一二三四五六七八九])分)?)(?:钱)?(?![0-9]|{NUMERAL})"
)
def _read_money_with_parts(match: re.Match[str]) -> Reading | None:
    """3元5角, 三块五: 3.5 yuan."""
    whole, tenths = exact_value(match["whole"]), exact_value(match["tenths"])
    hundredths = exact_value(match["hundredths"]) if match["hundredths"] else Decimal(0)
    if whole is None or tenths is None or hundredths is None:
        return None
    value = whole + tenths / 10 + hundredths / 100
    said: list[Wording] = [*wordings(value), (f"{value:.2f}",)]
    return Reading(match.end(), [(with_commas(value), "yuan")], said)


@_kind(
    rf"(?<!）)(?P<percent>百分之)?(?P<sign>-)?{_amount('first')}(?P<mark>[%％]|个?百分点)?(?P<link>[-~—至到]){{1,2}}(?P<again>百分之)?{_amount('last')}(?P<end>[%％]|个?百分点)?(?![月日号时点分年])"
)
def _read_range(match: re.Match[str]) -> Reading | None:
    """10-20人, 5%-10%, 3~5万, 百分之五到十: a range, whose unit or scale counts for both ends."""
    first, last = match["first"], match["last"]
    if match["sign"] or re.match("0[0-9]", first) or re.match("0[0-9]", last) or (first + last).count("点") == 1:
        return None
    factor = (
        re.search(f"(?:{NUMERAL})+$", last) if first.isascii() and not last.isascii() and last[0].isascii() else None
    )
    low, high = amount_of(first + (factor[0] if factor else "")), amount_of(last)
    if low is None or high is None or not (low.is_exact and high.is_exact) or low.low >= high.low:
        return None
    if (match["mark"] or match["again"]) and not (match["end"] or match["percent"]):
        return None
    if match["link"] == "-" and (len(first) > 6 or len(last) > 6):  # a telephone number
        return None
    percent = bool(match["percent"] or (match["end"] and match["end"] in "%％"))
    return _range(match, low.low, high.low, percent=percent, points=(match["end"] or "").endswith("百分点"))


def _range(match: re.Match[str], low: Decimal, high: Decimal, *, percent: bool, points: bool) -> Reading:
    words: Wording = (*english_number(low), "to", *english_number(high))
    said = [
        (*a, *link, *b)
        for a in [*wordings(low), (match["first"],)]
        for b in [*wordings(high), (match["last"],)]
        for link in (("to",), ("and",), ("-",))
    ]
    end = match.end()
    if percent or points:
        unit: Wording = ("percent",) if percent else ("percentage", "points")
        return Reading(
            end,
            [(*words, *unit)],
            [
                *said,
                *((*a, "%", *link, *b) for a in wordings(low) for link in (("to",), ("-",)) for b in wordings(high)),
            ],
        )
    unit_end, units = _unit_after(match.string, end, is_one=False)
    if unit_end > end:
        return Reading(unit_end, [(*words, *unit) for unit in units], said)
    return Reading(end, [words], said, is_closed=False)


@_kind(rf"(?P<items>{AMOUNT}(?:、{AMOUNT})+)")
def _read_list(match: re.Match[str]) -> Reading | None:
    """3、5、7: a list of numbers; 三、四百: 300 to 400."""
    items = match["items"].split("、")
    end, units = _unit_after(match.string, match.end(), is_one=False)
    is_pair = len(items) == 2 and not items[0].isascii() and len(items[0]) == 1
    if is_pair and (len(items[1]) > 1 or end > match.end()):
        amount = amount_of(items[0] + items[1])
        if amount is None or amount.high is None:
            return None
        english = [words for unit in units for words in _vague_words(amount, unit)]
        return Reading(end, english, _range_said(amount.low, amount.high, ()), is_closed=end > match.end())
    values = [exact_value(item) for item in items]
    if None in values or not all(item[0].isascii() for item in items):
        return None
    numbers = [
        (item,) if item.isascii() else english_number(value) for item, value in zip(items, values, strict=True) if value
    ]
    words: Wording = numbers[0]
    for number in numbers[1:]:
        words = (*words, ",", *number)
    last = len(words) - len(numbers[-1]) - 1
    with_and = (*words[:last], "and", *words[last + 1 :])
    return Reading(match.end(), [words, with_and], [words, with_and], is_certain=False, is_closed=False)


@_kind(r"(?P<digits>[〇零一二三四五六七八九]{3,})(?=号)")
def _read_number_of_something(match: re.Match[str]) -> Reading | None:
    """一四四一号: 1441, a numeral for each digit."""
    number = str(positional_value(match["digits"]))
    return Reading(match.end(), [(number,)], [(number,), (with_commas(Decimal(number)),)])


@_kind(r"(?P<code>[0-9]+(?:[-/:.,][0-9]+)+|[0-9]{5,})(?![0-9A-Za-z月日号时点分%％]|[十百千万亿])")
def _read_code(match: re.Match[str]) -> Reading | None:
    """010-12345678, 12:30, 2019-03-05, 1/3: digits that are copied, a simple fraction in words, too."""
    text = match["code"]
    if re.fullmatch(DIGITAL, text) and not (len(text) > 6 and text.isdecimal()):
        return None
    said: list[Wording] = [(text,)]
    share = re.fullmatch("([1-9])/([2-9]|10)", text)
    if share and not match.string[: match.start()].endswith("第"):
        fraction = fraction_wordings(Decimal(share[2]), Decimal(share[1]))
        if fraction:
            return Reading(match.end(), [*fraction[:2], (text,)], fraction, is_closed=False)
    return Reading(match.end(), said, said, is_closed=False)
