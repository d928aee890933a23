"""Values that several threads ask for: each is made once, and only who asks for the same one waits for it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass
class _Entry(Generic[T]):
    lock: Lock = field(default_factory=Lock)
    """Held while the value is made."""
    values: list[T] = field(default_factory=list)
    """One, or none as long as it is not made."""


class Remembered(Generic[T]):
    """The values that were asked for last, at most `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._entries: OrderedDict[Hashable, _Entry[T]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of a key, made if it is not remembered; what `make` raises is raised, and not remembered."""
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)
        with entry.lock:
            if not entry.values:
                try:
                    entry.values.append(make())
                except BaseException:
                    self._forget(key, entry)
                    raise
            return entry.values[0]

    def _forget(self, key: Hashable, entry: _Entry[T]) -> None:
        with self._lock:
            if self._entries.get(key) is entry:
                del self._entries[key]
