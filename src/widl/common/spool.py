"""A list in a temporary file: what is read several times, one item after the other, and is too much for memory."""

import pickle
import tempfile
from collections.abc import Collection, Iterator
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")


class Spool(Collection[T], Generic[T]):
    """Items of any picklable kind, in the order in which they were appended; several may iterate at once."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._count = 0
        self._end = 0

    def append(self, item: T) -> None:
        """Add an item at the end."""
        self._file.seek(self._end)
        pickle.dump(item, self._file, pickle.HIGHEST_PROTOCOL)
        self._end = self._file.tell()
        self._count += 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        position = 0
        for _ in range(self._count):
            self._file.seek(position)
            item: T = pickle.load(self._file)
            position = self._file.tell()
            yield item

    def __contains__(self, item: object) -> bool:
        return any(item == other for other in self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self._file.close()
