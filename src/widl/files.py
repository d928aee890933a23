"""Files as the commands read and write them: ``.gz`` anywhere, and nothing half-written."""

import contextlib
import gzip
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from widl.errors import InputError

Source = str | os.PathLike[str] | BinaryIO
"""A file, decompressed when its name ends in ``.gz``, or an open binary stream like ``sys.stdin.buffer``."""


def source_name(source: Source) -> str:
    """Return what messages call the source."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<stream>"


@contextlib.contextmanager
def open_source(source: Source) -> Iterator[BinaryIO]:
    """Open a source for reading bytes; damaged compression is an InputError that names the file."""
    if not isinstance(source, (str, os.PathLike)):
        yield source
        return
    path = Path(source)
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            yield cast(BinaryIO, stream)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path}: not a whole gzip file ({error})") from error


@contextlib.contextmanager
def replacing(output: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside `output` that takes its place at the end, or vanishes on any error.

    An output that can't be written is an OSError here, before any work is done.
    """
    path = Path(output)
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: exists and is not a file; choose another output")
    with temporary_beside(path) as temporary:
        yield temporary
        os.replace(temporary, path)


@contextlib.contextmanager
def temporary_beside(path: Path) -> Iterator[Path]:
    """Give an empty file in the same folder; afterwards it is gone. Errors about it name `path`."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:
        error.filename = str(path)
        raise
    temporary = Path(name)
    try:
        # mkstemp makes files that only their owner can read.
        os.umask(umask := os.umask(0))
        os.fchmod(handle, 0o666 & ~umask)
        os.close(handle)
        with messages_naming(temporary, path):
            yield temporary
    except OSError as error:
        if error.filename in (None, name):
            error.filename = str(path)
        raise
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def decompressed(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give the file itself, or a temporary decompressed copy when its name ends in ``.gz``."""
    original = Path(path)
    if original.suffix != ".gz":
        yield original
        return
    with tempfile.NamedTemporaryFile(prefix=f"{original.stem}.") as copy:
        with open_source(original) as stream:
            shutil.copyfileobj(stream, cast(IO[bytes], copy), 1 << 20)
        copy.flush()
        with messages_naming(Path(copy.name), original):
            yield Path(copy.name)


@contextlib.contextmanager
def messages_naming(temporary: Path, path: Path) -> Iterator[None]:
    """Let InputErrors about the temporary file speak of the file that the user knows."""
    try:
        yield
    except InputError as error:
        raise InputError(str(error).replace(str(temporary), str(path))) from error
