"""Chinese dates, percentages and large numbers in English, by rule."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from widl.translation.line_parts import GivenTranslations, Part
from widl.translation.measure_words import CLASSIFIER, UNIT, english_units
from widl.translation.numbers import Wording, month_wordings, wordings
from widl.translation.numerals import (
    DIGITAL,
    DIGITS,
    HAN_NUMERAL,
    MIXED,
    MONTHS,
    MOST,
    TERMS,
    chinese_number,
    english_number,
    with_commas,
)

_STARTS_WITH_DIGITS = re.compile("[0-9]")
_NUMBER = rf"(?:{DIGITAL}|{HAN_NUMERAL}+(?:点[〇零一二三四五六七八九]+)?)"
_YEAR = r"(?P<year>[12][0-9]{3}|[一二][〇零一二三四五六七八九]{3})年"
_MONTH = r"(?P<month>元|1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月"
_DAY = r"(?P<day>3[01]|[12][0-9]|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]"
# A number ends where no further numeral follows, nor a character that changes its meaning (十几, 三万多, 二十一世纪).
_BEGINS = rf"(?<![0-9.,第数几之分周点]|{HAN_NUMERAL})(?<![0-9一二三四五六七八九]、)"
_ENDS = rf"(?!{HAN_NUMERAL}|[0-9点多余几来分世届周年月日号岁级])"
_LARGE = "(?:万亿|[十百千]?[万亿])"
_ENTITY = re.compile(
    rf"{_BEGINS}(?:{_YEAR}\s*{_MONTH}(?:\s*{_DAY})?"
    rf"|{_MONTH.replace('month', 'month_only')}\s*{_DAY.replace('day', 'day_only')}"
    rf"|百分之(?P<percent>{_NUMBER}){_ENDS}"
    rf"|(?P<digits>{MIXED})(?![0-9点多余几来分]|(?!千[克米瓦]){HAN_NUMERAL})"  # 5,000亿日圆 and 66万千瓦 as well
    rf"|(?P<least>{TERMS}|{DIGITAL}|{HAN_NUMERAL}+)[多余](?P<scale>{_LARGE}?)(?![数半久样多余])"
    rf"|(?P<number>{HAN_NUMERAL}{{2,}}){_ENDS}"
    rf"|(?P<few>{DIGITAL}|{HAN_NUMERAL}+)(?={UNIT.pattern}))"
)
# 新华社巴黎3月18日电: of a report, which English says by the date alone.
_DATELINE = re.compile("电(?![力话视脑子影台池器信讯网邮])")
_ONE_TO_TEN = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def find_entities(text: str) -> Iterator[tuple[int, int, Part]]:
    """Dates, percentages, and numbers with their units in a normalized Chinese text, in English.

    >>> entities = find_entities("2019年3月5日，百分之二十，3.5万，30多亿，三公里，一百余名")
    >>> [" ".join(part.given.alternatives[0][0]) for _, _, part in entities]
    ['March 5 , 2019', '20 percent', '35,000', 'more than 3 billion', 'three kilometers', 'more than 100']
    """
    for match in _ENTITY.finditer(text):
        words = _english(match)
        if words:
            end, counted = _counted(match)
            preposition = _preposition(match)
            before = ["more than", "over"] if match["least"] else ["", preposition] if preposition else [""]
            alternatives = [[*start.split(), *words, *unit] for unit in counted for start in before]
            matched = text[match.start() : end]
            translations = GivenTranslations.evenly(
                alternatives, exclusive=False, origin="rule", numbers=_accepted(match, matched)
            )
            yield match.start(), end, Part(matched, translations)


def _accepted(match: re.Match[str], matched: str) -> Sequence[Wording]:
    """The ways to say the number that a phrase of the table may have; none for one, which is an article, too."""
    month, day = _month(match), match["day"] or match["day_only"]
    if month:
        year = _year(match["year"]) if match["year"] else None
        return month_wordings(int(chinese_number(month) or 1), int(chinese_number(day) or 1) if day else None, year)
    value = _value(match)
    if value is None or value == 1:
        return ()
    said = wordings(value)
    if match["percent"]:
        return [(*words, *sign) for words in said for sign in (("percent",), ("%",), ("per", "cent"))] + list(said)
    if matched.endswith(("元", "币", "金", "块钱")):
        return [*(("$", *words) for words in said), *said]
    return said


def _value(match: re.Match[str]) -> Decimal | None:
    if match["digits"]:
        return chinese_number(match["digits"])
    if match["least"]:
        return _product(match["least"], match["scale"])
    return chinese_number(match["percent"] or match["number"] or match["few"])


def _month(match: re.Match[str]) -> str:
    """The month of a date, 元月 as the first; empty if the match is no date."""
    return (match["month"] or match["month_only"] or "").replace("元", "一")


def _counted(match: re.Match[str]) -> tuple[int, list[list[str]]]:
    """The end of a number with its unit, and the words for the unit; a classifier has none."""
    number = match["digits"] or match["least"] or match["number"] or match["few"]
    if not number:
        dateline = _DATELINE.match(match.string, match.end()) if match["day"] or match["day_only"] else None
        return dateline.end() if dateline else match.end(), [[]]
    if unit := UNIT.match(match.string, match.end()):
        return unit.end(), english_units(unit[0], is_one=chinese_number(match["few"] or "零") == 1)
    classifier = CLASSIFIER.match(match.string, match.end())
    return classifier.end() if classifier else match.end(), [[]]


def _preposition(match: re.Match[str]) -> str:
    """The preposition that English may have before a date; the search decides whether to use it."""
    if match["day"] or match["day_only"]:
        return "on"
    return "in" if match["month"] else ""


def _english(match: re.Match[str]) -> list[str]:
    """The English tokens; empty if the match is not a well-formed number."""
    month, day = _month(match), match["day"] or match["day_only"]
    if month:
        day_words = [str(chinese_number(day))] if day else []
        words = [MONTHS[int(chinese_number(month) or 1) - 1], *day_words]
        return words + ([","] if day and match["year"] else []) + ([str(_year(match["year"]))] if match["year"] else [])
    if match["percent"]:
        share = chinese_number(match["percent"])
        return [] if share is None or share > MOST else [with_commas(share), "percent"]
    if match["digits"]:
        return _in_words(chinese_number(match["digits"]))
    if match["least"]:
        return _in_words(_product(match["least"], match["scale"]))
    number = chinese_number(match["number"] or match["few"])
    if number is None or number > MOST or (number <= 10 and match["number"]):
        return []
    if (match["few"] or "")[:1] in (*DIGITS, "十") and number <= 10 and number == int(number) > 0:
        return [_ONE_TO_TEN[int(number) - 1]]
    return english_number(number)


def _in_words(value: Decimal | None) -> list[str]:
    """The English tokens of a number from ten on."""
    return english_number(value) if value is not None and 10 <= value <= MOST else []


def _product(text: str, scale: str) -> Decimal | None:
    """A number of digits or numerals times a power of ten such as 万 or 百万."""
    value = chinese_number(text) or chinese_number(f"一{text}")
    factor = chinese_number(f"一{scale}") if scale else Decimal(1)
    return None if value is None or factor is None else value * factor


def _year(text: str) -> int:
    return int("".join(str(DIGITS.get(sign, sign)) for sign in text))
