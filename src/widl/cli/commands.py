"""Shared parts of commands: help, options from a TOML file, the order of a command line's words."""

import dataclasses
import inspect
import re
from argparse import ArgumentError, ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cyclopts import App, Parameter, Token
from cyclopts.argument import Argument, ArgumentCollection

from widl.common.arguments import kind_of
from widl.common.errors import InputError
from widl.common.files import read_toml
from widl.common.toml_places import toml_place
from widl.common.validation_messages import did_you_mean, types_in

STANDARD_STREAM = Path("-")
"""Stdin as an input file, stdout as an output file."""
CONFIG = (
    "Options can also be set in a TOML file with lines 'name = value': --config FILE. The command line overrides it."
)


def commands(name: str, help: str) -> App:
    """The program, or a group of commands."""
    return App(
        name=name,
        help=help,
        help_flags=("--help", "-h"),
        version_flags=(),
        help_format="plaintext",
        help_epilogue=CONFIG,
        default_parameter=Parameter(allow_repeating=True, negative_bool=(), negative_iterable=(), show_default=_shown),
    )


@contextmanager
def joined_paragraphs(app: App, words: list[str]) -> Iterator[None]:
    """Wraps the help of the named command at the terminal's width instead of the docstring's."""
    _, apps, _ = app.parse_commands([word for word in words if word not in ("--help", "-h")])
    command = apps[-1]
    written = command.help
    command.help = with_joined_lines(written)
    try:
        yield
    finally:
        command.help = written


def with_joined_lines(text: str) -> str:
    """Joins each paragraph into one line; indented lines are examples and stay unchanged.

    >>> print(with_joined_lines("One\\ntwo.\\n\\n  widl demo\\n  widl check"))
    One two.
    <BLANKLINE>
      widl demo
      widl check
    """
    return re.sub(r"(?<!\n)\n(?=[^\n ])", " ", inspect.cleandoc(text))


def _shown(default: Any) -> str | None:
    """A default in help; none for switches and empty lists."""
    return None if isinstance(default, bool) or default in (None, (), frozenset()) else str(default)


# --- options in files ---


@dataclasses.dataclass
class OptionsFile:
    """A TOML file of options by name, words joined by ``_`` or ``-``; paths in it are relative to its folder."""

    path: Path
    given: dict[str, str] = dataclasses.field(default_factory=dict)
    """The command's options from the file, by their names on the command line, as they are written there."""

    def place(self, name: str) -> str:
        """``FILE:LINE`` of an option, by its name on the command line."""
        return toml_place(self.path, [self.given.get(name, name)])

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
                place = toml_place(self.path, [written])
                raise InputError(f"{place}: unknown option {written!r}; {did_you_mean(name, by_name)}")
            option = by_name[name]
            if option.tokens:
                continue
            self.given[name] = written
            values = value if isinstance(value, list) else [value]
            if len(values) > 1 and option.token_count() == (1, False):
                raise InputError(f"{self.place(name)}: {name}: expected one value, found a list")
            for index, item in enumerate(values):
                option.append(Token(keyword=f"--{name}", value=self._text(option, name, item), index=index))

    def _text(self, argument: Argument, name: str, value: Any) -> str:
        """A value as it would be written on the command line."""
        if isinstance(value, bool):
            return str(value).lower()
        if not isinstance(value, str | int | float):
            place = self.place(name)
            raise InputError(f"{place}: {name}: expected text, a number, true or false, found {kind_of(value)}")
        if Path in types_in(argument.hint) and Path(str(value)) != STANDARD_STREAM:
            return str(self.path.absolute().parent / str(value))
        return str(value)


def arranged(app: App, words: list[str]) -> list[str]:
    """The words of a command line as cyclopts reads them: positional arguments come first, then the options.

    ``-``, which cyclopts takes for an option, becomes a path, or is joined to the option whose text it is.
    """
    if {"--", "--help", "-h"} & set(words):
        return words
    chain, apps, _ = app.parse_commands(words)
    if apps[-1].default_command is None or words[:1] == ["--install-completion"]:
        return words
    arguments = apps[-1].assemble_argument_collection().filter_by(parse=True)
    by_name = {name: argument for argument in arguments for name in argument.names if name.startswith("-")}
    outside: list[str] = []
    options: list[str] = []
    rest = iter(words[len(chain) :])
    for word in rest:
        if word == "-" or not word.startswith("-"):
            outside.append("./-" if word == "-" else word)
            continue
        options.append(word)
        argument = by_name.get(word)
        if argument is None or argument.hint is bool or (value := next(rest, None)) is None:
            continue
        if value == "-" and Path not in types_in(argument.hint):
            options[-1] += "=-"
        else:
            options.append("./-" if value == "-" else value)
    return [*words[: len(chain)], *outside, *options]


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
