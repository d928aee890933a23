"""Words in letters of Chinese text, looked up, whole, in its translation.

    python benchmarks/copied_text.py MODEL FILE [FILE …] [--lines 10000] [--show 40]

Takes lines that have such words, as many of each file. A word is a run of keyboard characters between blanks, brackets,
marks of clauses and quotation marks, with a letter in it. It must be a part of the translation, in any case, unless the
phrase table translates its token: GDP as gross domestic product. Prints both counts, and the words of neither: those
were torn.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from widl.common.files import read_lines
from widl.text.normalization import normalize_chinese
from widl.translation import Translation, Translator

_RUN = re.compile(r"[!-~]*[A-Za-z][!-~]*")
_BETWEEN = re.compile(r"[\s,;:!?()\[\]{}\"<>|$%*\\^`~]+")


def words_of(line: str) -> Iterator[str]:
    """The words in letters of a line."""
    for run in _RUN.findall(normalize_chinese(line)):
        for piece in _BETWEEN.split(run):
            word = piece.strip(".'-/=_&")
            if re.search("[A-Za-z]", word):
                yield word


def is_translated(word: str, translation: Translation) -> bool:
    """Whether a phrase of the table covers the word's token and says something else."""
    phrases = (phrase for phrase in translation.phrases if not phrase.unknown)
    return any(word in translation.source[phrase.begin : phrase.end] for phrase in phrases)


def lines_of(files: Sequence[Path], most: int) -> Iterator[str]:
    """Lines with words in letters."""
    for file in files:
        yield from islice((line for line in read_lines(file) if any(words_of(line))), most // len(files))


def main() -> None:
    """Prints the counts, and the words that were torn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--lines", type=int, default=10_000)
    parser.add_argument("--show", type=int, default=40)
    given = parser.parse_args()
    lines = list(lines_of(given.files, given.lines))
    found = translated = 0
    torn: list[str] = []
    for line, translation in zip(lines, Translator(given.model).translate(lines, threads=2), strict=True):
        text = translation.text.lower()
        for word in words_of(line):
            if word.lower() in text:
                found += 1
            elif is_translated(word, translation):
                translated += 1
            else:
                torn.append(f"{word}\t{line.strip()}\t{translation.text}")
    print(f"{len(lines):,} lines: {found:,} words found, {translated:,} translated, {len(torn):,} torn")
    for example in torn[: given.show]:
        print(example)


if __name__ == "__main__":
    main()
