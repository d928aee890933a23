"""Times of day."""

import re
from collections.abc import Sequence
from decimal import Decimal

from widl.translation.chinese_numbers import NUMBER_SIGN, NUMERAL, exact_value
from widl.translation.english_numbers import Wording, before_each, small_or_digits, with_commas, wordings
from widl.translation.number_kinds.amount_words import joined
from widl.translation.number_kinds.dates import BEFORE_SPAN_OF_DAYS
from widl.translation.number_kinds.kind import Kind, Reading, kind

PARTS_OF_DAY = {
    **dict.fromkeys(("凌晨", "清晨", "早晨", "早上", "上午", "早"), "a.m."),
    **dict.fromkeys(("下午", "午后", "傍晚"), "p.m."),
    **dict.fromkeys(("晚上", "晚间", "夜间", "夜里", "深夜", "午夜", "晚"), "night"),
    **dict.fromkeys(("中午", "正午"), "noon"),
}
"""Words before a time, and their meaning."""
_LATE = ("夜间", "夜里", "深夜", "午夜")  # hours after midnight as well
_HOUR = "2[0-4]|1[0-9]|0?[0-9]|二十[一二三四]?|十[一二三四五六七八九]?|[零一二两三四五六七八九]"
_MINUTE = "[0-5]?[0-9]|[二三四五]?十[一二三四五六七八九]?|零?[一二三四五六七八九]"
_MINUTES = (
    rf"(?P<half>半)|(?P<quarter>[一三])刻钟?|整|零?(?P<minute>{_MINUTE}) ?分(?![之钟析别为数])"
    r"|(?P<short>[0-5][0-9])(?=许|左右|[至到~—-]|[^\w.]|$)(?! ?分)"  # 8时30名: 30 of something
)
# Words that begin with 时: 时间 time, 时代 era.
_AFTER_HOUR = "(?![间代期段刻分而常候尚差机报局事装速空限])"


def _half_of(part_of_day: str, hour: int) -> str | None:
    """a.m. or p.m. of an hour up to 12; None if it is none of the part of the day."""
    half = PARTS_OF_DAY[part_of_day]
    if half == "a.m.":
        return "a.m." if hour < 12 or part_of_day == "凌晨" else None
    if half == "noon":
        return "a.m." if hour in (10, 11) else "p.m." if hour in (12, 1, 2) else None
    if half == "night":
        return _half_at_night(part_of_day, hour)
    return "p.m."


def _half_at_night(part_of_day: str, hour: int) -> str | None:
    if hour < 5:
        return "a.m." if part_of_day in _LATE and hour else None
    return "a.m." if hour == 12 else "p.m."


@kind(
    rf"(?P<part>{'|'.join(PARTS_OF_DAY)})? ?(?P<hour>{_HOUR})",
    rf"(?:(?P<colon>:)(?P<clock>[0-5][0-9])(?![0-9:.])| ?[点时](?:钟?过)? ?(?:{_MINUTES})",
    rf"|(?P<exact>点钟)| ?时{_AFTER_HOUR}(?! ?{NUMBER_SIGN}+ ?分)|(?P<spoken>点)(?!{NUMBER_SIGN}))(?P<later>多)?",
)
def time(match: re.Match[str]) -> Reading | None:
    """14时05分: 14:05; 下午三点二十分: 3:20 p.m.; 8时: 8:00; 上午9点多: after 9 a.m.

    8点 alone may be eight points, 3:20 a score.
    """
    hour, minute = int(exact_value(match["hour"]) or 0), _minute_of(match)
    part = match["part"] or _part_before(match)
    if minute is None or ((match["spoken"] or match["colon"]) and not part):
        return None
    if match["hour"] == "零" and match["minute"] is None:
        return None
    if part is None or hour > 12:
        return _time_reading(match, hour, minute, None)
    half = _half_of(part, hour)
    return _time_reading(match, hour, minute, half) if half else None


