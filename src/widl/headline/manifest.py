"""The manifest of a headline model."""

from typing import ClassVar, Literal

from pydantic import Field

from widl.arguments import PathLike
from widl.manifests import Manifest, has_format, read_manifest_as


class HeadlineManifest(Manifest):
    """The manifest of a directory made by `widl headline train`."""

    newest: ClassVar[int] = 4

    format: Literal["widl headline model"] = "widl headline model"
    version: int = 4
    parser: str | None = None
    """Name of the spaCy pipeline of training; None for the default one."""
    parser_fingerprint: str | None = None
    """`Parser.fingerprint` of that pipeline, in hexadecimal; None if nothing was parsed, or in format 1."""
    words: str = "words.json.gz"
    """The content model."""
    language_models: list[str] = Field(min_length=1, max_length=2)
    """The model of running text, and the model of headlines if there is one."""
    packing_weights: str = "weights.toml"
    """Weights of the system `packing`. Formats 1 and 2 have no others; in format 3 `weights` are those of clauses that
    a grammar made, which nothing has any more, since format 4 those of clauses with learned cuts."""

    def file_names(self) -> set[str]:
        """The files that the manifest's other entries name."""
        return super().file_names() | {self.words, self.packing_weights}

    def weight_files(self) -> set[str]:
        """The files of weights, which users may edit."""
        return super().weight_files() | {self.packing_weights}


def read_headline_manifest(directory: PathLike) -> HeadlineManifest:
    """The manifest of a complete headline model; InputError says what is missing or damaged and how to mend it."""
    return read_manifest_as(HeadlineManifest, directory)


def is_headline_model(directory: PathLike) -> bool:
    """Whether a directory holds a headline model, as far as its manifest can be read."""
    return has_format(directory, HeadlineManifest)
