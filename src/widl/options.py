"""Option sets: what a user may choose, each option declared once, in the room that it belongs to.

    @option_set
    class CubeOptions:
        '''How to search.'''

        pop_limit: Annotated[int, option("States made for a layer; 0: all.", ge=0)] = 1500

An option set is a frozen dataclass that pydantic checks when it is made: values that make no sense are an `InputError`
of one line. Its command line, its tables in TOML files, its JSON schema and its reference table in the documentation
are made from `fields_of`.
"""

import dataclasses
import math
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, dataclass_transform, get_args, get_origin

from pydantic import ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic.dataclasses import dataclass, is_pydantic_dataclass
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from widl.errors import InputError, MissingFileError
from widl.files import read_toml
from widl.validation import did_you_mean

LARGEST = 2**31 - 1
"""Of the core's whole numbers."""
FINITE = sys.float_info.max
"""The largest number that is not infinite."""

T = TypeVar("T")


@dataclasses.dataclass(frozen=True)
class CommandLine:
    """How an option stands on the command line."""

    name: str | None = None
    """Without dashes in front, where it is not the field's."""
    metavar: str | None = None
    aliases: tuple[str, ...] = ()
    """Other names."""
    hidden: bool = False
    """Whether it is for Python and TOML only, or what a command has another form for."""

    def __call__(self, schema: dict[str, Any]) -> None:
        """Pydantic offers a field's JSON schema to be changed; it stays as it is."""


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
) -> Any:
    """What belongs into an option's ``Annotated``: its help text, bounds, and form on the command line."""
    shown = CommandLine(name, metavar, aliases, hidden)
    return Field(description=help, ge=ge, gt=gt, le=le, json_schema_extra=shown)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field,))
def option_set(cls: type[T]) -> type[T]:
    """Make a class of annotated options a frozen dataclass with keyword arguments, checked when it is made."""
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    made: Any = dataclass(cls, frozen=True, kw_only=True, config=config)
    check = made.__init__

    @wraps(check)
    def __init__(self: Any, *positional: Any, **values: Any) -> None:
        if positional:
            raise TypeError(f"{cls.__name__} takes its options by name")
        try:
            check(self, **values)
        except ValidationError as error:
            raise InputError(option_problem(error, made)) from None

    made.__init__ = __init__
    return made  # type: ignore[no-any-return]


# --- what options are written as ---


@dataclasses.dataclass(frozen=True)
class Written:
    """Marks a type whose values people also write as text: on the command line, or as a string in TOML."""

    read: Callable[[str], Any]
    metavar: str
    show: Callable[[Any], str] = str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Text is read before anything else is checked."""
        return core_schema.no_info_before_validator_function(
            lambda value: self.read(value) if isinstance(value, str) else value, handler(source)
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Either the value, or text."""
        return {"anyOf": [handler(schema), {"type": "string"}]}


def parse_size(text: str) -> int:
    """Bytes of a size such as ``500M`` or ``1.5G``, in powers of 1024, or ``50%`` of the machine's memory.

    >>> parse_size("16K"), parse_size("2M")
    (16384, 2097152)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([BKMGT%]?)B?\s*", text, re.IGNORECASE)
    if not match:
        raise InputError(f"'{text}' is no size; give a number with K, M, G or T, or a percentage like 50%")
    number, unit = float(match[1]), match[2].upper()
    if unit == "%":
        return int(number / 100 * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return int(number * 1024 ** "BKMGT".index(unit or "B"))


def show_size(size: int) -> str:
    """A number of bytes as people write it.

    >>> show_size(1 << 30), show_size(1500)
    ('1G', '1500')
    """
    for unit, exponent in (("T", 4), ("G", 3), ("M", 2), ("K", 1)):
        if size and size % 1024**exponent == 0:
            return f"{size // 1024**exponent}{unit}"
    return str(size)


def _numbers(kind: type[int] | type[float]) -> Callable[[str], tuple[float, ...]]:
    def read(text: str) -> tuple[float, ...]:
        try:
            return tuple(kind(number) for number in re.split(r"[,\s]+", text.strip()))
        except ValueError:
            raise InputError(f"'{text}' are no numbers; give them with commas between, like 0,0,1") from None

    return read


def _three_numbers(text: str) -> tuple[float, ...]:
    found = _numbers(float)(text)
    if len(found) != 3:
        raise InputError(f"'{text}' are not three numbers; give them with commas between, like 0.5,1,1.5")
    return found


def _show_numbers(numbers: tuple[float, ...]) -> str:
    return ",".join(f"{number:g}" for number in numbers)


def _number_or_none(text: str) -> int | None:
    if text == "none":
        return None
    if not text.isdecimal():
        raise InputError(f"{text!r} is neither a number nor 'none'")
    return int(text)


def _megabytes(text: str) -> int:
    if not text.isdecimal():
        raise InputError(f"{text!r} is no number of megabytes")
    return int(text) * 1_000_000


Size = Annotated[int, Written(parse_size, "SIZE", show_size)]
"""Bytes, or text such as ``500M``."""

Megabytes = Annotated[int, Written(_megabytes, "<megabytes>", lambda size: f"{size // 1_000_000}")]
"""Bytes, or a number of megabytes as text."""

Limit = Annotated[
    Annotated[int, Field(ge=0, le=LARGEST)] | None,
    Written(_number_or_none, "<int|none>", lambda limit: f"{limit}".lower()),
]
"""A whole number, or None, as text ``none``, for no limit."""

WholeNumbers = Annotated[tuple[int, ...], Written(_numbers(int), "N,N,…", _show_numbers)]
RealNumbers = Annotated[tuple[float, ...], Written(_numbers(float), "X,X,…", _show_numbers)]
ThreeNumbers = Annotated[tuple[float, float, float], Written(_three_numbers, "D1,D2,D3", _show_numbers)]


def read_options_file(path: Path) -> dict[str, Any]:
    """What a TOML file of options says."""
    if not path.is_file():
        raise MissingFileError(f"{path}: no such file; a configuration in TOML was expected")
    return read_toml(path)


# --- what is known of options ---


@dataclasses.dataclass(frozen=True)
class Option:
    """An option of an option set, or a part that is an option set itself."""

    name: str
    annotation: Any
    """Its type; of a part, the option set."""
    default: Any
    help: str
    shown: CommandLine
    written: Written | None
    bounds: dict[str, float]
    choices: tuple[Any, ...]
    is_part: bool

    @property
    def cli_name(self) -> str:
        """On the command line, with dashes inside."""
        return self.shown.name or self.name.replace("_", "-")

    @property
    def key(self) -> str:
        """In a command's TOML file."""
        return self.cli_name.replace("-", "_")

    @property
    def is_path(self) -> bool:
        """Whether its values are paths of files, or a tuple of them."""
        return any(kind is Path or get_origin(kind) is os.PathLike for kind in _types_in(self.annotation))


