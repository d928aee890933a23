"""The results of an experiment, in the same form for all experiments: ``results.json``.

An experiment makes tables of records (`widl.pages.tables`), and test sets with the systems' outputs and statistics:

    scorer = MetricScorer(["rouge1_recall"], references)
    run = SystemRun(label="seed-1", outputs=texts, facts={"seconds": seconds}, **scorer.scored(texts))
    test = TestSet(name="duc2003", inputs=documents, references=references, metrics=[*scorer.metrics, mean("seconds")],
                   systems={"widl": [run], …})
    row = Row(label="WIDL-A*", cells={"ROUGE-1": test.figure("widl", "rouge1_recall")}, paper={"ROUGE-1": 25.5})

Scores are computed by sacrebleu and rouge-score. Statistics of items are summed over a sample of a test set, and the
metric's `kind` says how the score follows from the sums: a bootstrap sample needs no texts, for BLEU as for a mean.
`widl.metrics.Objective` counts them.
"""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from math import fsum
from pathlib import Path
from typing import Any, Literal, cast, get_args

import numpy as np
from pydantic import Field, ValidationError

from widl import pages
from widl._core import Metric as CombiningMetric
from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.arrays import FloatArray
from widl.common.errors import InputError, MissingFileError
from widl.common.json_values import digest
from widl.common.options import adjust, values_of
from widl.common.validation_messages import first_problem
from widl.common.workers import Progress, no_progress
from widl.metrics import MetricOptions, Objective
from widl.metrics.function_metric import is_function
from widl.metrics.metric import check_metric_options
from widl.metrics.rouge import ROOT_OF_RECALLS, add_root_of_recalls
from widl.pages.tables import Better, Column, Figure, Record, Table, records

RESULTS = "results.json"
LOWERCASED, SMALLER = "-lc", "-"

Statistics = list[list[float]]
"""A row of statistics for each item."""
Score = Callable[[FloatArray], FloatArray]
"""Scores of rows of summed statistics, shape (samples, statistics) to (samples,)."""


MetricKind = Literal["bleu", "chrf", "chrf++", "rouge1x2_recall", "ratio", "mean"]


class Metric(Record):
    """A metric: ``bleu``, ``chrf`` and ``chrf++`` of sacrebleu, ``rouge1x2_recall`` of `widl.metrics`, a ``ratio``:
    `scale` times first over second; or the ``mean`` of a fact of this name.
    """

    name: str
    kind: MetricKind = "ratio"
    scale: float = 100.0
    better: Better = "higher"
    digits: int = 2
    signature: str = ""
    tested: bool = True
    """Whether pairs of systems are tested for significance by this metric. A function of a corpus is not: its value is
    no sum over items."""

    def column(self) -> Column:
        """A column of its scores."""
        return Column(name=self.name, digits=self.digits, better=self.better, help=self.signature)

    def scorer(self) -> Score:
        """The scores of rows of summed statistics."""
        combined = CombiningMetric()
        factor = 1.0
        if self.kind in ("ratio", "mean"):
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


class SystemRun(Record):
    """A system's outputs for a test set with one seed's weights, their scores and each item's statistics, by metric.

    facts: further figures of each item, by name (model score, seconds).
    tuned: the tuned weights that made the outputs; empty if none were tuned. moved: whether tuning changed them.
    """

    label: str = "run"
    outputs: list[str]
    scores: dict[str, float] = Field(default={})
    statistics: dict[str, Statistics] = Field(default={})
    facts: dict[str, list[float | None]] = Field(default={})
    tuned: dict[str, float] = Field(default={})
    moved: bool = True


class TestSet(Record):
    """Inputs with references and the systems' outputs, in the order of display.

    references: sacrebleu's streams, a line for each input; empty for missing references.
    """

    __test__ = False  # not a test case

    name: str
    inputs: list[str]
    references: list[list[str]]
    metrics: list[Metric]
    systems: dict[str, list[SystemRun]]

    def metric(self, name: str) -> Metric:
        """The metric of a name."""
        return next(metric for metric in self.metrics if metric.name == name)

    def has(self, system: str, metric: str) -> bool:
        """Whether a system has a figure by this metric: a mean needs a value of any item."""
        runs = self.systems[system]
        return self.metric(metric).kind != "mean" or any(x is not None for run in runs for x in run.facts[metric])

    def statistics(self, system: str, metric: str) -> FloatArray:
        """Statistics of all runs, shape (runs, items, statistics)."""
        runs = self.systems[system]
        if self.metric(metric).kind != "mean":
            return np.array([run.statistics[metric] for run in runs], np.float64)
        values = np.array([run.facts[metric] for run in runs], np.float64)
        return np.stack([np.nan_to_num(values), ~np.isnan(values)], axis=2)

    def scores(self, system: str, metric: str) -> list[float]:
        """Each run's score, by sacrebleu or rouge-score; of a fact its mean."""
        if self.metric(metric).kind != "mean":
            return [run.scores[metric] for run in self.systems[system]]
        return [float(score) for score in self.metric(metric).scorer()(self.statistics(system, metric).sum(axis=1))]

    def with_digits(self) -> "TestSet":
        """The set with as many digits as the values of metrics need that are functions: 4 below 1, 2 from 10."""

        def shown(metric: Metric) -> Metric:
            if not is_function(metric.name):
                return metric
            scores = [score for system in self.systems for score in self.scores(system, metric.name)]
            return metric.model_copy(update={"digits": digits_of(scores)})

        return self.model_copy(update={"metrics": list(map(shown, self.metrics))})

    def figure(self, system: str, metric: str) -> Figure:
        """A system's score: mean over its runs, with their standard deviation."""
        return self.figure_of(system, self.scores(system, metric))

    def figure_of(
        self, system: str, values: Sequence[float], low: float | None = None, high: float | None = None
    ) -> Figure:
        """The mean of a value of each run. Without a standard deviation if tuning moved none: they are one run."""
        figure = Figure.of(values, low, high)
        is_one = not any(run.moved for run in self.systems[system])
        return figure.model_copy(update={"deviation": None}) if is_one else figure

    def facts(self, system: str, fact: str) -> list[float]:
        """A fact of each item in the system's first run, 0 where there is none."""
        return [value or 0.0 for value in self.systems[system][0].facts[fact]]


