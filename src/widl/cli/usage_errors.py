"""Usage errors of the command line, such as an option that a command does not have: one line on stderr, exit code 2.

What is wrong with an option's value is said by the option sets (`widl.common.options.option_problem`).
"""

import sys
from collections.abc import Sequence
from typing import Any

from typer.core import TyperGroup


class OneLineErrors(TyperGroup):
    """A group whose usage errors are a line on stderr, ``error: what is wrong; see 'widl COMMAND --help'``."""

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run the command; in standalone mode the process ends with its exit code."""
        if not settings.get("standalone_mode", True):
            return super().main(*args, **settings)
        try:
            code = super().main(*args, **(settings | {"standalone_mode": False}))
        except Exception as error:
            # Typer has click's errors, or, in later versions, a copy of them.
            if not hasattr(error, "format_message"):
                if type(error).__name__ == "Abort":
                    if isinstance(error.__context__, EOFError):
                        raise error.__context__ from None  # no question was asked whose answer could be missing
                    sys.exit(1)
                raise
            sys.exit(_tell(error, self._path_of(args[0] if args else sys.argv[1:])))
        sys.exit(code if isinstance(code, int) else 0)

    def _path_of(self, args: Sequence[str]) -> str:
        """The words of the command that is called."""
        path, command = ["widl"], self
        for word in args:
            if word not in getattr(command, "commands", {}):
                break
            path, command = [*path, word], command.commands[word]  # type: ignore[assignment]
        return " ".join(path)


def _tell(error: Any, path: str) -> int:
    """Print a usage error of a command; returns the exit code."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return 2
    message = " ".join(error.format_message().split()).removesuffix(".")
    if getattr(error, "ctx", None) is not None:
        path = error.ctx.command_path
    if message[1:2].islower():
        message = message[0].lower() + message[1:]
    sys.stderr.write(f"error: {message}; see '{path} --help'\n")
    return int(error.exit_code)
