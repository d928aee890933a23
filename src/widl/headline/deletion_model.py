"""The probability that a headline keeps the units of a sentence, learned from sentences that people shortened.

A shortened sentence is a connected part of the tree of units: one unit is its top, and each kept unit keeps some of its
children. The probability is a conditional random field over such parts (Lafferty et al. 2001), with t[u] = f(u) · w_top
and e[u] = f(u) · w_edge for the features f(u) of unit u,

    P(part) = exp(t[top] + Σ e[u] over the other units u of the part) / Z

whose normalizer and marginals are inside and outside sums over the tree. The distribution is equivalent to a choice of
the top with probability P(top) and, at each unit that is kept, an independent choice for each child: ∨{p, 1 − p}(it, ε)
with

    p = P(u | its parent is kept) = inside(u) / (1 + inside(u)),    inside(u) = exp(e[u]) · Π (1 + inside(child))

so that the expression of a sentence has exactly the learned probabilities.

If the model was trained on thousands of texts, a network adds context scores to t and e
(`widl.headline.deletion_network`). Training is in `widl.headline.deletion_training`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from widl.headline.deletion_features import unit_features
from widl.headline.deletion_network import DeletionNetwork
from widl.headline.units import UnitTree

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class TreeScores:
    """Scores of the units of some sentences: e[u] if kept below its parent, t[u] as the top."""

    edges: FloatArray
    tops: FloatArray


class Forest:
    """The trees of texts as arrays: a text has one or more sentences, and its headline begins in one of them."""

    def __init__(self, texts: Sequence[Sequence[UnitTree]]) -> None:
        parents: list[int] = []
        depths: list[int] = []
        text_of: list[int] = []
        for number, trees in enumerate(texts):
            for tree in trees:
                first = len(parents)
                parents += [-1 if unit.parent is None else first + unit.parent for unit in tree.units]
                depths += [unit.depth for unit in tree.units]
                text_of += [number] * len(tree)
        self.parents: IntArray = np.array(parents, dtype=np.int64)
        self.depths: IntArray = np.array(depths, dtype=np.int64)
        self.texts: IntArray = np.array(text_of, dtype=np.int64)
        self.text_count = len(texts)
        """Texts without units have no probabilities."""

    def __len__(self) -> int:
        return len(self.parents)

    @cached_property
    def levels(self) -> list[IntArray]:
        """The units by depth."""
        deepest = int(self.depths.max(initial=-1))
        return [np.flatnonzero(self.depths == depth) for depth in range(deepest + 1)]


@dataclass(frozen=True)
class Marginals:
    """The probabilities of a forest's units."""

    partition: FloatArray
    """ln Z by text."""
    top: FloatArray
    """P(it is the top)."""
    kept_below: FloatArray
    """P(the unit is kept and is not the top)."""
    keep_probabilities: FloatArray
    """P(the unit is kept | its parent is kept)."""

    @property
    def kept(self) -> FloatArray:
        """P(it is kept)."""
        return self.top + self.kept_below


def marginals(forest: Forest, scores: TreeScores) -> Marginals:
    """The sums over all connected parts of each text's trees."""
    count = len(forest)
    below = np.zeros(count)  # Σ ln(1 + inside(child))
    inside = np.zeros(count)
    for level in reversed(forest.levels):
        inside[level] = scores.edges[level] + below[level]
        parents = forest.parents[level]
        hanging = parents >= 0
        np.add.at(below, parents[hanging], np.logaddexp(0, inside[level][hanging]))
    total = scores.tops + below
    largest = np.full(forest.text_count, -np.inf)
    np.maximum.at(largest, forest.texts, total)
    sums = np.zeros(forest.text_count)
    np.add.at(sums, forest.texts, np.exp(total - largest[forest.texts]))
    with np.errstate(divide="ignore"):
        partition = np.where(sums > 0, largest + np.log(sums), 0.0)
    top = np.exp(total - partition[forest.texts])
    keep_probabilities = np.exp(-np.logaddexp(0.0, -inside))  # the logistic function
    kept, kept_below = top.copy(), np.zeros(count)
    for level in forest.levels[1:]:
        kept_below[level] = kept[forest.parents[level]] * keep_probabilities[level]
        kept[level] += kept_below[level]
    return Marginals(partition, top, kept_below, keep_probabilities)


