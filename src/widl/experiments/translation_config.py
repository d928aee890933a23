"""The configuration of the translation experiment: a TOML file, checked."""

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationInfo, model_validator

from widl.common.validation import did_you_mean
from widl.experiments.config import (
    ConfigPart,
    ExperimentConfig,
    InputPath,
    Name,
    NamedSetConfig,
    SetConfig,
    TuningConfig,
    check_distinct,
    existing,
    resolved,
)
from widl.translation import TranslationOptions

Metric = Literal["bleu", "chrf", "ter"]


class SystemConfig(ConfigPart):
    """A decoder: a name and any of the options of `TranslationOptions`; `weights` replaces tuning."""

    name: Name = Field(description="In tables and file names.")
    model: InputPath | None = Field(
        default=None, description="Another model than the experiment's; it is then not in comparisons by model score."
    )
    weights: InputPath | None = Field(default=None, description="A file of weights; without it they are tuned on dev.")
    weights_of: str | None = Field(
        default=None, description="A system above whose weights, of all replications, this one has."
    )
    distortion: Literal["own", "folded"] = Field(
        default="own", description="Movement as a feature of its own, or folded into the WIDL features as in the paper."
    )
    options: TranslationOptions = Field(
        default=TranslationOptions(), description="Options of translation, in the file beside the name."
    )

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, values: Any, info: ValidationInfo) -> Any:
        """In the file the options are keys beside `name`. TOML has no null: ``distortion_limit = "none"``."""
        if not isinstance(values, dict) or "options" in values:
            return values
        own = ("name", "model", "weights", "weights_of", "distortion")
        fields_of_system = {name: value for name, value in values.items() if name in own}
        options_of_translation = {name: value for name, value in values.items() if name not in fields_of_system}
        known = [field.name for field in fields(TranslationOptions)]
        if unknown := [name for name in options_of_translation if name not in known]:
            meant = did_you_mean(unknown[0], [*own, *known])
            raise ValueError(f"unknown option {unknown[0]!r}; {meant}")
        options = TranslationOptions(**options_of_translation)
        if options.glossary is not None:
            options = replace(options, glossary=existing(resolved(options.glossary, info)))
        return fields_of_system | {"options": options}


class TranslationExperimentConfig(ExperimentConfig):
    """The configuration of the translation experiment; tables compare the other systems with the first."""

    model: InputPath = Field(description="Directory of the translation model.")
    dev: SetConfig | None = Field(default=None, description="Development set, on which weights are tuned.")
    test: list[NamedSetConfig] = Field(min_length=1, description="Test sets.")
    system: list[SystemConfig] = Field(min_length=1, description="Rows of the tables.")
    tuning: TuningConfig = Field(default=TuningConfig(), description="How weights are tuned.")
    metrics: list[Metric] = Field(default=["bleu", "chrf", "ter"], min_length=1, description="Metrics of the outputs.")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        check_distinct("test sets", [test.name for test in self.test])
        check_distinct("systems", [system.name for system in self.system])
        if self.system[0].model is not None:
            raise ValueError("the first system has the experiment's model; leave out its 'model'")
        above: dict[str, SystemConfig] = {}
        for system in self.system:
            _check_shared(system, above)
            above[system.name] = system
        if self.dev is None and any(system.weights is None and system.weights_of is None for system in self.system):
            raise ValueError("systems without weights of their own are tuned, but there is no [dev]; add one")
        return self

    def inputs(self) -> dict[str, Path]:
        """All files that the experiment reads, but the model's."""
        paths = [path for test in self.test for path in (test.source, *test.references)]
        paths += [self.dev.source, *self.dev.references] if self.dev else []
        paths += [path for system in self.system for path in (system.weights, system.options.glossary) if path]
        return {str(path): path for path in paths}


def _check_shared(system: SystemConfig, above: Mapping[str, SystemConfig]) -> None:
    """Whether the weights that a system shares are there, and of the same features."""
    if system.weights_of is None:
        return
    if system.weights is not None:
        raise ValueError(f"system {system.name!r} has both weights and weights_of; leave one out")
    if system.weights_of not in above:
        named = ", ".join(above) or "none"
        raise ValueError(f"weights_of of system {system.name!r}: no system {system.weights_of!r} above it ({named})")
    if above[system.weights_of].model != system.model:
        raise ValueError(
            f"systems {system.weights_of!r} and {system.name!r}, which has its weights, have different models"
        )
    if above[system.weights_of].distortion != system.distortion:
        raise ValueError(
            f"systems {system.weights_of!r} and {system.name!r}, which has its weights, count movement differently"
        )
