"""The configuration of the translation experiment: a TOML file, checked."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from widl.common.presets import PresetOf2006
from widl.decoder import TRANSLATION_FEATURES, FeatureLayout
from widl.experiments.config import (
    ExperimentConfig,
    InputPath,
    NamedSetConfig,
    SetConfig,
    SystemConfig,
    TuningConfig,
    check_distinct,
    check_metric,
    refuse_unused_tuning,
    tuning_in_preset,
)
from widl.experiments.results import LOWERCASED, SMALLER
from widl.metrics.function_metric import is_function
from widl.translation import TranslationOptions
from widl.translation.movement_features import feature_view


def _known_metric(name: str, info: ValidationInfo) -> str:
    plain = name.removesuffix(LOWERCASED).removeprefix(SMALLER)
    if name.startswith(SMALLER) and not is_function(plain):
        raise ValueError(f"metric {name!r}: '-', for smaller is better, goes with functions only; write {plain}")
    check_metric(plain, info)
    return name


Metric = Annotated[str, AfterValidator(_known_metric)]
"""A metric's name, ``-lc`` behind it to ignore case; or ``module:function``, ``-`` before it if smaller is better."""


class TranslationSystem(SystemConfig):
    """A decoder; `weights` or `weights_of` replaces tuning."""

    model: InputPath | None = Field(
        default=None,
        description="A different model from the experiment's. The system is then not compared by model score.",
    )
    weights: InputPath | None = Field(default=None, description="A file of weights; without it they are tuned on dev.")
    weights_of: str | None = Field(default=None, description="An earlier system whose tuned weights this one uses.")
    distortion: Literal["own", "folded"] = Field(
        default="own", description="Movement as a feature of its own, or folded into the WIDL features as in the paper."
    )
    options: TranslationOptions = TranslationOptions()

    @model_validator(mode="before")
    @classmethod
    def _in_preset(cls, values: Any) -> Any:
        if not isinstance(values, dict) or "preset" not in values:
            return values
        values = {"distortion": "folded"} | values
        feature_view(FeatureLayout.of(TRANSLATION_FEATURES, 1), values["distortion"], values["preset"])
        return values

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
    system: list[TranslationSystem] = Field(min_length=1, description="Rows of the tables.")
    tuning: TuningConfig = TuningConfig()
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
    def _with_systems(cls, values: dict[str, Any]) -> dict[str, Any]:
        """A preset has the paper's two systems, its tuning, and its metric."""
        if "preset" not in values:
            return cls.with_systems(values, TranslationSystem, [])
        papers = [{"name": "WIDL-Astar_2"}, {"name": "Pharaoh", "decoder": "stack"}]
        values = {"metrics": ["bleu-lc", "bleu"]} | cls.with_systems(values, TranslationSystem, papers)
        return values | tuning_in_preset(values, "translation")

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
        if not any(system.is_tuned for system in self.system):
            refuse_unused_tuning(self, ("dev", "tuning"), "the weights of all systems are given")
        return self

    def model_of(self, system: TranslationSystem) -> Path:
        """The model of a system: its own, or the experiment's."""
        return system.model or self.model


def _check_shared(system: TranslationSystem, above: dict[str, TranslationSystem]) -> None:
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
