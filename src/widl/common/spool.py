"""A list in a temporary file, for items that do not fit in memory."""

import pickle
import tempfile
from collections.abc import Collection, Iterator
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")


class Spool(Collection[T], Generic[T]):
    """Picklable items in the order of `append`. Iterators are independent of each other."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._places: list[int] = []
        self._end = 0

    def append(self, item: T) -> None:
        """Appends an item."""
        self._file.seek(self._end)
        pickle.dump(item, self._file, pickle.HIGHEST_PROTOCOL)
        self._places.append(self._end)
        self._end = self._file.tell()

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: int) -> T:
        self._file.seek(self._places[index])
        item: T = pickle.load(self._file)
        return item

    def __iter__(self) -> Iterator[T]:
        return (self[index] for index in range(len(self)))

    def __contains__(self, item: object) -> bool:
        return any(item == other for other in self)

    def close(self) -> None:
        """Remove the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
