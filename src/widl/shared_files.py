"""Large files that several processes, possibly on several machines, open under the same paths."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from widl.errors import InputError, MissingFileError

R = TypeVar("R")

_SMALL = 1 << 20  # bytes; a file up to this size is digested


@dataclass(frozen=True)
class SharedFiles:
    """Absolute paths, with a fingerprint of each file: another machine may have a different file of the same name.

    The fingerprint (`marks`) is a digest of a small file, and the size of a large one. Copies are the same file.
    """

    paths: tuple[Path, ...]
    marks: tuple[str, ...]

    @classmethod
    def of(cls, paths: Iterable[Path]) -> Self:
        """The files with their present fingerprints; MissingFileError names one that is missing."""
        absolute = tuple(path.absolute() for path in paths)
        return cls(absolute, tuple(map(_mark, absolute)))

    def check(self) -> None:
        """InputError if a file is missing here, or has another fingerprint than `of` found."""
        for path, mark in zip(self.paths, self.marks, strict=True):
            try:
                found = _mark(path)
            except MissingFileError:
                raise MissingFileError(f"{path}: no such file; it must have the same path on every machine") from None
            if found != mark:
                raise InputError(f"{path}: another file than where the work began; all machines need the same one")

    def opened_once(self, name: Hashable, make: Callable[[], R]) -> R:
        """What ``make()`` gives, made once in this process for these files and this name, of the last two.

        InputError if a file is missing here, or is another one than `of` saw.
        """
        self.check()
        # A file that was replaced under its name is opened again.
        status = [path.stat() for path in self.paths]
        stamps = tuple((str(p.resolve()), s.st_ino, s.st_mtime_ns) for p, s in zip(self.paths, status, strict=True))
        key = (name, stamps, self.marks)
        with _guard:
            if key not in _opened:
                while len(_opened) >= _KEPT:
                    _opened.popitem(last=False)
                _opened[key] = make()
            _opened.move_to_end(key)
            result: R = _opened[key]
            return result


_KEPT = 2
_opened: OrderedDict[Hashable, Any] = OrderedDict()
_guard = threading.Lock()


def _mark(path: Path) -> str:
    if not path.is_file():
        raise MissingFileError(f"{path}: no such file")
    size = path.stat().st_size
    return f"{size} bytes" if size > _SMALL else hashlib.sha256(path.read_bytes()).hexdigest()
