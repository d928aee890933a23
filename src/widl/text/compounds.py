"""Compounds, split into the words that they consist of (Koehn & Knight 2003)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.files import read_lines, write_text

FILLERS = ("", "s", "es")
"""What stands between two parts of a German compound, besides nothing."""
SHORTEST, LONGEST = 4, 60
"""Letters of a part, at least, and of a word that is split, at most."""

_DIGITS = 15  # of a count, at most

_Way = tuple[int, int, int]
"""Parts up to a letter: the product of their counts, where the last of them begins, and where the one before ends."""


class CompoundSplitter:
    """Splits compounds into words of a text, given their counts in it.

    A word may be read as known words of at least four letters, with nothing, *s* or *es* between them. The reading with
    the largest geometric mean of counts is taken, among them the word itself (Koehn & Knight 2003, §3.2); of equal ones
    that with fewer parts. Case is ignored, and a part is written as it is most often in the text.

    >>> splitter = CompoundSplitter({"Aktion": 852, "Plan": 10, "plan": 700, "Aktionsplan": 722, "akt": 224})
    >>> splitter.split(["Aktionsplan", "Aktionsplans", "PLANAKTION", "Aktionen"])
    ['Aktion', 'plan', 'Aktionsplans', 'plan', 'Aktion', 'Aktionen']
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        forms: dict[str, Counter[str]] = {}
        for word, count in counts.items():
            if is_part(word):
                forms.setdefault(word.lower(), Counter())[word] += count
        self._counts = dict(counts)
        self._count = {word: written.total() for word, written in forms.items()}
        self._form = {word: max(sorted(written), key=written.__getitem__) for word, written in forms.items()}
        self._parts = lru_cache(maxsize=1 << 16)(self._best)

    def __reduce__(self) -> tuple[type["CompoundSplitter"], tuple[dict[str, int]]]:
        return CompoundSplitter, (self._counts,)

    @classmethod
    def load(cls, path: PathLike) -> "CompoundSplitter":
        """The splitter of a file with lines ``word<TAB>count``; InputError that names a line that is none."""
        return cls(dict(_read(Path(path))))

    def split(self, tokens: Iterable[str]) -> list[str]:
        """The tokens, compounds replaced by their parts."""
        return [part for token in tokens for part in self.parts(token)]

    def parts(self, token: str) -> list[str]:
        """The parts of a token; those of no compound are the token."""
        if not (token.isalpha() and 2 * SHORTEST <= len(token) <= LONGEST):
            return [token]
        parts = self._parts(token.lower())
        return [self._form[part] for part in parts] if len(parts) > 1 else [token]

    def _best(self, word: str) -> tuple[str, ...]:
        """The reading with the largest geometric mean of counts; none for a word without any."""
        ways = self._ways(word)
        best = 0
        for number in sorted(ways[-1]):
            # The root of a product of counts is compared without rounding.
            if not best or ways[-1][number][0] ** best > ways[-1][best][0] ** number:
                best = number
        parts, end = [], len(word)
        for number in range(best, 0, -1):
            _, begin, before = ways[end][number]
            parts.append(word[begin:end])
            end = before
        return tuple(reversed(parts))

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
                    count = self._count.get(word[begin:end], 0)
                    for number, (product, *_) in ways[before].items() if count else ():
                        if product * count > ways[end].get(number + 1, (0, 0, 0))[0]:
                            ways[end][number + 1] = (product * count, begin, before)
        return ways


def is_part(word: str) -> bool:
    """Whether a word may be a part of a compound: at least four characters, all of them letters."""
    return len(word) >= SHORTEST and word.isalpha()


def write_counts(lines: Iterable[str], path: PathLike) -> None:
    """Counts the words of tokenized lines that may be parts, and writes them, the most frequent ones first."""
    counts = Counter(token for line in lines for token in line.split() if is_part(token))
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    with write_text(Path(path)) as file:
        file.writelines(f"{word}\t{count}\n" for word, count in ordered)


def _read(path: Path) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(read_lines(path), 1):
        word, _, digits = line.partition("\t")
        if not (is_part(word) and digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS and int(digits)):
            raise InputError(
                f"{path}:{number}: expected a word of at least {SHORTEST} letters, a tab and how often it occurs, "
                f"found {line!r}; train the model again"
            )
        yield word, int(digits)
