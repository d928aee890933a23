"""The base of all experiments' configurations: TOML, typed, with paths relative to the file.

Each experiment has a subclass of `ExperimentConfig`; an `InputPath` is a file or directory that must exist.

    class HeadlineExperimentConfig(ExperimentConfig):
        documents: InputPath
        system: list[HeadlineSystem] = Field(min_length=1)

    config = read_config(Path("headline.toml"), HeadlineExperimentConfig)

Unknown keys, values of the wrong type and missing files are one line of InputError.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast

from pydantic import AfterValidator, Field, ValidationError, ValidationInfo, field_validator

from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError
from widl.common.option_values import Positive
from widl.common.options import option_set, read_options_file, same
from widl.common.validation_messages import first_problem
from widl.mert import OptimizerOptions, TuningOptions
from widl.mert.objective import parse_objective
from widl.mert.problem import ListAlgorithm
from widl.pages.tables import Record
from widl.pipeline.tuning import metric_of, tuning_of


@option_set
class SizesOptions:
    """Size of the translation inputs."""

    limit: Positive = 20
    "Number of inputs."
    table_limit: Positive = 10
    "Maximum number of translations per span, the paper's s."


class ExperimentConfig(Record):
    """The keys of all experiments."""

    title: str | None = Field(default=None, description="Title of the report.")
    seed: int = same(OptimizerOptions, "seed")
    resamples: int = Field(
        default=1000,
        ge=1,
        description="Samples of paired bootstrap; approximate randomization takes ten times as many.",
    )
    baseline: str | None = Field(
        default=None, description="The system that the others are tested against. Default: the first of a table."
    )


Name = Annotated[str, Field(pattern=r"^[\w.-]+$")]
"""A name of a system or a test set, also in file names."""


def resolved(path: Path, info: ValidationInfo) -> Path:
    """An absolute path; relative paths are relative to the folder of the configuration."""
    folder = (info.context or {}).get("folder")
    return path if folder is None else Path(folder, path)


def existing(path: Path) -> Path:
    """The path, if the file or directory exists."""
    if not path.exists():
        raise ValueError(f"{path}: no such file or directory")
    return path


InputPath = Annotated[Path, AfterValidator(resolved), AfterValidator(existing)]


class SetConfig(Record):
    """A source and its references: plain text, SGML or XML, also .gz."""

    source: InputPath = Field(description="A file of lines or segments.")
    references: list[InputPath] = Field(default=[], description="Its translations.")
    lines: int = Field(default=0, ge=0, description="Number of lines, the first ones; 0: all.")


class NamedSetConfig(SetConfig):
    """A test set."""

    name: Name = Field(description="In tables and file names.")


Config = TypeVar("Config", bound=ExperimentConfig)


def read_config(path: PathLike, model: type[Config], *, preset: str | None = None) -> Config:
    """The configuration in a TOML file; InputError names the error, its line and the remedy.

    `preset`: the preset of the command line.
    """
    path = path_of(path, "path")
    options = read_options_file(path)
    if preset is not None and options.setdefault("preset", preset) != preset:
        raise InputError(f"{path}: has the preset {options['preset']}, the command line {preset}; leave one out")
    try:
        return model.model_validate(options, context={"folder": path.absolute().parent})
    except ValidationError as error:
        raise InputError(f"{path}: {first_problem(error, model)}") from None


def config_of(config: Config | PathLike, model: type[Config]) -> Config:
    """The configuration, read from the TOML file if a path is given."""
    return config if isinstance(config, model) else read_config(cast("PathLike", config), model)


class TuningConfig(Record):
    """Options of tuning each system's weights on dev; see `widl tune`."""

    metric: str = Field(default="bleu", description="Metric to maximize.")
    algorithm: ListAlgorithm | None = Field(default=None, description="mert or mira; default: as of 'widl tune'.")
    replications: int = Field(default=3, ge=1, description="Number of tunings, with consecutive seeds.")
    nbest: int = same(TuningOptions, "nbest")
    max_iterations: int = same(TuningOptions, "max_iterations")
    patience: int = same(TuningOptions, "patience")
    passes: int = same(OptimizerOptions, "passes")

    @field_validator("metric")
    @classmethod
    def _known_metric(cls, metric: str) -> str:
        parse_objective(metric)
        return metric

    def options(self, *, threads: int) -> TuningOptions:
        """The equivalent options of `widl.mert`."""
        return TuningOptions(
            optimizer=OptimizerOptions(algorithm=self.algorithm, passes=self.passes, threads=threads),
            nbest=self.nbest,
            max_iterations=self.max_iterations,
            patience=self.patience,
        )


def check_distinct(kind: str, names: list[str]) -> None:
    """ValueError where a name occurs twice."""
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise ValueError(f"two {kind} have the same name, {twice!r}; give each its own")


def tuning_in_preset(values: Mapping[str, Any], task: str) -> dict[str, Any]:
    """The `tuning` of a configuration with what its preset says of the metric and the algorithm; else InputError."""
    preset, given = str(values["preset"]), dict(values.get("tuning") or {})
    options = tuning_of(preset, TuningOptions(optimizer=OptimizerOptions(algorithm=given.get("algorithm"))))
    required = {"metric": metric_of(preset, task, given.get("metric")), "algorithm": options.optimizer.algorithm}
    return {"tuning": given | required}
