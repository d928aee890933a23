"""Percentages, shares of a thousand and fractions."""

import re
from decimal import Decimal

from widl.translation.chinese_numbers import NUMBER_SIGN, Amount, amount_of, exact_value
from widl.translation.english_numbers import Wording, fraction_wordings, spelled, with_commas
from widl.translation.number_kinds.amount_words import joined, percent_wordings, range_wordings, vague_words
from widl.translation.number_kinds.kind import Kind, Reading, amount_group, kind

SIGNS = "-−+±"
_SIGN_WORDS: dict[str | None, Wording] = {
    None: (),
    **dict.fromkeys(("-", "−", "负", "零下"), ("minus",)),
    "+": ("plus",),
    "±": ("plus", "or", "minus"),
}
PERCENT = "[%％]"
POINTS = "个?百分点"
# Words that begin with 成: 成员 member.
TENTHS = "成(?!员|都|功|立|为|就|长|交|果|本|群)"
_TENTHS_NUMBER = re.compile(r"[一二两三四五六七八九]|[1-9](?:\.[0-9])?|[一二三四五六七八][二三四五六七八九]")


@kind(
    rf"(?P<sign>[{SIGNS}]|零下|负)?(?:百分之{amount_group('share')}|(?P<all>百分百)",
    rf"|{amount_group('number')}(?:{PERCENT}|(?P<points>{POINTS})|(?P<tenths>{TENTHS})(?P<rest>[一二三四五六七八九半多](?!{NUMBER_SIGN}))?))",
)
def percent(match: re.Match[str]) -> Reading | None:
    """百分之二十, 35%, 三成五: 20 percent; 3个百分点: three percentage points."""
    amount = _tenths(match) if match["tenths"] else amount_of(match["share"] or match["number"] or "百")
    if match["share"] == "百" or match["all"]:  # 百分之百, 百分百
        amount = Amount(Decimal(100))
    if amount is None or amount.vague == "several":
        return None
    before = _SIGN_WORDS[match["sign"]]
    english = _points(amount) if match["points"] else _percentages(amount, with_sign=not before)
    said = (
        percent_wordings(amount.low)
        if amount.high is None
        else range_wordings(amount.low, amount.high, ("percent",)) + range_wordings(amount.low, amount.high)
    )
    if (text := match["number"] or "").isascii() and text.endswith("0") and "." in text and amount.is_exact:
        english = [(text, *words[1:]) for words in english]  # final zeros stay
        said = [(text, *words[1:]) for words in english] + said
    return Reading(match.end(), joined([before], english), joined([before], said))


def _tenths(match: re.Match[str]) -> Amount | None:
    """三成, 三成五, 三成多, 三四成: 30, 35, more than 30, 30 to 40."""
    amount = amount_of(match["number"])
    if amount is None or match["sign"] or not _TENTHS_NUMBER.fullmatch(match["number"]):
        return None
    if match["rest"] == "多":
        return Amount(amount.low * 10, vague="more") if amount.is_exact else None
    rest = exact_value(match["rest"].replace("半", "五")) or Decimal(0) if match["rest"] else Decimal(0)
    return Amount(amount.low * 10 + rest, None if amount.high is None else amount.high * 10)


def _points(amount: Amount) -> list[Wording]:
    is_one = amount.low == 1 and not amount.high
    return vague_words(amount, ("percentage", "point" if is_one else "points"))


def _percentages(amount: Amount, *, with_sign: bool) -> list[Wording]:
    """Small numbers in digits, as English has percentages."""
    values = [value for value in (amount.low, amount.high) if value is not None]
    digits = {spelled(value)[0][0]: with_commas(value) for value in values if spelled(value)}
    numbers = [tuple(digits.get(word, word) for word in words) for words in vague_words(amount)]
    return joined(numbers, [("percent",)]) + (joined(numbers, [("%",)]) if with_sign else [])


_WHOLES: dict[str, tuple[Decimal, list[Wording]]] = {
    "千": (Decimal(1000), [("thousand",), ("1,000",)]),
    "万": (Decimal(10_000), [("10,000",), ("ten", "thousand")]),
    "百万": (Decimal(1_000_000), [("million",), ("1,000,000",)]),
}


@kind(rf"{amount_group('number')}/(?P<whole>10万|十万|百万|千)(?![元米人])")
def per_many(match: re.Match[str]) -> Reading | None:
    """15.1/10万: 15.1 per 100,000."""
    amount, whole = amount_of(match["number"]), exact_value(match["whole"]) or Decimal(1000)
    if amount is None or not amount.is_exact:
        return None
    said = [(with_commas(amount.low), "per", with_commas(whole))]
    return Reading(match.end(), said, [*said, (f"{with_commas(amount.low)}/{with_commas(whole)}",)])


@kind(rf"(?:{amount_group('number')}‰|(?P<whole>百万|[千万])分之{amount_group('part')})")
def per_thousand(match: re.Match[str]) -> Reading | None:
    """千分之三, 3‰: 3 per thousand; 万分之一: 1 per 10,000."""
    amount = amount_of(match["number"] or match["part"])
    if amount is None or not amount.is_exact:
        return None
    whole, names = _WHOLES[match["whole"] or "千"]
    number = with_commas(amount.low)
    links: list[Wording] = [("per",), ("in",), ("out", "of")]
    said = [(number, *link, *name) for name in names for link in links]
    said += [*percent_wordings(amount.low * 100 / whole), (f"{number}/{with_commas(whole)}",)]
    return Reading(match.end(), said[:1], said)


@kind(rf"(?!百分|千分|百?万分){amount_group('whole')}分之{amount_group('part')}")
def fraction(match: re.Match[str]) -> Reading | None:
    """三分之二: two-thirds; 二十分之一: 1/20."""
    whole, part = amount_of(match["whole"]), amount_of(match["part"])
    if whole is None or part is None or not (whole.is_exact and part.is_exact):
        return None
    said = fraction_wordings(whole.low, part.low)
    if not said:
        return None
    share = part.low * 100 / whole.low
    return Reading(match.end(), said[:2], [*said, *(percent_wordings(share) if share == int(share) else [])])


# Words that begin with 折: 折叠 to fold.
@kind(r"(?P<share>[1-9](?:\.?[1-9])?|[一二两三四五六七八九]|[一二三四五六七八九]{2})折(?![叠旧断磨返损射合算腾中现服纸线子页])")
def discount(match: re.Match[str]) -> Reading | None:
    """八五折, 8.5折: 15 percent off. 七八折 is 70 or 80 percent of the price."""
    digits = [exact_value(sign) or Decimal(0) for sign in match["share"] if sign != "."]
    if len(digits) == 2 and not match["share"].isascii() and digits[1] - digits[0] in (1, 2):
        return None
    share = digits[0] * 10 + sum(digits[1:])
    off = with_commas(100 - share)
    english: list[Wording] = [(off, "percent", "off"), ("a", off, "percent", "discount")]
    return Reading(match.end(), english, [*percent_wordings(100 - share), *percent_wordings(share)])


KINDS: tuple[Kind, ...] = (percent, per_thousand, per_many, fraction, discount)
