"""The errors that this package raises on purpose.

============================  =======================  ====================================================
error                         also a                   meaning
============================  =======================  ====================================================
`InputError`                  ``ValueError``           the input is wrong: a file, a line, an option
`OptionError`                                          an option is unknown, wrong, or not read; it is named
`WrongTypeError`              ``TypeError``            an argument of a wrong Python type; it is named
`FileError`                   ``OSError``              a file or directory can't be used as asked
`MissingFileError`            ``FileNotFoundError``    there is no such file or directory
`UnexpectedDirectoryError`    ``IsADirectoryError``    a directory where a file was expected
`MissingPackageError`         ``ImportError``          a package of an extra is not installed
`InternalError`               ``AssertionError``       a fault of this package; please report it
============================  =======================  ====================================================

All but the last are InputErrors, so ``except widl.InputError`` catches all errors that the caller can fix. Messages are
one line: place, value found, value expected, remedy. An OSError without InputError is the system's (disk full).

The command line prints any InputError or OSError as one line and exits with 2; everything else keeps its traceback.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from widl._core import InputError, InternalError

__all__ = [
    "FileError",
    "InputError",
    "InternalError",
    "MissingFileError",
    "MissingPackageError",
    "OptionError",
    "UnexpectedDirectoryError",
    "WrongTypeError",
]


class FileError(OSError, InputError):  # in this order __new__ is OSError's, which can make both
    """A file or directory that can't be used: it is missing, inaccessible, or of the wrong kind."""


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file or directory."""


class UnexpectedDirectoryError(FileError, IsADirectoryError):
    """A directory where a file was expected."""


class MissingPackageError(ImportError, InputError):
    """A package that an extra of `widl` installs is missing."""


class WrongTypeError(InputError, TypeError):
    """An argument of a wrong Python type, such as a string instead of a list of strings."""


@contextmanager
def errors_of(what: str) -> Iterator[None]:
    """Names in InputErrors what they are about: ``system 'a': …``."""
    try:
        yield
    except InputError as error:
        if str(error).startswith(f"{what}:") or isinstance(error, OSError):
            raise
        raise InputError(f"{what}: {error}") from error


def error_text(error: BaseException) -> str:
    """One line of an error that this package did not raise: its kind and its text."""
    return " ".join(f"{type(error).__name__}: {error}".split())


class OptionError(InputError):
    """An option that is unknown, has a wrong value, or is not read."""

    def __init__(self, message: str, option: str = "") -> None:
        """`option`: its name in Python, if the error is of a single one."""
        super().__init__(message)
        self.option = option
