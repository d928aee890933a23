"""Interpolation of back-off models, slow and plain, over dictionaries of n-grams."""

import math
from collections.abc import Sequence

from tests.reference.arpa import NGram, parse_arpa


class Model:
    """Probabilities and back-off weights by n-gram; no logarithms."""

    def __init__(self, text: str) -> None:
        log_probs, log_backoffs = parse_arpa(text)
        self.probs = {ngram: 10**x for ngram, x in log_probs.items()} | {("<s>",): 0.0}
        self.backoffs = {ngram: 10**x for ngram, x in log_backoffs.items()}
        self.words = {ngram[0] for ngram in self.probs if len(ngram) == 1}
        self.order = max(map(len, self.probs))

    def probability(self, word: str, context: Sequence[str]) -> float:
        """p(word | context); words of other models are <unk> in the context, and impossible after it."""
        known = tuple(item if item in self.words else "<unk>" for item in context)
        return self._backed_off(word, known[max(0, len(known) - self.order + 1) :])

    def _backed_off(self, word: str, context: NGram) -> float:
        if (*context, word) in self.probs:
            return self.probs[*context, word]
        if not context:
            return 0.0
        return self.backoffs.get(context, 1.0) * self._backed_off(word, context[1:])

    def sums(self) -> dict[NGram, float]:
        """Sums of p over all words, after each context in the model and after the empty context."""
        contexts = {ngram[:-1] for ngram in self.probs} | {n for n in self.probs if len(n) < self.order}
        contexts = {context for context in contexts if "</s>" not in context}
        return {c: math.fsum(self.probability(word, c) for word in self.words) for c in contexts}


def mixture(models: Sequence[Model], weights: Sequence[float], ngram: NGram) -> float:
    """Σ λ_i p_i(w|h)."""
    return sum(weight * model.probability(ngram[-1], ngram[:-1]) for model, weight in zip(models, weights, strict=True))


def log_likelihood(models: Sequence[Model], weights: Sequence[float], sentences: Sequence[Sequence[str]]) -> float:
    """ln p of the known words and sentence ends."""
    total = 0.0
    for context, word in events(models, sentences):
        total += math.log(mixture(models, weights, (*context, word)))
    return total


def events(models: Sequence[Model], sentences: Sequence[Sequence[str]]) -> list[tuple[NGram, str]]:
    """Each word known to some model, and </s>, with its full history."""
    words = set().union(*(model.words for model in models)) - {"<unk>"}
    result = []
    for sentence in sentences:
        line = ("<s>", *sentence, "</s>")
        known = tuple(word if word in words | {"<s>", "</s>"} else "<unk>" for word in line)
        result += [(known[:i], known[i]) for i in range(1, len(line)) if known[i] != "<unk>"]
    return result
