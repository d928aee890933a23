"""SHA-256 of files and of values, and values as canonical JSON."""

import dataclasses
import hashlib
import json
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from widl.errors import MissingFileError
from widl.files import write_text
from widl.stamps import stamp_of

_SETTLED = 2_000_000_000  # nanoseconds: a file changed more recently may change again with the same time stamp


class Hashes:
    """SHA-256 of files and directories, cached by the files' sizes, inodes and times."""

    def __init__(self, known: dict[str, list[Any]] | None = None) -> None:
        self.known = known if known is not None else {}
        """By absolute path: the file's stamp (`widl.stamps`), SHA-256."""

    def of(self, path: Path) -> str:
        """The hash of a file's bytes; of a directory, that of the names and contents of its files but hidden ones.

        Anything else, such as a pipe, can be read only once and has another hash every time.
        """
        if not path.exists():
            raise MissingFileError(f"{path}: no such file or directory")
        if path.is_file():
            return self._of_file(path.absolute())
        if not path.is_dir():
            return os.urandom(32).hex()
        inside = (file.relative_to(path) for file in sorted(path.rglob("*")) if file.is_file())
        names = [name for name in inside if not any(part.startswith(".") for part in name.parts)]
        return digest([[str(name), self._of_file((path / name).absolute())] for name in names])

    def _of_file(self, path: Path) -> str:
        status = path.stat()
        stamp = stamp_of(status)
        cached = self.known.get(str(path))
        if cached is not None and cached[:-1] == stamp:
            return str(cached[-1])
        with path.open("rb") as stream:
            content_hash = hashlib.file_digest(stream, "sha256").hexdigest()
        if time.time_ns() - status.st_mtime_ns > _SETTLED:
            self.known[str(path)] = [*stamp, content_hash]
        return content_hash


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
