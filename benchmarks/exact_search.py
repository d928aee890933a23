"""Share of a test set for which exact search proves the optimum, and the time it takes: one row per line length.

    python benchmarks/exact_search.py MODEL_DIR --source dev.zh [--lines 200] [--longest 25] [--cpu-seconds 900]
        [--options '{"distortion_limit": 4}'] [--log FILE]

Lines are spread evenly over the file; `--longest` restricts them to lines with at most that number of source positions.
They are searched in an order drawn with a fixed seed, so if `--cpu-seconds` run out, the finished lines are a sample of
all. Times are CPU seconds of search alone on one thread; MB are the maximum counted in a search's budget, without
language models and tiles. `--log` writes each line to a file as soon as it is done.
"""

import argparse
import json
import random
import statistics
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from widl.common.files import read_lines
from widl.decoder import Tiles
from widl.translation import TranslationOptions, Translator

LENGTHS = (10, 20, 30, 40, 50, 60)


@dataclass(frozen=True)
class Found:
    """A line's search."""

    length: int
    seconds: float
    proved: bool
    gap: float
    states: int
    megabytes: float


def main() -> None:
    """Searches and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--lines", type=int, default=0, help="spread evenly over the file; 0: all")
    parser.add_argument("--longest", type=int, default=0, help="source positions of a line, at most; 0: any")
    parser.add_argument("--cpu-seconds", type=float, default=float("inf"), help="for all searches together")
    parser.add_argument("--options", default="{}", help="of translation, as JSON")
    parser.add_argument("--log", type=Path)
    arguments = parser.parse_args()
    translator = Translator(arguments.model)
    options = TranslationOptions(**({"search": "astar"} | json.loads(arguments.options)))
    tiles = chosen(translator, options, arguments.source, arguments.lines, arguments.longest)
    found: list[Found] = []
    with ExitStack() as files:
        log = files.enter_context(arguments.log.open("w", encoding="utf-8")) if arguments.log else None
        for number in random.Random(1).sample(range(len(tiles)), len(tiles)):
            if sum(one.seconds for one in found) >= arguments.cpu_seconds:
                break
            found.append(search(translator, options, tiles[number]))
            write(log, number, found[-1])
    table(found, len(tiles))


def positions(tiles: Tiles) -> int:
    """Number of source positions."""
    return max(end for _, end, *_ in tiles.alternatives)


def chosen(translator: Translator, options: TranslationOptions, source: Path, wanted: int, longest: int) -> list[Tiles]:
    """The tiles of the selected lines."""
    lines = list(read_lines(source))
    if not longest:
        every = max(1, len(lines) // wanted) if wanted else 1
        return [one for line in lines[::every][: wanted or None] for one in translator.tiles(line, options)]
    fitting = [one for line in lines for one in translator.tiles(line, options) if positions(one) <= longest]
    return fitting[:: max(1, len(fitting) // wanted)][:wanted] if wanted else fitting


def search(translator: Translator, options: TranslationOptions, tiles: Tiles) -> Found:
    """One line."""
    begin = time.process_time()
    (result,) = translator._realizer.realize([tiles], translator._vector, options.core_options())
    seconds = time.process_time() - begin
    spent = result.statistics
    return Found(
        positions(tiles), seconds, result.optimal, result.bound - result.score, spent.states, spent.peak_memory / 1e6
    )


def write(log: TextIO | None, number: int, one: Found) -> None:
    """Writes a line of the log."""
    if log is not None:
        proof = "proved" if one.proved else f"gap {one.gap:.3f}"
        log.write(f"{number}\t{one.length}\t{one.seconds:.3f}\t{one.megabytes:.0f}\t{one.states}\t{proof}\n")
        log.flush()


def table(found: list[Found], of: int) -> None:
    """One row per length, and one for all."""
    print(f"{len(found)} of {of} lines")
    print("positions     lines  proved  mean s  median   max s    MB      states")
    shortest = 0
    for longest in (*LENGTHS, 10**9):
        row("more" if longest == 10**9 else f"<= {longest}", [one for one in found if shortest < one.length <= longest])
        shortest = longest
    row("all", found)


def row(name: str, found: list[Found]) -> None:
    """Summary of these lines."""
    if not found:
        return
    seconds = [one.seconds for one in found]
    print(
        f"{name:12}{len(found):7}{sum(one.proved for one in found):8}{statistics.mean(seconds):8.2f}"
        f"{statistics.median(seconds):8.2f}{max(seconds):8.2f}{max(one.megabytes for one in found):6.0f}"
        f"{statistics.mean(one.states for one in found):12,.0f}"
    )


if __name__ == "__main__":
    main()
