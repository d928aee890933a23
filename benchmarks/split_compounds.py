"""Texts with compounds split (Koehn & Knight 2003), to measure what it gives; `widl` itself splits none.

    python benchmarks/split_compounds.py TRAINING FILE [FILE …] --output FOLDER

A word may be read as words of at least four letters of the training text, with nothing, *s* or *es* between them. The
reading with the largest geometric mean of counts wins, the word itself among them; between equal ones, the one with
fewer parts. Files have lower-case tokens (.gz too). FOLDER gets files with the same names, without .gz.
"""

import argparse
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from widl.common.files import read_lines, write_text

FILLERS = ("", "s", "es")
"""What stands between two parts of a German compound."""
SHORTEST, LONGEST = 4, 60
"""Letters of a part, at least, and of a word that is split, at most."""

_Way = tuple[int, int, int]
"""Parts up to a letter: the product of their counts, where the last of them begins, and where the one before ends."""


def main() -> None:
    """Writes the files, and prints how many tokens they have."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("training", type=Path)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    counts = Counter(token for line in read_lines(arguments.training) for token in line.split())
    splitter = CompoundSplitter(counts)
    arguments.output.mkdir(parents=True, exist_ok=True)
    for file in arguments.files:
        tokens = written = 0
        with write_text(arguments.output / file.name.removesuffix(".gz")) as out:
            for line in read_lines(file):
                words = line.split()
                parts = [part for word in words for part in splitter.parts(word)]
                tokens, written = tokens + len(words), written + len(parts)
                out.write(" ".join(parts) + "\n")
        print(f"{file}: {written:,} tokens of {tokens:,}")


class CompoundSplitter:
    """Splits compounds into words of a text, given their counts in it.

    >>> splitter = CompoundSplitter({"aktion": 852, "plan": 710, "aktionsplan": 722, "akt": 224})
    >>> splitter.parts("aktionsplan"), splitter.parts("aktionsplans")
    (['aktion', 'plan'], ['aktionsplans'])
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts = {word: count for word, count in counts.items() if len(word) >= SHORTEST and word.isalpha()}
        self.parts = cache(self._best)

    def _best(self, word: str) -> list[str]:
        """The reading with the largest geometric mean of counts; the word if it has none."""
        if not (word.isalpha() and 2 * SHORTEST <= len(word) <= LONGEST):
            return [word]
        ways = self._ways(word)
        best = 0
        for number in sorted(ways[-1]):
            # The roots of products are compared without rounding.
            if not best or ways[-1][number][0] ** best > ways[-1][best][0] ** number:
                best = number
        parts, end = [], len(word)
        for number in range(best, 0, -1):
            _, begin, before = ways[end][number]
            parts.append(word[begin:end])
            end = before
        return parts[::-1] or [word]

    def _ways(self, word: str) -> list[dict[int, _Way]]:
        """For each number of letters, the best way to read so many of a word, by number of parts."""
        ways: list[dict[int, _Way]] = [{} for _ in range(len(word) + 1)]
        ways[0][0] = (1, 0, 0)
        for before in range(len(word)):
            for filler in FILLERS if before else ("",):
                begin = before + len(filler)
                if not ways[before] or not word.startswith(filler, before):
                    continue
                for end in range(begin + SHORTEST, len(word) + 1):
                    count = self._counts.get(word[begin:end], 0)
                    for number, (product, *_) in ways[before].items() if count else ():
                        if product * count > ways[end].get(number + 1, (0, 0, 0))[0]:
                            ways[end][number + 1] = (product * count, begin, before)
        return ways


if __name__ == "__main__":
    main()
