"""Work on an engine whose items and results are files that all machines share; only their names are sent.

A file is written once, under a name of its own, which is told when it is complete: a task that is done twice, because
its worker was lost or seemed to be, does no harm. The name has the digest of the content, so that a file that was
damaged, or that someone else put there, is refused before it is read as a pickle.
"""

import hashlib
import pickle
import platform
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar
from uuid import uuid4

from widl.errors import InputError, MissingFileError
from widl.hashing import digest
from widl.jobs import remove_tree
from widl.workers import Engine, opened_once

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class SharedFolder:
    """A folder of files: an absolute path, or an address that fsspec knows, such as ``s3://bucket/folder``."""

    address: str

    @classmethod
    def of(cls, address: str) -> Self:
        """A path is made absolute."""
        return cls(address if "://" in address else str(Path(address).absolute()))

    def make(self) -> None:
        """Make the folder, empty."""
        self.remove()
        if self._is_path:
            try:
                Path(self.address).mkdir(parents=True)
            except OSError as error:
                raise InputError(
                    f"{self.address}: can't be made ({error.strerror}); name a folder that all machines can write to"
                ) from None
        else:
            self._remote("made", lambda system, path: system.makedirs(path, exist_ok=True))

    def remove(self) -> None:
        """Remove the folder, if it is there, and all its files."""
        if self._is_path:
            remove_tree(Path(self.address))
        else:
            self._remote("removed", lambda system, path: system.exists(path) and system.rm(path, recursive=True))

    def write(self, kind: str, content: bytes) -> str:
        """Write a new file; its name begins with its `kind`."""
        name = f"{kind}.{uuid4().hex}.{hashlib.sha256(content).hexdigest()}"
        if self._is_path:
            try:
                Path(self.address, name).write_bytes(content)
            except FileNotFoundError:
                raise self._missing(self.address, "no such directory") from None
        else:
            self._remote("written", lambda system, path: system.pipe_file(f"{path}/{name}", content))
        return name

    def read(self, name: str) -> bytes:
        """The content of a file; InputError if it is not what was written."""
        content = self._content(name)
        if hashlib.sha256(content).hexdigest() != name.rpartition(".")[2]:
            raise InputError(
                f"{self.address}/{name}: damaged, or written by someone else; see who uses the folder, run again"
            )
        return content

    def write_object(self, kind: str, value: object) -> str:
        """Write a value for others of the same work, as a pickle."""
        return self.write(kind, pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL))

    def read_object(self, name: str) -> Any:
        """The value of a file that `write_object` has written, which its name proves."""
        return pickle.loads(self.read(name))

    def discard(self, name: str) -> None:
        """Remove a file that nobody will read again; no name, no file."""
        if not name:
            return
        if self._is_path:
            Path(self.address, name).unlink(missing_ok=True)
        else:
            self._remote("removed", lambda system, path: system.rm_file(f"{path}/{name}"))

    def _content(self, name: str) -> bytes:
        if not self._is_path:
            content: bytes = self._remote("read", lambda system, path: system.cat_file(f"{path}/{name}"))
            return content
        path = Path(self.address, name)
        try:
            return path.read_bytes()
        except FileNotFoundError:
            raise self._missing(str(path), "no such file") from None

    @property
    def _is_path(self) -> bool:
        return "://" not in self.address

    def _missing(self, path: str, what: str) -> InputError:
        return MissingFileError(f"{path}: {what}; all machines must share the folder, under the same path")

    def _remote(self, done: str, what: Callable[[Any, str], Any]) -> Any:
        """What is done with the file system of the address, and the path in it; any failure is an InputError."""
        try:
            import fsspec

            return what(*fsspec.core.url_to_fs(self.address))
        except Exception as error:  # each file system has errors of its own
            reason = " ".join(str(error).split()) or type(error).__name__
            raise InputError(f"{self.address}: can't be {done}: {reason}") from None


@dataclass(frozen=True)
class SharedWork:
    """An engine, and the folder that it shares with its workers."""

    engine: Engine
    folder: SharedFolder

    def map_in_order(self, make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
        """As `widl.workers.map_in_order`; a worker process calls ``make()`` once."""
        function = self.folder.write_object("function", make)
        yield from self.map(_Apply(self.folder, function), items)
        self.folder.discard(function)

    def map(self, work: Callable[[T, int], R], items: Iterable[T]) -> Iterator[R]:
        """``work(item, threads)`` of each item, in order; `work` itself is sent, so it should be small."""
        folder = self.folder
        names: deque[str] = deque()

        def written() -> Iterator[str]:
            for item in items:
                names.append(folder.write_object("item", item))
                yield names[-1]

        for result in self.engine.map(_OnFiles(folder, work), written()):
            yield folder.read_object(result)
            folder.discard(result)
            folder.discard(names.popleft())


@contextmanager
def shared_work(engine: Engine, folder: Path, address: str | None = None) -> Iterator[SharedWork]:
    """Share `folder`, or a folder of its own in `address`, while the work is done; then it is removed.

    What a killed process left is removed first. Its lock, if it needs one, is the caller's.
    """
    if address is None:
        shared = SharedFolder.of(str(folder))
    elif not address.strip():
        raise InputError("the folder to share has no name; give a path or an address such as s3://bucket/folder")
    else:
        name = f"widl-{digest(str(folder.absolute()))[:16]}"
        shared = SharedFolder.of(f"{address.rstrip('/')}/{name}")
    shared.make()
    try:
        yield SharedWork(engine, shared)
    finally:
        shared.remove()


@dataclass(frozen=True)
class OnWorker:
    """Work on a worker with files in a folder that the machines share."""

    folder: SharedFolder
    processor: str = field(default_factory=platform.machine, kw_only=True)

    def check(self) -> None:
        """InputError unless this machine's processor is of the same kind as that where the work began."""
        here = platform.machine()
        if here != self.processor:
            raise InputError(
                f"the processor here is {here}, but {self.processor} where the work began; numbers could differ in the "
                "last digit, so use machines of one kind"
            )


@dataclass(frozen=True)
class _OnFiles:
    """On a worker: items and results are pickles in files."""

    folder: SharedFolder
    work: Callable[[Any, int], Any]

    def __call__(self, items: Iterable[str], threads: int) -> Iterator[str]:
        for name in items:
            result = self.work(self.folder.read_object(name), threads)
            yield self.folder.write_object("result", result)


@dataclass(frozen=True)
class _Apply:
    """On a worker: a pickled function, made once, is applied to items."""

    folder: SharedFolder
    function: str

    def __call__(self, item: Any, _threads: int) -> Any:
        apply, lock = opened_once(self.function, self._made)
        with lock:  # what was made for one thread may not know of others; Python has a lock anyway
            return apply(item)

    def _made(self) -> tuple[Callable[[Any], Any], threading.Lock]:
        return self.folder.read_object(self.function)(), threading.Lock()
