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
from collections.abc import Mapping
from copy import copy
from functools import wraps
from typing import Any, TypeVar, dataclass_transform

from cyclopts import Parameter
from pydantic import ConfigDict, ValidationError
from pydantic.dataclasses import dataclass, is_pydantic_dataclass
from pydantic.fields import FieldInfo

from widl.common.errors import InputError
from widl.common.validation_messages import did_you_mean, problem_of, types_in

T = TypeVar("T")


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
    def __init__(self: Any, **values: Any) -> None:
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
    values = dict(more)
    for name, info in fields_of(kind).items():
        inner = set_in(info.annotation)
        if inner is not None and (chosen := options_by_name(inner, values)):
            values[name] = merge_options(inner, values.get(name, getattr(options, name, None)), chosen)
    return kind(**values) if options is None else dataclasses.replace(options, **values)  # type: ignore[type-var]


def options_by_name(kind: type[Any], more: dict[str, Any]) -> dict[str, Any]:
    """Remove the options of a set from a call's named options, and return them."""
    names = fields_of(kind) | flat_fields(kind)
    return {name: more.pop(name) for name in [*more] if name in names}


def same(options: type[Any], name: str) -> Any:
    """A pydantic field with the bounds, help and default of an option, so that they are declared only once."""
    return copy(fields_of(options)[name])


# --- fields ---


def fields_of(options: type[Any]) -> dict[str, FieldInfo]:
    """The descriptions of a set's fields: options, and sets inside it."""
    fields: dict[str, FieldInfo] = options.__pydantic_fields__
    return fields


def flat_fields(options: type[Any]) -> dict[str, FieldInfo]:
    """The descriptions of the options of a set and of the sets inside it, by name."""
    flat: dict[str, FieldInfo] = {}
    for name, info in fields_of(options).items():
        inner = set_in(info.annotation)
        flat |= {name: info} if inner is None else flat_fields(inner)
    return flat


def set_in(annotation: Any) -> type[Any] | None:
    """The option set in an annotation, ``X`` or ``X | None``."""
    return next(filter(is_pydantic_dataclass, types_in(annotation)), None)


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
    fields = flat_fields(options)
    if problem["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        name = str(problem["loc"][-1])
        return f"unknown option {name!r}; {did_you_mean(name, fields)}"
    name = next((str(part) for part in reversed(problem["loc"]) if part in fields), "")
    return f"{option_name(name, fields[name])}: {problem_of(problem)}" if name else problem_of(problem)