def _part_before(match: re.Match[str]) -> str | None:
    """晚 of 昨晚, behind which the match begins."""
    return "晚" if re.search("[今昨明当前每]晚$", match.string[max(0, match.start() - 2) : match.start()]) else None


def _minute_of(match: re.Match[str]) -> int | None:
    if match["half"]:
        return 30
    if match["quarter"]:
        return 15 if match["quarter"] == "一" else 45
    text = match["clock"] or match["minute"] or match["short"]
    value = exact_value(text.lstrip("零")) if text else Decimal(0)
    return None if value is None or value > 59 else int(value)


def _time_reading(match: re.Match[str], hour: int, minute: int, half: str | None) -> Reading:
    """The reading of a time; `half`: a.m. or p.m., if the text says which."""
    if hour == 12 and not minute and half == "p.m.":
        words: Wording = ("12", "noon")
    elif match["exact"]:
        words = (*small_or_digits(Decimal(hour)), "o'clock")
    else:
        clock: Wording = (str(hour), ":", f"{minute:02}") if minute or half is None else (str(hour),)
        words = (*clock, half) if half else clock
    starts = ("after", "shortly after") if match["later"] else ("", "at")
    return Reading(match.end(), before_each(starts, [words]), _time_wordings(hour, minute, half))


def _time_wordings(hour: int, minute: int, half: str | None) -> list[Wording]:
    said = [words for shown, needed in _clocks(hour, half) for words in _clock_wordings(shown, minute, needed)]
    if not minute and hour == 12 and half == "p.m.":
        said += [("12", "noon"), ("noon",)]
    if not minute and (hour in (0, 24) or (hour == 12 and half == "a.m.")):
        said.append(("midnight",))
    return list(dict.fromkeys(said))


def _clocks(hour: int, half: str | None) -> list[tuple[int, str | None]]:
    """The hour as clocks of 12 and 24 hours show it, with the half of the day that a wording then needs."""
    clocks = [(hour, half)]
    twelve = (hour - 1) % 12 + 1
    if half is None and hour != twelve:
        clocks.append((twelve, "p.m." if 12 <= hour < 24 else "a.m."))
    if half == "p.m." and hour < 12:
        clocks.append((hour + 12, None))
    return clocks


def _clock_wordings(hour: int, minute: int, half: str | None) -> list[Wording]:
    ends: list[Wording] = [(half,), (half.replace(".", ""),), ()] if half else [()]
    shown = f"{minute:02}"
    forms: list[Wording] = [(str(hour), ":", shown), (f"{hour}:{shown}",), (f"0{hour}", ":", shown)]
    if not minute:
        forms += [(str(hour),), small_or_digits(Decimal(hour)), (str(hour), "o'clock")]
    return [(*form, *end) for form in forms for end in ends]


@kind(
    rf"(?P<part>{'|'.join(PARTS_OF_DAY)}) ?(?P<hour>{_HOUR}) ?[点时] ?[至到~—-] ?(?P<last>{_HOUR}) ?",
    rf"(?:点钟?|时{_AFTER_HOUR})(?!{NUMBER_SIGN}|[半多])",
)
def hours(match: re.Match[str]) -> Reading | None:
    """下午3点至5点: 3 to 5 p.m."""
    first, last = (int(exact_value(match[name]) or 0) for name in ("hour", "last"))
    halves = [_half_of(match["part"], hour) for hour in (first, last) if 0 < hour <= 12]
    if len(set(halves)) != 1 or len(halves) < 2 or halves[0] is None or first >= last:
        return None
    links: list[Wording] = [("to",), ("and",), ("until",), ("-",)]
    one, other = ([(str(hour),), small_or_digits(Decimal(hour))] for hour in (first, last))
    ends: list[Wording] = [(halves[0],), (halves[0].replace(".", ""),)]
    said = joined(one, [(), *ends], links, other, ends)
    words: Wording = (str(first), "to", str(last), halves[0])
    return Reading(match.end(), [words, ("from", *words)], said)


