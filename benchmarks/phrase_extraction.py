"""Time and memory of phrase extraction, scoring and table writing, and the speed of lookups.

    python benchmarks/phrase_extraction.py SOURCE TARGET ALIGNMENT [--threads 2] [--memory 300M]

The files hold tokenised lines and their alignments, `0-0 1-2 …`. Each row is a process of its own, so
that its peak memory is its own. CPU seconds stand beside the wall clock: where other work shares the
processors, the two come apart. Lookups are of all spans of up to 7 words of sentences of the text, on one thread:
`lookups/s` from keys to values alone, `spans/s` all of translation's path, from words to tiles, by CPU seconds.
"""

import argparse
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from widl._core import SentencePhrases, tile_sentence
from widl.common.option_values import parse_size
from widl.phrase_table import (
    PhraseTable,
    build_phrase_table,
)
from widl.phrase_table.building import phrases_of_text
from widl.phrase_table.extraction import ExtractionOptions

HEADER = (
    f"{'row':>22} {'sentences':>10} {'occurrences':>12} {'pairs':>12} {'extract s':>10} {'write s':>8} "
    f"{'total s':>8} {'cpu s':>7} {'MB peak':>8} {'MB table':>9} {'lookups/s':>10} {'spans/s':>9}"
)


@dataclass
class Arguments:
    """What to measure."""

    source: Path
    target: Path
    alignment: Path
    threads: int
    memory: int
    row: str | None


@dataclass
class Row:
    """What a process measures: the first lines of the text, bytes of memory (0: no limit)."""

    name: str
    lines: int
    memory: int = 0


def parse_arguments() -> Arguments:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("alignment", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", type=parse_size, default=0, help="also with this bound, such as 300M")
    parser.add_argument("--row", help="one row in this process, as JSON; for the program itself")
    return Arguments(**vars(parser.parse_args()))


def spans(words: list[str], longest: int = 7) -> list[tuple[int, int]]:
    """All spans of the sentence."""
    return [
        (begin, end)
        for begin in range(len(words))
        for end in range(begin + 1, min(begin + longest, len(words)) + 1)
    ]


def some_sentences(path: Path, lines: int, sentences: int = 2000) -> Iterator[list[str]]:
    """Sentences spread over the text."""
    with path.open(encoding="utf-8") as file:
        for line in itertools.islice(file, 0, lines, max(1, lines // sentences)):
            yield line.split()


def lookups_per_second(table: PhraseTable, sentences: list[list[str]]) -> float:
    """From phrases to their counts, with all spans of a sentence at once."""
    keys = [[" ".join(words[begin:end]) for begin, end in spans(words)] for words in sentences]
    start = time.process_time()
    found = sum(count is not None for of_sentence in keys for count in table.counts(of_sentence))
    seconds = time.process_time() - start
    assert found > 0, "the table knows phrases of its own text"
    return sum(map(len, keys)) / seconds


def spans_per_second(table: PhraseTable, sentences: list[list[str]]) -> float:
    """From words to tiles, as Translator does it."""
    start = time.process_time()
    count = tiles = 0
    for words in sentences:
        edges = [[(i + 1, word, False)] for i, word in enumerate(words)]
        phrases = SentencePhrases(edges, [table.core], [False], table.info.max_length)
        tiles += len(tile_sentence(phrases, words, beams=[0.01], components=[4]))
        count += len(spans(words))
    seconds = time.process_time() - start
    assert tiles > 0
    return count / seconds


def measure(arguments: Arguments, row: Row) -> None:
    """Print the figures of one row."""
    files = (arguments.source, arguments.target, arguments.alignment)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        path = Path(folder) / "phrase-table"
        start = extracted = time.perf_counter()
        with files[0].open(encoding="utf-8") as f, files[1].open(encoding="utf-8") as e, files[2].open() as a:
            source, target, links = (itertools.islice(file, row.lines) for file in (f, e, a))
            with phrases_of_text(
                (source, target, links),
                ExtractionOptions(),
                threads=arguments.threads,
                memory=row.memory,
                temporary_directory=Path(folder),
            ) as phrases:
                extracted = time.perf_counter()
                info = build_phrase_table(path, phrases)
        written, cpu = time.perf_counter(), time.process_time()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        sentences = list(some_sentences(arguments.source, row.lines))
        with PhraseTable.open(path) as opened:
            assert len(opened) == info.source_phrases
            lookups_per_second(opened, sentences)  # brings the pages into memory
            lookups, tiled = lookups_per_second(opened, sentences), spans_per_second(opened, sentences)
        size = path.stat().st_size / 2**20
    print(
        f"{info.sentences:>10,} {info.occurrences:>12,} {info.phrase_pairs:>12,} "
        f"{extracted - start:>10.1f} {written - extracted:>8.1f} {written - start:>8.1f} {cpu:>7.1f} {peak:>8.0f} "
        f"{size:>9.0f} {lookups:>10,.0f} {tiled:>9,.0f}",
        flush=True,
    )


def rows(arguments: Arguments) -> Iterator[Row]:
    """A quarter, a half and all of the text; then the rest of what is asked for."""
    with arguments.source.open(encoding="utf-8") as file:
        total = sum(1 for _ in file)
    parts = {"1/4": total // 4, "1/2": total // 2, "all": total}
    for name, lines in parts.items():
        yield Row(name, lines)
    if arguments.memory:
        for name, lines in parts.items():
            yield Row(f"{name}, {arguments.memory / 2**20:.0f} MB", lines, arguments.memory)


def main() -> None:
    """Measure each row in a process of its own."""
    arguments = parse_arguments()
    if arguments.row is not None:
        measure(arguments, Row(**json.loads(arguments.row)))
        return
    print(f"{arguments.threads} threads; load average before: {os.getloadavg()[0]:.1f}")
    print(HEADER, flush=True)
    for row in rows(arguments):
        print(f"{row.name:>22} ", end="", flush=True)
        subprocess.run([sys.executable, *sys.argv, "--row", json.dumps(vars(row))], check=True)


if __name__ == "__main__":
    main()
