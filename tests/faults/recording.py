"""What `intercept.c` recorded of a command, and what of it a disk holds after a loss of power."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Call:
    """A call that succeeded."""

    number: int
    kind: str
    inode: int
    offset: int
    """Of a write where it begins, of a truncation the new size."""
    first: str
    second: str
    content: bytes


def read_record(log: Path) -> Iterator[Call]:
    """The calls in their order; a write from several buffers is several calls of one number."""
    with log.open("rb") as file:
        while line := file.readline():
            number, kind, inode, offset, size, first, second = line.decode().rstrip("\n").split("\t")
            content = file.read(int(size)) if kind == "write" else b""
            yield Call(int(number), kind, int(inode), int(offset), first, second, content)
