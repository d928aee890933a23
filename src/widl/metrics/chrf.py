"""chrF (Popović 2015): statistics of texts, counted in worker processes if there are many. sacrebleu reports scores."""

import string
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

import numpy as np
from typing_extensions import override

from widl._core import Metric
from widl.common.arrays import FloatArray, IntArray
from widl.common.extras import optional_packages
from widl.common.workers import chunked, map_in_order
from widl.metrics.metric import MetricOptions, MetricPart, References, lines_of_sentences

with optional_packages():
    from sacrebleu.metrics.chrf import CHRF

_PARALLEL_FROM = 2000  # texts; for fewer texts, starting processes takes longer than it saves


class Chrf(MetricPart):
    """chrF, or chrF++, which counts words and pairs of words as well."""

    def __init__(self, references: References, options: MetricOptions, threads: int, *, words: bool) -> None:
        self._chrf = CHRF(word_order=2 if words else 0, lowercase=options.lowercase, references=references)
        self._make = partial(_ChrfCounter, lines_of_sentences(references), words=words, lowercase=options.lowercase)
        self._threads = threads
        self._known: dict[tuple[int, str], list[int]] = {}
        self._counter = self._make()
        self.signature = str(self._chrf.get_signature())

    @override
    def add_to(self, metric: Metric, coefficient: float) -> None:
        metric.add_chrf(coefficient, orders=self._chrf.order, beta=self._chrf.beta)

    @override
    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        keys = list(zip(sentences.tolist(), texts, strict=True))
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        if self._threads > 1 and len(new) >= _PARALLEL_FROM:
            counted = map_in_order(self._make, chunked(new, 500), threads=self._threads)
        else:
            counted = iter([self._counter(new)])
        rows = (row for chunk in counted for row in chunk)
        self._known.update(zip(new, rows, strict=True))
        return np.array([self._known[key] for key in keys], dtype=np.float64)

    @override
    def reported(self, texts: Sequence[str]) -> float:
        return float(self._chrf.corpus_score(texts, None).score)


class _ChrfCounter:
    """Statistics of (sentence, text) pairs: for each order of n-grams their number in the text, in its best reference,
    and in both.
    """

    def __init__(self, references: Sequence[Sequence[str]], *, words: bool, lowercase: bool) -> None:
        self._words, self._lowercase = words, lowercase
        self._references = [[self._ngrams(line) for line in lines] for lines in references]

    def __call__(self, pairs: Sequence[tuple[int, str]]) -> list[list[int]]:
        return [self._statistics(self._ngrams(text), self._references[sentence]) for sentence, text in pairs]

    def _ngrams(self, text: str) -> list[Counter[str]]:
        """The n-grams of a text, by order: characters without spaces, then words."""
        text = text.lower() if self._lowercase else text
        counts = [_counted("".join(text.split()), n) for n in range(1, CHRF.CHAR_ORDER + 1)]
        if self._words:
            words = list(chain.from_iterable(map(_without_mark, text.split())))
            counts += [Counter(" ".join(words[i : i + n]) for i in range(len(words) - n + 1)) for n in (1, 2)]
        return counts

    def _statistics(self, text: Sequence[Counter[str]], references: Sequence[Sequence[Counter[str]]]) -> list[int]:
        """The statistics with the reference that gives the best score, the first of several."""
        return max((list(_matches(text, reference)) for reference in references), key=_f_score)


def _counted(text: str, n: int) -> Counter[str]:
    return Counter(text[i : i + n] for i in range(len(text) - n + 1))


def _without_mark(word: str) -> list[str]:
    """A word without a punctuation mark at its end, or else at its begin, and the mark, as chrF++ separates them."""
    if len(word) > 1 and word[-1] in string.punctuation:
        return [word[:-1], word[-1]]
    return [word[0], word[1:]] if len(word) > 1 and word[0] in string.punctuation else [word]


def _matches(text: Sequence[Counter[str]], reference: Sequence[Counter[str]]) -> Iterator[int]:
    for of_text, of_reference in zip(text, reference, strict=True):
        yield of_text.total() if of_reference else 0
        yield of_reference.total()
        yield sum(min(count, of_reference[ngram]) for ngram, count in of_text.items() if ngram in of_reference)


def _f_score(statistics: Sequence[int]) -> float:
    """F of the mean precision and the mean recall, over the orders that both text and reference have."""
    triples = (statistics[i : i + 3] for i in range(0, len(statistics), 3))
    shared = [triple for triple in triples if triple[0] and triple[1]]
    if not any(matches for _, _, matches in shared):
        return 0.0
    precision = sum(matches / in_text for in_text, _, matches in shared) / len(shared)
    recall = sum(matches / in_reference for _, in_reference, matches in shared) / len(shared)
    factor = CHRF.BETA**2
    return (1 + factor) * precision * recall / (factor * precision + recall)
