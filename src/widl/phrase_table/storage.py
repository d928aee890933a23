"""The phrase table: one LMDB file, mapped into memory, from source phrases to their translations.

The file holds two databases. ``phrases`` maps `source_key` of a source phrase to its options, encoded
by the core (core/phrase_table/value.hpp). ``info`` holds the table's facts as JSON (``metadata``), the
target words in the order of their numbers, one a line (``vocabulary``), and under each key that is a
digest the phrase itself. Behind LMDB's last page stand the length and the checksum of all before.
"""

import hashlib
import heapq
import json
import os
import re
import struct
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import lmdb

from widl._core import PhraseScorer, Vocabulary, read_options
from widl.errors import InputError
from widl.files import replacing
from widl.phrase_table.environments import ReadOnlyEnvironment
from widl.shared_files import SharedFiles
from widl.workers import Progress, chunked, no_progress

FORMAT = "widl phrase table"
VERSION = 2
"""Version 1 had no checksum, and no options with extra text or with probabilities too small for a float."""
MAX_KEY = 511  # LMDB's limit, in bytes

Item = tuple[bytes, bytes]
"""A source phrase, or its key, and its encoded options."""

_FIRST_MAP = 1 << 30  # bytes of address space, not of the file
_METADATA = b"metadata"
_VOCABULARY = b"vocabulary"
_TRANSACTION = 20_000  # source phrases that are written at once
_MEND = "make it again with `widl train`"
_BATCH = 10_000  # source phrases that go to the core at once

_BLOCK = 1 << 20  # bytes of the file that are read at once

_SEAL = struct.Struct("<8sQII")
"""The end of the file: magic, length of what comes before, its CRC-32, and that of these three fields."""
_MAGIC = b"widlseal"


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

    sentences: int | None
    """Of the bitext; None for tables that were not made from one."""
    source_phrases: int
    phrase_pairs: int
    occurrences: int | None
    """Of phrase pairs in the bitext."""
    target_words: int
    max_length: int
    """Of phrases, in words; pruning does not change it."""
    symmetrization: str
    lexical: str = "most-frequent"
    smoothing: str = "none"
    """How the pairs were scored (see `extract_phrases`); nothing where that is not known."""
    significance: float | None = None
    """The least -ln p that phrase pairs were kept for; None: all were."""
    pruned_pairs: int = 0
    """How many were not kept, for this reason alone."""
    moses_fields: int = 7
    """Of the table as Moses text: its number of fields, its fifth score, what follows the counts of a line."""
    moses_penalty: str = ""
    moses_tail: str = " ||| |||"
    history: tuple[str, ...] = ()
    """What was done to the table since it was built: imported from a file, pruned."""

    @property
    def has_counts(self) -> bool:
        """Whether the options' counts mean something."""
        return self.moses_fields >= 5


def source_key(words: Sequence[str]) -> bytes:
    """The key of a source phrase: its words joined by one space, or a digest where LMDB can't hold that.

    Keys that begin with a zero byte are digests, so a phrase that does is looked up by digest too.

    >>> source_key(["阶级", "忠诚"]).decode()
    '阶级 忠诚'
    """
    return _stored_key(" ".join(words).encode())


def split_words(text: str) -> list[str]:
    r"""Words, separated by ASCII white space as everywhere in the core; str.split knows other spaces.

    >>> split_words(" a\tb\u3000c ")
    ['a', 'b\u3000c']
    """
    return re.findall("[^ \\t\\n\\v\\f\\r]+", text)


def is_regular(phrase: bytes) -> bool:
    """Whether the phrase is its own key."""
    return len(phrase) <= MAX_KEY and not phrase.startswith(b"\0")


