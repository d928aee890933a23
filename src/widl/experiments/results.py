"""The results of an experiment, in the same form for all experiments: ``results.json``.

An experiment makes `Table`s, `TestSet`s with the systems' outputs and statistics. To these
`ExperimentRun.finish` (`widl.experiments.experiment`) adds confidence intervals, a paired test for every pair of
systems, and provenance, and writes ``results.json``, ``results.txt`` and ``report.html``. `widl experiment report` and
`compare` read only ``results.json``.

    scorer = Scorer(["rouge1_recall", "rouge1x2_recall"], references)
    metrics = [*scorer.metrics, Metric(name="length", scale=1, digits=1, better=None, tested=False)]
    run = SystemRun(
        label="seed-1",
        outputs=texts,
        statistics=scorer.statistics(texts) | {"length": per_item([len(text.split()) for text in texts])},
        facts={"model score": scores},
    )
    test = TestSet.of("duc2003", inputs=documents, references=references, metrics=metrics, systems={"widl": [run], …})
    table = Table(
        name="headlines", title="Headlines of DUC 2003", paper="Soricut & Marcu (2006), Table 1",
        columns=[Column(name="ROUGE-1", digits=1, better="higher"), Column(name="√(R1·R2)", digits=1, better="higher")],
        rows=[Row(label="WIDL-A*", cells=[measured(test, "widl", "rouge1_recall"), …], paper=[25.5, 12.9]),
              Row(label="HedgeTrimmer", paper=[18.1, 9.9])],
    )

Statistics of items are summed over a test set, and the metric's `kind` says how the score follows from the sums. A
bootstrap sample can therefore be scored without its texts, for BLEU as for a mean. `widl.mert.Objective` counts them.
"""

import json
import os
import statistics
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from pydantic import Field, ValidationError, model_validator

from widl._core import Metric as CombiningMetric
from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError, MissingFileError
from widl.common.files import write_text
from widl.common.hashing import digest
from widl.common.validation import first_problem
from widl.experiments.config import ConfigPart
from widl.experiments.significance import Score
from widl.mert import MetricOptions, Objective
from widl.mert.nbest import FloatArray
from widl.mert.rouge import ROOT_OF_RECALLS, add_root_of_recalls

RESULTS = "results.json"
FORMAT = "widl experiment results"
FORMAT_VERSION = 1

Better = Literal["higher", "lower"] | None
Statistics = list[list[float]]
"""A row of statistics for each item."""


class Measured(ConfigPart):
    """A figure with its 95 % confidence interval over the items, and its standard deviation over several runs."""

    value: float
    low: float | None = None
    high: float | None = None
    deviation: float | None = None


Cell = Measured | float | int | str | None


class Column(ConfigPart):
    """A column of figures, with the number of decimals; `paper_digits`: of the paper's figures, if it differs.

    short: numbers of a million and more are shown as 1.2e34.
    """

    name: str
    digits: int = 1
    short: bool = False
    paper_digits: int | None = None
    better: Better = None
    help: str = ""


class Row(ConfigPart):
    """A row of a table. `cells` and `paper`, the paper's figures, have a cell for each column, or none."""

    label: str
    cells: list[Cell] = Field(default=[])
    paper: list[Cell] = Field(default=[])


class Table(ConfigPart):
    """A table, with figures of the paper beside those measured. `paper` cites it; `of` says what a row is."""

    name: str
    title: str
    columns: list[Column]
    rows: list[Row]
    of: str = "system"
    paper: str = ""
    notes: list[str] = Field(default=[])

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for row in self.rows:
            for cells in (row.cells, row.paper):
                if cells and len(cells) != len(self.columns):
                    raise ValueError(f"row {row.label!r} has {len(cells)} cells, not {len(self.columns)}")
        return self

    def with_paper(self) -> list[bool]:
        """Whether the paper has any figure of a column."""
        return [any(row.paper and row.paper[i] is not None for row in self.rows) for i in range(len(self.columns))]


