"""One-line messages about wrong command lines."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

from cyclopts import (
    ArgumentCollection,
    CycloptsError,
    MissingArgumentError,
    UnknownOptionError,
    UnusedCliTokensError,
)
from pydantic import ValidationError

from widl.cli.options_file import OptionsFile
from widl.common.errors import InputError
from widl.common.option_values import shortened
from widl.common.options import option_error, set_in
from widl.common.validation_messages import problem_of

_SHORTEST = 3  # letters of a word that options are looked up by
_MAX_SUGGESTIONS = 3  # options that are suggested


def usage_error(error: CycloptsError, file: OptionsFile | None) -> str:
    """A one-line message about a wrong command line."""
    cause, argument = error.__cause__, error.argument
    options = None if argument is None else set_in(argument.hint)
    if isinstance(cause, ValidationError) and options is not None:
        return _of_file(str(option_error(cause, options)), file)
    if isinstance(cause, InputError):
        return _of_file(str(cause), file)
    message = _reworded(error, " ".join(str(error).split()).removesuffix("."))
    if isinstance(cause, ValidationError) and argument is not None:
        message = f"{argument.names[0]}: {problem_of(cause.errors()[0])}"
    message = re.sub(r"\S{201,}", lambda word: shortened(word[0]), message)
    names = [] if argument is None else [name.removeprefix("--") for name in argument.names]
    if file is not None and (written := next((name for name in names if name in file.given), None)):
        message = f"{file.location(written)}: {message}"
    path = " ".join(["widl", *(error.command_chain or ())])
    return f"{message} See '{path} --help'" if message.endswith("?") else f"{message}; see '{path} --help'"


_HINTS = {"train": "its one argument is the new model, and --bitext NAME the text, both NAME.zh and NAME.en"}
"""Advice on arguments that users of other toolkits give, by command."""


def likely_options(name: str, known: Iterable[str]) -> list[str]:
    """The options that a wrong name may mean: options with a word that begins like it, else the most similar one."""
    options = sorted({option for option in known if option.startswith("--") and not option.startswith("--no-")})
    word = name.lstrip("-").lower()
    if len(word) >= _SHORTEST:
        beginning = [option for option in options if any(part.startswith(word) for part in option[2:].split("-"))]
        if 0 < len(beginning) <= _MAX_SUGGESTIONS:
            return beginning
    return get_close_matches(f"--{word}", options, 1, cutoff=0.75)


_DASHED = "; if smaller ones are better, it is --metric=-module:function, with an equals sign"
"""Advice on a value that begins like an option."""


def _reworded(error: CycloptsError, message: str) -> str:
    """A message of cyclopts in the style of the others."""
    if isinstance(error, UnusedCliTokensError):
        message = f"unexpected argument {' '.join(error.unused_tokens or ())!r}"
        hint = _HINTS.get(" ".join(error.command_chain or ()), "")
        return f"{message}; {hint}" if hint else message
    if isinstance(error, UnknownOptionError):
        return _unknown_option(error.token.keyword or error.token.value, error.argument_collection)
    if missing := re.search(r"arameter (\S+) requires an argument$", message):
        is_given = isinstance(error, MissingArgumentError) and error.keyword is not None
        if not is_given:
            return f"{missing[1]} is missing"
        return f"{missing[1]} needs a value{_DASHED if missing[1] == '--metric' else ''}"
    message = message.partition(" Available commands:")[0].removesuffix(".").replace("option: ", "option ")
    message = message.replace(". Did you mean", "; did you mean")
    return message[0].lower() + message[1:] if message[1:2].islower() else message


def _unknown_option(given: str, arguments: ArgumentCollection) -> str:
    """The message about an unknown option. Some options are not of the command line."""
    name = given.partition("=")[0]
    elsewhere = {known for argument in arguments if not argument.parse for known in argument.names}
    if name in elsewhere:
        return f"{name} is an option of Python, not of the command line"
    likely = likely_options(name, {known for argument in arguments for known in argument.names} - elsewhere)
    return f"unknown option {given}" + (f"; did you mean {' or '.join(likely)}?" if likely else "")


def _of_file(problem: str, file: OptionsFile | None) -> str:
    """A problem with an option, and the place in the file where the option was set."""
    name = problem.removeprefix("unknown ").partition(" ")[0].rstrip(":")
    return f"{file.location(name)}: {problem}" if file is not None and name in file.given else problem