class Results(Record):
    """All results of an experiment. provenance: the information needed to repeat it, and the machine it ran on."""

    format: Literal["widl experiment results 4"] = "widl experiment results 4"
    kind: str
    title: str
    tables: list[Table]
    sets: list[TestSet] = Field(default=[])
    notes: list[str] = Field(default=[])
    provenance: dict[str, Any]

    def __repr__(self) -> str:
        return f"<Results of {self.kind}: {self.title}; tables {', '.join(table.name for table in self.tables)}>"

    def _repr_html_(self) -> str:
        """The tables, for notebooks."""
        return "".join(map(pages.table, self.tables))

    def records(self, name: str) -> list[dict[str, float | int | str | None]]:
        """The rows of a table, for tables of data."""
        return records(self.table(name))

    def table(self, name: str) -> Table:
        """The table of a name."""
        return next(table for table in self.tables if table.name == name)


@checked
def read_results(directory: PathLike) -> Results:
    """An experiment's results; raises InputError that names the missing or damaged part."""
    directory = Path(directory)
    path = directory / RESULTS if os.path.isdir(directory) else directory
    if not os.path.isfile(path):
        raise MissingFileError(f"{path}: no such file; give the directory of a finished experiment")
    try:
        return Results.model_validate(json.loads(path.read_text(encoding="utf-8-sig")))
    except ValidationError as error:
        raise InputError(f"{path}: {first_problem(error, Results, 'run the experiment again')}") from None
    except ValueError as error:
        raise InputError(f"{path}: damaged ({error}); run the experiment again") from None


class MetricScorer:
    """Counts the statistics of items for metrics of `widl.metrics` (``bleu``, ``chrf``, ``ter``, ``rouge1_recall`` …).

    A metric with ``-lc`` after its name ignores case. Of a function ``-module:function`` smaller values are better.

    references: streams of a line for each item; None or empty for missing references. folder: where the modules of
    functions are.
    """

    def __init__(
        self,
        metrics: Sequence[str],
        references: Sequence[Sequence[str | None]],
        options: MetricOptions | None = None,
        *,
        sources: Sequence[str] | None = None,
        threads: int = 1,
        folder: Path | None = None,
    ) -> None:
        options = options or MetricOptions()
        lower = {name.removeprefix(SMALLER) for name in metrics if name.startswith(SMALLER)} | {"ter"}
        metrics = [name.removeprefix(SMALLER) for name in metrics]
        check_metric_options(options, (name.removesuffix(LOWERCASED) for name in metrics))
        values = values_of(options)  # a metric need not read what another one reads
        self._objectives = {
            name: Objective(
                name.removesuffix(LOWERCASED),
                references,
                adjust(MetricOptions(), **values | {"lowercase": options.lowercase or name.endswith(LOWERCASED)}),
                sources=sources,
                threads=threads,
                folder=folder,
            )
            for name in metrics
        }
        self._numbers = np.arange(len(references[0]))
        self.references = [[line or "" for line in stream] for stream in references]
        self.digest = digest(self.references)
        self.metrics = [
            Metric(
                name=name,
                kind=cast("MetricKind", base) if base in get_args(MetricKind) else "ratio",
                better="lower" if name in lower else "higher",
                signature=f"{signature}|smaller is better" if name in lower and is_function(name) else signature,
                tested=objective.is_summed()[base],
            )
            for name, objective in self._objectives.items()
            for base, signature in objective.signatures().items()
        ]

    def scored(self, texts: Sequence[str], progress: Progress = no_progress, stage: str = "score") -> dict[str, Any]:
        """The outputs of all items as fields of `SystemRun`: ``scores`` and ``statistics``, by metric.

        `progress` hears of each metric under the name ``STAGE METRIC``.
        """
        scores, statistics = {}, {}
        for name, objective in self._objectives.items():
            progress(f"{stage} {name}", 0, len(texts))
            scores[name] = fsum(objective.reported(texts).values())
            statistics[name] = objective.statistics(self._numbers, texts).tolist()
            progress(f"{stage} {name}", len(texts), len(texts))
        return {"scores": scores, "statistics": statistics}


def digits_of(scores: Iterable[float]) -> int:
    """The number of digits for values of a function: 4 below 1, 2 from 10."""
    largest = max(map(abs, scores), default=0.0)
    return 2 if largest >= 10 else 3 if largest >= 1 else 4


def mean(name: str, *, scale: float = 1.0, digits: int = 2, better: Better = "higher", tested: bool = False) -> Metric:
    """The mean of a fact, times `scale`."""
    return Metric(name=name, kind="mean", scale=scale, digits=digits, better=better, tested=tested)
