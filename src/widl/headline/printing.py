"""The strings of an expression as printed, word by word: the words of lattices, and the bytes that searches count.

The marks between two words depend on both, and quotation marks on all words between them
(`widl.headline.written_headline`).
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from widl._core import WrittenLength
from widl.headline.words import Word
from widl.headline.written_headline import (
    Letters,
    SentenceMarks,
    Sentences,
    SurfaceWord,
    closes_quotation,
    last_text,
    opens_quotation,
    text_of,
    word_in_letters,
    written_words_of,
)

Run = tuple[int, ...]
"""The positions of the last words of a string, whose printed form may still change."""
_Step = tuple[int, int]
"""The bytes of a word, and the number of the run after it."""
_QUOTATION = 2  # bytes of its marks


class Printer(ABC):
    """Prints strings word by word. Words are given by their positions in the expression as written."""

    @abstractmethod
    def length(self, letters: Letters) -> WrittenLength:
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

    def length(self, letters: Letters) -> WrittenLength:
        """The lengths of all strings."""
        usual = [(_bytes(text, letters), 1) for text in self._texts]
        return WrittenLength(usual, [(0, _first_steps(self._texts, usual, letters)), (0, [])])

    def step(self, run: Run, place: int) -> tuple[Sequence[str], Run]:
        """The word."""
        return self._texts[place : place + 1], run

    def end(self, run: Run) -> Sequence[str]:  # noqa: ARG002
        """Nothing."""
        return ()


class ClausePrinter(Printer):
    """Prints clauses with deleted words, as `written_words_of` does.

    A run is the last word. Inside a quotation without deletions so far, it is all of the quotation's words.
    """

    def __init__(self, written: Sequence[SurfaceWord], begins: Sequence[int], sentences: Sentences) -> None:
        """`written`: the words by place; `begins`: the positions where clauses begin. Both are in text order."""
        self._written, self._sentences = written, sentences
        self._ends = {place: end for begin, end in pairwise([*begins, len(written)]) for place in range(begin, end)}
        self._runs: list[Run] = [(), *((place,) for place in range(len(written)))]
        quoted = _places_in_quotations(written, sentences)
        self._continued: dict[Run, list[int]] = {}
        for run in self._runs:  # grows
            if run and run[-1] in quoted and opens_quotation(written[run[0]].word):
                self._continued[run] = list(self._places_next_to(run[-1]))
                self._runs += [(*run, place) for place in self._continued[run]]
        self._numbers = {run: number for number, run in enumerate(self._runs)}

    def _places_next_to(self, place: int) -> Iterator[int]:
        """The positions of a quotation's next word, in each form of the quotation."""
        position = self._written[place].position + 1
        for other in range(place + 1, self._ends[place]):
            if self._written[other].position == position and not opens_quotation(self._written[other].word):
                yield other

    def step(self, run: Run, place: int) -> tuple[Sequence[str], Run]:
        """The words printed when the next word is added, and the new run."""
        longer = (*run, place)
        if longer in self._numbers:
            return (), longer
        return self.end(longer)[:-1], (place,)

    def end(self, run: Run) -> Sequence[str]:
        """The words of a run at the end of a string."""
        return written_words_of([self._written[place] for place in run], self._sentences)

    def length(self, letters: Letters) -> WrittenLength:
        """The lengths of all strings."""
        texts = [text_of(said, self._sentences[said.sentence]) for said in self._written]
        lasts = list(map(last_text, texts))
        usual = [
            (_bytes(text, letters) + _QUOTATION * (opens_quotation(said.word) and closes_quotation(said.word)), number)
            for number, (said, text) in enumerate(zip(self._written, lasts, strict=True), 1)
        ]
        marks = self._bytes_of_marks()
        rows: list[tuple[int, list[tuple[int, int, int]]]] = [(0, _first_steps(lasts, usual, letters))]
        for run in self._runs[1:]:
            last = run[-1]
            stop = len(texts[last]) - len(lasts[last])
            steps = {to: (usual[to][0] + stop + more, usual[to][1]) for to, more in marks.get(last, {}).items()}
            for to in self._continued.get(run, ()):
                size, _ = steps.get(to, (usual[to][0] + stop, 0))
                steps[to] = size + _QUOTATION * closes_quotation(self._written[to].word), self._numbers[*run, to]
            rows.append((stop, [(to, *step) for to, step in steps.items()]))
        return WrittenLength(usual, rows)

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
                    sizes[place].update(dict.fromkeys(places.get(i, ()), len(between.encode())))
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


def _places_in_quotations(written: Sequence[SurfaceWord], sentences: Sentences) -> set[int]:
    """The positions of words after which a quotation continues."""
    within: dict[int, set[int]] = {}
    for number in {said.sentence for said in written}:
        within[number] = set(_positions_in_quotations(sentences[number]))
    return {place for place, said in enumerate(written) if said.position in within[said.sentence]}


def _positions_in_quotations(sentence: Sequence[Word]) -> Iterator[int]:
    pending: list[int] | None = None
    for i, word in enumerate(sentence):
        if opens_quotation(word):
            pending = []
        if pending is None:
            continue
        if closes_quotation(word):
            yield from pending
            pending = None
        else:
            pending.append(i)
