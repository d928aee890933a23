"""The base of all experiments' configurations: TOML, typed, with paths relative to the file.

Each experiment has a subclass of `ExperimentConfig`, and one of `SystemConfig` for its systems. An `InputPath` is a
file or directory that must exist.

    class OrderSystem(SystemConfig):
        options: RealizationOptions = RealizationOptions()

    class OrderConfig(ExperimentConfig):
        bags: list[InputPath]
        system: list[OrderSystem]

    config = read_config(Path("order.toml"), OrderConfig)

A system's options are keys beside its name. Keys of the same names at the top of the file are options of all systems.
Unknown keys, values of the wrong type and missing files are one line of InputError.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar, cast

from pydantic import (
    AfterValidator,
    Field,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from typing_extensions import override

from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.errors import InputError, OptionError
from widl.common.files import read_toml
from widl.common.json_values import as_json
from widl.common.options import fields_of, merge_options, same, unread_options
from widl.common.toml_locations import toml_location
from widl.common.validation_messages import did_you_mean, first_problem, types_in
from widl.mert import LATTICE_ALGORITHM, OptimizerOptions, TuningOptions
from widl.metrics.objective import function_signatures
from widl.pages.tables import Record
from widl.pipeline.tuning import metric_of, tuning_of

_NAME = re.compile(r"[\w.*-]+( [\w.*-]+)*")


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"expected words of letters, digits, '.', '-', '_' and '*' with one blank between, as in file names; "
            f"found {name!r}"
        )
    return name


Name = Annotated[str, AfterValidator(_checked_name)]
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


def _existing_option(name: str, path: Path) -> Path:
    try:
        return existing(path)
    except ValueError as error:
        raise OptionError(str(error), name) from None


InputPath = Annotated[Path, AfterValidator(resolved), AfterValidator(existing)]


class WithOptions(Record):
    """A record whose field `options`, an option set, is keys beside the others in the file."""

    options: Any

    @classmethod
    def option_set(cls) -> Any:
        """The type of the options."""
        return cls.model_fields["options"].annotation

    @classmethod
    def completed(cls, options: dict[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG003
        """The options with further ones, which may follow from the record's `own` keys."""
        return options

    @model_validator(mode="before")
    @classmethod
    def _gathered(cls, values: Any, info: ValidationInfo) -> Any:
        if not isinstance(values, dict) or "options" in values:
            return values
        own = {name: value for name, value in values.items() if name in cls.model_fields}
        given = {name: value for name, value in values.items() if name not in own}
        fields = fields_of(cls.option_set())
        for name, value in given.items():
            if name not in fields:
                advice = did_you_mean(name, [*cls.model_fields, *fields])
                raise OptionError(f"unknown option {name!r}; {advice}", name)
            if Path in types_in(fields[name].annotation):
                given[name] = _existing_option(name, resolved(Path(value), info))
        return own | {"options": merge_options(cls.option_set(), None, cls.completed(given, own))}


