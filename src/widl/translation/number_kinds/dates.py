"""Days and months, of the Gregorian calendar and of the lunar one."""

import re
from calendar import monthrange
from decimal import Decimal
from itertools import product

from widl.translation.chinese_numbers import exact_value
from widl.translation.english_numbers import (
    MONTHS,
    Wording,
    before_each,
    date_wordings,
    day_ordinal,
    ordinals,
    wordings,
)
from widl.translation.number_kinds.amount_words import joined
from widl.translation.number_kinds.kind import Kind, Reading, kind
from widl.translation.number_kinds.years import YEAR, year_of

_MONTH_NUMBER = "1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九]"
_MONTH = f"(?P<month>元|{_MONTH_NUMBER})"
_DAY_NUMBER = "3[01]|[12][0-9]|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|[一二三四五六七八九]"
_DAY = f"(?P<day>{_DAY_NUMBER})"
_LINK = "[、至到~—-]"
_SHARE_OF_MONTH = "(?:份(?!额))?"
# Words behind a month that is none: 八月球, and a day of the month.
_AFTER_MONTH = "(?![球亮光饼子])"
# Words of a day that are no calendar day: 日元 yen, 三日游 a tour of three days, 3日内 within three days.
_AFTER_DAY = "(?![元圆本均方常程夜子游间内]|报(?![道导])|[之以]内|之?[后前](?!往))"
_AFTER_DATE = "(?![元圆本均方常程子]|报(?![道导]))"
_DATELINE = "(?:电(?![力话视脑子影台池器信讯网邮]))?"
_LEAP_YEAR = 2000  # for dates without a year


def _number(text: str) -> int:
    """The number of a month or a day; 元 is the first."""
    return int(exact_value(text.replace("元", "一")) or 0)


def _is_day(day: int, month: int, year: int = _LEAP_YEAR) -> bool:
    return 1 <= day <= monthrange(year, month)[1]


@kind(rf"(?:{YEAR} ?年 ?)?{_MONTH} ?月 ?{_DAY} ?[日号]{_AFTER_DATE}{_DATELINE}")
def date(match: re.Match[str]) -> Reading | None:
    """2019年3月5日, 民国九十年三月五日, 3月5日: March 5, 2019."""
    year, month, day = year_of(match), _number(match["month"]), _number(match["day"])
    if year is None or not _is_day(day, month, year or _LEAP_YEAR):
        return None
    words: Wording = (MONTHS[month - 1], str(day), *((",", str(year)) if year else ()))
    return Reading(match.end(), before_each(("", "on"), [words]), date_wordings(month, day, year or None))


@kind(rf"{YEAR} ?年 ?{_MONTH} ?月{_SHARE_OF_MONTH}")
def month_of_year(match: re.Match[str]) -> Reading | None:
    """2021年1月: January 2021."""
    year, month = year_of(match), _number(match["month"])
    if not year:
        return None
    words = (MONTHS[month - 1], str(year))
    return Reading(match.end(), before_each(("", "in"), [words]), date_wordings(month, None, year))


@kind(rf"{_MONTH} ?月{_SHARE_OF_MONTH}(?! ?(?:{_DAY_NUMBER}) ?[日号]){_AFTER_MONTH}")
def month(match: re.Match[str]) -> Reading | None:
    """3月, 元月份: March, in March."""
    number = _number(match["month"])
    said = [*date_wordings(number), *wordings(Decimal(number))]
    return Reading(match.end(), before_each(("", "in"), [(MONTHS[number - 1],)]), said)


@kind(
    rf"(?P<first>{_MONTH_NUMBER})(?:月?(?P<link>{_LINK}))?(?P<last>{_MONTH_NUMBER})月{_SHARE_OF_MONTH}",
    f"(?![0-9]){_AFTER_MONTH}",
)
def months(match: re.Match[str]) -> Reading | None:
    """3、4月份, 七八月: March and April; 3-5月: March to May."""
    first, last = _number(match["first"]), _number(match["last"])
    # Without a sign between them, numerals are one or the next month, digits a single number.
    is_next = last == first + 1 and first < 10 and not match["first"].isascii()
    if first >= last or not (match["link"] or is_next):
        return None
    joint = "and" if match["link"] in (None, "、") else "to"
    words = (MONTHS[first - 1], joint, MONTHS[last - 1])
    links: list[Wording] = [("and",), ("or",), ("to",), ("through",), ("-",)]
    said = joined(date_wordings(first), links, date_wordings(last))
    return Reading(match.end(), before_each(("", "in"), [words]), said)


MONTHS_FROM_NOW = {
    **dict.fromkeys(("上月", "上个月"), "last month"), **dict.fromkeys(("下月", "下个月"), "next month"),
    **dict.fromkeys(("本月", "这个月"), "this month"), **dict.fromkeys(("当月", "同月"), "that month"),
    "次月": "the following month",
}  # fmt: skip
"""Words before a day that say its month."""


BEFORE_SPAN_OF_DAYS = "拘留|为期|历期|长达|连续"
"""A pattern of words before a number of days, which is no day of a month."""
_A_DAY = re.compile("[一二两三四五六数几0-9~至到-]{1,3}[次餐遍顿回片粒]|千里|之[内计]|[两三]餐")


@kind(rf"[一1]日(?={_A_DAY.pattern})")
def in_a_day(match: re.Match[str]) -> Reading | None:
    """一日三次: three times a day."""
    said: list[Wording] = [("a", "day"), ("daily",), ("per", "day"), ("one", "day"), ("each", "day")]
    return Reading(match.end(), said[:2], said)


