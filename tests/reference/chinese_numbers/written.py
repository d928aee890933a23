"""A number as Chinese text writes it, with all its right English forms."""

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Written:
    """A notation of a value; `forms` are all right ways to say it in English."""

    kind: str
    notation: str
    forms: frozenset[str]

    @classmethod
    def of(cls, kind: str, notation: str, forms: Iterable[str]) -> "Written":
        return cls(kind, notation, frozenset(forms))


Writer = Callable[[random.Random], Written]


def plain(text: str) -> str:
    """Lower case, with a blank between words."""
    return " ".join(text.lower().replace("°c", " degrees celsius").split())


_BEFORE = re.compile(r"[\w.,:/%-]")
_BEHIND = re.compile(r"[\w%]|[.,:/-]\w")


def says(text: str, forms: Iterable[str]) -> bool:
    """Whether a printed text has one of the forms, and neither letters nor signs of a number around it."""
    spaced = plain(text)
    return any(_stands_in(spaced, form) for form in forms)


def _stands_in(text: str, form: str) -> bool:
    """Whether a form stands somewhere in the text by itself."""
    at = text.find(form)
    while at >= 0:
        is_cut = (at and _BEFORE.match(text, at - 1)) or _BEHIND.match(text, at + len(form))
        if not is_cut:
            return True
        at = text.find(form, at + 1)
    return False
