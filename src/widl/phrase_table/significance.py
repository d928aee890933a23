"""Significance filtering of phrase pairs by Fisher's exact test (Johnson et al. 2007)."""

import math
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from widl._core import Bitext, SignificanceFilter
from widl.common.arguments import strings
from widl.common.errors import InputError
from widl.phrase_table.entries import Item
from widl.phrase_table.storage import PhraseTable

EPSILON = 1e-6


def significance_threshold(significance: str | float, sentences: int) -> float:
    """The threshold of significance: phrase pairs with a smaller -ln p, by Fisher's exact test, are removed.

    ``a+e`` and ``a-e`` are a little more and less than alpha, the natural logarithm of the number of sentence
    pairs, which is -ln p of two phrases that occur once each, together: ``a+e`` removes all these,
    ``a-e`` keeps them. Otherwise a number.

    >>> round(significance_threshold("a-e", 1000), 3)
    6.908
    """
    alpha = math.log(max(sentences, 1))
    named = {"a+e": alpha + EPSILON, "a-e": alpha - EPSILON}
    try:
        threshold = named[significance] if significance in named else float(significance)
    except (TypeError, ValueError):
        threshold = math.nan
    if not math.isfinite(threshold):
        raise InputError(f"significance {significance!r}: expected a+e, a-e or a least value of -ln p such as 10")
    return threshold


def read_text(source_lines: Iterable[str], target_lines: Iterable[str]) -> Bitext:
    """Tokenised parallel lines without alignment, as the text in which phrase pairs are tested for significance."""
    bitext = Bitext()
    expected = "a list of lines: [line]"
    pairs = zip_longest(
        strings(source_lines, "source_lines", expected), strings(target_lines, "target_lines", expected)
    )
    for number, (source, target) in enumerate(pairs, start=1):
        if source is None or target is None:
            missing = "source" if source is None else "target"
            raise InputError(f"line {number}: the {missing} text ends before the other")
        bitext.append(source, target, "")
    if len(bitext) == 0:
        raise InputError("the text is empty; give the one that the table was made from")
    return bitext


class SignificantPairs:
    """Filters the pairs of a table by their significance in a text, in two passes; pairs are tested in the first.

    The text should be the one that the table was made from. Scores and counts are not changed, as in Moses'
    filter-pt.
    """

    def __init__(self, table: PhraseTable, text: Bitext, significance: str | float, *, threads: int = 1) -> None:
        self.threshold = significance_threshold(significance, len(text))
        self._table = table
        vocabulary = table.target_vocabulary
        words = [vocabulary.word(i) for i in range(len(vocabulary))]
        self._filter = SignificanceFilter(text, words, self.threshold, threads=threads)
        self._verdicts: list[bytes] = []

    def first_pass(self, batches: Iterable[list[Item]]) -> Iterator[list[Item]]:
        """Batches of source phrases with their encoded options, reduced to significant pairs."""
        for batch in batches:
            with self._table.faults():
                self._verdicts.append(self._filter.judge(batch))
                kept = self._filter.keep(batch, self._verdicts[-1])
            yield kept

    def second_pass(self, batches: Iterable[list[Item]]) -> Iterator[list[Item]]:
        """The same for the same batches, with the test results of the first pass."""
        for batch, verdicts in zip(batches, self._verdicts, strict=True):
            yield self._filter.keep(batch, verdicts)

    @property
    def pairs(self) -> int:
        """The number of pairs tested."""
        return self._filter.pairs

    @property
    def removed(self) -> int:
        """The number of pairs that were not significant."""
        return self._filter.removed
