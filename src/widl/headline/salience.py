"""Salience: the probability that a headline has a word of the document, or two of its words side by side.

Two logistic regressions, trained on pairs of headlines and texts. The features of a word and of a pair of words are
their position, part of speech and dependency, their frequency in the document, and the selection probability of the
word (Zhou & Hovy's text model, `widl.headline.keywords`).
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
        """P(yes | features)."""
        weights = self.weights
        z = sum(weights.get(name, 0.0) * value for name, value in features.items())
        return 1.0 / (1.0 + math.exp(-z)) if z > -30 else 1e-13

    @classmethod
    def fit(cls, rows: Iterable[tuple[Features, bool]], *, penalty: float = 1.0, min_count: int = 10) -> "Regression":
        """Fit by maximum likelihood with an L2 penalty on all weights but the bias.

        Features in fewer than `min_count` rows are left out.
        """
        import scipy.sparse

        from widl.headline.logistic import LogisticLoss

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
        kept = np.flatnonzero(np.diff(matrix.tocsc().indptr) >= min_count)
        matrix = matrix[:, kept]
        order = list(names)
        penalties = np.array([order[k] != "bias" for k in kept]) * penalty
        fitted = LogisticLoss(matrix, penalty=penalties).minimum(np.zeros(len(kept)), max_iterations=200)
        return cls({order[k]: round(float(w), 5) for k, w in zip(kept, fitted, strict=True) if abs(w) > 1e-5})


class DocumentFeatures:
    """The features of a document's words and pairs of words, for the regressions."""

    def __init__(self, sentences: Sequence[Sequence[Word]], selection: Mapping[str, float]) -> None:
        """`selection`: P(a headline has the word | the text has it), by key."""
        self.sentences = sentences
        self._lemmas = Counter(word.lemma for words in sentences for word in words)
        self._pairs = Counter(pair for words in sentences for pair in pairwise(word.key for word in words))
        self._selection = selection
        self._first: dict[str, int] = {}  # by lemma, the sentence of its first occurrence
        for s, words in enumerate(sentences):
            for word in words:
                self._first.setdefault(word.lemma, s)

    def word_features(self, s: int, i: int) -> Features:
        """The features of the i-th word of sentence s."""
        words = self.sentences[s]
        word = words[i]
        head = words[word.head]
        features = {
            "bias": 1.0,
            f"tag {word.tag}": 1.0,
            f"relation {word.relation}": 1.0,
            f"relation {word.relation} {head.relation} {min(s, 1)}": 1.0,
            f"sentence {min(s, 3)}": 1.0,
            f"position {min(s, 1)} {_bucket(i, _POSITIONS)}": 1.0,
            f"above {head.lemma if head.relation == 'root' or head.tag == 'VERB' else head.tag}": 1.0,
            f"key {word.key}": 1.0,
            f"first {min(self._first[word.lemma], 4)}": 1.0,
            f"count {min(self._lemmas[word.lemma], 6)}": 1.0,
            f"shape {_shape(word.text)} {min(s, 1)}": 1.0,
        }
        if (selection := self._selection.get(word.key)) is None:
            features["never seen"] = 1.0
        else:
            features["taken"] = math.log(selection)
        if i + 1 < len(words):
            features[f"next {words[i + 1].key if words[i + 1].tag not in _OPEN else words[i + 1].tag}"] = 1.0
        if i:
            features[f"before {words[i - 1].key if words[i - 1].tag not in _OPEN else words[i - 1].tag}"] = 1.0
        return features

    def pair_features(self, s: int, i: int, j: int, left: float, right: float) -> Features:
        """The features of words i and j of sentence s as neighbours in a phrase; `left`, `right`: their salience."""
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


class SalienceModel:
    """The regressions for words and for pairs of words, and the selection probabilities among their features."""

    def __init__(self, words: Regression, pairs: Regression, selection: Mapping[str, float]) -> None:
        self.words = words
        self.pairs = pairs
        self.selection = selection

    def document(self, sentences: Sequence[Sequence[Word]]) -> "DocumentSalience":
        """The salience of a document's words."""
        return DocumentSalience(self, DocumentFeatures(sentences, self.selection))


class DocumentSalience:
    """Salience of a document's words and pairs, computed on request and kept."""

    def __init__(self, model: SalienceModel, features: DocumentFeatures) -> None:
        self._model = model
        self._features = features
        self._words: dict[tuple[int, int], float] = {}
        self._pairs: dict[tuple[int, int, int], float] = {}

    def word(self, s: int, i: int) -> float:
        """P(a headline has the i-th word of sentence s, in any form)."""
        salience = self._words.get((s, i))
        if salience is None:
            salience = self._words[s, i] = self._model.words.probability(self._features.word_features(s, i))
        return salience

    def pair(self, s: int, i: int, j: int) -> float:
        """P(a headline has words i and j of sentence s side by side, in any form)."""
        salience = self._pairs.get((s, i, j))
        if salience is None:
            features = self._features.pair_features(s, i, j, self.word(s, i), self.word(s, j))
            salience = self._pairs[s, i, j] = self._model.pairs.probability(features)
        return salience
