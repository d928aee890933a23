"""How training grows with its text: seconds, CPU seconds, peak memory and disk of each stage, and their slopes.

    python benchmarks/growth.py FOLDER --bitext PREFIX... --pairs 259000 518000 1036000 2590000 --memory 1G

PREFIX.zh and PREFIX.en are real text, of which fewer pairs are spread evenly. Where more are wanted than there are,
copies follow in which a tenth of the words are others of the same frequency (the same power of two), so that the
vocabulary does not stay what it was. The slope is that of a line through the logarithms: 1 is linear. FOLDER has the
texts and models; models are removed.
"""

import argparse
import itertools
import math
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from widl.common.files import read_lines, write_text
from widl.text.segmentation import make_tokenizer

_TICKS = os.sysconf("SC_CLK_TCK")
_STAGE = re.compile(r"^\S+ ([^:]+): (started|finished in ([\d.]+) s)", re.MULTILINE)


@dataclass
class Stage:
    """What a stage took."""

    seconds: float = 0.0
    cpu: float = 0.0
    memory: float = 0.0
    """Peak of resident memory with mapped files, MB."""
    own: float = 0.0
    """Peak of resident memory without mapped files, which the system can take back, MB."""
    disk: float = 0.0
    """Peak of the training's directory, MB; spilled data have no names and are not in it."""


class Noise:
    """Replaces a tenth of the words of sentences by words of the same frequency."""

    def __init__(self, sentences: Sequence[Sequence[str]], draw: random.Random) -> None:
        counts = Counter(word for sentence in sentences for word in sentence)
        self._band = {word: count.bit_length() for word, count in counts.items()}
        self._words: dict[int, list[str]] = defaultdict(list)
        for word in sorted(counts):
            self._words[self._band[word]].append(word)
        self._draw = draw

    def __call__(self, sentence: Sequence[str]) -> list[str]:
        """The sentence with noise."""
        draw = self._draw
        return [draw.choice(self._words[self._band[word]]) if draw.random() < 0.1 else word for word in sentence]


def write_pairs(prefixes: Sequence[Path], output: Path, pairs: int) -> None:
    """So many pairs: of the real ones, then copies with noise."""
    segment = make_tokenizer("zh").tokenize
    splits: dict[str, tuple[Callable[[str], list[str]], str]] = {"zh": (segment, ""), "en": (str.split, " ")}
    for suffix, (split, blank) in splits.items():
        lines = [line for prefix in prefixes for line in read_lines(f"{prefix}.{suffix}")]
        if pairs < len(lines):
            lines = [lines[i * len(lines) // pairs] for i in range(pairs)]
        with write_text(f"{output}.{suffix}") as file:
            file.writelines(f"{line}\n" for line in lines)
            if pairs > len(lines):
                sentences = [split(line) for line in lines]
                noise = Noise(sentences, random.Random(1))
                for sentence in itertools.islice(itertools.cycle(sentences), pairs - len(lines)):
                    file.write(blank.join(noise(sentence)) + "\n")


def _processes(pid: int) -> Iterator[int]:
    yield pid
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in tasks.read_text().split():
            yield from _processes(int(child))


def _usage(pid: int) -> tuple[float, float, float]:
    """Megabytes of memory, of those that are no mapped files, and CPU seconds of a process with its children."""
    memory = own = cpu = 0.0
    for process in _processes(pid):
        status = Path(f"/proc/{process}/status").read_text()
        memory += int(status.partition("VmRSS:")[2].split()[0]) / 1024
        own += int(status.partition("RssAnon:")[2].split()[0]) / 1024
        times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        cpu += (int(times[11]) + int(times[12]) + int(times[13]) + int(times[14])) / _TICKS
    return memory, own, cpu


def measure(bitext: Path, model: Path, options: Sequence[str]) -> dict[str, Stage]:
    """Train, and look at the process five times a second."""
    code = "from widl.cli import main; main()"
    options = ["--bitext", str(bitext), "--quiet", *options]
    process = subprocess.Popen([sys.executable, "-c", code, "train", *options, str(model)])
    work = model.with_name(f"{model.name}.work")
    found: dict[str, Stage] = {}
    stage, log, spent = "", "", 0.0
    while process.poll() is None:
        try:
            log = (work / "job.log").read_text()
            resident, own, cpu = _usage(process.pid)
            disk = sum(path.stat().st_size for path in work.iterdir() if path.is_file()) / (1 << 20)
        except (OSError, IndexError):  # begins or ends
            time.sleep(0.02)
            continue
        lines = _STAGE.findall(log)
        stage = lines[-1][0] if lines else stage
        if stage:
            now = found.setdefault(stage, Stage())
            now.memory, now.own = max(now.memory, resident), max(now.own, own)
            now.disk = max(now.disk, disk)
            now.cpu += max(0.0, cpu - spent)
        for name, _, seconds in lines:
            if seconds and not found.setdefault(name, Stage()).seconds:
                found[name].seconds = float(seconds)
                tell(name, found[name])
        spent = max(spent, cpu)
        time.sleep(0.2)
    if process.returncode:
        sys.exit(f"widl train ended with {process.returncode}")
    return found


def tell(name: str, took: Stage) -> None:
    """Print what a stage took; the next may take hours."""
    shown = f"{took.seconds:,.1f} s, {took.cpu:,.1f} CPU s, {took.memory:,.0f} MB ({took.own:,.0f} own)"
    print(f"{name}: {shown}, {took.disk:,.1f} MB on disk", file=sys.stderr, flush=True)


def main() -> None:
    """Print a table for each measure, a row a stage."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bitext", type=Path, nargs="+", required=True)
    parser.add_argument("--pairs", type=int, nargs="+", default=[259_000, 518_000, 1_036_000, 2_590_000])
    parser.add_argument("--memory", default="1G")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--order", default="5", help="of the language model: the default grows with the text")
    arguments = parser.parse_args()
    options = ["--memory", arguments.memory, "--threads", arguments.threads, "--order", arguments.order]
    arguments.folder.mkdir(parents=True, exist_ok=True)
    runs: list[dict[str, Stage]] = []
    for pairs in arguments.pairs:
        text, model = arguments.folder / f"text-{pairs}", arguments.folder / f"model-{pairs}"
        write_pairs(arguments.bitext, text, pairs)
        print(f"{pairs:,} pairs", file=sys.stderr, flush=True)
        runs.append(measure(text, model, options))
        shutil.rmtree(model)
    for measured in fields(Stage):
        print(f"\n{measured.name:24s}" + "".join(f"{pairs:>12,}" for pairs in arguments.pairs) + "   slope")
        for stage in runs[-1]:
            values = [getattr(run.get(stage, Stage()), measured.name) for run in runs]
            slope = math.nan
            if len(values) > 1 and min(values) > 0:
                slope = float(np.polyfit(np.log(arguments.pairs), np.log(values), 1)[0])
            print(f"{stage:24s}" + "".join(f"{value:12,.1f}" for value in values) + f"{slope:8.2f}")


if __name__ == "__main__":
    main()
