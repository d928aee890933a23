"""Objects of JSON schemas: everything sampled is valid, every valid object in this form is allowed."""

import json
import random
from itertools import permutations
from typing import Any

import pytest

from widl.common.errors import InputError
from widl.decoder import JsonObjects, TokenConstraint, expression_of_json_schema

BYTES = [bytes([byte]) for byte in range(256)]
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 3, "description": "a short one"},
        "n": {"type": ["integer", "null"]},
        "a key": {"type": "number"},
        "tags": {"type": "array", "items": {"enum": ["x", 1, None]}, "minItems": 1, "maxItems": 2},
        "ok": {"type": "boolean"},
    },
    "required": ["name", "a key"],
}


def constraint_of(objects: JsonObjects) -> TokenConstraint:
    return TokenConstraint(objects.expression, BYTES, slots=objects.slots, joined=objects.joined)


@pytest.fixture(scope="module")
def constraint() -> TokenConstraint:
    return constraint_of(expression_of_json_schema(SCHEMA))


def accepts(constraint: TokenConstraint, text: str) -> bool:
    state = constraint.start()
    for byte in text.encode():
        if byte not in constraint.allowed(state):
            return False
        state = constraint.advance(state, byte)
    return constraint.may_end(state)


FORMS: list[dict[str, Any]] = [{}, {"separators": (",", ":")}, {"indent": 2}, {"indent": 8}, {"indent": 0}]


def written(entries: dict[str, Any], form: int = -1) -> str:
    """An object as `json.dumps` writes it, or with a blank inside of its braces."""
    if form >= 0:
        return json.dumps(entries, ensure_ascii=False, **FORMS[form])
    items = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in entries.items()]
    return f"{{ {', '.join(items)} }}" if items else "{ }"


def is_valid(entries: Any) -> bool:
    """By hand, for `SCHEMA`."""
    checks = {
        "name": lambda v: isinstance(v, str) and 1 <= len(v) <= 3,
        "n": lambda v: v is None or (isinstance(v, int) and not isinstance(v, bool)),
        "a key": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
        "tags": lambda v: isinstance(v, list) and 1 <= len(v) <= 2 and all(one in ("x", 1, None) for one in v),
        "ok": lambda v: isinstance(v, bool),
    }
    return {"name", "a key"} <= entries.keys() <= checks.keys() and all(checks[key](v) for key, v in entries.items())


VALUES: dict[str, list[Any]] = {
    "name": ["a", "日本é", '"\\\n', "", "abcd", 3],
    "n": [0, -12, None, 1.5, "x", True],
    "a key": [0, 3.25, -1e-7, 1e30, "1", None],
    "tags": [["x"], [1, None], [], ["x", "x", "x"], ["y"], "x"],
    "ok": [True, False, 1, "true"],
    "more": [1],
}


@pytest.mark.parametrize("seed", range(60))
def test_what_is_allowed_is_what_is_valid(seed: int, constraint: TokenConstraint) -> None:
    rng = random.Random(seed)
    keys = ["name", "a key", *(key for key in ("n", "tags", "ok") if rng.random() < 0.5)]
    if rng.random() < 0.15:
        keys = rng.sample(list(VALUES), rng.randint(0, 5))
    rng.shuffle(keys)
    good = rng.random() < 0.6
    entries = {key: rng.choice(VALUES[key][:2] if good else VALUES[key]) for key in keys}
    for form in range(-1, len(FORMS)):
        assert accepts(constraint, written(entries, form)) == is_valid(entries), form


@pytest.mark.parametrize("seed", range(20))
def test_what_is_sampled_is_valid(seed: int, constraint: TokenConstraint) -> None:
    rng = random.Random(seed)
    state, text = constraint.start(), b""
    while not constraint.may_end(state):
        allowed = constraint.allowed(state)
        closing = [token for token in allowed if BYTES[token] in (b'"', b",", b"}", b"]")]
        token = rng.choice(closing if closing and rng.random() < 0.7 else allowed)
        state, text = constraint.advance(state, token), text + BYTES[token]
    assert is_valid(json.loads(text)), text


