"""Time, states and certificates of every search on bags of words (Soricut & Marcu 2005, Tables 2 and 3).

    python benchmarks/word_order.py [FILES…] --lm MODEL [--bags 500] [--rows astar astar-2 beam-0.1 …]

A row is one search on all bags of a file, one thread: milliseconds a bag (mean, 99 %, largest), states and edges a
bag, the share of bags whose optimum is proved, and, after the first row that proved all, the search errors and
the edges as a share of its edges (of all bags together, and the mean of each bag's share). By default the files are
shared/data/lm/wordorder.test.*.txt beside the project.
"""

import argparse
import statistics
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from widl.decoder import (
    CoreRealizer,
    CoreSearchOptions,
    LanguageModel,
    Realization,
    RealizationOptions,
    Vocabulary,
    WeightVector,
    bag,
)

WEIGHTS = WeightVector(
    widl=[1.0], language_models=[1.0], word_count=0.0, phrase_count=0.0, distortion=1.0, unknown=0.0
)
ROWS = {
    "3-7": ["bfs", "astar", "astar-static", "astar-1", "astar-2", "beam-0.2", "beam-0.1"],
    "10-25": ["astar-1", "astar-2", "beam-0.2", "beam-0.1"],
}


@dataclass(frozen=True)
class Budget:
    """What a bag may cost."""

    seconds: float
    memory: int

    def options(self, row: str) -> CoreSearchOptions:
        """The search that a row's name means."""
        name, *parameters = row.split("-")
        options: dict[str, Any] = {"search": name, "bound": "context"}
        if name == "beam":
            options["stack_size"] = 0
        for parameter in parameters:
            if parameter in ("static", "lagrangian"):
                options["bound"] = parameter
            elif name == "beam":
                options["beam"] = float(parameter)
            else:
                options |= {"search": "astar-k", "k": int(parameter), "order": "estimate"}
        return RealizationOptions(**options, max_seconds=self.seconds, max_memory=self.memory).core_options()


def run(realizer: CoreRealizer, lines: list[str], options: CoreSearchOptions) -> list[Realization]:
    """The best string of each bag."""
    return realizer.realize_expressions([bag(line) for line in lines], WEIGHTS, options)


def row(name: str, results: list[Realization], exact: list[Realization] | None) -> str:
    """A line of the table."""
    times = sorted(1000 * r.statistics.seconds for r in results)
    cells = [f"{name:<14}", f"{statistics.mean(times):9.3f}", f"{times[int(0.99 * len(times))]:9.2f}"]
    cells += [f"{times[-1]:9.2f}"]
    cells += [f"{statistics.mean(r.statistics.states for r in results):10.0f}"]
    cells += [f"{statistics.mean(r.statistics.edges for r in results):10.0f}"]
    cells += [f"{100 * statistics.mean(r.optimal for r in results):7.1f} %"]
    if exact:
        pairs = [(r.statistics.edges, e.statistics.edges) for r, e in zip(results, exact, strict=True)]
        together = sum(own for own, _ in pairs) / sum(all_edges for _, all_edges in pairs)
        mean = statistics.mean(own / all_edges for own, all_edges in pairs)
        errors = statistics.mean(r.score < e.score - 1e-6 for r, e in zip(results, exact, strict=True))
        cells += [f"{100 * share:7.1f} %" for share in (together, mean, errors)]
    return " ".join(cells)


def by_size(name: str, lines: list[str], results: list[Realization]) -> str:
    """A table of bags of each number of words: how many, how many proved, seconds and memory."""
    table = [f"{name:<14}  bags  proved  median s   max s   max MB  gap of the others"]
    for size in sorted({len(line.split()) for line in lines}):
        own = [r for line, r in zip(lines, results, strict=True) if len(line.split()) == size]
        seconds = [r.statistics.seconds for r in own]
        gaps = [r.bound - r.score for r in own if not r.optimal]
        table.append(
            f"{size:>8} words {len(own):>6} {sum(r.optimal for r in own):>7} {statistics.median(seconds):>9.2f}"
            f" {max(seconds):>7.2f} {max(r.statistics.memory for r in own) / 1e6:>8.0f}"
            + (f"  {statistics.mean(gaps):.2f}" if gaps else "")
        )
    return "\n".join(table)


def main() -> None:
    """Print one table a file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lm", required=True, type=Path)
    parser.add_argument("--bags", type=int, default=500)
    parser.add_argument("--rows", nargs="+")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--memory", type=int, default=2_000_000_000)
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    found = [sorted(p.glob("shared/data/lm/wordorder.test.*.txt")) for p in Path(__file__).resolve().parents]
    files: list[Path] = arguments.files or [file for some in found for file in some][::-1]
    realizer = CoreRealizer(Vocabulary([]), [LanguageModel.load(arguments.lm)])
    budget = Budget(arguments.seconds, arguments.memory)
    for file in files:
        with file.open(encoding="utf-8") as stream:
            lines = [line.strip() for line in islice(stream, arguments.bags)]
        rows = arguments.rows or next((rows for key, rows in ROWS.items() if key in file.name), ["astar-2"])
        print(f"{file.name}: {len(lines)} bags")
        print(f"{'search':<14} {'ms mean':>9} {'99 %':>9} {'most':>9} {'states':>10} {'edges':>10} {'proved':>9}"
              f" {'of exact':>9} {'mean':>9} {'errors':>9}")
        exact: list[Realization] | None = None
        sizes: list[str] = []
        run(realizer, lines, budget.options("beam-0.9"))  # the model's pages are in memory from here on
        for name in rows:
            results = run(realizer, lines, budget.options(name))
            exact = exact or (results if all(r.optimal for r in results) else None)
            assert not exact or all(r.score <= e.score + 1e-6 for r, e in zip(results, exact, strict=True))
            print(row(name, results, exact), flush=True)
            sizes.append(by_size(name, lines, results))
        print("\n" + "\n".join(sizes))


if __name__ == "__main__":
    main()
