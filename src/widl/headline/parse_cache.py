"""Parsed documents on disk, so that an experiment parses each text once."""

import contextlib
import hashlib
import itertools
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self

from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError
from widl.common.workers import chunked
from widl.headline.documents import Document
from widl.headline.parsing import MAX_WORDS, ParsedDocument, Parser, Sentence, Token

_BATCH = 256  # documents of a transaction
_FORMAT = b"6"  # of stored parses, and of the processing in `parsing`; it is part of the keys


class ParseCache:
    """A file of parses (SQLite), by text, pipeline and number of words; several programs may use it at a time.

    A write that is interrupted leaves the file as it was. Entries of other pipelines stay. Use it in a ``with``
    statement, or `close` it.
    """

    def __init__(self, path: PathLike) -> None:
        self._path = path = path_of(path, "path")
        with self._naming_file(), contextlib.ExitStack() as on_error:
            self._connection = sqlite3.connect(path, timeout=60, isolation_level=None)
            on_error.callback(self._connection.close)
            for _ in range(2):  # where a call fails, perhaps only once, SQLite keeps the other journal and says nothing
                if self._connection.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",):
                    break
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS parses (key BLOB PRIMARY KEY, parse BLOB NOT NULL) WITHOUT ROWID"
            )
            on_error.pop_all()

    def parse(
        self, parser: Parser, documents: Iterable[Document], *, words: int = MAX_WORDS, threads: int = 1
    ) -> Iterator[ParsedDocument]:
        """As `Parser.parse`; parses that are in the file are read from it, the others are added to it."""
        prefix = hashlib.blake2b(b"%s %d " % (_FORMAT, words) + parser.fingerprint)
        for batch in chunked(documents, _BATCH * max(1, threads)):
            keys = [_key(prefix, document.text) for document in batch]
            known = self._find(keys)
            missing = {key: document for key, document in zip(keys, batch, strict=True) if key not in known}
            parses = parser.parse(missing.values(), words=words, threads=threads) if missing else ()
            made = {key: parsed.sentences for key, parsed in zip(missing, parses, strict=True)}
            self._store(made)
            for key, document in zip(keys, batch, strict=True):
                yield ParsedDocument(document, made[key] if key in made else self._decode(known[key]))

    def close(self) -> None:
        """Close the file. All parses are already on disk."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _find(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        with self._naming_file():
            rows = (
                self._connection.execute(
                    f"SELECT key, parse FROM parses WHERE key IN ({','.join('?' * len(part))})", part
                )
                for part in chunked(keys, _BATCH)
            )
            return dict(itertools.chain.from_iterable(rows))

    def _store(self, parses: dict[bytes, tuple[Sentence, ...]]) -> None:
        rows = [(key, _encode(sentences)) for key, sentences in parses.items()]
        if not rows:
            return
        with self._naming_file():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany("INSERT OR REPLACE INTO parses VALUES (?, ?)", rows)
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _decode(self, content: bytes) -> tuple[Sentence, ...]:
        try:
            return _decode(content)
        except (ValueError, TypeError, IndexError, zlib.error) as error:
            raise InputError(f"{self._path}: damaged parse cache ({error}); delete the file") from None

    @contextlib.contextmanager
    def _naming_file(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(
                f"{self._path}: can't be used as a parse cache ({error}); delete it, or choose another place"
            ) from None


def _key(prefix: "hashlib.blake2b", text: str) -> bytes:
    digest = prefix.copy()
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.digest()[:20]


def _encode(sentences: tuple[Sentence, ...]) -> bytes:
    """Columns: texts, lemmas, tags, heads, relations, spaces and forms of all tokens, and the sentences' lengths."""
    tokens = list(itertools.chain.from_iterable(sentences))
    columns = [
        [token.text for token in tokens],
        [token.lemma for token in tokens],
        [token.tag for token in tokens],
        [token.head for token in tokens],
        [token.relation for token in tokens],
        [int(token.space) for token in tokens],
        [token.form for token in tokens],
        [len(sentence) for sentence in sentences],
    ]
    return zlib.compress(json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode("utf-8"), 1)


def _decode(content: bytes) -> tuple[Sentence, ...]:
    *columns, lengths = json.loads(zlib.decompress(content))
    columns[5] = map(bool, columns[5])
    tokens = itertools.starmap(Token, zip(*columns, strict=True))
    return tuple(tuple(itertools.islice(tokens, length)) for length in lengths)
