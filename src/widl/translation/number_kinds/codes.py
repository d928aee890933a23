"""Scores, numbers of things, and digits that are copied."""

import re
from decimal import Decimal

from widl.translation.chinese_numbers import DIGIT, DIGITAL, NUMBER_SIGN, exact_value, positional_value
from widl.translation.english_numbers import Wording, fraction_wordings, small_or_digits, with_commas
from widl.translation.number_kinds.amount_words import joined
from widl.translation.number_kinds.kind import Kind, Reading, kind

_SCORE = (
    "[0-9]{1,3}|[一二]百(?:零[一二三四五六七八九]|[一二三四五六七八九]十[一二三四五六七八九]?)?|"
    "[一二三四五六七八九]?十[一二三四五六七八九]?|[零一二三四五六七八九]"
)


@kind(rf"(?P<one>{_SCORE})比(?P<other>{_SCORE})(?!{NUMBER_SIGN}|\.)")
def score(match: re.Match[str]) -> Reading | None:
    """3比2, 三比二: 3-2."""
    one, other = exact_value(match["one"]), exact_value(match["other"])
    if one is None or other is None:
        return None
    said: list[Wording] = []
    for a, b in (((with_commas(one),), (with_commas(other),)), (small_or_digits(one), small_or_digits(other))):
        said += [(f"{a[0]}-{b[0]}",), *joined([a], [("to",), (":",), ("-",)], [b])]
    return Reading(match.end(), said[:1], said)


@kind(rf"(?P<digits>{DIGIT}{{3,}})(?=号)")
def number_of_something(match: re.Match[str]) -> Reading | None:
    """一四四一号: 1441, a numeral for each digit."""
    number = str(positional_value(match["digits"]))
    return Reading(match.end(), [(number,)], [(number,), (with_commas(Decimal(number)),)])


@kind(
    r"(?P<code>[0-9]+(?:[-/:.,][0-9]+)+|[0-9]{5,})",
    r"(?![0-9A-Za-z月日号时点分%％]|年(?!度)|[十百千万亿])",
)
def code(match: re.Match[str]) -> Reading | None:
    """010-12345678, 12:30, 2019-03-05: digits that are copied; 1/3: a simple fraction in words, too."""
    text = match["code"]
    is_amount = re.fullmatch(DIGITAL, text) and not (len(text) > 6 and text.isdecimal())
    if is_amount:
        return None
    fraction = [] if match.string[: match.start()].endswith("第") else _fraction(text)
    said = fraction or [(text,)]
    return Reading(match.end(), list(dict.fromkeys((*said[:2], (text,)))), said, is_closed=False)


def _fraction(text: str) -> list[Wording]:
    """Ways to say 1/3; none for other signs."""
    match = re.fullmatch("([1-9])/([2-9]|10)", text)
    return fraction_wordings(Decimal(match[2]), Decimal(match[1])) if match else []


# Words after a number that names one of several: 二号嫌疑人, 四号线.
_NAMED = (
    "文件|公路|楼|线|嫌疑|人物|车厢|门|馆|院|站台|机组|球员|选手|病房|病区|会议室|公告|令|种子|提案|桥|井|厅|船|舰|店|风球|台风|"
    "法令|决议|仓|码头|航站|发动机|首长|星|院线|员工|国道|议案"
)


@kind(rf"(?P<number>[0-9]{{1,3}}|[一二三四五六七八九]|[一二三四五六七八九]?十[一二三四五六七八九]?)号(?={_NAMED})")
def number_of_one(match: re.Match[str]) -> Reading | None:
    """二号嫌疑人, 四号线: No. 2, No. 4; not the second day of a month."""
    value = exact_value(match["number"])
    if not value:
        return None
    number = str(int(value))
    said: list[Wording] = [("No.", number), ("number", number), (number,), small_or_digits(value)]
    return Reading(match.end(), said[:1], said)


KINDS: tuple[Kind, ...] = (score, number_of_one, number_of_something, code)
