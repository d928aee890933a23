"""Word alignment: time, memory, size and growth; that runs are equal; error rate on hand-made links.

    python benchmarks/alignment.py CORPUS.zh CORPUS.en [--threads N] [--copies] [--gold SOURCE TARGET LINKS]

takes tokenised files. Learning and aligning a random quarter, half and all of them, and with --copies four times as
much (shuffled copies with a tenth of the words replaced by others). Peak memory is that of the process so far.

Links are `i-j` where sure, `i-j-P` where possible. AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), and P includes S
(Och & Ney 2003).
"""

import argparse
import math
import random
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from widl.alignment.aligner import TextToAlign, WordAligner, learn_and_align
from widl.alignment.symmetrization import symmetrize_pair
from widl.common.files import read_lines

Text = tuple[Sequence[str], Sequence[str]]


def aligned(text: Text, threads: int) -> tuple[bytes, list[tuple[str, str]], WordAligner]:
    """The saved model, the links of both directions, and the aligner."""
    aligner, links = learn_and_align(*text, threads=threads)
    found = list(links)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "alignment.gz"
        aligner.save(path)
        return path.read_bytes(), found, aligner


def copies(text: Text, count: int, seed: int = 1) -> Text:
    """So many times the lines, in other orders, a tenth of the words replaced by any of the side's."""
    numbers = random.Random(seed)
    words = [[word for line in side for word in line.split()] for side in text]
    pairs: list[tuple[str, str]] = list(zip(*text, strict=True))
    result: list[tuple[str, ...]] = []
    for _ in range(count):
        numbers.shuffle(pairs)
        for pair in pairs:
            lines = []
            for line, others in zip(pair, words, strict=True):
                changed = [numbers.choice(others) if numbers.random() < 0.1 else word for word in line.split()]
                lines.append(" ".join(changed))
            result.append(tuple(lines))
    return [pair[0] for pair in result], [pair[1] for pair in result]


def gold_links(path: Path) -> list[tuple[set[str], set[str]]]:
    """Sure links, and possible ones with the sure."""
    result = []
    for line in read_lines(path):
        sure = {link for link in line.split() if link.count("-") == 1}
        result.append((sure, {"-".join(link.split("-")[:2]) for link in line.split()}))
    return result


def print_error_rate(aligner: WordAligner, files: Sequence[Path], threads: int) -> None:
    """AER, precision and recall of both directions and of their symmetrisation."""
    gold = gold_links(files[2])
    text = TextToAlign(read_lines(files[0]), read_lines(files[1]))
    found = list(aligner.align(text, threads=threads))
    symmetrized = [symmetrize_pair(*pair, "grow-diag-final-and") for pair in found]
    print(f"{'links':22} {'AER':>6} {'precision':>9} {'recall':>6}")
    for name, lines in (
        ("forward", [forward for forward, _ in found]),
        ("reverse", [reverse for _, reverse in found]),
        ("grow-diag-final-and", symmetrized),
    ):
        own = [set(line.split()) for line in lines]
        size, sure_size = sum(map(len, own)), sum(len(sure) for sure, _ in gold)
        sure = sum(len(a & s) for a, (s, _) in zip(own, gold, strict=True))
        possible = sum(len(a & p) for a, (_, p) in zip(own, gold, strict=True))
        error = 1 - (sure + possible) / (size + sure_size)
        print(f"{name:22} {error:6.3f} {possible / size:9.3f} {sure / sure_size:6.3f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--copies", action="store_true", help="also four times the text")
    parser.add_argument("--gold", type=Path, nargs=3, metavar=("SOURCE", "TARGET", "LINKS"))
    arguments = parser.parse_args()
    pairs = list(zip(read_lines(arguments.source), read_lines(arguments.target), strict=True))
    random.Random(0).shuffle(pairs)
    text: Text = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    size = len(pairs)
    parts: list[Text] = [(text[0][: size // n], text[1][: size // n]) for n in (4, 2, 1)]
    print(f"{'pairs':>10} {'tokens':>12} {'wall s':>8} {'CPU s':>8} {'peak MB':>8} {'model MB':>8} {'slope':>6}")
    before = None
    for number in range(len(parts) + arguments.copies):
        part = parts[number] if number < len(parts) else copies(text, 4)
        start, cpu = time.perf_counter(), time.process_time()
        result = aligned(part, arguments.threads)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        tokens = sum(line.count(" ") + 1 for side in part for line in side)
        slope = f"{math.log(cpu / before[1]) / math.log(tokens / before[0]):6.2f}" if before else ""
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        megabytes = len(result[0]) / 1e6
        print(f"{len(part[0]):10,} {tokens:12,} {seconds:8.1f} {cpu:8.1f} {memory:8.0f} {megabytes:8.1f} {slope}")
        before = tokens, cpu
        if part is parts[-1]:
            model, links, aligner = result
    for threads in (1, 2):
        assert aligned(text, threads)[:2] == (model, links), f"{threads} threads made other links"
    print("equal bytes from another run, and from one and two threads")
    if arguments.gold:
        print_error_rate(aligner, arguments.gold, arguments.threads)


if __name__ == "__main__":
    main()
