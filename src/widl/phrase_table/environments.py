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


class ReadOnlyEnvironment:
    """An LMDB file opened for reading. LMDB must not map a file twice in one process, so all users share the map.

    Files are told apart by device and inode: a file that replaced another under its name is mapped anew.
    """

    def __init__(self, path: Path) -> None:
        """Raises lmdb.Error for a file that LMDB can't open, OSError for a missing one."""
        self._open = True
        with _guard:
            status = os.stat(path)
            self._key = (status.st_dev, status.st_ino)  # which no other file has while this one is mapped
            if self._key not in _mapped:
                _mapped[self._key] = _Mapped(
                    lmdb.open(str(path), subdir=False, readonly=True, lock=False, create=False, max_dbs=2), 0
                )
            mapped = _mapped[self._key]
            mapped.users += 1
            self.lmdb = mapped.environment

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
