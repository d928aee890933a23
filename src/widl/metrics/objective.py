"""Objectives of tuning, and the sufficient statistics of candidates that they are computed from.

Scores equal the scores of sacrebleu and rouge-score. Statistics of candidates are counted in the core.
"""

import hashlib
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from statistics import fmean

import numpy as np

from widl._core import Metric
from widl.common.argument_types import checked
from widl.common.arguments import encodable, kind_of, reject_text
from widl.common.arrays import FloatArray, IntArray
from widl.common.errors import InputError, WrongTypeError
from widl.metrics.function_metric import FunctionMetric, MetricFunction, is_function, load_function, name_of_function
from widl.metrics.metric import MetricOptions, MetricPart, References, check_metric_options
from widl.metrics.rouge import ROOT_OF_RECALLS, ROUGE, RootOfRecalls, Rouge

METRICS = ("bleu", "ter", "chrf", "chrf++", *ROUGE, ROOT_OF_RECALLS)
"""Names of metrics; `rouge1`, `rouge2` and `rougeL` also with ``_recall``, for recall instead of F."""

_TERM = re.compile(r"\s*([+-])?\s*(?:([0-9.]+)\s*\*\s*)?(chrf\+\+|[\w.]+:(?:[\w./-]+\.tsv|\w+)|\w+)\s*")
_LOWER_IS_BETTER = frozenset({"ter"})


@checked
def parse_objective(text: str) -> list[tuple[float, str]]:
    """Coefficients and names of a linear combination; a single metric gets the sign that makes higher better.

    >>> parse_objective("0.5*bleu-0.5*ter"), parse_objective("ter")
    ([(0.5, 'bleu'), (-0.5, 'ter')], [(-1.0, 'ter')])
    """
    terms: list[tuple[float, str]] = []
    position = 0
    while position < len(text):
        match = _TERM.match(text, position)
        if match is None or (terms and match[1] is None) or not _is_metric(match[3]):
            raise InputError(
                f"metric {text!r}: expected one of {', '.join(METRICS)}, or a sum like 0.5*bleu-0.5*ter"
                + (f"; {match[3]!r} is none" if match and not _is_metric(match[3]) else "")
            )
        try:
            size = float(match[2] or 1)
        except ValueError:
            raise InputError(f"metric {text!r}: {match[2]} is not a number") from None
        terms.append((-size if match[1] == "-" else size, match[3]))
        position = match.end()
    if not terms:
        raise InputError(f"no metric to tune on; there are {', '.join(METRICS)}")
    names = [name for _, name in terms]
    if len(set(names)) < len(names):
        raise InputError(f"metric {text!r}: a metric appears twice")
    if len(terms) == 1 and text.strip() == terms[0][1] in _LOWER_IS_BETTER:
        return [(-1.0, terms[0][1])]
    return terms


def function_signatures(metric: str | None, folder: Path | None) -> list[str]:
    """The signatures of the functions of users in an objective: what they are depends on their code.

    Raises:
        InputError: A function is not there.
    """
    names = [name for _, name in parse_objective(metric)] if metric is not None else []
    return [FunctionMetric(n, load_function(n, folder), [[""]], None).signature for n in names if is_function(n)]


def _is_metric(name: str) -> bool:
    return name in METRICS or name.removesuffix("_recall") in ROUGE or is_function(name)


