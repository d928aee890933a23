"""Hours of work in one process: does anything grow, does anything slow down?

    python benchmarks/soak.py MODEL_DIR LINES HEADLINE_MODEL_DIR DOCUMENTS
        --lines 1000000 --documents 100000 --tunings 10000

Translates lines (``pop_limit`` 50), makes headlines, and tunes weights on small n-best lists, repeating the given lines
and documents with a word changed, so that no two are alike. At every twentieth of each part: resident memory, open
files, threads, and items a CPU second, which other programs on the machine disturb less than the clock, and less
again beside the CPU seconds of a fixed piece of work that is done twenty times in each part. A part has whole rounds
of what is repeated, so that all have the same work. Batches are made ahead: a part should hold many. Ends with 1 if
memory grows by more than 2 % after the first tenth, files or threads grow, or the last tenth's speed by that
yardstick is below 0.97 of the second's.
"""

import argparse
import itertools
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from widl.common.files import read_lines
from widl.headline import Headliner
from widl.headline.documents import Document, read_documents
from widl.mert import Objective, OptimizerOptions, optimize
from widl.mert.nbest import read_nbest
from widl.mert.problem import TuningSet
from widl.translation import TranslationOptions, Translator

_PARTS = 20
_GROWTH, _SPEED = 1.02, 0.97


@dataclass(frozen=True)
class Measured:
    """The process at the end of a part of the work."""

    memory: int
    """Bytes resident."""
    files: int
    threads: int
    speed: float
    """Items a CPU second in this part."""
    yardstick: float
    """CPU seconds that a fixed piece of work took during it, a few times: how slow the machine was."""


def _yardstick() -> None:
    counts = dict.fromkeys(range(20_000), 0)
    for number in range(100_000):
        counts[number * 7919 % 20_000] += 1


def _measure(done: int, seconds: float, yardstick: float) -> Measured:
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    memory, threads = int(status["VmRSS"].split()[0]) << 10, int(status["Threads"])
    return Measured(memory, len(os.listdir("/proc/self/fd")), threads, done / seconds, yardstick)


def watch(items: Iterable[object], part: int) -> Iterator[Measured]:
    """Take twenty parts of so many items, measuring after each."""
    clock, beside = time.process_time(), 0.0
    for number, _ in enumerate(itertools.islice(items, part * _PARTS), 1):
        if number % max(1, part // 20) == 0:
            start = time.process_time()
            _yardstick()
            beside += time.process_time() - start
        if number % part == 0:
            seconds = time.process_time() - clock - beside
            yield _measure(part, max(seconds, 1e-9), beside)
            clock, beside = time.process_time(), 0.0


def judge(measured: Sequence[Measured]) -> list[str]:
    """What grew or slowed down."""
    early, late = measured[1], measured[-1]
    wrong = []
    most = max(found.memory for found in measured[2:])
    if most > _GROWTH * early.memory:
        wrong.append(f"memory grows from {early.memory >> 20} to {most >> 20} MB")
    for name in ("files", "threads"):
        if getattr(late, name) > getattr(early, name):
            wrong.append(f"{name} grow from {getattr(early, name)} to {getattr(late, name)}")
    second, last = (sum(found.speed * found.yardstick for found in part) for part in (measured[2:4], measured[-2:]))
    if last < _SPEED * second:
        wrong.append(f"the last tenth has {last / second:.3f} of the second's speed, measured by the yardstick")
    return wrong


def varied(texts: Sequence[str], words: Sequence[str], draw: random.Random) -> Iterator[str]:
    """The texts again and again, each with a word drawn put somewhere."""
    for text in itertools.cycle(texts):
        place = draw.randrange(len(text) + 1)
        yield f"{text[:place]} {draw.choice(words)} {text[place:]}"


def translations(model: Path, texts: Sequence[str], draw: random.Random) -> Iterator[object]:
    """Endless translations."""
    characters = sorted({character for text in texts for character in text if character.isalpha()})
    translator = Translator(model)
    yield from translator.translate(varied(texts, characters, draw), TranslationOptions(pop_limit=50))


def headlines(model: Path, texts: Sequence[str], draw: random.Random) -> Iterator[object]:
    """Endless headlines."""
    words = sorted({word for text in texts for word in text.split() if word.isalpha()})
    headliner = Headliner(model)
    made = (Document(str(number), text) for number, text in enumerate(varied(texts, words, draw)))
    yield from headliner.generate(made)


def tunings(folder: Path, draw: random.Random) -> Iterator[object]:
    """Endless tunings on lists of ten candidates for ten sentences, read from a file each time."""
    words = [f"w{i}" for i in range(30)]
    while True:
        references = [" ".join(draw.choices(words, k=8)) for _ in range(10)]
        path = folder / "lists"
        with path.open("w", encoding="utf-8") as out:
            for sentence, reference in enumerate(references):
                for _ in range(10):
                    candidate = [draw.choice(words) if draw.random() < 0.3 else word for word in reference.split()]
                    values = " ".join(f"{draw.gauss(0, 1):.4f}" for _ in range(3))
                    out.write(f"{sentence} ||| {' '.join(candidate)} ||| f= {values} ||| 0\n")
        objective = Objective("bleu", [references])
        lists = read_nbest([path], sentences=10)
        data = TuningSet(objective)
        data.add(lists)
        start = dict.fromkeys(lists.feature_names, 1.0)
        yield optimize(data.freeze(), start, OptimizerOptions(restarts=2))


def main() -> None:
    """Run the three parts, and print a table of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path, metavar="lines")
    parser.add_argument("headline_model", type=Path)
    parser.add_argument("stories", type=Path, metavar="documents")
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--tunings", type=int, default=10_000)
    arguments = parser.parse_args()
    draw = random.Random(1)
    lines = list(read_lines(arguments.source))
    texts = [document.text for document in read_documents([arguments.stories]) if isinstance(document, Document)]
    wrong = []
    with TemporaryDirectory() as folder:
        for name, items, count, repeated in (
            ("translate", translations(arguments.model, lines, draw), arguments.lines, len(lines)),
            ("headline", headlines(arguments.headline_model, texts, draw), arguments.documents, len(texts)),
            ("tune", tunings(Path(folder), draw), arguments.tunings, 1),
        ):
            if not count:
                continue
            part = repeated * max(1, round(count / _PARTS / repeated))
            print(f"{name}: {part * _PARTS:,} items")
            print("  part   memory MB   files   threads   items/CPU s   yardstick CPU s", flush=True)
            measured = []
            for number, found in enumerate(watch(items, part), 1):
                measured.append(found)
                held = f"{found.memory / (1 << 20):11.1f} {found.files:7d} {found.threads:9d}"
                print(f"{100 * number // _PARTS:5d} % {held} {found.speed:13.1f} {found.yardstick:17.3f}", flush=True)
            for problem in judge(measured):
                wrong.append(f"{name}: {problem}")
                print(f"  {problem}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
