"""The configuration of the headline experiment: its systems, and what each is tuned with."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Self

from pydantic import Field, model_validator

from widl.common.options import adjust, fields_of, refuse_unread, same
from widl.common.presets import PRESETS, PresetOf2006
from widl.decoder import SearchOptions
from widl.experiments.baselines import BASELINES, Baseline, BaselineName
from widl.experiments.config import (
    ExperimentConfig,
    InputPath,
    SystemConfig,
    TuningConfig,
    check_distinct,
    refuse_tuning_without_dev,
    refuse_unused_tuning,
    tuning_in_preset,
)
from widl.headline import HeadlineOptions
from widl.headline.length_options import LengthLimit
from widl.headline.options import SEARCHED, SYSTEMS, SystemName
from widl.mert import TuningOptions
from widl.metrics import MetricOptions
from widl.pipeline.tuning_decoders import restrict_headline_weights

ComparedName = SystemName | BaselineName
_ALL: dict[str, ComparedName] = {
    "Lead": "lead",
    "HedgeTrimmer": "hedge-trimmer",
    "Topiary": "topiary",
    "Keywords": "keywords",
    "Webcl": "webcl",
    "WIDL-A*": "widl-paper",
    "widl": "widl",
}
"""The systems of the paper's Table 1, and ours, by name."""


BASELINE_READS = tuple(fields_of(LengthLimit))
NOT_OF_BASELINES = fields_of(HeadlineOptions).keys() - {*BASELINE_READS}


class HeadlineSystem(SystemConfig):
    """A row of the table; the options of ``widl`` and ``widl-paper`` are those of `HeadlineOptions`."""

    system: ComparedName = Field(
        description="widl, widl-paper, lead, or one that the paper compares: hedge-trimmer, topiary, keywords, webcl."
    )
    fixed: dict[str, float] = Field(
        default={}, description="Weights that are not tuned, by name; lm1 = 0 disables the headline model."
    )
    options: HeadlineOptions = HeadlineOptions()

    @classmethod
    def completed(cls, options: dict[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
        """A preset is of systems that search."""
        system = own.get("system")
        if system not in SEARCHED:
            options = {name: value for name, value in options.items() if name != "preset"}
        return options | {"system": system} if system in SYSTEMS else options

    @classmethod
    def unread(cls, options: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:
        """The baselines of the paper read the limit only."""
        return NOT_OF_BASELINES if own.get("system") in BASELINES else super().unread(options, own)

    @model_validator(mode="after")
    def _read(self) -> Self:
        if self.system in BASELINES:
            refuse_unread(self.options, f"system {self.system}", BASELINE_READS)
        return self

    @property
    def baseline(self) -> Baseline | None:
        """Generator of the baseline's headlines, for the systems that the paper compares."""
        return BASELINES.get(self.system)

    @property
    def is_searched(self) -> bool:
        """Whether it has weights, and a search."""
        return self.system in SEARCHED

    @property
    def paper_system(self) -> ComparedName:
        """The system whose figures in the paper belong to the row; ``widl``, which has none, if it departs from it."""
        return "widl" if self.system == "widl-paper" and self.fixed else self.system

    @property
    def tuned_settings(self) -> dict[str, Any]:
        """Settings that the weights depend on: all except the search, so that searches are compared with equal
        weights."""
        search = {*fields_of(SearchOptions), "ranked"}
        options = {name: value for name, value in asdict(self.options).items() if name not in search}
        return {"system": self.system, "fixed": self.fixed, "options": options}

    def restrict(self, weights: Mapping[str, float], options: TuningOptions) -> tuple[dict[str, float], TuningOptions]:
        """The weights to start from, and the optimizer's options with this row's bounds and fixed weights."""
        start = dict(weights)
        if self.system == "widl":  # within bounds that keep headlines readable
            start, options = restrict_headline_weights(weights, options)
        bounds = {name: ends for name, ends in options.bounds.items() if name not in self.fixed}
        return start | self.fixed, adjust(options, bounds=bounds, fixed=options.fixed | self.fixed.keys())


class HeadlineExperimentConfig(ExperimentConfig):
    """The configuration of the headline experiment."""

    preset: PresetOf2006 | None = Field(default=None, description="All systems and tuning as in a paper.")
    model: InputPath = Field(description="A directory made by 'widl headline train'.")
    dev: list[InputPath] = Field(default=[], description="Documents to tune on; without, the weights are the model's.")
    dev_references: list[InputPath] = Field(default=[], description="As `test_references`, of `dev`.")
    test: list[InputPath] = Field(min_length=1, description="Documents with headlines.")
    test_references: list[InputPath] = Field(
        default=[],
        description="References instead of the headlines in `test`: DUC's folders of model summaries, or files with a "
        "line for each document.",
    )
    references: int = Field(
        default=0, ge=0, description="Number of references of a document that count, the first ones; 0: all."
    )
    stem: bool = same(MetricOptions, "stem")
    jackknife: bool = same(MetricOptions, "jackknife")
    pooled: bool = same(MetricOptions, "pooled")
    words: int = same(LengthLimit, "words")
    tuning: TuningConfig = TuningConfig()
    system: list[HeadlineSystem] = Field(
        min_length=1, description="Rows of the tables; by default those of the paper, and widl."
    )

    @model_validator(mode="before")
    @classmethod
    def _with_systems(cls, values: dict[str, Any]) -> dict[str, Any]:
        """A preset has the systems of the paper's Table 1, with its tuning."""
        refuse_tuning_without_dev(values)
        systems: list[dict[str, Any]] = [{"name": name, "system": system} for name, system in _ALL.items()]
        if "preset" not in values:
            return cls.with_systems(values, HeadlineSystem, systems)
        values = {"words": PRESETS["paper-2006"].first_words} | values
        systems[0]["name"] = "Lead10"
        systems[-2:] = [  # with a learned number of words, as in the paper, and with a limit
            {"name": "WIDL-Astar", "system": "widl-paper", "words": 0},
            {"name": "WIDL-Astar-limited", "system": "widl-paper", "words": values["words"]},
        ]
        return cls.with_systems(values, HeadlineSystem, systems) | tuning_in_preset(values, "headline")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        check_distinct("systems", [system.name for system in self.system])
        if not any(system.is_searched for system in self.system):
            refuse_unused_tuning(self, ("dev", "tuning"), "no system has weights")
        return self

    @property
    def metrics(self) -> MetricOptions:
        """ROUGE options; in a preset, ROUGE is limited to the first words, as many as headlines may have."""
        most = self.words if self.preset else 0
        return MetricOptions(stem=self.stem, jackknife=self.jackknife, pooled=self.pooled, first_words=most)