def test_all_orders_and_the_empty_object() -> None:
    properties = {name: {"const": name} for name in "abc"}
    made = constraint_of(expression_of_json_schema({"properties": properties}))
    for size in range(4):
        for names in permutations("abc", size):
            assert accepts(made, written({name: name for name in names}))
    assert not accepts(made, '{ "a": "a", "a": "a" }')
    for text in ("{}", "{ }", "{\n}"):
        assert accepts(made, text)
        assert accepts(constraint_of(expression_of_json_schema({})), text)
    single = constraint_of(expression_of_json_schema({"properties": {"a": {"const": 1}}, "required": ["a"]}))
    assert accepts(single, '{"a":1}')
    assert not accepts(single, "{}")


@pytest.mark.parametrize(
    ("schema", "valid"),
    [
        ({"type": "integer", "enum": [1, 2.5, 3.0, "1", True, None]}, [1, 3.0]),
        ({"type": "number", "enum": [1, 2.5, "1", False]}, [1, 2.5]),
        ({"type": ["string", "null"], "enum": ["", "1", 1, None]}, ["", "1", None]),
        ({"type": "boolean", "const": True}, [True]),
        ({"type": "array", "enum": [[], [1], 1, {}]}, [[], [1]]),
        ({"enum": [1, "a", {"b": []}]}, [1, "a", {"b": []}]),
    ],
)
def test_values_of_an_enum_have_its_type_too(schema: dict[str, Any], valid: list[Any]) -> None:
    made = constraint_of(expression_of_json_schema({"properties": {"a": schema}, "required": ["a"]}))
    listed = schema.get("enum", [schema.get("const")])
    assert [value for value in listed if accepts(made, json.dumps({"a": value}))] == valid
    assert [value for value in ("x", 7, None, [2]) if accepts(made, json.dumps({"a": value}))] == [
        value for value in ("x", 7, None, [2]) if value in valid
    ]


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "array"}, "schema: type 'array'; only objects are supported"),
        ({"patternProperties": {}}, "schema: 'patternProperties' is not supported; supported here are"),
        ({"additionalProperties": {"type": "string"}}, "additionalProperties with a schema is not supported"),
        ({"properties": {"a": {}}}, "property 'a': no type; give a type, an enum or a const"),
        ({"properties": {"a": {"type": "object"}}}, "property 'a': type 'object' is not supported"),
        ({"properties": {"a": {"type": "string", "pattern": "x"}}}, "property 'a': 'pattern' is not supported"),
        ({"properties": {"a": {"type": "string", "format": "date"}}}, "property 'a': 'format' is not supported"),
        ({"properties": {"a": {"type": "number", "minimum": 1}}}, "property 'a': 'minimum' is not supported"),
        ({"properties": {"a": {"type": "integer", "maxLength": 1}}}, "property 'a': 'maxLength' is not supported"),
        ({"properties": {"a": {"type": "array"}}}, "property 'a', items: expected a schema, found null"),
        ({"properties": {"a": {"type": "string", "maxLength": -1}}}, "minLength and maxLength must be whole numbers"),
        (
            {"properties": {"a": {"type": "string", "minLength": 2, "maxLength": 1}}},
            "minLength 2 is larger than maxLength 1",
        ),
        ({"properties": {"a": {"enum": []}}}, "property 'a': enum must be a list of values"),
        ({"properties": {"a": {"enum": ["a"], "type": "null"}}}, "no value of its enum or const has the type null"),
        ({"properties": {"a": {"enum": ["a"], "type": "text"}}}, "property 'a': type 'text' is not supported"),
        ({"properties": {"a": {"enum": "ab"}}}, "property 'a': enum must be a list of values"),
        ({"properties": {"a": True}}, "property 'a': expected a schema, found true"),
        ({"properties": {"a": {"anyOf": []}}}, "property 'a': no type"),
        ({"properties": [1]}, "schema: properties must be an object"),
        ({"properties": {}, "required": "a"}, "schema: required must be a list of names"),
        ({"properties": {}, "required": ["a"]}, "schema: 'a' is required, but is no property"),
        ({"properties": {str(n): {"type": "null"} for n in range(9)}}, "more than 8 properties are not required"),
    ],
)
def test_what_is_not_supported_is_refused(schema: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        expression_of_json_schema(schema)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_schema_is_a_dict() -> None:
    with pytest.raises(TypeError, match="schema: found str; pass the schema as a dict"):
        expression_of_json_schema("{}")  # type: ignore[arg-type]
