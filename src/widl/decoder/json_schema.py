"""The objects of a flat JSON schema as an expression with slots, for `TokenConstraint`."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from widl._core import Expression
from widl.common.argument_types import checked
from widl.common.errors import InputError, WrongTypeError
from widl.expressions.expressions import choice, interleave, lock, seq, word

_ANNOTATIONS = frozenset(("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"))
_OF_OBJECT = frozenset(("type", "properties", "required", "additionalProperties", "$schema", "$id", "$comment"))
_CHARACTER = (
    r'(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u(?:[0-9abcefABCEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2})))'  # no surrogates
)
_INTEGER = r"-?(?:0|[1-9][0-9]*)"
_PLAIN = {
    "integer": _INTEGER,
    "number": _INTEGER + r"(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?",
    "boolean": "true|false",
    "null": "null",
}
_SPACE = r"(?: |\n {0,16})?"  # as JSON is written: none, a blank, or a line break with the next line's blanks
_OPEN, _COMMA, _CLOSE, _EMPTY = "<open>", "<comma>", "<close>", "<empty>"
_MARKS = {
    _OPEN: rf"\{{{_SPACE}",
    _COMMA: rf"{_SPACE},{_SPACE}",
    _CLOSE: rf"{_SPACE}\}}",
    _EMPTY: rf"\{{{_SPACE}\}}",
}
_READ = {"string": ("minLength", "maxLength"), "array": ("items", "minItems", "maxItems")}
_LISTED = ("enum", "const")


@dataclass(frozen=True)
class JsonObjects:
    """The objects of a schema, as ``TokenConstraint(it.expression, vocabulary, end, slots=it.slots, joined=it.joined)``
    takes them."""

    expression: Expression
    slots: Mapping[str, str] = field(repr=False)
    joined: frozenset[str] = field(repr=False)


@checked
def expression_of_json_schema(schema: Mapping[str, Any]) -> JsonObjects:
    """The objects that a flat JSON schema allows, with their keys in any order, all orders equally probable.

    Properties are strings (`minLength`, `maxLength`), numbers, integers, booleans, null, `enum` or `const`, or arrays
    of these (`minItems`, `maxItems`); a `type` may be a list. At most 8 properties may be missing in `required`; each
    of their sets is equally probable. Objects have no other keys: `additionalProperties` counts as false. Colons,
    commas, braces and brackets have no blank, one blank or a line break beside them, as in all that `json.dumps`
    writes.

    Raises:
        InputError: The schema has something else: a keyword or type that is not listed here is never ignored.

    >>> objects = expression_of_json_schema(
    ...     {"properties": {"age": {"type": "integer"}, "name": {"enum": ["a", "b"]}}, "required": ["age", "name"]}
    ... )
    >>> objects.expression
    <Expression <open> · ∨(×(<key1> · <value1>) · ×(<comma> · ×(<key2> · <value2>)), \
×(<key2> · <value2>) · ×(<comma> · ×(<key1> · <value1>))) · <close>>
    >>> objects.slots["<value2>"]
    '"a"|"b"'
    """
    properties, required = _properties(schema)
    slots: dict[str, str] = {}
    made: dict[str, Expression] = {}
    for number, (name, value) in enumerate(properties.items(), 1):
        slots[f"<key{number}>"] = f"{re.escape(json.dumps(name, ensure_ascii=False))}{_SPACE}:{_SPACE}"
        slots[f"<value{number}>"] = _value(value, f"property {name!r}")
        made[name] = lock(seq(word(f"<key{number}>"), word(f"<value{number}>")))
    optional = [name for name in properties if name not in required]
    sets = [
        [made[name] for name in properties if name in required or name in chosen]
        for size in range(len(optional) + 1)
        for chosen in combinations(optional, size)
    ]
    expression = _objects(sets)
    used = {_EMPTY: not sets[0], _OPEN: bool(sets[-1]), _CLOSE: bool(sets[-1]), _COMMA: len(sets[-1]) > 1}
    slots |= {mark: _MARKS[mark] for mark in _MARKS if used[mark]}
    return JsonObjects(expression, slots, frozenset(slots))


def _objects(sets: Sequence[Sequence[Expression]]) -> Expression:
    """The objects of these sets of properties, the smallest first, all sets equally probable."""
    some = [_in_any_order(properties) for properties in sets if properties]
    if not some:
        return word(_EMPTY)
    objects = seq(word(_OPEN), choice(*some) if len(some) > 1 else some[0], word(_CLOSE))
    empty = (len(sets) - len(some)) / len(sets)
    return choice((word(_EMPTY), empty), (objects, 1 - empty)) if empty else objects


_MAX_OPTIONAL = 8
"""Properties that are not required: 256 sets of keys."""


def _properties(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], Sequence[str]]:
    """The properties and the names of the required ones."""
    if not isinstance(schema, Mapping):
        raise WrongTypeError(f"schema: found {type(schema).__name__}; pass the schema as a dict")
    if schema.get("type", "object") != "object":
        raise InputError(f"schema: type {schema['type']!r}; only objects are supported")
    _refuse_others("schema", schema, _OF_OBJECT)
    if schema.get("additionalProperties") not in (None, True, False):
        raise InputError("schema: additionalProperties with a schema is not supported; list the properties")
    properties, required = schema.get("properties", {}), schema.get("required", ())
    if not isinstance(properties, Mapping) or not all(isinstance(name, str) for name in properties):
        raise InputError("schema: properties must be an object")
    if isinstance(required, str) or not isinstance(required, Sequence):
        raise InputError("schema: required must be a list of names")
    if unknown := [name for name in required if name not in properties]:
        raise InputError(f"schema: {unknown[0]!r} is required, but is no property")
    if len(properties) - len(set(required)) > _MAX_OPTIONAL:
        raise InputError(f"schema: more than {_MAX_OPTIONAL} properties are not required; require some of them")
    return properties, required


def _refuse_others(where: str, schema: Mapping[str, Any], read: frozenset[str]) -> None:
    if others := [name for name in schema if name not in read | _ANNOTATIONS]:
        raise InputError(f"{where}: {others[0]!r} is not supported; supported here are {', '.join(sorted(read))}")


def _in_any_order(properties: Sequence[Expression]) -> Expression:
    """Any property first, then the others in any order, each after a comma."""
    orders = []
    for first in properties:
        others = [lock(seq(word(_COMMA), one)) for one in properties if one is not first]
        orders.append(seq(first, interleave(*others)) if len(others) > 1 else seq(first, *others))
    return choice(*orders) if len(orders) > 1 else seq(*orders)


def _value(schema: Any, where: str) -> str:
    """The regular expression of a property's values in JSON."""
    if not isinstance(schema, Mapping):
        raise InputError(f"{where}: expected a schema, found {json.dumps(schema, default=str)}")
    if listed := [name for name in _LISTED if name in schema]:
        _refuse_others(where, schema, frozenset((*_LISTED, "type")))
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        if len(listed) > 1 or not isinstance(values, Sequence) or isinstance(values, str) or not values:
            raise InputError(f"{where}: enum must be a list of values, without const")
        values = _of_types(values, schema.get("type"), where)
        return "|".join(re.escape(json.dumps(value, ensure_ascii=False)) for value in values)
    if "type" not in schema:
        raise InputError(f"{where}: no type; give a type, an enum or a const")
    names = _types(schema["type"], where)
    _refuse_others(where, schema, frozenset(("type", *(read for name in names for read in _READ.get(name, ())))))
    return "|".join(_of_type(name, schema, where) for name in names)


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: _is_number(value) and float(value).is_integer(),
    "number": lambda value: _is_number(value),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _types(types: Any, where: str) -> Sequence[str]:
    """The names of a `type`, one or several."""
    names = [types] if isinstance(types, str) else types
    if not isinstance(names, Sequence) or not names:
        raise InputError(f"{where}: no type; give a type, an enum or a const")
    if unknown := [name for name in names if name not in _KINDS]:
        raise InputError(f"{where}: type {unknown[0]!r} is not supported; supported here are {', '.join(_KINDS)}")
    return names


