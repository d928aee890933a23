"""Reads the numbers of parallel text, and prints certain readings that the reference contradicts.

    python benchmarks/number_readings.py FOLDER/nyt FOLDER/fbis --examples 20
    python benchmarks/number_readings.py FOLDER/wmt_news FOLDER/nyt FOLDER/fbis --sample 10000

A text is NAME.zh with its reference NAME.en, or with several, NAME.ref0.en, NAME.ref1.en and so on. A certain reading
is contradicted if no reference has one of its wordings, though the first one has a number that no reading of the line
accounts for. Most contradictions are free translations, bad alignments and rounded numbers; read them.

The table counts for each kind the lines that it changes, its certain readings, and the contradicted ones.
"""

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from widl.common.files import read_lines
from widl.text.normalization import normalize_chinese
from widl.text.segmentation import ChineseSegmenter
from widl.translation.english_numbers import NUMBER_WORDS
from widl.translation.line_parts import GivenTranslations
from widl.translation.number_finder import NumberFinder

_TOKEN = re.compile(r"[0-9]+(?:[.,:/][0-9]+)*(?:st|nd|rd|th|s)?|[a-z]+(?:'[a-z]+)?(?:-[a-z]+)*\.?|[^\sa-z0-9]")
_NUMBER_WORDS = {*NUMBER_WORDS, "one", "first", "second", "third"}


@dataclass
class Tally:
    """Counts by kind, and the contradictions."""

    lines: Counter[str] = field(default_factory=Counter)
    certain: Counter[str] = field(default_factory=Counter)
    unread: int = 0
    contradicted: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def show(self, examples: int) -> None:
        """Prints the table, and some contradictions of each kind, drawn with a seed."""
        total, wrong = self.certain.total(), sum(map(len, self.contradicted.values()))
        print("kind\tlines\tcertain\tcontradicted")
        for kind, lines in self.lines.most_common():
            print(f"{kind}\t{lines:,}\t{self.certain[kind]:,}\t{len(self.contradicted[kind]):,}")
        share = 100 * wrong / max(1, total)
        print(f"{total:,} certain readings, {wrong:,} contradicted ({share:.2f} %); {self.unread:,} numbers not read")
        draw = random.Random(0)
        for kind, found in self.contradicted.items():
            for line in draw.sample(found, min(examples, len(found))):
                print(f"{kind}\t{line}")


def words_of(text: str) -> list[str]:
    """The words of an English text in lower case; only abbreviations end with a period."""
    words: list[str] = []
    for word in _TOKEN.findall(text.lower()):
        words += [word[:-1], "."] if word.endswith(".") and len(word) > 4 else [word]
    return words


def spaced(words: Iterable[str]) -> str:
    """Words with blanks around and inside of them, so that a part is found whole."""
    return f" {' '.join(words).lower().replace('-', ' ')} "


def numbers_of(words: Iterable[str]) -> list[str]:
    """The words that say a number."""
    return [word for word in words if word[0].isdigit() or word.split("-")[0] in _NUMBER_WORDS]


def parallel_lines(name: Path) -> Iterator[tuple[str, list[str]]]:
    """Lines of a text with their references."""
    references = sorted(name.parent.glob(f"{name.name}.ref*.en")) or [Path(f"{name}.en")]
    for line, *english in zip(read_lines(Path(f"{name}.zh")), *map(read_lines, references), strict=True):
        yield line, english


def check(line: str, references: Sequence[str], finder: NumberFinder, tally: Tally) -> None:
    """Counts the readings of a line."""
    found = [(part.text, part.given) for _, _, part in finder.find(normalize_chinese(line)) if part.given]
    tally.unread += sum(not given.rule for _, given in found)
    tally.lines.update({given.rule for _, given in found if given.rule})
    certain = [(text, given) for text, given in found if given.rule and given.number_use == "required"]
    tally.certain.update(given.rule for _, given in certain)
    words = [words_of(reference) for reference in references]
    for text, given in certain:
        if not is_said(given, words):
            left = not_accounted_for(words[0], [given for _, given in found])
            if left:
                reading = " ".join(given.alternatives[0][0])
                tally.contradicted[given.rule].append("\t".join((text, reading, " ".join(left), line, references[0])))


def is_said(given: GivenTranslations, references: Sequence[Sequence[str]]) -> bool:
    """Whether a reference has one of the wordings of a reading."""
    wordings = [spaced(words) for words in given.numbers]
    return any(wording in text for text in map(spaced, references) for wording in wordings)


def not_accounted_for(words: Sequence[str], readings: Sequence[GivenTranslations]) -> list[str]:
    """The numbers of a reference that no reading says."""
    said = {part for given in readings for wording in given.numbers for part in spaced(wording).split()}
    return [number for number in numbers_of(words) if not set(number.replace("-", " ").split()) <= said]


def main() -> None:
    """Reads the texts, and prints the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, nargs="+", help="parallel texts, without the ends of their names")
    parser.add_argument("--examples", type=int, default=0, help="contradictions of each kind to print")
    parser.add_argument("--sample", type=int, help="draw so many lines of all texts together")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    given = parser.parse_args()
    lines = [pair for name in given.texts for pair in parallel_lines(name)]
    if given.sample:
        lines = random.Random(given.seed).sample(lines, min(given.sample, len(lines)))
    segmenter, tally = ChineseSegmenter(), Tally()
    finder = NumberFinder(segmenter.split, segmenter.has_word, lambda words: [False] * len(words))
    for line, references in lines:
        check(line, references, finder, tally)
    tally.show(given.examples)


if __name__ == "__main__":
    main()
