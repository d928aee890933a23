"""What training on a cluster leaves to the machine that gave the command, and what it sends.

    python benchmarks/cluster_training.py FOLDER --bitext PREFIX [--pairs 20000] [--workers 3]

Local worker processes stand for machines. The model must be that of one machine, or it ends with an error. FOLDER has
the texts and models.
"""

import argparse
import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any, TypeVar
from unittest.mock import patch

import psutil

from widl.common.files import read_lines, write_text
from widl.common.steps import Job
from widl.common.workers import Engine
from widl.pipeline.cluster import open_engine
from widl.pipeline.training import train

R = TypeVar("R")


def workers_seconds() -> float:
    """CPU seconds of all processes that this one has begun, so far."""
    times = (child.cpu_times() for child in psutil.Process().children(recursive=True))
    return float(sum(one.user + one.system for one in times))


@dataclass
class Work:
    """What was done of one kind."""

    tasks: int = 0
    sent: int = 0  # bytes of the largest task and its result
    here: float = 0.0
    there: float = 0.0


class Measured:
    """Another engine, and what goes through it; CPU seconds here are those between a piece of work and its end."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.works: dict[str, Work] = {}

    def map(self, work: Callable[[Iterable[Any], int], Iterable[R]], items: Iterable[Any]) -> Iterator[R]:
        """See `Engine`."""
        kind = type(getattr(work, "work", work)).__name__.strip("_").lower()
        found = self.works.setdefault(kind, Work())
        size = len(pickle.dumps(work))
        here, there = process_time(), workers_seconds()
        largest = 0

        def counted() -> Iterator[Any]:
            nonlocal largest
            for item in items:
                largest = max(largest, len(pickle.dumps(item)))
                yield item

        try:
            for result in self.engine.map(work, counted()):
                found.tasks += 1
                found.sent = max(found.sent, size + largest + len(pickle.dumps(result)))
                yield result
        finally:  # or who asks knows that there are no more
            found.here += process_time() - here
            found.there += workers_seconds() - there


@contextmanager
def steps_timed() -> Iterator[dict[str, float]]:
    """CPU seconds of this process in each step of the trainings meanwhile."""
    seconds: dict[str, float] = {}
    run = Job.run

    def timed(job: Job, name: str, *args: Any, **options: Any) -> bool:
        start = process_time()
        done = run(job, name, *args, **options)
        seconds[name] = process_time() - start
        return done

    with patch.object(Job, "run", timed):
        yield seconds


def first_pairs(prefix: Path, pairs: int, folder: Path) -> Path:
    """So many pairs of a text, in files of the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for side in ("zh", "en"):
        with write_text(folder / f"text.{side}") as file:
            file.writelines(f"{line}\n" for line in islice(read_lines(f"{prefix}.{side}"), pairs))
    return folder / "text"


def content(directory: Path) -> dict[str, str]:
    """Digests of the files of a model."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in directory.iterdir()}


def main() -> None:
    """Train twice, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bitext", type=Path, required=True, metavar="PREFIX")
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=3)
    options = parser.parse_args()

    text = first_pairs(options.bitext, options.pairs, options.folder)
    with steps_timed() as alone:
        train([text], [], options.folder / "one", overwrite=True)
    print(f"one machine: {sum(alone.values()):.1f} CPU seconds", flush=True)
    with open_engine(
        str(options.workers), threads=options.workers, chunk=1, unit="part"
    ) as engine:
        measured = Measured(engine)
        with steps_timed() as commanding:
            train([text], [], options.folder / "many", overwrite=True, engine=measured)
    print(f"{'work':<12}{'tasks':>8}{'bytes sent':>12}{'workers':>10}{'here':>8}   CPU seconds")
    for kind, work in measured.works.items():
        print(f"{kind:<12}{work.tasks:>8}{work.sent:>12,}{work.there:>10.1f}{work.here:>8.1f}")
    print(f"{'step':<16}{'one machine':>12}{'command':>10}   CPU seconds")
    for step, seconds in alone.items():
        print(f"{step:<16}{seconds:>12.1f}{commanding[step]:>10.1f}")
    print(f"{'all':<16}{sum(alone.values()):>12.1f}{sum(commanding.values()):>10.1f}")
    if content(options.folder / "one") != content(options.folder / "many"):
        raise SystemExit("the models differ")
    print("the models are the same")


if __name__ == "__main__":
    main()
