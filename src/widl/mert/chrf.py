"""chrF; sacrebleu's own code counts the statistics, in worker processes if there are many."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from sacrebleu.metrics.chrf import CHRF
from typing_extensions import override

from widl._core import Metric
from widl.common.workers import chunked, map_in_order
from widl.mert.metric import MetricOptions, MetricPart, References
from widl.mert.nbest import FloatArray, IntArray

_PARALLEL_FROM = 2000  # texts; for fewer texts, starting processes takes longer than it saves


class Chrf(MetricPart):
    """chrF, or chrF++, which counts words and pairs of words as well."""

    def __init__(self, references: References, options: MetricOptions, threads: int, *, words: bool) -> None:
        order = 2 if words else 0
        self._make = partial(CHRF, word_order=order, lowercase=options.lowercase, references=references)
        self._threads = threads
        self._known: dict[tuple[int, str], list[float]] = {}
        self._chrf = self._make()
        self._counter = _ChrfCounter(self._make)
        self.signature = str(self._chrf.get_signature())

    @override
    def add_to(self, metric: Metric, coefficient: float) -> None:
        metric.add_chrf(coefficient, orders=self._chrf.order, beta=self._chrf.beta)

    @override
    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        keys = list(zip(sentences.tolist(), texts, strict=True))
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        if self._threads > 1 and len(new) >= _PARALLEL_FROM:
            make = partial(_ChrfCounter, self._make)
            counted = map_in_order(make, chunked(new, 500), threads=self._threads)
        else:
            counted = iter([self._counter(new)])
        rows = (row for chunk in counted for row in chunk)
        self._known.update(zip(new, rows, strict=True))
        return np.array([self._known[key] for key in keys], dtype=np.float64)

    @override
    def reported(self, texts: Sequence[str]) -> float:
        return float(self._chrf.corpus_score(texts, None).score)


class _ChrfCounter:
    """Statistics of (sentence, text) pairs by sacrebleu's own methods."""

    def __init__(self, make: partial[CHRF]) -> None:
        self._metric: Any = make()

    def __call__(self, pairs: Sequence[tuple[int, str]]) -> list[list[float]]:
        metric = self._metric
        return [
            metric._compute_segment_statistics(metric._preprocess_segment(text), metric._ref_cache[sentence])
            for sentence, text in pairs
        ]
