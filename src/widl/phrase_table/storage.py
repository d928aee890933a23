"""Phrase tables for reading: a typed interface to the core's tables, with the metadata stored in the table."""

import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Self

from widl import _core
from widl._core import PhraseBatch, TableCursor, Vocabulary
from widl.common.argument_types import checked
from widl.common.arguments import PathLike, reject_text
from widl.common.errors import FileError, InputError, MissingFileError
from widl.common.files import Closable, check_readable
from widl.phrase_table.entries import MAGIC, REBUILD, PhraseOption, TableInfo

_BATCH = 10_000  # source phrases that go to Python at once

logger = logging.getLogger(__name__)


@checked
class PhraseTable(Closable):
    """A phrase table, open for reading by any number of threads and processes.

    It is pickled as the path of its file.
    """

    def __init__(self, path: PathLike) -> None:
        """As `open`."""
        self._path = Path(path)
        if not os.path.exists(self._path):
            raise MissingFileError(f"{self._path}: there is no phrase table; {REBUILD}")
        if not self._path.is_file():
            raise FileError(f"{self._path}: not a file, where a phrase table was expected")
        self._table: _core.PhraseTable | None = None
        with self.faults():
            self._table = _core.PhraseTable(self._path)
        self.info = self._stored_info()
        logger.info("%s: opened a phrase table of %d source phrases", self._path, self.info.source_phrases)

    @classmethod
    def open(cls, path: PathLike) -> Self:
        """Open the table `path`; raises an InputError that explains why a file is not a table."""
        return cls(path)

    def close(self) -> None:
        """Lookups fail afterwards."""
        self._table = None

    @property
    def core(self) -> _core.PhraseTable:
        """The core's table, to pass on; InputError after this table is closed."""
        if self._table is None:
            raise InputError(f"{self._path}: this phrase table is closed; open it again")
        return self._table

    @property
    def target_vocabulary(self) -> Vocabulary:
        """The words of the target phrases."""
        return self.core.target_vocabulary

    def __reduce__(self) -> tuple[Callable[..., "PhraseTable"], tuple[Path]]:
        return PhraseTable, (self._path.absolute(),)

    def __repr__(self) -> str:
        size = f"{self.info.source_phrases:,} source phrases, {self.info.phrase_pairs:,} pairs"
        return f"<PhraseTable {self._path}: {size}{', closed' * (self._table is None)}>"

    def __len__(self) -> int:
        return self.info.source_phrases

    def size(self) -> int:
        """Bytes of the file."""
        return self._path.stat().st_size

    def options(self, words: Sequence[str], *, limit: int | None = None) -> list[PhraseOption]:
        """The translations of a source phrase, or the first `limit`, best first by p(e|f), then p(f|e)."""
        reject_text(words, "words", "a list of words: phrase.split()")
        return self.options_of(" ".join(words), limit) if words else []

    def options_of(self, phrase: str, limit: int | None = None) -> list[PhraseOption]:
        """Like `options`, for a phrase whose words are joined by one space."""
        with self.faults():
            options = self.core.options(phrase, limit)
        size = len(self.info.scores)  # tables with fewer than four scores leave some fields unused
        return [
            PhraseOption(
                tuple(option.words),
                tuple(option.scores[:size]),
                (option.counts[0], option.counts[1], option.counts[2]),
                tuple(option.links),
                tuple(option.orientation),
            )
            for option in options
        ]

    def links(self, words: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]] | None:
        """The word alignment of a phrase pair, positions from 0; None if the table lacks the pair."""
        with self.faults():
            return self.core.links(" ".join(words), list(target))

    def counts(self, phrases: Sequence[str]) -> list[int | None]:
        """Training counts of each source phrase, 0 if unknown; None if the table lacks it."""
        with self.faults():
            return self.core.counts(phrases)

    def contains(self, phrases: Sequence[str]) -> list[bool]:
        """For each source phrase, whether the table has it."""
        with self.faults():
            return self.core.contains(phrases)

    def iterate(self) -> Iterator[tuple[str, list[PhraseOption]]]:
        """All source phrases, word by word in the order of the words' bytes, with their options."""
        return ((phrase, self.options_of(phrase)) for phrase in self.phrases())

    def phrases(self, *, first: Sequence[str] = ()) -> Iterator[str]:
        """All source phrases in the order of `iterate`; `first`: only phrases that begin with these words."""
        reject_text(first, "first", "a list of words: phrase.split()")
        batches = self._batches(TableCursor(self.core), with_options=False)
        entries = chain.from_iterable(batch.phrases for batch in batches)
        start = " ".join((*first, ""))
        return (phrase for phrase in entries if f"{phrase} ".startswith(start)) if first else entries

    def batches(self) -> Iterator[PhraseBatch]:
        """All source phrases in the order of `iterate`, with their encoded options."""
        return self._batches(TableCursor(self.core), with_options=True)

    def _batches(self, cursor: TableCursor, *, with_options: bool) -> Iterator[PhraseBatch]:
        while True:
            with self.faults():
                batch = cursor.next_batch(_BATCH, with_options)
            if batch is None:
                return
            yield batch

    def values(self, phrases: Sequence[str]) -> PhraseBatch:
        """The phrases that are in the table, with their encoded options."""
        with self.faults():
            return self.core.values(phrases)

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Add the table's name to the core's errors about its content."""
        try:
            yield
        except InputError as error:
            if str(error).startswith(str(self._path)):
                raise
            raise InputError(f"{self._path}: {error}; {REBUILD}") from None

    def _stored_info(self) -> TableInfo:
        try:
            metadata = json.loads(self.core.metadata)
            facts: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in metadata.items()}
            return TableInfo(**facts)
        except (AttributeError, TypeError, ValueError):
            raise InputError(f"{self._path}: damaged phrase table; {REBUILD}") from None


def is_table(path: Path) -> bool:
    """Whether a file begins like a phrase table, not like Moses' text; FileError if it can't be read."""
    check_readable(path)
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC
