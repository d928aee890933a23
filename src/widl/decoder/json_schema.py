"""The objects of a flat JSON schema as an expression with slots, for `TokenConstraint`."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from widl._core import Expression
from widl.common.errors import InputError
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
_READ = {"string": ("minLength", "maxLength"), "array": ("items", "minItems", "maxItems")}
_LISTED = ("enum", "const")


@dataclass(frozen=True)
class JsonObjects:
    """The objects of a schema, as ``TokenConstraint(it.expression, vocabulary, end, slots=it.slots, joined=it.joined)``
    takes them."""

    expression: Expression
    slots: Mapping[str, str] = field(repr=False)
    joined: frozenset[str] = frozenset({","})


def expression_of_json_schema(schema: Mapping[str, Any]) -> JsonObjects:
    """The objects that a flat JSON schema allows, with their keys in any order, all orders equally probable.

    Properties are strings (`minLength`, `maxLength`), numbers, integers, booleans, null, `enum` or `const`, or arrays
    of these (`minItems`, `maxItems`); a `type` may be a list. A property that is not `required` is there with
    probability 1/2. Objects have no other keys, and are written with one blank behind ``{``, each colon and comma, and
    before ``}``.

    Raises:
        InputError: The schema has something else: a keyword or type that is not listed here is never ignored.

    >>> objects = expression_of_json_schema(
    ...     {"properties": {"age": {"type": "integer"}, "name": {"enum": ["a", "b"]}}, "required": ["age", "name"]}
    ... )
    >>> objects.expression
    <Expression "{" · ∨(×("\\"age\\":" · <value1>) · ×("," · ×("\\"name\\":" · <value2>)), \
×("\\"name\\":" · <value2>) · ×("," · ×("\\"age\\":" · <value1>))) · "}">
    >>> objects.slots["<value2>"]
    '"a"|"b"'
    """
    properties, required = _properties(schema)
    slots: dict[str, str] = {}
    made: dict[str, Expression] = {}
    for number, (name, value) in enumerate(properties.items(), 1):
        key = json.dumps(name, ensure_ascii=False) + ":"
        if key.split() != [key]:  # words have no white space
            slots[f"<key{number}>"] = re.escape(key)
            key = f"<key{number}>"
        slots[f"<value{number}>"] = _value(value, f"property {name!r}")
        made[name] = lock(seq(word(key), word(f"<value{number}>")))
    optional = [name for name in properties if name not in required]
    objects = [
        _in_any_order([made[name] for name in properties if name in required or name in chosen])
        for size in range(len(optional) + 1)
        for chosen in combinations(optional, size)
    ]
    return JsonObjects(seq(word("{"), choice(*objects) if len(objects) > 1 else objects[0], word("}")), slots)


_MOST_OPTIONAL = 8
"""Properties that are not required: 256 sets of keys."""


def _properties(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], Sequence[str]]:
    """The properties and the names of the required ones."""
    if not isinstance(schema, Mapping):
        raise TypeError(f"schema: found {type(schema).__name__}; pass the schema as a dict")
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
    if len(properties) - len(set(required)) > _MOST_OPTIONAL:
        raise InputError(f"schema: more than {_MOST_OPTIONAL} properties are not required; require some of them")
    return properties, required


def _refuse_others(where: str, schema: Mapping[str, Any], read: frozenset[str]) -> None:
    if others := [name for name in schema if name not in read | _ANNOTATIONS]:
        raise InputError(f"{where}: {others[0]!r} is not supported; supported here are {', '.join(sorted(read))}")


def _in_any_order(properties: Sequence[Expression]) -> Expression:
    """Any property first, then the others in any order, each after a comma."""
    orders = []
    for first in properties:
        others = [lock(seq(word(","), one)) for one in properties if one is not first]
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
        return "|".join(re.escape(json.dumps(value, ensure_ascii=False)) for value in values)
    types = schema.get("type")
    names = [types] if isinstance(types, str) else types
    if not isinstance(names, Sequence) or not names:
        raise InputError(f"{where}: no type; give a type, an enum or a const")
    _refuse_others(where, schema, frozenset(("type", *(read for name in names for read in _READ.get(name, ())))))
    return "|".join(_of_type(name, schema, where) for name in names)


def _of_type(name: str, schema: Mapping[str, Any], where: str) -> str:
    if name == "string":
        return f'"{_CHARACTER}{_repeated(*_bounds(schema, "Length", where))}"'
    if name == "array":
        item = f"(?:{_value(schema.get('items'), f'{where}, items')})"
        least, most = _bounds(schema, "Items", where)
        if most == 0:
            return r"\[\]"
        some = rf"{item}(?:, {item}){_repeated(max(least - 1, 0), None if most is None else most - 1)}"
        return rf"\[{some}\]" if least else rf"\[(?:{some})?\]"
    if name not in _PLAIN:
        supported = ", ".join((*_PLAIN, *_READ))
        raise InputError(f"{where}: type {name!r} is not supported; supported here are {supported}")
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
