"""Time of tuning on n-best lists, and how it grows with sentences and candidates.

    python benchmarks/mert.py NBEST REFERENCE [--weights start.toml]

Lists of each size are drawn from the lists in the files: sentences with replacement, and their candidates repeatedly
with a little noise on their features, a tenth of their standard deviation within the sentence. Times are CPU seconds on
one thread. Tuning uses 20 restarts besides the given weights, each to its local maximum.
"""

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from widl import mert
from widl.common.files import read_lines
from widl.decoder import read_weights
from widl.metrics import MetricOptions, Objective

HEADER = f"{'sentences':>9} {'candidates':>10} {'directions':>12} {'cpu s':>7} {'BLEU':>8} {'MB peak':>8}"


def drawn(lists: mert.NbestLists, problem: mert.Problem, sentences: int, candidates: int) -> mert.Problem:
    """A problem of another size with about the same candidates."""
    random = np.random.default_rng(1)
    chosen = random.integers(0, len(problem.begins) - 1, sentences)
    starts, sizes = problem.begins[chosen], np.diff(problem.begins)[chosen]
    rows = (starts[:, None] + np.arange(candidates) % sizes[:, None]).ravel()
    noise = 0.1 * problem.deviations() * random.normal(size=(len(rows), len(lists.feature_names)))
    begins = np.arange(sentences + 1, dtype=np.int64) * candidates
    statistics = np.ascontiguousarray(problem.statistics[rows])
    return mert.Problem(problem.objective, lists.feature_names, problem.features[rows] + noise, statistics, begins)


def measure(problem: mert.Problem, start: dict[str, float], candidates: int, directions: int) -> None:
    """Prints one row."""
    options = mert.OptimizerOptions(random_directions=directions)
    begun = time.process_time()
    found = mert.optimize(problem, start, options)
    seconds = time.process_time() - begun
    assert found.score > found.start_score
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sentences, features = len(problem.begins) - 1, len(problem.names)
    print(
        f"{sentences:>9,} {candidates:>10,} {f'{features} + {directions}':>12} {seconds:>7.2f} {found.score:>8.4f} "
        f"{peak:>8.0f}",
        flush=True,
    )


def measure_files(lists: mert.NbestLists, references: list[str]) -> None:
    """Prints the time for reading and counting 100,000 candidates."""
    count = len(references)
    groups: list[list[mert.Candidate]] = [[] for _ in range(count)]
    for row in range(100_000):
        source = row % len(lists.texts)
        # Distinct texts: no cache of tokenized strings helps.
        text = f"{lists.texts[source]} {row // len(lists.texts)}"
        groups[lists.sentences[source]].append(mert.Candidate(text, lists.features[source].tolist()))
    with tempfile.TemporaryDirectory() as folder:
        for name in ("nbest", "nbest.gz"):
            path = Path(folder) / name
            mert.write_nbest(path, groups, dict.fromkeys(lists.feature_names, 1.0))
            begun = time.process_time()
            read = mert.read_nbest([path], sentences=count)
            print(f"reading {len(read.texts):,} candidates, {name}: {time.process_time() - begun:.2f} s")
    for tokenize in ("none", "13a", "zh"):
        objective = Objective("bleu", [references], MetricOptions(tokenize=tokenize))
        begun = time.process_time()
        statistics = objective.statistics(read.sentences, read.texts)
        print(f"BLEU statistics of {len(statistics):,} candidates ({tokenize}): {time.process_time() - begun:.2f} s")


def main() -> None:
    """Measures all sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("nbest", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("--weights", type=Path, help="to start from")
    arguments = parser.parse_args()
    print(f"load average before: {os.getloadavg()[0]:.1f}")
    references = list(read_lines(arguments.reference))
    lists = mert.read_nbest([arguments.nbest], sentences=len(references))
    names = lists.feature_names
    start = read_weights(arguments.weights, names) if arguments.weights else dict.fromkeys(names, 1.0)
    data = mert.TuningSet(Objective("bleu", [references], MetricOptions(tokenize="none")))
    data.add(lists)
    problem = data.freeze()
    print(HEADER)
    measure(problem, start, len(lists.texts) // len(references), 16)
    for sentences, candidates in ((1000, 100), (500, 100), (2000, 100), (1000, 50), (1000, 200), (1000, 400)):
        sized = drawn(lists, problem, sentences, candidates)
        for directions in (0, 16):
            measure(sized, start, candidates, directions)
        del sized
    measure_files(lists, references)


if __name__ == "__main__":
    main()
