"""Bodies of requests: JSON objects of items and options, checked before any work is done."""

import math
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from widl.common.errors import InputError
from widl.common.options import fields_of, merge_options, on_command_line
from widl.common.validation_messages import first_problem, types_in
from widl.web.http_server import json_value

I = TypeVar("I")  # noqa: E741  an item
O = TypeVar("O")  # noqa: E741  options

_STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)


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
    """Makes an item from its value in JSON and its place, for messages."""
    example: Any
    """An item, for the list of addresses."""
    item: Any = str
    """An item's type in JSON."""

    def parse(self, content: bytes, *, most: int) -> Body[I, O]:
        """The content of a body of at most `most` items; raises InputError that describes the error and its place."""
        model = self._model(most)
        try:
            body = model.model_validate(json_value(content))
        except ValidationError as error:
            raise InputError(first_problem(error, model, whole="the body")) from None
        one, many, options = (getattr(body, name) for name in (self.one, self.many, "options"))
        if (one is None) == (many is None):
            raise InputError(f"expected either {self.many!r}, a list, or {self.one!r}")
        locations = [self.one] if many is None else [f"{self.many}[{i}]" for i in range(len(many))]
        items = [
            self.read(item, location) for item, location in zip([one] if many is None else many, locations, strict=True)
        ]
        try:
            chosen = merge_options(self.options, None, options.model_dump(exclude_unset=True))
        except InputError as error:
            raise InputError(f"options: {error}") from None
        return Body(items, chosen, many is None)

    @cached_property
    def _options(self) -> type[BaseModel]:
        """The options of requests: the command line's except those for files."""
        fields: dict[str, Any] = {
            name: (info.annotation, copy(info))
            for name, info in fields_of(self.options).items()
            if on_command_line(info).parse is not False and Path not in types_in(info.annotation)
        }
        return create_model("options", __config__=_STRICT, **fields)

    def _model(self, most: int) -> type[BaseModel]:
        items = Annotated[list[self.item], Field(max_length=most)]  # type: ignore[name-defined]
        fields: dict[str, Any] = {self.one: (self.item | None, None), self.many: (items | None, None)}
        return create_model("body", __config__=_STRICT, **fields, options=(self._options, self._options()))

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of a body; `parse` checks more."""
        item = TypeAdapter(self.item).json_schema()
        return {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                self.one: item,
                self.many: {"type": "array", "items": item},
                "options": _plain(self._options.model_json_schema()),
            },
            "oneOf": [{"required": [self.one]}, {"required": [self.many]}],
        }


def _plain(schema: Any) -> Any:
    """A JSON schema without generated titles, and without defaults that are null or that JSON lacks."""
    if isinstance(schema, list):
        return list(map(_plain, schema))
    if not isinstance(schema, dict):
        return schema
    return {key: _plain(value) for key, value in schema.items() if not _is_no_value(key, value)}


def _is_no_value(key: str, value: Any) -> bool:
    if key == "title" and isinstance(value, str):
        return True
    return key == "default" and (value is None or (isinstance(value, float) and not math.isfinite(value)))