def _of_types(values: Sequence[Any], types: Any, where: str) -> Sequence[Any]:
    """The values that have one of the types, too."""
    if types is None:
        return values
    names = _types(types, where)
    kept = [value for value in values if any(_KINDS[name](value) for name in names)]
    if not kept:
        raise InputError(f"{where}: no value of its enum or const has the type {' or '.join(names)}")
    return kept


def _of_type(name: str, schema: Mapping[str, Any], where: str) -> str:
    if name == "string":
        return f'"{_CHARACTER}{_repeated(*_bounds(schema, "Length", where))}"'
    if name == "array":
        item = f"(?:{_value(schema.get('items'), f'{where}, items')})"
        least, most = _bounds(schema, "Items", where)
        if most == 0:
            return rf"\[{_SPACE}\]"
        more = _repeated(max(least - 1, 0), None if most is None else most - 1)
        some = rf"{item}(?:{_SPACE},{_SPACE}{item}){more}{_SPACE}"
        return rf"\[{_SPACE}{some}\]" if least else rf"\[{_SPACE}(?:{some})?\]"
    return _PLAIN[name]


def _bounds(schema: Mapping[str, Any], what: str, where: str) -> tuple[int, int | None]:
    least, most = schema.get(f"min{what}", 0), schema.get(f"max{what}")
    for bound in (least, 0 if most is None else most):
        if isinstance(bound, bool) or not isinstance(bound, int) or bound < 0:
            raise InputError(f"{where}: min{what} and max{what} must be whole numbers from 0")
    if most is not None and most < least:
        raise InputError(f"{where}: min{what} {least} is larger than max{what} {most}")
    return least, most


def _repeated(least: int, most: int | None) -> str:
    return f"{{{least},{'' if most is None else most}}}"
