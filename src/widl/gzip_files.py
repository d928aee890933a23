"""Compressed files: read with a limit, their damage told, and written on threads."""

import contextlib
import gzip
import io
import math
import zlib
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

from widl.errors import InputError

_MEMBER = 1 << 20  # bytes of text in a gzip member
LARGEST_EXPANSION = 1 << 28  # bytes, of a gzip file that has less than a `_MOST_EXPANDED`th of it
_MOST_EXPANDED = 200  # times its size; text has five to ten


@contextlib.contextmanager
def damage_named(name: str) -> Iterator[None]:
    """Turn errors of reading damaged gzip into an InputError; for what reads on outside of `open_source`'s block."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{name}: not a complete gzip file ({error}); make or fetch it again") from None


class Expanded(io.RawIOBase):
    """The content of a gzip file, read once; of a small one that has no end, no more than `LARGEST_EXPANSION`."""

    def __init__(self, path: Path) -> None:
        self._path, self._count = path, 0
        self._file = gzip.open(path)  # noqa: SIM115 - closed by `close`
        self._most = max(LARGEST_EXPANSION, _MOST_EXPANDED * path.stat().st_size) if path.is_file() else math.inf

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer, as streams do; InputError beyond the limit."""
        found = self._file.readinto(buffer)
        self._count += found
        if self._count > self._most:
            raise InputError(
                f"{self._path}: holds more than {_MOST_EXPANDED} times its size, as files do that are made to fill "
                "disks; if it is right, decompress it first"
            )
        return found

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


class GzipMembers:
    """Compresses blocks of equal size on a thread pool; at most `ahead` compressed blocks wait to be written."""

    def __init__(self, raw: BinaryIO, pool: ThreadPoolExecutor, ahead: int) -> None:
        self._raw, self._pool, self._ahead = raw, pool, ahead
        self._content = bytearray()
        self._pending: deque[Future[bytes]] = deque()

    def write(self, content: bytes) -> None:
        """Add bytes; whole blocks are compressed."""
        self._content += content
        whole = len(self._content) // _MEMBER * _MEMBER
        for begin in range(0, whole, _MEMBER):
            self._compress(bytes(self._content[begin : begin + _MEMBER]))
        del self._content[:whole]

    def finish(self) -> None:
        """Compress what is left and wait for all of it."""
        self._compress(bytes(self._content))
        self._write_finished(0)

    def _compress(self, block: bytes) -> None:
        # mtime=0: equal text gives equal files.
        self._pending.append(self._pool.submit(gzip.compress, block, 6, mtime=0))
        self._write_finished(self._ahead)

    def _write_finished(self, ahead: int) -> None:
        while len(self._pending) > ahead:
            self._raw.write(self._pending.popleft().result())
