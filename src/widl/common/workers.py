"""Processing a stream of items on threads, in worker processes or on a cluster; results keep the items' order."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, TypeVar

from widl.common.errors import InputError, MissingFileError

T = TypeVar("T")
R = TypeVar("R")


# Called with the name of the stage, the number of items done, and the total number (0: unknown).
Progress = Callable[[str, int, int], None]


def no_progress(stage: str, done: int, total: int) -> None:
    """Ignores all reports of progress."""


def chunked(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items in lists of length `size`; the last list may be shorter."""
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


class BatchSize:
    """Number of items to process at once: few at first, so that the first results come soon, then adapted to the time
    taken.

    Twice as many after a batch of less than half a second, half as many after a batch of more than two seconds. The
    minimum is `threads`, or four times `threads` after the first batches; the maximum is 32 times.
    """

    def __init__(self, threads: int) -> None:
        self._threads = max(threads, 1)
        self.size = self._threads

    def took(self, seconds: float) -> None:
        """Records the seconds that a batch took."""
        if seconds < 0.5:
            self.size = min(2 * self.size, 32 * self._threads)
        elif seconds > 2 and self.size > 4 * self._threads:
            self.size //= 2

    def batches(self, items: Iterable[T]) -> Iterator[list[T]]:
        """The items in lists of the current size."""
        iterator = iter(items)
        while batch := list(islice(iterator, self.size)):
            yield batch


@dataclass(frozen=True)
class Ended:
    """In place of a result: the error that ends the work. Nothing behind it is a result."""

    error: Exception


def up_to_end(results: Iterable[T]) -> Iterator[T]:
    """The results up to the first `Ended`, which is the last."""
    for result in results:
        yield result
        if isinstance(result, Ended):
            return


class Engine(Protocol):
    """Processes a stream: on threads of this process, or on a cluster."""

    def map(self, work: Callable[[Iterable[T], int], Iterable[R]], items: Iterable[T]) -> Iterator[R]:
        """The results of ``work(items, threads)``: one for each item, in order, at most up to an `Ended`.

        The result of an item must not depend on other items: a cluster calls `work` with some of the items at a time,
        in other processes, so `work` is pickled. Pickle its large files as paths; see `opened_once`.
        """


@dataclass(frozen=True)
class LocalEngine:
    """Processes streams in this process, on `threads` threads."""

    threads: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.threads, bool) or not isinstance(self.threads, int) or self.threads < 1:
            raise InputError(f"threads: expected a whole number from 1, found {self.threads!r}")

    def map(self, work: Callable[[Iterable[T], int], Iterable[R]], items: Iterable[T]) -> Iterator[R]:
        """The results of a single call of `work` with the whole stream."""
        return iter(work(items, self.threads))


_OPEN = 2
_opened: OrderedDict[tuple[Hashable, ...], Any] = OrderedDict()
_opening = threading.Lock()


def opened_once(name: Hashable, make: Callable[[], R], files: Iterable[Path] = ()) -> R:
    """The result of ``make()``, such as an open model; this process keeps the last two, by name and times of `files`.

    Consecutive tasks of a worker thus share the opened objects, also across threads.
    """
    try:
        key = (name, *((file, file.stat().st_mtime_ns) for file in files))
    except FileNotFoundError as error:
        raise MissingFileError(f"{error.filename}: no such file; it must have the same path on every machine") from None
    with _opening:
        if key not in _opened:
            while len(_opened) >= _OPEN:
                _opened.popitem(last=False)
            _opened[key] = make()
        _opened.move_to_end(key)
        result: R = _opened[key]
        return result


def forget(name: Hashable) -> None:
    """Drop what `opened_once` made under a name, to free its memory."""
    with _opening:
        for key in [key for key in _opened if key[0] == name]:
            del _opened[key]


def map_in_order(make: Callable[[], Callable[[T], R]], items: Iterable[T], *, threads: int) -> Iterator[R]:
    """``make()(item)`` for each item, in order, on `threads` worker processes.

    Each worker calls `make` once; with one thread, or one item, all work is done in this process. At most
    2 `threads` + 1 items are read ahead of the results, so streams may have any length. An exception, Ctrl-C or
    the end of this process ends the workers. `make` and the items are pickled: workers are spawned, not forked,
    because a fork of a process with threads (the progress bar's, the core's) may deadlock. Workers do not import the
    program that started them, so it needs no ``__main__`` guard.
    """
    iterator = iter(items)
    first = list(islice(iterator, 2))
    if threads <= 1 or len(first) < 2:  # a single item would only wait for workers to start
        yield from map(make(), chain(first, iterator))
        return
    items = chain(first, iterator)
    context = _Context()
    executor = ProcessPoolExecutor(threads, context, initializer=_start_worker, initargs=(make,))
    pending: deque[Future[R]] = deque()
    try:
        for item in items:
            pending.append(executor.submit(_work, item))
            if len(pending) > 2 * threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    except BrokenProcessPool:
        raise OSError(
            "a worker process was killed, perhaps out of memory; run the same command again, with fewer threads"
        ) from None
    except BaseException:  # Ctrl-C, an error, or the end of the caller's loop
        context.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


@contextmanager
def not_interrupted() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block; threads and processes started in it never receive the signal.

    The mask alone would not do: another thread may receive the signal, and Python raises the error in the main thread.
    """
    resource_tracker.ensure_running()  # it starts with the first process, and would unblock the signal there
    received: list[int] = []
    before = signal.getsignal(signal.SIGINT)  # ignored, as in a background job of a shell?
    delayed = threading.current_thread() is threading.main_thread() and before is not signal.SIG_IGN
    if delayed:
        signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if delayed:
            signal.signal(signal.SIGINT, before)
    if received:
        raise KeyboardInterrupt


class _Process(SpawnProcess):
    """Starts the process without importing the caller's `__main__`."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process_obj)
        finally:
            sys.modules["__main__"] = main

    def start(self) -> None:
        """Start without Ctrl-C in between: a process whose start is cut short would not be ended."""
        with not_interrupted():
            super().start()


class _Context(SpawnContext):
    """Starts such processes, and ends them."""

    def __init__(self) -> None:
        super().__init__()
        self._started: list[_Process] = []

    def Process(self, *args: Any, **named: Any) -> _Process:  # type: ignore[override]
        """A process that has not started yet."""
        self._started.append(process := _Process(*args, **named))
        return process

    def terminate(self) -> None:
        """End all processes, also in the middle of an item."""
        for process in self._started:
            if process.pid is not None:
                process.terminate()


_make: Callable[[], Callable[[Any], Any]]
_worker: Callable[[Any], Any] | None = None


def _start_worker(make: Callable[[], Callable[[Any], Any]]) -> None:
    global _make
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _make = make


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def _work(item: Any) -> Any:
    global _worker
    if _worker is None:  # called here, so that its errors reach the parent like any other error
        _worker = _make()
    return _worker(item)
