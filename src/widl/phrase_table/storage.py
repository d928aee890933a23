"""The phrase table: one LMDB file, mapped into memory, from source phrases to their translations.

The file holds two databases. ``phrases`` maps `source_key` of a source phrase to its options, encoded
by the core (core/phrase_table/value.hpp). ``info`` holds the table's facts as JSON (``metadata``), the
target words in the order of their numbers, one a line (``vocabulary``), and under each key that is a
digest the phrase itself.
"""

import hashlib
import json
import os
import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import lmdb

from widl._core import PhraseScorer, Vocabulary, read_options
from widl.errors import InputError
from widl.workers import Progress, no_progress

FORMAT = "widl phrase table"
VERSION = 1
MAX_KEY = 511  # LMDB's limit, in bytes

Item = tuple[bytes, bytes]
"""A source phrase, or its key, and its encoded options."""

_FIRST_MAP = 1 << 30  # bytes of address space, not of the file
_METADATA = b"metadata"
_VOCABULARY = b"vocabulary"
_TRANSACTION = 20_000  # source phrases that are written at once
_MEND = "make it again with `widl train`"


class PhraseOption(NamedTuple):
    """A translation of a source phrase."""

    words: tuple[str, ...]
    log_scores: tuple[float, float, float, float]
    """ln of p(f|e), p(e|f), lex(f|e), lex(e|f), where f is the source phrase and e this one."""
    counts: tuple[int, int, int]
    """Of e, of f, and of the two together."""
    alignment: tuple[tuple[int, int], ...]
    """Links (source word, target word) of the pair."""


@dataclass(frozen=True, kw_only=True)
class TableInfo:
    """What a phrase table knows of itself."""

    sentences: int
    source_phrases: int
    phrase_pairs: int
    occurrences: int
    target_words: int
    max_length: int
    symmetrization: str
    lexical: str = "most-frequent"
    smoothing: str = "none"
    significance: float | None = None
    """The least -ln p that phrase pairs were kept for, and how many were not kept."""
    pruned_pairs: int = 0


def source_key(words: Sequence[str]) -> bytes:
    """The key of a source phrase: its words joined by one space, or a digest where LMDB can't hold that.

    Keys that begin with a zero byte are digests, so a phrase that does is looked up by digest too.

    >>> source_key(["阶级", "忠诚"]).decode()
    '阶级 忠诚'
    """
    return _stored_key(" ".join(words).encode())


def _stored_key(phrase: bytes) -> bytes:
    if len(phrase) <= MAX_KEY and not phrase.startswith(b"\0"):
        return phrase
    return b"\0" + hashlib.blake2b(phrase, digest_size=32).digest()