@kind(rf"(?P<month>{'|'.join(MONTHS_FROM_NOW)})?(?<![前次某同这那每另])(?<!{BEFORE_SPAN_OF_DAYS}){_DAY}日{_AFTER_DAY}{_DATELINE}")
def day(match: re.Match[str]) -> Reading | None:
    """17日: on the 17th; 上月17日: the 17th of last month. 17号 is perhaps the number of something."""
    number = _number(match["day"])
    if match["day"] == "一" and _A_DAY.match(match.string, match.end()):  # 一日三次: three times a day
        return None
    ordinal = day_ordinal(number)
    said = ordinals(Decimal(number))  # a number alone is no day
    if match["month"]:
        words = ("the", ordinal, "of", *MONTHS_FROM_NOW[match["month"]].split())
        return Reading(match.end(), before_each(("", "on"), [words]), said)
    return Reading(match.end(), [("on", "the", ordinal), ("the", ordinal)], said)


_DAY_LINKS: list[Wording] = [("and",), ("to",), ("through",), ("-",)]


@kind(rf"(?P<first>{_DAY_NUMBER})日?(?P<link>{_LINK})(?P<last>{_DAY_NUMBER})日{_AFTER_DAY}{_DATELINE}")
def days(match: re.Match[str]) -> Reading | None:
    """15、16日: the 15th and 16th."""
    first, last = _number(match["first"]), _number(match["last"])
    if first >= last or last > 31:
        return None
    joint = "and" if match["link"] == "、" else "to"
    words = ("the", day_ordinal(first), joint, day_ordinal(last))
    said = joined(_day_wordings(first), _DAY_LINKS, _day_wordings(last))
    return Reading(match.end(), before_each(("", "on"), [words]), said)


def _day_wordings(day: int) -> list[Wording]:
    return [(day_ordinal(day),), ("the", day_ordinal(day)), (str(day),)]


@kind(
    rf"(?:{YEAR}年)?{_MONTH}月(?P<first>{_DAY_NUMBER})日?(?P<link>{_LINK})(?P<last>{_DAY_NUMBER})[日号]",
    f"{_AFTER_DAY}{_DATELINE}",
)
def days_of_month(match: re.Match[str]) -> Reading | None:
    """5月3日至7日: May 3 to 7."""
    month, first, last = (_number(match[name]) for name in ("month", "first", "last"))
    year = year_of(match)
    if year is None or first >= last or not _is_day(last, month, year or _LEAP_YEAR):
        return None
    joint = "and" if match["link"] == "、" else "to"
    words = (MONTHS[month - 1], str(first), joint, str(last), *((",", str(year)) if year else ()))
    ends = date_wordings(month, last, year or None)
    if year:
        ends += joined([(str(last),)], [(",",), ()], [(str(year),)])
    else:
        ends.append((str(last),))
    return Reading(match.end(), before_each(("", "on"), [words]), joined(date_wordings(month, first), _DAY_LINKS, ends))


_LUNAR_MONTH = "正|腊|冬|十[一二]?|[一二三四五六七八九]|1[0-2]|[1-9]"
_LUNAR_MONTHS = {"正": "一", "冬": "十一", "腊": "十二"}
_LUNAR_DAY_ONLY = "初[一二三四五六七八九十]|廿[一二三四五六七八九]?"
_LUNAR_DAY = f"{_LUNAR_DAY_ONLY}|三十|二?十[一二三四五六七八九]?|[12][0-9]|30|[1-9]"


@kind(
    rf"(?:农历|阴历|旧历)(?P<month>{_LUNAR_MONTH})月(?P<day>{_LUNAR_DAY})日?|",
    rf"(?P<other_month>{_LUNAR_MONTH})月(?P<day_only>{_LUNAR_DAY_ONLY})|",
    rf"(?P<month_only>[正腊])月(?P<other_day>{_LUNAR_DAY})",
)
def lunar_date(match: re.Match[str]) -> Reading | None:
    """农历八月十五, 八月廿三: the 15th day of the eighth lunar month. A month or day may have only a lunar name."""
    month_text = match["month"] or match["other_month"] or match["month_only"]
    day_text = match["day"] or match["day_only"] or match["other_day"]
    month, day = exact_value(_LUNAR_MONTHS.get(month_text, month_text)), exact_value(day_text.removeprefix("初"))
    if month is None or day is None or day > 30:
        return None
    words = ("the", day_ordinal(int(day)), "day", "of", "the", *ordinals(month)[0], "lunar", "month")
    said = [
        ("the", *one, "day", "of", "the", *other, "lunar", "month")
        for one, other in product(ordinals(day), ordinals(month))
    ]
    said += [(*one, "month") for one in ordinals(month)]
    return Reading(match.end(), before_each(("", "on"), [words]), said, is_certain=False)


@kind(r"(?P<month>1[0-2]|[1-9])·(?P<day>3[01]|[12][0-9]|[1-9])(?=[\u4e00-\u9fff”])(?!年|月|日|[0-9])")
def date_with_dot(match: re.Match[str]) -> Reading | None:
    """9·11: September 11."""
    month, day = int(match["month"]), int(match["day"])
    if not _is_day(day, month):
        return None
    said = [*date_wordings(month, day), (f"{month}/{day}",), (f"{month}-{day}",), (match[0],)]
    return Reading(match.end(), [(MONTHS[month - 1], str(day))], said, is_certain=False)


KINDS: tuple[Kind, ...] = (
    *(date, month_of_year, month, months, in_a_day, day, days, days_of_month),
    *(lunar_date, date_with_dot),
)
