"""The command line of option sets: their fields as options of a command, and the sets made from the values given.

    @app.command()
    @with_options
    def align(model: ModelDirectory, *, symmetrization: Symmetrization) -> None: ...

A parameter whose type is an option set stands for the options of the set and of its parts. A command with such
parameters also has ``--config FILE`` (`widl.cli.config_file`): the command line overrides the file, the file overrides
the defaults.
"""

import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer
from pydantic import ValidationError

from widl.cli.commands import RUNNING
from widl.cli.config_file import config_option, lone_options, values_in_sets
from widl.common.errors import InputError
from widl.common.option_values import LARGEST
from widl.common.options import (
    Option,
    all_options,
    is_option_set,
    option_problem,
    unused_option,
    wrong_option,
)


class Only:
    """In a parameter's ``Annotated``: the command has only the options of the set with these field names."""

    def __init__(self, *names: str) -> None:
        self.names = names


@dataclass(frozen=True)
class CommandOption:
    """An option of a command, and the field of an option set that it sets."""

    place: tuple[str, ...]
    """The path to the field: the command's parameter, nested option sets, the field."""
    option: Option
    owner: type[Any]
    """The set that declares it."""

    @property
    def parameter(self) -> inspect.Parameter:
        """The parameter from which typer makes an option."""
        option = self.option
        names = [f"--{name}" for name in (option.cli_name, *option.command_line.aliases)]
        if _is_flag(option):
            names = [f"--{option.cli_name}/--no-{option.cli_name}"]
        group = group_of(self.owner, option)
        info = typer.Option(*names, help=option.help, metavar=metavar_of(option), rich_help_panel=group)
        kind = _typer_type(option)
        return _keyword(option.key, Annotated[kind, info], shown_default(option))


@dataclass(frozen=True)
class ChosenValues:
    """The values that the user chose for some option sets, by place, and their origin."""

    by_place: Mapping[tuple[str, ...], Any]
    in_file: frozenset[tuple[str, ...]] = field(default_factory=frozenset)
    file: Path | None = None
    of_file: Mapping[tuple[str, ...], Any] = field(default_factory=dict)
    """All values of the file, also those that the command line overrides."""

    def make(self, parameter: str, options: type[Any]) -> Any:
        """The option set of a command's parameter; InputError names the file if the wrong value is from it."""
        try:
            return options.__pydantic_validator__.validate_python(self._nested(parameter))
        except ValidationError as error:
            unused = self._unused(parameter, error)
            if unused in self.in_file and self._is_used_in_file(parameter, unused, options):
                # The command line overrides what it is for.
                others = {place: value for place, value in self.by_place.items() if place != unused}
                return replace(self, by_place=others).make(parameter, options)
            from_file = unused in self.in_file or self._comes_from_file(parameter, error, options)
            where = f"{self.file}: " if from_file else ""
            raise InputError(f"{where}{option_problem(error, options)}") from None

    def _nested(self, parameter: str) -> dict[str, Any]:
        """The values of a parameter, in dictionaries like its parts."""
        values: dict[str, Any] = {}
        for place, value in self.by_place.items():
            if place[0] == parameter:
                inner = values
                for part in place[1:-1]:
                    inner = inner.setdefault(part, {})
                inner[place[-1]] = value
        return values

    def _unused(self, parameter: str, error: ValidationError) -> tuple[str, ...]:
        """The place of an option that has no effect; () if the error is another one."""
        cause = unused_option(error)
        return () if cause is None else (parameter, *map(str, error.errors()[0]["loc"]), *cause.path)

    def _is_used_in_file(self, parameter: str, place: tuple[str, ...], options: type[Any]) -> bool:
        try:
            options.__pydantic_validator__.validate_python(replace(self, by_place=self.of_file)._nested(parameter))
        except ValidationError as error:
            return self._unused(parameter, error) not in ((), place)
        return True

    def _comes_from_file(self, parameter: str, error: ValidationError, options: type[Any]) -> bool:
        problem = error.errors()[0]
        wrong, _ = wrong_option(problem, options)
        if wrong is None or wrong.is_part:
            places = [place for place in self.by_place if place[0] == parameter]
            return all(place in self.in_file for place in places)
        end = problem["loc"].index(wrong.name) + 1
        return (parameter, *map(str, problem["loc"][:end])) in self.in_file


