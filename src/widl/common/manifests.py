"""The manifest of a model directory, ``manifest.json``: its format, its files and how it was trained."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from widl.common.arguments import PathLike
from widl.common.errors import FileError, InputError, MissingFileError
from widl.common.files import read_own_file
from widl.common.validation_messages import first_problem

MANIFEST = "manifest.json"

_KINDS = {
    "widl translation model": ("a translation model", "widl train"),
    "widl headline model": ("a headline model", "widl headline train"),
}
"""For each format: its name in messages, and the command that makes such models."""


class Manifest(BaseModel):
    """The fields that all models' manifests share."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    current: ClassVar[int] = 1
    """The version of the format that this package reads and writes."""

    format: str
    version: int
    language_models: list[str] = Field(min_length=1)
    weights: str = "weights.toml"
    files: dict[str, int]
    """Name and size in bytes of every file that belongs to the model."""
    sha256: dict[str, str]
    """Name and SHA-256 of the same files, for `widl check`."""
    training: dict[str, int | float | str]
    """Facts about the training data, for people to read."""

    def all_names(self) -> set[str]:
        """All files that the manifest names."""
        return self.file_names() | set(self.files) | set(self.sha256)

    def file_names(self) -> set[str]:
        """The files named by the manifest's other entries."""
        return {*self.language_models, self.weights}

    def weight_files(self) -> set[str]:
        """The files of weights, which users may edit."""
        return {self.weights}


AnyManifest = TypeVar("AnyManifest", bound=Manifest)


def read_manifest_as(kind: type[AnyManifest], directory: PathLike) -> AnyManifest:
    """The manifest of a complete model of a kind; InputError names the missing or damaged part and the remedy."""
    directory = Path(directory)
    path = directory / MANIFEST
    command = _KINDS[format_of(kind)][1]
    if not os.path.isdir(directory):
        expected = f"the directory of a model made by '{command}' was expected"
        if os.path.exists(directory):
            raise FileError(f"{directory}: a file, where {expected}")
        raise MissingFileError(f"{directory}: no such directory; {expected}")
    try:
        text = read_own_file(path).decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(
            f"{directory}: holds no {MANIFEST}, so the model is incomplete; run '{command}' (again) to make it"
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: damaged (not UTF-8 text); train the model again") from None
    content = _content(text)
    model_format = content.get("format")
    if model_format != format_of(kind) and model_format in _KINDS:
        other_kind, expected_kind = _KINDS[model_format][0], _KINDS[format_of(kind)][0]
        raise InputError(f"{directory}: this is {other_kind}; the command needs {expected_kind} (see '{command}')")
    version = content.get("version")
    if isinstance(version, int) and version != kind.current:  # before its keys are reported as unknown
        raise InputError(f"{path}: made by another version of widl (format {version}); make it anew with '{command}'")
    try:
        manifest = kind.model_validate_json(text)
    except ValidationError as error:
        raise InputError(f"{path}: {first_problem(error, kind, 'train the model again')}") from None
    _check_sizes(directory, manifest)
    return manifest


def format_of(kind: type[Manifest]) -> str:
    """The format name of a kind of manifest."""
    return str(kind.model_fields["format"].default)


def has_format(directory: PathLike, kind: type[Manifest]) -> bool:
    """Whether a directory holds a model of the kind, as far as its manifest can be read."""
    try:
        text = read_own_file(Path(directory) / MANIFEST).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return False
    return bool(_content(text).get("format") == format_of(kind))


def _content(text: str) -> dict[str, Any]:
    """The entries of a manifest; none if it can't be read."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def file_facts(directory: Path) -> dict[str, Any]:
    """Sizes and SHA-256 of all files in a directory, as a manifest's fields."""
    paths = [path for path in sorted(directory.iterdir()) if path.name != MANIFEST]
    return {
        "files": {path.name: path.stat().st_size for path in paths},
        "sha256": {path.name: sha256_of(path) for path in paths},
    }


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _check_sizes(directory: Path, manifest: Manifest) -> None:
    for name in sorted(manifest.all_names()):
        path, size = directory / name, manifest.files.get(name)
        if not path.is_file():
            raise InputError(f"{path}: missing; copy the model again, or train it again")
        # Users may edit the weights.
        if name not in manifest.weight_files() and path.stat().st_size != size:
            raise InputError(
                f"{path}: truncated or changed ({path.stat().st_size} bytes, {size} when the model was made); "
                "copy the model again, or train it again"
            )
