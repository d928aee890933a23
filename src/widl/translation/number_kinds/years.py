"""Years, decades and centuries."""

import re
from decimal import Decimal

from widl.translation.chinese_numbers import (
    DIGIT,
    DIGITAL,
    NUMBER_SIGN,
    NUMERAL,
    amount_of,
    exact_value,
    positional_value,
)
from widl.translation.english_numbers import Wording, before_each, ordinals
from widl.translation.number_kinds.amount_words import joined
from widl.translation.number_kinds.kind import Kind, Reading, amount_group, kind

YEAR = (
    rf"(?:(?P<year>[12][0-9]{{3}}|[一二]{DIGIT}{{3}}|公元[0-9]{{3,4}})|民国(?P<roc>元|[0-9]{{1,3}}|{NUMERAL}{{1,6}}))"
)
"""A year without 年; of the era of the Republic only behind 民国, since 90年 may be 1990."""
_SINCE_ERA = 1911


def year_of(match: re.Match[str]) -> int | None:
    """The year that `YEAR` matched; 0 without one, None for a year that is none."""
    if roc := match["roc"]:
        value = Decimal(1) if roc == "元" else exact_value(roc) or positional_value(roc)
        return int(value) + _SINCE_ERA if value and value < 200 else None
    year = match["year"]
    if year is None:
        return 0
    return int(year.removeprefix("公元")) if year[-1].isascii() else positional_value(year)


def _year_reading(end: int, year: int) -> Reading:
    words, span = (str(year),), (f"{int(year):,}",)  # 2500年后: 2,500 years later
    return Reading(end, before_each(("", "in"), [words]), [words] if 1500 <= int(year) < 2200 else [words, span])


@kind(rf"{YEAR}(?: ?年(?![度级])|(?=年度))")
def year(match: re.Match[str]) -> Reading | None:
    """2003年: 2003; 民国九十年: 2001."""
    value = year_of(match)
    return _year_reading(match.end(), value) if value else None


@kind(rf"(?P<year>[一两二]千零?{NUMERAL}+)年(?![前来间后历多])")
def year_in_numerals(match: re.Match[str]) -> Reading | None:
    """两千零八年: 2008."""
    value = exact_value(match["year"])
    return _year_reading(match.end(), int(value)) if value is not None and 1800 <= value < 2200 else None


