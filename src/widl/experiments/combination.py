"""The combination experiment: outputs of several systems, and `widl combine`, untuned and tuned.

The first lines are tuned on, the others tested; the mean of the weights of several tunings is tested as well: it
depends less on the seed.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from statistics import fmean
from typing import Any, Self, Unpack

from pydantic import Field, model_validator
from typing_extensions import override

from widl.combination import CombinationOptions, Combiner
from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.json_values import digest
from widl.common.options import same
from widl.experiments.config import (
    ExperimentConfig,
    InputPath,
    Name,
    TuningConfig,
    check_distinct,
    config_of,
    refuse_tuning_without_dev,
)
from widl.experiments.replications import Replications, TunedWeights, kept_start, tuning_cells, tuning_columns
from widl.experiments.results import MetricScorer, Results, TestSet
from widl.experiments.runner import ExperimentRun, RunOptions, System, open_experiment
from widl.pages.tables import Cell, Column, Record, Row, Table
from widl.pipeline.tuning import CombinationTask

METRICS = {"bleu": "BLEU", "chrf": "chrF"}
UNTUNED, TUNED, MEAN = "combined", "combined-tuned", "combined-mean"

Line = tuple[tuple[str, ...], tuple[str, ...]]
"""All systems' outputs for a line, and its references."""


class OutputsConfig(Record):
    """A system and its outputs."""

    name: Name = Field(description="In tables.")
    outputs: InputPath = Field(description="Its output for each line.")


class CombinationExperimentConfig(ExperimentConfig):
    """The configuration of the combination experiment."""

    system: list[OutputsConfig] = Field(min_length=2, description="The systems whose outputs are combined.")
    references: list[InputPath] = Field(min_length=1, description="References, a line for each output.")
    language_models: list[InputPath] = Field(default=[], description="Language models that combinations are scored by.")
    dev: int = Field(
        default=0,
        ge=0,
        description="Number of lines to tune on, from the first; the others are the test set. 0: no tuning.",
    )
    skeletons: int = same(CombinationOptions, "skeletons")
    support: int = same(CombinationOptions, "support")
    tuning: TuningConfig = TuningConfig()

    @model_validator(mode="after")
    def _whole(self) -> Self:
        refuse_tuning_without_dev(self.model_dump(include=self.model_fields_set & {"dev", "tuning"}))
        check_distinct("systems", [*(system.name for system in self.system), UNTUNED, TUNED, MEAN])
        return self

    @override
    def rows(self) -> list[str]:
        """The systems and their combinations."""
        tuned = [TUNED, *([MEAN] if self.tuning.replications > 1 else [])] if self.dev else []
        return [*super().rows(), UNTUNED, *tuned]

    @property
    def options(self) -> CombinationOptions:
        """Combination options of the outputs."""
        return CombinationOptions(skeletons=self.skeletons, support=self.support)


@checked
def run_combination_experiment(
    config: CombinationExperimentConfig | PathLike, directory: PathLike, **options: Unpack[RunOptions]
) -> Results:
    """Run the experiment in `directory`, where it skips the steps that are complete, and write its results there."""
    config = config_of(config, CombinationExperimentConfig)
    paths = [*(system.outputs for system in config.system), *config.references]
    texts = [list(read_lines(path)) for path in paths]
    for path, lines in zip(paths, texts, strict=True):
        if len(lines) != len(texts[0]):
            raise InputError(f"{path}: {len(lines)} lines, but {paths[0]} has {len(texts[0])}; each has as many")
    if len(texts[0]) <= config.dev:
        raise InputError(f"{paths[0]}: {len(texts[0])} lines, and 'dev' is {config.dev}; no lines remain to test on")
    with open_experiment(config, directory, "combination", **options) as run:
        return _run(config, run, texts)


