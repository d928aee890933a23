"""Orders of a bag of words without search, to compare searches with (Soricut & Marcu 2005, §4)."""

from collections.abc import Iterable
from functools import cache
from itertools import permutations

from widl._core import LanguageModel

_BEGIN, _END = "<s>", "</s>"


def inverse_lexicographic(words: Iterable[str]) -> list[str]:
    """Baseline L: the last word of the alphabet first, so that "the" comes early.

    >>> inverse_lexicographic("american companies the by".split())
    ['the', 'companies', 'by', 'american']
    """
    return sorted(words, reverse=True)


def greedy_joining(words: Iterable[str], model: LanguageModel) -> list[str]:
    """Baseline G: join the two sequences whose junction is most probable, until one is left.

    A junction's probability is that of the right sequence's first word after the left one's last
    words. ``<s>`` and ``</s>`` are sequences like the others, but stay at their ends. (The paper says
    no more than "maximizing the probability of joining any two word sequences".) Of equally probable
    junctions the first wins, in the order of the words given.
    """
    context = model.order - 1

    @cache
    def junction(left: tuple[str, ...], right: str) -> float:
        begins = left[0] == _BEGIN
        known = list(left[begins:])
        if right == _END:
            return model.score_words(known, begin=begins, end=True)[-1]
        return model.score_words([*known, right], begin=begins, end=False)[-1]

    sequences: list[tuple[str, ...]] = [(_BEGIN,), *((word,) for word in words), (_END,)]
    while len(sequences) > 1:
        pairs = [
            (left, right)
            for left, right in permutations(range(len(sequences)), 2)
            if sequences[left][-1] != _END
            and sequences[right][0] != _BEGIN
            and (len(sequences) == 2 or sequences[left][0] != _BEGIN or sequences[right][-1] != _END)
        ]
        left, right = max(pairs, key=lambda pair: junction(sequences[pair[0]][-context:], sequences[pair[1]][0]))
        sequences[left] += sequences[right]
        del sequences[right]
    return list(sequences[0][1:-1])