@checked
class Objective:
    """A linear combination of corpus metrics against given references, in points (0 to 100).

    `metric` is its text, or a function (`widl.metrics.function_metric`). `references` are streams of one line per
    sentence, in sacrebleu's form; None represents a missing reference of a sentence. `sources` are for metrics that
    are functions (`widl.metrics.function_metric`). `sets`: the numbers of sentences of consecutive sets; each metric is
    the mean of its values on the sets. `folder`: where the module of a metric's function is, besides the working
    directory. InputError for streams of different lengths.
    """

    def __init__(
        self,
        metric: str | MetricFunction,
        references: References,
        options: MetricOptions | None = None,
        *,
        sources: Sequence[str] | None = None,
        sets: Sequence[int] = (),
        threads: int = 1,
        folder: Path | None = None,
    ) -> None:
        options = options or MetricOptions()
        if not callable(metric) and not isinstance(metric, str):
            raise WrongTypeError(f"metric: found {kind_of(metric)}; pass a function, or a text such as 'bleu'")
        self.text = name_of_function(metric) if callable(metric) else metric
        self.terms = [(1.0, self.text)] if callable(metric) else parse_objective(self.text)
        check_metric_options(options, (name for _, name in self.terms))
        self.sentences = _check_references(references)
        ends = list(accumulate(sets or [self.sentences], initial=0))
        if ends[-1] != self.sentences:
            raise InputError(f"sets of {ends[-1]} sentences, but references of {self.sentences}")
        compared = [list(stream) for stream in references]
        of_several = [compared, list(sets)] if len(sets) > 1 else compared
        self.digest = hashlib.sha256(json.dumps(of_several).encode()).hexdigest()
        """SHA-256 of the references, and of the sizes of several sets."""
        self.metric = Metric()
        """The core's metric, over the columns of `statistics`."""
        self._parts: list[_SetPart] = []
        """The sets of each term, term by term."""
        for coefficient, name in self.terms:
            for begin, end in pairwise(ends):
                of_set = [stream[begin:end] for stream in references]
                sources_of_set = sources and sources[begin:end]
                if callable(metric) or is_function(name):
                    function = metric if callable(metric) else load_function(name, folder)
                    part: MetricPart = FunctionMetric(name, function, of_set, sources_of_set)
                else:
                    part = _part(name, of_set, options, threads)
                first = self.metric.statistics
                part.add_to(self.metric, coefficient / (len(ends) - 1))
                columns = slice(first, self.metric.statistics)
                self._parts.append(_SetPart(name, part, begin, end, columns, abs(coefficient) / (len(ends) - 1)))

    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        """A row for each text, shape (texts, statistics); `sentences` says whose references count.

        The columns of other sets than the sentence's are 0.
        """
        if len(texts) != len(sentences):
            raise InputError(f"{len(texts)} texts of {len(sentences)} sentences; give each text its sentence")
        rows = np.zeros((len(texts), self.metric.statistics))
        for one in self._parts:
            own = np.flatnonzero((one.begin <= sentences) & (sentences < one.end))
            if own.size:
                of_set = [texts[row] for row in own.tolist()]
                rows[own, one.columns] = one.part.statistics(sentences[own] - one.begin, of_set)
        return rows

    def score(self, totals: FloatArray) -> float:
        """The linear combination, computed from statistics summed over a corpus."""
        return self.metric.score(totals)

    def values(self, totals: FloatArray) -> dict[str, float]:
        """The individual metrics by name."""
        return self._means(self.metric.term_values(totals))

    def reported(self, texts: Sequence[str]) -> dict[str, float]:
        """Each metric by name, for one text per sentence, as sacrebleu or rouge-score itself computes it."""
        if len(list(reject_text(texts, "texts", "a list of texts: [text]"))) != self.sentences:
            raise InputError(f"{len(texts)} texts, but the references are of {self.sentences} sentences; give one each")
        return self._means([one.part.reported(texts[one.begin : one.end]) for one in self._parts])

    def is_summed(self) -> dict[str, bool]:
        """Whether the metrics' scores follow from summed statistics."""
        return {one.name: one.part.is_summed for one in self._parts}

    def scale(self, statistics: FloatArray, begins: IntArray) -> float:
        """The share of the objective that a metric's 100 points have, so that units have no effect.

        Statistics have rows for the candidates, those of sentence s from ``begins[s]`` to ``begins[s + 1]``. A
        function has its own units. Its range is that of evenly spread values with the standard deviation of its values
        among the candidates of a sentence: √12 times the deviation.
        """
        return math.fsum(one.size * one.range_of(statistics, begins) for one in self._parts) or 100.0

    def signatures(self) -> dict[str, str]:
        """The metrics' signatures, in sacrebleu's form."""
        return {one.name: one.part.signature for one in self._parts}

    def _means(self, values: Sequence[float]) -> dict[str, float]:
        return {
            name: fmean(value for one, value in zip(self._parts, values, strict=True) if one.name == name)
            for _, name in self.terms
        }


def _check_references(references: References) -> int:
    expected = "a list of streams, each with a line for every sentence: [lines]"
    for stream in reject_text(references, "references", expected):
        for line in reject_text(stream, "references", expected):
            if line is not None:
                encodable(line, "references")
    if not references or not references[0]:
        raise InputError("no references to tune against")
    lengths = [len(stream) for stream in references]
    if len(set(lengths)) > 1:
        raise InputError(f"references of {' and '.join(map(str, lengths))} lines; all need one line a sentence")
    for number, lines in enumerate(zip(*references, strict=True), 1):
        if all(line is None for line in lines):
            raise InputError(f"no reference of line {number}")
    return lengths[0]


@dataclass(frozen=True)
class _SetPart:
    """A metric on one of the sets: its sentences [begin, end), and its columns of the statistics."""

    name: str
    part: MetricPart
    begin: int
    end: int
    columns: slice
    size: float
    """Its coefficient in the objective, without the sign."""

    def range_of(self, statistics: FloatArray, begins: IntArray) -> float:
        """The metric's range: 100, or of a function that of its values within a sentence."""
        points = self.part.points_of(statistics[begins[self.begin] : begins[self.end], self.columns])
        if points is None:
            return 100.0
        sizes = np.diff(begins[self.begin : self.end + 1])
        sentences = np.repeat(np.arange(len(sizes)), sizes)
        means = np.bincount(sentences, points, len(sizes)) / np.maximum(sizes, 1)
        return math.sqrt(12) * float((points - means[sentences]).std()) if points.size else 0.0


def _part(name: str, references: References, options: MetricOptions, threads: int) -> MetricPart:
    # Importing sacrebleu takes a while.
    if name == "bleu":
        from widl.metrics.bleu import Bleu

        return Bleu(references, options, threads)
    if name == "ter":
        from widl.metrics.ter import Ter

        return Ter(references, threads)
    if name.startswith("chrf"):
        from widl.metrics.chrf import Chrf

        return Chrf(references, options, threads, words=name == "chrf++")
    if name == ROOT_OF_RECALLS:
        return RootOfRecalls(references, options, threads)
    return Rouge(name, references, options, threads)
