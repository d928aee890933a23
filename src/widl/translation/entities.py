"""Chinese dates, percentages and large numbers in English, by rule."""

import re
from collections.abc import Iterator
from decimal import Decimal

from widl.translation.measures import CLASSIFIER, UNIT, english_units
from widl.translation.parts import GivenTranslations, Part

_DIGITS = {"〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_TENS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8, "万亿": 10**12}
_LONGEST = 60
"""Signs of a number; what has more, or is larger than `_MOST`, is no amount of anything and stays as it is."""
_MOST = 10**18
# Not from the calendar module, whose names depend on the locale.
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)

_STARTS_WITH_DIGITS = re.compile("[0-9]")
_HAN_NUMBER = "[〇零一二两三四五六七八九十百千万亿]"
_NUMBER = rf"(?:[0-9][0-9,]*(?:\.[0-9]+)?|{_HAN_NUMBER}+(?:点[〇零一二三四五六七八九]+)?)"
_YEAR = r"(?P<year>[12][0-9]{3}|[一二][〇零一二三四五六七八九]{3})年"
_MONTH = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月"
_DAY = r"(?P<day>3[01]|[12][0-9]|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]"
# A number ends where no further numeral follows, nor a character that changes its meaning (十几, 三万多, 二十一世纪).
_BEGINS = rf"(?<![0-9.,第数几之分周]|{_HAN_NUMBER})"
_ENDS = rf"(?!{_HAN_NUMBER}|[0-9点多余几来分世届周年月日号岁级])"
_DIGITAL = r"[0-9][0-9,]*(?:\.[0-9]+)?"
_LARGE = "(?:万亿|[十百千]?[万亿])"
_ENTITY = re.compile(
    rf"{_BEGINS}(?:{_YEAR}\s*{_MONTH}(?:\s*{_DAY})?"
    rf"|{_MONTH.replace('month', 'month_only')}\s*{_DAY.replace('day', 'day_only')}"
    rf"|百分之(?P<percent>{_NUMBER}){_ENDS}"
    rf"|(?P<digits>{_DIGITAL})(?P<unit>{_LARGE})(?!{_HAN_NUMBER}|[0-9点多余几来分])"  # 5,000亿日圆 as well
    rf"|(?P<least>{_DIGITAL}{_LARGE}?|{_HAN_NUMBER}+)[多余](?P<scale>{_LARGE}?)(?![数半久样多余])"
    rf"|(?P<number>{_HAN_NUMBER}{{2,}}){_ENDS}"
    rf"|(?P<few>{_DIGITAL}|{_HAN_NUMBER}+)(?={UNIT.pattern}))"
)
_ONE_TO_TEN = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def find_entities(text: str, *, exclusive: bool) -> Iterator[tuple[int, int, Part]]:
    """Dates, percentages and numbers with what they count, of a normalised Chinese text, in English.

    >>> entities = find_entities("2019年3月5日，百分之二十，3.5万，30多亿，三公里，一百余名", exclusive=True)
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
            translations = GivenTranslations.evenly(alternatives, exclusive=exclusive, origin="rule")
            yield match.start(), end, Part(text[match.start() : end], translations)


def _counted(match: re.Match[str]) -> tuple[int, list[list[str]]]:
    """Where a number ends with what it counts, and the words for that; a classifier has none."""
    number = match["digits"] or match["least"] or match["number"] or match["few"]
    if not number:
        return match.end(), [[]]
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
    month, day = match["month"] or match["month_only"], match["day"] or match["day_only"]
    if month:
        day_words = [str(chinese_number(day))] if day else []
        words = [_MONTHS[int(chinese_number(month) or 1) - 1], *day_words]
        return words + ([","] if day and match["year"] else []) + ([str(_year(match["year"]))] if match["year"] else [])
    if match["percent"]:
        share = chinese_number(match["percent"])
        return [] if share is None or share > _MOST else [_with_commas(share), "percent"]
    if match["digits"]:
        return _scaled(match["digits"], match["unit"])
    if match["least"]:
        return _scaled(match["least"], match["scale"])
    number = chinese_number(match["number"] or match["few"])
    if number is None or number > _MOST or (number <= 10 and match["number"]):
        return []
    if (match["few"] or "")[:1] in (*_DIGITS, "十") and number <= 10 and number == int(number) > 0:
        return [_ONE_TO_TEN[int(number) - 1]]
    return english_number(number)


def _scaled(text: str, scale: str) -> list[str]:
    """A number above ten of digits or numerals, perhaps with 万 or 亿, times a power of ten such as 万 or 百万."""
    if len(text) > _LONGEST:
        return []
    number, digits = text.rstrip("十百千万亿"), _STARTS_WITH_DIGITS.match(text)
    scales = [scale, text[len(number) :]] if digits else [scale]
    value = Decimal(number.replace(",", "")) if digits else chinese_number(text) or chinese_number(f"一{text}")
    for unit in filter(None, scales):
        factor = chinese_number(f"一{unit}")
        value = None if value is None or factor is None else value * factor
    return english_number(value) if value is not None and 10 <= value <= _MOST else []


def _year(text: str) -> int:
    return int("".join(str(_DIGITS.get(sign, sign)) for sign in text))


def chinese_number(text: str) -> Decimal | None:
    """The value of digits or Chinese numerals; None if they are not a well-formed number.

    >>> [int(chinese_number(text)) for text in ("35", "三百零五", "三百五", "十二", "一亿二千万")]
    [35, 305, 350, 12, 120000000]
    """
    if len(text) > _LONGEST:
        return None
    if text[0] in "0123456789":
        return Decimal(text.replace(",", ""))
    whole, _, fraction = text.partition("点")
    value = _whole_number(whole)
    if value is None:
        return None
    return Decimal(f"{value}.{''.join(str(_DIGITS[sign]) for sign in fraction)}" if fraction else value)


def _whole_number(text: str) -> int | None:
    """The value of Chinese numerals: units decrease from left to right, each with its digit (only 十 may lack it).

    A final digit after a unit above ten counts the next smaller unit, which is left out: 三百五 is 350, 三万五 is
    35,000.
    """
    for name in ("万亿", "亿", "万"):
        high, unit_sign, low = text.rpartition(name) if name != "万" else text.partition(name)
        if unit_sign:
            above, below = _whole_number(high) if high else None, _whole_number(low) if low else 0
            if above is None or below is None or below >= _MYRIADS[name]:
                return None
            if low in _DIGITS:
                below *= _MYRIADS[name] // 10
            return above * _MYRIADS[name] + below
    total, digit, last_unit = 0, None, 10_000
    for sign in text:
        if sign in _DIGITS:
            if digit:
                return None  # 三五: not one number
            digit = _DIGITS[sign]
        else:
            unit = _TENS[sign]
            if unit >= last_unit or (digit is None and (sign != "十" or total)) or digit == 0:
                return None
            total, digit, last_unit = total + (digit or 1) * unit, None, unit
    if text[-2:-1] in ("百", "千"):
        digit = (digit or 0) * last_unit // 10
    return total + (digit or 0)


def english_number(value: Decimal) -> list[str]:
    """A number as English text has it: ``35,000``, but ``3.5 million``.

    >>> english_number(Decimal(35_000)), english_number(Decimal(3_500_000))
    (['35,000'], ['3.5', 'million'])
    """
    for scale, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if value >= scale and (value * 1000) % scale == 0:
            return [_with_commas(value / scale), name]
    return [_with_commas(value)]


def _with_commas(value: Decimal) -> str:
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