class Metric(ConfigPart):
    """A metric: ``bleu``, ``chrf`` and ``chrf++`` of sacrebleu, ``rouge1x2_recall`` of `widl.mert`, or a ``ratio``:
    `scale` times first over second.
    """

    name: str
    kind: Literal["bleu", "chrf", "chrf++", "rouge1x2_recall", "ratio"] = "ratio"
    scale: float = 100.0
    better: Better = "higher"
    digits: int = 2
    signature: str = ""
    tested: bool = True
    """Whether pairs of systems are tested for significance by this metric."""

    def scorer(self) -> Score:
        """The scores of rows of summed statistics."""
        combined = CombiningMetric()
        factor = 1.0
        if self.kind == "ratio":
            combined.add_ratio(1.0)
            factor = self.scale / 100.0
        elif self.kind == "bleu":
            combined.add_bleu(1.0)
        elif self.kind == ROOT_OF_RECALLS:
            add_root_of_recalls(combined, 1.0)
        else:
            combined.add_chrf(1.0, orders=8 if self.kind == "chrf++" else 6)
        no_document = np.zeros(combined.statistics)
        return lambda rows: factor * combined.row_scores(np.ascontiguousarray(rows), no_document)


class Item(ConfigPart):
    """An input, and reference outputs."""

    input: str
    references: list[str] = Field(default=[])


class SystemRun(ConfigPart):
    """A system's outputs for a test set with one seed's weights, and the statistics of each item, by metric.

    facts: further figures for each item, by name (model score, seconds). They are shown, not tested.
    origins: for each item its words, each with the names of the systems that have it; without them, nothing.
    """

    label: str = "run"
    outputs: list[str]
    statistics: dict[str, Statistics]
    facts: dict[str, list[float | None]] = Field(default={})
    origins: list[list[tuple[str, list[str]]]] = Field(default=[])


class TestSet(ConfigPart):
    """Items with the systems' outputs. Systems are in the order of display; the first is the baseline."""

    __test__ = False  # not a test case

    name: str
    digest: str
    """Hash of inputs and references, by which test sets of several experiments are matched."""
    comparable: bool = True
    """Whether its outputs are compared with other experiments."""
    items: list[Item]
    metrics: list[Metric]
    systems: dict[str, list[SystemRun]]

    @classmethod
    def of(
        cls,
        name: str,
        *,
        inputs: Sequence[str],
        references: Sequence[Sequence[str | None]],
        metrics: Sequence[Metric],
        systems: Mapping[str, Sequence[SystemRun]],
        comparable: bool = True,
    ) -> "TestSet":
        """A test set; `references` are sacrebleu's streams, a line for each item, None for a missing one."""
        by_item = [list(lines) for lines in zip(*references, strict=True)] if references else [[] for _ in inputs]
        items = [
            Item(input=text, references=[line for line in lines if line])
            for text, lines in zip(inputs, by_item, strict=True)
        ]
        content = [list(inputs), [list(stream) for stream in references]]
        return cls(
            name=name,
            digest=digest(content),
            comparable=comparable,
            items=items,
            metrics=list(metrics),
            systems={system: list(runs) for system, runs in systems.items()},
        )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        for system, runs in self.systems.items():
            for run in runs:
                for metric in self.metrics:
                    if metric.name not in run.statistics:
                        raise ValueError(f"{system}, {run.label}: no statistics of {metric.name!r}")
                parts: dict[str, Sequence[object]] = {"outputs": run.outputs, **run.statistics, **run.facts}
                for part, rows in parts.items():
                    if len(rows) != len(self.items):
                        raise ValueError(f"{system}, {run.label}: {part} of {len(rows)} items, not {len(self.items)}")
        return self

    def metric(self, name: str) -> Metric:
        """The metric of a name."""
        return next(metric for metric in self.metrics if metric.name == name)

    def statistics(self, system: str, metric: str) -> FloatArray:
        """Statistics of all runs, shape (runs, items, statistics)."""
        return np.array([run.statistics[metric] for run in self.systems[system]], np.float64)

    def scores(self, system: str, metric: str) -> list[float]:
        """Each run's score."""
        return [float(score) for score in self.metric(metric).scorer()(self.statistics(system, metric).sum(axis=1))]


class Interval(ConfigPart):
    """A system's score by a metric: mean over its runs, their standard deviation, and 95 % of its bootstrap samples."""

    set: str
    metric: str
    system: str
    score: float
    deviation: float | None
    low: float
    high: float


