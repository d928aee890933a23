"""Real seconds and bytes of searches on inputs that are made to break their budgets.

    python benchmarks/budgets.py [--seconds 0.05] [--megabytes 20]

Each input runs in a process of its own: once with the budget of seconds alone, once with that of memory alone. The
answer must be there, with a bound that is no less. Told are wall-clock and CPU seconds,
the growth of the process, and the bytes that the search counted.
"""

import argparse
import multiprocessing
import random
import resource
import time
from collections.abc import Callable
from typing import Any

from widl._core import (
    Expression,
    Realization,
    Realizer,
    SearchOptions,
    SpaceOptions,
    Tiles,
    Vocabulary,
    WeightVector,
)
from widl.decoder import LanguageModel, RealizationOptions, bag, choice, interleave, seq
from widl.decoder.search_options import Search

WEIGHTS = WeightVector(
    widl=[1.0], language_models=[1.0], word_count=0.0, phrase_count=0.0, distortion=1.0, unknown=0.0
)
Row = tuple[float, float, float, float, str]
Run = Callable[[Realizer, Vocabulary], Callable[[SearchOptions], Realization]]


def expression(made: Expression) -> Run:
    """An expression, searched as it is."""
    return lambda realizer, _: lambda options: realizer.realize_expressions([made], WEIGHTS, options)[0]


def long_line(realizer: Realizer, vocabulary: Vocabulary) -> Callable[[SearchOptions], Realization]:
    """A line of 1,000 words with 20 alternatives of every span of up to four."""
    rng = random.Random(1)
    spans = []
    for begin in range(1000):
        for end in range(begin + 1, min(1000, begin + 4) + 1):
            phrases = [(seq(*(f"w{rng.randrange(5000)}" for _ in range(end - begin))), 0.05) for _ in range(20)]
            spans.append((begin, end, choice(*phrases)))
    tiles = Tiles.compile(Expression.tiles(1000, spans, movement_base=0.5), vocabulary)
    return lambda options: realizer.realize([tiles], WEIGHTS, options)[0]


INPUTS: dict[str, Run] = {
    "bag of 300 words": expression(bag(" ".join(f"w{i}" for i in range(300)))),
    "299 alternatives": expression(interleave("a", choice(*[(f"v{i}", 1 / 298) for i in range(298)]))),
    "7 x 43 alternatives": expression(
        interleave(*[choice(*[(f"v{k}.{i}", 1 / 43) for i in range(43)]) for k in range(7)])
    ),
    "line of 1,000 words": long_line,
}


def measure(name: str, search: Search, budget: dict[str, Any], results: "multiprocessing.Queue[Row]") -> None:
    """Runs one input in this process."""
    vocabulary = Vocabulary([])
    realizer = Realizer(vocabulary, [LanguageModel.estimate(["v0 v1 v2", "w1 w2 w3", "p1 q1"])])
    options: Any = {"beam": {"beam": 1e-30, "stack_size": 0}, "astar-k": {"order": "estimate"}}.get(search, {})
    run = INPUTS[name](realizer, vocabulary)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, start_cpu = time.perf_counter(), time.process_time()
    found = run(RealizationOptions(search=search, **options, **budget).in_space(SpaceOptions()))
    seconds, cpu = time.perf_counter() - start, time.process_time() - start_cpu
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert found.bound >= found.score
    results.put((seconds, cpu, used / 1024, found.statistics.peak_memory / 1e6, found.stopped))


def main() -> None:
    """Prints a row for each input, search and budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--megabytes", type=float, default=20)
    arguments = parser.parse_args()
    budgets: list[dict[str, Any]] = [
        {"max_seconds": arguments.seconds},
        {"max_memory": int(arguments.megabytes * 1e6), "max_seconds": 30},
    ]
    print(f"{'input':24}{'search':10}{'stopped':14}{'seconds':>9}{'CPU':>9}{'MB':>9}{'MB counted':>12}")
    context = multiprocessing.get_context("fork")
    for name in INPUTS:
        for search in ("astar", "astar-k", "beam"):
            for budget in budgets:
                results: multiprocessing.Queue[Row] = context.Queue()
                worker = context.Process(target=measure, args=(name, search, budget, results))
                worker.start()
                seconds, cpu, used, counted, stopped = results.get(timeout=120)
                worker.join()
                print(f"{name:24}{search:10}{stopped:14}{seconds:9.3f}{cpu:9.3f}{used:9.1f}{counted:12.1f}")


if __name__ == "__main__":
    main()
