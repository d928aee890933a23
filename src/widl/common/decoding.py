"""One way from items to results: a front end prepares, searches and finishes items; `decode` does everything around it.

`decode` makes batches, spreads them over threads, processes or machines, keeps the order of the items, and catches
unexpected errors, so that one bad item costs only this item.
"""

import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from widl.common.errors import InputError
from widl.common.workers import BatchSize, Engine, chunked, map_in_order

Item = TypeVar("Item", contravariant=True)
Space = TypeVar("Space")
Options = TypeVar("Options", contravariant=True)
Output = TypeVar("Output", covariant=True)
I = TypeVar("I")  # noqa: E741
R = TypeVar("R")
Sent = TypeVar("Sent")

_IN_PROCESSES = 16  # items per task of a worker process


class FrontEnd(Protocol[Item, Space, Options, Output]):
    """What makes items of one kind into results. It is pickled for other processes; see `opened_once`.

    prepares_in_processes: whether preparing holds the GIL, so that worker processes are used instead of threads.
    """

    prepares_in_processes: ClassVar[bool]

    def prepare(self, items: Sequence[Item], options: Options) -> Sequence[Space]:
        """The search input of each item."""

    def search(self, spaces: Sequence[Space], options: Options, threads: int) -> Sequence[Space]:
        """The inputs with the core's results, searched on some threads."""

    def finish(self, space: Space, options: Options) -> Output:
        """The output of a searched item."""

    def failed(self, item: Item, options: Options, failure: str) -> Output:
        """The output of an item for which a stage raised an unexpected error."""


def decode(front_end: FrontEnd[I, Any, Any, R], items: Iterable[I], options: Any, engine: Engine) -> Iterator[R]:
    """The output of each item, in order, computed wherever `engine` works.

    Raises InputError for invalid options. An unexpected error makes the output of its item the front end's `failed`.
    """
    return engine.map(Decoding(front_end, options), items)


def decode_and_reduce(
    front_end: FrontEnd[I, Any, Any, R], items: Iterable[I], options: Any, engine: Engine, reduce: Callable[[R], Sent]
) -> Iterator[Sent]:
    """Like `decode`, with ``reduce(output)`` in place of each output: other machines send only that. It is pickled."""
    return engine.map(partial(_reduced, Decoding(front_end, options), reduce), items)


def _reduced(
    decoding: "Decoding[I, R]", reduce: Callable[[R], Sent], items: Iterable[I], threads: int
) -> Iterator[Sent]:
    return map(reduce, decoding(items, threads))


@dataclass(frozen=True)
class _Failed:
    """The unexpected error of an item."""

    failure: str


@dataclass(frozen=True)
class Decoding(Generic[I, R]):
    """The work of an engine: decodes a stream of items in this process, on threads or its worker processes."""

    front_end: FrontEnd[I, Any, Any, R]
    options: Any

    def __call__(self, items: Iterable[I], threads: int) -> Iterator[R]:
        """The output of each item, in order."""
        if self.front_end.prepares_in_processes and threads > 1:
            results = map_in_order(partial(_Worker, self), chunked(items, _IN_PROCESSES), threads=threads)
            yield from chain.from_iterable(results)
            return
        size = BatchSize(threads)
        batches = ((batch, self._prepared(batch)) for batch in size.batches(items))
        if threads <= 1:
            for batch, spaces in batches:
                yield from self._finished(batch, self._searched(spaces, 1, size))
            return
        # While one batch is searched by all but one thread, this one prepares the next and finishes the last.
        with ThreadPoolExecutor(1) as searcher:
            pending: deque[tuple[list[I], Future[list[Any]]]] = deque()
            for batch, spaces in batches:
                pending.append((batch, searcher.submit(self._searched, spaces, threads, size)))
                if len(pending) > 2:
                    done, searched = pending.popleft()
                    yield from self._finished(done, searched.result())
            for done, searched in pending:
                yield from self._finished(done, searched.result())

    def _prepared(self, items: Sequence[I]) -> list[Any]:
        return _all_or_each(lambda some: self.front_end.prepare(some, self.options), items)

    def _searched(self, spaces: Sequence[Any], threads: int, size: BatchSize) -> list[Any]:
        start = time.perf_counter()
        sound = [space for space in spaces if not isinstance(space, _Failed)]
        searched = iter(_all_or_each(lambda some: self.front_end.search(some, self.options, threads), sound))
        results = [space if isinstance(space, _Failed) else next(searched) for space in spaces]
        size.took(time.perf_counter() - start)
        return results

    def _finished(self, items: Sequence[I], spaces: Sequence[Any]) -> Iterator[R]:
        for item, space in zip(items, spaces, strict=True):
            [output] = [space] if isinstance(space, _Failed) else _all_or_each(self._finish, [space])
            yield self.front_end.failed(item, self.options, output.failure) if isinstance(output, _Failed) else output

    def _finish(self, spaces: Sequence[Any]) -> list[R]:
        return [self.front_end.finish(space, self.options) for space in spaces]


class _Worker:
    """Decodes lists of items in a worker process."""

    def __init__(self, decoding: Decoding[Any, Any]) -> None:
        self._decoding = decoding

    def __call__(self, items: Sequence[Any]) -> list[Any]:
        """The outputs of some items."""
        return list(self._decoding(items, 1))


def _all_or_each(work: Callable[[Sequence[Any]], Sequence[Any]], items: Sequence[Any]) -> list[Any]:
    """``work(items)``; if it raises an unexpected error, the work on each by itself, and `_Failed` where it raises."""
    if not items:
        return []
    try:
        return list(work(items))
    except (InputError, MemoryError):
        raise
    except Exception as error:  # the wall: any error of a rule costs only its item
        if len(items) == 1:
            return [_Failed(unexpected(error))]
    return [result for item in items for result in _all_or_each(work, [item])]


def unexpected(error: Exception) -> str:
    """One line about an unexpected error: its kind and text, and the function of the package that raised it."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    ours = [frame for frame in frames if frame.f_globals.get("__name__", "").startswith("widl.")]
    place = f"{ours[-1].f_globals['__name__']}.{ours[-1].f_code.co_qualname}" if ours else "the core"
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return f"unexpected error in {place} ({text}); please report it with this input"
