"""Model directories: a manifest, a phrase table, language models, weights; whole or not there at all."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from widl.decoder import TRANSLATION_FEATURES, feature_names
from widl.errors import InputError
from widl.phrase_table.segmentation import check_segmenter
from widl.phrase_table.text import TextSettings
from widl.validation import first_problem

MANIFEST = "manifest.json"
FORMAT_VERSION = 3
HEADLINE_FORMAT_VERSION = 1


class Manifest(BaseModel):
    """What a model directory says of itself; the file that makes it one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: str = "widl translation model"
    version: int = FORMAT_VERSION
    text: TextSettings
    phrase_table: str = "phrase-table.lmdb"
    language_models: list[str] = Field(min_length=1)
    truecaser: str
    weights: str = "weights.toml"
    alignment: str | None = None
    """What `widl align` aligns with; models of formats 1 and 2 have none."""
    files: dict[str, int]
    """Name and size in bytes of every file that belongs to the model."""
    training: dict[str, int | float | str]
    """What the model was made from, for people to read."""

    @model_validator(mode="before")
    @classmethod
    def _older_format(cls, data: Any) -> Any:
        """What a manifest of format 1 or 2 leaves unsaid."""
        if not isinstance(data, dict) or data.get("version") not in (1, 2) or not isinstance(data.get("text"), dict):
            return data
        older: dict[str, Any] = {}
        if data["version"] == 1:
            older["western_years"] = False
        if data["text"].get("source_language", "zh") == "zh":
            older["segmenter"] = "jieba 0.42.1"
        # What eflomal had learnt is of no use any more.
        return {key: value for key, value in data.items() if key != "alignment_priors"} | {"text": older | data["text"]}

    def text_settings(self, directory: Path) -> TextSettings:
        """The text settings with the paths of the model's own files.

        Raises InputError where the segmenter that is installed may not make the words of the model's training.
        """
        if self.text.segmenter is not None:
            check_segmenter(self.text.segmenter, directory / MANIFEST)
        if self.text.user_dictionary is None:
            return self.text
        return self.text.model_copy(update={"user_dictionary": directory / self.text.user_dictionary})

    @property
    def features(self) -> list[str]:
        """Names of the model's features, in the order of their vectors."""
        return feature_names(TRANSLATION_FEATURES, len(self.language_models))


class HeadlineManifest(BaseModel):
    """What a directory made by `widl headline train` says of itself."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["widl headline model"] = "widl headline model"
    version: int = HEADLINE_FORMAT_VERSION
    parser: str | None = None
    """The spaCy pipeline it was trained with; None for the one to be had without a name."""
    words: str = "words.json.gz"
    """What headlines take over from texts."""
    language_models: list[str] = Field(min_length=1, max_length=2)
    """The general one, and that of headlines if there were any; the document's own comes last."""
    weights: str = "weights.toml"
    files: dict[str, int]
    training: dict[str, int | float | str]


AnyManifest = TypeVar("AnyManifest", Manifest, HeadlineManifest)


def read_manifest(directory: Path) -> Manifest:
    """The manifest of a complete translation model; InputError says what is missing or damaged and how to mend it."""
    return _read(directory, Manifest, FORMAT_VERSION, "widl train")


def read_headline_manifest(directory: Path) -> HeadlineManifest:
    """The same of a headline model."""
    return _read(directory, HeadlineManifest, HEADLINE_FORMAT_VERSION, "widl headline train")


def is_headline_model(directory: Path) -> bool:
    """Whether a directory holds a headline model, as far as its manifest can be read."""
    try:
        text = (directory / MANIFEST).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return False
    return _is_of(_content(text), HeadlineManifest)


def _content(text: str) -> dict[str, Any]:
    """What a manifest holds, as far as it can be read."""
    try:
        content = json.loads(text)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _is_of(content: dict[str, Any], kind: type[Manifest] | type[HeadlineManifest]) -> bool:
    return bool(content.get("format") == kind.model_fields["format"].default)


def _read(directory: Path, kind: type[AnyManifest], newest: int, command: str) -> AnyManifest:
    path = directory / MANIFEST
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory; a model made by '{command}' was expected")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(
            f"{directory}: holds no {MANIFEST}, so it is no finished model; run '{command}' (again) to make it"
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: damaged (not UTF-8 text); train the model again") from None
    content = _content(text)
    if kind is Manifest and _is_of(content, HeadlineManifest):
        raise InputError(f"{directory}: a model of headlines, made by 'widl headline train'; 'widl train' makes others")
    if kind is HeadlineManifest and _is_of(content, Manifest):
        raise InputError(f"{directory}: a translation model, made by 'widl train'; 'widl headline train' makes others")
    version = content.get("version")
    if isinstance(version, int) and version > newest:  # its new keys would only be called unknown
        raise InputError(f"{path}: made by a newer widl (format {version}); update widl to use it")
    try:
        manifest = kind.model_validate_json(text)
    except ValidationError as error:
        raise InputError(f"{path}: {first_problem(error, kind, 'train the model again')}") from None
    _check_files(directory, manifest)
    return manifest


def _check_files(directory: Path, manifest: Manifest | HeadlineManifest) -> None:
    named = {*manifest.language_models, manifest.weights}
    if isinstance(manifest, HeadlineManifest):
        named.add(manifest.words)
    else:
        named |= {manifest.phrase_table, manifest.truecaser}
        if manifest.alignment is not None:
            named.add(manifest.alignment)
    for name in sorted(named | set(manifest.files)):
        path, size = directory / name, manifest.files.get(name)
        if not path.is_file():
            raise InputError(f"{path}: missing; copy the model again, or train it again")
        # Weights are there to be edited.
        if name != manifest.weights and path.stat().st_size != size:
            raise InputError(
                f"{path}: truncated or changed ({path.stat().st_size} bytes, {size} when the model was made); "
                "copy the model again, or train it again"
            )


def file_sizes(directory: Path) -> dict[str, int]:
    """Sizes of all files in a directory, for a manifest."""
    return {path.name: path.stat().st_size for path in sorted(directory.iterdir()) if path.name != MANIFEST}


def check_output_directory(path: Path, *, overwrite: bool) -> None:
    """Raise InputError unless a model can be written at `path`; tried before the work, not after it."""
    if path.exists() and not path.is_dir():
        raise InputError(f"{path}: is a file; name a directory for the model")
    if path.is_dir() and any(path.iterdir()):
        if not (path / MANIFEST).exists():
            raise InputError(f"{path}: exists and is no model; name a new or an empty directory")
        if not overwrite:
            raise InputError(f"{path}: holds a model already; add --overwrite to replace it")
    parent = path.absolute().parent
    if not parent.is_dir():
        raise InputError(f"{parent}: no such directory; make it first, or name another place for the model")
    if not os.access(parent, os.W_OK):
        raise InputError(f"{parent}: not writable; name another place for the model")


@contextmanager
def new_model_directory(path: Path) -> Iterator[Path]:
    """A directory to fill, which becomes `path` in one step at the end, or vanishes after an error."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.mkdir()
    try:
        yield temporary
        for file in temporary.iterdir():
            with file.open("rb") as handle:
                os.fsync(handle.fileno())
        if path.exists():
            old = path.with_name(f".{path.name}.{os.getpid()}.old")
            path.rename(old)
            temporary.rename(path)
            shutil.rmtree(old)
        else:
            temporary.rename(path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