def given(parameter: str) -> bool:
    """Whether the command line of the running command, or its file, has this option, by its parameter's name."""
    return _is_given(RUNNING.get(), parameter, in_file=True)


def refuse_unused(parameters: Sequence[str], wanted: str) -> None:
    """InputError if one of these options was given where it has no effect; `wanted` says what they are for."""
    for parameter in parameters:
        if given(parameter):
            name = parameter.removeprefix("as_").replace("_", "-")
            raise InputError(f"--{name} has no effect here; it is for {wanted}")


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of the option sets among a command's parameters to it, and ``--config``."""
    parameters = list(inspect.signature(command).parameters.values())
    sets = {p.name: _option_set_in(p.annotation) for p in parameters if _option_set_in(p.annotation) is not None}
    options = options_of(command)
    by_key = {command_option.option.key: command_option for command_option in options}
    implied = _implied(sets, parameters)

    def run(**arguments: Any) -> None:
        context, config = arguments.pop("context"), arguments.pop("config")
        chosen = {by_key[key].place: value for key, value in values_in_sets(context).items()}
        of_file, in_file = dict(chosen), frozenset(chosen)
        chosen |= {place: True for name, place in implied.items() if arguments[name] is not None}
        for key, command_option in by_key.items():
            value = arguments.pop(key)
            if _is_given(context, key):
                chosen[command_option.place] = value
                in_file -= {command_option.place}
        values = ChosenValues(chosen, in_file, config, of_file)
        made = {name: values.make(name, kind) for name, kind in sets.items() if kind is not None}
        command(**arguments, **made)

    typer_parameters = [
        inner
        for p in parameters
        for inner in (
            [command_option.parameter for command_option in options if command_option.place[0] == p.name]
            if p.name in sets
            else [p.replace(kind=p.KEYWORD_ONLY)]
        )
    ]
    alone = lone_options(p for p in parameters if p.name not in sets)
    config_type = config_option({key: command_option.option for key, command_option in by_key.items()}, alone)
    typer_parameters += [_keyword("config", config_type, None)]
    typer_parameters += [_keyword("context", typer.Context, inspect.Parameter.empty)]
    run.__signature__ = inspect.Signature(typer_parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in typer_parameters}
    run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
    run.__wrapped_options__ = options  # type: ignore[attr-defined]
    run.__lone_options__ = alone  # type: ignore[attr-defined]
    return run


def _implied(
    sets: Mapping[str, type[Any] | None], parameters: Sequence[inspect.Parameter]
) -> dict[str, tuple[str, ...]]:
    """Flags of option sets that are hidden, since a file of the same name means them: ``--lattice FILE``; by name."""
    alone = {p.name for p in parameters if p.name not in sets}
    return {
        option.name: place
        for name, kind in sets.items()
        if kind is not None
        for place, option, _ in all_options(kind, name)
        if option.command_line.hidden and _is_flag(option) and option.name in alone
    }


def _is_given(context: Any, parameter: str, *, in_file: bool = False) -> bool:
    source = context.get_parameter_source(parameter)
    if in_file and (parameter in values_in_sets(context) or (source is not None and source.name == "DEFAULT_MAP")):
        return True
    return source is not None and source.name == "COMMANDLINE"


def options_of(command: Callable[..., None]) -> list[CommandOption]:
    """The options of a command that come from option sets, in order."""
    wrapped: list[CommandOption] | None = getattr(command, "__wrapped_options__", None)
    if wrapped is not None:
        return wrapped
    options: list[CommandOption] = []
    parameters = inspect.signature(command).parameters
    for parameter in parameters.values():
        if (kind := _option_set_in(parameter.annotation)) is not None:
            metadata = get_args(parameter.annotation)[1:]
            selections = [selection.names for selection in metadata if isinstance(selection, Only)]
            options += _expanded((parameter.name,), kind, selections[0] if selections else None, parameters.keys())
    return options


