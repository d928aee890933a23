"""One-line messages about wrong command lines."""

from cyclopts import CycloptsError
from pydantic import ValidationError

from widl.cli.commands import OptionsFile
from widl.common.errors import InputError
from widl.common.options import is_option_set, option_problem
from widl.common.validation_messages import types_in


def usage_error(error: CycloptsError, file: OptionsFile | None) -> str:
    """A one-line message about a wrong command line."""
    cause = error.__cause__
    if isinstance(cause, ValidationError) and error.argument is not None:
        kind = next(kind for kind in types_in(error.argument.hint) if is_option_set(kind))
        return _of_file(option_problem(cause, kind), file)
    if isinstance(cause, InputError):
        return _of_file(str(cause), file)
    message = " ".join(str(error).split()).removesuffix(".").replace(". Did you mean", "; did you mean")
    if message[1:2].islower():
        message = message[0].lower() + message[1:]
    if file is not None and error.argument is not None:
        names = {name.removeprefix("--") for name in error.argument.names}
        message = f"{file.path}: {message}" if names & file.given else message
    path = " ".join(["widl", *(error.command_chain or ())])
    return f"{message}; see '{path} --help'"


def _of_file(problem: str, file: OptionsFile | None) -> str:
    """A problem with an option, and the file where the option was set."""
    name = problem.removeprefix("unknown ").partition(" ")[0].rstrip(":")
    return f"{file.path}: {problem}" if file is not None and name in file.given else problem
