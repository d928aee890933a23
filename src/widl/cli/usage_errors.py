"""One-line messages about wrong command lines."""

import re

from cyclopts import CycloptsError, MissingArgumentError, UnusedCliTokensError
from pydantic import ValidationError

from widl.cli.commands import OptionsFile
from widl.common.errors import InputError
from widl.common.options import option_error, set_in


def usage_error(error: CycloptsError, file: OptionsFile | None) -> str:
    """A one-line message about a wrong command line."""
    cause, argument = error.__cause__, error.argument
    options = None if argument is None else set_in(argument.hint)
    if isinstance(cause, ValidationError) and options is not None:
        return _of_file(str(option_error(cause, options)), file)
    if isinstance(cause, InputError):
        return _of_file(str(cause), file)
    message = _reworded(error, " ".join(str(error).split()).removesuffix("."))
    names = [] if argument is None else [name.removeprefix("--") for name in argument.names]
    if file is not None and (written := next((name for name in names if name in file.given), None)):
        message = f"{file.place(written)}: {message}"
    path = " ".join(["widl", *(error.command_chain or ())])
    return f"{message} See '{path} --help'" if message.endswith("?") else f"{message}; see '{path} --help'"


def _reworded(error: CycloptsError, message: str) -> str:
    """A message of cyclopts in the style of the others."""
    if isinstance(error, UnusedCliTokensError):
        return f"unexpected argument {' '.join(error.unused_tokens or ())!r}"
    if missing := re.search(r"arameter (\S+) requires an argument$", message):
        is_given = isinstance(error, MissingArgumentError) and error.keyword is not None
        return f"{missing[1]} needs a value" if is_given else f"{missing[1]} is missing"
    message = message.partition(" Available commands:")[0].removesuffix(".").replace("option: ", "option ")
    message = message.replace(". Did you mean", "; did you mean")
    return message[0].lower() + message[1:] if message[1:2].islower() else message


def _of_file(problem: str, file: OptionsFile | None) -> str:
    """A problem with an option, and the place in the file where the option was set."""
    name = problem.removeprefix("unknown ").partition(" ")[0].rstrip(":")
    return f"{file.place(name)}: {problem}" if file is not None and name in file.given else problem