def build_phrase_table(
    path: str | os.PathLike[str],
    phrases: PhraseScorer,
    *,
    symmetrization: str = "",
    progress: Progress = no_progress,
) -> TableInfo:
    """Write all phrase pairs of `phrases`, from `extract_phrases`, as the table `path`.

    The table appears under its name when it is complete; who has an older one open keeps that.
    `symmetrization` is only noted down.
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
            pruned_pairs=pruned,
        )
        writer.finish(info, words)
    return info


@contextmanager
def new_table(path: str | os.PathLike[str]) -> Iterator["TableWriter"]:
    """A table to be filled and finished; it appears under its name at the end, and not at all after an error."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with suppress(FileNotFoundError):
            temporary.unlink()
        with closing(TableWriter(temporary)) as writer:
            yield writer
        temporary.replace(path)
    except (lmdb.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OSError(f"{path}: the phrase table can't be written: {reason}") from error
    finally:
        with suppress(OSError):
            temporary.unlink()


class TableWriter:
    """An LMDB file under construction. It grows with its content; LMDB's map is enlarged when it is full."""

    def __init__(self, path: Path) -> None:
        self._environment = lmdb.open(
            str(path), subdir=False, lock=False, sync=False, metasync=False, max_dbs=2, map_size=_FIRST_MAP
        )
        self._phrases = self._environment.open_db(b"phrases")
        self._info = self._environment.open_db(b"info")
        self._sorted: list[Item] = []  # not yet written
        self._unsorted: list[Item] = []

    def close(self) -> None:
        """Unmap the file."""
        self._environment.close()

    def add(self, in_order: list[Item], others: list[Item]) -> None:
        """Add (phrase, value): some in the order of their keys, from call to call, and any others."""
        self._sorted += in_order
        self._unsorted += others
        # Equal tables are equal files only if they are written in equal transactions, whatever the calls.
        while len(self._sorted) >= _TRANSACTION:
            self._put(self._phrases, self._sorted[:_TRANSACTION], append=True)
            del self._sorted[:_TRANSACTION]

    def finish(self, info: TableInfo, words: Sequence[str]) -> None:
        """Write what is left, and what the table knows of itself."""
        self._put(self._phrases, self._sorted, append=True)
        stored = sorted((_stored_key(phrase), phrase, value) for phrase, value in self._unsorted)
        self._put(self._phrases, [(key, value) for key, _, value in stored])
        self._put(self._info, [(key, phrase) for key, phrase, _ in stored if key != phrase])
        metadata = {"format": FORMAT, "version": VERSION, **asdict(info)}
        self._put(
            self._info,
            [(_METADATA, json.dumps(metadata).encode()), (_VOCABULARY, "\n".join(words).encode())],
        )
        self._environment.sync(True)

    def _put(self, database: Any, items: list[Item], append: bool = False) -> None:
        while True:
            try:
                with self._environment.begin(db=database, write=True) as transaction:
                    transaction.cursor().putmulti(items, append=append)
                return
            except lmdb.MapFullError:
                self._environment.set_mapsize(2 * self._environment.info()["map_size"])


class PhraseTable:
    """A phrase table, open for reading by any number of threads and processes.

    What `lookup` returns points into the mapped file: use it before `close`.
    """

    def __init__(self, path: Path, environment: Any) -> None:
        self._path = path
        self._environment = environment
        self._phrases = environment.open_db(b"phrases", create=False)
        self._info_database = environment.open_db(b"info", create=False)
        self._local = threading.local()
        with environment.begin(db=self._info_database) as transaction:
            self.info = self._checked_info(transaction.get(_METADATA))
            vocabulary = transaction.get(_VOCABULARY)
        words = vocabulary.decode().split("\n") if vocabulary else []
        self.target_vocabulary = Vocabulary(words)
        if len(self.target_vocabulary) != self.info.target_words:
            raise InputError(f"{path}: damaged phrase table: words are missing; {_MEND}")

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open the table `path`; what can't be one is an InputError that says so."""
        path = Path(path)
        environment = None
        try:
            _check_header(path)
            environment = lmdb.open(
                str(path), subdir=False, readonly=True, lock=False, create=False, max_dbs=2
            )
            # LMDB maps what the header promises; to read behind the end of the file would end the process.
            size = (environment.info()["last_pgno"] + 1) * environment.stat()["psize"]
            if path.stat().st_size < size:
                raise InputError(
                    f"{path}: truncated phrase table: {path.stat().st_size} bytes of {size}; {_MEND}"
                )
            return cls(path, environment)
        except BaseException as error:
            if environment is not None:
                environment.close()
            if isinstance(error, (lmdb.Error, UnicodeDecodeError)):
                raise InputError(
                    f"{path}: not a phrase table, or a damaged one ({error}); {_MEND}"
                ) from error
            raise

    def close(self) -> None:
        """Unmap the file."""
        self._environment.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self.info.source_phrases

    def lookup(self, keys: Sequence[bytes]) -> list[memoryview | None]:
        """The encoded options of each `source_key`, for the core's OptionReader, or None."""
        get = self._transaction().get
        return [get(key) for key in keys]

    def options(self, words: Sequence[str], *, limit: int | None = None) -> list[PhraseOption]:
        """The translations of a source phrase, or the first `limit`, best first by p(e|f), then p(f|e)."""
        value = self.lookup([source_key(words)])[0] if words else None
        return [] if value is None else self._decoded(value, limit)

    def iterate(self) -> Iterator[tuple[str, list[PhraseOption]]]:
        """All source phrases in the order of their keys, with their options."""
        for phrase, value in self.iterate_encoded():
            yield phrase.decode(), self._decoded(value)

    def iterate_encoded(self) -> Iterator[Item]:
        """All source phrases in the order of their keys, with their encoded options."""
        with self._environment.begin(db=self._phrases) as transaction:
            for key, value in transaction.cursor():
                yield self._long_phrase(key) if key.startswith(b"\0") else key, value

    def _transaction(self) -> Any:
        # One for each thread, for good: the table doesn't change, and to begin one costs as much as a lookup.
        try:
            return self._local.transaction
        except AttributeError:
            self._local.transaction = self._environment.begin(db=self._phrases, buffers=True)
            return self._local.transaction

    def _long_phrase(self, key: bytes) -> bytes:
        with self._environment.begin(db=self._info_database) as transaction:
            phrase: bytes | None = transaction.get(key)
        if phrase is None:
            raise InputError(f"{self._path}: damaged phrase table: a long phrase is missing; {_MEND}")
        return phrase

    def _decoded(self, value: bytes | memoryview, limit: int | None = None) -> list[PhraseOption]:
        word = self.target_vocabulary.word
        try:
            options = read_options(value, len(self.target_vocabulary), limit=limit)
        except InputError as error:
            raise InputError(f"{self._path}: {error}; {_MEND}") from None
        return [
            PhraseOption(
                tuple(map(word, words)),
                (scores[0], scores[1], scores[2], scores[3]),
                (counts[0], counts[1], counts[2]),
                tuple(alignment),
            )
            for words, scores, counts, alignment in options
        ]

    def _checked_info(self, stored: bytes | None) -> TableInfo:
        try:
            metadata = json.loads(stored or b"{}")
            if metadata["format"] != FORMAT:
                raise InputError(f"{self._path}: not a phrase table; {_MEND}")
            if metadata["version"] > VERSION:
                raise InputError(
                    f"{self._path}: written by a newer version of widl (format {metadata['version']}, "
                    f"this one reads up to {VERSION}); update widl, or {_MEND}"
                )
            known = [field for field in fields(TableInfo) if field.name in metadata or field.default is MISSING]
            return TableInfo(**{field.name: metadata[field.name] for field in known})
        except (KeyError, TypeError, json.JSONDecodeError):
            raise InputError(f"{self._path}: not a phrase table, or a damaged one; {_MEND}") from None


def _check_header(path: Path) -> None:
    """See that the file is LMDB's at all: its library trusts the numbers it finds."""
    try:
        with path.open("rb") as file:
            header = file.read(44)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no phrase table; {_MEND}") from None
    except OSError as error:
        raise InputError(f"{path}: the phrase table can't be read: {error.strerror}; {_MEND}") from None
    magic, page_size = struct.unpack("=16xI20xI", header) if len(header) == 44 else (0, 0)
    if magic != 0xBEEFC0DE or page_size not in (1 << bits for bits in range(9, 17)):
        raise InputError(f"{path}: not a phrase table; {_MEND}")
