"""``--config FILE.toml`` of commands: their options by the names of the command line, with ``_`` for ``-``.

Options of option sets are checked when the sets are made. The others become the defaults of the command line's parser,
which looks for them before it says that an option is missing.
"""

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from typer.models import OptionInfo

from widl.common.arguments import kind_of
from widl.common.errors import InputError
from widl.common.options import Option, read_options_file
from widl.common.validation import did_you_mean

_STANDARD_STREAM = Path("-")


@dataclass(frozen=True)
class LoneOption:
    """An option of a command that belongs to no option set."""

    name: str
    """The command's parameter."""
    key: str
    kind: type[Any]
    """Of a value: bool, int, float, str or Path."""
    is_many: bool
    """Whether it may be given several times."""


def lone_options(parameters: Iterable[inspect.Parameter]) -> list[LoneOption]:
    """The options among parameters of a command that have typer's annotations; not its arguments."""
    return [
        _lone_option(parameter.name, get_args(parameter.annotation)[0], info)
        for parameter in parameters
        if get_origin(parameter.annotation) is Annotated
        for info in parameter.annotation.__metadata__
        if isinstance(info, OptionInfo)
    ]


def _lone_option(name: str, annotation: Any, info: OptionInfo) -> LoneOption:
    declared = (info.default, *(info.param_decls or ()))  # in Annotated typer takes the first name for a default
    long_names = [one for one in declared if isinstance(one, str) and one.startswith("--")]
    key = long_names[0].split("/")[0].removeprefix("--").replace("-", "_") if long_names else name
    inner = get_args(annotation) if get_origin(annotation) is not Literal else ()
    kind = next((one for one in inner if one is not type(None)), annotation)
    is_many = get_origin(kind) is list or get_origin(annotation) is list
    kind = get_args(kind)[0] if get_origin(kind) is list else kind
    return LoneOption(name, key, kind, is_many)


def values_in_sets(context: Any) -> Mapping[str, Any]:
    """What the file of a command that runs says of the options in option sets, by key."""
    found: Mapping[str, Any] = context.meta.get(_IN_CONTEXT, {})
    return found


_IN_CONTEXT = f"{__name__}.values"


def config_option(in_sets: Mapping[str, Option], alone: Iterable[LoneOption]) -> Any:
    """The type of the parameter ``--config`` of a command with these options, those in option sets by key."""
    alone_by_key = {option.key: option for option in alone}

    def use(context: typer.Context, path: Path | None) -> Path | None:
        if path is not None and not context.resilient_parsing:
            _use(context, path, in_sets, alone_by_key)
        return path

    help_text = "TOML file of options, 'name = value'; docs/options.md lists them."
    # Eager: it is read before the other options are.
    return Annotated[Path | None, typer.Option("--config", metavar="FILE", help=help_text, is_eager=True, callback=use)]


def _use(context: Any, path: Path, in_sets: Mapping[str, Option], alone: Mapping[str, LoneOption]) -> None:
    """Put a file's values into the context of its command."""
    values: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for written, value in read_options_file(path).items():
        key = written.replace("-", "_")
        if key in in_sets:
            values[key] = _value_in_set(in_sets[key], value, path.absolute().parent)
        elif key in alone:
            defaults[alone[key].name] = _value_alone(context, alone[key], value, path)
        else:
            raise InputError(f"{path}: unknown option {written!r}; {did_you_mean(key, [*in_sets, *alone])}")
    context.meta[_IN_CONTEXT] = values
    context.default_map = defaults


def _value_in_set(option: Option, value: Any, folder: Path) -> Any:
    if option.written is not None and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)  # parsed as on the command line
    return _from_folder(folder, value) if option.is_path else value


def _value_alone(context: Any, option: LoneOption, value: Any, path: Path) -> Any:
    """The value of an option outside of option sets, in the form that the command line would give it."""
    where = f"{path}: {option.key.replace('_', '-')}"
    if option.kind is bool:
        if not isinstance(value, bool):
            raise InputError(f"{where}: expected true or false, found {kind_of(value)}")
        return value
    if option.is_many != isinstance(value, list):
        raise InputError(f"{where}: expected {'a list' if option.is_many else 'one value'}, found {kind_of(value)}")
    for one in value if option.is_many else [value]:
        if isinstance(one, bool) or not isinstance(one, str | int | float):
            raise InputError(f"{where}: expected text or a number, found {kind_of(one)}")
    as_written: Any = [str(one) for one in value] if option.is_many else str(value)
    if option.kind is Path:
        return _from_folder(path.absolute().parent, as_written)
    parameter = next(one for one in context.command.params if one.name == option.name)
    try:
        parameter.process_value(context, as_written)
    except Exception as error:
        # Typer has click's errors, or, in later versions, a copy of them.
        if not hasattr(error, "format_message"):
            raise
        raise InputError(f"{where}: {error.message.rstrip('.')}") from None  # type: ignore[attr-defined]
    return as_written


def _from_folder(folder: Path, value: Any) -> Any:
    """Paths in a file are relative to its folder."""
    if isinstance(value, list):
        return [_from_folder(folder, item) for item in value]
    return folder / value if isinstance(value, str) and Path(value) != _STANDARD_STREAM else value
