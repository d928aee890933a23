"""The configuration of the translation experiment: a TOML file, checked."""

import tomllib
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from widl.errors import InputError
from widl.pipeline.translation import TranslationOptions

Metric = Literal["bleu", "chrf", "ter"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SetConfig(_Strict):
    """A source and its references: plain text, SGML or XML, also .gz. Paths are relative to the configuration."""

    source: Path
    references: list[Path] = []


class NamedSetConfig(SetConfig):
    """A test set."""

    name: str = Field(pattern=r"^[\w.-]+$")


class TuningConfig(_Strict):
    """How each system's weights are tuned on dev; see `widl tune`."""

    metric: str = "bleu"
    algorithm: str = "mert"
    replications: int = Field(default=3, ge=1)
    candidates: int = Field(default=100, ge=1)
    max_iterations: int = Field(default=12, ge=1)
    patience: int = Field(default=4, ge=1)


class SystemConfig(_Strict):
    """A decoder with its options, those of `widl translate`; `weights` replaces tuning."""

    name: str = Field(pattern=r"^[\w.-]+$")
    weights: Path | None = None
    decoder: str = "widl"
    search: str | None = None
    k: int = 2
    stack_size: int | None = None
    pop_limit: int | None = None
    threshold: float | None = None
    beam_prob: float = 0.01
    beam_size: int = 20
    distortion_limit: int | None = 6
    max_states: int = 0
    max_seconds: float = 0.0

    @model_validator(mode="before")
    @classmethod
    def _no_limit(cls, values: Any) -> Any:
        """TOML has no null: ``distortion_limit = "none"``."""
        if isinstance(values, dict) and values.get("distortion_limit") == "none":
            return values | {"distortion_limit": None}
        return values

    def options(self) -> TranslationOptions:
        """As the translator wants them; InputError for values that make no sense."""
        options = TranslationOptions(**self.model_dump(exclude={"name", "weights"}))
        options.search_options()
        return options


class TranslationExperimentConfig(_Strict):
    """All of an experiment.

    The first system is the one that the others are compared with. Significance is tested with `resamples` bootstrap
    samples and ten times as many random swaps.
    """

    model: Path
    dev: SetConfig | None = None
    test: list[NamedSetConfig] = Field(min_length=1)
    system: list[SystemConfig] = Field(min_length=1)
    tuning: TuningConfig = TuningConfig()
    metrics: list[Metric] = Field(default=["bleu", "chrf", "ter"], min_length=1)
    resamples: int = Field(default=1000, ge=1)
    seed: int = Field(default=1, ge=0)

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for kind, names in (("test sets", [t.name for t in self.test]), ("systems", [s.name for s in self.system])):
            if len(set(names)) < len(names):
                raise ValueError(f"two {kind} have the same name")
        if self.dev is None and any(system.weights is None for system in self.system):
            raise ValueError("systems without weights of their own are tuned, but there is no [dev]")
        if self.dev is not None and not self.dev.references and self.dev.source.suffix not in (".xml", ".sgm", ".gz"):
            raise ValueError("[dev] has no references")
        return self


def read_config(path: Path) -> TranslationExperimentConfig:
    """The configuration in a TOML file; InputError says where it is wrong."""
    try:
        with path.open("rb") as file:
            found = tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not TOML: {error}") from None
    try:
        config = TranslationExperimentConfig.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise InputError(f"{path}: {where}: {first['msg'].removeprefix('Value error, ')}") from None
    for system in config.system:
        system.options()
    return _absolute(config, path.absolute().parent)


def _absolute(config: TranslationExperimentConfig, folder: Path) -> TranslationExperimentConfig:
    def moved(one: SetConfig) -> dict[str, Any]:
        return {"source": folder / one.source, "references": [folder / path for path in one.references]}

    return config.model_copy(
        update={
            "model": folder / config.model,
            "dev": config.dev and config.dev.model_copy(update=moved(config.dev)),
            "test": [test.model_copy(update=moved(test)) for test in config.test],
            "system": [
                system.model_copy(update={"weights": folder / system.weights}) if system.weights else system
                for system in config.system
            ],
        }
    )
