"""The manifest of a headline model."""

from typing import ClassVar, Literal

from pydantic import Field

from widl.common.manifests import Manifest


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
