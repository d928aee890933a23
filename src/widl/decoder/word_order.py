"""Baselines for putting the words of a bag in order (Soricut & Marcu 2005, §4)."""

from collections.abc import Sequence

from widl._core import LanguageModel


def inverse_lexicographic_order(words: Sequence[str]) -> list[str]:
    """Baseline L: the words from z to a, which brings "the" to the front.

    >>> inverse_lexicographic_order(["cat", "the", "sat"])
    ['the', 'sat', 'cat']
    """
    return sorted(words, reverse=True)


def greedy_order(words: Sequence[str], model: LanguageModel) -> list[str]:
    """Baseline G: join the two sequences whose junction is most probable, until one is left.

    The junction's probability is that of the right one's first word after the left one's last words. Of
    equally probable junctions the first is taken, as the words stand in the bag.
    """
    sequences = [[word] for word in words]
    known: dict[tuple[tuple[str, ...], str], float] = {}

    def junction(left: list[str], right: list[str]) -> float:
        context = tuple(left[-(model.order - 1) :])
        key = (context, right[0])
        if key not in known:
            known[key] = model.score_words([*context, right[0]], begin=False, end=False)[-1]
        return known[key]

    while len(sequences) > 1:
        _, i, j = max(
            (junction(left, right), -i, -j)
            for i, left in enumerate(sequences)
            for j, right in enumerate(sequences)
            if i != j
        )
        sequences[-i] += sequences[-j]
        del sequences[-j]
    return sequences[0] if sequences else []
