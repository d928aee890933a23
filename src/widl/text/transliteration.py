"""Foreign names in Chinese characters, spelt in letters as a model learnt from pairs of names does it.

A name is written character by character: each stands for some letters, perhaps for none (布|什: *bu|sh*, 纽|约|克:
*new|york|*). Which letters, is learnt by expectation maximisation over all ways to divide a name among the characters
(the source channel of Knight & Graehl 1998, without its dictionaries), then counted by character and neighbour.
"""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from widl.common.errors import InputError
from widl.common.files import read_lines, write_text
from widl.decoder.unfolding import log_sum

Pair = tuple[str, str]
"""A name in characters and in letters."""

_LONGEST = 6  # letters of a character
_USUAL = 2.3  # the same before anything is known
_ROUNDS = 6
_ROUNDS_OF_ALL = 2  # in which all letters are kept, as rarely as a character stands for them
_LEAST = 0.02  # times that it is expected to, afterwards
_LEAST_SHARE = 0.03  # of letters, of the likeliest ones of a character
_BEAM = 20
_ORDER = 4  # of the model of letters
_LETTERS_WEIGHT = 0.3
_BEGIN, _END = "^", "$"

Units = tuple[str, ...]
"""The letters of each character."""
Counts = Mapping[str, Mapping[str, float]]
"""By character, how often it stands for which letters."""


class Transliterator:
    """Spells names as the divided names that it is made of teach.

    >>> names = [("罗马", ("ro", "me")), ("马里", ("ma", "li")), ("罗里", ("ro", "ry")), ("多马", ("do", "ma"))]
    >>> [word for word, _ in Transliterator(names).spellings("多里", 2)]
    ['Dory', 'Doli']
    """

    def __init__(self, names: Iterable[tuple[str, Units]]) -> None:
        self._names = tuple(names)

    @classmethod
    def learn(cls, pairs: Iterable[Pair]) -> "Transliterator":
        """Of pairs of names, in any order; some may be none."""
        usable = sorted({(name, letters.lower()) for name, letters in pairs})
        usable = [pair for pair in usable if len(pair[0]) <= len(pair[1]) <= _LONGEST * len(pair[0])]
        shares = _shares(learnt_counts(usable))
        divided = ((name, best_division(name, letters, shares)) for name, letters in usable)
        return cls((name, units) for name, units in divided if units)

    @classmethod
    def load(cls, path: Path) -> "Transliterator":
        """From a file that `save` has written."""

        def read() -> Iterator[tuple[str, Units]]:
            for number, line in enumerate(read_lines(path), 1):
                name, _, letters = line.partition("\t")
                units = tuple(letters.split("|"))
                if len(units) != len(name):
                    raise InputError(f"{path}:{number}: not a name and the letters of each character; train again")
                yield name, units

        return cls(read())

    def save(self, path: Path) -> None:
        """Write a line for each name: its characters, a tab, and the letters of each, divided by ``|``."""
        with write_text(path) as file:
            file.writelines(f"{name}\t{'|'.join(units)}\n" for name, units in self._names)

    def spellings(self, name: str, most: int) -> list[tuple[str, float]]:
        """The likeliest spellings, with a capital, and their probabilities, which sum to 1 over those returned.

        None if a character has never been seen in a name. ln p = Σ ln p(letters | character, neighbours) + 0.3 ln p of
        the word under a model of letters of order 4, of the best 20 beginnings after each character.
        """
        if not name or not all(character in self._counts[0] for character in name):
            return []
        begun = {_BEGIN: 0.0}
        for before, character, behind in zip(_BEGIN + name[:-1], name, name[1:] + _END, strict=True):
            longer: dict[str, float] = {}
            for letters, p in self._letters(before, character, behind).items():
                for word, score in begun.items():
                    if letters or word != _BEGIN:
                        more = score + math.log(p) + _LETTERS_WEIGHT * self._worth(word, letters)
                        longer[word + letters] = log_sum((longer.get(word + letters, -math.inf), more))
            begun = dict(heapq.nsmallest(_BEAM, longer.items(), key=lambda item: (-item[1], item[0])))
        ended = [(score + _LETTERS_WEIGHT * self._worth(word, _END), word) for word, score in begun.items()]
        best = sorted(ended, key=lambda item: (-item[0], item[1]))[:most]
        total = sum(math.exp(score - best[0][0]) for score, _ in best)
        return [(word.removeprefix(_BEGIN).capitalize(), math.exp(score - best[0][0]) / total) for score, word in best]

    @cached_property
    def _counts(self) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]], dict[str, Counter[str]]]:
        """How often a character stands for letters: alone, behind another one, in front of another one."""
        alone, behind, before = (defaultdict[str, Counter[str]](Counter) for _ in range(3))
        for name, units in self._names:
            for i, (character, letters) in enumerate(zip(name, units, strict=True)):
                alone[character][letters] += 1
                behind[(name[i - 1] if i else _BEGIN) + character][letters] += 1
                before[character + (name[i + 1] if i + 1 < len(name) else _END)][letters] += 1
        return dict(alone), dict(behind), dict(before)

    def _letters(self, before: str, character: str, behind: str) -> dict[str, float]:
        """p(letters | character, both neighbours): the geometric mean of p given each neighbour, of likely letters.

        These are smoothed by p(letters | character), by as many counts as there are letters (Witten & Bell 1991).
        """
        alone, of_left, of_right = self._counts
        counts, total = alone[character], alone[character].total()
        smoothed = []
        for there in (of_left.get(before + character, Counter()), of_right.get(character + behind, Counter())):
            weight = len(there) or 1
            smoothed.append(
                {one: (there[one] + weight * n / total) / (there.total() + weight) for one, n in counts.items()}
            )
        means = {one: math.sqrt(smoothed[0][one] * smoothed[1][one]) for one in counts}
        least = _LEAST_SHARE * max(means.values())
        likely = {one: p for one, p in means.items() if p >= least}
        scale = sum(likely.values())
        return {one: p / scale for one, p in likely.items()}

    def _worth(self, word: str, letters: str) -> float:
        """ln p of letters behind a word's beginning."""
        text, worth = word, 0.0
        for letter in letters:
            worth += math.log(self._letter_model.probability(text[1 - _ORDER :], letter))
            text += letter
        return worth

    @cached_property
    def _letter_model(self) -> "_LetterModel":
        return _LetterModel("".join(units) for _, units in self._names)


