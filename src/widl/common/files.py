"""Reading and writing files: strict UTF-8, compression by file name, and outputs that appear only when complete.

A byte-order mark at the beginning of a file is skipped in every format.
"""

import codecs
import contextlib
import errno
import gzip
import io
import logging
import lzma
import os
import shutil
import stat
import sys
import tempfile
import tomllib
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, TextIO, TypeGuard, cast

from xopen import xopen

from widl.common.arguments import PathLike
from widl.common.encodings import FIRST_BYTES, LONGEST_LINE, decoded_line, refuse_other_formats, refuse_unwritten
from widl.common.errors import FileError, InputError, MissingFileError, UnexpectedDirectoryError, WrongTypeError

logger = logging.getLogger(__name__)

Source = PathLike | BinaryIO
"""A file, decompressed if its name says so (`COMPRESSED`), or an open binary stream like ``sys.stdin.buffer``."""

COMPRESSED = {".gz": "gz", ".xz": "xz", ".bz2": "bz2"}
"""Endings of names, and what their files are compressed with."""


def source_name(source: Source) -> str:
    """The source's name in messages."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<stream>"


def standard_input() -> BinaryIO:
    """The bytes of standard input; InputError if the caller closed it."""
    if sys.stdin is None:
        raise InputError("standard input is closed; name a file, or redirect it")
    return sys.stdin.buffer


def check_source(source: object) -> None:
    """Raise WrongTypeError unless the object is a path or has a stream's methods."""
    if not isinstance(source, (str, os.PathLike)) and not (hasattr(source, "read") or hasattr(source, "write")):
        raise WrongTypeError(f"found {type(source).__name__}; pass a path or an open binary stream")


def missing_file(path: Path) -> MissingFileError:
    """The error for a file that does not exist, with advice: a similarly named file in the same folder."""
    close: list[str] = []
    with contextlib.suppress(OSError, ValueError):
        close = get_close_matches(path.name, os.listdir(path.parent), 1, cutoff=0.8)
    return MissingFileError(f"{path}: no such file" + (f"; did you mean {close[0]!r}?" if close else ""))


def file_error(path: Path, purpose: str, error: OSError | ValueError) -> FileError:
    """The InputError for a file that the system doesn't allow us to read or write (`purpose`: "read", "written")."""
    if isinstance(error, FileError):
        return error
    reason = getattr(error, "strerror", None) or str(error)
    if isinstance(error, FileNotFoundError):
        folder = path.parent
        if not folder.is_dir():
            return MissingFileError(f"{path}: can't be {purpose} ({reason}); make the directory {folder} first")
        return missing_file(path)
    return FileError(f"{path}: can't be {purpose} ({reason}); check the name and its permissions")


def check_readable(path: Path) -> None:
    """Raise a FileError unless the path can be opened for reading; a pipe keeps its content; no data are read."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        raise missing_file(path) from None
    except (OSError, ValueError) as error:
        raise file_error(path, "read", error) from None
    if stat.S_ISDIR(status.st_mode):
        raise UnexpectedDirectoryError(f"{path}: a directory, where a file was expected")
    if not os.access(path, os.R_OK):
        raise FileError(f"{path}: can't be read (Permission denied); check its permissions")


@contextlib.contextmanager
def open_source(source: Source) -> Iterator[BinaryIO]:
    """Open a source for reading bytes; a missing file or damaged compression is an error that names it."""
    check_source(source)
    if not isinstance(source, (str, os.PathLike)):
        if _is_regular(source):
            refuse_other_formats(source.peek(FIRST_BYTES)[:FIRST_BYTES], source_name(source))
        yield source
        return
    path = Path(source)
    check_readable(path)
    form = COMPRESSED.get(path.suffix)
    with damage_named(str(path)), xopen(path, "rb", threads=0, format=form) if form else path.open("rb") as stream:
        if form or _is_regular(stream):
            refuse_other_formats(cast(io.BufferedReader, stream).peek(FIRST_BYTES)[:FIRST_BYTES], path)
        yield stream


_IgzipError: type[Exception] = zlib.error
with contextlib.suppress(ImportError):  # xopen uses it to read gzip if a wheel exists
    from isal.isal_zlib import IsalError

    _IgzipError = cast(type[Exception], IsalError)


@contextlib.contextmanager
def damage_named(name: str) -> Iterator[None]:
    """Turn errors of damaged compression into an InputError, for streams read outside the `open_source` block."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, lzma.LZMAError, zlib.error, _IgzipError) as error:
        raise InputError(f"{name}: not a complete compressed file ({error}); make or fetch it again") from None


