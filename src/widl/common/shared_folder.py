"""Files exchanged between an engine's workers and this process, in a folder that all machines share.

Large inputs and results of tasks are files; their names go through the engine. A file is written once, under a unique
name that is announced when the file is complete. A task that is repeated, because its worker was lost, therefore does
no harm.
"""

import pickle
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from widl.common.errors import InputError, MissingFileError
from widl.common.resumable_steps import remove_tree
from widl.common.workers import Engine, Progress, no_progress, opened_once

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class SharedFolder:
    """A folder that all machines reach under the same path."""

    path: Path

    def write(self, kind: str, content: bytes) -> str:
        """Write a new file; its name begins with its `kind`."""
        name = f"{kind}.{uuid4().hex}"
        try:
            (self.path / name).write_bytes(content)
        except FileNotFoundError:
            raise _not_shared(self.path, "no such directory") from None
        except OSError as error:  # a full disk
            error.filename = error.filename or str(self.path)
            raise
        return name

    def read(self, name: str) -> bytes:
        """The content of a file."""
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            raise _not_shared(self.path / name, "no such file") from None

    def discard(self, *names: str) -> None:
        """Remove files that are no longer needed; empty names are ignored."""
        for name in filter(None, names):
            (self.path / name).unlink(missing_ok=True)


def _not_shared(path: Path, what: str) -> InputError:
    return MissingFileError(f"{path}: {what}; all machines must share the folder, under the same path")


@dataclass(frozen=True)
class Exchange:
    """An engine, and the folder that it shares with its workers."""

    engine: Engine
    folder: SharedFolder
    progress: Progress = no_progress

    def map(self, stage: str, work: Callable[[T], R], items: list[T]) -> Iterator[R]:
        """``work(item)`` of each item, in order; both are sent, so they should be small."""
        for done, result in enumerate(self.engine.map(partial(_each, work), items), 1):
            self.progress(stage, done, len(items))
            yield result

    def map_in_order(self, make: Callable[[], Callable[[T], R]], items: Iterable[T]) -> Iterator[R]:
        """Like `widl.common.workers.map_in_order`; a worker process calls ``make()`` once."""
        function = self.folder.write("function", pickle.dumps(make))
        yield from self.engine.map(partial(_each, _Apply(self.folder, function)), items)
        self.folder.discard(function)


@contextmanager
def open_exchange(engine: Engine, folder: Path, progress: Progress = no_progress) -> Iterator[Exchange]:
    """Make an empty folder for the ``with`` block, and remove it at the end. The caller holds the lock."""
    folder = folder.absolute()
    remove_tree(folder)  # a killed process may have left it
    folder.mkdir(parents=True)
    try:
        yield Exchange(engine, SharedFolder(folder), progress)
    finally:
        remove_tree(folder)


@dataclass(frozen=True)
class WorkerTask:
    """Work on a worker with files in a folder that the machines share."""

    folder: SharedFolder


def _each(work: Callable[[T], R], items: Iterable[T], threads: int) -> Iterator[R]:
    """Worker side: does the work for each item of a batch, on several threads."""
    if threads == 1:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(threads) as executor:
        yield from executor.map(work, items)


@dataclass(frozen=True)
class _Apply:
    """On a worker: a pickled function, made once, is applied to items."""

    folder: SharedFolder
    function: str

    def __call__(self, item: Any) -> Any:
        apply, lock = opened_once(self.function, self._made)
        with lock:  # objects made for one thread may not be thread-safe; Python has a lock anyway
            return apply(item)

    def _made(self) -> tuple[Callable[[Any], Any], threading.Lock]:
        return pickle.loads(self.folder.read(self.function))(), threading.Lock()
