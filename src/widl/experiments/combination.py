"""The combination experiment: outputs of several systems, choices among them, and `widl combine`, untuned and tuned.

The first lines are tuned on, the others tested. Beside the systems stand two choices among their outputs for each line:
*consensus*, the output most like the others by sentence BLEU, and *oracle*, the one most like the references.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
import sacrebleu
from pydantic import Field, model_validator

from widl.combination import CombinationOptions, Combiner
from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.options import same
from widl.common.steps import Tell
from widl.common.workers import Engine, LocalEngine, Progress, no_progress
from widl.experiments.config import ConfigPart, ExperimentConfig, InputPath, Name, TuningConfig, check_distinct
from widl.experiments.experiment import ExperimentRun, open_experiment
from widl.experiments.results import Column, Results, Row, Scorer, System, SystemRun, Table, TestSet, measured
from widl.mert import Objective, tune_replications
from widl.pipeline.tuning import CombinationTask

METRICS = ("bleu", "chrf")
CONSENSUS, ORACLE, UNTUNED, TUNED = "consensus", "oracle", "combined", "combined-tuned"


class OutputsConfig(ConfigPart):
    """A system and its outputs."""

    name: Name = Field(description="In tables.")
    outputs: InputPath = Field(description="Its output for each line.")


class CombinationExperimentConfig(ExperimentConfig):
    """The configuration of the combination experiment."""

    system: list[OutputsConfig] = Field(min_length=2, description="The systems whose outputs are combined.")
    references: list[InputPath] = Field(min_length=1, description="References, a line for each output.")
    language_models: list[InputPath] = Field(default=[], description="Language models that combinations are scored by.")
    dev: int = Field(default=0, ge=0, description="So many first lines are tuned on, the others tested; 0: no tuning.")
    every: int = Field(default=1, ge=1, description="Only every so many-th line counts.")
    skeletons: int = same(CombinationOptions, "skeletons")
    support: int = same(CombinationOptions, "support")
    tuning: TuningConfig = Field(default=TuningConfig(), description="How weights are tuned.")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        check_distinct("systems", [*(system.name for system in self.system), CONSENSUS, ORACLE, UNTUNED, TUNED])
        return self

    @property
    def options(self) -> CombinationOptions:
        """How outputs are combined."""
        return CombinationOptions(skeletons=self.skeletons, support=self.support)


def run_combination_experiment(
    config: CombinationExperimentConfig,
    directory: PathLike,
    *,
    threads: int = 1,
    engine: Engine | None = None,
    progress: Progress = no_progress,
    tell: Tell = lambda _: None,
) -> Results:
    """Run the experiment in `directory`, where it skips the steps that are complete, and write its results there."""
    paths = [*(system.outputs for system in config.system), *config.references]
    texts = [list(read_lines(path)) for path in paths]
    for path, lines in zip(paths, texts, strict=True):
        if len(lines) != len(texts[0]):
            raise InputError(f"{path}: {len(lines)} lines, but {paths[0]} has {len(texts[0])}; each has as many")
    if len(texts[0]) <= config.dev:
        raise InputError(f"{paths[0]}: {len(texts[0])} lines, and 'dev' is {config.dev}; none is left to test")
    inputs = {str(path): path for path in (*paths, *config.language_models)}
    with open_experiment(
        config, directory, kind="combination", inputs=inputs, threads=threads, progress=progress, tell=tell
    ) as run:
        return _run(config, run, engine or LocalEngine(threads), texts)


def _run(
    config: CombinationExperimentConfig, run: ExperimentRun, engine: Engine, texts: Sequence[Sequence[str]]
) -> Results:
    many = len(config.system)
    dev = [lines[: config.dev : config.every] for lines in texts]
    test = [lines[config.dev :: config.every] for lines in texts]
    outputs, references = list(zip(*test[:many], strict=True)), test[many:]
    scorer = Scorer(METRICS, references, threads=run.threads)
    value = partial(run.job.value, settings={"inputs": run.input_hashes, "config": config})

    def scored(label: str, found: Mapping[str, Any]) -> SystemRun:
        lines: list[str] = found["texts"]
        facts = {name: found[name] for name in ("proved",) if name in found}
        names = [system.name for system in config.system]
        origins = [[(word, [names[k - 1] for k in having]) for word, having in one] for one in found.get("words", ())]
        return SystemRun(
            label=label, outputs=lines, statistics=scorer.statistics(lines), facts=facts, origins=origins
        )

    runs = {
        system.name: [scored("run", {"texts": lines})] for system, lines in zip(config.system, test, strict=False)
    }
    sums = np.array([runs[name][0].statistics["bleu"] for name in runs], np.float64).sum(axis=1)
    best = list(runs)[int(scorer.metrics[0].scorer()(sums).argmax())]
    runs = {best: runs[best]} | runs
    runs[CONSENSUS] = [scored("run", value("consensus", lambda: {"texts": list(map(_most_alike, outputs))}))]
    wanted = list(zip(*references, strict=True))
    runs[ORACLE] = [scored("run", value("oracle", lambda: {"texts": list(map(_closest, outputs, wanted))}))]
    combine = partial(_combined, outputs, config.options, engine)
    combiner = Combiner.of(config.language_models)
    runs[UNTUNED] = [scored("run", value("combined", lambda: combine(combiner)))]
    weights: dict[str, dict[str, float]] = {}
    if config.dev:
        tuned = value("weights", lambda: _tuned(config, combiner, run, engine, dev[:many], dev[many:]))
        for number, found in enumerate(tuned):
            label = f"seed-{config.seed + number}"
            weights[label] = found
            made = value(f"combined-{label}", partial(lambda own: combine(replace(combiner, weights=own)), found))
            runs.setdefault(TUNED, []).append(scored(label, made))
    test_set = TestSet.of(
        "test", inputs=references[0], references=references, metrics=scorer.metrics, systems=runs
    )
    return run.finish(
        title="Combined outputs",
        tables=[_table(test_set)],
        sets=[test_set],
        systems=[System(name=name, settings={}, weights=weights if name == TUNED else {}) for name in runs],
        notes=[f"The first system is the best single one on the test lines, {best}."],
    )


_BLEU = sacrebleu.BLEU(effective_order=True)


def _similarity(text: str, references: Sequence[str]) -> float:
    return float(_BLEU.sentence_score(text, list(references)).score)


def _most_alike(outputs: Sequence[str]) -> str:
    """The output with the largest mean sentence BLEU against each of the others; among equals the first."""
    alike = [sum(_similarity(text, [one]) for k, one in enumerate(outputs) if k != i) for i, text in enumerate(outputs)]
    return outputs[alike.index(max(alike))]


def _closest(outputs: Sequence[str], references: Sequence[str]) -> str:
    return max(outputs, key=lambda text: _similarity(text, references))


def _combined(
    outputs: Sequence[Sequence[str]], options: CombinationOptions, engine: Engine, combiner: Combiner
) -> dict[str, Any]:
    results = list(combiner.combine(outputs, options, engine=engine))
    return {
        "texts": [result.text for result in results],
        "proved": [float(bool(result.optimal)) for result in results],
        "words": [[(word.text, word.outputs) for word in result.words] for result in results],
    }


def _tuned(
    config: CombinationExperimentConfig,
    combiner: Combiner,
    run: ExperimentRun,
    engine: Engine,
    outputs: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
) -> list[dict[str, float]]:
    """The weights of each replication."""
    settings = {"inputs": run.input_hashes, "config": config}
    task = CombinationTask(combiner, list(zip(*outputs, strict=True)), references, config.options, name="dev")
    options = config.tuning.options(threads=run.threads)
    optimizer = task.for_task(options.optimizer)
    results = tune_replications(
        task.decoder(engine, optimizer),
        Objective(config.tuning.metric, references, threads=run.threads),
        task.weights,
        run.job.path(f"tuning-{run.job.digest(settings=settings)[:8]}"),
        replace(options, optimizer=optimizer),
        seeds=range(config.seed, config.seed + config.tuning.replications),
        on_iteration=lambda i: run.tell(f"tuning, iteration {i.number}: {i.score:.3f}"),
    )
    return [result.weights for result in results]


def _table(test: TestSet) -> Table:
    rows = []
    for name, runs in test.systems.items():
        proved = [value for run in runs for value in run.facts.get("proved", ()) if value is not None]
        cells = [measured(test, name, metric) for metric in METRICS]
        rows.append(Row(label=name, cells=[*cells, 100 * sum(proved) / len(proved) if proved else None]))
    columns = [
        Column(name="BLEU", digits=2, better="higher"),
        Column(name="chrF", digits=2, better="higher"),
        Column(name="proved %", digits=1, better="higher", help="Lines whose combination is the best, proved."),
    ]
    return Table(name="combination", title="Outputs and their combination", columns=columns, rows=rows)
