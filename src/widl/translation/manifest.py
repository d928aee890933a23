"""The manifest of a translation model."""

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.manifests import MANIFEST, Manifest, read_manifest_as
from widl.common.options import adjust
from widl.common.presets import preset_of
from widl.decoder import DISTORTION, ORIGIN_FEATURES, TRANSLATION_FEATURES, FeatureLayout
from widl.phrase_table.reordering import StoredReordering, reordering_features
from widl.text.segmentation import check_segmenter
from widl.text.source_and_target import TextSettings

TableUse = Literal["alternatives", "back-off"]


class AdditionalTableEntry(BaseModel):
    """A phrase table besides the first.

    `alternative`: adds options to those of earlier tables. `back-off`: used only for spans that earlier tables lack.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: str
    use: TableUse = "alternatives"
    scores: tuple[str, ...]
    """The names of its features in the model, in the order of its scores."""


class TranslationManifest(Manifest):
    """Manifest of a directory made by `widl train`."""

    current: ClassVar[int] = 8

    format: Literal["widl translation model"] = "widl translation model"
    version: int = 8
    text: TextSettings
    phrase_table: str = "phrase-table.binary"
    scores: tuple[str, ...] = TRANSLATION_FEATURES
    """The features that the table's scores are."""
    further_tables: tuple[AdditionalTableEntry, ...] = ()
    truecaser: str
    alignment: str | None = None
    """Alignment model used by `widl align`; models assembled from tables have none."""
    dictionary: str | None = None
    """The table of the dictionaries' entries."""
    reordering: StoredReordering = ""
    """The model of lexicalized reordering that the phrase table has scores of and the model uses."""
    crossing: bool = False
    """Whether the model has the feature ``crossing``."""

    def file_names(self) -> set[str]:
        """The files that the manifest's other entries name."""
        names = super().file_names() | {*self.tables(), self.truecaser}
        user_dictionary = None if self.text.user_dictionary is None else str(self.text.user_dictionary)
        return names | {name for name in (self.alignment, user_dictionary) if name is not None}

    def tables(self) -> list[str]:
        """The files that are phrase tables or have their form."""
        further = [table.file for table in self.further_tables]
        return [self.phrase_table, *further, *([] if self.dictionary is None else [self.dictionary])]

    def text_settings(self, directory: Path) -> TextSettings:
        """The text settings with the paths of the model's own files.

        Raises InputError where the segmenter that is installed may not make the words of the model's training.
        """
        if self.text.segmenter is not None:
            check_segmenter(self.text.segmenter, directory / MANIFEST)
        if self.text.user_dictionary is None:
            return self.text
        return adjust(self.text, user_dictionary=directory / self.text.user_dictionary)

    def check_reordering(self, directory: Path, of_table: str) -> None:
        """Raise InputError where the model has a reordering model, but the table no scores of it."""
        if self.reordering not in ("", of_table):
            raise InputError(
                f"{directory / self.phrase_table}: has no scores of the model's reordering model, {self.reordering}; "
                "train the model again"
            )

    @property
    def origins(self) -> tuple[str, ...]:
        """The `ORIGIN_FEATURES` that the model has."""
        return origins_of(self.text, has_dictionary=self.dictionary is not None)

    def layout(self, further_models: int = 0) -> FeatureLayout:
        """The model's features, including features of external language models."""
        models = len(self.language_models) + further_models
        reordering = reordering_features(self.reordering)
        return FeatureLayout.of((*self.table_scores, *self.origins), models, reordering, crossing=self.crossing)

    def as_in(self, preset: str, directory: Path) -> tuple["TranslationManifest", tuple[str, ...]]:
        """A manifest with only the resources that a preset's features need, and the names of the features removed.

        Raises InputError where the model lacks some of them.
        """
        preset_features = preset_of(preset).features.get("translation", ())
        if missing := [name for name in preset_features if name not in self.features]:
            raise InputError(
                f"{directory}: has no feature {missing[0]}, which the preset {preset} needs; take a model whose phrase "
                f"table has the scores {', '.join(TRANSLATION_FEATURES)}"
            )
        models = [name for number, name in enumerate(self.language_models) if f"lm{number}" in preset_features]
        nothing = {"further_tables": (), "dictionary": None, "reordering": "", "crossing": False}
        # Movement is folded into others.
        left_out = tuple(name for name in self.features if name not in (*preset_features, DISTORTION))
        return self.model_copy(update={"language_models": models, **nothing}), left_out

    @property
    def table_scores(self) -> tuple[str, ...]:
        """The features of all phrase tables."""
        return (*self.scores, *(name for table in self.further_tables for name in table.scores))

    @property
    def features(self) -> list[str]:
        """Names of the model's features, in the order of their vectors."""
        return list(self.layout().names)


def origins_of(text: TextSettings, *, has_dictionary: bool) -> tuple[str, ...]:
    """The `ORIGIN_FEATURES` of models of such text."""
    chinese, english = text.source_language == "zh", text.target_language == "en"
    present = {
        "dictionary": has_dictionary,
        "name": chinese and english,
        "pinyin": chinese,
        "rule": chinese and english,
        "split": chinese,
    }
    return tuple(name for name in ORIGIN_FEATURES if present[name])


def read_manifest(directory: PathLike) -> TranslationManifest:
    """The manifest of a complete translation model; raises InputError that names the missing or damaged part and how to
    mend it."""
    return read_manifest_as(TranslationManifest, directory)
