"""English words for amounts: those that rules propose, and all that a phrase of the table may have."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from widl.translation.chinese_numbers import Amount
from widl.translation.english_numbers import (
    Wording,
    before_each,
    day_in,
    english_number,
    small_or_digits,
    spelled,
    with_commas,
    wordings,
)

_VAGUE_STARTS = {"": ("",), "more": ("more than", "over"), "about": ("about", "some")}
_RANGE_LINKS: tuple[Wording, ...] = (("to",), ("or",), ("-",), ("and",))
_PERCENT_SIGNS: tuple[Wording, ...] = (("percent",), ("%",), ("per", "cent"))


def joined(*parts: Iterable[Wording]) -> list[Wording]:
    """All sequences of one wording of each part.

    >>> joined([("3",), ("three",)], [("to",)], [("5",)])
    [('3', 'to', '5'), ('three', 'to', '5')]
    """
    sequences: list[Wording] = [()]
    for part in map(list, parts):
        sequences = [(*words, *more) for words in sequences for more in part]
    return sequences


def exact_words(value: Decimal) -> list[Wording]:
    """The words that a rule proposes for an exact amount."""
    return [*(spelled(value) if value <= 10 else ()), english_number(value)]


def as_written(text: str, value: Decimal) -> Wording:
    """The words that a rule proposes for digits; final zeros stay: 4.50."""
    return (text,) if text.isascii() and "." in text and text.endswith("0") else english_number(value)


def vague_words(amount: Amount, unit: Sequence[str] = ()) -> list[Wording]:
    """The words that a rule proposes for an amount of any vagueness, with its unit."""
    if amount.high is not None:
        joint = "or" if amount.low <= 10 and amount.high == amount.low + 1 else "to"
        return [(*small_or_digits(amount.low), joint, *small_or_digits(amount.high), *unit)]
    number = english_number(amount.low) if amount.vague == "more" else small_or_digits(amount.low)
    return [(*words, *unit) for words in before_each(_VAGUE_STARTS[amount.vague], [number])]


def range_wordings(low: Decimal, high: Decimal, unit: Wording = ()) -> list[Wording]:
    """All ways to say a range."""
    return joined(wordings(low), _RANGE_LINKS, wordings(high), [unit])


def percent_wordings(value: Decimal) -> list[Wording]:
    """All ways to say a percentage, and its number alone."""
    return [*joined(wordings(value), _PERCENT_SIGNS), *wordings(value)]


def amount_wordings(amount: Amount, text: str, *, is_money: bool) -> list[Wording]:
    """All ways to say an amount that a text writes."""
    if amount.high is not None:
        return range_wordings(amount.low, amount.high)
    said = list(wordings(amount.low))
    if is_money:
        said = [*(("$", *words) for words in said), *said]
    if text.isascii() and amount.is_exact:
        said.append((text,))
    if amount.vague == "more":
        said += _plurals(amount.low)
    return said + _other_meanings(text)


def _plurals(value: Decimal) -> list[Wording]:
    """The 30s, the thirties."""
    tens = [(f"{words[0][:-1]}ies",) for words in spelled(value) if words[0].endswith("ty")]
    return [(f"{with_commas(value)}s",), *tens]


def _other_meanings(text: str) -> list[Wording]:
    """Digits alone may be an hour, or a month and a day: 911."""
    if not text.isdecimal():
        return []
    hours = [(f"{text}:00",)] if int(text) < 24 else []
    return [*hours, *(day_in(text) if len(text) > 2 else [])]
