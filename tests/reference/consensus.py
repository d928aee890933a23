"""Slow and obvious: what a lattice's derivations expect of each other, from a list of all of them."""

import math
from collections import Counter
from collections.abc import Callable, Sequence

Words = tuple[str, ...]
END = "</s>"
Derivation = tuple[Words, float]
"""Its words and its score, scaled."""


def ngrams(words: Words, order: int) -> Counter[Words]:
    """All n-grams of up to `order` words, with their numbers of occurrences."""
    return Counter(
        words[begin : begin + n] for n in range(1, order + 1) for begin in range(len(words) - n + 1)
    )


def probabilities(derivations: Sequence[Derivation]) -> list[float]:
    """exp(score), normalised."""
    most = max(score for _, score in derivations)
    shares = [math.exp(score - most) for _, score in derivations]
    return [share / math.fsum(shares) for share in shares]


def posteriors(derivations: Sequence[Derivation], order: int) -> dict[Words, float]:
    """Σ p(d) over the derivations that have w."""
    result: dict[Words, float] = {}
    for (words, _), p in zip(derivations, probabilities(derivations), strict=True):
        for ngram in ngrams(words, order):
            result[ngram] = result.get(ngram, 0.0) + p
    return result


def linear_gain(
    derivations: Sequence[Derivation], order: int, precision: float, ratio: float
) -> Callable[[int], float]:
    """θ0 |e| + Σ_w θ_|w| #_w(e) p(w) of a derivation by number (Tromble et al. 2008).

    The end of the sentence is part of n-grams, but no word and no n-gram of its own.
    """
    derivations = [((*words, END), score) for words, score in derivations]
    p = posteriors(derivations, order)

    def gain(number: int) -> float:
        words, _ = derivations[number]
        total = 1.0 - len(words)
        for ngram, count in ngrams(words, order).items():
            if ngram == (END,):
                continue
            total += count * p[ngram] / (order * precision * ratio ** (len(ngram) - 1))
        return total

    return gain


