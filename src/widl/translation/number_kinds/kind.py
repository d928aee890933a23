"""A kind of number: a pattern of the whole notation, and its reading in English."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from widl.translation.chinese_numbers import AMOUNT
from widl.translation.english_numbers import Wording


@dataclass(frozen=True)
class Reading:
    """A number of a text that ends at `end`, in English.

    english: what the rule proposes, equally probable. accepted: all ways to say the number that a phrase of the table
    may have; none: any phrase may translate it. is_certain: whether a phrase must say it. is_closed: whether a unit or
    another sign shows that the number ends here.
    """

    end: int
    english: Sequence[Wording]
    accepted: Sequence[Wording]
    is_certain: bool = True
    is_closed: bool = True


Read = Callable[[re.Match[str]], Reading | None]
"""Reads the match of a pattern; None if its signs are no number of the kind."""


@dataclass(frozen=True)
class Kind:
    """A kind of number. Its pattern begins at the number's first sign, and ends behind the last, the unit included."""

    name: str
    pattern: re.Pattern[str]
    read: Read

    def reading_at(self, text: str, begin: int) -> Reading | None:
        """The reading of a notation that begins at a place."""
        match = self.pattern.match(text, begin)
        return self.read(match) if match else None


def kind(*pattern: str) -> Callable[[Read], Kind]:
    """Makes a kind of the function that reads it, and has its name; the parts of the pattern are joined."""
    compiled = re.compile("".join(pattern))
    return lambda read: Kind(read.__name__, compiled, read)


def amount_group(name: str) -> str:
    """A pattern of an amount, as a group."""
    return f"(?P<{name}>{AMOUNT})"
