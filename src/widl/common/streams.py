"""Lines of pipes and terminals are processed as they arrive, so that a program at the other end gets its answer
immediately.

The lines of a source come in *runs*. A run ends where the next line is not available yet: batch processing finishes a
run before it waits for the next one. A file is a single run.
"""

import math
import os
import select
import stat
from collections import deque
from collections.abc import Iterator
from itertools import chain, count
from typing import BinaryIO

from widl.common.arguments import PathLike
from widl.common.encodings import LONGEST_LINE, decoded_line
from widl.common.files import COMPRESSED, Source, bounded_lines, damage_named, open_source, source_name

NumberedLine = tuple[int, str]
"""The number of a line, from 1, and its text."""


def line_runs(source: Source) -> Iterator[Iterator[NumberedLine]]:
    """The numbered lines of a source in runs; a run must be exhausted before the next one is requested."""
    name = source_name(source)
    numbers = count(1)
    with open_source(source) as stream:
        for run in byte_runs(stream, arriving=arrives(source)):
            yield _numbered(run, name, numbers)


def _numbered(run: Iterator[bytes], name: str, numbers: Iterator[int]) -> Iterator[NumberedLine]:
    with damage_named(name):
        for line in run:
            number = next(numbers)  # after the line, so that no number is lost at the end of a run
            yield number, decoded_line(line, name, number)


def count_lines(path: PathLike) -> int:
    """The number of lines that `widl.common.files.read_lines` yields; lines are not decoded, so this is much faster."""
    count, last = 0, b"\n"
    with open_source(path) as stream:
        while block := stream.read(1 << 20):
            count += block.count(b"\n")
            last = block[-1:]
    return count + (last != b"\n")


def byte_runs(stream: BinaryIO, *, arriving: bool) -> Iterator[Iterator[bytes]]:
    """The lines of a stream as bytes with their ends, in runs for a pipe or terminal."""
    if not arriving:
        yield bounded_lines(stream)
        return
    lines = StreamedLines(stream)
    for first in lines:
        yield chain((first,), lines.present())


def arrives(source: Source) -> bool:
    """Whether a source's lines arrive over time: it is a pipe, a socket or a terminal."""
    try:
        if isinstance(source, (str, os.PathLike)):
            # Compressed data come in blocks.
            return not os.fspath(source).endswith(tuple(COMPRESSED)) and _is_live(os.stat(source).st_mode)
        return _is_live(os.fstat(source.fileno()).st_mode)
    except (OSError, ValueError, AttributeError):  # no file number; an in-memory stream
        return False


def _is_live(mode: int) -> bool:
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)


class StreamedLines:
    """The lines of a pipe or terminal, read without Python's buffer: `present` never waits."""

    def __init__(self, stream: BinaryIO) -> None:
        self._descriptor = stream.fileno()
        self._lines: deque[bytes] = deque()
        self._rest = bytearray()  # of a line without its end
        self._ended = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        """The next line; waits for it."""
        while not self._lines:
            if self._ended:
                raise StopIteration
            self._read()
        return self._lines.popleft()

    def present(self) -> Iterator[bytes]:
        """The lines that are available already."""
        while self.is_present():
            yield self._lines.popleft()

    def is_present(self) -> bool:
        """Whether the next line is available already; False at the end, too."""
        while not self._lines and not self._ended and select.select([self._descriptor], [], [], 0)[0]:
            self._read()
        return bool(self._lines)

    def _read(self) -> None:
        block = os.read(self._descriptor, 1 << 16)
        *ends, begun = block.split(b"\n")
        if ends:
            self._lines.append(bytes(self._rest) + ends[0] + b"\n")
            self._lines.extend(line + b"\n" for line in ends[1:])
            self._rest.clear()
        self._rest += begun
        if not block or len(self._rest) > LONGEST_LINE:  # decoding raises the error for a line that is too long
            self._ended = True
            if self._rest:
                self._lines.append(bytes(self._rest))


def number_in(text: str) -> float:
    """The number that a field of a line holds; NaN for other text.

    >>> number_in("-1.5"), number_in("x")
    (-1.5, nan)
    """
    try:
        return float(text)
    except ValueError:
        return math.nan
