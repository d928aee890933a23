"""The manifest of a headline model."""

from typing import ClassVar, Literal

from pydantic import Field

from widl.common.arguments import PathLike
from widl.common.manifests import Manifest, has_format, read_manifest_as


class HeadlineManifest(Manifest):
    """The manifest of a directory made by `widl headline train`."""

    current: ClassVar[int] = 8

    format: Literal["widl headline model"] = "widl headline model"
    version: int = 8
    words: str = "words.json.gz"
    """The content model."""
    language_models: list[str] = Field(min_length=1, max_length=2)
    """The model of running text, and the optional model of headlines."""

    def file_names(self) -> set[str]:
        """The files named by the manifest's other entries."""
        return super().file_names() | {self.words}


def read_headline_manifest(directory: PathLike) -> HeadlineManifest:
    """The manifest of a complete headline model; raises InputError that names the missing or damaged part and the
    remedy.
    """
    return read_manifest_as(HeadlineManifest, directory)


def is_headline_model(directory: PathLike) -> bool:
    """Whether a directory holds a headline model, as far as its manifest can be read."""
    return has_format(directory, HeadlineManifest)
