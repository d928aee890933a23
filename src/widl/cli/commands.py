"""Shared parts of commands: help, the order of a command line's words."""

import inspect
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cyclopts import App, Parameter

from widl.common.validation_messages import types_in

STANDARD_STREAM = Path("-")
COMPLETION = "--install-completion"
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


def arranged(app: App, words: list[str]) -> list[str]:
    """The words of a command line as cyclopts reads them: positional arguments come first, then the options.

    ``-``, which cyclopts takes for an option, becomes a path, or is joined to the option whose text it is.
    """
    if {"--", "--help", "-h"} & set(words):
        return words
    chain, apps, _ = app.parse_commands(words)
    arranges = any(word.startswith("-") for word in words[len(chain) :])
    if not arranges or apps[-1].default_command is None or words[:1] == [COMPLETION]:
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