def _is_regular(stream: object) -> TypeGuard[io.BufferedReader]:
    """Whether a stream reads a regular file: reading ahead in a pipe would consume its data."""
    if not isinstance(stream, io.BufferedReader):
        return False
    with contextlib.suppress(OSError):
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    return False


def read_lines(source: Source) -> Iterator[str]:
    r"""The lines of UTF-8 text, without line ends and byte-order mark.

    A line ends at ``\n`` (or ``\r\n``) only: U+2028, a lone ``\r`` and the like are characters of
    the line; otherwise the two files of a pair could differ in their number of lines.
    """
    name = source_name(source)
    with open_source(source) as stream:
        for number, line in enumerate(bounded_lines(stream), 1):
            yield decoded_line(line, name, number)


def bounded_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream. A line longer than `LONGEST_LINE` is cut to a part that is still too long."""
    return iter(partial(stream.readline, LONGEST_LINE + 1), b"")


def read_blocks(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """The remaining bytes of a buffered stream in blocks of `size` bytes, without a byte-order mark."""
    block = stream.read(size)
    mark = codecs.BOM_UTF8 if block.startswith(codecs.BOM_UTF8) else b""
    while block:
        yield block.removeprefix(mark)
        mark, block = b"", stream.read(size)


def read_own_file(path: Path) -> bytes:
    """The content of a small file that the package itself writes.

    Raises: FileNotFoundError: It does not exist. FileError: It can't be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise file_error(path, "read", error) from None


