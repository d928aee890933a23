"""Pruning of phrase tables: by rank, probability or count, or to the phrases of a text."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from widl._core import PhraseBatch, TableFilter
from widl.common.argument_types import checked
from widl.common.arguments import PathLike, reject_text
from widl.common.errors import InputError
from widl.common.option_values import NOT_ON_COMMAND_LINE, Share
from widl.common.options import option_set
from widl.common.workers import Progress, chunked, no_progress
from widl.phrase_table.entries import TableInfo
from widl.phrase_table.storage import PhraseTable
from widl.phrase_table.writing import finish, new_table

_BATCH = 10_000  # phrases looked up at once


@option_set
class Pruning:
    """Criteria for keeping phrase pairs, applied in order.

    The best options of a source phrase are ranked by p(e|f), then p(f|e); given `weights`, by the weighted sum of ln
    p(f|e), ln p(e|f), ln lex(f|e) and ln lex(e|f), in this order; for a table with other scores, by the sum of these.
    """

    min_probability: Share = 0.0
    "Keep only pairs with p(e|f) of at least P."
    min_count: Annotated[int, Field(ge=0, le=2**32 - 1)] = 0
    "Keep only pairs seen at least N times."
    limit: Annotated[int, Field(ge=0, le=2**32 - 1)] = 0
    "Keep only the N best options of each source phrase; 0: all."
    phrases: Annotated[frozenset[str] | None, NOT_ON_COMMAND_LINE] = None
    "Only these source phrases, their words joined by one space; see `phrases_of`."
    weights: Annotated[tuple[float, ...] | None, NOT_ON_COMMAND_LINE] = None
    "Rank by these weights, not by p(e|f)."

    def __post_init__(self) -> None:
        if self.weights is not None and not self.limit:
            raise InputError("weights rank the options of a source phrase for a limit; give one")

    def describe(self) -> str:
        """The criteria in words, for the table's history."""
        criteria = {
            "phrases of a text": self.phrases is not None,
            f"p(e|f) >= {self.min_probability:g}": self.min_probability > 0,
            f"count >= {self.min_count}": self.min_count > 0,
            f"{self.limit} best": self.limit > 0,
            f"by weights {self.weights}": self.weights is not None,
        }
        return ", ".join(text for text, given in criteria.items() if given)


@dataclass(frozen=True)
class PruningReport:
    """The new table, and the number of pairs removed by each criterion. Each pair counts only for the first
    criterion.
    """

    info: TableInfo
    pairs: int
    gone: Mapping[str, int]

    def summary(self) -> str:
        """The report in one line."""
        gone = ", ".join(f"{count:,} by {name}" for name, count in self.gone.items())
        return (
            f"{self.pairs:,} phrase pairs read, {self.info.phrase_pairs:,} kept "
            f"of {self.info.source_phrases:,} source phrases; gone: {gone or 'none'}"
        )


@checked
def phrases_of(sentences: Iterable[Iterable[str]], max_length: int) -> frozenset[str]:
    """All phrases of up to `max_length` words of tokenized sentences.

    >>> sorted(phrases_of([["a", "b", "c"]], 2))
    ['a', 'a b', 'b', 'b c', 'c']
    """
    expected = "a list of sentences, each a list of words: [line.split()]"
    listed = (
        list(reject_text(words, "a sentence", expected)) for words in reject_text(sentences, "sentences", expected)
    )
    return frozenset(
        " ".join(words[begin:end])
        for words in listed
        for begin in range(len(words))
        for end in range(begin + 1, min(begin + max_length, len(words)) + 1)
    )


@checked
def prune_table(
    table: PhraseTable,
    output: PathLike,
    pruning: Pruning,
    *,
    progress: Progress = no_progress,
) -> PruningReport:
    """Write the pairs of `table` that are kept as the table `output`, which may be the same file.

    Scores, counts and the order of the options do not change. Target words that no option uses any more are
    dropped.
    """
    if pruning.min_count and not table.info.has_counts:
        raise InputError("the table was imported without counts, so that it can't be pruned by count")
    if pruning.min_probability and not table.info.has_direct:
        raise InputError("the table has no p(e|f) among its scores, so that it can't be pruned by it")
    if pruning.weights is not None and len(pruning.weights) != len(table.info.scores):
        raise InputError(f"{len(pruning.weights)} weights for the table's scores, {', '.join(table.info.scores)}")
    selector = TableFilter(
        table.target_vocabulary,
        min_probability=pruning.min_probability,
        min_count=pruning.min_count,
        limit=pruning.limit,
        weights=pruning.weights,
    )
    with new_table(output) as writer:
        batches = _batches(table, pruning)
        total = table.info.source_phrases if pruning.phrases is None else len(pruning.phrases)
        for batch in _with_progress(batches(), "select", total, progress):
            with table.faults():
                selector.count(batch)
        words = selector.words()
        for batch in _with_progress(batches(), "write", total, progress):
            with table.faults():
                survivors = selector.select(batch)
            writer.add(survivors)
        gone = _removed(table.info.phrase_pairs, selector)
        info = replace(
            table.info,
            source_phrases=writer.source_phrases,
            phrase_pairs=table.info.phrase_pairs - sum(gone.values()),
            target_words=len(words),
            history=(*table.info.history, f"prune: {pruning.describe() or 'nothing'}"),
        )
        finish(writer, info, words)
    return PruningReport(info, table.info.phrase_pairs, {name: count for name, count in gone.items() if count})


def _removed(pairs: int, selector: TableFilter) -> dict[str, int]:
    """Number of pairs removed by each criterion, and the total."""
    tally = selector.tally
    return {
        "text": pairs - tally.pairs,
        "min-probability": tally.min_probability,
        "min-count": tally.min_count,
        "limit": tally.limit,
    }


def _batches(table: PhraseTable, pruning: Pruning) -> Callable[[], Iterator[PhraseBatch]]:
    """A function that iterates over the selected source phrases of the table, in its order."""
    if pruning.phrases is None:
        return table.batches
    selected = sorted(pruning.phrases, key=lambda phrase: [word.encode() for word in phrase.split(" ")])
    return lambda: (table.values(phrases) for phrases in chunked(selected, _BATCH))


def _with_progress(batches: Iterator[PhraseBatch], stage: str, total: int, progress: Progress) -> Iterator[PhraseBatch]:
    done = 0
    for batch in batches:
        yield batch
        done += len(batch)
        progress(stage, done, total)
    progress(stage, total, total)