def _expanded(
    place: tuple[str, ...], options: type[Any], names: tuple[str, ...] | None, parameters: Collection[str]
) -> Iterator[CommandOption]:
    for path, option, owner in all_options(options, *place):
        # Of a flag that a file of the command means, such as --lattice FILE, the options are there, too.
        is_shown = not option.command_line.hidden or option.command_line.only_with.keys() & parameters
        if is_shown and (names is None or option.name in names):
            yield CommandOption(path, option, owner)


def _option_set_in(annotation: Any) -> type[Any] | None:
    kind = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
    return kind if is_option_set(kind) else None


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


# --- an option in help ---


def group_of(owner: type[Any], option: Option) -> str:
    """The heading in help of an option: of the group in its set, or of the set.

    >>> from widl.decoder import RealizationOptions
    >>> from widl.common.options import fields_of
    >>> groups = {option.name: group_of(RealizationOptions, option) for option in fields_of(RealizationOptions)}
    >>> groups["k"], groups["nbest"]
    ('Search', 'Realization options')
    """
    for heading, names in getattr(owner, "help_groups", {}).items():
        if option.name in names:
            return str(heading)
    words = re.findall(r"[A-Z][a-z]*", owner.__name__)
    if words[-1] not in ("Options", "Settings"):
        words.append("options")
    return " ".join([words[0], *map(str.lower, words[1:])])


def _is_flag(option: Option) -> bool:
    return option.annotation is bool


def is_many(option: Option) -> bool:
    """Whether an option may be given several times."""
    return isinstance(option.default, tuple | frozenset | dict) and option.written is None


def _base_type(option: Option) -> type[Any]:
    """The type that typer checks before the option set does."""
    if option.written is not None or option.choices:
        return str
    if is_many(option):
        return Path if option.is_path else str
    kinds = [kind for kind in get_args(option.annotation) if kind is not type(None)] or [option.annotation]
    return kinds[0] if kinds[0] in (int, float, bool, Path) and len(kinds) == 1 else str


def _typer_type(option: Option) -> Any:
    kind = _base_type(option)
    if is_many(option):
        return list[kind] | None  # type: ignore[valid-type]
    return kind if option.default is not None else kind | None


def shown_default(option: Option) -> Any:
    """The default that help shows; None if it shows none."""
    if option.default is None or is_many(option) or option.default == ():
        return None
    return option.written.show(option.default) if option.written is not None else option.default


_LONGEST_CHOICES = 44  # characters, so that help fits into a terminal


def metavar_of(option: Option) -> str | None:
    """The placeholder of an option's value in help."""
    if _is_flag(option):
        return None
    if option.command_line.metavar is not None:
        return option.command_line.metavar
    if option.written is not None:
        return option.written.metavar
    if option.choices:
        choices = f"<{'|'.join(map(str, option.choices))}>"
        return choices if len(choices) <= _LONGEST_CHOICES else "NAME"
    if is_many(option):
        return f"{'FILE' if option.is_path else 'NAME'}..."
    return f"<{_base_type(option).__name__.lower()}{bounds_text(option)}>"


def bounds_text(option: Option) -> str:
    """The bounds of a number in help, unless they are just "from 0".

    >>> from widl.decoder import RealizationOptions
    >>> from widl.common.options import fields_of
    >>> by_name = {option.name: option for option in fields_of(RealizationOptions)}
    >>> bounds_text(by_name["k"]), bounds_text(by_name["beam"]), bounds_text(by_name["nbest"])
    ('', ' 0..1', ' 1..1000000')
    """
    smallest, above, largest = (option.bounds.get(name) for name in ("ge", "gt", "le"))
    if largest is not None and largest >= LARGEST:
        largest = None
    if smallest is not None and largest is not None:
        return f" {smallest:.10g}..{largest:.10g}"
    if above is not None:
        return f" above {above:g}" + ("" if largest is None else f", to {largest:g}")
    return f" from {smallest:g}" if smallest else ""
