"""What the configurations of all experiments share: TOML, typed, with paths relative to the file.

An experiment's own configuration is a subclass of `ExperimentConfig`; `InputPath` marks files and directories that
must be there.

    class HeadlineExperimentConfig(ExperimentConfig):
        documents: InputPath
        system: list[HeadlineSystem] = Field(min_length=1)

    config = read_config(Path("headline.toml"), HeadlineExperimentConfig)

Keys that no field has, values of the wrong type and files that aren't there are one line of InputError.
"""

import os
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from widl.arguments import PathLike, path_of
from widl.errors import InputError, MissingFileError
from widl.files import read_toml
from widl.mert import OptimizerOptions, TuningOptions
from widl.mert.objective import parse_objective
from widl.mert.problem import ALGORITHMS
from widl.validation import first_problem


class ConfigPart(BaseModel):
    """A table of a configuration: unknown keys are refused, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ExperimentConfig(ConfigPart):
    """All experiments have: a title of their own, a seed, and how many samples significance is tested with.

    `resamples`: of paired bootstrap; approximate randomisation takes ten times as many.
    """

    title: str | None = None
    seed: int = Field(default=1, ge=0)
    resamples: int = Field(default=1000, ge=1)


Name = Annotated[str, Field(pattern=r"^[\w.-]+$")]
"""Of a system or a set; names files."""


def resolved(path: Path, info: ValidationInfo) -> Path:
    """An absolute path; relative ones begin at the configuration's folder."""
    folder = (info.context or {}).get("folder")
    return path if folder is None else Path(folder, path)


def existing(path: Path) -> Path:
    """The path, if there is something."""
    if not path.exists():
        raise ValueError(f"{path}: no such file or directory")
    return path


InputPath = Annotated[Path, AfterValidator(resolved), AfterValidator(existing)]


class SetConfig(ConfigPart):
    """A source and its references: plain text, SGML or XML, also .gz."""

    source: InputPath
    references: list[InputPath] = Field(default=[])


class NamedSetConfig(SetConfig):
    """A test set."""

    name: Name


Config = TypeVar("Config", bound=ExperimentConfig)


def read_config(path: PathLike, model: type[Config]) -> Config:
    """The configuration in a TOML file; InputError says where it is wrong, and how to mend it."""
    path = path_of(path, "path")
    if not os.path.isfile(path):
        raise MissingFileError(f"{path}: no such file; a configuration in TOML was expected")
    found = read_toml(path)
    try:
        return model.model_validate(found, context={"folder": path.absolute().parent})
    except ValidationError as error:
        raise InputError(f"{path}: {first_problem(error, model)}") from None


class TuningConfig(ConfigPart):
    """How each system's weights are tuned on dev; see `widl tune`."""

    metric: str = "bleu"
    algorithm: str = "mert"
    replications: int = Field(default=3, ge=1)
    candidates: int = Field(default=100, ge=1)
    max_iterations: int = Field(default=12, ge=1)
    patience: int = Field(default=4, ge=1)

    @field_validator("metric")
    @classmethod
    def _known_metric(cls, metric: str) -> str:
        parse_objective(metric)
        return metric

    @field_validator("algorithm")
    @classmethod
    def _known_algorithm(cls, algorithm: str) -> str:
        if algorithm not in ALGORITHMS:
            raise ValueError(f"unknown algorithm {algorithm!r}; there are {', '.join(ALGORITHMS)}")
        return algorithm

    def options(self, *, threads: int) -> TuningOptions:
        """What `widl.mert` calls it."""
        return TuningOptions(
            optimizer=OptimizerOptions(algorithm=self.algorithm, threads=threads),
            nbest=self.candidates,
            max_iterations=self.max_iterations,
            patience=self.patience,
        )


def check_distinct(kind: str, names: list[str]) -> None:
    """ValueError where a name is there twice."""
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise ValueError(f"two {kind} have the same name, {twice!r}; give each its own")
