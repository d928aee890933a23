"""Options of commands in a TOML file: --config FILE. An error names the file and the line."""

import dataclasses
from argparse import ArgumentError, ArgumentParser
from pathlib import Path
from typing import Any

from cyclopts import App, Token
from cyclopts.argument import Argument, ArgumentCollection

from widl.cli.commands import STANDARD_STREAM
from widl.common.arguments import kind_of
from widl.common.errors import InputError
from widl.common.files import read_toml
from widl.common.toml_locations import toml_location
from widl.common.validation_messages import did_you_mean, types_in


@dataclasses.dataclass
class OptionsFile:
    """A TOML file of options by name, words joined by ``_`` or ``-``; paths in it are relative to its folder."""

    path: Path
    given: dict[str, str] = dataclasses.field(default_factory=dict)
    """The command's options from the file, by their names on the command line, as they are written there."""

    def location(self, name: str) -> str:
        """``FILE:LINE`` of an option, by its name on the command line."""
        return toml_location(self.path, [self.given.get(name, name)])

    def __call__(self, _app: App, _commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
        """Set a command's arguments from the file, unless the command line sets them."""
        by_name = {
            name.removeprefix("--"): option
            for option in arguments.filter_by(parse=True)
            for name in option.parameter.name or ()
            if name.startswith("--")
        }
        for written, value in read_toml(self.path).items():
            name = written.replace("_", "-")
            if name not in by_name:
                location = toml_location(self.path, [written])
                raise InputError(f"{location}: unknown option {written!r}; {did_you_mean(name, by_name)}")
            option = by_name[name]
            if option.tokens:
                continue
            self.given[name] = written
            values = value if isinstance(value, list) else [value]
            if len(values) > 1 and option.token_count() == (1, False):
                raise InputError(f"{self.location(name)}: {name}: expected one value, found a list")
            for index, item in enumerate(values):
                option.append(Token(keyword=f"--{name}", value=self._text(option, name, item), index=index))

    def _text(self, argument: Argument, name: str, value: Any) -> str:
        """A value as it would be written on the command line."""
        if isinstance(value, bool):
            return str(value).lower()
        if not isinstance(value, str | int | float):
            location = self.location(name)
            raise InputError(f"{location}: {name}: expected text, a number, true or false, found {kind_of(value)}")
        if Path in types_in(argument.hint) and Path(str(value)) != STANDARD_STREAM:
            return str(self.path.absolute().parent / str(value))
        return str(value)


def take_config(words: list[str]) -> tuple[list[str], OptionsFile | None]:
    """The words of a command line without ``--config FILE``, and the file.

    >>> take_config(["realize", "--config", "a.toml", "x"])
    (['realize', 'x'], OptionsFile(path=PosixPath('a.toml'), given={}))
    """
    parser = ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--config", type=Path)
    try:
        taken, others = parser.parse_known_args(words)
    except ArgumentError as error:
        raise InputError(f"--config: {error.message}") from None
    return others, taken.config and OptionsFile(taken.config)
