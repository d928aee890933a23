"""Errors about arguments of a wrong type: one line with the argument, the value found and the type expected.

Python checks no types: a wrong argument fails inside of the called function, with a message about its inside. After
such an error, and only then, `checked` compares the arguments of a public function or class with their declared types.
So calls that succeed cost no time, and values of other types are accepted if they work.
"""

import collections.abc
import inspect
import os
import types
import typing
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import wraps
from itertools import islice
from typing import Annotated, Any, Literal, TypeVar, cast, get_args, get_origin

from typing_extensions import get_protocol_members, is_protocol

from widl.common.arguments import kind_of
from widl.common.errors import InputError, WrongTypeError

C = TypeVar("C", bound=Callable[..., Any])

_ERRORS = (TypeError, AttributeError, ValueError, KeyError, IndexError)
"""Errors that a wrong type may cause."""
_STAGES = frozenset({"prepare", "search", "finish", "failed"})
"""Methods of front ends that `widl.common.decoding.decode` calls, with arguments of its own."""
_CORE_SIGNATURES = "incompatible function arguments"
"""A part of the core's message about arguments that no signature of a function takes."""
_ITEMS = 100
"""Items of a collection that are compared with the declared type."""


def checked(public: C) -> C:
    """A function, or a class with its public methods, whose errors about arguments of a wrong type name the argument.

    >>> @checked
    ... def lengths(lines: list[str]) -> list[int]:
    ...     return [len(line.split()) for line in lines]
    >>> lengths([["the", "cat"]])
    Traceback (most recent call last):
    widl.common.errors.WrongTypeError: lines: found a list in a list; pass a list of strings
    """
    if not isinstance(public, type):
        return cast("C", _checked(public, public.__name__))
    for name, member in list(vars(public).items()):
        function = _function(member)
        if isinstance(member, type) or hasattr(function, "__wrapped__"):
            continue
        if name in _STAGES and getattr(function, "__override__", False):
            continue
        if name == "__init__" or (not name.startswith("_") and callable(function)):
            kind = type(member) if isinstance(member, classmethod | staticmethod) else None
            method = _checked(function, public.__name__ if name == "__init__" else f"{public.__name__}.{name}")
            setattr(public, name, method if kind is None else kind(method))
    return public


def _function(member: Any) -> Any:
    return member.__func__ if isinstance(member, classmethod | staticmethod) else member


def _checked(function: Any, name: str) -> Any:
    if inspect.isgeneratorfunction(function):

        @wraps(function)
        def generator(*arguments: Any, **named: Any) -> Iterator[Any]:
            try:
                yield from function(*arguments, **named)
            except _ERRORS as error:
                _explain(function, name, arguments, named, error)
                raise

        return generator

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except _ERRORS as error:
            _explain(function, name, arguments, named, error)
            raise

    return call


def _explain(
    function: Any, name: str, arguments: Collection[Any], named: Mapping[str, Any], error: Exception
) -> None:
    """Raises a WrongTypeError in place of an error that names no argument of the function."""
    is_own = isinstance(error, InputError)
    if not is_own or (isinstance(error, WrongTypeError) and _is_of_another_function(error, function)):
        _raise_if_wrong(function, name, arguments, named, error)


def _is_of_another_function(error: WrongTypeError, function: Any) -> bool:
    """Whether the error names an argument of another function, which this one called."""
    argument = str(error).partition(":")[0].partition("[")[0]
    return argument.isidentifier() and argument not in inspect.signature(function).parameters


def _raise_if_wrong(
    function: Any, name: str, arguments: Collection[Any], named: Mapping[str, Any], error: Exception
) -> None:
    """Raises a WrongTypeError about the first argument that does not fit its declared type, if any."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # a function of the core: its message has its signatures
        if _CORE_SIGNATURES in str(error):
            raise WrongTypeError(f"{name}: {_core_problem(str(error))}") from error
        return
    try:
        given = signature.bind(*arguments, **named)
    except TypeError:
        return  # a missing or unknown argument, which Python names
    hints = _hints(function)
    for argument, shown, value in _values(given):
        if argument in hints and (found := _found_in(value, hints[argument])):
            raise WrongTypeError(f"{shown}: found {found}; pass {described(hints[argument])}") from error


def _values(given: inspect.BoundArguments) -> Iterator[tuple[str, str, Any]]:
    """The name of each argument, its name in messages, and its value; options by name check themselves."""
    for argument, value in given.arguments.items():
        kind = given.signature.parameters[argument].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            yield from ((argument, f"{argument}[{number}]", item) for number, item in enumerate(value))
        elif kind is not inspect.Parameter.VAR_KEYWORD:
            yield argument, argument, value


def _hints(function: Any) -> dict[str, Any]:
    """The declared types of a function's arguments; those whose names only type checkers import are strings."""
    try:
        return typing.get_type_hints(function)
    except (NameError, TypeError):
        return dict(function.__annotations__)


