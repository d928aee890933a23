"""The strings of an expression as printed, word by word: the words of lattices, and the bytes that searches count.

The marks between two words depend on both (`widl.headline.punctuation`).
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from typing_extensions import override

from widl._core import PrintedLength
from widl.headline.punctuation import (
    Letters,
    SentenceMarks,
    Sentences,
    SurfaceWord,
    in_one_quotation,
    kept_mark,
    last_text,
    text_of,
    word_in_letters,
)

Run = tuple[int, ...]
"""The positions of the last words of a string, whose printed form may still change."""
_Step = tuple[int, int]
"""The bytes of a word, and the number of the run after it."""


class Printer(ABC):
    """Prints strings word by word. Words are given by their positions in the expression as written."""

    @abstractmethod
    def length(self, letters: Letters) -> PrintedLength:
        """The lengths of all strings."""

    @abstractmethod
    def step(self, run: Run, place: int) -> tuple[Sequence[str], Run]:
        """The words that adding the next word prints, and the new run. The initial run is ()."""

    @abstractmethod
    def end(self, run: Run) -> Sequence[str]:
        """The words that are printed at the end."""


class TextPrinter(Printer):
    """Prints each word as one of several texts, independent of its neighbors."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def length(self, letters: Letters) -> PrintedLength:
        """The lengths of all strings."""
        usual = [(_bytes(text, letters), 1) for text in self._texts]
        return PrintedLength(usual, [(0, _first_steps(self._texts, usual, letters)), (0, [])])

    def step(self, run: Run, place: int) -> tuple[Sequence[str], Run]:
        """The word."""
        return self._texts[place : place + 1], run

    @override
    def end(self, run: Run) -> Sequence[str]:
        """Nothing."""
        return ()


class ClausePrinter(Printer):
    """Prints clauses with deleted words and whole quotations, as `written_words_of` does. A run is the last word."""

    def __init__(self, written: Sequence[SurfaceWord], begins: Sequence[int], sentences: Sentences) -> None:
        """`written`: the words by place; `begins`: the positions where clauses begin. Both are in text order."""
        self._written, self._sentences = written, sentences
        self._ends = {place: end for begin, end in pairwise([*begins, len(written)]) for place in range(begin, end)}
        self._marks = {number: SentenceMarks(sentences[number]) for number in {said.sentence for said in written}}

    def _text(self, place: int) -> str:
        said = self._written[place]
        return text_of(said, self._sentences[said.sentence], quoted=bool(said.word.quotation))

    def step(self, run: Run, place: int) -> tuple[Sequence[str], Run]:
        """The word before the next one, and the next one."""
        return [self._text(last) + self._mark(last, place) for last in run], (place,)

    def _mark(self, last: int, place: int) -> str:
        said, following = self._written[last], self._written[place]
        if said.sentence != following.sentence or in_one_quotation(said, following):
            return ""
        return kept_mark(said, following, self._marks[said.sentence].between(said.position, following.position))

    def end(self, run: Run) -> Sequence[str]:
        """The last word."""
        return [last_text(self._text(place)) for place in run]

    def length(self, letters: Letters) -> PrintedLength:
        """The lengths of all strings."""
        texts = list(map(self._text, range(len(self._written))))
        lasts = list(map(last_text, texts))
        usual = [(_bytes(text, letters), number) for number, text in enumerate(lasts, 1)]
        marks = self._bytes_of_marks()
        rows: list[tuple[int, list[tuple[int, int, int]]]] = [(0, _first_steps(lasts, usual, letters))]
        for last in range(len(texts)):
            stop = len(texts[last]) - len(lasts[last])
            steps = {to: usual[to][0] + stop + more for to, more in marks.get(last, {}).items()}
            rows.append((stop, [(to, size, usual[to][1]) for to, size in steps.items()]))
        return PrintedLength(usual, rows)

    def _bytes_of_marks(self) -> Mapping[int, Mapping[int, int]]:
        """The possible next words that are preceded by marks, by position, and the length of these marks."""
        marks: dict[int, list[tuple[int, int, str]]] = {}
        sizes: dict[int, dict[int, int]] = defaultdict(dict)
        begin = 0
        while begin < len(self._written):
            end, number = self._ends[begin], self._written[begin].sentence
            if number not in marks:
                marks[number] = list(SentenceMarks(self._sentences[number]).all())
            places = defaultdict(list)
            for place in range(begin, end):
                places[self._written[place].position].append(place)
            for before, i, between in marks[number]:
                for place in places.get(before, ()):
                    said = self._written[place]
                    pairs = (to for to in places.get(i, ()) if not in_one_quotation(said, self._written[to]))
                    kept = ((to, kept_mark(said, self._written[to], between)) for to in pairs)
                    sizes[place].update({to: len(mark.encode()) for to, mark in kept if mark})
            begin = end
        return sizes


def _bytes(text: str, letters: Letters, *, is_first: bool = False) -> int:
    """Bytes of a word with the preceding space."""
    return 1 + len(word_in_letters(text, letters, is_first=is_first).encode())


def _first_steps(texts: Sequence[str], usual: Sequence[_Step], letters: Letters) -> list[tuple[int, int, int]]:
    """The steps for words whose length changes when capitalized."""
    changed = []
    for place, (text, (size, number)) in enumerate(zip(texts, usual, strict=True)):
        if more := _bytes(text, letters, is_first=True) - _bytes(text, letters):
            changed.append((place, size + more, number))
    return changed