def _stored_key(phrase: bytes) -> bytes:
    if is_regular(phrase):
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
    with ExitStack() as stack:
        with _writing(path):
            temporary = stack.enter_context(replacing(path))
            writer = stack.enter_context(closing(TableWriter(temporary, path)))
        yield writer
        with _writing(path):
            writer.close()
            _seal(temporary)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except lmdb.MapFullError:  # for the writer, who enlarges the map
        raise
    except (lmdb.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OSError(f"{path}: the phrase table can't be written: {reason}") from error


class TableWriter:
    """An LMDB file under construction. It grows with its content; LMDB's map is enlarged when it is full."""

    def __init__(self, file: Path, path: Path) -> None:
        self._path = path  # that messages name
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
        """Add (phrase, value): some in the order of their keys, from call to call, and any others."""
        self._sorted += in_order
        self._unsorted += others
        # Equal tables are equal files only if they are written in equal transactions, whatever the calls.
        while len(self._sorted) >= _TRANSACTION:
            self._put(self._phrases, self._sorted[:_TRANSACTION], append=True)
            del self._sorted[:_TRANSACTION]

    def finish(self, info: TableInfo, words: Sequence[str]) -> None:
        """Write what is left, the target words in the order of their numbers, and what the table knows of itself."""
        self._put(self._phrases, self._sorted, append=True)
        stored = sorted((_stored_key(phrase), phrase, value) for phrase, value in self._unsorted)
        self._put(self._phrases, [(key, value) for key, _, value in stored])
        self._put(self._info, [(key, phrase) for key, phrase, _ in stored if key != phrase])
        metadata = {"format": FORMAT, "version": VERSION, **asdict(info)}
        self._put(
            self._info,
            [(_METADATA, json.dumps(metadata).encode()), (_VOCABULARY, "\n".join(words).encode())],
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


def _seal(file: Path) -> None:
    """Append the length and the checksum of the file."""
    size = file.stat().st_size
    checksum = _checksum(file, size)
    start = struct.pack("<8sQI", _MAGIC, size, checksum)
    with file.open("ab") as stream:
        stream.write(start + struct.pack("<I", zlib.crc32(start)))
        stream.flush()
        os.fsync(stream.fileno())


def _checksum(file: Path, size: int) -> int:
    """CRC-32 of the first `size` bytes."""
    checksum, left = 0, size
    with file.open("rb") as stream:
        while left > 0 and (block := stream.read(min(left, _BLOCK))):
            checksum = zlib.crc32(block, checksum)
            left -= len(block)
    return checksum


def _read_seal(file: Path) -> tuple[int, int] | None:
    """The length and checksum that the file's end states, if it is a seal."""
    with file.open("rb") as stream:
        stream.seek(max(0, file.stat().st_size - _SEAL.size))
        end = stream.read()
    if len(end) != _SEAL.size:
        return None
    magic, size, checksum, own = _SEAL.unpack(end)
    return (size, checksum) if magic == _MAGIC and own == zlib.crc32(end[:-4]) else None


class PhraseTable:
    """A phrase table, open for reading by any number of threads and processes.

    What `lookup` returns points into the mapped file: use it before `close`. Pickled, it is the path of its file.
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
            self.info = self._checked_info(transaction.get(_METADATA))
            vocabulary = transaction.get(_VOCABULARY)
        words = vocabulary.decode().split("\n") if vocabulary else []
        self.target_vocabulary = Vocabulary(words)
        if len(self.target_vocabulary) != self.info.target_words:
            raise InputError(f"{path}: damaged phrase table: words are missing; {_MEND}")

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, verify: bool = False) -> Self:
        """Open the table `path`; what can't be one is an InputError that says so.

        `verify`: first read the whole file and compare its checksum, some 0.2 seconds a gigabyte once it is in memory.
        LMDB trusts its pages, so that in a damaged file a lookup may give nonsense or end the process. Tables of
        version 1 have no checksum, and pass.
        """
        path = Path(path)
        file = None
        try:
            _check_header(path)
            if verify:
                _verify(path)
            file = ReadOnlyEnvironment(path)
            # LMDB maps what the header promises; to read behind the end of the file would end the process.
            size = (file.lmdb.info()["last_pgno"] + 1) * file.lmdb.stat()["psize"]
            if path.stat().st_size < size:
                raise InputError(
                    f"{path}: truncated phrase table: {path.stat().st_size} bytes of {size}; {_MEND}"
                )
            table = cls(path, file)
            if table.has_checksum and _read_seal(path) is None:
                raise InputError(f"{path}: truncated phrase table, or one changed by another program; {_MEND}")
            return table
        except BaseException as error:
            if file is not None:
                file.close()
            if isinstance(error, (lmdb.Error, UnicodeDecodeError)):
                raise InputError(
                    f"{path}: not a phrase table, or a damaged one ({error}); {_MEND}"
                ) from error
            raise

    def close(self) -> None:
        """Unmap the file, unless another table here is the same one; nothing can be looked up afterwards."""
        self._closed = True
        self._local = threading.local()  # its transactions end before the map does
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._closed:
            raise InputError(f"{self._path}: this phrase table is closed; open it again")

    def __reduce__(self) -> tuple[Callable[..., "PhraseTable"], tuple[SharedFiles]]:
        return _reopened, (SharedFiles.of([self._path]),)

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
        get = self._transaction().get
        return [get(key) for key in keys]

    def options(self, words: Sequence[str], *, limit: int | None = None) -> list[PhraseOption]:
        """The translations of a source phrase, or the first `limit`, best first by p(e|f), then p(f|e)."""
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
        start = " ".join(first).encode()
        with self._environment.begin(db=self._phrases) as transaction:
            # Digests begin with a zero byte; phrases that do, or are too long, are kept under their digests.
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
        """Of the phrases, those that the table has, with their encoded options."""
        self._check_open()
        with self._environment.begin(db=self._phrases) as transaction:
            found = ((phrase, transaction.get(_stored_key(phrase))) for phrase in phrases)
            return [(phrase, value) for phrase, value in found if value is not None]

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Name the table in what the core says of its values."""
        try:
            yield
        except InputError as error:
            raise InputError(f"{self._path}: {error}; {_MEND}") from None

    def _transaction(self) -> Any:
        # One for each thread, for good: the table doesn't change, and to begin one costs as much as a lookup.
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
            raise InputError(f"{self._path}: damaged phrase table: a long phrase is missing; {_MEND}")
        return value

    def decode(self, value: bytes | memoryview, limit: int | None = None) -> list[PhraseOption]:
        """The options of an encoded value, or the first `limit`."""
        word = self.target_vocabulary.word
        with self.faults():
            options = read_options(value, len(self.target_vocabulary), limit=limit)
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
            self._version = metadata["version"]
            known = {f.name: metadata[f.name] for f in fields(TableInfo) if f.name in metadata or f.default is MISSING}
            known["history"] = tuple(known.get("history", ()))
            return TableInfo(**known)
        except (KeyError, TypeError, json.JSONDecodeError):
            raise InputError(f"{self._path}: not a phrase table, or a damaged one; {_MEND}") from None


def _reopened(files: SharedFiles) -> PhraseTable:
    [path] = files.paths
    files.check()
    return PhraseTable.open(path)


def _verify(path: Path) -> None:
    """Compare the checksum, if there is one; whether there should be, the opened table tells."""
    seal = _read_seal(path)
    if seal is None:
        return
    size, checksum = seal
    if size + _SEAL.size != path.stat().st_size or _checksum(path, size) != checksum:
        raise InputError(f"{path}: damaged phrase table: its checksum is not that of its content; {_MEND}")


def _begins_with(phrase: bytes, start: bytes) -> bool:
    """Whether the first words of the phrase are those of `start`."""
    return phrase.startswith(start) and phrase[len(start) : len(start) + 1] in (b"", b" ")


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
