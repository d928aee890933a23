"""The rows of the headline experiment, and what each is tuned with."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from widl.common.options import same
from widl.common.presets import PresetOf2006
from widl.experiments.config import ConfigPart, Name
from widl.headline import HeadlineOptions
from widl.headline.budget import Budget
from widl.headline.keyword_phrases import PaperOptions
from widl.headline.options import SEARCHED, SystemName
from widl.mert import OptimizerOptions
from widl.pipeline.tuning_decoders import headline_space

_SEARCH = {"name", "search", "k", "stack_size", "pop_limit"}


class HeadlineSystemConfig(ConfigPart):
    """A row of the table: a system, and for ``widl`` and ``widl-paper`` how it is built, tuned and searched."""

    name: Name = Field(description="In tables and file names.")
    system: SystemName = same(HeadlineOptions, "system", default=...)
    search: Literal["astar", "astar-k", "beam", "stack", "cube"] | None = same(HeadlineOptions, "search")
    k: int = same(HeadlineOptions, "k")
    stack_size: int | None = same(HeadlineOptions, "stack_size")
    pop_limit: int | None = same(HeadlineOptions, "pop_limit")
    alone: bool = same(PaperOptions, "alone")
    bounds: bool = Field(
        default=True, description="widl: tune within the bounds of weights that keep headlines readable."
    )
    fixed: dict[str, float] = Field(
        default={}, description="Weights that are not tuned, by name; lm1 = 0 leaves the model of headlines out."
    )

    def options(self, budget: Budget, preset: PresetOf2006 | None = None) -> HeadlineOptions:
        """The options of the system's headlines, of a preset's if it has weights."""
        return HeadlineOptions(
            preset=preset if self.system in SEARCHED else None,
            system=self.system,
            budget=budget,
            search=self.search or ("astar" if preset and self.system in SEARCHED else None),
            k=self.k,
            stack_size=self.stack_size,
            pop_limit=self.pop_limit,
            paper=PaperOptions(alone=self.alone),
        )

    @property
    def of_the_paper(self) -> SystemName:
        """The system whose figures in the paper belong to the row; ``widl``, which has none, if it departs from it."""
        departs = not self.alone or bool(self.fixed)
        return "widl" if self.system == "widl-paper" and departs else self.system

    @property
    def tuned_settings(self) -> dict[str, Any]:
        """What weights depend on: all but the search, so that searches are compared with equal weights."""
        return self.model_dump(mode="json", exclude=_SEARCH)

    def is_tuned_as(self, other: "HeadlineSystemConfig") -> bool:
        """Whether both rows have the same weights."""
        return self.tuned_settings == other.tuned_settings

    def space(
        self, weights: Mapping[str, float], options: OptimizerOptions
    ) -> tuple[dict[str, float], OptimizerOptions]:
        """The weights to start from, and the optimizer's options with this row's bounds and fixed weights."""
        start = dict(weights)
        if self.bounds and self.system == "widl":
            start, options = headline_space(weights, options)
        bounds = {name: ends for name, ends in options.bounds.items() if name not in self.fixed}
        return start | self.fixed, replace(options, bounds=bounds, fixed=options.fixed | self.fixed.keys())
