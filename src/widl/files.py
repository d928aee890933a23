"""Text files, read and written the same way everywhere: strict UTF-8, `.gz` by name, whole or not at all."""

import contextlib
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from widl.errors import InputError


def open_bytes(path: Path) -> BinaryIO:
    """The file's bytes, decompressed when its name ends in ``.gz``; a missing file says which and why."""
    if path.is_dir():
        raise IsADirectoryError(f"{path}: a directory, where a text file was expected")
    try:
        return cast(BinaryIO, gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: no such file") from None


def read_lines(path: Path) -> Iterator[str]:
    r"""The lines of a UTF-8 text file, without line ends and byte-order mark.

    A line ends at ``\n`` (or ``\r\n``) only: U+2028, a lone ``\r`` and the like are characters of
    the line, or else the two files of a pair would count differently.
    """
    with open_bytes(path) as stream, _broken_archive(path):
        yield from decode_lines(stream, str(path))


def decode_lines(stream: BinaryIO, name: str) -> Iterator[str]:
    """The lines of an open stream of UTF-8 text, as `read_lines` gives them; errors call it by `name`."""
    for number, line in enumerate(stream, 1):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            found = line[error.start : error.end].hex(" ")
            raise InputError(
                f"{name}:{number}: invalid UTF-8 (bytes {found} at byte {error.start + 1} of the line); "
                "convert the file to UTF-8, for instance with iconv"
            ) from None
        text = text.removesuffix("\n").removesuffix("\r")
        yield text.removeprefix("\ufeff") if number == 1 else text


def count_lines(path: Path) -> int:
    """How many lines `read_lines` gives; much faster, as nothing is decoded."""
    count, last = 0, b"\n"
    with open_bytes(path) as stream, _broken_archive(path):
        while block := stream.read(1 << 20):
            count += block.count(b"\n")
            last = block[-1:]
    return count + (last != b"\n")


@contextlib.contextmanager
def _broken_archive(path: Path) -> Iterator[None]:
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path}: not a complete gzip file ({error}); make or fetch it again") from None


@contextlib.contextmanager
def write_text(path: Path) -> Iterator[TextIO]:
    """A file that appears under its name once all of it is written, and not at all after an error.

    Lines end in ``\\n`` everywhere; a name ending in ``.gz`` is compressed.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with (
            temporary.open("wb") as raw,
            _compressed(raw) if path.suffix == ".gz" else contextlib.nullcontext(raw) as binary,
            io.TextIOWrapper(binary, encoding="utf-8", newline="\n") as text,
        ):
            yield text
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _compressed(raw: BinaryIO) -> BinaryIO:
    # Without name and time inside, equal texts give equal files.
    return cast(BinaryIO, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0))
