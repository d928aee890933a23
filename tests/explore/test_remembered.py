"""Values that are made once for several threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from widl.explore.examples import EXAMPLES
from widl.explore.remembered import Remembered
from widl.explore.searches import Watched
from widl.explore.workbench import ViewRequest, Workbench

_SECONDS = 60  # in which a thread that is not kept waiting has long answered


def test_only_who_asks_for_the_same_waits() -> None:
    remembered: Remembered[str] = Remembered(4)
    begun, go_on = Event(), Event()
    made: list[str] = []

    def slow() -> str:
        made.append("slow")
        begun.set()
        assert go_on.wait(_SECONDS)
        return "slow"

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(remembered.get, 1, slow)
        assert begun.wait(_SECONDS)
        same = threads.submit(remembered.get, 1, slow)
        assert remembered.get(2, lambda: "fast") == "fast"
        assert not first.done()
        assert not same.done()
        go_on.set()
        assert (first.result(_SECONDS), same.result(_SECONDS)) == ("slow", "slow")
    assert made == ["slow"]


def test_the_last_ones_are_kept() -> None:
    remembered: Remembered[int] = Remembered(2)
    made: list[int] = []

    def make(value: int) -> Callable[[], int]:
        return lambda: made.append(value) or value  # type: ignore[func-returns-value]

    for key in (1, 2, 1, 3, 1, 2):
        assert remembered.get(key, make(key)) == key
    assert made == [1, 2, 3, 2]
    assert len(remembered) == 2


def test_what_fails_is_tried_again() -> None:
    remembered: Remembered[int] = Remembered(2)
    with pytest.raises(ZeroDivisionError):
        remembered.get(1, lambda: 1 // 0)
    assert len(remembered) == 0
    assert remembered.get(1, lambda: 5) == 5


def test_a_long_search_does_not_keep_another_page_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    workbench = Workbench()
    begun, go_on = Event(), Event()
    run = Watched.run
    long = EXAMPLES[1].expression

    def slow(space: object, choice: object) -> Watched:
        found = run(space, choice)  # type: ignore[arg-type]
        if not begun.is_set():
            begun.set()
            assert go_on.wait(_SECONDS)
        return found

    monkeypatch.setattr(Watched, "run", slow)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(workbench.view, ViewRequest(expression=long))
        assert begun.wait(_SECONDS)
        assert workbench.view(ViewRequest()).steps
        assert not first.done()
        go_on.set()
        assert first.result(_SECONDS).steps
