"""English words for numbers and dates: the usual ways to say a value, and the numbers that a Chinese word may express.

Phrases of the table may translate a number by one of its `wordings` only (`NumberSpan` of the core).
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache

from widl.translation.chinese_numbers import DIGITAL, DIGITS, MOST, NUMERAL, exact_value

Wording = tuple[str, ...]
"""Words that say a number."""

# Not from the calendar module, whose names depend on the locale.
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_UNDER_TWENTY = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = {10**3: "thousand", 10**6: "million", 10**9: "billion", 10**12: "trillion"}
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip


def _ordinal_of(word: str) -> str:
    return _ORDINALS.get(word) or (f"{word[:-1]}ieth" if word.endswith("y") else f"{word}th")


# "one", "first" and "second" say too much else, as do "March" and "May" but before or behind digits. The signs of
# percentages and sums, and the other months, are bound to their numbers as well.
BESIDE_DIGITS = ("March", "May")
_MONTH_WORDS = [name.lower() for name in MONTHS if name not in BESIDE_DIGITS]
NUMBER_WORDS = (
    *_MONTH_WORDS, *(f"{name[:3]}{dot}" for name in _MONTH_WORDS for dot in ("", ".")), "sept", "sept.",
    *_UNDER_TWENTY[2:], *_TENS, "hundred", *_SCALES.values(),
    *map(_ordinal_of, (*_UNDER_TWENTY[3:], *_TENS)), "thirds", "percent", "%", "$",
)  # fmt: skip
# Other words for a number, unambiguous ones only.
_ALSO = {
    1: ("a", "an", "first", "single"), 2: ("both", "pair", "double", "couple", "twice", "dual", "bilateral"),
    3: ("triple", "trilateral", "tripartite"), 4: ("quarter",), 10: ("decade",), 12: ("dozen",),
    100: ("century",),
}  # fmt: skip


@lru_cache(maxsize=1 << 12)
def wordings(value: Decimal) -> tuple[Wording, ...]:
    """The usual ways to say a cardinal number, longer ones first.

    >>> [" ".join(words) for words in wordings(Decimal(25))]
    ['twenty five', '25', 'twenty-five']
    >>> ("26.8", "thousand") in wordings(Decimal(26_800)), ("ten", "thousand") in wordings(Decimal(10_000))
    (True, True)
    """
    wordings = {*_digits(value), *spelled(value), *((word,) for word in _ALSO.get(_whole(value), ()))}
    for scale, name in _SCALES.items():
        share = value / scale
        if value >= scale / (100 if scale > 1000 else 10) and share * 1000 == int(share * 1000):
            wordings |= {(*words, name) for words in (*_digits(share), *spelled(share))}
            if share == 1:
                wordings.add(("a", name))
    return tuple(sorted(wordings, key=lambda words: (-len(words), words)))


def _whole(value: Decimal) -> int:
    return int(value) if value == int(value) else -1


def _digits(value: Decimal) -> list[Wording]:
    text = with_commas(value)
    return [(text,)] if "," not in text else [(text,), (text.replace(",", ""),)]


def spelled(value: Decimal) -> list[Wording]:
    """A whole number below a thousand in words; none for other numbers."""
    number = _whole(value)
    if not 0 <= number < 1000:
        return []
    if number < 20:
        return [(_UNDER_TWENTY[number],)]
    if number < 100:
        ten, unit = _TENS[number // 10 - 2], number % 10
        return [(f"{ten}-{_UNDER_TWENTY[unit]}",), (ten, _UNDER_TWENTY[unit])] if unit else [(ten,)]
    hundreds: list[Wording] = [(_UNDER_TWENTY[number // 100], "hundred")]
    if number < 200:
        hundreds.append(("a", "hundred"))
    if number % 100 == 0:
        return hundreds
    rest = spelled(Decimal(number % 100))
    return [(*words, *link, *more) for words in hundreds for link in ((), ("and",)) for more in rest]


@lru_cache(maxsize=1 << 10)
def ordinals(value: Decimal) -> tuple[Wording, ...]:
    """The ordinals of a whole number, words before digits up to the tenth.

    >>> ordinals(Decimal(3)), ordinals(Decimal(21))
    ((('third',), ('3rd',)), (('21st',), ('twenty-first',), ('twenty', 'first')))
    """
    number = _whole(value)
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    in_digits = [(f"{number}{ending}",), *([(f"{number:,}{ending}",)] if number >= 1000 else [])]
    in_words: list[Wording] = []
    for *before, last in spelled(value):
        start, hyphen, end = last.rpartition("-")
        in_words.append((*before, f"{start}{hyphen}{_ordinal_of(end)}"))
    return (*in_words, *in_digits) if number <= 10 else (*in_digits, *in_words)


def day_ordinal(day: int) -> str:
    """The day of a month as an ordinal in digits: 3rd, 21st."""
    return ordinals(Decimal(day))[-1 if day <= 10 else 0][0]


def date_wordings(month: int, day: int | None = None, year: int | None = None) -> list[Wording]:
    """Ways to write a date."""
    name = MONTHS[month - 1]
    wordings: list[Wording] = []
    for written in (name, name[:3], f"{name[:3]}.", *(("Sept.", "Sept") if month == 9 else ())):
        if day is None:
            wordings.append((written,))
            continue
        for number in (str(day), day_ordinal(day)):
            wordings += [(written, number), (written, "the", number), (number, written), (number, "of", written)]
            wordings += [("the", number, "of", written)]
    if year is not None:
        wordings = [(*words, *comma, str(year)) for words in wordings for comma in ((",",), (), ("of",))]
    return sorted(wordings, key=lambda words: -len(words))


def fraction_wordings(whole: Decimal, part: Decimal) -> list[Wording]:
    """Ways to say a proper fraction, the usual one first; none for another fraction.

    >>> fraction_wordings(Decimal(3), Decimal(2))[0], fraction_wordings(Decimal(20), Decimal(1))[0]
    (('two-thirds',), ('1/20',))
    """
    if whole < 2 or whole != int(whole) or not 0 < part < whole:
        return []
    plain = (f"{with_commas(part)}/{with_commas(whole)}",)
    if whole >= 20 or part != int(part):
        return [plain]
    of_words = (
        ["half"] if whole == 2 else ["quarter", "fourth"] if whole == 4 else [_ordinal_of(_UNDER_TWENTY[int(whole)])]
    )
    number = _UNDER_TWENTY[int(part)]
    said: list[Wording] = []
    for name in of_words:
        named = name if part == 1 else f"{name}s"
        said += [(f"{number}-{named}",), (number, named), *([("a", named), (named,)] if part == 1 else [])]
    return [*said, plain]


def english_number(value: Decimal) -> Wording:
    """A number as English text has it: ``35,000``, but ``3.5 million``.

    >>> english_number(Decimal(35_000)), english_number(Decimal(3_500_000))
    (('35,000',), ('3.5', 'million'))
    """
    for scale, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if value >= scale and (value * 1000) % scale == 0:
            return (with_commas(value / scale), name)
    return (with_commas(value),)


def with_commas(value: Decimal) -> str:
    """A number in digits, a comma between each three."""
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def small_or_digits(value: Decimal) -> Wording:
    """The wording of English text: words up to ten, else digits."""
    return spelled(value)[0] if value <= 10 and value == int(value) else english_number(value)


_RUNS = re.compile(rf"{DIGITAL}|{NUMERAL}+")


@lru_cache(maxsize=1 << 14)
def numbers_in_word(word: str) -> tuple[Wording, ...]:
    """Numbers that a Chinese word may express, though it need not: 两国 *two countries*, 百姓, 元, 五一 *May 1*.

    >>> ("two",) in numbers_in_word("两国"), ("20",) in numbers_in_word("G20"), ("$",) in numbers_in_word("美元")
    (True, True, True)
    >>> ("September", "18") in numbers_in_word("九一八")
    True
    """
    said: dict[Wording, None] = {}
    for run in _RUNS.findall(word):
        in_digits = run[0] in "0123456789"
        for text in [run] if in_digits else dict.fromkeys((run, *run)):
            value = exact_value(text) or (None if in_digits else exact_value(f"一{text}"))
            if value is None or not 0 < value <= MOST:
                continue
            said |= dict.fromkeys((*ordinals(value), *wordings(value)) if value == int(value) else wordings(value))
            if "月" in word and value <= 12:
                said |= dict.fromkeys(date_wordings(int(value)))
        said |= dict.fromkeys(day_in(run))
        if in_digits:
            said[(run,)] = None
    for characters, words in _SAID_BY.items():
        if not characters.isdisjoint(word):
            said |= dict.fromkeys(words)
    if "百万" in word or "千万" in word:
        said[("million",)] = None
    return tuple(sorted(said, key=lambda words: -len(words)))


def day_in(run: str) -> list[Wording]:
    """The days that a month and a day without a sign between them may name, as 九一八 does: September 18."""
    digits = "".join(str(DIGITS.get(sign, sign)) for sign in run.replace("十一", "101") if sign != "两")
    if not re.fullmatch("[1-9][0-9]{1,3}", digits):
        return []
    days = [(int(digits[:at]), int(digits[at:])) for at in (1, 2) if digits[at:]]
    return [words for month, day in days if month <= 12 and 1 <= day <= 31 for words in date_wordings(month, day)]


# Characters that say a number or a sign though they are no numerals.
_SAID_BY: dict[frozenset[str], list[Wording]] = {
    frozenset("双俩对二两副兼"): [("two",)],
    frozenset("仨叁"): [("three",)],
    frozenset("肆廿"): [("four",), ("twenty",)],
    frozenset("元币金块刀款钱"): [("$",)],
    frozenset("百%％成分"): [("percent",), ("%",), ("per", "cent")],
    frozenset("百"): [("hundred",)],
    frozenset("千"): [("thousand",)],
    frozenset("万"): [("thousand",), ("ten", "thousand")],
    frozenset("元正"): [("January",)],
    frozenset("亿兆"): [("million",), ("billion",), ("trillion",)],
}


def before_each(starts: Iterable[str], said: Iterable[Sequence[str]]) -> list[Wording]:
    """Each wording behind each beginning, such as *more than*; an empty one adds nothing."""
    wordings = list(said)
    return [(*start.split(), *words) for words in wordings for start in starts]
