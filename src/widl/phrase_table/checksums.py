"""Checks of a phrase table's file: its header, its pages, and the length and checksum that are appended to it."""

import mmap
import os
import struct
import zlib
from pathlib import Path

from widl._core import check_lmdb_pages
from widl.errors import FileError, InputError, MissingFileError
from widl.files import check_readable, unusable_file
from widl.phrase_table.entries import REBUILD

_BLOCK = 1 << 20  # bytes of the file that are read at once

SEAL = struct.Struct("<8sQII")
"""Magic number, length of what comes before, its CRC-32, and the CRC-32 of these three fields."""
_MAGIC = b"widlseal"
_HEADER = 44  # bytes of LMDB's first page that are looked at


def append_checksum(file: Path) -> None:
    """Append the length and the checksum of the file."""
    size = file.stat().st_size
    checksum = checksum_of(file, size)
    start = struct.pack("<8sQI", _MAGIC, size, checksum)
    with file.open("ab") as stream:
        stream.write(start + struct.pack("<I", zlib.crc32(start)))
        stream.flush()
        os.fsync(stream.fileno())


def checksum_of(file: Path, size: int) -> int:
    """CRC-32 of the first `size` bytes."""
    checksum, left = 0, size
    with file.open("rb") as stream:
        while left > 0 and (block := stream.read(min(left, _BLOCK))):
            checksum = zlib.crc32(block, checksum)
            left -= len(block)
    return checksum


def read_checksum(file: Path) -> tuple[int, int] | None:
    """The length and checksum that the file's end states; None if it states none."""
    with file.open("rb") as stream:
        stream.seek(max(0, file.stat().st_size - SEAL.size))
        end = stream.read()
    if len(end) != SEAL.size:
        return None
    magic, size, checksum, check = SEAL.unpack(end)
    return (size, checksum) if magic == _MAGIC and check == zlib.crc32(end[:-4]) else None


def verify_checksum(path: Path) -> None:
    """Raise InputError unless the file has the checksum that it states; version 1 of the format stated none."""
    stated = read_checksum(path)
    if stated is None:
        return
    size, checksum = stated
    if size + SEAL.size != path.stat().st_size or checksum_of(path, size) != checksum:
        raise InputError(f"{path}: damaged phrase table: its checksum is not that of its content; {REBUILD}")


def check_pages(path: Path) -> None:
    """Raise InputError unless LMDB can read the file without ever leaving it: who made it need not be trusted."""
    try:
        with (
            path.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped,
            memoryview(mapped) as content,
        ):
            check_lmdb_pages(content)
    except InputError as error:
        raise InputError(f"{path}: damaged phrase table: {error}; {REBUILD}") from None
    except OSError as error:
        raise unusable_file(path, "read", error) from None


def check_header(path: Path) -> None:
    """Raise InputError unless the file begins as LMDB's files do: LMDB trusts the numbers that it finds there."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except FileNotFoundError:
        raise MissingFileError(f"{path}: there is no phrase table; {REBUILD}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{path}: the phrase table can't be read: {reason}; {REBUILD}") from None
    if not _begins_as_lmdb(header):
        raise InputError(f"{path}: not a phrase table; {REBUILD}")


def is_table(path: Path) -> bool:
    """Whether a file begins as a phrase table does, rather than as Moses' text; FileError if it can't be read."""
    check_readable(path)
    with path.open("rb") as file:
        return _begins_as_lmdb(file.read(_HEADER))


def _begins_as_lmdb(header: bytes) -> bool:
    magic, page_size = struct.unpack("=16xI20xI", header) if len(header) == _HEADER else (0, 0)
    return magic == 0xBEEFC0DE and page_size in (1 << bits for bits in range(9, 17))
