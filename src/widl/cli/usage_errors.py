"""One-line messages about wrong command lines."""

from cyclopts import CycloptsError
from pydantic import ValidationError

from widl.cli.commands import OptionsFile
from widl.common.errors import InputError
from widl.common.options import option_problem, set_in


def usage_error(error: CycloptsError, file: OptionsFile | None) -> str:
    """A one-line message about a wrong command line."""
    cause, argument = error.__cause__, error.argument
    options = None if argument is None else set_in(argument.hint)
    if isinstance(cause, ValidationError) and options is not None:
        return _of_file(option_problem(cause, options), file)
    if isinstance(cause, InputError):
        return _of_file(str(cause), file)
    message = " ".join(str(error).split()).removesuffix(".").replace(". Did you mean", "; did you mean")
    if message[1:2].islower():
        message = message[0].lower() + message[1:]
    if file is not None and argument is not None and file.given & {name.removeprefix("--") for name in argument.names}:
        message = f"{file.path}: {message}"
    path = " ".join(["widl", *(error.command_chain or ())])
    return f"{message}; see '{path} --help'"


def _of_file(problem: str, file: OptionsFile | None) -> str:
    """A problem with an option, and the file where the option was set."""
    name = problem.removeprefix("unknown ").partition(" ")[0].rstrip(":")
    return f"{file.path}: {problem}" if file is not None and name in file.given else problem