def kept_gradient(forest: Forest, values: Marginals, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A gradient with respect to edge and top scores; `weights`: the gradient with respect to P(the unit is kept)."""
    of_kept = weights.copy()
    for level in reversed(forest.levels[1:]):
        np.add.at(of_kept, forest.parents[level], of_kept[level] * values.keep_probabilities[level])
    mean = np.bincount(forest.texts, values.top * of_kept, forest.text_count)
    of_total = values.top * (of_kept - mean[forest.texts])
    of_inside = np.zeros(len(forest))
    for depth, level in enumerate(forest.levels):
        keep = values.keep_probabilities[level]
        if depth:
            above = forest.parents[level]
            of_inside[level] = of_kept[level] * values.kept[above] * keep * (1 - keep)
            of_inside[level] += keep * (of_inside[above] + of_total[above])
    return of_inside, of_total


class DeletionModel:
    """The weights of features for tops and for edges, and an optional network."""

    def __init__(
        self, edges: Mapping[str, float], tops: Mapping[str, float], network: DeletionNetwork | None = None
    ) -> None:
        self.edges = edges
        self.tops = tops
        self.network = network

    def as_json(self) -> dict[str, Any]:
        """The inverse of `from_json`."""
        network = {"network": self.network.as_json()} if self.network else {}
        return {"edges": dict(self.edges), "tops": dict(self.tops), **network}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "DeletionModel":
        """The inverse of `as_json`."""
        network = DeletionNetwork.from_json(stored["network"]) if "network" in stored else None
        return cls(stored["edges"], stored["tops"], network)

    def scores(self, trees: Iterable[UnitTree]) -> TreeScores:
        """The concatenated unit scores of several trees."""
        trees = list(trees)
        features = [unit_features(tree, number) for tree in trees for number in range(len(tree))]
        edges = np.array([sum(self.edges.get(name, 0.0) for name in names) for names in features])
        tops = np.array([sum(self.tops.get(name, 0.0) for name in names) for names in features])
        if self.network:
            of_network = self.network.scores(trees, features)
            return TreeScores(edges + of_network[:, 0], tops + of_network[:, 1])
        return TreeScores(edges, tops)


class KeepProbabilities:
    """Probabilities that a model keeps a text's units, words and word pairs.

    A sentence may have a second tree, with the speaker rewritten. Words are kept in only one of the two trees.
    """

    def __init__(self, model: DeletionModel, texts: Sequence[Sequence[UnitTree]]) -> None:
        """`texts`: the trees of each text; one unit among them is the top."""
        trees = [tree for text in texts for tree in text]
        values = marginals(Forest(texts), model.scores(trees))
        self._top, self._kept = values.top.tolist(), values.kept.tolist()
        self._keep_probabilities = values.keep_probabilities.tolist()
        self._begins = dict(zip(trees, accumulate(map(len, trees), initial=0), strict=False))
        self._trees: dict[int, list[UnitTree]] = {}
        for tree in trees:
            self._trees.setdefault(tree.sentence, []).append(tree)

    def top(self, tree: UnitTree, number: int) -> float:
        """P(the unit is the top)."""
        return float(self._top[self._begins[tree] + number])

    def keep_probability(self, tree: UnitTree, number: int) -> float:
        """P(the unit is kept | its parent is kept)."""
        return float(self._keep_probabilities[self._begins[tree] + number])

    def word(self, sentence: int, i: int) -> float:
        """P(the i-th word of a sentence is kept)."""
        return self.pair(sentence, i, i)

    def pair(self, sentence: int, i: int, j: int) -> float:
        """P(words i and j of a sentence are both kept): their lowest common ancestor and all units between it and both
        words are kept.
        """
        return sum(self._pair(tree, i, j) for tree in self._trees.get(sentence, ()))

    def _pair(self, tree: UnitTree, i: int, j: int) -> float:
        begin, p = self._begins[tree], 1.0
        a, b = tree.unit_of[i], tree.unit_of[j]
        while a != b:
            if tree.units[a].depth < tree.units[b].depth:
                a, b = b, a
            above = tree.units[a].parent
            if above is None:
                return 0.0  # two trees
            p *= self._keep_probabilities[begin + a]
            a = above
        return p * float(self._kept[begin + a])
