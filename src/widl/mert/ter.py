"""TER: tokenized by sacrebleu, edits counted in the core (sacrebleu takes a tenth of a second a candidate)."""

from collections.abc import Sequence

from sacrebleu.metrics.ter import TER
from typing_extensions import override

from widl._core import Metric, ReferenceMatcher
from widl.mert.metric import MetricPart, References, forget_lines
from widl.mert.nbest import FloatArray, IntArray


class Ter(MetricPart):
    """TER of texts, which has no options."""

    def __init__(self, references: References, threads: int) -> None:
        self._ter = TER(references=references)
        self.signature = str(self._ter.get_signature())
        self._threads = threads
        # sacrebleu's cache has each line's reference words in the form used for comparison.
        tokenized = [[" ".join(words) for words in line["ref_words"]] for line in self._ter._ref_cache or ()]
        self._matcher = ReferenceMatcher(tokenized, max_order=1)
        forget_lines(self._ter.tokenizer)

    @override
    def add_to(self, metric: Metric, coefficient: float) -> None:
        metric.add_ratio(coefficient)

    @override
    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        tokens = [" ".join(self._ter._preprocess_segment(text).split()) for text in texts]
        forget_lines(self._ter.tokenizer)
        return self._matcher.ter(sentences, tokens, threads=self._threads)

    @override
    def reported(self, texts: Sequence[str]) -> float:
        return float(self._ter.corpus_score(texts, None).score)
