"""Values of options that may also be written as text: sizes, comma-separated numbers, limits."""

import os
import re
import sys
from collections.abc import Callable
from typing import Annotated, Any

from cyclopts import Parameter
from pydantic import BeforeValidator, Field

from widl.common.errors import InputError

LARGEST = 2**31 - 1
"""Limit of the core's integers."""
FINITE = sys.float_info.max
"""The largest number that is not infinite."""
MAX_SIZE = 2**63 - 1
"""Limit of sizes in bytes."""


def is_whole_number(text: str) -> bool:
    """Whether a text is a whole number of ASCII digits that `int` reads, which refuses thousands of digits."""
    return re.fullmatch("[0-9]{1,400}", text) is not None


def parse_size(text: str) -> int:
    """Bytes of a size such as ``500M`` or ``1.5G``, in powers of 1024, or ``50%`` of the machine's memory.

    >>> parse_size("16K"), parse_size("2M")
    (16384, 2097152)
    """
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?)\s*([BKMGT%]?)B?\s*", text, re.IGNORECASE)
    if not match:
        found = shortened(text)
        raise InputError(f"'{found}' is not a size; give a number with K, M, G or T, or a percentage like 50%")
    number, unit = float(match[1]), match[2].upper()
    if unit == "%":
        size = number / 100 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    else:
        size = number * 1024 ** "BKMGT".index(unit or "B")
    if size > MAX_SIZE:  # perhaps infinite
        raise InputError(f"'{shortened(text)}' is too large a size; at most {MAX_SIZE} bytes can be asked for")
    return int(size)


def shortened(text: str) -> str:
    """A user's value for a message, truncated to 200 characters."""
    return text if len(text) <= 200 else f"{text[:200]}…"


def show_size(size: int | None) -> str | None:
    """A number of bytes in its shortest notation; None is returned unchanged.

    >>> show_size(1 << 30), show_size(1500)
    ('1G', '1500')
    """
    if size is None:
        return None
    for unit, exponent in (("T", 4), ("G", 3), ("M", 2), ("K", 1)):
        if size and size % 1024**exponent == 0:
            return f"{size // 1024**exponent}{unit}"
    return str(size)


def _numbers(text: str) -> tuple[int, ...]:
    words = re.split(r"[,\s]+", text.strip())
    if not all(is_whole_number(word.removeprefix("-")) for word in words):
        raise InputError(f"'{shortened(text)}' is not a list of numbers; separate them by commas, like 0,0,1")
    return tuple(map(int, words))


def _show_numbers(numbers: tuple[int, ...]) -> str | None:
    return ",".join(map(str, numbers)) or None


def _number_or_none(text: str) -> int | None:
    if text == "none":
        return None
    if not is_whole_number(text):
        raise InputError(f"{shortened(text)!r} is neither a number nor 'none'")
    return int(text)


def _in_words(value: Any) -> str | None:
    return "none" if value is None else str(value)


def _or_text(
    kind: Any, read: Callable[[str], Any], metavar: str, show: Callable[[Any], str | None] = _in_words
) -> tuple[BeforeValidator, Parameter]:
    """The annotations of a type whose values may also be text: a string in TOML, a word on the command line.

    `read` parses the text; `show` writes the default for help.
    """

    def parsed(value: Any) -> Any:
        match value:
            case str(text) | [str(text)]:  # the command line gives a list's word in a list
                return read(text)
        return value

    parameter = Parameter(converter=lambda _, tokens: tokens[0].value, n_tokens=1, metavar=metavar, show_default=show)
    return BeforeValidator(parsed, json_schema_input_type=kind | str), parameter


def shown_in_help(*, group: str = "", metavar: str = "") -> Parameter:
    """An option's group in help, and the name of its value.

    Only `widl.common` and `widl.cli` know the library that parses the command line.
    """
    given = {"group": group, "metavar": metavar}
    return Parameter(**{name: text for name, text in given.items() if text})  # type: ignore[arg-type]


NOT_ON_COMMAND_LINE = Parameter(parse=False)
"""Annotation of an option for Python and files alone."""

Count = Annotated[int, Field(ge=0, le=LARGEST)]
Positive = Annotated[int, Field(ge=1, le=LARGEST)]
NonNegative = Annotated[float, Field(ge=0, le=FINITE)]
Share = Annotated[float, Field(ge=0, le=1)]
Switch = Annotated[bool, Parameter(negative_bool="no-")]
"""An option that is on unless ``--no-NAME`` is given."""

Size = Annotated[int, Field(ge=0, le=MAX_SIZE), *_or_text(int, parse_size, "SIZE", show_size)]
"""Bytes, or text such as ``500M``."""

Limit = Annotated[Count | None, *_or_text(Count | None, _number_or_none, "N|none")]
"""An integer, or None (text ``none``) for no limit."""

_WholeNumber = Annotated[int, Field(ge=0, lt=2**63)]
WholeNumbers = Annotated[
    tuple[_WholeNumber, ...], *_or_text(tuple[_WholeNumber, ...], _numbers, "N,N,…", _show_numbers)
]
