"""Option sets: each option is declared once, in the room that it belongs to.

    @option_set
    class CubeOptions:
        '''How to search.'''

        pop_limit: Annotated[int, option("States generated for a layer; 0: all.", ge=0)] = 1500

An option set is a frozen dataclass that pydantic checks at construction: invalid values are an `InputError` of one
line. Its command line, its tables in TOML files, its JSON schema and its reference table in the documentation are
generated from `fields_of`.
"""

import dataclasses
import inspect
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Literal, TypeVar, dataclass_transform, get_args, get_origin

from pydantic import ConfigDict, Field, ValidationError, model_validator
from pydantic.dataclasses import dataclass, is_pydantic_dataclass
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from widl.common import presets
from widl.common.arguments import kind_of
from widl.common.errors import InputError, MissingFileError
from widl.common.files import read_toml
from widl.common.option_values import LARGEST, Written
from widl.common.validation import did_you_mean, wrong_value

T = TypeVar("T")


Conditions = Mapping[str, tuple[Any, ...]]
"""Options, by field name, and the values of each with which another option has an effect; (): all but the default.

A set that extends another one gives options of that one other conditions by name, in `conditions`.
"""


@dataclasses.dataclass(frozen=True)
class CommandLine:
    """The form of an option on the command line."""

    name: str | None = None
    """Without leading dashes, if it differs from the field's name."""
    metavar: str | None = None
    aliases: tuple[str, ...] = ()
    """Other names."""
    hidden: bool = False
    """Whether the command line leaves it out: it is for Python and TOML only, or a command has another form of it."""
    only_with: Conditions = dataclasses.field(default_factory=dict)
    """Other options, or properties, of the set, or of a set that it is a part of; one must have one of these values."""

    def __call__(self, schema: dict[str, Any]) -> None:
        """Pydantic calls this to change a field's JSON schema; nothing is changed."""


HelpGroups = Mapping[str, tuple[str, ...]]
"""Fields of an option set by the heading under which help shows them: the type of its `help_groups`, if it has some."""


def option(
    help: str,
    *,
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
    name: str | None = None,
    metavar: str | None = None,
    aliases: tuple[str, ...] = (),
    hidden: bool = False,
    only_with: Conditions | None = None,
) -> Any:
    """The metadata of an option, for its ``Annotated``: help text, bounds, and form on the command line."""
    command_line = CommandLine(name, metavar, aliases, hidden, only_with or {})
    return Field(description=help, ge=ge, gt=gt, le=le, json_schema_extra=command_line)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field,))
def option_set(cls: type[T]) -> type[T]:
    """Turn a class of annotated options into a frozen dataclass with keyword arguments, checked at construction."""
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    if "preset" in inspect.get_annotations(cls):
        filling: Any = classmethod(presets.fill)
        cls._of_preset = model_validator(mode="before")(filling)  # type: ignore[attr-defined]
    own = cls.__dict__.get("__post_init__")
    if own is not None or not hasattr(cls, "__post_init__"):  # else it has that of the set that it extends
        cls.__post_init__ = _refusing_unused(own)  # type: ignore[attr-defined]
    checked: Any = dataclass(cls, frozen=True, kw_only=True, config=config)
    check = checked.__init__

    @wraps(check)
    def __init__(self: Any, *positional: Any, **values: Any) -> None:
        if positional:
            raise TypeError(f"{cls.__name__} takes its options by name")
        try:
            check(self, **values)
        except ValidationError as error:
            raise unused_option(error) or InputError(option_problem(error, checked)) from None

    checked.__init__ = __init__
    return checked  # type: ignore[no-any-return]


# --- options that have no effect ---


class UnusedOptionError(InputError):
    """An option was given that has no effect together with the others of its set."""

    path: tuple[str, ...] = ()
    """The fields that lead to it."""


def _refusing_unused(check: Callable[[Any], None] | None) -> Callable[[Any], None]:
    """A `__post_init__` of an option set, after its own."""

    def __post_init__(self: Any) -> None:
        if check is not None:
            check(self)
        if hasattr(self, "preset"):
            presets.check(self)
        for path, one in _conditional(type(self)):
            if _at(self, path, one.default) != one.default and not _is_used(self, one):
                raise _unused(self, path, one)

    return __post_init__


def _unused(options: Any, path: tuple[str, ...], one: "Option") -> UnusedOptionError:
    names = {other.name: other.cli_name for other in fields_of(type(options))}
    wanted = " or ".join(
        f"{names.get(other, other)} {' or '.join(str(value) for value in values if value is not None)}".rstrip()
        for other, values in one.command_line.only_with.items()
    )
    error = UnusedOptionError(f"{one.cli_name} has no effect here; it is for {wanted}")
    error.path = path
    return error


def refuse_others(options: Any, conditions: Mapping[str, bool], wanted: str) -> None:
    """UnusedOptionError if an option that has an effect only where its condition holds is not what it is by default."""
    for one in fields_of(type(options)):
        if not conditions.get(one.name, True) and getattr(options, one.name) != one.default:
            raise UnusedOptionError(f"{one.cli_name} has no effect here; it is for {wanted}")


