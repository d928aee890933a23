"""Numbers of a Chinese text, and the English words that say them.

`wordings` are all usual ways to say a number; phrases of the table may translate a number by one of them only
(`NumberSpan`). `find_numbers` finds the numbers that `entities` skips: ordinals, fractions, scores, years, months and
days by themselves, and numbers with or without a classifier.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

from widl.translation.line_parts import GivenTranslations, Part
from widl.translation.numerals import (
    DIGITAL,
    DIGITS,
    HAN_NUMERAL,
    MIXED,
    MONTHS,
    MOST,
    chinese_number,
    english_number,
    with_commas,
)

Wording = tuple[str, ...]

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


# "one", "first", "second", "March" and "May" say too much else. The signs of percentages and sums, and the other
# months, are bound to their numbers as well.
_MONTH_WORDS = [name.lower() for name in MONTHS if name not in ("March", "May")]
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
    wordings = {*_digits(value), *_spelled(value), *((word,) for word in _ALSO.get(_whole(value), ()))}
    for scale, name in _SCALES.items():
        share = value / scale
        if value >= scale / (100 if scale > 1000 else 10) and share * 1000 == int(share * 1000):
            wordings |= {(*words, name) for words in (*_digits(share), *_spelled(share))}
            if share == 1:
                wordings.add(("a", name))
    return tuple(sorted(wordings, key=lambda words: (-len(words), words)))


def _whole(value: Decimal) -> int:
    return int(value) if value == int(value) else -1


def _digits(value: Decimal) -> list[Wording]:
    text = with_commas(value)
    return [(text,)] if "," not in text else [(text,), (text.replace(",", ""),)]


def _spelled(value: Decimal) -> list[Wording]:
    """A whole number below a thousand in words."""
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
    rest = _spelled(Decimal(number % 100))
    return [(*words, *link, *more) for words in hundreds for link in ((), ("and",)) for more in rest]


@lru_cache(maxsize=1 << 10)
def ordinals(value: Decimal) -> tuple[Wording, ...]:
    """The ordinals of a whole number, words before digits up to the tenth.

    >>> ordinals(Decimal(3)), ordinals(Decimal(21))
    ((('third',), ('3rd',)), (('21st',), ('twenty-first',), ('twenty', 'first')))
    """
    number = _whole(value)
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    in_digits: Wording = (f"{with_commas(value)}{ending}",)
    in_words: list[Wording] = []
    for *before, last in _spelled(value):
        start, hyphen, end = last.rpartition("-")
        in_words.append((*before, f"{start}{hyphen}{_ordinal_of(end)}"))
    return (*in_words, in_digits) if number <= 10 else (in_digits, *in_words)


def month_wordings(month: int, day: int | None = None, year: int | None = None) -> list[Wording]:
    """Ways to write a date."""
    name = MONTHS[month - 1]
    wordings: list[Wording] = []
    for written in (name, name[:3], f"{name[:3]}.", *(("Sept.", "Sept") if month == 9 else ())):
        if day is None:
            wordings.append((written,))
            continue
        for number in (str(day), ordinals(Decimal(day))[-1 if day <= 10 else 0][0]):
            wordings += [(written, number), (written, "the", number), (number, written), (number, "of", written)]
            wordings += [("the", number, "of", written)]
    if year is not None:
        wordings = [(*words, *comma, str(year)) for words in wordings for comma in ((",",), (), ("of",))]
    return sorted(wordings, key=lambda words: -len(words))


CLASSIFIERS = (
    "个只名位家辆件头艘架座所项宗起张台条间部本篇支枚颗株棵套栋幢场种类批块片根幅封首款杯桶箱匹把顶双对份道群伙组层处门"
)
"""Characters after a number that English omits."""

_NUMBER = rf"(?:{DIGITAL}|{HAN_NUMERAL}+(?:点[〇零一二三四五六七八九]+)?)"
_SCALED = rf"(?:{MIXED}|{DIGITAL}|{HAN_NUMERAL}+(?:点[〇零一二三四五六七八九]+)?)"
_BEGINS = rf"(?<![0-9.,A-Za-z:/_~点-]|几|数|{HAN_NUMERAL})(?<![0-9一二三四五六七八九]、)"
_ENDS = rf"(?![0-9A-Za-z几]|[.,:/_-][0-9A-Za-z]|点?{HAN_NUMERAL})"
# Amounts without an exact figure, by the characters after 几 or 数, or 近: a phrase of the table may use any wording.
_VAGUE = {
    "十": ("dozens of", "several dozen", "dozens"), "百": ("hundreds of", "several hundred", "hundreds"),
    "千": ("thousands of", "several thousand", "thousands"), "万": ("tens of thousands of", "tens of thousands"),
    "十万": ("hundreds of thousands of", "hundreds of thousands"),
    "百万": ("millions of", "several million", "millions"),
    "千万": ("tens of millions of", "tens of millions"), "亿": ("hundreds of millions of", "hundreds of millions"),
    "十亿": ("billions of", "billions"), "百亿": ("tens of billions of", "tens of billions"),
    "千亿": ("hundreds of billions of", "hundreds of billions"), "万亿": ("trillions of", "trillions"),
}  # fmt: skip
_HALVES = ("a.m.", "p.m.", "am", "pm", "o'clock")
_NEXT = {sign: digit for digit, sign in enumerate("一二三四五六七八九", 1)} | {"两": 2}
_FOUND = re.compile(
    rf"{_BEGINS}(?:"
    rf"(?P<hour>[0-9]{{1,2}})[时点](?P<minute>[0-5][0-9])分?{_ENDS}"
    r"|(?P<clock>2[0-4]|1[0-9]|0?[1-9])时(?![间代期段刻分而])"
    rf"|(?P<whole>{_NUMBER})分之(?P<part>{_NUMBER}){_ENDS}"
    rf"|第(?P<ordinal>{_NUMBER}){_ENDS}[个名位]?"
    rf"|(?P<decade>[0-9]{{2}}|[12][0-9]{{3}})年代"
    rf"|(?P<century>{_NUMBER})世纪"
    rf"|(?P<year>[12][0-9]{{3}})年"
    r"|(?P<spelled>一[八九][〇零○一二三四五六七八九]{2}|二[〇零○][〇零○一二三四五六七八九]{2})(?=[至到年、])"
    r"|(?P<month>元|1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月份?(?!球|亮|光|饼|子)"
    r"|(?P<day>3[01]|[12][0-9]|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])日(?![元本圆均报方常])(?:电(?![力话视脑子影台池器信讯网邮]))?"
    rf"|(?P<score>[0-9]{{1,3}})比(?P<against>[0-9]{{1,3}}){_ENDS}"
    rf"|(?P<percent>{DIGITAL})[%％]"
    rf"|(?P<nth>{_NUMBER})(?=周年|届|[大中]全会|大[以精报的召代提后前])"
    rf"|(?P<near>(?:十|[二三四五六七八九]十)?[一二两三四五六七八][二三四五六七八九][十百千万亿]?(?:万|亿)?){_ENDS}"
    r"|[几数上](?P<vague>[十百千万]亿|[十百千]?万|[十百千亿])(?![万亿分次字据码目额计])"
    r"|(?P<teens>十)[几多来余](?![万亿])"
    r"|近(?P<almost>[百千万亿])(?=[名人个家年亩吨元辆位])"
    rf"|(?P<counted>{_SCALED})(?:多|余)?[{CLASSIFIERS}](?![性式生气数均别人体])"
    rf"|(?P<plain>{_SCALED}){_ENDS})"
)


def find_numbers(text: str) -> Iterator[tuple[int, int, Part]]:
    """Numbers of a normalized Chinese text that `find_entities` has left, with translations by rule.

    >>> found = find_numbers("第34分钟，三分之二，3比2，90年代，3500间房，三十一点三，七八百人，17时")
    >>> [" ".join(part.given.alternatives[0][0]) for _, _, part in found]
    ['the 34th', 'two-thirds', '3-2', 'the 1990s', '3,500', '31.3', '700 to 800', '17 : 00']
    """
    for match in _FOUND.finditer(text):
        readings = _translations(match)
        if readings is not None:
            given, accepted = readings
            # A single numeral is a separate word only if it counts something; 1 is an article, too.
            translations = GivenTranslations.evenly(given, exclusive=False, origin="rule", numbers=accepted)
            yield match.start(), match.end(), Part(match[0], translations)


_Made = tuple[Sequence[Sequence[str]], Sequence[Wording]]


def _translations(match: re.Match[str]) -> _Made | None:
    kind = match.lastgroup or ""
    if kind == "minute":
        hour, minute = str(int(match["hour"])), match["minute"]
        return [[hour, ":", minute]], [(hour, ":", minute), (f"0{hour}", ":", minute), (f"{hour}:{minute}",)]
    if kind == "clock":
        clock = int(match["clock"])
        of_twelve = [(*words, half) for words in wordings(Decimal((clock - 1) % 12 + 1)) for half in _HALVES]
        full = (str(clock), ":", "00")
        return [full, ("at", *full)], [full, (f"{clock}:00",), *of_twelve, *_plain(str(clock))]
    if kind == "against":
        score = f"{match['score']}-{match['against']}"
        return [[score]], [(score,), (match["score"], "to", match["against"]), (match["score"], ":", match["against"])]
    if kind == "part":
        return fraction(chinese_number(match["whole"]), chinese_number(match["part"]))
    if kind == "decade":
        decade = match["decade"] if len(match["decade"]) == 4 else f"19{match['decade']}"
        return [["the", f"{decade}s"]], [(f"{decade}s",), (f"{decade[2:]}s",), (f"'{decade[2:]}s",)]
    if kind == "spelled":
        year = "".join(str(DIGITS[sign]) for sign in match["spelled"].replace("○", "〇"))
        return [[year]], [(year,)]
    if kind == "month":
        return _of_value(kind, match["month"], chinese_number(match["month"].replace("元", "一")) or Decimal(1))
    if kind == "near":
        return _one_or_next(match["near"])
    if kind == "vague":
        return [words.split() for words in _VAGUE[match["vague"]]], ()
    if kind == "teens":
        return [["more", "than", "ten"], ["a", "dozen"]], ()
    if kind == "almost":
        amount = chinese_number(f"一{match['almost']}") or Decimal(0)
        return [[word, *english_number(amount)] for word in ("nearly", "almost")], wordings(amount)
    value = chinese_number(match[kind])
    if value is None or value > MOST or not value:
        return None
    return _of_value(kind, match[kind], value)


def _of_value(kind: str, text: str, value: Decimal) -> _Made | None:
    if kind in ("ordinal", "nth"):
        if value != int(value):
            return None
        first = ordinals(value)[0]
        return [["the", *first], first], [*ordinals(value), *wordings(value)]
    if kind == "century":
        first = ordinals(value)[0]
        return [["the", *first, "century"], [*first, "century"]], ordinals(value)
    if kind == "year":
        return [[text], ["in", text]], [(text,)]
    if kind == "month":
        name = MONTHS[int(value) - 1]
        return [[name], ["in", name]], [*month_wordings(int(value)), *wordings(value)]
    if kind == "day":
        day = ordinals(value)[-1 if value <= 10 else 0]
        return [["on", "the", *day], ["the", *day], [str(int(value))]], [*ordinals(value), *wordings(value)]
    if kind == "percent":
        number = with_commas(value)
        said = [(*words, *sign) for words in wordings(value) for sign in (("percent",), ("%",), ("per", "cent"))]
        return [[number, "percent"], [number, "%"]], said
    if value == 1 or (kind == "plain" and text in HAN_ALONE):
        return None
    given = english_number(value)
    small = _spelled(value) if value <= 10 and (kind == "counted" or not text.isdecimal()) else []
    if kind == "plain" and text.isdecimal():  # perhaps the number of something, which has no commas
        return [[text]], [*wordings(value), (text,), *_clock(text)]
    return [*small, given] if small else [given], wordings(value)


HAN_ALONE = frozenset("〇零一二两三四五六七八九十百千万亿")


def _plain(text: str) -> list[Wording]:
    return [*wordings(chinese_number(text) or Decimal(0)), (text,)]


def _clock(text: str) -> list[Wording]:
    return [(f"{text}:00",)] if int(text) < 24 else []


def fraction(whole: Decimal | None, part: Decimal | None) -> _Made | None:
    """A proper fraction: its English words, and all usual ways to say it; None for anything else."""
    if whole is None or part is None or whole < 2 or whole != int(whole) or not 0 < part < whole:
        return None
    plain = (f"{with_commas(part)}/{with_commas(whole)}",)
    if whole > 20 or part != int(part):
        return [plain], [plain]
    of = "half" if whole == 2 else "quarter" if whole == 4 else _ordinal_of(_UNDER_TWENTY[int(whole)])
    of_words = [of] if whole != 4 else [of, "fourth"]
    number = _UNDER_TWENTY[int(part)]
    said: list[Wording] = []
    for name in of_words:
        named = name if part == 1 else f"{name}s"
        said += [(f"{number}-{named}",), (number, named), *([("a", named), (named,)] if part == 1 else [])]
    return [said[0], said[1]], [*said, plain]


def _one_or_next(text: str) -> _Made | None:
    """Two numerals for one or the other number: 七八百, 十五六."""
    at = next(i for i in range(len(text) - 1) if text[i] in _NEXT and text[i + 1] in _NEXT)
    if _NEXT[text[at + 1]] != _NEXT[text[at]] + 1:
        return None
    low, high = (chinese_number(text[:at] + digit + text[at + 2 :]) for digit in text[at : at + 2])
    if low is None or high is None or high > MOST:
        return None
    links = ("to",), ("or",), ("-",), ("and",)
    said = [(*a, *link, *b) for a in wordings(low) for b in wordings(high) for link in links]
    first, second = (english_number(value) if value > 10 else _spelled(value)[0] for value in (low, high))
    return [[*first, "to" if low > 10 else "or", *second]], said


_NUMERALS = re.compile(rf"{DIGITAL}|{HAN_NUMERAL}+")


@lru_cache(maxsize=1 << 14)
def numbers_in_word(word: str) -> tuple[Wording, ...]:
    """Numbers that a Chinese word may express, though it need not: 两国 *two countries*, 百姓, 元.

    >>> ("two",) in numbers_in_word("两国"), ("20",) in numbers_in_word("G20"), ("$",) in numbers_in_word("美元")
    (True, True, True)
    """
    all_wordings: dict[Wording, None] = {}
    for run in _NUMERALS.findall(word):
        in_digits = run[0] in "0123456789"
        for text in [run] if in_digits else dict.fromkeys((run, *run)):
            value = chinese_number(text) or (None if in_digits else chinese_number(f"一{text}"))
            if value is None or not 0 < value <= MOST:
                continue
            all_wordings |= dict.fromkeys(
                (*ordinals(value), *wordings(value)) if value == int(value) else wordings(value)
            )
            if "月" in word and value <= 12:
                all_wordings |= dict.fromkeys(month_wordings(int(value)))
        if in_digits:
            all_wordings[(run,)] = None
    for characters, said in _SAID_BY.items():
        if not characters.isdisjoint(word):
            all_wordings |= dict.fromkeys(said)
    if "百万" in word or "千万" in word:
        all_wordings[("million",)] = None
    return tuple(sorted(all_wordings, key=lambda words: -len(words)))


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
