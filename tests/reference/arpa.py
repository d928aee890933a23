"""Reading and writing ARPA text; slow and plain."""

import math
from collections.abc import Sequence

NGram = tuple[str, ...]


def parse_arpa(text: str) -> tuple[dict[NGram, float], dict[NGram, float]]:
    """Returns log10 probabilities and log10 back-off weights."""
    probs: dict[NGram, float] = {}
    backoffs: dict[NGram, float] = {}
    counts: dict[int, int] = {}
    order = 0
    for line in text.split("\n"):
        if line.startswith("ngram "):
            n, _, count = line.removeprefix("ngram ").partition("=")
            counts[int(n)] = int(count)
        elif line.endswith("-grams:"):
            order = int(line[1:].partition("-")[0])
        elif order and "\t" in line:
            prob, words, *backoff = line.split("\t")
            ngram = tuple(words.split(" "))
            assert len(ngram) == order
            assert ngram not in probs
            probs[ngram] = float(prob)
            if backoff:
                backoffs[ngram] = float(backoff[0])
    assert counts == {n: sum(len(ngram) == n for ngram in probs) for n in counts}
    assert text.endswith("\n\\end\\\n")
    return probs, backoffs


def arpa_text(*orders: Sequence[str]) -> str:
    """Makes a model's text from the lines of its 1-grams, 2-grams and so on."""
    lines = ["\\data\\", *(f"ngram {n}={len(ngrams)}" for n, ngrams in enumerate(orders, 1))]
    for n, ngrams in enumerate(orders, 1):
        lines += ["", f"\\{n}-grams:", *ngrams]
    return "\n".join([*lines, "", "\\end\\", ""])


ARPA = arpa_text(
    ["-1.0\t<unk>", "-99\t<s>\t-0.3", "-0.6\t</s>", "-0.5\ta\t-0.2", "-0.7\tb\t-0.2", "-0.9\tc\t0"],
    ["-0.1\t<s> b", "-0.2\tb a"],
)
"""A bigram model whose scores are easy to add up by hand."""


def log10(probability: float) -> float:
    return math.log10(probability) if probability > 1e-99 else -99.0
