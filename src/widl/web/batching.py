"""Batching: requests that arrive while others are being processed are processed together."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from widl.common.errors import InputError

I = TypeVar("I")  # noqa: E741  an item, as in widl.common.workers
O = TypeVar("O")  # noqa: E741  options
R = TypeVar("R")

Work = Callable[[Sequence[I], O], Iterable[R]]
"""Results for items under options, one per item, as they are requested; InputError for an item without a result."""


class QueueFull(Exception):
    """More items are waiting than allowed."""


@dataclass
class _Request(Generic[I, O, R]):
    items: Sequence[I]
    options: O
    done: "asyncio.Future[list[R]]"
    results: list[R] = field(default_factory=list)
    begun: int = 0  # items being processed or finished


class Batcher(Generic[I, O, R]):
    """Gathers the items of requests with equal options, at most `most` at a time; one thread processes them.

    No request waits for a batch to fill: a batch contains the items that arrived while the previous one was processed.
    Requests take turns, so that a long one does not keep short ones waiting. At most `waiting` items wait; further ones
    raise `QueueFull`.
    """

    def __init__(self, work: Work[I, O, R], *, most: int, waiting: int) -> None:
        self._work, self._most, self._may_wait = work, most, waiting
        self._queue: deque[_Request[I, O, R]] = deque()
        self._arrived = asyncio.Event()
        self.waiting = 0

    async def results(self, items: Sequence[I], options: O) -> list[R]:
        """The results of a request's items, in order; canceling the wait withdraws the request."""
        if not items:
            return []
        if self.waiting + len(items) > self._may_wait:
            raise QueueFull
        request: _Request[I, O, R] = _Request(items, options, asyncio.get_running_loop().create_future())
        self._queue.append(request)
        self.waiting += len(items)
        self._arrived.set()
        try:
            return await request.done
        finally:
            self.waiting -= len(items)

    async def run(self) -> None:
        """Work until canceled."""
        while True:
            await self._arrived.wait()
            batch = self._next_batch()
            if not batch:
                self._arrived.clear()
                continue
            await self._finish(batch)

    def _next_batch(self) -> list[tuple[_Request[I, O, R], Sequence[I]]]:
        """The next requests with equal options, and their items in this batch; requests with more items move to the
        end."""
        batch: list[tuple[_Request[I, O, R], Sequence[I]]] = []
        others: list[_Request[I, O, R]] = []
        unfinished: list[_Request[I, O, R]] = []
        room = self._most
        while self._queue and room:
            request = self._queue.popleft()
            if request.done.done():  # canceled by the client
                continue
            if batch and request.options != batch[0][0].options:
                others.append(request)
                continue
            items = request.items[request.begun : request.begun + room]
            request.begun += len(items)
            room -= len(items)
            batch.append((request, items))
            if request.begun < len(request.items):
                unfinished.append(request)
        self._queue.extendleft(reversed(others))
        self._queue.extend(unfinished)
        return batch

    async def _finish(self, batch: list[tuple[_Request[I, O, R], Sequence[I]]]) -> None:
        options = batch[0][0].options
        try:
            results = await asyncio.to_thread(self._results, batch, options)
        except InputError as error:
            if len(batch) == 1:
                self._fail(batch[0][0], error)
                return
            for item in batch:  # the other requests' items are not affected
                await self._finish([item])
            return
        except Exception as error:
            for request, _ in batch:
                self._fail(request, error)
            return
        begin = 0
        for request, items in batch:
            request.results += results[begin : begin + len(items)]
            begin += len(items)
            if len(request.results) == len(request.items) and not request.done.done():
                request.done.set_result(request.results)

    def _results(self, batch: list[tuple[_Request[I, O, R], Sequence[I]]], options: O) -> list[R]:
        """Runs in a thread: the results of a batch, or only the first results if all its requests are canceled."""
        results = []
        for result in self._work([item for _, items in batch for item in items], options):
            results.append(result)
            if all(request.done.done() for request, _ in batch):
                break
        return results

    def _fail(self, request: _Request[I, O, R], error: Exception) -> None:
        if not request.done.done():
            request.done.set_exception(error)
