"""The paper's numbers of bags (Soricut & Marcu 2005, §4): up to 2,000 sentences of a newspaper for Tables 2 and 3.

    python benchmarks/journal_bags.py TEXT [TEXT …] --tests TESTS

The sentences of the test files come first; others are drawn by seed from the tokenized texts (.gz too), each
once, without brackets. Of each range of lengths, in words without final punctuation, ``OUTPUT.RANGE.txt`` has up to
`--number`. Language models for these bags must leave the texts out, whose other lines are of the same documents.
"""

import argparse
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from widl.common.files import read_lines, write_text
from widl.text.penn import without_final_punctuation

_BRACKETS = re.compile(r"-[LR][CRS]B-|[][(){}]")


def sentences(files: Iterable[Path]) -> Iterator[str]:
    """Lower-cased sentences without final punctuation and without brackets; tokens are separated by blanks."""
    for file in files:
        for line in read_lines(file):
            if not _BRACKETS.search(line):
                yield " ".join(without_final_punctuation(line.lower().split()))


def drawn(tests: list[str], others: list[str], lengths: range, number: int, seed: int) -> list[str]:
    """All test sentences of these lengths, then others in random order, up to `number`; each once."""
    order = list(dict.fromkeys(others))
    random.Random(seed).shuffle(order)
    fitting = [line for line in dict.fromkeys(tests + order) if len(line.split()) in lengths]
    return fitting[:number]


def main() -> None:
    """Writes a file for each range of lengths, and prints how many sentences it has and how many there were."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="+", type=Path, help="tokenized sentences, one a line")
    parser.add_argument("--tests", nargs="*", type=Path, default=[], help="sentences that come first")
    parser.add_argument("--lengths", nargs="+", default=["3-7", "10-25"])
    parser.add_argument("--number", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", default="journal")
    arguments = parser.parse_args()
    tests, others = list(sentences(arguments.tests)), list(sentences(arguments.texts))
    for name in arguments.lengths:
        fewest, most = map(int, name.split("-"))
        chosen = drawn(tests, others, range(fewest, most + 1), arguments.number, arguments.seed)
        with write_text(Path(f"{arguments.output}.{name}.txt")) as out:
            out.writelines(f"{line}\n" for line in chosen)
        known = set(tests)
        print(f"{name}: {len(chosen)} sentences, {sum(line in known for line in chosen)} of them of the test files")


if __name__ == "__main__":
    main()
