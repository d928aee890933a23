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


def expected_counts(derivations: Sequence[Derivation], order: int) -> dict[Words, float]:
    """Σ p(d) · #_w(d)."""
    result: dict[Words, float] = {}
    for (words, _), p in zip(derivations, probabilities(derivations), strict=True):
        for ngram, count in ngrams(words, order).items():
            result[ngram] = result.get(ngram, 0.0) + p * count
    return result


def posteriors(derivations: Sequence[Derivation], order: int) -> dict[Words, float]:
    """Σ p(d) over the derivations that have w."""
    result: dict[Words, float] = {}
    for (words, _), p in zip(derivations, probabilities(derivations), strict=True):
        for ngram in ngrams(words, order):
            result[ngram] = result.get(ngram, 0.0) + p
    return result


def linear_gain(
    derivations: Sequence[Derivation], order: int, precision: float, ratio: float, model: float
) -> Callable[[int], float]:
    """θ0 |e| + Σ_w θ_|w| #_w(e) p(w) + model · ln p(d) of a derivation by number (Tromble et al. 2008).

    The end of the sentence is part of n-grams, but no word and no n-gram of its own.
    """
    given = probabilities(derivations)
    derivations = [((*words, END), score) for words, score in derivations]
    p = posteriors(derivations, order)

    def gain(number: int) -> float:
        words, _ = derivations[number]
        total = 1.0 - len(words)
        for ngram, count in ngrams(words, order).items():
            if ngram == (END,):
                continue
            total += count * p[ngram] / (order * precision * ratio ** (len(ngram) - 1))
        return total + (model * math.log(given[number]) if model else 0.0)

    return gain


def best_strings(derivations: Sequence[Derivation], count: int) -> dict[Words, float]:
    """The best strings with the score of their best derivation."""
    best: dict[Words, float] = {}
    for words, score in sorted(derivations, key=lambda derivation: -derivation[1]):
        best.setdefault(words, score)
    return dict(list(best.items())[:count])


def bleu_of_expectation(derivations: Sequence[Derivation], order: int) -> Callable[[Words], float]:
    """BLEU against expected counts (DeNero et al. 2009)."""
    expected = expected_counts(derivations, order)
    length_expected = sum(value for ngram, value in expected.items() if len(ngram) == 1)

    def gain(words: Words) -> float:
        if not words:
            return math.exp(-length_expected)
        orders = min(order, len(words))
        precisions = 1.0
        for n in range(1, orders + 1):
            counts = {ngram: count for ngram, count in ngrams(words, n).items() if len(ngram) == n}
            matches = sum(min(count, expected[ngram]) for ngram, count in counts.items())
            precisions *= (matches / (len(words) - n + 1)) ** (1 / orders)
        return precisions * min(1.0, math.exp(1 - length_expected / len(words)))

    return gain


def expected_bleu(candidates: dict[Words, float], order: int) -> Callable[[Words], float]:
    """The expected BLEU + 1 against the candidates (Kumar & Byrne 2004)."""
    strings = list(candidates)
    given = probabilities(list(candidates.items()))

    def bleu(words: Words, reference: Words) -> float:
        if not words:
            return float(not reference)
        precisions = 1.0
        for n in range(1, order + 1):
            mine, theirs = ngrams(words, n), ngrams(reference, n)
            matches = sum(min(count, theirs[ngram]) for ngram, count in mine.items() if len(ngram) == n)
            possible, more = max(0, len(words) - n + 1), int(n > 1)
            precisions *= ((matches + more) / (possible + more)) ** (1 / order)
        return precisions * min(1.0, math.exp(1 - len(reference) / len(words)))

    def gain(words: Words) -> float:
        return sum(p * bleu(words, reference) for reference, p in zip(strings, given, strict=True))

    return gain
