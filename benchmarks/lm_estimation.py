"""Time and memory of ``widl lm estimate`` on a quarter, half and all of a text.

    python benchmarks/lm_estimation.py [--order 3] [--words 10000000] [--kind arpa] [--memory 256M …] [FILES…]

Each run is the whole command in a process of its own: reading, counting, estimating, writing; first in as
much memory as it wants, then in as much as each ``--memory`` allows. The models must be the same. The text
is the files' first ``--words`` words, by default of shared/data/lm beside the project where present.
"""

import argparse
import gzip
import hashlib
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DEFAULT_FILES = [
    file for parent in Path(__file__).resolve().parents for file in sorted(parent.glob("shared/data/lm/*.gz"))
]
UNLIMITED = "none"
RESERVED = (b"<s>", b"</s>", b"<unk>", b"<UNK>")


@dataclass(frozen=True)
class Run:
    """What one run of the command took and gave."""

    words: int
    limit: str
    seconds: float
    cpu_seconds: float  # what the machine's other work does not disturb
    peak_bytes: int
    ngrams: tuple[int, ...]

    def row(self) -> str:
        """Return the run's line of the table."""
        return (
            f"{self.words:>12,} {self.limit:>8} {self.seconds:>8.2f} {self.cpu_seconds:>8.2f} "
            f"{self.words / self.cpu_seconds:>12,.0f} "
            f"{self.peak_bytes / 1e6:>10,.0f}  {' '.join(f'{count:,}' for count in self.ngrams)}"
        )


def lines_of(files: list[Path]) -> Iterator[bytes]:
    """Lines without the model's own words, which no text may contain."""
    for file in files:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
            for line in stream:
                if not any(word in line for word in RESERVED):
                    yield line.rstrip(b"\n") + b"\n"


def write_words(files: list[Path], limit: int, output: Path) -> int:
    """Write whole lines until there are `limit` words; return how many there are."""
    words = 0
    with output.open("wb") as stream:
        for line in lines_of(files):
            stream.write(line)
            words += len(line.split())
            if words >= limit:
                break
    return words


def arpa_counts(arpa: Path) -> tuple[int, ...]:
    """Read the numbers of n-grams from the top of an ARPA file."""
    with arpa.open() as stream:
        assert next(stream) == "\\data\\\n"
        return tuple(int(line.partition("=")[2]) for line in itertools.takewhile(str.strip, stream))


def digest(file: Path) -> str:
    """Hash the content of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def estimate(text: Path, words: int, options: argparse.Namespace, limit: str) -> tuple[Run, str]:
    """Run the command and measure it; return a hash of the model, too."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / f"model.{options.kind}"
        command = [sys.executable, "-c", "from widl.cli import main; main()", "lm", "estimate"]
        command += ["--order", str(options.order), "--output", str(model), str(text)]
        command += ["--memory", limit] if limit != UNLIMITED else []
        command += ["--prune", options.prune] if options.prune else []
        start = time.perf_counter()
        process = os.posix_spawn(sys.executable, command, os.environ)
        _, status, usage = os.wait4(process, 0)
        seconds = time.perf_counter() - start
        if status != 0:
            raise SystemExit("the command failed")
        ngrams = arpa_counts(model) if options.kind == "arpa" else ()
        cpu_seconds = usage.ru_utime + usage.ru_stime
        return Run(words, limit, seconds, cpu_seconds, usage.ru_maxrss * 1024, ngrams), digest(model)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--order", type=int, default=3)
    parser.add_argument("--words", type=int, default=10_000_000)
    parser.add_argument("--kind", default="arpa", choices=["arpa", "arpa.gz", "binary"])
    parser.add_argument("--prune", help="as of widl lm estimate")
    parser.add_argument("--memory", action="append", help="limit the memory; may be given several times")
    options = parser.parse_args()
    files = options.files or DEFAULT_FILES
    if not files:
        parser.error("name the files of text: there is no shared/data/lm beside the project")
    limits = [UNLIMITED, *(options.memory or ["256M", "128M"])]
    print(f"{'words':>12} {'limit':>8} {'seconds':>8} {'CPU s':>8} {'words/CPU s':>12} {'peak MB':>10}  n-grams")
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "text"
        for parts in (4, 2, 1):
            words = write_words(files, options.words // parts, text)
            models = set()
            for limit in limits:
                run, model = estimate(text, words, options, limit)
                print(run.row(), flush=True)
                models.add(model)
            assert len(models) == 1, "the models differ"


if __name__ == "__main__":
    main()