class SystemConfig(WithOptions):
    """A system: a row of the tables."""

    name: Name = Field(description="In tables and file names.")

    @classmethod
    def unread(cls, options: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:  # noqa: ARG003
        """The options that a system with these ones and its `own` keys does not read."""
        return unread_options(cls.option_set(), options)

    @classmethod
    def with_shared(cls, system: Mapping[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
        """A system's keys with those options of all systems that it reads."""
        own = {name: value for name, value in system.items() if name in cls.model_fields}
        values = {name: value for name, value in {**shared, **system}.items() if name not in own}
        unread = cls.unread(cls.completed(values, own), own) - system.keys()
        return {name: value for name, value in {**shared, **system}.items() if name not in unread}

    def described(self) -> dict[str, Any]:
        """Its settings that differ from the defaults."""
        default, chosen = as_json(self.option_set()()), as_json(self.options)
        own = self.model_dump(mode="json", exclude={"name", "options"}, exclude_defaults=True)
        return own | {name: value for name, value in chosen.items() if value != default[name]}


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

    _folder: Path | None = PrivateAttr(None)

    def rows(self) -> list[str]:
        """The names of the tables' rows; empty if only the experiment itself tells."""
        return [system.name for system in getattr(self, "system", ())]

    @model_validator(mode="after")
    def _known_baseline(self) -> Self:
        """Refuses an unknown baseline before anything runs."""
        check_baseline(self.baseline, self.rows())
        return self

    @override
    def model_post_init(self, context: Any) -> None:
        self._folder = (context or {}).get("folder")

    @property
    def folder(self) -> Path | None:
        """The folder of the file, where modules of metrics are; None without a file."""
        return self._folder

    @classmethod
    def with_systems(
        cls, values: dict[str, Any], kind: type[SystemConfig], default: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """The keys of a file whose systems, or the default ones, have the options that the file has for all."""
        options = fields_of(kind.option_set()).keys() - {"system"}
        shared = {name: value for name, value in values.items() if name in options}
        systems = [
            kind.with_shared(system, shared) if isinstance(system, dict) else system
            for system in values.get("system") or default
        ]
        for name in shared:
            if not any(name in system for system in systems):
                raise OptionError(f"{name}: no system of this file reads it; leave it out", name)
        return {
            **{name: value for name, value in values.items() if name in cls.model_fields or name not in options},
            "system": systems,
        }


class SetConfig(Record):
    """A source and its references: plain text, SGML or XML, also .gz."""

    source: InputPath = Field(description="A file of lines or segments.")
    references: list[InputPath] = Field(default=[], description="Its translations.")
    lines: int = Field(default=0, ge=0, description="Number of lines, the first ones; 0: all.")


class NamedSetConfig(SetConfig):
    """A test set."""

    name: Name = Field(description="In tables and file names.")


Config = TypeVar("Config", bound=ExperimentConfig)


@checked
def read_config(path: PathLike, model: type[Config], *, preset: str | None = None) -> Config:
    """The configuration in a TOML file; InputError names the error, its line and the remedy.

    `preset`: the preset of the command line.
    """
    path = Path(path)
    options = read_toml(path)
    if preset is not None and options.setdefault("preset", preset) != preset:
        raise InputError(f"{path}: has the preset {options['preset']}, the command line {preset}; leave one out")
    try:
        return model.model_validate(options, context={"folder": path.absolute().parent})
    except ValidationError as error:
        raise InputError(f"{_place_of(error, path)}: {first_problem(error, model)}") from None


def _place_of(error: ValidationError, path: Path) -> str:
    """``FILE:LINE`` of the first problem: of its key, or of the same key at the top, which is for all systems."""
    first = error.errors()[0]
    way, cause = first["loc"], first.get("ctx", {}).get("error")
    if isinstance(cause, OptionError) and cause.option:
        return toml_location(path, (*way, cause.option), (cause.option,))
    return toml_location(path, way) if way else str(path)


def config_of(config: Config | PathLike, model: type[Config]) -> Config:
    """The configuration, read from the TOML file if a path is given."""
    return config if isinstance(config, model) else read_config(cast("PathLike", config), model)


def check_metric(metric: str, info: ValidationInfo) -> None:
    """ValueError for an objective that is none, or whose functions are neither beside the file nor installed."""
    function_signatures(metric, (info.context or {}).get("folder"))


def refuse_unused_tuning(config: ExperimentConfig, names: Sequence[str], why: str) -> None:
    """ValueError if a table of tuning is in a file of which no system is tuned."""
    for name in names:
        if name in config.model_fields_set and getattr(config, name):
            raise ValueError(f"[{name}] is not used: {why}; leave it out")


def refuse_tuning_without_dev(values: Mapping[str, Any]) -> None:
    """ValueError for a file that says how to tune, but not on what."""
    if values.get("tuning") and not values.get("dev"):
        raise ValueError("[tuning] is not used: without 'dev' nothing is tuned; leave it out")


class TuningConfig(WithOptions):
    """Tuning of each system's weights on dev: options of `widl tune`."""

    metric: str | None = Field(default=None, description="Metric to maximize; default: as of 'widl tune'.")
    replications: int = Field(default=3, ge=1, description="Number of tunings, with consecutive seeds.")
    options: TuningOptions = TuningOptions()

    @field_validator("metric")
    @classmethod
    def _known_metric(cls, metric: str | None, info: ValidationInfo) -> str | None:
        if metric is not None:
            check_metric(metric, info)
        return metric

    @field_validator("options")
    @classmethod
    def _of_lists(cls, options: TuningOptions) -> TuningOptions:
        if options.algorithm == LATTICE_ALGORITHM:
            raise ValueError(f"algorithm {LATTICE_ALGORITHM}: experiments tune on lists, by mert or mira")
        return options


def tuning_in_preset(values: Mapping[str, Any], task: str) -> dict[str, Any]:
    """The `tuning` of a configuration with what its preset says of the metric and the algorithm; else InputError."""
    preset, given = str(values["preset"]), dict(values.get("tuning") or {})
    options = tuning_of(preset, TuningOptions(algorithm=given.get("algorithm")))
    required = {"metric": metric_of(preset, task, given.get("metric")), "algorithm": options.algorithm}
    return {"tuning": given | required}


def check_baseline(baseline: str | None, systems: Sequence[str]) -> None:
    """OptionError for a baseline that is none of the systems, if these are known."""
    if baseline is not None and systems and baseline not in systems:
        advice = did_you_mean(baseline, systems)
        raise OptionError(f"baseline: no system {baseline!r}; {advice}", "baseline")


def check_distinct(kind: str, names: Sequence[str]) -> None:
    """ValueError where a name occurs twice."""
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise ValueError(f"two {kind} have the same name, {twice!r}; give each its own")
