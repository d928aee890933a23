"""One way from items to results: a front end prepares, searches and finishes items; `decode` does everything around it.

`decode` makes batches, spreads them over threads, processes or machines, keeps the order of the items, and catches
unexpected errors, so that one bad item costs only this item.
"""

import logging
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from threading import Event
from typing import Any, ClassVar, Generic, NoReturn, Protocol, TypeVar

from widl._core import interrupt_searches
from widl.common.errors import InputError, WrongTypeError, error_text
from widl.common.workers import BatchSize, Ended, Engine, map_in_order, up_to_end

Item = TypeVar("Item", contravariant=True)
Prepared = TypeVar("Prepared")
Options = TypeVar("Options", contravariant=True)
Output = TypeVar("Output", covariant=True)
I = TypeVar("I")  # noqa: E741
R = TypeVar("R")
Sent = TypeVar("Sent")

logger = logging.getLogger(__name__)

_LARGEST_TASK = 16  # items of a worker process
_AGAIN = 0.05  # seconds until searches are asked again to end


class FrontEnd(Protocol[Item, Prepared, Options, Output]):
    """An object that makes items of one kind into results. It is pickled for other processes; see `opened_once`.

    An InputError or MemoryError of a stage ends the whole stream, behind the outputs of the items before: it is for
    options and models. A front end turns an InputError that concerns one item into the item's output. Any other error
    costs one item.

    prepares_in_processes: whether preparing holds the GIL, so that worker processes are used instead of threads.
    """

    prepares_in_processes: ClassVar[bool]

    def prepare(self, items: Sequence[Item], options: Options) -> Sequence[Prepared]:
        """The search input of each item."""

    def search(self, spaces: Sequence[Prepared], options: Options, threads: int) -> Sequence[Prepared]:
        """The inputs with the core's results, searched on some threads."""

    def finish(self, prepared: Prepared, options: Options) -> Output:
        """The output of a searched item."""

    def failed(self, item: Item, options: Options, failure: str) -> Output:
        """The output of an item for which a stage raised an unexpected error."""


def decode(front_end: FrontEnd[I, Any, Any, R], items: Iterable[I], options: Any, engine: Engine) -> Iterator[R]:
    """The output of each item, in order, computed wherever `engine` works.

    `options` are resolved. An unexpected error makes the output of its item the front end's `failed`. If `items` itself
    raises, or an error ends the stream, all outputs of the items before come first, whatever the engine.
    """
    source = _Source(items)
    return OneByOne(engine.map(Stages(front_end, options), source), source)


class _Source(Generic[I]):
    """The items up to the end, or up to an error, which waits until the items before are finished."""

    def __init__(self, items: Iterable[I]) -> None:
        self._items = items
        self._error: Exception | None = None

    def __iter__(self) -> Iterator[I]:
        try:
            yield from self._items
        except Exception as error:
            self._error = error

    def raise_error(self) -> None:
        """Raises the error that ended the items, if there was one, once."""
        error, self._error = self._error, None
        if error is not None:
            raise error


class OneByOne(Iterator[R]):
    """Outputs that are made when they are asked for."""

    def __init__(self, outputs: Iterator[R | Ended], source: _Source[Any]) -> None:
        self._outputs = outputs
        self._source = source

    def __next__(self) -> R:
        output = next(self._outputs, self._source)
        if isinstance(output, _Source):
            output.raise_error()
            raise StopIteration
        if isinstance(output, Ended):
            self.close()
            raise output.error
        return output

    def __getitem__(self, index: object) -> NoReturn:
        """WrongTypeError that says what to write instead."""
        remedy = f"write list(results)[{index!r}], next(results) or a for loop"
        raise WrongTypeError(f"results are made one by one: {remedy}")

    def close(self) -> None:
        """Ends the work."""
        close = getattr(self._outputs, "close", None)
        if close is not None:
            close()


def decode_and_reduce(
    front_end: FrontEnd[I, Any, Any, R], items: Iterable[I], options: Any, engine: Engine, reduce: Callable[[R], Sent]
) -> Iterator[Sent]:
    """Like `decode`, with ``reduce(output)`` in place of each output: other machines send only that. It is pickled."""
    source = _Source(items)
    return OneByOne(engine.map(partial(_reduced, Stages(front_end, options), reduce), source), source)


def _reduced(
    stages: "Stages[I, R]", reduce: Callable[[R], Sent], items: Iterable[I], threads: int
) -> Iterator[Sent | Ended]:
    for output in stages(items, threads):
        yield output if isinstance(output, Ended) else reduce(output)


@dataclass(frozen=True)
class _Failed:
    """The unexpected error of an item."""

    failure: str


class _Searcher:
    """A thread that searches, one batch after another.

    It knows itself whether it searches: Ctrl-C may come when a search has begun that its caller has not heard of yet.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._stopping, self._idle = Event(), Event()
        self._idle.set()

    def submit(self, search: Callable[[], list[Any]]) -> Future[list[Any]]:
        """Searches when the searches before have ended."""
        return self._thread.submit(self._run, search)

    def stop(self) -> None:
        """Ends the search that runs, and begins no other one."""
        self._stopping.set()
        self.close()
        while not self._idle.is_set():
            interrupt_searches()
            self._idle.wait(_AGAIN)  # a search that begins just after a request needs another one

    def close(self) -> None:
        """Begins no other search, without waiting."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _run(self, search: Callable[[], list[Any]]) -> list[Any]:
        self._idle.clear()
        try:
            return [] if self._stopping.is_set() else search()
        finally:
            self._idle.set()


