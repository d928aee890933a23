"""Values as JSON, and digests of them."""

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from widl.common.files import write_text


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
