"""Phrase tables without the pairs that occur together by chance (Johnson et al. 2007)."""

import math
import os
from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest

from widl._core import Bitext, TablePruner
from widl.errors import InputError
from widl.phrase_table.storage import MAX_KEY, PhraseTable, TableInfo, new_table
from widl.workers import Progress, chunked, no_progress

EPSILON = 1e-6
_CHUNK = 20_000  # source phrases


def significance_threshold(significance: str | float, sentences: int) -> float:
    """The least -ln p, under Fisher's exact test, with which phrase pairs are kept.

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
    except ValueError:
        threshold = math.nan
    if not math.isfinite(threshold):
        raise InputError(f"significance {significance!r}: expected a+e, a-e or a least value of -ln p such as 10")
    return threshold


def prune_phrase_table(
    table: str | os.PathLike[str],
    output: str | os.PathLike[str],
    source_lines: Iterable[str],
    target_lines: Iterable[str],
    *,
    significance: str | float = "a+e",
    threads: int = 1,
    progress: Progress = no_progress,
) -> TableInfo:
    """Write `output`, the table without the pairs that are not significant in the given text.

    The text is the one that the table was made from: tokenised lines, no alignment is needed. For
    `significance` see `significance_threshold`. What stays keeps its scores and counts, as with Moses' filter-pt.
    `output` may be the table itself.
    """
    bitext = Bitext()
    for number, (source, target) in enumerate(zip_longest(source_lines, target_lines), start=1):
        if source is None or target is None:
            missing = "source" if source is None else "target"
            raise InputError(f"line {number}: the {missing} text ends before the other")
        bitext.append(source, target, "")
    if len(bitext) == 0:
        raise InputError("the text is empty; give the one that the table was made from")
    threshold = significance_threshold(significance, len(bitext))
    with PhraseTable.open(table) as old, new_table(output) as writer:
        words = [old.target_vocabulary.word(i) for i in range(len(old.target_vocabulary))]
        pruner = TablePruner(bitext, words, threshold, threads=threads)
        source_phrases = pairs = pruned = done = 0
        progress("prune", 0, len(old))
        for items in chunked(old.iterate_encoded(), _CHUNK):
            values, kept, removed = pruner.prune(items)
            left = [(phrase, value) for (phrase, _), value in zip(items, values, strict=True) if value is not None]
            regular = [item for item in left if _is_regular(item[0])]
            writer.add(regular, [item for item in left if not _is_regular(item[0])])
            source_phrases += len(left)
            pairs += kept
            pruned += removed
            done += len(items)
            progress("prune", done, len(old))
        info = replace(
            old.info,
            source_phrases=source_phrases,
            phrase_pairs=pairs,
            significance=threshold,
            pruned_pairs=old.info.pruned_pairs + pruned,
        )
        writer.finish(info, words)
    return info


def _is_regular(phrase: bytes) -> bool:
    """Whether its place among the keys is that of its bytes."""
    return len(phrase) <= MAX_KEY and not phrase.startswith(b"\0")
