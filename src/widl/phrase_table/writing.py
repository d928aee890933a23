"""Writing phrase tables: each appears under its name when it is complete."""

import errno
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lmdb

from widl._core import PhraseScorer
from widl.arguments import PathLike, path_of
from widl.errors import FileError
from widl.files import replacing
from widl.phrase_table.checksums import append_checksum
from widl.phrase_table.entries import FORMAT, MAX_KEY, METADATA, VERSION, VOCABULARY, Item, TableInfo, stored_key
from widl.workers import Progress, no_progress

if TYPE_CHECKING:
    from widl.phrase_table.shards import PhraseShards

_FIRST_MAP = 1 << 30  # bytes of address space, not of the file
_TRANSACTION = 20_000  # source phrases that are written at once


def build_phrase_table(
    path: PathLike,
    phrases: "PhraseScorer | PhraseShards",
    *,
    symmetrization: str = "",
    progress: Progress = no_progress,
) -> TableInfo:
    """Write all phrase pairs of `phrases`, from `extract_phrases` or of `PhraseShards`, as the table `path`.

    The table appears under its name when it is complete; readers that have an older table open keep it.
    `symmetrization` is only stored among the table's facts.
    """
    with new_table(path) as writer:
        source_phrases = pairs = pruned = done = 0
        progress("score", 0, phrases.occurrences)
        while (batch := phrases.next_batch(MAX_KEY)) is not None:
            writer.add(batch.sorted, batch.unsorted)
            source_phrases += len(batch.sorted) + len(batch.unsorted)
            pairs += batch.pairs
            pruned += batch.pruned
            done += batch.occurrences
            progress("score", done, phrases.occurrences)
        words = phrases.target_words()
        info = TableInfo(
            sentences=phrases.sentences,
            source_phrases=source_phrases,
            phrase_pairs=pairs,
            occurrences=phrases.occurrences,
            target_words=len(words),
            max_length=phrases.max_length,
            symmetrization=symmetrization,
            lexical=phrases.lexical,
            smoothing=phrases.smoothing,
            significance=phrases.significance,
            reordering=phrases.reordering,
            pruned_pairs=pruned,
        )
        writer.finish(info, words)
    return info


@contextmanager
def new_table(path: PathLike) -> Iterator["TableWriter"]:
    """Yield a writer of a new table, which appears under its name at the end, and not at all after an error."""
    path = path_of(path, "path")
    with ExitStack() as stack:
        with _writing(path):
            temporary = stack.enter_context(replacing(path))
            writer = stack.enter_context(closing(TableWriter(temporary, path)))
        yield writer
        with _writing(path):
            writer.close()
            append_checksum(temporary)


_LITTLE_SPACE = 8 << 20


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except lmdb.MapFullError:  # TableWriter enlarges the map and tries again
        raise
    except (lmdb.Error, OSError) as error:
        if isinstance(error, FileError):
            raise
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        # LMDB says the same of a write that the system has cut short as of a broken disk.
        if os.strerror(errno.EIO) in reason and _free_space(path.parent) < _LITTLE_SPACE:
            reason = f"{os.strerror(errno.ENOSPC)}; make room, or write it elsewhere"
        raise OSError(f"{path}: the phrase table can't be written: {reason}") from error


def _free_space(folder: Path) -> int:
    """Bytes that may still be written; the temporary file of a table that can't be finished is still there."""
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize


class TableWriter:
    """Writes an LMDB file; LMDB's map is enlarged whenever it is full."""

    def __init__(self, file: Path, path: Path) -> None:
        self._path = path  # the final path, for messages
        self._environment = lmdb.open(
            str(file), subdir=False, lock=False, sync=False, metasync=False, max_dbs=2, map_size=_FIRST_MAP
        )
        self._phrases = self._environment.open_db(b"phrases")
        self._info = self._environment.open_db(b"info")
        self._sorted: list[Item] = []  # not yet written
        self._unsorted: list[Item] = []

    def close(self) -> None:
        """Unmap the file."""
        self._environment.close()

    def add(self, in_order: Sequence[Item], others: Sequence[Item]) -> None:
        """Add (phrase, value) items: `in_order` sorted by key, also from call to call; `others` in any order."""
        self._sorted += in_order
        self._unsorted += others
        # Transactions have a fixed size, so that equal tables are equal files however the items were added.
        while len(self._sorted) >= _TRANSACTION:
            self._put(self._phrases, self._sorted[:_TRANSACTION], append=True)
            del self._sorted[:_TRANSACTION]

    def finish(self, info: TableInfo, words: Sequence[str]) -> None:
        """Write the remaining items, the target words in the order of their numbers, and the table's facts."""
        self._put(self._phrases, self._sorted, append=True)
        stored = sorted((stored_key(phrase), phrase, value) for phrase, value in self._unsorted)
        self._put(self._phrases, [(key, value) for key, _, value in stored])
        self._put(self._info, [(key, phrase) for key, phrase, _ in stored if key != phrase])
        metadata = {"format": FORMAT, "version": VERSION, **asdict(info)}
        self._put(
            self._info,
            [(METADATA, json.dumps(metadata).encode()), (VOCABULARY, "\n".join(words).encode())],
        )
        with _writing(self._path):
            self._environment.sync(True)

    def _put(self, database: Any, items: list[Item], append: bool = False) -> None:
        while True:
            try:
                with _writing(self._path), self._environment.begin(db=database, write=True) as transaction:
                    transaction.cursor().putmulti(items, append=append)
                return
            except lmdb.MapFullError:
                self._environment.set_mapsize(2 * self._environment.info()["map_size"])
