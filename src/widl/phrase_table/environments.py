"""Read-only LMDB environments: a file is mapped once in a process, however often it is opened."""

import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lmdb


@dataclass
class _Mapped:
    environment: Any
    users: int


_mapped: dict[tuple[int, int], _Mapped] = {}
_guard = threading.Lock()


def _identity(path: Path) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_dev, status.st_ino


class ReadOnlyEnvironment:
    """An LMDB file opened for reading. LMDB must not map a file twice in one process, so all users share the map.

    Files are told apart by device and inode: a file that replaced another under its name is mapped anew.
    """

    def __init__(self, path: Path) -> None:
        """Raises lmdb.Error for a file that LMDB can't open, OSError for a missing one."""
        self._open = True
        with _guard:
            self._key = _identity(path)
            while self._key not in _mapped:
                environment = lmdb.open(
                    str(path), subdir=False, readonly=True, lock=False, create=False, max_dbs=2
                )
                before, self._key = self._key, _identity(path)
                if before == self._key:
                    _mapped[self._key] = _Mapped(environment, 0)
                else:  # replaced meanwhile: which of the two was mapped is not known
                    environment.close()
            _mapped[self._key].users += 1
            self.lmdb = _mapped[self._key].environment

    def close(self) -> None:
        """Unmap the file when its last user closes it."""
        with _guard:
            if not self._open:
                return
            self._open = False
            mapped = _mapped[self._key]
            mapped.users -= 1
            if mapped.users == 0:
                del _mapped[self._key]
                mapped.environment.close()
