"""The phrase table: one LMDB file, mapped into memory, from source phrases to their translations.

The file holds two databases. ``phrases`` maps `source_key` of a source phrase to its options, encoded
by the core (core/phrase_table/value.hpp). ``info`` holds the table's facts as JSON (``metadata``), the
target words in the order of their numbers, one a line (``vocabulary``), and under each key that is a
digest the phrase itself. The length and the checksum of the file are appended after LMDB's last page.
"""

import heapq
import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Self

import lmdb

from widl._core import Vocabulary, read_options, read_orientations, source_counts
from widl.arguments import PathLike, not_text, path_of
from widl.closing import Closing
from widl.errors import InputError
from widl.phrase_table.checksums import check_header, check_pages, read_checksum, verify_checksum
from widl.phrase_table.entries import (
    FORMAT,
    MAX_KEY,
    METADATA,
    REBUILD,
    VERSION,
    VOCABULARY,
    Item,
    PhraseOption,
    TableInfo,
    source_key,
    stored_key,
)
from widl.phrase_table.environments import ReadOnlyEnvironment
from widl.workers import chunked

_BATCH = 10_000  # source phrases that go to the core at once

logger = logging.getLogger(__name__)


class PhraseTable(Closing):
    """A phrase table, open for reading by any number of threads and processes.

    The values that `lookup` returns point into the mapped file: use them before `close`. Pickled, it is the path of
    its file.
    """

    def __init__(self, path: Path, file: ReadOnlyEnvironment) -> None:
        self._path = path
        self._file = file
        self._environment = environment = file.lmdb
        self._phrases = environment.open_db(b"phrases", create=False)
        self._info_database = environment.open_db(b"info", create=False)
        self._local = threading.local()
        self._version = 0
        self._closed = False
        with environment.begin(db=self._info_database) as transaction:
            self.info = self._checked_info(transaction.get(METADATA))
            vocabulary = transaction.get(VOCABULARY)
        words = vocabulary.decode().split("\n") if vocabulary else []
        self.target_vocabulary = Vocabulary(words)
        if len(self.target_vocabulary) != self.info.target_words:
            raise InputError(f"{path}: damaged phrase table: words are missing; {REBUILD}")

    @classmethod
    def open(cls, path: PathLike, *, verify: bool = False) -> Self:
        """Open the table `path`; what can't be one is an InputError that says so.

        `verify`: first read the whole file, compare its checksum, and check its pages: a second per gigabyte in the
        page cache. LMDB trusts its pages, so a lookup in a damaged file, or in one that was made to hurt, may return
        nonsense or crash the process; not in one whose pages were checked. Tables of version 1 have no checksum and
        are accepted.
        """
        path = path_of(path, "path")
        file = None
        try:
            check_header(path)
            if verify:
                verify_checksum(path)
                check_pages(path)
            file = ReadOnlyEnvironment(path)
            # LMDB maps as many pages as the header states; reading beyond the end of the file would crash the process.
            size = (file.lmdb.info()["last_pgno"] + 1) * file.lmdb.stat()["psize"]
            if path.stat().st_size < size:
                raise InputError(f"{path}: truncated phrase table: {path.stat().st_size} bytes of {size}; {REBUILD}")
            table = cls(path, file)
            if table.has_checksum and read_checksum(path) is None:
                raise InputError(f"{path}: truncated phrase table, or one changed by another program; {REBUILD}")
            logger.info("%s: opened a phrase table of %d source phrases", path, table.info.source_phrases)
            return table
        except BaseException as error:
            if file is not None:
                file.close()
            if isinstance(error, (lmdb.Error, UnicodeDecodeError)):
                raise InputError(f"{path}: not a phrase table, or a damaged one ({error}); {REBUILD}") from error
            raise

    def close(self) -> None:
        """Unmap the file, unless another open table uses it; nothing can be looked up afterwards."""
        self._closed = True
        self._local = threading.local()  # ends the read transactions before the file is unmapped
        self._file.close()

    def _check_open(self) -> None:
        if self._closed:
            raise InputError(f"{self._path}: this phrase table is closed; open it again")

    def __reduce__(self) -> tuple[Callable[..., "PhraseTable"], tuple[Path]]:
        return _reopened, (self._path.absolute(),)

    def __repr__(self) -> str:
        size = f"{self.info.source_phrases:,} source phrases, {self.info.phrase_pairs:,} pairs"
        return f"<PhraseTable {self._path}: {size}{', closed' * self._closed}>"

    def __len__(self) -> int:
        return self.info.source_phrases

    @property
    def has_checksum(self) -> bool:
        """Whether the file has one: version 1 had none."""
        return self._version > 1

    def size(self) -> int:
        """Bytes of the file."""
        return self._path.stat().st_size

    def lookup(self, keys: Sequence[bytes]) -> list[memoryview | None]:
        """The encoded options of each `source_key`, for the core's OptionReader, or None."""
        try:
            get = self._transaction().get
            return [get(key) for key in keys]
        except lmdb.Error as error:
            raise self._unreadable(error) from error

    def options(self, words: Sequence[str], *, limit: int | None = None) -> list[PhraseOption]:
        """The translations of a source phrase, or the first `limit`, best first by p(e|f), then p(f|e)."""
        not_text(words, "words", "a list of words: phrase.split()")
        value = self.lookup([source_key(words)])[0] if words else None
        return [] if value is None else self.decode(value, limit)

    def iterate(self) -> Iterator[tuple[str, list[PhraseOption]]]:
        """All source phrases in the order of their bytes, with their options."""
        for batch in self.items():
            for phrase, value in batch:
                yield phrase.decode(), self.decode(value)

    def items(self, *, first: Sequence[str] = ()) -> Iterator[list[Item]]:
        """All source phrases in the order of their bytes, with their encoded options, in batches.

        `first`: only the phrases that begin with these words.
        """
        self._check_open()
        not_text(first, "first", "a list of words: phrase.split()")
        return self._batches(" ".join(first).encode())

    def _batches(self, start: bytes) -> Iterator[list[Item]]:
        with self._lmdb_faults(), self._environment.begin(db=self._phrases) as transaction:
            # Phrases that are too long or begin with a zero byte are stored under digests, which do so too.
            cursor = transaction.cursor()
            regular: Iterator[Item] = cursor.iternext() if cursor.set_range(start[:MAX_KEY] or b"\1") else iter(())
            digests = sorted((phrase, key) for key, phrase in self._long_phrases())
            unusual = ((phrase, self._value(transaction, key)) for phrase, key in digests if phrase >= start)
            for batch in chunked(heapq.merge(regular, unusual) if digests else regular, _BATCH):
                found = [item for item in batch if _begins_with(item[0], start)] if start else batch
                if found:
                    yield found
                if not batch[-1][0].startswith(start):
                    return

    def values(self, phrases: Sequence[bytes]) -> list[Item]:
        """The phrases that are in the table, with their encoded options."""
        self._check_open()
        with self._lmdb_faults(), self._environment.begin(db=self._phrases) as transaction:
            found = ((phrase, transaction.get(stored_key(phrase))) for phrase in phrases)
            return [(phrase, value) for phrase, value in found if value is not None]

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Name the table in the errors that the core raises about its values."""
        try:
            yield
        except InputError as error:
            raise InputError(f"{self._path}: {error}; {REBUILD}") from None

    @contextmanager
    def _lmdb_faults(self) -> Iterator[None]:
        try:
            yield
        except lmdb.Error as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: lmdb.Error) -> InputError:
        return InputError(f"{self._path}: the phrase table can't be read ({error}); copy it again, or {REBUILD}")

    def _transaction(self) -> Any:
        # One per thread, kept open: the table does not change, and beginning a transaction costs as much as a lookup.
        try:
            return self._local.transaction
        except AttributeError:
            self._check_open()
            self._local.transaction = self._environment.begin(db=self._phrases, buffers=True)
            return self._local.transaction

    def _long_phrases(self) -> list[Item]:
        """The keys that are digests, with their phrases."""
        with self._environment.begin(db=self._info_database) as transaction:
            return [(key, phrase) for key, phrase in transaction.cursor() if key.startswith(b"\0")]

    def _value(self, transaction: Any, key: bytes) -> bytes:
        value: bytes | None = transaction.get(key)
        if value is None:
            raise InputError(f"{self._path}: damaged phrase table: a long phrase is missing; {REBUILD}")
        return value

    def decode(self, value: bytes | memoryview, limit: int | None = None) -> list[PhraseOption]:
        """The options of an encoded value, or the first `limit`."""
        word = self.target_vocabulary.word
        with self.faults():
            options = read_options(value, len(self.target_vocabulary), limit=limit)
            orientations = read_orientations(value, limit=limit) if self.info.reordering else [[] for _ in options]
        size = len(self.info.scores)  # tables with fewer than four have places that are not used
        return [
            PhraseOption(
                tuple(map(word, words)),
                tuple(scores[:size]),
                (counts[0], counts[1], counts[2]),
                tuple(alignment),
                tuple(orientation),
            )
            for (words, scores, counts, alignment), orientation in zip(options, orientations, strict=True)
        ]

    def occurrences(self, values: Sequence[bytes | memoryview]) -> list[int]:
        """How often the source phrase of each encoded value was seen in training, 0 if that is not known."""
        with self.faults():
            return source_counts(values, len(self.target_vocabulary))

    def _checked_info(self, stored: bytes | None) -> TableInfo:
        try:
            metadata = json.loads(stored or b"{}")
            if metadata["format"] != FORMAT:
                raise InputError(f"{self._path}: not a phrase table; {REBUILD}")
            if metadata["version"] > VERSION:
                raise InputError(
                    f"{self._path}: written by a newer version of widl (format {metadata['version']}, "
                    f"this one reads up to {VERSION}); update widl, or {REBUILD}"
                )
            self._version = metadata["version"]
            known = {f.name: metadata[f.name] for f in fields(TableInfo) if f.name in metadata or f.default is MISSING}
            known |= {name: tuple(known[name]) for name in ("history", "scores") if name in known}
            return TableInfo(**known)
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, RecursionError):
            raise InputError(f"{self._path}: not a phrase table, or a damaged one; {REBUILD}") from None


def _reopened(path: Path) -> PhraseTable:
    return PhraseTable.open(path)


def _begins_with(phrase: bytes, start: bytes) -> bool:
    """Whether the first words of the phrase are those of `start`."""
    return phrase.startswith(start) and phrase[len(start) : len(start) + 1] in (b"", b" ")
