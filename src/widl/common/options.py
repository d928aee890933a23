"""Option sets: frozen dataclasses whose fields are options of functions, of the command line and of requests.

    @option_set
    class CubeOptions:
        '''How to search.'''

        pop_limit: Count = 1500
        "States generated per layer; 0: all."

A field's docstring is its help text, its default is declared here only, and pydantic checks its value at construction:
an invalid value is a one-line `OptionError`. The command line is made from the same fields (`widl.cli`); a
`Parameter` in a field's ``Annotated`` has what only the command line needs.

A set remembers which of its options were set (`given`). `resolve` is the only place that decides where the value of an
option comes from: whoever calls, a preset, the model, a default. An option whose default is None and that is given as
None is not set. `replace` sets more options, so that defaults stay defaults; `adjust` is for values that the program
chooses itself. Three class variables, each inherited, declare more:

- ``PRESETS``: the settings of each preset (`widl.common.presets`);
- ``MODES``: which options are read at all, by the value of another option (`Modes`); the others are refused if set;
- ``defaults_of``: a class method that gives the defaults that follow from other options.
"""

import ast
import dataclasses
import inspect
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache, wraps
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, TypeVar, dataclass_transform

from cyclopts import Parameter
from pydantic import ConfigDict, ValidationError, model_validator
from pydantic.dataclasses import dataclass, is_pydantic_dataclass
from pydantic.fields import FieldInfo
from pydantic_core import ArgsKwargs

from widl.common.arguments import kind_of
from widl.common.errors import InternalError, OptionError, WrongTypeError
from widl.common.presets import Setting
from widl.common.validation_messages import did_you_mean, problem_of, types_in

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field,))
def option_set(cls: type[T]) -> type[T]:
    """Turn a class of annotated options into a frozen dataclass with keyword arguments, checked at construction."""
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    constructed: Any = classmethod(_constructed)
    cls._constructed = model_validator(mode="wrap")(constructed)  # type: ignore[attr-defined]
    checked: Any = dataclass(cls, frozen=True, kw_only=True, config=config)
    docstrings = _docstrings(cls.__module__).get(cls.__qualname__, {})
    bases: tuple[Any, ...] = cls.__mro__[1:]
    for name, info in checked.__pydantic_fields__.items():
        info.description = info.description or docstrings.get(name)
        for base in bases:  # an inherited option has the docstring of the set that declares it
            if info.description is None and name in getattr(base, "__pydantic_fields__", {}):
                info.description = base.__pydantic_fields__[name].description
    check = checked.__init__

    @wraps(check)
    def __init__(self: Any, **values: Any) -> None:
        try:
            check(self, **values)
        except ValidationError as error:
            raise option_error(error, checked) from None

    checked.__init__ = __init__
    return Parameter(name="*")(checked)  # type: ignore[no-any-return]


