"""What a cluster costs: time to start, speed against threads of one process, memory of workers, and what is sent.

    python benchmarks/cluster.py MODEL_DIR TEXT [--lines 200] [--workers 2] [--threads 2]

Local worker processes stand for machines. Both ways of translation must give the same, or it ends with an error.
"""

import argparse
import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeVar

import psutil

from widl.common.files import read_lines
from widl.common.workers import Engine, LocalEngine
from widl.pipeline.cluster import open_engine
from widl.pipeline.tuning_decoders import lattice_decoder, translation_decoder, tunable
from widl.translation import TranslationOptions, Translator

R = TypeVar("R")


def timed(make: Callable[[], R]) -> tuple[R, float, float]:
    """What it gives, and its seconds; and CPU seconds, of the worker processes too."""
    start, before = perf_counter(), cpu_seconds()
    result = make()
    return result, perf_counter() - start, cpu_seconds() - before


def cpu_seconds() -> float:
    """So far, of this process and those that it has begun."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return float(sum(times.user + times.system for times in (one.cpu_times() for one in processes)))


def translated(translator: Translator, lines: list[str], engine: Engine) -> list[Any]:
    """All but the seconds."""
    return [replace(one, seconds=0.0) for one in translator.translate(lines, engine=engine)]


def warm_up(translator: Translator, engine: Engine, lines: int) -> None:
    """Every worker opens the model: it takes longer than some chunks of empty lines."""
    list(translator.translate([""] * lines, engine=engine))


class Weighed:
    """An engine that does all here, and pickles the results of every chunk as a worker would."""

    def __init__(self, chunk: int) -> None:
        self.chunk, self.bytes, self.seconds = chunk, 0, 0.0

    def map(self, work: Callable[[Iterable[Any], int], Iterable[R]], items: Iterable[Any]) -> Iterator[R]:
        """See `Engine`."""
        stream = iter(items)
        while part := list(islice(stream, self.chunk)):
            results = list(work(part, 1))
            start = process_time()
            pickled = pickle.dumps(results)
            again = pickle.loads(pickled)
            self.seconds += process_time() - start
            self.bytes += len(pickled)
            yield from again


def sent(translator: Translator, lines: list[str], chunk: int) -> None:
    """Prints what each kind of result weighs."""
    weights = tunable(translator.weights)
    options = TranslationOptions()

    def nbest(engine: Engine) -> None:
        for _ in translation_decoder(translator, lines, options, engine=engine)(dict(weights), 100):
            pass

    def lattices(engine: Engine) -> None:
        own = replace(options, lattice_arcs=1000)
        for _ in lattice_decoder(translator, lines, own, engine=engine).decode(dict(weights)):
            pass

    kinds: dict[str, Callable[[Engine], object]] = {
        "translations": partial(translated, translator, lines),
        "translations, 100 best": lambda e: list(translator.translate(lines, replace(options, nbest=100), engine=e)),
        "tuning, 100 best": nbest,
        "tuning, lattices of 1,000 arcs": lattices,
    }
    print(f"\n{'what is sent':32}{'kB/line':>10}{'CPU ms':>10}")
    for name, make in kinds.items():
        engine = Weighed(chunk)
        make(engine)
        print(f"{name:32}{engine.bytes / len(lines) / 1000:>10.1f}{1000 * engine.seconds / len(lines):>10.2f}")


def memory() -> list[str]:
    """Of each worker process: megabytes of its own, and with what it shares."""
    rows = []
    for process in psutil.Process().children(recursive=True):
        found = process.memory_full_info()
        if found.rss > 50e6:
            rows.append(f"{found.uss / 1e6:.0f} MB of its own, {found.rss / 1e6:.0f} MB with the model's pages")
    return rows


def row(name: str, lines: int, seconds: float, cpu: float) -> None:
    """Prints one."""
    print(f"{name:32}{seconds:>10.2f}{lines / seconds:>10.1f}{cpu:>10.2f}", flush=True)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("text", type=Path)
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--chunks", type=int, nargs="+", default=[4, 16, 64])
    arguments = parser.parse_args()
    lines = list(islice(read_lines(arguments.text), arguments.lines))
    translator = Translator(arguments.model)
    here = LocalEngine(arguments.threads)
    expected = translated(translator, lines, here)  # also brings the model into memory
    print(f"{len(lines)} lines, {arguments.threads} threads in all\n")
    print(f"{'':32}{'seconds':>10}{'lines/s':>10}{'CPU s':>10}")
    row("threads", len(lines), *timed(lambda: translated(translator, lines, here))[1:])
    for chunk in arguments.chunks:
        start = perf_counter()
        with open_engine(str(arguments.workers), threads=arguments.threads, chunk=chunk) as engine:
            started = perf_counter()
            warm_up(translator, engine, 4 * chunk * arguments.threads)
            ready = perf_counter()
            found, *times = timed(partial(translated, translator, lines, engine))
            rows = memory()
            end = perf_counter()
        if found != expected:
            raise SystemExit("the cluster's translations are others")
        row(f"{arguments.workers} processes, chunks of {chunk}", len(lines), *times)
    ended = perf_counter() - end
    print(f"\nstart {started - start:.1f} s, opening the model {ready - started:.1f} s, end {ended:.1f} s")
    print("\n".join(f"worker: {row}" for row in rows))
    sent(translator, lines[:50], 16)


if __name__ == "__main__":
    main()
