"""What outputs agree on: the share of them that has an n-gram, as a language model of a line."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

from widl.decoder import LanguageModel

ORDER = 4
_WORTH = (0.2, 0.5, 0.7, 0.8)
"""Of the share of outputs that have a unigram, bigram and so on, in nats; tuning has one weight for all."""
MOST = sum(_WORTH)
"""What a word has at most: that of a 4-gram of all outputs."""

Ngram = tuple[str, ...]


def shares_of(outputs: Sequence[Sequence[str]], trust: Sequence[float]) -> dict[Ngram, float]:
    """The share of the outputs, by their trust, that have each n-gram up to `ORDER`, boundaries included."""
    total = sum(trust)
    shares: dict[Ngram, float] = defaultdict(float)
    for words, weight in zip(outputs, trust, strict=True):
        padded = ("<s>", *words, "</s>")
        distinct = {padded[i : i + n] for n in range(1, ORDER + 1) for i in range(len(padded) - n + 1)}
        for ngram in distinct:
            shares[ngram] += weight / total
    return shares


def agreement_model(outputs: Sequence[Sequence[str]], trust: Sequence[float]) -> LanguageModel:
    """A model whose ln p of a word is the worth of the n-grams that end with it, less `MOST`.

    No probability: a back-off model without back-off weights, in which each n-gram has its own worth and those of the
    n-grams that end it. It is a language model for the search, which bounds it as any other.
    """
    return LanguageModel._of_arpa("".join(_arpa(shares_of(outputs, trust))).encode())


def _arpa(shares: dict[Ngram, float]) -> Iterator[str]:
    by_order: list[list[Ngram]] = [[] for _ in range(ORDER)]
    for ngram in shares:
        by_order[len(ngram) - 1].append(ngram)
    by_order[0].append(("<unk>",))
    yield "\\data\\\n"
    for n, ngrams in enumerate(by_order, 1):
        yield f"ngram {n}={len(ngrams)}\n"
    worths: dict[Ngram, float] = {(): 0.0}
    for n, ngrams in enumerate(by_order, 1):
        yield f"\n\\{n}-grams:\n"
        no_backoff = "\t0\n" if n < ORDER else "\n"
        for ngram in ngrams:
            worth = worths[ngram] = worths[ngram[1:]] + _WORTH[n - 1] * shares.get(ngram, 0.0)
            log10 = -99.0 if ngram == ("<s>",) else (worth - MOST) / math.log(10)
            yield f"{log10:.5f}\t{' '.join(ngram)}{no_backoff}"
    yield "\n\\end\\\n"
