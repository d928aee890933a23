"""`decode` with a toy front end: order, batches, errors of stages and of the source, and streams that end early."""

import threading
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import pytest

from widl.common.decoding import decode, decode_and_reduce, unexpected
from widl.common.errors import InputError
from widl.common.workers import LocalEngine


class Doubling:
    """Doubles numbers; `raises` are the stages that raise an `error` for some numbers."""

    prepares_in_processes: ClassVar[bool] = False

    def __init__(self, error: type[Exception] = ZeroDivisionError, **raises: Sequence[int]) -> None:
        self.error = error
        self.raises = raises

    def _stage(self, name: str, numbers: Sequence[int]) -> None:
        if not set(numbers).isdisjoint(self.raises.get(name, ())):
            raise self.error(f"{name} of {list(numbers)}")

    def prepare(self, items: Sequence[int], options: str) -> list[int]:
        self._stage("prepare", items)
        return list(items)

    def search(self, spaces: Sequence[int], options: str, threads: int) -> list[int]:
        self._stage("search", spaces)
        return [2 * space for space in spaces]

    def finish(self, space: int, options: str) -> str:
        self._stage("finish", [space // 2])
        return f"{options}{space}"

    def failed(self, item: int, options: str, failure: str) -> str:
        return f"{item} failed: {failure}"


class InProcesses(Doubling):
    """The same in worker processes."""

    prepares_in_processes: ClassVar[bool] = True


KINDS = [(Doubling, 1), (Doubling, 2), (Doubling, 4), (InProcesses, 1), (InProcesses, 2)]


@pytest.mark.parametrize(("front_end", "threads"), KINDS)
def test_outputs_keep_the_order_of_the_items(front_end: type[Doubling], threads: int) -> None:
    results = list(decode(front_end(), range(100), "=", LocalEngine(threads)))
    assert results == [f"={2 * number}" for number in range(100)]
    reduced = decode_and_reduce(front_end(), range(100), "=", LocalEngine(threads), len)
    assert list(reduced) == list(map(len, results))


@pytest.mark.parametrize("stage", ["prepare", "search", "finish"])
@pytest.mark.parametrize(("front_end", "threads"), KINDS)
def test_an_error_of_a_stage_costs_one_item(front_end: type[Doubling], threads: int, stage: str) -> None:
    results = list(decode(front_end(**{stage: (3, 17)}), range(40), "", LocalEngine(threads)))
    assert [number for number, text in enumerate(results) if "failed" in text] == [3, 17]
    assert [text for text in results if "failed" not in text] == [str(2 * n) for n in range(40) if n not in (3, 17)]
    assert f"ZeroDivisionError: {stage} of [3]" in results[3]


@pytest.mark.parametrize(("front_end", "threads"), KINDS)
def test_an_error_of_the_source_comes_behind_the_outputs_before_it(front_end: type[Doubling], threads: int) -> None:
    def source() -> Iterator[int]:
        yield from range(40)
        raise InputError("line 41 is none")

    stream = decode(front_end(), source(), "", LocalEngine(threads))
    assert [next(stream) for _ in range(40)] == [str(2 * number) for number in range(40)]
    with pytest.raises(InputError, match="line 41 is none"):
        next(stream)


@pytest.mark.parametrize("error", [InputError, MemoryError])
@pytest.mark.parametrize("stage", ["prepare", "search", "finish"])
@pytest.mark.parametrize(("front_end", "threads"), KINDS)
def test_an_error_ends_the_stream_behind_the_outputs_before_it(
    front_end: type[Doubling], threads: int, stage: str, error: type[Exception]
) -> None:
    """As for one item after the other, wherever batches begin."""
    for last in (0, 1, 2, 5, 17):
        stages = front_end(error, **{stage: (last, last + 1, 25)})
        stream = decode(stages, range(40), "", LocalEngine(threads))
        assert [next(stream) for _ in range(last)] == [str(2 * number) for number in range(last)]
        with pytest.raises(error, match=rf"^{stage} of \[{last}\]$"):
            next(stream)
        assert list(stream) == []
        reduced = decode_and_reduce(stages, range(40), "", LocalEngine(threads), len)
        assert [next(reduced) for _ in range(last)] == [len(str(2 * number)) for number in range(last)]
        with pytest.raises(error):
            next(reduced)


def test_the_first_item_that_a_stage_refuses_ends_the_stream() -> None:
    """A later stage may refuse an earlier item of the same batch."""
    for threads in (1, 4):
        stream = decode(Doubling(InputError, prepare=(13,), search=(12,)), range(40), "", LocalEngine(threads))
        assert [next(stream) for _ in range(12)] == [str(2 * number) for number in range(12)]
        with pytest.raises(InputError, match=r"search of \[12\]"):
            next(stream)


class Wrong(Doubling):
    """Raises InputError in the search, as for an invalid option."""

    def search(self, spaces: Sequence[int], options: str, threads: int) -> list[int]:
        raise InputError("a weight is negative")


@pytest.mark.parametrize("threads", [1, 2])
def test_an_invalid_option_ends_the_stream(threads: int) -> None:
    with pytest.raises(InputError, match="a weight is negative"):
        list(decode(Wrong(), range(3), "", LocalEngine(threads)))


@pytest.mark.parametrize("change", [lambda found: [*found, 1], lambda found: found[:-1]])
def test_a_result_too_many_or_too_few_is_an_error_of_its_items(change: Any) -> None:
    class Counting(Doubling):
        def search(self, spaces: Sequence[int], options: str, threads: int) -> list[int]:
            results: list[int] = change(super().search(spaces, options, threads))
            return results

    results = list(decode(Counting(), range(3), "", LocalEngine(1)))
    assert all("results of 1 items" in text for text in results)


def test_a_stream_that_ends_early_does_not_wait_for_its_batches() -> None:
    """The second batch waits for an event that only the end of the stream sets."""
    ended, started = threading.Event(), threading.Event()

    class Slow(Doubling):
        def search(self, spaces: Sequence[int], options: str, threads: int) -> list[int]:
            if spaces[0] > 1:
                started.set()
                ended.wait()
            return super().search(spaces, options, threads)

    stream = decode(Slow(), range(1000), "", LocalEngine(2))
    assert next(stream) == "0"
    started.wait()
    stream.close()  # type: ignore[attr-defined]
    ended.set()


def test_the_place_of_an_unexpected_error() -> None:
    try:
        list(decode(Doubling(), [object()], "", LocalEngine(1)))  # type: ignore[list-item]
        raise RuntimeError("two\nlines")
    except RuntimeError as error:
        assert unexpected(error) == (
            "unexpected error in the core (RuntimeError: two lines); please report it with this input"
        )