class PairTest(ConfigPart):
    """Two systems on a set: second's score minus first's, and how probable one as large is by chance."""

    set: str
    metric: str
    first: str
    second: str
    difference: float
    bootstrap_p: float
    randomization_p: float


class System(ConfigPart):
    """A system: its settings, and the weights of its runs by label."""

    name: str
    settings: dict[str, Any] = Field(default={})
    weights: dict[str, dict[str, float]] = Field(default={})


class Provenance(ConfigPart):
    """What is needed to repeat the experiment, and where it ran."""

    config: dict[str, Any]
    versions: dict[str, str]
    machine: dict[str, str | int | float]
    inputs: dict[str, str]
    """SHA-256 by path."""
    seed: int
    threads: int
    steps: list[dict[str, Any]]
    finished: str


class Results(ConfigPart):
    """All of an experiment."""

    format: Literal["widl experiment results"] = "widl experiment results"
    version: int = FORMAT_VERSION
    kind: str
    title: str
    tables: list[Table]
    sets: list[TestSet] = Field(default=[])
    systems: list[System] = Field(default=[])
    intervals: list[Interval] = Field(default=[])
    pairs: list[PairTest] = Field(default=[])
    provenance: Provenance
    notes: list[str] = Field(default=[])


def read_results(directory: PathLike) -> Results:
    """An experiment's results; InputError says what is missing or damaged."""
    directory = path_of(directory, "directory")
    path = directory / RESULTS if os.path.isdir(directory) else directory
    if not os.path.isfile(path):
        raise MissingFileError(f"{path}: no such file; give the directory of a finished experiment")
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise InputError(f"{path}: damaged ({error}); run the experiment again") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f"{path}: not the results of an experiment of this version; run the experiment again")
    if isinstance(content.get("version"), int) and content["version"] > FORMAT_VERSION:
        raise InputError(f"{path}: made by a newer widl (format {content['version']}); update widl to read it")
    try:
        return Results.model_validate(content)
    except ValidationError as error:
        raise InputError(f"{path}: {first_problem(error, Results, 'run the experiment again')}") from None


def write_results(results: Results, directory: PathLike) -> None:
    """Write ``results.json``; lists of numbers stay in one line."""
    with write_text(path_of(directory, "directory") / RESULTS) as file:
        file.write(results.model_dump_json(exclude_defaults=False) + "\n")


_LOWER = frozenset({"ter"})
_KINDS: dict[str, Literal["bleu", "chrf", "chrf++", "rouge1x2_recall"]] = {
    "bleu": "bleu",
    "chrf": "chrf",
    "chrf++": "chrf++",
    ROOT_OF_RECALLS: "rouge1x2_recall",
}


class Scorer:
    """Counts the statistics of items for metrics of `widl.mert` (``bleu``, ``chrf``, ``ter``, ``rouge1_recall`` …).

    `references` are streams of a line for each item.
    """

    def __init__(
        self,
        metrics: Sequence[str],
        references: Sequence[Sequence[str | None]],
        options: MetricOptions | None = None,
        *,
        threads: int = 1,
    ) -> None:
        self._objectives = {name: Objective(name, references, options, threads=threads) for name in metrics}
        self._numbers = np.arange(len(references[0]))
        self.metrics = [
            Metric(
                name=name,
                kind=_KINDS.get(name, "ratio"),
                better="lower" if name in _LOWER else "higher",
                signature=objective.signatures()[name],
            )
            for name, objective in self._objectives.items()
        ]

    def statistics(self, texts: Sequence[str]) -> dict[str, Statistics]:
        """Statistics of the outputs of all items, by metric."""
        return {
            name: objective.statistics(self._numbers, texts).tolist() for name, objective in self._objectives.items()
        }


def per_item(values: Sequence[float]) -> Statistics:
    """Statistics of a mean: the value of each item, and the count 1."""
    return [[float(value), 1.0] for value in values]


def measured(test: TestSet, system: str, name: str) -> Measured:
    """A system's score, as a cell of a table: mean over its runs, with their standard deviation."""
    scores = test.scores(system, name)
    return Measured(value=statistics.fmean(scores), deviation=statistics.stdev(scores) if len(scores) > 1 else None)
