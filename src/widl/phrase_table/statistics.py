"""Statistics of a phrase table: counts, lengths, probabilities, entropy."""

from dataclasses import dataclass

from widl._core import TableStatistics
from widl.common.argument_types import checked
from widl.common.workers import Progress, no_progress
from widl.decoder.features import TRANSLATION_FEATURES
from widl.phrase_table.entries import TableInfo
from widl.phrase_table.storage import PhraseTable

_TITLES = dict(zip(TRANSLATION_FEATURES, ("p(f|e)", "p(e|f)", "lex(f|e)", "lex(e|f)"), strict=True))

DECADES = ("1", *(f"[1e-{i:02}, 1e-{i - 1:02})" for i in range(1, 11)), "below 1e-10")
"""Ranges of probabilities."""


@dataclass(frozen=True, kw_only=True)
class PhraseTableStatistics:
    """Histograms map a value to the number of source phrases or pairs with this value.

    entropy: entropy in bits of p(e|f) over the options of a source phrase, normalized (a pruned table's probabilities
    do not sum to 1): the mean over source phrases, and the mean weighted by the phrases' counts (None without counts).
    Both are None for a table without p(e|f).
    probabilities: for each score, how many pairs are in each of `DECADES`.
    """

    info: TableInfo
    bytes: int
    source_lengths: dict[int, int]
    target_lengths: dict[int, int]
    options: dict[int, int]
    counts: dict[int, int]
    links: int
    entropy: float | None
    weighted_entropy: float | None
    probabilities: dict[str, dict[str, int]]


def score_titles(info: TableInfo) -> list[str]:
    """The names of the table's scores, for display."""
    return [_TITLES.get(name, name) for name in info.scores]


@checked
def table_statistics(table: PhraseTable, *, progress: Progress = no_progress) -> PhraseTableStatistics:
    """Statistics of all entries of a table."""
    counter = TableStatistics()
    for batch in table.batches():
        with table.faults():
            counter.add(batch)
        progress("count", counter.source_phrases, table.info.source_phrases)
    has_entropy = table.info.has_direct
    return PhraseTableStatistics(
        info=table.info,
        bytes=table.size(),
        source_lengths=counter.source_lengths,
        target_lengths=counter.target_lengths,
        options=counter.options,
        counts=counter.counts if table.info.has_counts else {},
        links=counter.links,
        entropy=counter.entropy / max(counter.source_phrases, 1) if has_entropy else None,
        weighted_entropy=counter.weighted_entropy / counter.weight if has_entropy and counter.weight else None,
        probabilities={
            score: {decade: n for decade, n in zip(DECADES, numbers, strict=True) if n}
            for score, numbers in zip(score_titles(table.info), counter.probabilities, strict=False)
        },
    )
