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


def says(text: str, forms: Iterable[str]) -> bool:
    """Whether a printed text has one of the forms, and neither letters nor signs of a number around it."""
    spaced = plain(text)
    return any(re.search(rf"(?<![\w.,:/%-]){re.escape(form)}(?![\w%]|[.,:/-]\w)", spaced) for form in forms)
