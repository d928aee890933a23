"""The n-grams in the outputs for a line: a language model for search, and features of a string."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from widl.decoder import LanguageModel

ORDER = 4
_NGRAM_SCORES = (0.2, 0.5, 0.7, 0.8)
"""Score in nats of a unigram, bigram and so on that an output has."""

SEAMS = "seams"
"""The feature that counts sequences of words that no output has; its weight is at most 0."""

Ngram = tuple[str, ...]


def agreement_names(outputs: int) -> list[str]:
    """The features of a string.

    agreement1, …: for each output, the total score of its n-grams in the string. shared1, …: for each order, the total
    trust in the outputs that share an n-gram with the string. seams: bigrams that no output has, and longer n-grams
    that no output has, although an output has their prefix. All are summed over the string's words.
    """
    shared = (f"shared{n}" for n in range(1, ORDER + 1))
    return [*(f"agreement{k}" for k in range(1, outputs + 1)), *shared, SEAMS]


class Agreement:
    """The outputs' n-grams up to `ORDER`, boundaries included, and the trust in each output."""

    def __init__(self, outputs: Sequence[Sequence[str]], trust: Sequence[float]) -> None:
        total = sum(trust)
        self.shares = [weight / total for weight in trust]
        # Bit k of an n-gram is set if output k has the n-gram.
        self._having: list[dict[Ngram, int]] = []
        padded = [("<s>", *words, "</s>") for words in outputs]
        for n in range(1, ORDER + 1):
            having: dict[Ngram, int] = defaultdict(int)
            for k, words in enumerate(padded):
                bit = 1 << k
                for ngram in _ngrams(words, n):
                    having[ngram] |= bit
            self._having.append(having)

    @cached_property
    def _members(self) -> dict[int, list[int]]:
        sets = {bits for having in self._having for bits in having.values()}
        return {bits: [k for k in range(len(self.shares)) if bits >> k & 1] for bits in sets}

    def model(self, weights: Mapping[str, float]) -> tuple[LanguageModel, float]:
        """A language model and a constant.

        A word's ln p is the score of the n-grams that end with it, minus the constant. The score is the weighted sum of
        the features. They are not probabilities; they form a back-off model: the score of an n-gram includes its
        suffixes' scores, and each back-off weight is the cost of a seam. Search bounds it like any language model.
        """
        by_output = [weights[f"agreement{k}"] * share for k, share in enumerate(self.shares, 1)]
        sums = {
            bits: (sum(by_output[k] for k in members), sum(self.shares[k] for k in members))
            for bits, members in self._members.items()
        }
        ngram_scores: dict[Ngram, float] = {(): 0.0}
        for n, having in enumerate(self._having, 1):
            shared = weights[f"shared{n}"]
            for ngram, bits in having.items():
                trusted, share = sums[bits]
                ngram_scores[ngram] = ngram_scores[ngram[1:]] + _NGRAM_SCORES[n - 1] * trusted + shared * share
        most = max(ngram_scores.values())
        return LanguageModel._of_arpa("".join(self._arpa(ngram_scores, most, weights[SEAMS])).encode()), most

    def _arpa(self, ngram_scores: Mapping[Ngram, float], most: float, price: float) -> Iterator[str]:
        unknown = ("<unk>",)
        by_order: list[Iterable[Ngram]] = [[*self._having[0], unknown], *self._having[1:]]
        yield "\\data\\\n"
        for n, having in enumerate(self._having, 1):
            yield f"ngram {n}={len(having) + (n == 1)}\n"
        scale = 1 / math.log(10)
        for n, ngrams in enumerate(by_order, 1):
            yield f"\n\\{n}-grams:\n"
            end = f"\t{price * scale:.7f}\n" if n < ORDER else "\n"
            for ngram in ngrams:
                log10 = -99.0 if ngram == ("<s>",) else (ngram_scores.get(ngram, 0.0) - most) * scale
                yield f"{log10:.7f}\t{' '.join(ngram)}{end}"
        yield "\n\\end\\\n"

    def features(self, words: Sequence[str]) -> list[float]:
        """The values of `agreement_names` of a string."""
        padded = ("<s>", *words, "</s>")
        by_output = [0.0] * len(self.shares)
        by_order = [0.0] * ORDER
        seams = 0
        for n, having in enumerate(self._having, 1):
            counts: dict[int, int] = defaultdict(int)
            for ngram in _ngrams(padded, n):
                counts[having.get(ngram, 0)] += 1
            if n == 1:
                counts[having["<s>",]] -= 1  # which the model does not predict
            if n > 1:
                shorter = self._having[n - 2]
                seams += sum(ngram not in having and (n == 2 or ngram[:-1] in shorter) for ngram in _ngrams(padded, n))
            for bits, count in counts.items():
                for k in self._members.get(bits, ()):
                    by_output[k] += count * _NGRAM_SCORES[n - 1] * self.shares[k]
                    by_order[n - 1] += count * self.shares[k]
        return [*by_output, *by_order, float(seams)]


def _ngrams(words: Ngram, n: int) -> Iterator[Ngram]:
    return zip(*(words[i:] for i in range(n)), strict=False)
