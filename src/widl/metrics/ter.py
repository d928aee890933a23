"""TER: tokenized by sacrebleu, edits counted in the core (sacrebleu takes a tenth of a second a candidate)."""

from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from widl._core import Metric, MetricStatistics
from widl.common.arrays import FloatArray, IntArray
from widl.common.extras import optional_packages
from widl.metrics.metric import MetricPart, References, forget_lines, lines_of_sentences

with optional_packages():
    from sacrebleu.metrics.ter import TER


class Ter(MetricPart):
    """TER of texts, which has no options."""

    def __init__(self, references: References, threads: int) -> None:
        self._ter = TER(references=references)
        self.signature = str(self._ter.get_signature())
        self._threads = threads
        tokenized = [[self._tokenize(line) for line in lines] for lines in lines_of_sentences(references)]
        self._statistics = MetricStatistics(tokenized, max_order=1)
        forget_lines(self._ter.tokenizer)

    def _tokenize(self, text: str) -> str:
        """The tokens of a text, separated by single spaces."""
        return " ".join(self._ter.tokenizer(text.rstrip()).split())

    @override
    def add_to(self, metric: Metric, coefficient: float) -> None:
        metric.add_ratio(coefficient)

    @override
    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        tokens = [self._tokenize(text) for text in texts]
        forget_lines(self._ter.tokenizer)
        return self._statistics.ter(sentences, tokens, threads=self._threads)

    @override
    def reported(self, texts: Sequence[str]) -> float:
        # sacrebleu's own count takes a tenth of a second a line, on one thread; the core's is equal.
        metric = Metric()
        metric.add_ratio(1.0)
        return metric.score(self.statistics(np.arange(len(texts)), texts).sum(axis=0))