_BEFORE_HOUR = rf"(?:{_MINUTE}) ?分钟?|一刻钟?"


@kind(
    rf"差(?P<first>{_BEFORE_HOUR})(?P<hour>{_HOUR})点钟?(?!{NUMBER_SIGN}|[半多])",
    rf"|(?P<part>{'|'.join(PARTS_OF_DAY)})?(?P<hour_first>{_HOUR})点钟?差(?P<last>{_BEFORE_HOUR})",
)
def time_before_hour(match: re.Match[str]) -> Reading | None:
    """差五分三点, 三点差五分: 2:55."""
    hour = int(exact_value(match["hour"] or match["hour_first"]) or 0)
    text = (match["first"] or match["last"]).strip("分钟 ")
    minute = 15 if text == "一刻" else int(exact_value(text.lstrip("零")) or 0)
    half = _half_of(match["part"], hour) if match["part"] and hour <= 12 else None
    if not 0 < minute < 60 or not 1 < hour <= 24 or (match["part"] and half is None) or (half and hour == 12):
        return None
    clock: Wording = (str(hour - 1), ":", f"{60 - minute:02}", *((half,) if half else ()))
    return Reading(match.end(), before_each(("", "at"), [clock]), _time_wordings(hour - 1, 60 - minute, half))


@kind(rf"(?P<hour>{_HOUR})[时点](?P<minute>[0-5]?[0-9])分(?P<second>[0-5]?[0-9])秒")
def time_of_seconds(match: re.Match[str]) -> Reading | None:
    """11时11分11秒: 11:11:11."""
    hour, minute, second = (int(exact_value(match[name]) or 0) for name in ("hour", "minute", "second"))
    if hour > 24:
        return None
    words: Wording = (f"{hour}:{minute:02}:{second:02}",)
    return Reading(match.end(), before_each(("", "at"), [words]), [words])


@kind(f"(?P<one>[二三四五六七八九])(?P<other>[三四五六七八九十])点(?:钟|(?!{NUMBER_SIGN}|[半整一三多]))")
def hour_or_next(match: re.Match[str]) -> Reading | None:
    """七八点钟: seven or eight o'clock."""
    one, other = (exact_value(match[name]) or Decimal(0) for name in ("one", "other"))
    if other - one != 1:
        return None
    first, second = ([small_or_digits(hour), (str(hour),)] for hour in (one, other))
    said = joined(first, [("or",), ("to",), ("-",)], second)
    return Reading(match.end(), [(*small_or_digits(one), "or", *small_or_digits(other), "o'clock")], said)


@kind("(?P<quarters>[一三1-3])刻钟")
def quarters(match: re.Match[str]) -> Reading | None:
    """三刻钟: 45 minutes."""
    minutes = Decimal(15 * int(exact_value(match["quarters"]) or 0))
    said = joined(wordings(minutes), [("minutes",), ()])
    if minutes == 15:
        said += [("a", "quarter"), ("quarter",)]
    return Reading(match.end(), [(str(minutes), "minutes")], said)


_COUNT = f"[0-9]{{1,3}}|{NUMERAL}{{1,3}}"
_SECONDS = r"(?P<{}>[0-9]{{1,2}}(?:\.[0-9]+)?|{}{{1,3}}) ?秒钟?"