def unused_option(error: ValidationError) -> UnusedOptionError | None:
    """The first problem of pydantic's error, if it is an option without effect."""
    cause = error.errors()[0].get("ctx", {}).get("error")
    return cause if isinstance(cause, UnusedOptionError) else None


def changed(options: T, **values: Any) -> T:
    """A copy with other values, and the defaults of options that have no effect with these."""
    while True:
        try:
            return dataclasses.replace(options, **values)  # type: ignore[type-var]
        except UnusedOptionError as error:
            name = error.path[0]
            values[name] = next(one.default for one in fields_of(type(options)) if one.name == name)


def with_more(kind: type[T], options: T | None, more: Mapping[str, Any]) -> T:
    """The options of a call, of a set or by name: ``translate(lines, nbest=3)``; those by name count."""
    if options is None:
        return kind(**more)
    return dataclasses.replace(options, **more) if more else options  # type: ignore[type-var]


def used_options(options: Any) -> dict[str, Any]:
    """The fields of an option set that have an effect, with their values."""
    unused = {path[0] for path, one in _conditional(type(options)) if len(path) == 1 and not _is_used(options, one)}
    return {name: value for name, value in vars(options).items() if name not in unused}


def _is_used(options: Any, one: "Option") -> bool:
    defaults = {other.name: other.default for other in fields_of(type(options))}
    for name, values in one.command_line.only_with.items():
        value = getattr(options, f"effective_{name}", getattr(options, name))
        if value in values if values else value != defaults[name]:
            return True
    return False


def _conditional(options: type[Any]) -> Sequence[tuple[tuple[str, ...], "Option"]]:
    """Options of a set and its parts that have an effect only with values of others, which the set itself declares."""
    if options not in _CONDITIONAL:
        names = {one.name for one in fields_of(options)}
        names |= {name for name in dir(options) if isinstance(getattr(options, name), property)}
        _CONDITIONAL[options] = [
            (path, one)
            for path, one, owner in all_options(options)
            if one.command_line.only_with.keys() & names
            and (owner is options or not one.command_line.only_with.keys() & {other.name for other in fields_of(owner)})
        ]
    return _CONDITIONAL[options]


_CONDITIONAL: dict[type[Any], Sequence[tuple[tuple[str, ...], "Option"]]] = {}


def _at(options: Any, path: tuple[str, ...], default: Any) -> Any:
    """The value of an option of a set or its parts; the default if the part is None."""
    for name in path:
        if options is None:
            return default
        options = getattr(options, name)
    return options


def read_options_file(path: Path) -> dict[str, Any]:
    """The content of a TOML file of options."""
    if not os.path.isfile(path):  # False also for names that no file system takes
        raise MissingFileError(f"{path}: no such file; a configuration in TOML was expected")
    return read_toml(path)


# --- descriptions of options ---


@dataclasses.dataclass(frozen=True)
class Option:
    """An option of an option set, or a nested option set (a part)."""

    name: str
    annotation: Any
    """Its type; of a part, the nested option set."""
    default: Any
    help: str
    command_line: CommandLine
    written: Written | None
    bounds: dict[str, float]
    choices: tuple[Any, ...]
    is_part: bool

    @property
    def cli_name(self) -> str:
        """The name on the command line, with dashes instead of underscores."""
        return self.command_line.name or self.name.replace("_", "-")

    @property
    def key(self) -> str:
        """The key in a command's TOML file."""
        return self.cli_name.replace("-", "_")

    @property
    def is_path(self) -> bool:
        """Whether its values are paths of files, or a tuple of them."""
        return any(kind is Path or get_origin(kind) is os.PathLike for kind in _types_in(self.annotation))


def fields_of(options: type[Any]) -> tuple[Option, ...]:
    """The options of an option set, in the order of their declaration."""
    if options not in _FIELDS:
        conditions: Mapping[str, Conditions] = getattr(options, "conditions", {})
        _FIELDS[options] = tuple(
            _option(name, info, conditions.get(name)) for name, info in options.__pydantic_fields__.items()
        )
    return _FIELDS[options]


_FIELDS: dict[type[Any], tuple[Option, ...]] = {}


def all_options(options: type[Any], *before: str) -> Iterator[tuple[tuple[str, ...], Option, type[Any]]]:
    """The options of a set and of its parts: the fields that lead to each, the option, and the set that declares it."""
    for one in fields_of(options):
        if one.is_part:
            yield from all_options(one.annotation, *before, one.name)
        else:
            yield (*before, one.name), one, options


def same(options: type[Any], name: str, **changes: Any) -> Any:
    """A pydantic field with the bounds, help and default of an option, so that they are declared only once."""
    info = options.__pydantic_fields__[name]
    default = info.get_default(call_default_factory=True)
    return Field(description=info.description, **({"default": default} | bounds_of(info) | changes))


def bounds_of(info: FieldInfo) -> dict[str, float]:
    """The smallest and largest values of a field, by pydantic's names: ge, gt, le."""
    names = ("ge", "gt", "le")
    metadata = [inner for outer in _metadata(info) for inner in getattr(outer, "metadata", [outer])]
    return {name: getattr(inner, name) for inner in metadata for name in names if hasattr(inner, name)}


