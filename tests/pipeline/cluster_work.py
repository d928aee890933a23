"""Work imported and run by the workers of a test cluster."""

import os
import random
import signal
from pathlib import Path

from tests.waiting import wait_until


def double(items, threads):
    for item in items:
        yield 2 * item


def thread_count(items, threads):
    for _ in items:
        yield threads


def too_few(items, threads):
    return list(items)[1:]


class FailOn:
    def __init__(self, item, error: Exception) -> None:
        self.item, self.error = item, error

    def __call__(self, items, threads):
        for item in items:
            if item == self.item:
                raise self.error
            yield item


class WaitAtSeven:
    """At item 7, records the process that handles it in the folder, and waits for the file ``go``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, items, threads):
        for item in items:
            if item != 7:
                yield item, None
                continue
            (self.folder / "new").write_text(str(os.getpid()))
            (self.folder / "new").rename(self.folder / "pid")
            wait_until((self.folder / "go").exists, "the word to go on")
            yield item, os.getpid()


def die_at_five(items, threads):
    for item in items:
        if item == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        yield item


class DieTwiceAtFive:
    """Work whose process dies at the item 5, twice in all."""

    def __init__(self, died: Path) -> None:
        self.died = died

    def __call__(self, items, threads):
        for item in items:
            if item == 5 and len(list(self.died.iterdir())) < 2:
                (self.died / str(os.getpid())).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield item


class DieOnce:
    """Work on pairs of an item and whether its process dies: the first time, before or after the work."""

    def __init__(self, work, died: Path, *, after: bool) -> None:
        self.work, self.died, self.after = work, died, after

    def __call__(self, items, threads):
        for item, dies in items:
            dies = dies and not self.died.exists()
            if dies:
                self.died.write_text(str(os.getpid()))
            if not dies or self.after:
                results = list(self.work([item], threads))
            if dies:
                os.kill(os.getpid(), signal.SIGKILL)
            yield from results


class DeadlyEngine:
    """An engine that loses one worker in each piece of work listed in `kills`, numbered from 0."""

    def __init__(self, engine, folder: Path, kills, seed: int) -> None:
        self.engine, self.folder, self.kills = engine, folder, kills
        self.numbers = random.Random(seed)
        self.calls = 0

    def map(self, work, items):
        number, self.calls = self.calls, self.calls + 1
        if number not in self.kills:
            yield from self.engine.map(work, items)
            return
        at = self.numbers.randrange(2)
        marked = ((item, at == i) for i, item in enumerate(items))
        yield from self.engine.map(
            DieOnce(work, self.folder / f"died-{number}", after=self.numbers.random() < 0.5), marked
        )
