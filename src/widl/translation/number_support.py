"""How far the numbers of a translation are those of its source."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from widl.common.errors import InputError
from widl.text.normalization import normalize_chinese
from widl.text.segmentation import make_tokenizer
from widl.translation.entities import find_entities
from widl.translation.numbers import NUMBER_WORDS, Wording, find_numbers, numbers_in_word
from widl.translation.parts import Part, divide

_DIGITAL = re.compile(r"'?[0-9][0-9.,:/]*(?:st|nd|rd|th|s|'s)?", re.IGNORECASE)
_WORDS = frozenset(NUMBER_WORDS)


@dataclass(frozen=True)
class NumberSupport:
    """Numbers of translations, those among them that the source has, numbers of the source, and those that return."""

    said: int
    supported: int
    of_source: int
    returned: int

    @property
    def precision(self) -> float:
        """The share of numbers in the translations that the source has; 1 if there are none."""
        return self.supported / self.said if self.said else 1.0

    @property
    def recall(self) -> float:
        """The share of the source's numbers that return; 1 if there are none."""
        return self.returned / self.of_source if self.of_source else 1.0


def number_support(sources: Iterable[str], translations: Iterable[str]) -> NumberSupport:
    """Count over raw Chinese lines and their English translations.

    A number of the source returns if one of its wordings (`widl.translation.numbers`) stands in the translation, each
    at a place of its own. Other words of numbers are supported if they say a number that a word of the source has in
    it, such as 两国. *One*, *first* and *second* do not count.

    >>> number_support(["26.8万人，2辆汽车。"], ["$ 268,000 people, 200 cars."])
    NumberSupport(said=3, supported=1, of_source=2, returned=1)
    """
    tokenizer = make_tokenizer("en")
    said = supported = of_source = returned = 0
    for source, translation in line_pairs(sources, translations):
        line = _Line(tokenizer.tokenize(translation))
        required, possible = source_numbers(source)
        of_source += len(required)
        returned += sum(line.take(wordings) for wordings in required)
        while any(line.take(wordings, numbers=True) for wordings in possible):
            pass
        said += line.taken + line.left
        supported += line.taken
    return NumberSupport(said, supported, of_source, returned)


def line_pairs(sources: Iterable[str], translations: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Sources with their translations; InputError if there are more of one."""
    for source, translation in zip_longest(sources, translations):
        if source is None or translation is None:
            raise InputError("as many translations as sources are needed")
        yield source, translation


def source_numbers(line: str) -> tuple[list[Sequence[Wording]], list[Sequence[Wording]]]:
    """The wordings of the numbers of a raw Chinese line, and of those that its other words may say."""
    parts: Iterable[Part] = [Part(normalize_chinese(line))]
    parts = divide(parts, find_entities)
    found = list(divide(parts, find_numbers))
    required: list[Sequence[Wording]] = [part.given.numbers for part in found if part.given and part.given.numbers]
    texts = [part.text for part in found if part.given is None or not part.given.numbers]
    return required, [*(wordings for text in texts if (wordings := numbers_in_word(text))), *required]


class _Line:
    """A translation's words, of which those of numbers are taken one after the other."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = [word.lower() for word in words]
        self._is_number = [says_number(word) for word in words]
        self._taken = [False] * len(words)
        self.taken = 0

    @property
    def left(self) -> int:
        """Words of numbers that are not taken."""
        return sum(is_number and not taken for is_number, taken in zip(self._is_number, self._taken, strict=True))

    def take(self, wordings: Iterable[Wording], *, numbers: bool = False) -> bool:
        """Take the first place of the first wording that stands anywhere; whether one does.

        numbers: only wordings with a word of numbers in them.
        """
        for wording in wordings:
            for at in self._places(wording):
                if numbers and not any(self._is_number[at : at + len(wording)]):
                    continue
                self.taken += any(self._is_number[at : at + len(wording)])
                self._taken[at : at + len(wording)] = [True] * len(wording)
                return True
        return False

    def _places(self, wording: Wording) -> Iterator[int]:
        for at in range(len(self._words) - len(wording) + 1):
            if all(not self._taken[at + i] and _says(self._words[at + i], part) for i, part in enumerate(wording)):
                yield at


def _says(word: str, number: str) -> bool:
    number = number.lower()
    return word == number or word.startswith(f"{number}-") or word.endswith(f"-{number}")


def says_number(word: str) -> bool:
    """Whether an English word says a number: in digits, in a word, or a compound of one that is no name.

    >>> [says_number(word) for word in ("35,000", "19th", "five-year", "COVID-19", "one")]
    [True, True, True, False, False]
    """
    parts = [(part, bool(_DIGITAL.fullmatch(part)) or part.lower() in _WORDS) for part in word.split("-")]
    is_name = any(re.search("[A-Z]", part) for part, is_number in parts if not is_number)
    return any(is_number for _, is_number in parts) and not is_name