def fields_of(options: type[Any]) -> tuple[Option, ...]:
    """The options of an option set, in the order of their declaration."""
    return tuple(_option(name, info) for name, info in options.__pydantic_fields__.items())


def same(options: type[Any], name: str, **changes: Any) -> Any:
    """A pydantic field like an option: its bounds, help and default, declared nowhere else."""
    info = options.__pydantic_fields__[name]
    given: dict[str, Any] = {"default": info.get_default(call_default_factory=True), **bounds_of(info), **changes}
    return Field(description=info.description, **given)


def bounds_of(info: FieldInfo) -> dict[str, float]:
    """Its least and largest values, by pydantic's names: ge, gt, le."""
    names = ("ge", "gt", "le")
    metadata = (inner for one in _metadata(info) for inner in getattr(one, "metadata", [one]))
    return {name: getattr(one, name) for one in metadata for name in names if hasattr(one, name)}


def _option(name: str, info: FieldInfo) -> Option:
    shown = info.json_schema_extra if isinstance(info.json_schema_extra, CommandLine) else CommandLine()
    written = [one for one in _metadata(info) if isinstance(one, Written)]
    parts = [one for one in _types_in(info.annotation) if is_option_set(one)]
    return Option(
        name=name,
        annotation=parts[0] if parts else info.annotation,
        default=None if info.is_required() else info.get_default(call_default_factory=True),
        help=info.description or "",
        shown=shown,
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
    """All that stands in a field's ``Annotated``, at any depth."""
    yield from info.metadata
    for kind in _types_in(info.annotation):
        yield from getattr(kind, "__metadata__", ())


# --- what is wrong ---


def option_problem(error: ValidationError, options: type[Any]) -> str:
    """What is wrong with the first wrong value of an option set, in one line.

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
    place, known = wrong_option(first, options)
    if place is None:
        if first["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
            name = str(first["loc"][-1])
            return f"unknown option {name!r}; {did_you_mean(name, [one.name for one in known])}"
        return first["msg"].removeprefix("Value error, ")
    given, said = first["input"], first["msg"].removeprefix("Value error, ")
    if first["type"] == "value_error":
        return said if place.is_part else f"{place.cli_name}: {said}"
    if first["type"].startswith("missing"):
        return f"{place.cli_name}: too few values, or one that was needed is missing"
    if first["type"] == "literal_error":
        return f"unknown {place.cli_name} {given!r}; it is one of {', '.join(map(str, place.choices))}"
    if first["type"] in _BOUNDS:
        return f"{place.cli_name} must {allowed(place.bounds)}, but is {given}"
    return f"{place.cli_name}: {said[:1].lower()}{said[1:]}, but is {given!r}"


_BOUNDS = ("greater_than_equal", "greater_than", "less_than_equal", "finite_number")


def wrong_option(problem: ErrorDetails, options: type[Any]) -> tuple[Option | None, tuple[Option, ...]]:
    """The option that a problem is about, if it is about one that there is, and the options beside it."""
    found, known = None, fields_of(options)
    for part in problem["loc"]:
        inner = next((one for one in known if one.name == part), None)
        if inner is None:
            # Behind the name stand the number of an element, or pydantic's name for a branch of a union.
            return (found if found is not None and not found.is_part else None), known
        found = inner
        if found.is_part:
            known = fields_of(found.annotation)
    return found, known


def allowed(bounds: dict[str, float]) -> str:
    """What a number must, in words.

    >>> allowed({"ge": 0}), allowed({"ge": 1, "le": 6}), allowed({"gt": 0, "le": 1})
    ('not be negative', 'be from 1 to 6', 'be above 0 and at most 1')
    """
    least, above, most = (bounds.get(name) for name in ("ge", "gt", "le"))
    if most is None or most >= LARGEST:
        huge = " or huge" if most is not None else ""
        if above is not None:
            return f"be above {above:g}"
        return f"not be negative{huge}" if least == 0 else f"be at least {least:g}"
    if above is not None:
        return f"be above {above:g} and at most {most:g}"
    if least is None or not math.isfinite(least):
        return f"be at most {most:g}"
    return f"be between {least:g} and {most:g}" if least == 0 else f"be from {least:.10g} to {most:.10g}"