@kind(
    rf"(?P<hours>{_COUNT}) ?个?小时 ?零?(?P<minutes>{_COUNT}) ?分(?:钟(?!之))?",
    rf"(?: ?零?{_SECONDS.format('seconds', NUMERAL)})?",
    rf"|(?P<first_minutes>{_COUNT}) ?分钟? ?零?{_SECONDS.format('last_seconds', NUMERAL)}",
    "(?P<after>[0-9]{1,2}(?![0-9]))?",
)
def duration(match: re.Match[str]) -> Reading | None:
    """2小时15分30秒: 2 hours, 15 minutes and 30 seconds."""
    names = (("hours", "hour"), ("minutes", "minute"), ("first_minutes", "minute"))
    parts = [(match[name], unit) for name, unit in (*names, ("seconds", "second"), ("last_seconds", "second"))]
    if match["after"]:  # 3分42秒44
        if "." in match["last_seconds"] or not match["last_seconds"].isascii():
            return None
        parts[-1] = (f"{match['last_seconds']}.{match['after']}", "second")
    values = [(exact_value(text), unit) for text, unit in parts if text]
    counts = [(value, unit) for value, unit in values if value is not None]
    if len(counts) < len(values):
        return None
    first, *rest = (_counts(value, unit) for value, unit in counts)
    said = first
    for counted in rest:
        said = joined(said, [(), (",",), ("and",), (",", "and")], counted)
    words = [(*small_or_digits(value), unit if value == 1 else f"{unit}s") for value, unit in counts]
    return Reading(match.end(), [sum(words, ()), *_with_and(words)], said)


_PARTS_OF_SPAN = {"个月": "month", "天": "day", "个星期": "week", "周": "week"}


@kind(
    rf"(?P<years>{_COUNT})年(?P<zero>零)?(?P<rest>{_COUNT})(?P<unit>个月|天|个星期|周)(?!年)",
)
def years_and_rest(match: re.Match[str]) -> Reading | None:
    """三年零六个月: three years and six months. 95年3周 may be a year."""
    years, rest = exact_value(match["years"]), exact_value(match["rest"].removeprefix("零"))
    if years is None or rest is None or not 0 < years < 60 or not rest:
        return None
    if not match["zero"] and match["unit"] != "个月":
        return None
    unit = _PARTS_OF_SPAN[match["unit"]]
    said = joined(_counts(years, "year"), [(), ("and",), (",",)], _counts(rest, unit))
    years_in_words = (*small_or_digits(years), "year" if years == 1 else "years")
    words = (*years_in_words, "and", *small_or_digits(rest), unit if rest == 1 else f"{unit}s")
    return Reading(match.end(), [words], said)


@kind(r"(?P<one>一两|两三|[二三四五六七八][三四五六七八九])年(?P<of>[来间内后以之前])?")
def years_or_next(match: re.Match[str]) -> Reading | None:
    """两三年: two or three years; 七八年 may be 1978, but not before 来 or 内."""
    one, other = (exact_value(sign) or Decimal(0) for sign in match["one"])
    if other - one != 1 or not (match["of"] or "两" in match["one"]):
        return None
    words = (*small_or_digits(one), "or", *small_or_digits(other), "years")
    numbers = [[small_or_digits(value), (str(value),)] for value in (one, other)]
    said = joined(numbers[0], [("or",), ("to",), ("-",)], numbers[1])
    return Reading(match.start() + 3, [words], said)


@kind(rf"(?P<days>{_COUNT})日(?=之?[内后]|以内)|(?<={BEFORE_SPAN_OF_DAYS})(?P<behind>{_COUNT})日")
def span_of_days(match: re.Match[str]) -> Reading | None:
    """五日后, 拘留15日: five days later, 15 days' detention."""
    value = exact_value(match["days"] or match["behind"])
    if not value or (match["days"] and value == 1):
        return None
    return Reading(match.end(), [(*small_or_digits(value), "day" if value == 1 else "days")], _counts(value, "day"))


def _counts(value: Decimal, unit: str) -> list[Wording]:
    return joined({(with_commas(value),), small_or_digits(value)}, [(unit if value == 1 else f"{unit}s",)])


def _with_and(words: Sequence[Wording]) -> list[Wording]:
    return [(*sum(words[:-1], ()), "and", *words[-1])]


KINDS: tuple[Kind, ...] = (time, time_before_hour, time_of_seconds, hours, hour_or_next, quarters, duration,
    years_and_rest, years_or_next, span_of_days)
