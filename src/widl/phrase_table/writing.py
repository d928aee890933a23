"""Writing phrase tables: each appears under its name when it is complete."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from widl._core import TableWriter
from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.files import messages_naming, replacing
from widl.common.workers import Progress, no_progress
from widl.decoder.features import TRANSLATION_FEATURES
from widl.phrase_table.entries import IN_DOMAIN_SCORES, TableInfo
from widl.phrase_table.reordering import REORDERING

if TYPE_CHECKING:
    from widl.phrase_table.shards import ExtractedPhrases


@checked
def build_phrase_table(
    path: PathLike,
    phrases: "ExtractedPhrases",
    *,
    symmetrization: str = "",
    progress: Progress = no_progress,
) -> TableInfo:
    """Write all phrase pairs of `phrases`, from `extract_phrases`, as the table `path`.

    The table appears under its name when it is complete; readers of an older table keep reading the old version.
    `symmetrization` is only stored as metadata.
    """
    with new_table(path) as writer:
        pairs = done = 0
        progress("score", 0, phrases.occurrences)
        for batch in phrases.batches():
            writer.add(batch)
            pairs += batch.pairs
            done += batch.occurrences
            progress("score", done, phrases.occurrences)
        words = phrases.target_words()
        info = TableInfo(
            sentences=phrases.sentences,
            source_phrases=writer.source_phrases,
            phrase_pairs=pairs,
            occurrences=phrases.occurrences,
            target_words=len(words),
            max_length=phrases.max_length,
            symmetrization=symmetrization,
            reordering=REORDERING if phrases.reordering else "",
            scores=TRANSLATION_FEATURES + IN_DOMAIN_SCORES * phrases.has_in_domain,
        )
        finish(writer, info, words)
    return info


@contextmanager
def new_table(path: PathLike) -> Iterator[TableWriter]:
    """Yield a writer of a new table, which appears under its name at the end, and not at all after an error.

    An unnamed temporary file in the same directory takes about twice as much space. Each source phrase is added once,
    in the table's order.
    """
    path = Path(path)
    with replacing(path) as temporary, messages_naming(temporary, path):
        yield TableWriter(temporary, temporary.absolute().parent)


def finish(writer: TableWriter, info: TableInfo, words: Sequence[str]) -> None:
    """Write the table and its metadata, with the target words in id order."""
    writer.finish(json.dumps(asdict(info)), words)
