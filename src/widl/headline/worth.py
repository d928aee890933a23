"""How likely a headline is to have a word of the document, or two of its words side by side: learned from pairs.

Two logistic regressions over what is seen of a word and of a pair of words: place, part of speech, dependency, how
often the document has it, and how readily headlines of the training pairs took it over (Zhou & Hovy's text model).
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from widl.headline.words import Word

Features = dict[str, float]

_POSITIONS = (0, 1, 2, 3, 5, 8, 12, 18, 26)


def _bucket(value: int, limits: Sequence[int]) -> int:
    return sum(value > limit for limit in limits)


@dataclass(frozen=True)
class Regression:
    """A logistic regression over named features."""

    weights: Mapping[str, float]

    def probability(self, features: Features) -> float:
        """That the answer is yes."""
        weights = self.weights
        z = sum(weights.get(name, 0.0) * value for name, value in features.items())
        return 1.0 / (1.0 + math.exp(-z)) if z > -30 else 1e-13

    @classmethod
    def fit(cls, rows: Iterable[tuple[Features, bool]], *, penalty: float = 1.0, least: int = 10) -> "Regression":
        """Fitted with an L2 penalty on all weights but the bias; features rarer than `least` are left out."""
        import scipy.sparse

        from widl.logistic import LogisticLoss

        names: dict[str, int] = {}
        indices: list[int] = []
        values: list[float] = []
        ends = [0]
        for features, label in rows:
            for name, value in features.items():
                indices.append(names.setdefault(name, len(names)))
                values.append(value if label else -value)
            ends.append(len(indices))
        matrix = scipy.sparse.csr_matrix((values, indices, ends), shape=(len(ends) - 1, len(names)))
        kept = np.flatnonzero(np.diff(matrix.tocsc().indptr) >= least)
        matrix = matrix[:, kept]
        order = list(names)
        penalties = np.array([order[k] != "bias" for k in kept]) * penalty
        found = LogisticLoss(matrix, penalty=penalties).minimum(np.zeros(len(kept)), max_iterations=200)
        return cls({order[k]: round(float(w), 5) for k, w in zip(kept, found, strict=True) if abs(w) > 1e-5})


class DocumentView:
    """What the features of a document's words need: its words by sentence, and their frequencies."""

    def __init__(self, sentences: Sequence[Sequence[Word]], taken: Mapping[str, float]) -> None:
        """`taken`: how readily headlines take over a word of the text, by key or lemma."""
        self.sentences = sentences
        self._lemmas = Counter(word.lemma for words in sentences for word in words)
        self._pairs = Counter(pair for words in sentences for pair in pairwise(word.key for word in words))
        self._taken = taken
        self._first: dict[str, int] = {}  # sentence
        for s, words in enumerate(sentences):
            for word in words:
                self._first.setdefault(word.lemma, s)

    def word_features(self, s: int, i: int) -> Features:
        """What is seen of the i-th word of sentence s."""
        words = self.sentences[s]
        word = words[i]
        above = words[word.head]
        features = {
            "bias": 1.0,
            f"tag {word.tag}": 1.0,
            f"relation {word.relation}": 1.0,
            f"relation {word.relation} {above.relation} {min(s, 1)}": 1.0,
            f"sentence {min(s, 3)}": 1.0,
            f"position {min(s, 1)} {_bucket(i, _POSITIONS)}": 1.0,
            f"above {above.lemma if above.relation == 'root' or above.tag == 'VERB' else above.tag}": 1.0,
            f"key {word.key}": 1.0,
            f"first {min(self._first[word.lemma], 4)}": 1.0,
            f"count {min(self._lemmas[word.lemma], 6)}": 1.0,
            f"shape {_shape(word.text)} {min(s, 1)}": 1.0,
        }
        if (taken := self._taken.get(word.key)) is None:
            features["never seen"] = 1.0
        else:
            features["taken"] = math.log(taken)
        if i + 1 < len(words):
            features[f"next {words[i + 1].key if words[i + 1].tag not in _OPEN else words[i + 1].tag}"] = 1.0
        if i:
            features[f"before {words[i - 1].key if words[i - 1].tag not in _OPEN else words[i - 1].tag}"] = 1.0
        return features

    def pair_features(self, s: int, i: int, j: int, left: float, right: float) -> Features:
        """What is seen of words i and j of a sentence, neighbours in a phrase; `left`, `right`: their probabilities."""
        words = self.sentences[s]
        a, b = words[i], words[j]
        gap = j - i
        tie = "down" if b.head == i else "up" if a.head == j else "side" if a.head == b.head else "none"
        relation = b.relation if tie == "down" else a.relation if tie == "up" else f"{a.relation}+{b.relation}"
        logit_a, logit_b = _logit(left), _logit(right)
        between = " ".join(word.tag for word in words[i + 1 : j][:2])
        return {
            "bias": 1.0,
            "left": logit_a,
            "right": logit_b,
            "product": _logit(left * right),
            f"gap {min(gap, 4)}": 1.0,
            f"gap {min(gap, 4)} {tie} {relation}": 1.0,
            f"tags {a.tag} {b.tag}": 1.0,
            f"tags {a.tag} {b.tag} {min(gap, 3)}": 1.0,
            f"between {between}": 1.0,
            f"keys {a.key} {b.key}": 1.0,
            f"right key {b.key} {a.tag}": 1.0,
            f"left key {a.key} {b.tag}": 1.0,
            f"sentence {min(s, 3)}": 1.0,
            f"pair count {min(self._pairs[a.key, b.key], 4)}": 1.0,
            f"position {min(s, 1)} {_bucket(i, _POSITIONS)}": 1.0,
        }


_OPEN = {"NOUN", "PROPN", "VERB", "ADJ", "NUM", "X", "ADV"}


def _logit(p: float) -> float:
    p = min(max(p, 1e-6), 1 - 1e-6)
    return math.log(p / (1 - p))


def _shape(text: str) -> str:
    if text.startswith("<"):
        return "ticker"
    if any(c.isdigit() for c in text):
        return "number"
    if len(text) > 1 and text.isupper():
        return "upper"
    return "capital" if text[0].isupper() else "lower"


class Worth:
    """The two regressions, and the text model that they are told of."""

    def __init__(self, words: Regression, pairs: Regression, taken: Mapping[str, float]) -> None:
        self.words = words
        self.pairs = pairs
        self.taken = taken

    def of(self, sentences: Sequence[Sequence[Word]]) -> "DocumentWorth":
        """The probabilities of one document."""
        return DocumentWorth(self, DocumentView(sentences, self.taken))


class DocumentWorth:
    """Probabilities of a document's words and pairs, computed when they are asked for."""

    def __init__(self, model: Worth, view: DocumentView) -> None:
        self._model = model
        self._view = view
        self._words: dict[tuple[int, int], float] = {}
        self._pairs: dict[tuple[int, int, int], float] = {}

    def word(self, s: int, i: int) -> float:
        """That a headline has the i-th word of sentence s, in any form."""
        known = self._words.get((s, i))
        if known is None:
            known = self._words[s, i] = self._model.words.probability(self._view.word_features(s, i))
        return known

    def pair(self, s: int, i: int, j: int) -> float:
        """That a headline has words i and j of sentence s side by side, in any form."""
        known = self._pairs.get((s, i, j))
        if known is None:
            features = self._view.pair_features(s, i, j, self.word(s, i), self.word(s, j))
            known = self._pairs[s, i, j] = self._model.pairs.probability(features)
        return known
