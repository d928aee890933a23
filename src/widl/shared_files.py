"""Large files that several processes, possibly on several machines, open under the same paths."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from widl.errors import InputError, MissingFileError
from widl.stamps import opened_whole, stamp_of

R = TypeVar("R")

_SMALL = 1 << 20  # bytes; a file up to this size is digested


@dataclass(frozen=True)
class SharedFiles:
    """Absolute paths, with a fingerprint of each file: another machine may have a different file of the same name.

    The fingerprint (in `marks`) of a small file is a digest, that of a large file its size; copies have the same.
    """

    paths: tuple[Path, ...]
    marks: tuple[str, ...]

    @classmethod
    def of(cls, paths: Iterable[Path]) -> Self:
        """The files with their current fingerprints; MissingFileError if a file is missing."""
        absolute = tuple(path.absolute() for path in paths)
        return cls(absolute, tuple(map(_mark, absolute)))

    def check(self) -> None:
        """InputError if a file is missing on this machine, or its fingerprint has changed."""
        for path, mark in zip(self.paths, self.marks, strict=True):
            try:
                current = _mark(path)
            except MissingFileError:
                raise MissingFileError(f"{path}: no such file; it must have the same path on every machine") from None
            if current != mark:
                raise InputError(f"{path}: another file than where the work began; all machines need the same one")

    def opened_once(self, name: Hashable, make: Callable[[], R]) -> R:
        """The result of ``make()``, cached in this process by files and name; the cache holds the last two results.

        InputError if a file is missing on this machine, or its fingerprint has changed.
        """
        with _guard:
            key, result = opened_whole(self.paths, lambda _: self._opened(name, make))
            _opened[key] = result
            _opened.move_to_end(key)
            return result

    def _opened(self, name: Hashable, make: Callable[[], R]) -> tuple[Hashable, R]:
        """The key of a result in the cache, and the result, made if it isn't there."""
        self.check()
        # A file that was replaced by another one of the same name is opened again.
        stamps = tuple((str(path.resolve()), *stamp_of(path.stat())) for path in self.paths)
        key = (name, stamps, self.marks)
        if key in _opened:
            return key, _opened[key]
        while len(_opened) >= _KEPT:
            _opened.popitem(last=False)
        return key, make()


_KEPT = 2
_opened: OrderedDict[Hashable, Any] = OrderedDict()
_guard = threading.Lock()


def _mark(path: Path) -> str:
    if not path.is_file():
        raise MissingFileError(f"{path}: no such file")
    size = path.stat().st_size
    return f"{size} bytes" if size > _SMALL else hashlib.sha256(path.read_bytes()).hexdigest()