# 一二年 and 七八年 are one or two, and seven or eight, years.
@kind(rf"(?:(?P<of_1900>[五六七八九]{DIGIT})|(?P<of_2000>[零〇][一二三四五六七八九]|一[零〇三四五六七八九]))年(?![前来间后内以代度多])")
def year_in_two_numerals(match: re.Match[str]) -> Reading | None:
    """九八年: 1998; 零九年: 2009."""
    text = match["of_1900"] or match["of_2000"]
    value = positional_value(text)
    if value is None or (match["of_1900"] and value % 10 - value // 10 == 1):
        return None
    words = (str(value + (1900 if match["of_1900"] else 2000)),)
    return Reading(match.end(), before_each(("", "in"), [words]), [words, (f"'{value:02}",), (f"{value:02}",)])


_BIRTHS = "[05-9]0|[05-9]5|10|[五六七八九零〇][零〇五]|一[零〇]"


@kind(rf"(?:(?P<first>{_BIRTHS})后?[、和/及与])?(?P<births>{_BIRTHS})后(?![期面来卫续果代方])")
def generation(match: re.Match[str]) -> Reading | None:
    """90后, 九五后: people born in the 1990s, or from 1995 on."""
    texts = [text for text in (match["first"], match["births"]) if text]
    values = [int(text) if text.isascii() else positional_value(text) or 0 for text in texts]
    said = joined(*[part for value in values for part in ([("and",), (",",), ("/",)], _births(value))][1:])
    words: Wording = (f"post-{values[-1]:02}s",)
    if len(values) > 1:
        words = (f"post-{values[0]:02}s", "and", *words)
    return Reading(match.end(), before_each(("", "the"), [words]), said)


def _births(year: int) -> list[Wording]:
    full = year + (2000 if year < 50 else 1900)
    return [(f"post-{year:02}s",), (f"{year:02}s",), (f"{full}s",), (f"{full}",), (f"{year:02}",)]


@kind(rf"公元前(?P<year>[0-9]{{1,4}}|{NUMERAL}+)年(?!代)")
def year_before_christ(match: re.Match[str]) -> Reading | None:
    """公元前221年: 221 BC."""
    value = exact_value(match["year"]) or positional_value(match["year"])
    if not value:
        return None
    said: list[Wording] = [(str(int(value)), era) for era in ("BC", "B.C.", "BCE")]
    return Reading(match.end(), before_each(("", "in"), said[:1]), said)


@kind(rf"(?P<year>一[八九]{DIGIT}{{2}}|二[〇零]{DIGIT}{{2}})(?!{NUMBER_SIGN}|点)")
def year_without_sign(match: re.Match[str]) -> Reading | None:
    """一九九八至…: 1998."""
    words = (str(positional_value(match["year"])),)
    return Reading(match.end(), [words], [words])


@kind(r"(?P<first>[12][0-9]{3})(?:年?[-~—至到])(?P<last>[12][0-9]{3})年(?!度)")
def years(match: re.Match[str]) -> Reading | None:
    """1990-2000年: 1990 to 2000."""
    first, last = match["first"], match["last"]
    if first >= last:
        return None
    said: list[Wording] = [(first, link, last) for link in ("to", "-", "and", "through")]
    return Reading(match.end(), before_each(("", "from"), said[:1]), [*said, (f"{first}-{last}",)])


_CENTURY = rf"(?:(?P<century>{DIGITAL}|{NUMERAL}+) ?世纪 ?|(?P<last_century>上个?世纪) ?|本世纪 ?)"
_DECADE = "[1-9]0|[二三四五六七八九]?十"


def _first_year_of_century(match: re.Match[str]) -> int | None:
    """The first year of the century before a decade; 0 if the text has none, None if it is no century."""
    if match["last_century"]:
        return 1900
    if not match["century"]:
        return 2000 if match[0].startswith("本") else 0
    number = exact_value(match["century"])
    return None if number is None or not 1 < number < 22 else int(number - 1) * 100


def _decade_wordings(decade: int) -> list[Wording]:
    text = str(decade)
    if len(text) < 3:
        return [(f"{start}{text}s",) for start in ("", "'", "19", "20")]
    return [(text, "'s"), (f"{text}s",), (f"{text}'s",), (f"{text[2:]}s",), (f"'{text[2:]}s",)]


@kind(rf"{_CENTURY}?(?P<decade>{_DECADE}|[12][0-9]{{2}}0) ?年代")
def decade(match: re.Match[str]) -> Reading | None:
    """90年代, 上世纪九十年代: the 1990s; 19世纪60年代: the 1860s. 20年代 alone may be of two centuries: the 20s."""
    century, value = _first_year_of_century(match), int(exact_value(match["decade"]) or 0)
    if century is None or (value > 99 and century):
        return None
    if value < 100 and (century or value >= 30):
        value += century or 1900
    return Reading(match.end(), [("the", f"{value}s")], _decade_wordings(value))


@kind(
    rf"{_CENTURY}?(?:(?P<first>[3-9]0|[三四五六七八]十?)(?:年代)?(?P<link>[、至到~—-])|(?P<near>[三四五六七八]))",
    r"(?P<last>[4-9]0|[四五六七八九]十) ?年代",
)
def decades(match: re.Match[str]) -> Reading | None:
    """五六十年代, 50、60年代: the 1950s and 1960s."""
    century, first, last = _first_year_of_century(match), _first_decade(match), exact_value(match["last"])
    if century is None or first is None or last is None or first >= last or (match["near"] and last - first != 10):
        return None
    one, other = (int(century or 1900) + int(decade) for decade in (first, last))
    links: list[Wording] = [("and",), ("to",), ("or",)]
    said = [
        words
        for the in ((), ("the",))
        for words in joined([the], _decade_wordings(one), links, [the], _decade_wordings(other))
    ]
    joint = "and" if match["link"] in (None, "、") else "to"
    return Reading(match.end(), [("the", f"{one}s", joint, f"{other}s")], said)


def _first_decade(match: re.Match[str]) -> Decimal | None:
    text = match["first"] or match["near"]
    return exact_value(text if len(text) > 1 else f"{text}十")


@kind(rf"(?P<before_christ>公元前)?{amount_group('number')} ?世纪(?! ?末?{NUMBER_SIGN}+ ?年代)")
def century(match: re.Match[str]) -> Reading | None:
    """21世纪, 廿一世纪: the 21st century; 公元前3世纪: the third century BC. 一世纪 is also a hundred years."""
    amount = amount_of(match["number"])
    if amount is None or not amount.is_exact or not 0 < amount.low < 100 or amount.low != int(amount.low):
        return None
    if match["number"] == "一":
        return None
    era = ("BC",) if match["before_christ"] else ()
    words = (*ordinals(amount.low)[0], "century", *era)
    return Reading(match.end(), before_each(("the", ""), [words]), ordinals(amount.low))


@kind(
    rf"(?P<first>[0-9]{{1,2}}|{NUMERAL}{{1,3}})(?:世纪)?(?P<link>[、至到和~—-])(?P<last>[0-9]{{1,2}}|{NUMERAL}{{1,3}})世纪",
    rf"(?!末?{NUMBER_SIGN}+年代)",
)
def centuries(match: re.Match[str]) -> Reading | None:
    """18、19世纪, 15至16世纪: the 18th and 19th centuries, the 15th to 16th centuries."""
    first, last = exact_value(match["first"]), exact_value(match["last"])
    if first is None or last is None or not 0 < first < last < 30:
        return None
    joint = "and" if match["link"] in "、和" else "to"
    words = (*ordinals(first)[0], joint, *ordinals(last)[0], "centuries")
    links: list[Wording] = [("and",), ("to",), ("through",), ("-",)]
    said = joined(ordinals(first), links, [(), ("the",)], ordinals(last))
    return Reading(match.end(), before_each(("the", ""), [words]), said)


KINDS: tuple[Kind, ...] = (
    *(year, year_in_numerals, year_in_two_numerals, year_before_christ, years, year_without_sign, generation),
    *(decade, decades, century, centuries),
)
