"""Bodies of requests: JSON objects of items and options, checked before any work is done."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from widl.common.errors import InputError
from widl.common.options import flat_fields, merge_options, on_command_line
from widl.common.validation_messages import did_you_mean, types_in
from widl.web.http_server import json_object, kind_of

I = TypeVar("I")  # noqa: E741  an item
O = TypeVar("O")  # noqa: E741  options


@dataclass(frozen=True)
class Body(Generic[I, O]):
    """Content of a request: items, their options, and whether one item was given alone."""

    items: list[I]
    options: O
    alone: bool


@dataclass
class Form(Generic[I, O]):
    """The form of a kind of request: ``{"lines": ["…"]}``, or ``{"line": "…"}`` for one item, and ``options``."""

    one: str
    many: str
    options: type[O]
    read: Callable[[Any, str], I]
    """Parses an item in JSON, given its place for messages."""
    example: Any
    """An item, for the list of addresses."""
    item_schema: Mapping[str, Any] = field(default_factory=lambda: {"type": "string"})
    """An item's schema, for the service's OpenAPI description."""

    def parse(self, content: bytes, *, most: int) -> Body[I, O]:
        """The body's content; raises InputError that describes the error and its place."""
        body = json_object(content)
        for key in body:
            if key not in (self.one, self.many, "options"):
                advice = did_you_mean(key, [self.one, self.many, "options"])
                raise InputError(f"'{key}': unknown key; {advice}")
        if (self.one in body) == (self.many in body):
            raise InputError(f"expected either {self.many!r}, a list, or {self.one!r}")
        alone = self.one in body
        given = [body[self.one]] if alone else body[self.many]
        if not isinstance(given, list):
            raise InputError(f"{self.many!r}: found {kind_of(given)}, expected a list")
        if len(given) > most:
            raise InputError(
                f"{self.many!r}: {len(given)} of them, but a request may have {most}; send several requests"
            )
        places = [self.one] if alone else [f"{self.many}[{i}]" for i in range(len(given))]
        items = [self.read(item, place) for item, place in zip(given, places, strict=True)]
        return Body(items, self._options(body.get("options", {})), alone)

    @cached_property
    def _all(self) -> dict[str, FieldInfo]:
        """Options by name."""
        return {path[-1]: info for path, info in flat_fields(self.options)}

    @cached_property
    def names(self) -> list[str]:
        """Names of the options of requests: the command line's options except those for files."""
        return [
            name
            for name, info in self._all.items()
            if on_command_line(info).parse is not False and Path not in types_in(info.annotation)
        ]

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of a body; `parse` checks more."""
        options = {name: _plain(_schema_of(info)) for name, info in self._all.items() if name in self.names}
        item = self.item_schema
        return {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                self.one: item,
                self.many: {"type": "array", "items": item},
                "options": {"type": "object", "additionalProperties": False, "properties": options},
            },
            "oneOf": [{"required": [self.one]}, {"required": [self.many]}],
        }

    def _options(self, given: Any) -> O:
        if not isinstance(given, dict):
            raise InputError(f"'options': found {kind_of(given)}, expected an object")
        for key in given:
            if key not in self.names:
                problem = "not in a request" if key in self._all else f"unknown option; {did_you_mean(key, self.names)}"
                raise InputError(f"options.{key}: {problem}")
        try:
            return merge_options(self.options, None, given)
        except InputError as error:
            raise InputError(f"options: {error}") from None


def _schema_of(info: FieldInfo) -> dict[str, Any]:
    annotated: Any = Annotated[info.annotation, info]
    return TypeAdapter(annotated).json_schema()


def _plain(schema: Any) -> Any:
    """A JSON schema without null, which TOML lacks, without numbers that JSON lacks, and without generated titles."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema if item != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _plain(value) for key, value in schema.items() if not _is_no_value(key, value)}
    choices = plain.get("anyOf")
    if isinstance(choices, list) and len(choices) == 1:
        plain = {key: value for key, value in plain.items() if key != "anyOf"} | choices[0]
    return plain


def _is_no_value(key: str, value: Any) -> bool:
    if key == "title" and isinstance(value, str):
        return True
    return key == "default" and (value is None or (isinstance(value, float) and not math.isfinite(value)))


def text_item(item: Any, place: str) -> str:
    """A string."""
    if not isinstance(item, str):
        raise InputError(f"{place}: found {kind_of(item)}, expected a string")
    return item


def object_item(item: Any, place: str, keys: Sequence[str]) -> Mapping[str, str]:
    """An object with only these keys; all values are strings."""
    if not isinstance(item, dict):
        raise InputError(f"{place}: found {kind_of(item)}, expected an object")
    for key in item:
        if key not in keys:
            raise InputError(f"{place}.{key}: unknown key; {did_you_mean(key, keys)}")
    return {key: text_item(value, f"{place}.{key}") for key, value in item.items()}
