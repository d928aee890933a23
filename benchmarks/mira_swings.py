"""By how much tuning with MIRA falls from one iteration to the next.

    python benchmarks/mira_swings.py MODEL --text dev.zh dev.en [--text nist02.zh ref0.en ref1.en …] [--seeds 10]

Prints the BLEU of each iteration's decoding for each seed, and the largest fall after the second iteration, with the
default share of the weights found in the next ones, and with these alone (--interpolation 1).
"""

import argparse
import statistics
import tempfile
from itertools import pairwise
from pathlib import Path

from widl.common.workers import LocalEngine
from widl.mert import TuningOptions, TuningResult
from widl.pipeline.tuning import TranslationTask, tune_task
from widl.translation import Translator


def falls(result: TuningResult) -> list[float]:
    """By how much each iteration after the second is below the one before it."""
    scores = [iteration.score for iteration in result.iterations]
    return [before - after for before, after in pairwise(scores[1:])]


def measure(model: Path, text: list[Path], seeds: int, iterations: int, interpolation: float, threads: int) -> None:
    """Tune with each seed, and print a line for each, and one for all."""
    lines, *references = (path.read_text(encoding="utf-8").splitlines() for path in text)
    task = TranslationTask(Translator(model), lines, references)
    options = TuningOptions(
        algorithm="mira", max_iterations=iterations, patience=iterations, threads=threads, interpolation=interpolation
    )
    with tempfile.TemporaryDirectory() as folder:
        results = tune_task(
            task,
            task.objective(None, threads=threads),
            Path(folder) / "job",
            options,
            seeds=range(1, seeds + 1),
            engine=LocalEngine(threads),
        )
    for seed, result in enumerate(results, 1):
        print(f"seed {seed}:", *(f"{iteration.score:.2f}" for iteration in result.iterations), flush=True)
    best = [result.score for result in results]
    worst = [max(falls(result), default=0.0) for result in results]
    print(
        f"{text[0].name}, {len(lines)} lines, {len(references)} references, {seeds} seeds, "
        f"interpolation {interpolation:g}: best iteration {statistics.fmean(best):.2f} "
        f"±{statistics.pstdev(best):.2f}, largest fall {max(worst):.2f}, "
        f"above 1 BLEU in {sum(fall > 1 for fall in worst)} of {seeds}",
        flush=True,
    )


def main() -> None:
    """Measure all texts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument(
        "--text", type=Path, nargs="+", action="append", required=True, metavar="FILE", help="source, then references"
    )
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=6)
    parser.add_argument("--interpolation", type=float, action="append")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    for text in arguments.text:
        for share in arguments.interpolation or (TuningOptions().interpolation, 1.0):
            measure(arguments.model, text, arguments.seeds, arguments.iterations, share, arguments.threads)


if __name__ == "__main__":
    main()