def _option(name: str, info: FieldInfo, conditions: Conditions | None) -> Option:
    extra = info.json_schema_extra
    command_line = extra if isinstance(extra, CommandLine) else CommandLine()
    if conditions is not None:
        command_line = dataclasses.replace(command_line, only_with=conditions)
    written = [metadata for metadata in _metadata(info) if isinstance(metadata, Written)]
    parts = [kind for kind in _types_in(info.annotation) if is_option_set(kind)]
    return Option(
        name=name,
        annotation=parts[0] if parts else info.annotation,
        default=None if info.is_required() else info.get_default(call_default_factory=True),
        help=info.description or "",
        command_line=command_line,
        written=written[0] if written else None,
        bounds=bounds_of(info),
        choices=choices_of(info.annotation),
        is_part=bool(parts),
    )


def is_option_set(kind: Any) -> bool:
    """Whether a type was made by `option_set`."""
    return is_pydantic_dataclass(kind) if isinstance(kind, type) else False


def choices_of(annotation: Any) -> tuple[Any, ...]:
    """The values of the ``Literal`` in a type.

    >>> choices_of(Literal["a", "b"] | None)
    ('a', 'b')
    """
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return tuple(choice for inner in get_args(annotation) for choice in choices_of(inner))


def _types_in(annotation: Any) -> Iterator[Any]:
    yield annotation
    if get_origin(annotation) is not Literal:
        for inner in get_args(annotation):
            yield from _types_in(inner)


def _metadata(info: FieldInfo) -> Iterator[Any]:
    """The metadata in a field's ``Annotated``, at any depth."""
    yield from info.metadata
    for kind in _types_in(info.annotation):
        yield from getattr(kind, "__metadata__", ())


# --- error messages ---


def option_problem(error: ValidationError, options: type[Any]) -> str:
    """The message about the first invalid value of an option set, in a line.

    >>> from typing import Annotated
    >>> @option_set
    ... class Search:
    ...     pop_limit: Annotated[int, option("States made for a layer.", ge=1)] = 400
    >>> Search(pop_limit=0)
    Traceback (most recent call last):
    widl._core.InputError: pop-limit must be at least 1, but is 0
    >>> Search(pop_limits=1)
    Traceback (most recent call last):
    widl._core.InputError: unknown option 'pop_limits'; did you mean 'pop_limit'?
    """
    first = error.errors()[0]
    wrong, known = wrong_option(first, options)
    value, message = first["input"], first["msg"].removeprefix("Value error, ")
    if wrong is None:
        if first["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
            name = str(first["loc"][-1])
            return f"unknown option {name!r}; {did_you_mean(name, [option.name for option in known])}"
        return message
    if first["type"] == "value_error":
        return message if wrong.is_part else f"{wrong.cli_name}: {message}"
    if first["type"] == "sequence_str" or (first["type"] == "is_instance_of" and "Sequence" in message):
        return f"{wrong.cli_name}: found {kind_of(value)}; pass a list"
    if first["type"].startswith("missing"):
        return f"{wrong.cli_name}: too few values, or one that was needed is missing"
    if first["type"] == "literal_error":
        return f"unknown {wrong.cli_name} {value!r}; it is one of {', '.join(map(str, wrong.choices))}"
    if first["type"] in _BOUNDS:
        return f"{wrong.cli_name} must {allowed(wrong.bounds)}, but is {value}"
    return f"{wrong.cli_name}: {wrong_value(first)}"


_BOUNDS = ("greater_than_equal", "greater_than", "less_than_equal", "finite_number")


def wrong_option(problem: ErrorDetails, options: type[Any]) -> tuple[Option | None, tuple[Option, ...]]:
    """The option that a problem is about (None if its name is unknown), and all options of the same set."""
    wrong, known = None, fields_of(options)
    for part in problem["loc"]:
        inner = next((option for option in known if option.name == part), None)
        if inner is None:
            # After the name follow the number of an element, or pydantic's name of a branch of a union.
            return (wrong if wrong is not None and not wrong.is_part else None), known
        wrong = inner
        if wrong.is_part:
            known = fields_of(wrong.annotation)
    return wrong, known


def allowed(bounds: dict[str, float]) -> str:
    """The bounds of a number in words, after "must".

    >>> allowed({"ge": 0}), allowed({"ge": 1, "le": 6}), allowed({"gt": 0, "le": 1})
    ('not be negative', 'be from 1 to 6', 'be above 0 and at most 1')
    """
    smallest, above, largest = (bounds.get(name) for name in ("ge", "gt", "le"))
    if largest is None or largest >= LARGEST:
        huge = " or huge" if largest is not None else ""
        if above is not None:
            return f"be above {above:g}"
        return f"not be negative{huge}" if smallest == 0 else f"be at least {smallest:g}"
    if above is not None:
        return f"be above {above:g} and at most {largest:g}"
    if smallest is None or not math.isfinite(smallest):
        return f"be at most {largest:g}"
    return f"be between {smallest:g} and {largest:g}" if smallest == 0 else f"be from {smallest:.10g} to {largest:.10g}"
