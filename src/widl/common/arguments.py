"""Checks of arguments that Python would misread: a string is also an iterable of its characters."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from unicodedata import category

from widl.common.errors import InputError, WrongTypeError, error_text

PathLike: TypeAlias = str | os.PathLike[str]
"""The path of a file or directory in the public API."""

_CONTROL = frozenset({"Cc", "Zl", "Zp"})
T = TypeVar("T")


def reject_text(value: T, name: str, expected: str) -> T:
    """Returns an iterable that is not a string, bytes or a path; for these, WrongTypeError says what to pass.

    >>> reject_text(["a b"], "lines", "a list of lines: [line]")
    ['a b']
    >>> reject_text("a b", "lines", "a list of lines: [line]")
    Traceback (most recent call last):
    widl.common.errors.WrongTypeError: lines: found the string 'a b'; pass a list of lines: [line]
    """
    if isinstance(value, str):
        excerpt = repr(value if len(value) <= 30 else value[:29] + "…")
        raise WrongTypeError(f"{name}: found the string {excerpt}; pass {expected}")
    if isinstance(value, (bytes, os.PathLike)) or not isinstance(value, Iterable):
        raise WrongTypeError(f"{name}: found {kind_of(value)}; pass {expected}")
    return value


def texts_in(value: Iterable[str], name: str, expected: str) -> Iterator[str]:
    """The strings of an iterable, one by one; WrongTypeError for another value, or an item that is no string."""
    return _texts(reject_text(value, name, expected), name)


def _texts(values: Iterable[str], name: str) -> Iterator[str]:
    for number, value in enumerate(values, 1):
        if not isinstance(value, str):
            raise WrongTypeError(f"{name}: item {number} is {kind_of(value)}; pass strings")
        yield value


def whole(value: int, name: str) -> int:
    """Returns a whole number, of numpy, too; raises WrongTypeError for other values."""
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        raise WrongTypeError(f"{name}: found {kind_of(value)}; pass a whole number")
    return int(value)


def words_in(value: str | Iterable[str], name: str) -> list[str]:
    """The words of a text between blanks, or a list of words.

    Raises WrongTypeError for other values, and InputError for a word with white space, which no string can contain.

    >>> words_in("new york", "a term"), words_in(["new", "york"], "a term")
    (['new', 'york'], ['new', 'york'])
    """
    if isinstance(value, str):
        return value.split()
    words = list(reject_text(value, name, "a list of words, or a string of words between blanks"))
    for word in words:
        if not isinstance(word, str):
            raise WrongTypeError(f"{name}: found {kind_of(word)} among the words; pass strings")
        if word.split() != [word]:
            what = "has white space; pass its parts as words" if word.split() else "is empty; remove it"
            raise InputError(f"{name}: the word {word!r} {what}")
    return words


def text_of(value: str, name: str) -> str:
    """Returns a string; raises WrongTypeError for other values."""
    if not isinstance(value, str):
        raise WrongTypeError(f"{name}: found {kind_of(value)}; pass a string")
    return value


def called(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a user's function; InputError that names it if it raises an error, which is the cause.

    A front end would take another error for a fault of one item, and go on without a result.
    """
    try:
        return function(*arguments)
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{name} raised an error ({error_text(error)})") from error


def numbers_of(values: Any, what: str, expected: str) -> list[float]:
    """The numbers that a user's function gave; InputError for another value, or an item that is no number.

    >>> numbers_of([0.5, "x"], "metric 'f' returned", "return a list of numbers")
    Traceback (most recent call last):
    widl._core.InputError: metric 'f' returned a list with 'x' in it; return a list of numbers
    """
    try:
        items = list(values)
    except TypeError:
        raise InputError(f"{what} {kind_of(values)}; {expected}") from None
    for item in items:
        if isinstance(item, str | bytes) or not hasattr(type(item), "__float__"):
            raise InputError(f"{what} {kind_of(values)} with {_shown(item)} in it; {expected}")
    return [float(item) for item in items]


def _shown(item: object) -> str:
    return repr(item) if isinstance(item, str) and len(item) <= 30 else kind_of(item)


def encodable(text: str, name: str) -> str:
    """The text, if UTF-8 can encode it; an InputError for a lone surrogate such as JSON's ``"\\ud800"``."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(f"{name}: {text[error.start]!r} is a character that UTF-8 cannot encode; remove it") from None
    return text


def paths_of(values: Iterable[PathLike], name: str, expected: str = "a list of paths: [path]") -> list[Path]:
    """The items as paths; a WrongTypeError for a single path instead of a list.

    >>> paths_of(["a.txt"], "files")
    [PosixPath('a.txt')]
    """
    return [Path(value) for value in reject_text(values, name, expected)]


def kind_of(value: object) -> str:
    """An object's type with its article, for messages: a str, an int, None."""
    if value is None or isinstance(value, bytes):
        return "None" if value is None else "bytes"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def counted(number: int, noun: str) -> str:
    """A number with its noun, for messages.

    >>> counted(1, "line"), counted(1200, "line")
    ('1 line', '1,200 lines')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def one_line(text: str) -> str:
    r"""The text with its line breaks, tabs and other control characters escaped, for a line or a field of output.

    >>> one_line("a\tb\nc")
    'a\\tb\\nc'
    """
    return "".join(c.encode("unicode_escape").decode() if category(c) in _CONTROL else c for c in text)
