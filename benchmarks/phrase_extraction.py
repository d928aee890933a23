"""Time and memory of phrase extraction, scoring and table writing, and the speed of lookups.

    python benchmarks/phrase_extraction.py SOURCE TARGET ALIGNMENT [--threads 2]

The files hold tokenised lines and their alignments, `0-0 1-2 …`. Each row is a process of its own, so
that its peak memory is its own. CPU seconds stand beside the wall clock: where other work shares the
processors, the two come apart.
"""

import argparse
import itertools
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from widl.phrase_table import PhraseTable, build_phrase_table, extract_phrases, source_key
from widl.pipeline.cli.options import parse_size

HEADER = (
    f"{'part':>5} {'sentences':>10} {'occurrences':>12} {'pairs':>12} {'extract s':>10} {'write s':>8} "
    f"{'total s':>8} {'cpu s':>7} {'MB peak':>8} {'MB table':>9} {'lookups/s':>10}"
)


@dataclass
class Arguments:
    """What to measure."""

    source: Path
    target: Path
    alignment: Path
    threads: int
    memory: int
    lines: int | None


def parse_arguments() -> Arguments:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("alignment", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", type=parse_size, default=0, help="for extraction, such as 300M")
    parser.add_argument("--lines", type=int, help="measure the first LINES only, in this process")
    return Arguments(**vars(parser.parse_args()))


def span_keys(path: Path, lines: int, sentences: int = 2000) -> Iterator[list[bytes]]:
    """The keys of all spans of up to 7 words, for each of some sentences spread over the text."""
    with path.open(encoding="utf-8") as file:
        for line in itertools.islice(file, 0, lines, max(1, lines // sentences)):
            words = line.split()
            yield [
                source_key(words[begin:end])
                for begin in range(len(words))
                for end in range(begin + 1, min(begin + 7, len(words)) + 1)
            ]


def lookups_per_second(table: PhraseTable, sentences: list[list[bytes]]) -> float:
    """On one thread, with all spans of a sentence at once."""
    start = time.perf_counter()
    found = sum(value is not None for keys in sentences for value in table.lookup(keys))
    seconds = time.perf_counter() - start
    assert found > 0, "the table knows phrases of its own text"
    return sum(map(len, sentences)) / seconds


def measure(arguments: Arguments, lines: int) -> None:
    """Print one row."""
    start = time.perf_counter()
    with (
        arguments.source.open(encoding="utf-8") as source,
        arguments.target.open(encoding="utf-8") as target,
        arguments.alignment.open(encoding="utf-8") as alignment,
    ):
        phrases = extract_phrases(
            *(itertools.islice(file, lines) for file in (source, target, alignment)),
            threads=arguments.threads,
            memory=arguments.memory,
        )
    extracted = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        path = Path(folder) / "phrase-table"
        info = build_phrase_table(path, phrases)
        written, cpu = time.perf_counter(), time.process_time()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        keys = list(span_keys(arguments.source, lines))
        with PhraseTable.open(path) as table:
            assert len(table) == info.source_phrases
            lookups_per_second(table, keys)  # brings the pages into memory
            speed = lookups_per_second(table, keys)
        size = path.stat().st_size / 2**20
    print(
        f"{info.sentences:>10,} {info.occurrences:>12,} {info.phrase_pairs:>12,} {extracted - start:>10.1f} "
        f"{written - extracted:>8.1f} {written - start:>8.1f} {cpu:>7.1f} {peak:>8.0f} {size:>9.0f} "
        f"{speed:>10,.0f}",
        flush=True,
    )


def main() -> None:
    """Measure a quarter, a half and all of the text."""
    arguments = parse_arguments()
    if arguments.lines is not None:
        measure(arguments, arguments.lines)
        return
    with arguments.source.open(encoding="utf-8") as file:
        total = sum(1 for _ in file)
    print(f"{arguments.threads} threads; load average before: {os.getloadavg()[0]:.1f}")
    print(HEADER, flush=True)
    for name, lines in (("1/4", total // 4), ("1/2", total // 2), ("all", total)):
        print(f"{name:>5} ", end="", flush=True)
        subprocess.run([sys.executable, *sys.argv, "--lines", str(lines)], check=True)


if __name__ == "__main__":
    main()
