"""Requests processed in batches: order, turns, errors, and requests abandoned by their clients."""

import asyncio
from collections.abc import Iterator, Sequence
from threading import Event

import pytest

from widl.common.errors import InputError
from widl.web.batching import Batcher, QueueFull


class Doubler:
    """Doubles numbers; records its batches. Negative numbers are invalid input."""

    def __init__(self) -> None:
        self.batches: list[tuple[str, list[int]]] = []

    def __call__(self, items: Sequence[int], options: str) -> list[int]:
        self.batches.append((options, list(items)))
        if any(item < 0 for item in items):
            raise InputError("a negative number")
        if 1300 in items:
            raise RuntimeError("broken")
        return [2 * item for item in items]


async def ask(batcher: Batcher[int, str, int], requests: Sequence[tuple[Sequence[int], str]]) -> list[object]:
    """The answers to requests that all arrive before the first is processed."""
    waiting = [asyncio.create_task(batcher.results(items, options)) for items, options in requests]
    await asyncio.sleep(0)
    worker = asyncio.create_task(batcher.run())
    answers = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 60)
    worker.cancel()
    return list(answers)


def answers(requests: Sequence[tuple[Sequence[int], str]], *, most: int = 4, waiting: int = 100):
    doubler = Doubler()

    async def run() -> tuple[list[object], int]:
        batcher: Batcher[int, str, int] = Batcher(doubler, most=most, waiting=waiting)
        return await ask(batcher, requests), batcher.waiting

    result, left = asyncio.run(run())
    assert left == 0
    return result, doubler.batches


def test_requests_with_equal_options_share_batches() -> None:
    result, batches = answers([([1, 2], "a"), ([3], "b"), ([4], "a"), ([], "a")])
    assert result == [[2, 4], [6], [8], []]
    assert batches == [("a", [1, 2, 4]), ("b", [3])]


def test_long_requests_take_turns_with_short_ones() -> None:
    result, batches = answers([(range(6), "a"), ([10], "a"), ([20], "b")], most=2)
    assert result == [[0, 2, 4, 6, 8, 10], [20], [40]]
    assert [options for options, _ in batches] == ["a", "a", "b", "a", "a"]
    assert batches[1] == ("a", [10, 2])


def test_wrong_input_of_one_request_is_not_that_of_others() -> None:
    (first, wrong, last), batches = answers([([1], "a"), ([-1], "a"), ([2], "a")])
    assert (first, last) == ([2], [4])
    assert isinstance(wrong, InputError)
    assert len(batches) == 4


def test_a_fault_is_every_requests_of_the_batch_and_work_goes_on() -> None:
    (first, second, other), _ = answers([([1300], "a"), ([1], "a"), ([1], "b")])
    assert isinstance(first, RuntimeError)
    assert isinstance(second, RuntimeError)
    assert other == [2]


def test_more_than_may_wait() -> None:
    (first, second, third), _ = answers([([1, 2, 3], "a"), ([4, 5], "a"), ([6], "a")], waiting=4)
    assert first == [2, 4, 6]
    assert isinstance(second, QueueFull)
    assert third == [12]


def test_a_request_that_was_taken_back_is_not_worked_on() -> None:
    doubler = Doubler()

    async def run() -> list[int]:
        batcher: Batcher[int, str, int] = Batcher(doubler, most=4, waiting=10)
        gone = asyncio.create_task(batcher.results([7], "a"))
        stays = asyncio.create_task(batcher.results([8], "a"))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        assert batcher.waiting == 1
        worker = asyncio.create_task(batcher.run())
        result = await asyncio.wait_for(stays, 60)
        worker.cancel()
        return result

    assert asyncio.run(run()) == [16]
    assert doubler.batches == [("a", [8])]


def test_work_ends_when_nobody_waits_for_it_any_more() -> None:
    worked: list[int] = []

    async def run() -> list[int]:
        loop = asyncio.get_running_loop()

        def leave() -> None:
            gone.cancel()
            left.set()

        def work(items: Sequence[int], _: str) -> Iterator[int]:
            for item in items:
                worked.append(item)
                if item == 2:
                    loop.call_soon_threadsafe(leave)
                    left.wait(60)
                yield item

        left = Event()
        batcher: Batcher[int, str, int] = Batcher(work, most=100, waiting=100)
        gone = asyncio.create_task(batcher.results(range(50), "a"))
        await asyncio.sleep(0)
        worker = asyncio.create_task(batcher.run())
        await asyncio.gather(gone, return_exceptions=True)
        result = await asyncio.wait_for(batcher.results([60], "a"), 60)
        worker.cancel()
        return result

    assert asyncio.run(run()) == [60]
    assert worked == [0, 1, 2, 60]


@pytest.mark.parametrize("most", [1, 2, 3, 7])
def test_any_size_of_batch_gives_the_same(most: int) -> None:
    requests = [(range(i, i + i % 5), "ab"[i % 2]) for i in range(20)]
    result, batches = answers(requests, most=most, waiting=1000)
    assert result == [[2 * item for item in items] for items, _ in requests]
    assert max(len(items) for _, items in batches) <= most