@dataclass(frozen=True)
class Stages(Generic[I, R]):
    """The stages of a front end, on a stream of items in this process, on threads or its worker processes."""

    front_end: FrontEnd[I, Any, Any, R]
    options: Any

    def __call__(self, items: Iterable[I], threads: int) -> Iterator[R | Ended]:
        """The output of each item, in order; `Ended` at the item whose error ends the stream."""
        if threads <= 1:
            size = BatchSize(1)
            for batch in size.batches(items):
                start = time.perf_counter()
                searched = self._searched(self._prepared(batch), 1)
                size.took(time.perf_counter() - start)
                yield from self._finished(batch, searched)
        elif self.front_end.prepares_in_processes:
            make = partial(_Worker, self)
            yield from chain.from_iterable(map_in_order(make, _growing_tasks(items), threads=threads))
        else:
            yield from self._on_threads(items, threads)

    def _on_threads(self, items: Iterable[I], threads: int) -> Iterator[R | Ended]:
        """While one batch is searched, this thread prepares the next ones and finishes the last."""
        size = BatchSize(threads)
        pending: deque[tuple[list[I], Future[list[Any]]]] = deque()
        searcher = _Searcher()
        try:
            for batch in size.batches(items):
                search = partial(self._timed_search, self._prepared(batch), threads, size)
                pending.append((batch, searcher.submit(search)))
                if len(pending) > 2:
                    yield from self._finished_first(pending)
            while pending:
                yield from self._finished_first(pending)
        except (KeyboardInterrupt, SystemExit):  # signals reach the main thread alone, not the searcher's
            searcher.stop()
            raise
        finally:  # the end of the caller's loop does not wait for batches
            searcher.close()

    def _finished_first(self, pending: deque[tuple[list[I], Future[list[Any]]]]) -> Iterator[R | Ended]:
        """The outputs of the first batch."""
        batch, search = pending.popleft()
        yield from self._finished(batch, search.result())

    def _timed_search(self, spaces: Sequence[Any], threads: int, size: BatchSize) -> list[Any]:
        start = time.perf_counter()
        results = self._searched(spaces, threads)
        size.took(time.perf_counter() - start)
        return results

    def _prepared(self, items: Sequence[I]) -> list[Any]:
        return _all_or_each(lambda some: self.front_end.prepare(some, self.options), items)

    def _searched(self, spaces: Sequence[Any], threads: int) -> list[Any]:
        sound = [space for space in spaces if not isinstance(space, _Failed | Ended)]
        searched = iter(_all_or_each(lambda some: self.front_end.search(some, self.options, threads), sound))
        merged = (space if isinstance(space, _Failed | Ended) else next(searched) for space in spaces)
        return list(up_to_end(merged))

    def _finished(self, items: Sequence[I], spaces: Sequence[Any]) -> Iterator[R | Ended]:
        for item, space in zip(items, spaces, strict=False):  # at the end of the stream items have no spaces
            output = space
            if not isinstance(space, _Failed | Ended):
                [output] = _all_or_each(lambda some: [self.front_end.finish(some[0], self.options)], [space])
            if isinstance(output, Ended):
                yield output
                return
            yield self.front_end.failed(item, self.options, output.failure) if isinstance(output, _Failed) else output


class _Worker:
    """Runs the stages on lists of items in a worker process."""

    def __init__(self, stages: Stages[Any, Any]) -> None:
        self._stages = stages

    def __call__(self, items: Sequence[Any]) -> list[Any]:
        """The outputs of some items, up to the end of the stream."""
        return list(up_to_end(self._stages(items, 1)))


def _growing_tasks(items: Iterable[I]) -> Iterator[list[I]]:
    """The items in lists of 1, 2, 4 … items, so that few items use all worker processes."""
    iterator, size = iter(items), 1
    while task := list(islice(iterator, size)):
        yield task
        size = min(2 * size, _LARGEST_TASK)


def _all_or_each(work: Callable[[Sequence[Any]], Sequence[Any]], items: Sequence[Any]) -> list[Any]:
    """``work(items)``; if it raises, the work on each by itself, with `_Failed` or, as the last, `Ended` where it
    raises again.
    """
    if not items:
        return []
    try:
        results = list(work(items))
        if len(results) != len(items):
            raise RuntimeError(f"{len(results)} results of {len(items)} items")
        return results
    except Exception as error:
        if len(items) == 1:
            return [_instead_of_output(error)]
    return list(up_to_end(result for item in items for result in _all_or_each(work, [item])))


def _instead_of_output(error: Exception) -> "_Failed | Ended":
    if isinstance(error, InputError | MemoryError):
        return Ended(error)
    logger.debug("unexpected error", exc_info=error)  # a fault in a rule, or anywhere else, costs one item
    return _Failed(unexpected(error))


def unexpected(error: Exception) -> str:
    """One line about an unexpected error: its kind and text, and the function of the package that raised it."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    ours = [frame for frame in frames if frame.f_globals.get("__name__", "").startswith("widl.")]
    location = f"{ours[-1].f_globals['__name__']}.{ours[-1].f_code.co_qualname}" if ours else "the core"
    return f"unexpected error in {location} ({error_text(error)}); please report it with this input"
