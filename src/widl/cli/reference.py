"""The reference of options in the documentation, made from the option sets.

``python -m widl.cli.reference docs/options.md`` writes it.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined
from typer.main import get_command

from widl.cli import app
from widl.cli.config_file import LoneOption
from widl.cli.option_sets import CommandOption, bounds_text, is_many, shown_default
from widl.common.files import write_text
from widl.common.options import Option, bounds_of, choices_of, fields_of, is_option_set
from widl.experiments.bags import BagLimits
from widl.experiments.combination import CombinationExperimentConfig
from widl.experiments.config import SetConfig, TuningConfig
from widl.experiments.headline_config import HeadlineExperimentConfig, HeadlineSystemConfig
from widl.experiments.translation_config import SystemConfig, TranslationExperimentConfig
from widl.experiments.word_order import WordOrderConfig

CONFIGURATIONS: dict[str, type[BaseModel]] = {
    "word-order": WordOrderConfig,
    "translation": TranslationExperimentConfig,
    "headline": HeadlineExperimentConfig,
    "combine": CombinationExperimentConfig,
}
"""Of experiments, by the experiment's name."""

_PARTS: tuple[type[BaseModel], ...] = (SetConfig, SystemConfig, HeadlineSystemConfig, TuningConfig, BagLimits)

_INTRODUCTION = """# Options

<!-- Made by `python -m widl.cli.reference docs/options.md`. -->

Every option is declared once, in an *option set*: a frozen dataclass in Python, whose fields are options of commands
and keys of TOML files. This page is made from them, as `widl COMMAND --help` is.

In Python the names are those of the first column, and a set checks its values when it is made:

    from widl import TranslationOptions
    TranslationOptions(search="astar-k", k=3, distortion_limit=None)

Every command that has such options reads all its options from a file, too, also those at the end of this page:
`--config FILE.toml`. The command line wins over the file, the file over the defaults. Keys are the names of the command
line with `_` for `-`; flags are `true` or `false`; paths begin at the file's folder; what may be given several times is
a list.

    #:schema translate.schema.json
    search = "astar-k"
    k = 3
    distortion_limit = "none"
    threads = 4
    weights = "tuned.toml"

The first line tells editors that know JSON schemas what may follow: `widl schema translate > translate.schema.json`
makes that file. There is a schema for each command with options, and one for each experiment.

"""


_NOTHING = "–"
"""The default of an option that may be left out."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command: click's object, and its option, which belongs to an option set or is alone."""

    command: str
    click: Any
    option: CommandOption | None
    alone: LoneOption | None


def parameters() -> Iterator[Parameter]:
    """The parameters of all commands except ``--help``."""
    for name, command in _commands(get_command(app), "widl"):
        wrapped: list[CommandOption] = getattr(command.callback, "__wrapped_options__", [])
        options = {command_option.option.key: command_option for command_option in wrapped}
        alone = {option.name: option for option in getattr(command.callback, "__lone_options__", [])}
        for parameter in command.params:
            if parameter.name != "help":
                yield Parameter(name, parameter, options.get(parameter.name), alone.get(parameter.name))


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield name, command
        return
    for subname, subcommand in command.commands.items():
        yield from _commands(subcommand, f"{name} {subname}")


# --- tables ---


def option_sets() -> dict[type[Any], list[str]]:
    """The option sets of the commands, with their parts and what they extend, and the commands of each, in order."""
    found: dict[type[Any], list[str]] = {}

    def add(options: type[Any]) -> list[str]:
        if options not in found:
            for base in options.__bases__:
                if is_option_set(base):
                    add(base)
            found[options] = []
            for part in fields_of(options):
                if part.is_part:
                    add(part.annotation)
        return found[options]

    for parameter in parameters():
        if parameter.option is not None:
            commands = add(parameter.option.owner)
            commands += [parameter.command] * (parameter.command not in commands)
    return found


def page() -> str:
    """The page of all option sets, configurations, and parameters outside of option sets."""
    parts = [_INTRODUCTION, "## Option sets\n\n"]
    parts += [_set_section(options, commands) for options, commands in option_sets().items()]
    parts.append("## Configurations of experiments\n\nKeys of TOML files; docs/experiments.md describes them.\n\n")
    parts += [_model_section(f"`widl experiment {name}`", model) for name, model in CONFIGURATIONS.items()]
    parts += [_model_section(f"`{model.__name__}`", model) for model in _PARTS]
    parts.append("## Other parameters of commands\n\nThese name files, and choose what is printed.\n\n")
    parts.append(_table(["parameter", "of", "meaning"], _alone()))
    return "".join(parts).rstrip() + "\n"


