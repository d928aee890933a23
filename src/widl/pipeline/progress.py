"""Progress of long jobs on stderr; the jobs themselves only call a `Progress`."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from widl.common.workers import Progress, no_progress

_SHOWN = 8  # maximum number of other bars
_FIRST_IN_LOG = 30.0  # seconds
_LONGEST_IN_LOG = 120.0  # seconds between two lines


@contextmanager
def progress_bars(*, quiet: bool = False) -> Iterator[Progress]:
    """A progress bar for each stage if stderr is a terminal, else `stages_in_log`; none if quiet."""
    if quiet:
        yield no_progress
    elif sys.stderr.isatty():
        with _bars() as report:
            yield report
    else:
        yield stages_in_log()


@contextmanager
def _bars() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    left = TimeRemainingColumn(elapsed_when_finished=True)
    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), left)
    with Bars(*columns, console=Console(stderr=True), redirect_stdout=False) as bars:
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                for old in list(tasks.values())[:-_SHOWN]:  # a terminal can't draw more bars than it has lines
                    bars.update(old, visible=False)
                tasks[stage] = bars.add_task(stage, total=total or None)
            bars.update(tasks[stage], completed=done, total=total or None, visible=True)

        yield report


def stages_in_log(clock: Callable[[], float] = time.monotonic) -> Progress:
    """A line for each finished stage, and for a stage under way at 30 seconds, a minute, two minutes, then every two.

    The lines say how long a stage took, and how long it still takes at the same pace.
    """
    finished: set[str] = set()
    begun: dict[str, tuple[float, int]] = {}
    waits: dict[str, float] = {}

    def report(stage: str, done: int, total: int) -> None:
        if stage in finished:
            return
        now = clock()
        start, first = begun.setdefault(stage, (now, done))  # a resumed stage has a part that took no time
        seconds = now - start
        if total and done >= total:
            finished.add(stage)
            took = f", {_duration(seconds)}" if seconds >= 1 else ""
            sys.stderr.write(f"{stage}: done ({total:,}{took})\n")
        elif seconds >= waits.get(stage, _FIRST_IN_LOG):
            waits[stage] = seconds + min(seconds, _LONGEST_IN_LOG)
            left = _left(done - first, total - first, seconds)
            sys.stderr.write(f"{stage}: {done:,} {f'of {total:,}' if total else 'so far'}{left}\n")

    return report


def _left(done: int, total: int, seconds: float) -> str:
    """The time that the rest takes at the pace so far; empty if unknown."""
    return f", about {_duration(seconds * (total - done) / done)} left" if 0 < done < total else ""


def _duration(seconds: float) -> str:
    """A duration in the largest unit that it has at least twice.

    >>> _duration(0.4), _duration(90), _duration(4000), _duration(9000)
    ('0 s', '90 s', '67 min', '2.5 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


class ItemCounter:
    """Counts items that a command has read and written, on stderr, after the first two seconds.

    On a terminal, the count is one changing line; in a log, it is a line at 30 seconds, a minute, two minutes, then
    every two. `notify` writes a message in between.
    """

    _FIRST, _INTERVAL = 2.0, 0.25  # seconds, on a terminal

    def __init__(
        self, what: str, total: int = 0, *, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._what, self._total, self._clock = what, total, clock
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._start = clock()
        self._next = self._start + (self._FIRST if self._live else _FIRST_IN_LOG)
        self._shown = False
        self.done = 0

    def step(self) -> None:
        """One more is done."""
        self.done += 1
        now = self._clock()
        if now < self._next:
            return
        seconds = now - self._start
        total = f" of {self._total:,}" if self._total else ""
        text = f"{self.done:,}{total} {self._what}, {self.done / seconds:,.3g} a second"
        text += _left(self.done, self._total, seconds)
        if self._live:
            self._stream.write(f"\r{text}\x1b[K")
            self._next = now + self._INTERVAL
            self._shown = True
        else:
            self._stream.write(f"{text}\n")
            self._next = now + min(max(seconds, _FIRST_IN_LOG), _LONGEST_IN_LOG)
        self._stream.flush()

    def notify(self, text: str) -> None:
        """Write a line; the count reappears below it."""
        self.clear()
        self._stream.write(f"{text}\n")

    def clear(self) -> None:
        """Take the count away."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._shown = False


@contextmanager
def counting(what: str, total: int = 0, *, quiet: bool = False) -> Iterator[ItemCounter]:
    """An `ItemCounter` for the ``with`` block, which clears it at the end; if quiet, it shows messages only."""
    counter = ItemCounter(what, total, clock=(lambda: 0.0) if quiet else time.monotonic)
    try:
        yield counter
    finally:
        counter.clear()