def _run(config: CombinationExperimentConfig, run: ExperimentRun, texts: Sequence[Sequence[str]]) -> Results:
    many = len(config.system)
    dev, test = (
        (list(zip(*lines[:many], strict=True)), lines[many:])
        for lines in ([text[: config.dev] for text in texts], [text[config.dev :] for text in texts])
    )
    inputs = list(zip(test[0], zip(*test[1], strict=True), strict=True))
    scorer = MetricScorer(tuple(METRICS), test[1], threads=run.threads)
    combiner = Combiner(config.language_models)
    settings = {"options": config.options}

    def single(number: int, name: str) -> System:
        return System(name, lambda _, lines: ({"text": outputs[number]} for outputs, _ in lines))

    def combined(name: str, replications: Sequence[TunedWeights] = (TunedWeights(),)) -> System:
        def make(weights: Mapping[str, float], lines: Sequence[Line]) -> Iterator[dict[str, Any]]:
            weighted = replace(combiner, weights=dict(weights)) if weights else combiner
            for result in weighted.combine([outputs for outputs, _ in lines], config.options, engine=run.engine):
                yield {"text": result.text, "proved": float(bool(result.optimal))}

        return System(name, make, replications, config.language_models, settings)

    def measured(systems: Sequence[System]) -> TestSet:
        return run.test_set("test", inputs, systems, scorer, shown=scorer.references[0])

    alone = measured([single(number, system.name) for number, system in enumerate(config.system)])
    best = max(alone.systems, key=lambda name: alone.scores(name, "bleu"))
    weights: dict[str, list[TunedWeights]] = {}
    if config.dev:
        weights[TUNED] = run.tuned(
            TUNED,
            lambda: CombinationTask(combiner, dev[0], dev[1], config.options, name="dev"),
            config.tuning,
            files=config.language_models,
            settings=settings | {"dev": digest(dev)},
        )
        if len(weights[TUNED]) > 1:
            names = weights[TUNED][0].weights
            average = {name: fmean(one.weights[name] for one in weights[TUNED]) for name in names}
            moved = any(one.moved for one in weights[TUNED])
            weights[MEAN] = [TunedWeights(average, is_tuned=True, moved=moved)]
    others = measured([combined(UNTUNED), *(combined(name, replications) for name, replications in weights.items())])
    systems = {best: alone.systems[best]} | alone.systems | others.systems
    test_set = alone.model_copy(update={"systems": systems})
    notes = [f"The first system is the best single one on the test lines, {best}.", *better_alone(test_set, best)]
    described: dict[str, dict[str, object]] = {system.name: {"outputs": system.outputs} for system in config.system}
    shared = {**asdict(config.options), "language models": config.language_models}
    described |= dict.fromkeys(others.systems, shared)
    return run.finish(
        "Combined outputs", [_table(test_set, weights)], [test_set], settings=described, weights=weights, notes=notes
    )


def better_alone(test: TestSet, best: str) -> list[str]:
    """A note that names the combinations that the best single system scores above, if any."""
    scores = {name: test.figure(name, "bleu").value for name in test.systems}
    below = [
        f"{name} ({scores[name]:.2f})" for name in (UNTUNED, TUNED, MEAN) if scores.get(name, math.inf) < scores[best]
    ]
    if not below:
        return []
    return [f"Warning: {best} alone has BLEU {scores[best]:.2f}, more than {' and '.join(below)}."]


def _table(test: TestSet, weights: Replications) -> Table:
    rows = []
    for name, runs in test.systems.items():
        cells: dict[str, Cell] = {column: test.figure(name, metric) for metric, column in METRICS.items()}
        proved = [value for run in runs for value in run.facts.get("proved", ()) if value is not None]
        cells |= tuning_cells(weights, name) if weights else {}
        rows.append(Row(label=name, cells=cells | {"proved %": 100 * sum(proved) / len(proved) if proved else None}))
    columns = [
        *(tuning_columns(weights) if weights else []),
        Column(name="BLEU", digits=2, better="higher"),
        Column(name="chrF", digits=2, better="higher"),
        Column(name="proved %", better="higher", help="Lines whose combination is the best, proved."),
    ]
    return Table(
        name="combination", title="Outputs and their combination", columns=columns, rows=rows, notes=kept_start(weights)
    )
