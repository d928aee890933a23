"""The words of an output, and an output's text from its words."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

# A Chinese or Japanese character, a word with apostrophes, hyphens, commas and periods inside, or a symbol.
_WORD = re.compile(r"[⺀-鿿豈-﫿]|[^\W⺀-鿿豈-﫿]+(?:[-'’.,][^\W⺀-鿿豈-﫿]+)*|[^\w\s]")

_QUOTATION_MARKS = frozenset("\"'`´“”„‟‘’‚‛«»‹›「」『』＂＇")

_LETTERS = re.compile(r"[^\W⺀-鿿豈-﫿]")


def words_of(text: str) -> list[str]:
    """The words and signs of a text.

    >>> words_of("He isn't here, says the 1,200-page report.")
    ['He', "isn't", 'here', ',', 'says', 'the', '1,200-page', 'report', '.']
    """
    return [match[0] for match in _WORD.finditer(text)]


def folded(word: str) -> str:
    """A word without the difference between capitals and small letters.

    >>> folded("İstanbul") == folded("İSTANBUL"), folded("Straße") == folded("STRASSE")
    (True, True)
    """
    return word.casefold()


class Spacing:
    """The pairs of words that outputs write without a space between them.

    >>> Spacing(["He (the man) left.", "The man left."]).text(["He", "(", "man", ")", "left", "."])
    'He (man) left.'
    """

    def __init__(self, outputs: Iterable[str]) -> None:
        self._after: Counter[tuple[str, str]] = Counter()
        self._before: Counter[str] = Counter()
        self._behind: Counter[str] = Counter()
        for text in outputs:
            end, before = 0, ""
            for match in _WORD.finditer(text):
                word = match[0]
                joined = 1 if match.start() == end and end > 0 else -1
                if before:
                    self._after[before, word] += joined
                    self._before[word] += joined
                    self._behind[before] += joined
                end, before = match.end(), word

    def text(self, words: Sequence[str]) -> str:
        """Joins words with the outputs' spacing: between these two words, else before the second or after the first.

        If as many outputs join two words as part them, they are joined, except at quotation marks. A colon between
        numbers has no spaces, regardless of the outputs: it is a time, a score or a ratio. Words never merge:
        `words_of` the text returns the same words.

        >>> Spacing(["At 16: 00, lunch.", "At 16: 00 lunch."]).text(["At", "16", ":", "00", "lunch", "."])
        'At 16:00 lunch.'
        >>> Spacing(["cost is 3. 5 men", "cost is 3 .5 men"]).text(["cost", "is", "3", ".", "5", "men"])
        'cost is 3. 5 men'
        """
        runs: list[list[str]] = []  # of words without a space between them
        for i, word in enumerate(words):
            joined = i > 0 and (_at_colon(words, i) or self._joined(words[i - 1], word))
            if joined and words_of("".join((*runs[-1], word))) == [*runs[-1], word]:
                runs[-1].append(word)
            else:
                runs.append([word])
        return " ".join("".join(run) for run in runs)

    def _joined(self, before: str, word: str) -> bool:
        if (before, word) in self._after:
            may_be_tied = before not in _QUOTATION_MARKS and word not in _QUOTATION_MARKS
            return self._after[before, word] >= (0 if may_be_tied else 1)
        return (_may_join(word) and self._before[word] > 0) or (_may_join(before) and self._behind[before] > 0)


def _at_colon(words: Sequence[str], i: int) -> bool:
    """Whether word i is the colon between two numbers, or the number after it."""
    return any(
        0 < k < len(words) - 1 and words[k] == ":" and words[k - 1].isdecimal() and words[k + 1].isdecimal()
        for k in (i - 1, i)
    )


def _may_join(word: str) -> bool:
    """Whether neighbors may attach without a space even if no output has the pair: symbols and Chinese characters."""
    return _LETTERS.match(word) is None
