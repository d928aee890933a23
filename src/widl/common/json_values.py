"""JSON: values as one line for other programs, values as files, and digests of values."""

import dataclasses
import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from widl.common.files import write_text


def json_text(value: object) -> str:
    """A value as a line of JSON. A number that is not finite becomes null, because JSON lacks such numbers.

    >>> json_text({"text": "é", "score": float("-inf")})
    '{"text": "é", "score": null}'
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)


def _finite(value: Any) -> Any:
    """The same value, with None for non-finite numbers."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return value


def as_json(value: object) -> Any:
    """A value as types of JSON; models, dataclasses, paths, tuples and sets are converted.

    >>> as_json({"paths": (Path("a"), Path("b")), 1: {2.5}})
    {'paths': ['a', 'b'], '1': [2.5]}
    """
    if isinstance(value, BaseModel):
        return json.loads(value.model_dump_json())  # where infinity is null
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(name): as_json(inner) for name, inner in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(as_json(inner) for inner in value)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [as_json(inner) for inner in value]
    if isinstance(value, Path):
        return str(value)
    return value


def digest(value: object) -> str:
    """SHA-256 of a value as JSON."""
    text = json.dumps(as_json(value), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def write_json(path: Path, value: object) -> None:
    """Write a JSON file, which appears when it is complete; its folder is created if necessary."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_text(path) as file:
        json.dump(as_json(value), file, ensure_ascii=False, indent=1)
        file.write("\n")
