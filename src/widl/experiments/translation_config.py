"""The configuration of the translation experiment: a TOML file, checked."""

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from widl.common.presets import PresetOf2006
from widl.common.validation_messages import did_you_mean
from widl.decoder import TRANSLATION_FEATURES, FeatureLayout
from widl.experiments.config import (
    ExperimentConfig,
    InputPath,
    Name,
    NamedSetConfig,
    SetConfig,
    TuningConfig,
    check_distinct,
    existing,
    resolved,
    tuning_in_preset,
)
from widl.experiments.results import LOWERCASED
from widl.mert import parse_objective
from widl.pages.tables import Record
from widl.translation import TranslationOptions
from widl.translation.movement_features import feature_view


def _known_metric(name: str) -> str:
    parse_objective(name.removesuffix(LOWERCASED))
    return name


Metric = Annotated[str, AfterValidator(_known_metric)]
"""A metric's name, ``-lc`` behind it to ignore case, or ``module:function``."""


class SystemConfig(Record):
    """A decoder: a name and any of the options of `TranslationOptions`; `weights` replaces tuning."""

    name: Name = Field(description="In tables and file names.")
    model: InputPath | None = Field(
        default=None,
        description="A different model from the experiment's. The system is then not compared by model score.",
    )
    weights: InputPath | None = Field(default=None, description="A file of weights; without it they are tuned on dev.")
    weights_of: str | None = Field(default=None, description="An earlier system whose tuned weights this one uses.")
    distortion: Literal["own", "folded"] = Field(
        default="own", description="Movement as a feature of its own, or folded into the WIDL features as in the paper."
    )
    options: TranslationOptions = Field(
        default=TranslationOptions(), description="Options of translation, in the file beside the name."
    )

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, values: Any, info: ValidationInfo) -> Any:
        """The file has the options as keys beside `name`. TOML has no null: ``distortion_limit = "none"``."""
        if not isinstance(values, dict) or "options" in values:
            return values
        if "preset" in values:
            movement = values.get("distortion", "folded")
            feature_view(FeatureLayout.of(TRANSLATION_FEATURES, 1), movement, values["preset"])
            values = values | {"distortion": movement}
        declared = {name: value for name, value in values.items() if name in cls.model_fields}
        given = {name: value for name, value in values.items() if name not in declared}
        names = [field.name for field in fields(TranslationOptions)]
        if unknown := [name for name in given if name not in names]:
            raise ValueError(f"unknown option {unknown[0]!r}; {did_you_mean(unknown[0], [*cls.model_fields, *names])}")
        options = TranslationOptions(**given)
        if options.glossary is not None:
            options = replace(options, glossary=existing(resolved(options.glossary, info)))
        return declared | {"options": options}

    @property
    def is_tuned(self) -> bool:
        """Whether the system has separate weights that are tuned."""
        return self.weights is None and self.weights_of is None


class TranslationExperimentConfig(ExperimentConfig):
    """The configuration of the translation experiment; tables compare the other systems with the first."""

    preset: PresetOf2006 | None = Field(default=None, description="All systems and tuning as in a paper.")
    model: InputPath = Field(description="Directory of the translation model.")
    dev: list[SetConfig] = Field(
        default=[],
        description="Development set, on which weights are tuned, or several: tuning maximizes the mean of the metric "
        "over the sets. Sets with fewer references repeat them.",
    )
    test: list[NamedSetConfig] = Field(min_length=1, description="Test sets.")
    system: list[SystemConfig] = Field(min_length=1, description="Rows of the tables.")
    tuning: TuningConfig = Field(default=TuningConfig(), description="How weights are tuned.")
    metrics: list[Metric] = Field(
        default=["bleu", "chrf", "ter"],
        min_length=1,
        description="Metrics of the outputs: bleu, chrf, ter, rouge1 and so on, or 'module:function' of your own.",
    )
    lowercase: bool = Field(default=False, description="Ignore case in all metrics.")

    @field_validator("dev", mode="before")
    @classmethod
    def _one_or_several(cls, dev: Any) -> Any:
        return [dev] if isinstance(dev, dict) else dev

    @model_validator(mode="before")
    @classmethod
    def _of_preset(cls, values: Any) -> Any:
        """The paper's two systems, or those named, with its options and its tuning."""
        if not isinstance(values, dict) or "preset" not in values:
            return values
        preset = {"preset": values["preset"]}
        systems = values.get("system") or [{"name": "WIDL-Astar_2"}, {"name": "Pharaoh", "decoder": "stack"}]
        defaults = {"system": [preset | system for system in systems], **tuning_in_preset(values, "translation")}
        return {"metrics": ["bleu-lc", "bleu"]} | values | defaults

    @model_validator(mode="after")
    def _whole(self) -> Self:
        check_distinct("test sets", [test.name for test in self.test])
        check_distinct("systems", [system.name for system in self.system])
        if self.system[0].model is not None:
            raise ValueError("the first system has the experiment's model; remove its 'model'")
        for number, system in enumerate(self.system):
            _check_shared(system, {other.name: other for other in self.system[:number]})
        if not self.dev and any(system.is_tuned for system in self.system):
            raise ValueError("systems without weights of their own are tuned, but there is no [dev]; add one")
        return self

    def model_of(self, system: SystemConfig) -> Path:
        """The model of a system: its own, or the experiment's."""
        return system.model or self.model

    def inputs(self) -> Iterator[Path]:
        """All files that the experiment reads, but the model's."""
        for data in (*self.test, *self.dev):
            yield from (data.source, *data.references)
        for system in self.system:
            yield from (path for path in (system.weights, system.options.glossary) if path)


def _check_shared(system: SystemConfig, above: dict[str, SystemConfig]) -> None:
    """Whether the weights that a system shares are there, and of the same features."""
    name = system.weights_of
    if name is None:
        return
    if system.weights is not None:
        raise ValueError(f"system {system.name!r} has both weights and weights_of; remove one")
    if name not in above:
        raise ValueError(
            f"weights_of of system {system.name!r}: no system {name!r} above it ({', '.join(above) or 'none'})"
        )
    both = f"systems {name!r} and {system.name!r}, which has its weights,"
    if above[name].model != system.model:
        raise ValueError(f"{both} have different models")
    if above[name].distortion != system.distortion:
        raise ValueError(f"{both} count movement differently")
