"""Time and memory of what goes over a whole phrase table: opening, checking, counting, pruning, text and back.

    python benchmarks/phrase_table_tools.py TABLE [--text TOKENISED_SOURCE] [--threads 2]

Each row is a process of its own. Its memory is the highest sum of anonymous pages (not those of mapped files, which
the system takes back when it needs them), looked at every 50 ms. What one step writes the next one reads, in a
temporary folder; in the end the text must be what it was.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from widl.phrase_table import PhraseTable
from widl.phrase_table.entries import split_words
from widl.phrase_table.moses_text import export_moses, import_moses
from widl.phrase_table.pruning import Pruning, phrases_of, prune_table
from widl.phrase_table.statistics import table_statistics

STEPS = ("open", "stats", "export", "export gz", "import", "import gz", "export again", "limit 20", "text")


@dataclass
class Arguments:
    """What to measure."""

    table: Path
    text: Path | None
    threads: int
    folder: Path | None
    step: str | None


def parse_arguments() -> Arguments:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("--text", type=Path, help="prune for this tokenised text")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="of the files in between")
    parser.add_argument("--step", choices=STEPS, help="measure one step only, in this process")
    return Arguments(**vars(parser.parse_args()))


def steps(arguments: Arguments, folder: Path) -> dict[str, Callable[[], Path]]:
    """What each step does; it gives the file that it read or wrote."""

    def export(source: Path, name: str) -> Path:
        with PhraseTable.open(source) as table:
            report = export_moses(table, folder / name)
        assert report.written == table.info.phrase_pairs
        return folder / name

    def read(name: str) -> Path:
        import_moses(folder / name, folder / "table")
        return folder / "table"

    def prune(pruning: Callable[[], Pruning]) -> Path:
        with PhraseTable.open(arguments.table) as table:
            report = prune_table(table, folder / "pruned", pruning())
        assert report.info.phrase_pairs + sum(report.gone.values()) == report.pairs
        return folder / "pruned"

    def of_text() -> Pruning:
        assert arguments.text is not None
        with arguments.text.open(encoding="utf-8") as file:
            return Pruning(phrases=phrases_of(map(split_words, file), 7))

    def statistics() -> Path:
        with PhraseTable.open(arguments.table) as table:
            assert sum(table_statistics(table).target_lengths.values()) == table.info.phrase_pairs
        return arguments.table

    def opened() -> Path:
        with PhraseTable.open(arguments.table):
            return arguments.table

    return {
        "open": opened,
        "stats": statistics,
        "export": lambda: export(arguments.table, "text"),
        "export gz": lambda: export(arguments.table, "text.gz"),
        "import": lambda: read("text"),
        "import gz": lambda: read("text.gz"),
        "export again": lambda: export(folder / "table", "again"),
        "limit 20": lambda: prune(lambda: Pruning(limit=20)),
        "text": lambda: prune(of_text),
    }


def anonymous_memory(stop: threading.Event, peak: list[int]) -> None:
    """Note the highest number of kB while others work."""
    while not stop.wait(0.05):
        with open("/proc/self/status") as file:
            found = [int(line.split()[1]) for line in file if line.startswith("RssAnon")]
        peak[0] = max(peak[0], *found)


def measure(arguments: Arguments, folder: Path, step: str) -> None:
    """Print one row."""
    stop, peak = threading.Event(), [0]
    watcher = threading.Thread(target=anonymous_memory, args=(stop, peak))
    watcher.start()
    start, cpu = time.perf_counter(), time.process_time()
    try:
        file = steps(arguments, folder)[step]()
    finally:
        stop.set()
        watcher.join()
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    size = file.stat().st_size / 1e6
    print(f"{step:<14} {seconds:>8.2f} {cpu:>8.2f} {peak[0] / 1024:>8.0f} {size:>9.1f}", flush=True)


def same_content(one: Path, other: Path) -> bool:
    """Whether two files are equal."""
    return subprocess.run(["cmp", "-s", one, other], check=False).returncode == 0


def main() -> None:
    """Measure all steps."""
    arguments = parse_arguments()
    if arguments.step is not None:
        assert arguments.folder is not None
        measure(arguments, arguments.folder, arguments.step)
        return
    with PhraseTable.open(arguments.table) as table:
        print(f"{table.info.phrase_pairs:,} phrase pairs; {arguments.threads} threads; load {os.getloadavg()[0]:.1f}")
    print(f"{'step':<14} {'seconds':>8} {'cpu s':>8} {'MB':>8} {'MB file':>9}", flush=True)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        for step in STEPS:
            if step != "text" or arguments.text is not None:
                subprocess.run([sys.executable, *sys.argv, "--folder", folder, "--step", step], check=True)
        assert same_content(Path(folder) / "text", Path(folder) / "again"), "there and back changes nothing"


if __name__ == "__main__":
    main()
