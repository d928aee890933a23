"""Progress of long jobs on the terminal; the jobs themselves only call a `Progress`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from widl.workers import Progress, no_progress

_SHOWN = 8  # bars shown besides a new one


@contextmanager
def progress_bars(*, quiet: bool = False) -> Iterator[Progress]:
    """A progress bar for each stage if stderr is a terminal, else a line for each finished stage; none if quiet."""
    if quiet:
        yield no_progress
    elif sys.stderr.isatty():
        with _bars() as report:
            yield report
    else:
        yield _finished_stages()


@contextmanager
def _bars() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, console=Console(stderr=True)) as bars:
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                for old in list(tasks.values())[:-_SHOWN]:  # more bars than a terminal has lines can't be drawn
                    bars.update(old, visible=False)
                tasks[stage] = bars.add_task(stage, total=total or None)
            bars.update(tasks[stage], completed=done, total=total or None, visible=True)

        yield report


def _finished_stages() -> Progress:
    finished: set[str] = set()

    def report(stage: str, done: int, total: int) -> None:
        if total and done >= total and stage not in finished:
            finished.add(stage)
            sys.stderr.write(f"{stage}: done ({total})\n")

    return report
