"""Option sets: frozen dataclasses whose fields are options of functions, of the command line and of requests.

    @option_set
    class CubeOptions:
        '''How to search.'''

        pop_limit: Count = 1500
        "States generated per layer; 0: all."

A field's docstring is its help text, its default is declared here only, and pydantic checks its value at construction:
an invalid value is a one-line `InputError`. The command line is made from the same fields (`widl.cli`); a
`Parameter` in a field's ``Annotated`` has what only the command line needs.
"""

import dataclasses
import os
from collections.abc import Iterator, Mapping
from copy import copy
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast, dataclass_transform

from cyclopts import Parameter
from pydantic import ConfigDict, ValidationError
from pydantic.dataclasses import dataclass, is_pydantic_dataclass
from pydantic.fields import FieldInfo

from widl.common.errors import InputError, MissingFileError
from widl.common.files import read_toml
from widl.common.validation_messages import did_you_mean, problem_of, types_in

T = TypeVar("T")
Path_ = tuple[str, ...]


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field,))
def option_set(cls: type[T]) -> type[T]:
    """Turn a class of annotated options into a frozen dataclass with keyword arguments, checked at construction."""
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=True, use_attribute_docstrings=True)
    checked: Any = dataclass(cls, frozen=True, kw_only=True, config=config)
    bases: tuple[Any, ...] = cls.__mro__[1:]
    for name, info in checked.__pydantic_fields__.items():
        for base in bases:  # an inherited option has the docstring of the set that declares it
            if info.description is None and name in getattr(base, "__pydantic_fields__", {}):
                info.description = base.__pydantic_fields__[name].description
    check = checked.__init__

    @wraps(check)
    def __init__(self: Any, *positional: Any, **values: Any) -> None:
        if positional:
            raise TypeError(f"{cls.__name__} takes its options by name")
        try:
            check(self, **values)
        except ValidationError as error:
            raise InputError(option_problem(error, checked)) from None

    checked.__init__ = __init__
    return Parameter(name="*")(checked)  # type: ignore[no-any-return]


def merge_options(kind: type[T], options: T | None, more: Mapping[str, Any]) -> T:
    """The options of a call, as a set or by name: ``translate(lines, nbest=3)``. Options by name take precedence.

    Options of a nested set may be named directly: ``headline(text, bytes=75)``.
    """
    paths = {path[-1]: path for path, _ in flat_fields(kind) if len(path) > 1}
    values: dict[str, Any] = {}
    inner: dict[str, dict[str, Any]] = {}
    for name, value in more.items():
        if name in paths:
            inner.setdefault(paths[name][0], {})[name] = value
        else:
            values[name] = value
    for name, chosen in inner.items():
        annotation = cast(Any, kind).__pydantic_fields__[name].annotation
        of_set: type[Any] = next(filter(is_option_set, types_in(annotation)))
        before = values.get(name, None if options is None else getattr(options, name))
        values[name] = merge_options(of_set, before, chosen)
    if options is None:
        return kind(**values)
    return dataclasses.replace(options, **values) if values else options  # type: ignore[type-var]


def options_by_name(kind: type[Any], more: dict[str, Any]) -> dict[str, Any]:
    """Remove the options of a set from a call's named options, and return them."""
    names = {path[-1] for path, _ in flat_fields(kind)} | set(kind.__pydantic_fields__)
    return {name: more.pop(name) for name in [*more] if name in names}


def read_options_file(path: Path) -> dict[str, Any]:
    """The content of a TOML file of options."""
    if not os.path.isfile(path):  # False also for names that no file system accepts
        raise MissingFileError(f"{path}: no such file; a configuration in TOML was expected")
    return read_toml(path)


def same(options: type[Any], name: str) -> Any:
    """A pydantic field with the bounds, help and default of an option, so that they are declared only once."""
    return copy(options.__pydantic_fields__[name])


# --- fields ---


def flat_fields(options: type[Any], *before: str) -> Iterator[tuple[Path_, FieldInfo]]:
    """The options of a set and its nested sets: the path of field names to each option, and its description."""
    for name, info in options.__pydantic_fields__.items():
        inner = next((kind for kind in types_in(info.annotation) if is_option_set(kind)), None)
        if inner is None:
            yield (*before, name), info
        else:
            yield from flat_fields(inner, *before, name)


def is_option_set(kind: Any) -> bool:
    """Whether a type was made by `option_set`."""
    return is_pydantic_dataclass(kind) if isinstance(kind, type) else False


def on_command_line(info: FieldInfo) -> Parameter:
    """The command-line part of a field's ``Annotated``."""
    return next((annotation for annotation in info.metadata if isinstance(annotation, Parameter)), Parameter())


def option_name(name: str, info: FieldInfo) -> str:
    """An option's name on the command line, without leading dashes."""
    names = tuple(on_command_line(info).name or ())
    return names[0].removeprefix("--") if names else name.replace("_", "-")


# --- error messages ---


def option_problem(error: ValidationError, options: type[Any]) -> str:
    """A one-line message about the first invalid value of an option set.

    >>> from widl.common.option_values import Count
    >>> @option_set
    ... class Search:
    ...     pop_limit: Count = 400
    >>> Search(pop_limit=-1)
    Traceback (most recent call last):
    widl._core.InputError: pop-limit: expected at least 0, found -1
    >>> Search(pop_limits=1)
    Traceback (most recent call last):
    widl._core.InputError: unknown option 'pop_limits'; did you mean 'pop_limit'?
    """
    problem = error.errors()[0]
    fields = {path[-1]: info for path, info in flat_fields(options)}
    if problem["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        name = str(problem["loc"][-1])
        return f"unknown option {name!r}; {did_you_mean(name, fields)}"
    name = next((str(part) for part in reversed(problem["loc"]) if part in fields), "")
    return f"{option_name(name, fields[name])}: {problem_of(problem)}" if name else problem_of(problem)