def _core_problem(message: str) -> str:
    """The types found and the signatures, in one line, from the core's message about wrong arguments."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    signatures = [line.partition("(self, ")[2] or line.partition("(")[2] for line in lines if line[:1].isdigit()]
    takes = " or ".join(f"({signature.rpartition(' -> ')[0] or signature}" for signature in signatures)
    found = lines[-1].partition("Invoked with types: ")[2]
    return f"found ({', '.join(found.split(', ')[1:])}); pass {takes}"


def _found_in(value: Any, hint: Any) -> str:
    """The value that does not fit the declared type, in words: the value, or an item of it; empty if all fits."""
    if _fits(value, hint):
        return ""
    for kind in _alternatives(hint):
        origin = get_origin(kind) or kind
        if origin in _COLLECTIONS and not isinstance(value, str | bytes) and isinstance(value, _runtime(origin)):
            if isinstance(value, Mapping) != (origin in _MAPPINGS):
                continue
            items = _first_items(value, get_args(kind), mapping=origin in _MAPPINGS)
            wrong = next((item for item, of in items if not _fits(item, of)), None)
            return f"{kind_of(wrong)} in {kind_of(value)}"
    return f"the string {value!r}" if isinstance(value, str) and len(value) <= 30 else kind_of(value)


_MAPPINGS = {dict, collections.abc.Mapping}
_COLLECTIONS = {
    *_MAPPINGS,
    *(list, tuple, set, frozenset),
    *(collections.abc.Sequence, collections.abc.Collection, collections.abc.Iterable, collections.abc.Iterator),
}


def _runtime(kind: Any) -> Any:
    return kind if isinstance(kind, type) else object


def _alternatives(hint: Any) -> Iterator[Any]:
    """The types of a union; of a type variable, its bound."""
    if get_origin(hint) is Annotated:
        yield from _alternatives(get_args(hint)[0])
    elif isinstance(hint, TypeVar):
        yield from _alternatives(hint.__bound__ or Any)
    elif get_origin(hint) in (typing.Union, types.UnionType):
        for inner in get_args(hint):
            yield from _alternatives(inner)
    else:
        yield hint


def _fits(value: Any, hint: Any) -> bool:
    return any(_fits_one(value, kind) for kind in _alternatives(hint))


def _fits_one(value: Any, kind: Any) -> bool:
    origin = get_origin(kind) or kind
    if kind is Any:
        return True
    if isinstance(kind, str):  # a class that only type checkers import, or an expression of such classes
        name = kind.rpartition(".")[2]
        return not name.isidentifier() or name in (base.__name__ for base in type(value).__mro__)
    if kind is None or kind is types.NoneType:
        return value is None
    if origin is Literal:
        return value in get_args(kind)
    if kind in (int, float):
        is_whole = hasattr(type(value), "__index__")
        return not isinstance(value, bool) and (is_whole or (kind is float and hasattr(type(value), "__float__")))
    if origin is collections.abc.Callable:
        return callable(value)
    if origin is typing.BinaryIO:
        return hasattr(value, "read") or hasattr(value, "write")
    if origin is type:
        return isinstance(value, type)
    if is_protocol(origin):
        return all(hasattr(value, name) for name in get_protocol_members(origin))
    if typing.is_typeddict(origin) or not isinstance(origin, type):
        return True
    if origin in _COLLECTIONS and isinstance(value, str | bytes):
        return False
    if not isinstance(value, origin):
        return False
    if origin not in _COLLECTIONS or isinstance(value, Iterator):
        return True
    return all(_fits(item, of) for item, of in _first_items(value, get_args(kind), mapping=origin in _MAPPINGS))


def _first_items(value: Any, kinds: tuple[Any, ...], *, mapping: bool) -> Iterator[tuple[Any, Any]]:
    """The first items of a collection, each with its declared type."""
    if not kinds:
        return
    if mapping:
        for key, item in islice(value.items(), _ITEMS):
            yield from ((key, kinds[0]), (item, kinds[1]))
    elif len(kinds) > 1 and kinds[1] is not ...:
        yield from zip(value, kinds, strict=False)
    else:
        yield from ((item, kinds[0]) for item in islice(value, _ITEMS))


_NAMES: dict[Any, str] = {
    str: "a string",
    bytes: "bytes",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    types.NoneType: "None",
    typing.BinaryIO: "an open binary stream",
    os.PathLike: "a path",
    Any: "any value",
}
_PLURALS = {"a string": "strings", "a whole number": "whole numbers", "a number": "numbers", "a path": "paths"}


def described(hint: Any) -> str:
    """A declared type in words.

    >>> described(list[str]), described(Mapping[str, float] | None)
    ('a list of strings', 'a mapping from a string to a number')
    """
    kinds = [kind for kind in _alternatives(hint) if kind is not types.NoneType]
    names = list(dict.fromkeys(_described_one(kind) for kind in kinds))
    if "a path" in names and "a string" in names:
        names.remove("a string")
    return " or ".join(names) or "None"


def _described_one(kind: Any) -> str:
    if isinstance(kind, str):
        kind = kind.rpartition(".")[2]
        return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if kind in _NAMES or origin in _NAMES:
        return _NAMES.get(kind) or _NAMES[origin]
    if origin is Literal:
        return " or ".join(map(repr, inner))
    if origin is collections.abc.Callable:
        return "a function"
    if origin in _MAPPINGS and len(inner) == 2:
        return f"a mapping from {described(inner[0])} to {described(inner[1])}"
    if origin is tuple and len(inner) > 1 and inner[1] is not ...:
        return f"({', '.join(map(described, inner))})"
    if origin in _COLLECTIONS and inner:
        item = described(inner[0])
        return f"a list of {_PLURALS.get(item, item)}"
    if origin in _COLLECTIONS:
        return "a list"
    name = getattr(origin, "__name__", str(origin))
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
