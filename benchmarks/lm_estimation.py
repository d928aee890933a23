"""Time and memory of ``widl lm estimate`` on a quarter, half and all of a text.

    python benchmarks/lm_estimation.py [--order 3] [--words 10000000] [--kind arpa] [--memory 256M …] [FILES…]
    python benchmarks/lm_estimation.py --words 100000000 --parts 1 --memory 1G --only-limited FILES…

Each run is the whole command in a process of its own: reading, counting, estimating, writing; first in as
much memory as it wants, then in as much as each ``--memory`` allows. The models must be the same. The text
is the files' first ``--words`` words, by default of shared/data/lm beside the project where present. Where
they have fewer, copies follow in which a tenth of the words are others of the same frequency (the same power
of two). Disk is the peak of the model and of temporary files, looked at ten times a second.
"""

import argparse
import contextlib
import gzip
import hashlib
import itertools
import os
import resource
import stat
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

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
    disk_bytes: int
    ngrams: tuple[int, ...]

    def row(self) -> str:
        """Return the run's line of the table."""
        return (
            f"{self.words:>12,} {self.limit:>8} {self.seconds:>8.2f} {self.cpu_seconds:>8.2f} "
            f"{self.words / self.cpu_seconds:>12,.0f} "
            f"{self.peak_bytes / 1e6:>10,.0f} {self.disk_bytes / 1e6:>9,.0f}  "
            f"{' '.join(f'{count:,}' for count in self.ngrams)}"
        )


def lines_of(files: list[Path]) -> Iterator[bytes]:
    """Lines without the model's own words, which no text may contain."""
    for file in files:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
            for line in stream:
                if not any(word in line for word in RESERVED):
                    yield line.rstrip(b"\n") + b"\n"


def noisy_copies(files: list[Path]) -> Iterator[bytes]:
    """The lines again and again, with noise."""
    lines = [line.split() for line in lines_of(files)]
    counts = Counter(word for line in lines for word in line)
    words = sorted(counts, key=lambda word: (counts[word].bit_length(), word))
    numbers = {word: number for number, word in enumerate(words)}
    text = np.fromiter((numbers[word] for line in lines for word in line), dtype=np.int64)
    ends = np.cumsum([len(line) for line in lines]).tolist()
    bands = np.array([counts[word].bit_length() for word in words])
    first, last = np.searchsorted(bands, bands, "left"), np.searchsorted(bands, bands, "right")
    del lines, numbers
    draw = np.random.default_rng(1)
    while True:
        places = np.flatnonzero(draw.random(len(text)) < 0.1)
        copy = text.copy()
        copy[places] = draw.integers(first[text[places]], last[text[places]])
        noisy = [words[number] for number in copy.tolist()]
        for begin, end in itertools.pairwise([0, *ends]):
            yield b" ".join(noisy[begin:end]) + b"\n"


def write_words(files: list[Path], limit: int, output: Path) -> int:
    """Write whole lines until there are `limit` words; return how many there are."""
    words = 0
    with output.open("wb") as stream:
        for line in itertools.chain(lines_of(files), noisy_copies(files)):
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


def disk_of(process: int, folder: Path) -> int:
    """Bytes of the model so far and of the process' files without a name; 0 when it has ended."""
    named = {path.stat().st_ino for path in folder.iterdir()}
    paths = [*folder.iterdir(), *Path(f"/proc/{process}/fd").iterdir()]
    found = {(status.st_dev, status.st_ino): status for status in map(os.stat, paths) if stat.S_ISREG(status.st_mode)}
    there = [status for status in found.values() if status.st_nlink == 0 or status.st_ino in named]
    return sum(512 * status.st_blocks for status in there)


def watched(process: int, folder: Path) -> tuple[int, resource.struct_rusage, int]:
    """Exit status, use and peak of disk of a process, when it has ended."""
    disk = 0
    while True:
        ended, status, usage = os.wait4(process, os.WNOHANG)
        if ended:
            return status, usage, disk
        with contextlib.suppress(OSError):  # a file that is closed or renamed meanwhile
            disk = max(disk, disk_of(process, folder))
        time.sleep(0.1)


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
        status, usage, disk = watched(process, Path(folder))
        seconds = time.perf_counter() - start
        if status != 0:
            raise SystemExit("the command failed")
        ngrams = arpa_counts(model) if options.kind == "arpa" else ()
        cpu_seconds = usage.ru_utime + usage.ru_stime
        return Run(words, limit, seconds, cpu_seconds, usage.ru_maxrss * 1024, disk, ngrams), digest(model)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--order", type=int, default=3)
    parser.add_argument("--words", type=int, default=10_000_000)
    parser.add_argument("--kind", default="arpa", choices=["arpa", "arpa.gz", "binary"])
    parser.add_argument("--prune", help="as of widl lm estimate")
    parser.add_argument("--memory", action="append", help="limit the memory; may be given several times")
    parser.add_argument("--only-limited", action="store_true", help="not in as much memory as it wants")
    parser.add_argument("--parts", type=int, nargs="+", default=[4, 2, 1], help="runs on so many parts of the words")
    options = parser.parse_args()
    files = options.files or DEFAULT_FILES
    if not files:
        parser.error("name the files of text: there is no shared/data/lm beside the project")
    limits = [*([] if options.only_limited else [UNLIMITED]), *(options.memory or ["256M", "128M"])]
    heads = f"{'words':>12} {'limit':>8} {'seconds':>8} {'CPU s':>8} {'words/CPU s':>12} {'peak MB':>10} {'disk MB':>9}"
    print(f"{heads}  n-grams")
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "text"
        for parts in options.parts:
            words = write_words(files, options.words // parts, text)
            models = set()
            for limit in limits:
                run, model = estimate(text, words, options, limit)
                print(run.row(), flush=True)
                models.add(model)
            assert len(models) == 1, "the models differ"


if __name__ == "__main__":
    main()