def read_toml(path: PathLike, expected: str = "") -> dict[str, Any]:
    """The content of a TOML file; InputError, with a description of the `expected` file, for other content."""
    with open_source(path) as stream:
        content = stream.read()
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        decoded_line(content.split(b"\n")[line - 1], os.fspath(path), line)
        raise
    except RecursionError:
        raise InputError(f"{os.fspath(path)}: not TOML: nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        hint = f"; expected {expected}" if expected else ""
        raise InputError(f"{os.fspath(path)}: not TOML: {error}{hint}") from error


@contextlib.contextmanager
def write_text(path: PathLike, *, keep_interrupted: bool = False) -> Iterator[TextIO]:
    """Open a text file for writing; it appears under its name when it is complete, and not at all after an error.

    keep_interrupted: what Ctrl-C interrupts is kept beside it, as ``NAME.partial``, and a warning names that file.

    Lines end in ``\\n`` everywhere; compression follows the name. Named pipes and devices, such as /dev/null, get the
    text as it is written.
    """
    opened = _opened_for_writing(path, keep_interrupted=keep_interrupted)
    with opened as binary, io.TextIOWrapper(binary, encoding="utf-8", newline="\n") as text:
        yield text


@contextlib.contextmanager
def _opened_for_writing(output: PathLike, *, keep_interrupted: bool = False) -> Iterator[BinaryIO]:
    path = Path(output)
    refuse_unwritten(path)
    with _uncompressed(path, keep_interrupted=keep_interrupted) as raw, compressing(raw, path.suffix) as stream:
        yield stream


@contextlib.contextmanager
def compressing(raw: BinaryIO, suffix: str) -> Iterator[BinaryIO]:
    """A stream that compresses into `raw` in the format of this suffix; `raw` itself for any other suffix."""
    if suffix not in COMPRESSED:
        yield raw
        return
    # Always one thread: the compressed bytes depend on the number of threads.
    with xopen(raw, "wb", threads=1, format=COMPRESSED[suffix]) as stream:
        yield stream


@contextlib.contextmanager
def _uncompressed(path: Path, *, keep_interrupted: bool) -> Iterator[BinaryIO]:
    if _is_passing(path):
        try:
            stream = path.open("wb")
        except OSError as error:
            raise file_error(path, "written", error) from None
        with stream:
            yield stream
        return
    with replacing(path, keep_interrupted=keep_interrupted) as temporary, temporary.open("wb") as raw:
        yield raw


def _is_passing(path: Path) -> bool:
    """Whether a path is a pipe, a device, or an open file given by number. Such files must not be replaced."""
    if os.path.abspath(path).startswith(("/dev/fd/", "/dev/std", "/proc/")):
        return True
    with contextlib.suppress(OSError, ValueError):
        return stat.S_ISFIFO(mode := path.stat().st_mode) or stat.S_ISCHR(mode)
    return False


@contextlib.contextmanager
def write_bytes(output: PathLike | BinaryIO) -> Iterator[Callable[[bytes], None]]:
    """A function that writes bytes to a stream, or to a file that appears only when complete; see `write_text`."""
    check_source(output)
    if not isinstance(output, (str, os.PathLike)):
        yield lambda content: cast(None, output.write(content))
        output.flush()
        return
    with _opened_for_writing(output) as stream:
        yield lambda content: cast(None, stream.write(content))


@contextlib.contextmanager
def replacing(output: PathLike, *, keep_interrupted: bool = False) -> Iterator[Path]:
    """Yield a temporary path beside `output`; at the end it is renamed to `output`, after an error it is deleted.

    keep_interrupted: after Ctrl-C it is renamed to ``NAME.partial``, unless it is empty.

    Content and name are on disk when this returns: a power failure leaves the old file or the new one. An output that
    can't be written is a FileError here, before any work is done. A symbolic link is followed to its file.
    """
    path = Path(output)
    try:
        in_the_way = _is_passing(path) or (path.exists() and not path.is_file())
        if path.is_symlink() and not in_the_way:
            path = Path(os.path.realpath(path))
            in_the_way = path.is_symlink()  # a cycle of links
    except (OSError, ValueError) as error:
        raise file_error(path, "written", error) from None
    if in_the_way:
        raise FileError(f"{path}: exists and is not a file; choose another output")
    with temporary_beside(path) as temporary:
        try:
            yield temporary
        except KeyboardInterrupt:
            if keep_interrupted and temporary.stat().st_size:
                partial_file = path.with_name(f"{path.name}.partial")
                os.replace(temporary, partial_file)
                logger.warning("interrupted: %s has the finished lines", partial_file)
            raise
        replace_durably(temporary, path)


def replace_durably(temporary: Path, path: Path) -> None:
    """Rename a complete temporary file to `path`. A power failure leaves the old file or the new one."""
    sync(temporary)
    os.replace(temporary, path)
    sync(path.parent)


def link_or_copy(source: Path, target: Path) -> None:
    """Give a file a second name; copy it if the file system has no hard links, or is a different one."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def sync(path: Path) -> None:
    """Wait until a file's content, or a directory's names, are on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if not (error.errno in (errno.EINVAL, errno.ENOTSUP) and stat.S_ISDIR(os.fstat(handle).st_mode)):
            error.filename = str(path)
            raise  # some file systems can't sync a directory
    finally:
        os.close(handle)


@contextlib.contextmanager
def temporary_beside(path: Path) -> Iterator[Path]:
    """Yield an empty temporary file ``.NAME.tmp`` in the same directory, removed at the end.

    Errors about it name `path`. A file left by a killed process is overwritten.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        try:
            temporary.write_bytes(b"")
        except (OSError, ValueError) as error:
            raise file_error(path, "written", error) from None
        with messages_naming(temporary, path):
            yield temporary
    except OSError as error:
        # The system's error of a failed write has no file name; this package's own errors name it in their text.
        if error.errno is not None and error.filename in (None, str(temporary)):
            error.filename = str(path)
        raise
    finally:  # also if Ctrl-C comes as soon as the file is there
        with contextlib.suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def plain_file(path: PathLike) -> Iterator[Path]:
    """Yield the file itself, or, if needed, a decompressed temporary copy without a byte-order mark."""
    original = Path(path)
    if original.suffix not in COMPRESSED and not _is_marked(original):
        yield original
        return
    with anonymous_file() as (copy, temporary):
        with open_source(original) as stream:
            copy.writelines(read_blocks(stream, 1 << 20))
        copy.flush()
        with messages_naming(temporary, original):
            yield temporary


OPEN_FILES = Path("/proc/self/fd")
"""Where Linux shows the files that this process has opened."""


@contextlib.contextmanager
def anonymous_file() -> Iterator[tuple[BinaryIO, Path]]:
    """A new file in the system's directory for temporary files, and a path that this process can open it by.

    On Linux it has no name, so that the system removes it if the process is killed.
    """
    if not OPEN_FILES.is_dir():  # on macOS /dev/fd shares the place where the next read begins
        with tempfile.NamedTemporaryFile() as named:
            yield cast(BinaryIO, named), Path(named.name)
        return
    with tempfile.TemporaryFile() as nameless:
        yield cast(BinaryIO, nameless), OPEN_FILES / str(nameless.fileno())


def _is_marked(path: Path) -> bool:
    if not path.is_file():  # a pipe can be read only once
        return False
    with path.open("rb") as stream:
        begin = stream.read(FIRST_BYTES)
    refuse_other_formats(begin, path)
    return begin.startswith(codecs.BOM_UTF8)


@contextlib.contextmanager
def messages_naming(temporary: Path, path: Path) -> Iterator[None]:
    """Replace the name of the temporary file by the user's file in InputErrors."""
    try:
        yield
    except InputError as error:
        if str(temporary) not in str(error):
            raise
        raise type(error)(str(error).replace(str(temporary), str(path))) from error


class Closable(ABC):
    """An object with a `close` method, which the end of a ``with`` block calls."""

    @abstractmethod
    def close(self) -> None:
        """Close the files."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
