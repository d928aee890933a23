"""Interpolated modified Kneser-Ney, slow and plain, from the formulas.

Chen & Goodman (1998), Sec. 4.1.6 and Eq. 26, with adjusted counts, <s> and <unk> as in Heafield et al. (2013), Sec. 3,
and pruning as in lmplz. Independent of the core.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

NGram = tuple[str, ...]
FALLBACK = (0.5, 1.0, 1.5)


@dataclass
class KneserNey:
    """A model with ARPA's content, but with probabilities instead of logarithms."""

    order: int
    probs: dict[NGram, float]
    backoffs: dict[NGram, float]
    discounts: list[tuple[float, float, float]]
    fallback_orders: list[int]

    @property
    def vocabulary(self) -> list[str]:
        """Everything that can follow a history."""
        return [ngram[0] for ngram in self.probs if len(ngram) == 1 and ngram != ("<s>",)]

    def prob(self, word: str, history: Sequence[str]) -> float:
        known = {ngram[0] for ngram in self.probs if len(ngram) == 1}
        words = [w if w in known else "<unk>" for w in (*history, word)][-self.order :]
        return self._prob(tuple(words))

    def _prob(self, ngram: NGram) -> float:
        if ngram in self.probs:
            return self.probs[ngram]
        return self.backoffs.get(ngram[:-1], 1.0) * self._prob(ngram[1:])


def estimate(
    sentences: Sequence[Sequence[str]],
    order: int,
    *,
    prune: Sequence[int] = (),
) -> KneserNey:
    """Pruned n-grams take part in all counts; their whole count goes to the context's back-off."""
    padded = [("<s>", *sentence, "</s>") for sentence in sentences]
    raw = [_occurrences(padded, n) for n in range(1, order + 1)]
    adjusted = [_adjusted_counts(raw, n) for n in range(1, order + 1)]
    exceptions = _lmplz_exceptions(padded, raw, order)
    thresholds = [*prune, *[prune[-1] if prune else 0] * order][:order]
    specials = {"<unk>", "<s>", "</s>"}

    def kept(ngram: NGram) -> bool:
        if len(ngram) == 1 and ngram[0] in specials:
            return True
        return raw[len(ngram) - 1][ngram] > thresholds[len(ngram) - 1]

    words = {word for sentence in padded for word in sentence if kept((word,))} | {"<unk>"}
    uniform = 1 / (len(words) - 1)  # <s> never follows anything

    probs: dict[NGram, float] = {}
    backoffs: dict[NGram, float] = {}
    all_discounts, fallback_orders = [], []
    for n in range(1, order + 1):
        counts = adjusted[n - 1]
        discounts, fell_back = _discounts({**counts, **exceptions.get(n, {})})
        all_discounts.append(discounts)
        fallback_orders += [n] if fell_back else []

        totals: Counter[NGram] = Counter()
        discounted: dict[NGram, float] = {}
        for ngram, count in counts.items():
            context = ngram[:-1]
            totals[context] += count
            freed = discounts[min(count, 3) - 1] if kept(ngram) else count
            discounted[context] = discounted.get(context, 0) + freed
        for context in totals:
            backoffs[context] = discounted[context] / totals[context]

        for ngram, count in counts.items():
            if not kept(ngram):
                continue
            context = ngram[:-1]
            lower = probs[ngram[1:]] if n > 1 else uniform
            own = (count - discounts[min(count, 3) - 1]) / totals[context]
            probs[ngram] = own + backoffs[context] * lower
        if n == 1:
            probs["<unk>",] = backoffs[()] * uniform
            probs["<s>",] = 1.0
    return KneserNey(order, probs, backoffs, all_discounts, fallback_orders)


def _occurrences(padded: Sequence[NGram], n: int) -> Counter[NGram]:
    ngrams = (s[i : i + n] for s in padded for i in range(len(s) - n + 1))
    return Counter(ngram for ngram in ngrams if ngram != ("<s>",))


def _adjusted_counts(raw: list[Counter[NGram]], n: int) -> dict[NGram, int]:
    if n == len(raw):
        return dict(raw[-1])
    left_words = Counter(longer[1:] for longer in raw[n])  # each longer n-gram appears once
    return {ngram: c if ngram[0] == "<s>" else left_words[ngram] for ngram, c in raw[n - 1].items()}


def _lmplz_exceptions(padded: Sequence[NGram], raw: list[Counter[NGram]], order: int) -> dict[int, dict[NGram, int]]:
    """lmplz adds the last n-gram of each lower order to the statistics with its raw count.

    "Last" refers to n-grams sorted from their last word to their first, with words by first appearance after <unk>,
    <s>, </s>, and sentences padded with <s> to the order.
    """
    words = ["<unk>", "<s>", "</s>", *(word for s in padded for word in s[1:-1])]
    number = {word: i for i, word in reversed(list(enumerate(words)))}
    full = [("<s>",) * (order - 1) + s[1:] for s in padded]
    last = max(
        (s[i : i + order] for s in full for i in range(len(s) - order + 1)),
        key=lambda ngram: [number[word] for word in reversed(ngram)],
    )
    exceptions = {}
    for n in range(1, order):
        ngram = last[-n:]
        exceptions[n] = {ngram: raw[n - 1][ngram]}
        if ngram[0] == "<s>":
            break
    return exceptions


def _discounts(counts: dict[NGram, int]) -> tuple[tuple[float, float, float], bool]:
    """Eq. 26, in single precision: the fallback depends on whether D2 is 0 or -1e-8."""
    n = [np.float32(sum(count == j for count in counts.values())) for j in range(5)]
    if not all(n[1:4]):
        return FALLBACK, True
    y = n[1] / (n[1] + 2 * n[2])
    discounts = [np.float32(j) - np.float32(j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3)]
    if not all(0 <= d <= j for j, d in enumerate(discounts, 1)):
        return FALLBACK, True
    return (float(discounts[0]), float(discounts[1]), float(discounts[2])), False
