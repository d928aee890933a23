"""The configuration of the headline experiment: its systems, and what each is tuned with."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, Self, cast

from pydantic import Field, model_validator

from widl.common.options import same
from widl.common.presets import PresetOf2006
from widl.experiments.baselines import BASELINES, Baseline, BaselineName
from widl.experiments.config import (
    ExperimentConfig,
    InputPath,
    Name,
    TuningConfig,
    check_distinct,
    tuning_in_preset,
)
from widl.headline import HeadlineOptions
from widl.headline.budget import Budget
from widl.headline.options import SEARCHED, SystemName
from widl.mert import MetricOptions, OptimizerOptions
from widl.mert.rouge import ROOT_OF_RECALLS
from widl.pages.tables import Record
from widl.pipeline.tuning import HeadlineTask
from widl.pipeline.tuning_decoders import headline_space

_SEARCH = {"name", "search", "k", "stack_size", "pop_limit", "ranked"}
ComparedName = SystemName | BaselineName
_ALL: list[ComparedName] = ["lead", "hedge-trimmer", "topiary", "keywords", "webcl", "widl-paper", "widl"]


class HeadlineTuningConfig(TuningConfig):
    """Options of tuning the weights of ``widl`` and ``widl-paper`` on dev."""

    metric: str = Field(
        default=HeadlineTask.metric,
        description="Metric to maximize; of widl-paper by default rouge1x2_recall, the paper's ROUGE₂.",
    )

    def of_system(self, system: ComparedName) -> "HeadlineTuningConfig":
        """The options with the paper's metric for the system, unless a metric is given."""
        if system != "widl-paper" or "metric" in self.model_fields_set:
            return self
        return self.model_copy(update={"metric": ROOT_OF_RECALLS})


class HeadlineSystemConfig(Record):
    """A row of the table: a system, and for ``widl`` and ``widl-paper`` how it is built, tuned and searched."""

    name: Name = Field(description="In tables and file names.")
    system: ComparedName = Field(
        description="widl, widl-paper, lead, or one that the paper compares: hedge-trimmer, topiary, keywords, webcl."
    )
    search: Literal["astar", "astar-k", "beam", "stack", "cube"] | None = same(HeadlineOptions, "search")
    k: int = same(HeadlineOptions, "k")
    stack_size: int = same(HeadlineOptions, "stack_size")
    pop_limit: int = same(HeadlineOptions, "pop_limit")
    ranked: int = same(HeadlineOptions, "ranked")
    limited: bool = Field(
        default=True,
        description="Whether the budget limits the search. A preset counts only that many first words in any case.",
    )
    fixed: dict[str, float] = Field(
        default={}, description="Weights that are not tuned, by name; lm1 = 0 disables the headline model."
    )

    def options(self, budget: Budget, preset: PresetOf2006 | None = None) -> HeadlineOptions:
        """Headline options of a system that is not a baseline; a preset's options if it has weights."""
        return HeadlineOptions(
            preset=preset if self.is_searched else None,
            system=cast("SystemName", self.system),
            budget=budget if self.limited else Budget(words=0),
            search=self.search or ("astar" if preset and self.is_searched else None),
            k=self.k,
            stack_size=self.stack_size,
            pop_limit=self.pop_limit,
            ranked=self.ranked,
        )

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
        return self.model_dump(mode="json", exclude=_SEARCH)

    def space(
        self, weights: Mapping[str, float], options: OptimizerOptions
    ) -> tuple[dict[str, float], OptimizerOptions]:
        """The weights to start from, and the optimizer's options with this row's bounds and fixed weights."""
        start = dict(weights)
        if self.system == "widl":  # within bounds that keep headlines readable
            start, options = headline_space(weights, options)
        bounds = {name: ends for name, ends in options.bounds.items() if name not in self.fixed}
        return start | self.fixed, replace(options, bounds=bounds, fixed=options.fixed | self.fixed.keys())


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
    words: int = same(Budget, "words")
    bytes: int = same(Budget, "bytes")
    tuning: HeadlineTuningConfig = Field(default=HeadlineTuningConfig(), description="How weights are tuned.")
    system: list[HeadlineSystemConfig] = Field(
        default=[HeadlineSystemConfig(name=name, system=name) for name in _ALL],
        min_length=1,
        description="Rows of the tables; by default those of the paper.",
    )

    @model_validator(mode="before")
    @classmethod
    def _of_preset(cls, values: Any) -> Any:
        """The paper's systems, Table 1, with its tuning."""
        if not isinstance(values, dict) or "preset" not in values:
            return values
        rows: list[dict[str, object]] = [{"name": name, "system": name} for name in _ALL[:-2]]
        rows += [
            {"name": "WIDL-Astar", "system": "widl-paper", "limited": False},
            {"name": "WIDL-Astar-limited", "system": "widl-paper"},
        ]
        return {"system": rows} | values | tuning_in_preset(values, "headline")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for system in self.system if self.preset else ():
            if system.is_searched:
                system.options(self.budget, self.preset)
        if not self.budget.words and not self.budget.bytes:
            raise ValueError("a headline needs a budget of 'words' or of 'bytes'")
        check_distinct("systems", [system.name for system in self.system])
        return self

    @property
    def budget(self) -> Budget:
        """The budget of a headline."""
        return Budget(**{name: getattr(self, name) for name in ("words", "bytes") if name in self.model_fields_set})

    @property
    def metrics(self) -> MetricOptions:
        """ROUGE options; in a preset, ROUGE is limited to the first words that fit its budget."""
        most = self.words if self.preset else 0
        return MetricOptions(stem=self.stem, jackknife=self.jackknife, pooled=self.pooled, first_words=most)