@cache
def _docstrings(module: str) -> dict[str, dict[str, str]]:
    """The docstrings of options, by class and option, of a module's classes.

    pydantic finds them, too, but takes five times as long.
    """
    if (file := getattr(sys.modules.get(module), "__file__", None)) is None:
        return {}
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {
        node.name: {
            above.target.id: inspect.cleandoc(below.value.value)
            for above, below in pairwise(node.body)
            if isinstance(above, ast.AnnAssign)
            and isinstance(above.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        }
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }


# --- where values come from ---


def resolve(kind: type[Any], given: Mapping[str, Any], model: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The values of a set's options by precedence: given, of the preset, of the model, default.

    An option that is missing in the result has the default of its declaration.
    """
    values = {**_of_preset(kind, given), **given}
    values = {**(model or {}), **values}
    further = getattr(kind, "defaults_of", None)
    return values if further is None else {**further(values), **values}


def for_model(options: T, **model: Any) -> T:
    """The set with what a model determines about options that are not set; checks what the modes that it selects read.

    What is determined once stays: the first model counts.
    """
    determined = {name: getattr(options, name) for name in vars(options).get(_DETERMINED, ())}
    values = resolve(type(options), {**determined, **given(options)}, model)
    resolved = adjust(options, **{name: values[name] for name in model}, **{_DETERMINED: (*determined, *model)})
    _check_modes(resolved, (modes for modes in modes_of(type(options)) if modes.option in model))
    return resolved


def _of_preset(kind: type[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values that the preset specifies for options that are not given."""
    values = dict(given)
    for rule in _settings(kind, given.get("preset")):
        if rule.when is None or values.get(rule.when[0], getattr(kind, rule.when[0])) == rule.when[1]:
            values.setdefault(rule.option, rule.default)
    return values


def _settings(kind: type[Any], preset: str | None) -> Sequence[Setting]:
    return getattr(kind, "PRESETS", {}).get(preset, ()) if isinstance(preset, str) else ()


def given(options: Any) -> dict[str, Any]:
    """The options of a set that were set, by name."""
    return {name: getattr(options, name) for name in _names(options)}


def given_names(options: Any) -> set[str]:
    """The names of the options that were set, of inner sets, too."""
    names: set[str] = set()
    for name, value in given(options).items():
        names |= given_names(value) if is_pydantic_dataclass(type(value)) else {name}
    return names


def values_of(options: Any) -> dict[str, Any]:
    """All options of a set, by name."""
    return {name: getattr(options, name) for name in options.__pydantic_fields__}


def replace(options: T, **changes: Any) -> T:
    """The set with other options set, or set differently; those that are not set stay so."""
    return type(options)(**given(options) | changes)


def adjust(options: T, **values: Any) -> T:
    """The set with values that the program chooses. They do not count as set, and are not checked; names are."""
    adjusted = copy(options)
    kind: Any = type(options)
    for name, value in values.items():
        if name not in kind.__pydantic_fields__ and name != _DETERMINED:
            raise InternalError(f"{kind.__name__} has no option {name!r}")
        object.__setattr__(adjusted, name, value)
    return adjusted


def converted(kind: type[T], options: Any) -> T:
    """The options that another set has in common with this one; those that are set here are set there."""
    common = {name: value for name, value in values_of(options).items() if name in fields_of(kind)}
    return adjust(kind(**{name: value for name, value in given(options).items() if name in common}), **common)


def merge_options(kind: type[T], options: T | None, more: Mapping[str, Any]) -> T:
    """The options of a call, as a set or by name: ``translate(lines, nbest=3)``. Options by name take precedence."""
    if options is None:
        return kind(**more)
    if not isinstance(options, kind):
        raise WrongTypeError(f"options: found {kind_of(options)}; pass {kind.__name__}(…), or options by name")
    return replace(options, **more) if more else options


def options_by_name(kind: type[Any], more: dict[str, Any]) -> dict[str, Any]:
    """Remove the options of a set from a call's named options, and return them."""
    return {name: more.pop(name) for name in [*more] if name in fields_of(kind)}


_NAMES, _DETERMINED = "_given", "_determined"


def _names(options: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = vars(options).get(_NAMES, ())
    return names


def _constructed(kind: type[Any], values: Any, validate: Callable[[Any], Any]) -> Any:
    """Validates a set's options; it remembers which were set."""
    values = dict(values.kwargs or {}) if isinstance(values, ArgsKwargs) and not values.args else values
    if not isinstance(values, dict):
        return validate(values)
    values = _with_inner_sets(kind, values)
    chosen = _that_are_set(kind, values)
    _refuse_truth_values(kind, chosen)
    options = validate(resolve(kind, chosen))
    object.__setattr__(options, _NAMES, tuple(chosen))
    for rule in _settings(kind, getattr(options, "preset", None)):
        if rule.when is None or getattr(options, rule.when[0]) == rule.when[1]:
            rule.check(options.preset, getattr(options, rule.option))
    _check_modes(options, modes_of(kind))
    return options


def _with_inner_sets(kind: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    """The values, with options of sets inside this one, which may be given by their own names, in their sets."""
    fields = kind.__pydantic_fields__
    inner_sets = {name: inner for name, info in fields.items() if (inner := set_in(info.annotation)) is not None}
    for outer, inner in inner_sets.items():
        if names := [name for name in values if name not in fields and name in fields_of(inner)]:
            more = {name: values[name] for name in names}
            given_set = values.get(outer)
            if given_set is not None and not isinstance(given_set, inner):
                continue  # an error of its own
            values = {name: value for name, value in values.items() if name not in more}
            values[outer] = inner(**more) if given_set is None else replace(given_set, **more)
    return values


def _refuse_truth_values(kind: type[Any], values: Mapping[str, Any]) -> None:
    """OptionError for True or False where a number is due, which pydantic takes for 1 or 0."""
    fields = kind.__pydantic_fields__
    for name in (name for name, value in values.items() if isinstance(value, bool) and name in fields):
        if {bool, Any}.isdisjoint(types_in(fields[name].annotation)):
            found = f"expected a number or a text, found {values[name]}"
            raise OptionError(f"{option_name(name, fields[name])}: {found}", name)


def _that_are_set(kind: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are set on purpose.

    `dataclasses.replace` and `copy.replace` give all of them; those that are as by default are not set then.
    """
    fields = kind.__pydantic_fields__
    optional = {name for name, info in fields.items() if info.default is None}
    chosen = {name: value for name, value in values.items() if value is not None or name not in optional}
    if len(fields) < 2 or not values.keys() >= fields.keys():
        return chosen
    defaults = {name: info.get_default(call_default_factory=True) for name, info in fields.items()}
    others = {name: value for name, value in chosen.items() if not _equal(value, defaults.get(name, ...))}
    defaults |= getattr(kind, "defaults_of", lambda _: {})(others)
    return {name: value for name, value in chosen.items() if not _equal(value, defaults.get(name, ...))}


def _equal(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)


# --- modes ---


@dataclasses.dataclass(frozen=True)
class Modes:
    """An option, or a property, whose value decides which others are read: for each value, those that not every value
    reads.
    """

    option: str
    reads: Mapping[Any, Collection[str]]
    called: Mapping[Any, str] = dataclasses.field(default_factory=dict)
    """The names of values in messages, if not option and value."""

    def unread(self, value: Any) -> set[str]:
        """The options that are not read under a value of the option."""
        return set(chain.from_iterable(self.reads.values())) - set(self.reads[value])

    def name(self, value: Any) -> str:
        """The name of a value."""
        return self.called.get(value) or f"{self.option} {value}"

    def advice(self, name: str) -> str:
        """A choice under which an option is read."""
        readers = [self.name(value) for value, names in self.reads.items() if name in names]
        return f"leave it out, or choose {' or '.join(readers)}"


def modes_of(kind: type[Any]) -> Iterator[Modes]:
    """The modes of an option set, those of its bases last."""
    for base in kind.__mro__:
        yield from vars(base).get("MODES", ())


def _check_modes(options: Any, checked: Iterable[Modes]) -> None:
    """OptionError if an option is set that is not read under the values of others."""
    for modes in checked:
        value = getattr(options, modes.option)
        if value is None:  # a model decides
            continue
        for name in _names(options):
            if name in modes.unread(value):
                raise _unread(type(options), name, modes.name(value), modes.advice(name))


def unread_options(kind: type[Any], values: Mapping[str, Any]) -> set[str]:
    """The options that a set with these values would not read."""
    resolved = resolve(kind, values)
    unread: set[str] = set()
    for modes in modes_of(kind):
        value = resolved.get(modes.option, getattr(kind, modes.option))
        unread |= modes.unread(value) if value in modes.reads else set()
    return unread


def refuse_unread(options: Any, mode: str, reads: Collection[str]) -> None:
    """OptionError that names the mode and the first option that is set and not among those that the mode reads."""
    names = given_names(options)
    for name in fields_of(type(options)):
        if name in names and name not in reads:
            raise _unread(type(options), name, mode, "leave it out")


def _unread(kind: type[Any], name: str, mode: str, advice: str) -> OptionError:
    return OptionError(f"{option_name(name, fields_of(kind)[name])}: {mode} does not read it; {advice}", name)


# --- fields ---


def same(options: type[Any], name: str) -> Any:
    """A pydantic field with the bounds, help and default of an option, so that they are declared only once."""
    return copy(fields_of(options)[name])


def fields_of(options: type[Any]) -> dict[str, FieldInfo]:
    """The descriptions of the options of a set and of the sets inside it, by name."""
    fields: dict[str, FieldInfo] = {}
    for name, info in options.__pydantic_fields__.items():
        inner = set_in(info.annotation)
        fields |= {name: info} if inner is None else fields_of(inner)
    return fields


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


def option_error(error: ValidationError, options: type[Any]) -> OptionError:
    """A one-line message about the first invalid value of an option set, and the option.

    >>> from widl.common.option_values import Count
    >>> @option_set
    ... class Search:
    ...     pop_limit: Count = 400
    >>> Search(pop_limit=-1)
    Traceback (most recent call last):
    widl.common.errors.OptionError: pop-limit: expected at least 0, found -1
    >>> Search(pop_limits=1)
    Traceback (most recent call last):
    widl.common.errors.OptionError: unknown option 'pop_limits'; did you mean 'pop_limit'?
    """
    problem = error.errors()[0]
    if isinstance(cause := problem.get("ctx", {}).get("error"), OptionError):
        return cause
    fields = fields_of(options)
    if problem["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        name = str(problem["loc"][-1])
        return OptionError(f"unknown option {name!r}; {did_you_mean(name, fields)}", name)
    name = next((str(part) for part in reversed(problem["loc"]) if part in fields), "")
    place = str(problem["loc"][0]) if problem["type"] == "dataclass_type" else ""
    if not name and (inner := set_in(getattr(options.__pydantic_fields__.get(place), "annotation", None))) is not None:
        return OptionError(f"{place}: found {kind_of(problem['input'])}; pass {inner.__name__}(…)", place)
    text = problem_of(problem)
    return OptionError(f"{option_name(name, fields[name])}: {text}" if name else text, name)