def _set_section(options: type[Any], commands: list[str]) -> str:
    summary = (options.__doc__ or "").split("\n\n")[0].strip()
    of = f" Of {', '.join(f'`{command}`' for command in commands)}." if commands else ""
    bases = [base for base in options.__bases__ if is_option_set(base)]
    of += "".join(f" Also has the options of [`{base.__name__}`](#{base.__name__.lower()})." for base in bases)
    inherited = [option for base in bases for option in fields_of(base)]
    rows = [_row(option) for option in fields_of(options) if option not in inherited]
    columns = ["option", "command line", "values", "default", "meaning"]
    return f"### `{options.__name__}`\n\n{summary}{of}\n\n{_table(columns, rows)}\n"


def _row(option: Option) -> list[str]:
    if option.is_part:
        kind = option.annotation.__name__
        default = _NOTHING if option.default is None else ""
        return [f"`{option.name}`", "", f"[`{kind}`](#{kind.lower()})", default, "A nested option set."]
    flag = "" if option.command_line.hidden else f"`--{option.cli_name}`"
    return [f"`{option.name}`", flag, values_text(option), _plain(shown_default(option)), option.help]


def values_text(option: Option) -> str:
    """The type or choices of an option.

    >>> from widl.decoder import RealizationOptions
    >>> by_name = {option.name: option for option in fields_of(RealizationOptions)}
    >>> values_text(by_name["bound"]), values_text(by_name["nbest"])
    ('static, context, eq2, lagrangian', 'int 1..1000000')
    """
    if option.written is not None:
        return option.written.metavar.strip("<>").replace("|", " or ")
    if option.choices:
        return ", ".join(map(str, option.choices))
    if option.command_line.metavar is not None and "|" in option.command_line.metavar:
        return option.command_line.metavar.replace("|", ", ")
    if is_many(option):
        return "paths" if option.is_path else "names" if not isinstance(option.default, dict) else "bounds by name"
    return kind_text(option.annotation) + bounds_text(option)


def kind_text(annotation: Any) -> str:
    """A type in words.

    >>> kind_text(int | None), kind_text(list[Path]), kind_text(bool)
    ('int', 'list of path', 'flag')
    """
    if choices := choices_of(annotation):
        return ", ".join(map(str, choices))
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return kind_text(inner[0])
    if origin in (Union, UnionType):
        return " or ".join(kind_text(kind) for kind in inner if kind is not NoneType)
    if origin is not None:
        plural = {list: "list", frozenset: "set", tuple: "row"}.get(origin, "table")
        return f"{plural} of {kind_text(inner[0])}"
    return {bool: "flag", Path: "path"}.get(annotation) or str(annotation.__name__)


def _model_section(title: str, model: type[BaseModel]) -> str:
    rows = []
    for name, info in model.model_fields.items():
        default_value = PydanticUndefined if info.is_required() else info.get_default(call_default_factory=True)
        default = "needed" if default_value is PydanticUndefined else _plain(default_value)
        low = bounds_of(info).get("ge")
        kind = kind_text(info.annotation) + (f" from {low:g}" if low else "")
        rows.append([f"`{name}`", kind, default, info.description or ""])
    summary = (model.__doc__ or "").split("\n\n")[0].strip()
    return f"### {title}\n\n{summary}\n\n{_table(['key', 'values', 'default', 'meaning'], rows)}\n"


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(getattr(item, "name", str(item)) for item in value) or _NOTHING
    if value is None or not isinstance(value, bool | int | float | str):
        return _NOTHING if value is None else ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _alone() -> list[list[str]]:
    """Parameters outside of option sets; equal parameters of several commands share a row."""
    rows: dict[tuple[str, str], list[str]] = {}
    for parameter in parameters():
        if parameter.option is None:
            names = ", ".join(f"`{name}`" for name in parameter.click.opts if name.startswith("-"))
            label = names or f"`{(parameter.click.metavar or parameter.click.name)}`"
            rows.setdefault((label, parameter.click.help or ""), []).append(f"`{parameter.command}`")
    return [[name, ", ".join(commands), help] for (name, help), commands in rows.items()]


def _table(columns: list[str], rows: list[list[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    escaped = ([cell.replace("|", r"\|").replace("<", "&lt;") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in escaped)


def write_reference(page_path: Path) -> None:
    """Write the page."""
    with write_text(page_path) as file:
        file.write(page())


if __name__ == "__main__":
    write_reference(Path(sys.argv[1]))
