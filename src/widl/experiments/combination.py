"""The combination experiment: outputs of several systems, choices among them, and `widl combine`, untuned and tuned.

The first lines are tuned on, the others tested; the mean of the weights of several tunings is tested as well: it
depends less on the seed. Beside the systems stand two choices among their outputs for each line:
*consensus*, the output most like the others by sentence BLEU, and *oracle*, the one most like the references.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from statistics import fmean
from typing import Any, Self, Unpack

import sacrebleu
from pydantic import Field, model_validator

from widl.combination import CombinationOptions, Combiner
from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.options import same
from widl.experiments.config import ExperimentConfig, InputPath, Name, TuningConfig, check_distinct, config_of
from widl.experiments.results import Results, Scorer, SystemRun, TestSet
from widl.experiments.runner import ExperimentRun, RunOptions, TunedWeights, open_experiment
from widl.pages.tables import Cell, Column, Record, Row, Table
from widl.pipeline.tuning import CombinationTask

METRICS = {"bleu": "BLEU", "chrf": "chrF"}
CONSENSUS, ORACLE, UNTUNED, TUNED, MEAN = "consensus", "oracle", "combined", "combined-tuned", "combined-mean"

Outputs = Sequence[tuple[str, ...]]
"""The outputs of all systems for each line."""


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
    tuning: TuningConfig = Field(default=TuningConfig(), description="How weights are tuned.")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        check_distinct("systems", [*(system.name for system in self.system), CONSENSUS, ORACLE, UNTUNED, TUNED, MEAN])
        return self

    @property
    def options(self) -> CombinationOptions:
        """Combination options of the outputs."""
        return CombinationOptions(skeletons=self.skeletons, support=self.support)


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
    with open_experiment(config, directory, "combination", [*paths, *config.language_models], **options) as run:
        return _run(config, run, texts)


def _run(config: CombinationExperimentConfig, run: ExperimentRun, texts: Sequence[Sequence[str]]) -> Results:
    many = len(config.system)
    dev = [lines[: config.dev] for lines in texts]
    test = [lines[config.dev :] for lines in texts]
    outputs, references = list(zip(*test[:many], strict=True)), test[many:]
    scorer = Scorer(tuple(METRICS), references, threads=run.threads)
    settings = {"inputs": run.input_hashes, "config": config}
    combiner = Combiner.of(config.language_models)

    def scored(name: str, texts: Callable[[Outputs], Iterable[str]]) -> SystemRun:
        def make(lines: Outputs) -> Iterator[dict[str, Any]]:
            return ({"text": text} for text in texts(lines))

        return run.outputs(f"systems/{name}", outputs, make, scorer=scorer, settings=settings)

    def combined(name: str, label: str, combiner: Combiner) -> SystemRun:
        def make(lines: Outputs) -> Iterator[dict[str, Any]]:
            for result in combiner.combine(lines, config.options, engine=run.engine):
                yield {"text": result.text, "proved": float(bool(result.optimal))}

        return run.outputs(f"systems/{name}", outputs, make, label=label, scorer=scorer, settings=settings)

    runs = {
        system.name: [scored(system.name, partial(map, itemgetter(number)))]
        for number, system in enumerate(config.system)
    }
    alone = TestSet(
        name="test", inputs=scorer.references[0], references=scorer.references, metrics=scorer.metrics, systems=runs
    )
    best = max(runs, key=lambda name: alone.scores(name, "bleu"))
    runs = {best: runs[best]} | runs
    by_line = list(zip(*references, strict=True))
    runs[CONSENSUS] = [scored(CONSENSUS, lambda lines: map(_most_alike, lines))]
    runs[ORACLE] = [scored(ORACLE, lambda lines: map(_closest, lines, by_line[len(by_line) - len(lines) :]))]
    runs[UNTUNED] = [combined(UNTUNED, "run", combiner)]
    weights: dict[str, list[TunedWeights]] = {}
    if config.dev:
        lines = list(zip(*dev[:many], strict=True))
        weights[TUNED] = tuned = run.tuned(
            "systems/weights",
            lambda: CombinationTask(combiner, lines, dev[many:], config.options, name="dev"),
            config.tuning,
            settings=settings,
        )
        runs[TUNED] = [
            combined(f"{TUNED}.{one.label}", one.label, replace(combiner, weights=one.weights)) for one in tuned
        ]
        if len(tuned) > 1:
            average = {name: fmean(one.weights[name] for one in tuned) for name in tuned[0].weights}
            weights[MEAN] = [TunedWeights(average, "run")]
            runs[MEAN] = [combined(MEAN, "run", replace(combiner, weights=average))]
    test_set = alone.model_copy(update={"systems": runs})
    note = f"The first system is the best single one on the test lines, {best}."
    return run.finish("Combined outputs", [_table(test_set)], [test_set], weights=weights, notes=[note])


_BLEU = sacrebleu.BLEU(effective_order=True)


def _similarity(text: str, references: Sequence[str]) -> float:
    return float(_BLEU.sentence_score(text, list(references)).score)


def _most_alike(outputs: Sequence[str]) -> str:
    """The output with the largest mean sentence BLEU against each of the others; among equals the first."""
    alike = [
        sum(_similarity(text, [output]) for k, output in enumerate(outputs) if k != i) for i, text in enumerate(outputs)
    ]
    return outputs[alike.index(max(alike))]


def _closest(outputs: Sequence[str], references: Sequence[str]) -> str:
    return max(outputs, key=lambda text: _similarity(text, references))


def _table(test: TestSet) -> Table:
    rows = []
    for name, runs in test.systems.items():
        cells: dict[str, Cell] = {column: test.figure(name, metric) for metric, column in METRICS.items()}
        proved = [value for run in runs for value in run.facts.get("proved", ()) if value is not None]
        rows.append(Row(label=name, cells=cells | {"proved %": 100 * sum(proved) / len(proved) if proved else None}))
    columns = [
        Column(name="BLEU", digits=2, better="higher"),
        Column(name="chrF", digits=2, better="higher"),
        Column(name="proved %", better="higher", help="Lines whose combination is the best, proved."),
    ]
    return Table(name="combination", title="Outputs and their combination", columns=columns, rows=rows)