class _LetterModel:
    """Letters of words by those before them, smoothed by Witten & Bell (1991)."""

    def __init__(self, words: Iterable[str]) -> None:
        self._after: dict[str, Counter[str]] = defaultdict(Counter)
        for word in words:
            text = f"{_BEGIN}{word}{_END}"
            for i in range(1, len(text)):
                for size in range(min(i, _ORDER - 1) + 1):
                    self._after[text[i - size : i]][text[i]] += 1
        self._letters = len(self._after[""]) + 1
        self.probability = lru_cache(maxsize=1 << 16)(self._probability)

    def _probability(self, before: str, letter: str) -> float:
        shorter = self._probability(before[1:], letter) if before else 1 / self._letters
        after = self._after.get(before)
        if not after:
            return shorter
        return (after[letter] + len(after) * shorter) / (after.total() + len(after))


def learnt_counts(pairs: Sequence[Pair]) -> Counts:
    """How often each character is expected to stand for which letters, by expectation maximisation."""
    shares = Counter(letter for _, letters in pairs for letter in letters)
    total = shares.total()

    def first(_character: str, letters: str) -> float:
        likely = math.prod(3 * shares[letter] / total for letter in letters)
        return 0.05 * likely * math.exp(-abs(len(letters) - _USUAL)) if letters else 0.002

    counts: Counts = {}
    for number in range(_ROUNDS):
        probability = _shares(counts) if counts else first
        found: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for pair in pairs:
            for (character, letters), expectation in expected_units(*pair, probability).items():
                found[character][letters] += expectation
        least = _LEAST if number >= _ROUNDS_OF_ALL else 0.0
        counts = {one: {letters: n for letters, n in of.items() if n > least} for one, of in found.items()}
    return counts


Probability = Callable[[str, str], float]
"""Of letters, given the character."""


def _shares(counts: Counts) -> Probability:
    totals = {character: sum(of.values()) + 0.5 for character, of in counts.items()}
    return lambda character, letters: (
        counts[character].get(letters, 0.0) / totals[character] if character in counts else 0.0
    )


def _steps(name: str, letters: str, probability: Probability) -> list[dict[tuple[int, int], float]]:
    """By character, the letters [begin, end) that it may stand for with their probabilities; the first has some."""
    size = len(letters)
    steps = []
    for i, character in enumerate(name):
        spans = [
            (begin, end)
            for begin in range(size + 1 if i else 1)
            for end in range(begin if i else 1, min(size, begin + _LONGEST) + 1)
        ]
        weighed = ((span, probability(character, letters[slice(*span)])) for span in spans)
        steps.append({span: p for span, p in weighed if p})
    return steps


def expected_units(name: str, letters: str, probability: Probability) -> dict[tuple[str, str], float]:
    """How often each character is expected to stand for which letters, over all divisions of a pair.

    By forward and backward passes; nothing if no division is possible.
    """
    size = len(letters)
    steps = _steps(name, letters, probability)
    forward = [[1.0, *[0.0] * size]]
    for step in steps:
        forward.append([0.0] * (size + 1))
        for (begin, end), p in step.items():
            forward[-1][end] += forward[-2][begin] * p
    likelihood = forward[-1][size]
    if not likelihood:
        return {}
    counts: dict[tuple[str, str], float] = defaultdict(float)
    backward = [*[0.0] * size, 1.0]
    for i, step in reversed(list(enumerate(steps))):
        after, backward = backward, [0.0] * (size + 1)
        for (begin, end), p in step.items():
            backward[begin] += p * after[end]
            if worth := forward[i][begin] * p * after[end]:
                counts[name[i], letters[begin:end]] += worth / likelihood
    return counts


def best_division(name: str, letters: str, probability: Probability) -> Units:
    """The letters of each character in the best division; none if no division is possible."""
    best: dict[int, tuple[float, Units]] = {0: (0.0, ())}
    for step in _steps(name, letters, probability):
        longer: dict[int, tuple[float, Units]] = {}
        for (begin, end), p in step.items():
            if begin in best:
                score, units = best[begin]
                found = (score + math.log(p), (*units, letters[begin:end]))
                longer[end] = max(longer.get(end, found), found)
        best = longer
    return best.get(len(letters), (0.0, ()))[1]
