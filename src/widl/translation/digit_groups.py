"""Digits joined by a dash, a slash or a colon: ranges, fractions, telephone numbers and other codes."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from widl.translation.line_parts import GivenTranslations, Part
from widl.translation.measure_words import CLASSIFIER, UNIT, english_units
from widl.translation.numbers import Wording, fraction, wordings
from widl.translation.numerals import DIGITAL, SCALE, chinese_number, english_number

_BEGINS = r"(?<![0-9.,A-Za-z:/_-])"
_ENDS = r"(?![0-9A-Za-z]|[.,:/_-][0-9A-Za-z])"
_CODE = rf"{_BEGINS}(?P<code>[0-9]+(?:[-/:,][0-9]+)+){_ENDS}(?![月日号时点分])"
_RANGE = (
    rf"{_BEGINS}(?<!）)(?P<first>{DIGITAL})(?:(?P<sign>%)|(?P<scale>{SCALE}))?[-~—至到]"
    rf"(?P<last>{DIGITAL})(?:(?P<percent>%)|(?P<factor>{SCALE}))?(?![0-9月日号时点分]|[-.,:/][0-9])"
)
_FOUND = re.compile(f"{_RANGE}|{_CODE}")
_YEARS = re.compile("[12][0-9]{3}[^0-9][12][0-9]{3}")
_LONGEST_AMOUNT = 6  # digits; longer ones are telephone numbers


def find_digit_groups(text: str) -> Iterator[tuple[int, int, Part]]:
    """Ranges, fractions and codes of a normalized Chinese text, with translations by rule.

    >>> found = list(find_digit_groups("10-20人，5%-10%，3~5天，占1/3，电话010-12345678，9/11，1990-2000年"))
    >>> [" ".join(part.given.alternatives[0][0]) for _, _, part in found]
    ['10 to 20 people', '5 to 10 percent', '3 to 5 days', 'one-third', '010-12345678', '9/11', '1990 to 2000']
    """
    for match in _FOUND.finditer(text):
        end = match.end()
        given: list[list[str]] = [[match[0]]]
        accepted: Sequence[Wording] = [(match[0],)]
        if (amounts := _range(match)) is not None:
            end, given, accepted = amounts
        elif (share := _share(match)) is not None:
            given, accepted = share
        elif not re.fullmatch("[0-9]+(?:[-/:,][0-9]+)+", match[0]):
            continue
        translations = GivenTranslations.evenly(given, exclusive=False, origin="rule", numbers=accepted)
        yield match.start(), end, Part(text[match.start() : end], translations)


def _range(match: re.Match[str]) -> tuple[int, list[list[str]], list[Wording]] | None:
    """The end of a range and its unit, its English words, and the wordings accepted in a phrase."""
    first, last = match["first"], match["last"]
    if first is None or max(len(first), len(last)) > _LONGEST_AMOUNT:
        return None
    if any(re.match("0[0-9]", digits) for digits in (first, last)):
        return None
    factor = match["factor"] or ""
    low, high = chinese_number(first + (match["scale"] or factor)), chinese_number(last + factor)
    if low is None or high is None or low >= high:
        return None
    links = (("to",), ("and",), ("-",))
    accepted = [(*a, *link, *b) for a in _wordings(low, first) for b in _wordings(high, last) for link in links]
    end = match.end()
    words = [*english_number(low), "to", *english_number(high)]
    if match["percent"]:
        return end, [[*words, "percent"]], accepted
    if unit := UNIT.match(match.string, end):
        return unit.end(), [[*words, *name] for name in english_units(unit[0], is_one=False)], accepted
    if classifier := CLASSIFIER.match(match.string, end):
        return classifier.end(), [words], accepted
    if _YEARS.fullmatch(match[0]):
        return end + match.string.startswith("年", end), [[first, "to", last], ["from", first, "to", last]], accepted
    return end, [words], accepted


def _wordings(value: Decimal, digits: str) -> list[Wording]:
    return [*wordings(value), (digits,)]


def _share(match: re.Match[str]) -> tuple[list[list[str]], Sequence[Wording]] | None:
    """A proper fraction of small numbers in words, unless it is the number of something; 9/11 is a code."""
    share = re.fullmatch("([1-9])/([2-9]|10)", match[0])
    if share is None or match.string[: match.start()].endswith("第"):
        return None
    said = fraction(Decimal(share[2]), Decimal(share[1]))
    return None if said is None else ([*map(list, said[0]), [match[0]]], said[1])
