"""The probability that a headline keeps the units of a sentence, learned from sentences that people shortened.

A shortened sentence is a connected part of the tree of units: one of them is its top, and of each unit that it keeps it
keeps some of the children. Its probability is that of a conditional random field over such parts (Lafferty et al.
2001), with t[u] = f(u) · w_top and e[u] = f(u) · w_edge for the features f(u) of unit u,

    P(part) = exp(t[top] + Σ e[u] over the other units u of the part) / Z

whose sums are inside and outside sums over the tree. The same distribution is a choice of the top with probability
P(top) and, at each unit that is kept, an independent choice for each child: ∨{p, 1 − p}(it, nothing) with

    p = P(u | its parent is kept) = inside(u) / (1 + inside(u)),    inside(u) = exp(e[u]) · Π (1 + inside(child))

so that the expression of a sentence has exactly the probabilities that were learned.

Training is maximum likelihood first. Then most of the objective is the expected overlap with what people kept, as token
F1 has it, since likelihood cares more for the rare cut that nobody foresees than for the part that is best:

    Σ over texts of  2 E[words that both keep] / (E[words that the model keeps] + words that people kept)
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit

from widl.headline.cut_features import unit_features
from widl.headline.units import UnitTree

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

_FEWEST = 3  # occurrences of a feature
_PENALTY = 5.0  # of maximum likelihood
_ITERATIONS = 60
_OVERLAP = 100.0  # weight of a text's overlap, where its log-likelihood has 1
_OVERLAP_PENALTY = 40.0
_OVERLAP_ITERATIONS = 40
_LEAST = 0.01  # weights nearer to 0 are left out


@dataclass(frozen=True)
class TreeScores:
    """What the units of some sentences score: e[u] as a part of what its parent begins, t[u] as the top."""

    edges: FloatArray
    tops: FloatArray


class Forest:
    """The trees of texts as arrays: a text is one or more sentences, of which a headline begins from one."""

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
        """Texts without any unit have no probabilities."""

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
    """P(it is kept and is not the top)."""
    stays: FloatArray
    """P(it is kept | its parent is)."""

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
    stays = expit(inside)
    kept, kept_below = top.copy(), np.zeros(count)
    for level in forest.levels[1:]:
        kept_below[level] = kept[forest.parents[level]] * stays[level]
        kept[level] += kept_below[level]
    return Marginals(partition, top, kept_below, stays)


@dataclass(frozen=True)
class ShortenedText:
    """The trees of a text's sentences, and by tree which of its words are kept."""

    trees: Sequence[UnitTree]
    kept: Sequence[Sequence[bool]]


class CutModel:
    """The weights of features as tops and as parts of what another unit begins."""

    def __init__(self, edges: Mapping[str, float], tops: Mapping[str, float]) -> None:
        self.edges = edges
        self.tops = tops

    def as_json(self) -> dict[str, Any]:
        """What `from_json` reads."""
        return {"edges": dict(self.edges), "tops": dict(self.tops)}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "CutModel":
        """The inverse of `as_json`."""
        return cls(fields["edges"], fields["tops"])

    def scores(self, trees: Iterable[UnitTree]) -> TreeScores:
        """The scores of the units of trees, one tree after the other."""
        edges: list[float] = []
        tops: list[float] = []
        for tree in trees:
            for number in range(len(tree)):
                features = unit_features(tree, number)
                edges.append(sum(self.edges.get(feature, 0.0) for feature in features))
                tops.append(sum(self.tops.get(feature, 0.0) for feature in features))
        return TreeScores(np.array(edges), np.array(tops))


class KeptWords:
    """What a model keeps of texts, by unit, word and pair of words.

    A sentence may have a second tree, as the speaker tells it: its words are kept in the one or the other.
    """

    def __init__(self, model: CutModel, texts: Sequence[Sequence[UnitTree]]) -> None:
        """`texts`: of the trees of each text one unit is the top."""
        trees = [tree for text in texts for tree in text]
        found = marginals(Forest(texts), model.scores(trees))
        self._top, self._kept, self._stays = (row.tolist() for row in (found.top, found.kept, found.stays))
        self._begins: dict[tuple[int, bool], int] = {}
        self._trees: dict[int, list[UnitTree]] = {}
        begin = 0
        for tree in trees:
            self._begins[tree.sentence, tree.retold] = begin
            self._trees.setdefault(tree.sentence, []).append(tree)
            begin += len(tree)

    def top(self, tree: UnitTree, number: int) -> float:
        """P(the unit is the top)."""
        return float(self._top[self._begin(tree) + number])

    def stays(self, tree: UnitTree, number: int) -> float:
        """P(the unit is kept | the unit above is)."""
        return float(self._stays[self._begin(tree) + number])

    def word(self, sentence: int, i: int) -> float:
        """P(the i-th word of a sentence is kept)."""
        return self.pair(sentence, i, i)

    def pair(self, sentence: int, i: int, j: int) -> float:
        """P(words i and j of a sentence are both kept): that of the unit above both, and that the others stay."""
        return sum(self._pair(tree, i, j) for tree in self._trees.get(sentence, ()))

    def _pair(self, tree: UnitTree, i: int, j: int) -> float:
        begin, p = self._begin(tree), 1.0
        a, b = tree.unit_of[i], tree.unit_of[j]
        while a != b:
            if tree.units[a].depth < tree.units[b].depth:
                a, b = b, a
            above = tree.units[a].parent
            if above is None:
                return 0.0  # two trees
            p *= self._stays[begin + a]
            a = above
        return p * float(self._kept[begin + a])

    def _begin(self, tree: UnitTree) -> int:
        return self._begins[tree.sentence, tree.retold]


def train_cut_model(texts: Sequence[ShortenedText]) -> CutModel:
    """Fit the weights, with an L2 penalty: by likelihood, then also by overlap.

    Of what is kept, the largest connected part counts for likelihood: others are as good as nothing, though people may
    join two.
    """
    texts = [text for text in texts if any(map(any, text.kept))]
    objective = _Objective(texts)
    start = np.zeros(2 * len(objective.names))
    likely = _minimum(objective, start, 0.0, _PENALTY, _ITERATIONS)
    fitted = _minimum(objective, likely, _OVERLAP, _OVERLAP_PENALTY, _OVERLAP_ITERATIONS)
    edges, tops = np.split(fitted, 2)
    return CutModel(_named(objective.names, edges), _named(objective.names, tops))


def _minimum(
    objective: "_Objective", start: FloatArray, overlap: float, penalty: float, iterations: int
) -> FloatArray:
    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = objective(weights, overlap)
        return float(value + 0.5 * penalty * weights @ weights), gradient + penalty * weights

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": iterations})
    return np.asarray(found.x)


class _Objective:
    """The negative log-likelihood of shortened texts and their lack of overlap, with gradients."""

    def __init__(self, texts: Sequence[ShortenedText]) -> None:
        self._forest = Forest([text.trees for text in texts])
        kept, self._top = _largest_parts(self._forest, texts)
        self._hanging = kept & ~self._top
        self._kept_words, self._words = _word_counts(texts)
        self._gold = self._by_text(self._kept_words)
        self.names, self._rows = _feature_rows(texts)
        self._columns = self._rows.T.tocsr()

    def __call__(self, weights: FloatArray, overlap: float) -> tuple[float, FloatArray]:
        """The loss, `overlap` times what a text lacks of full overlap included, and its gradient."""
        counted = len(self.names)
        scores = TreeScores(self._rows @ weights[:counted], self._rows @ weights[counted:])
        found = marginals(self._forest, scores)
        value = found.partition.sum() - scores.edges[self._hanging].sum() - scores.tops[self._top].sum()
        edges, tops = found.kept_below - self._hanging, found.top - self._top
        if overlap:
            both, all_kept = self._by_text(found.kept * self._kept_words), self._by_text(found.kept * self._words)
            total = all_kept + self._gold
            value += overlap * (1 - 2 * both / total).sum()
            texts = self._forest.texts
            kept = 2 * self._kept_words / total[texts] - (2 * both / total**2)[texts] * self._words
            of_edges, of_tops = kept_gradient(self._forest, found, -overlap * kept)
            edges, tops = edges + of_edges, tops + of_tops
        return float(value), np.concatenate([self._columns @ edges, self._columns @ tops])

    def _by_text(self, values: FloatArray) -> FloatArray:
        return np.bincount(self._forest.texts, values, self._forest.text_count).astype(np.float64)


def kept_gradient(forest: Forest, found: Marginals, kept: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The gradient of a function of P(it is kept) by the scores of edges and tops; `kept`: by these probabilities."""
    of_kept = kept.copy()
    for level in reversed(forest.levels[1:]):
        np.add.at(of_kept, forest.parents[level], of_kept[level] * found.stays[level])
    mean = np.bincount(forest.texts, found.top * of_kept, forest.text_count)
    of_total = found.top * (of_kept - mean[forest.texts])
    of_inside = np.zeros(len(forest))
    for depth, level in enumerate(forest.levels):
        stays = found.stays[level]
        if depth:
            above = forest.parents[level]
            of_inside[level] = of_kept[level] * found.kept[above] * stays * (1 - stays)
            of_inside[level] += stays * (of_inside[above] + of_total[above])
    return of_inside, of_total


def _named(names: Sequence[str], weights: FloatArray) -> dict[str, float]:
    return {name: round(float(w), 3) for name, w in zip(names, weights, strict=True) if abs(w) >= _LEAST}


def _feature_rows(texts: Sequence[ShortenedText]) -> tuple[list[str], csr_matrix]:
    """The features that occur often enough, and a row for each unit."""
    numbers: dict[str, int] = {}
    indices: list[int] = []
    ends = [0]
    for text in texts:
        for tree in text.trees:
            for number in range(len(tree)):
                indices += [numbers.setdefault(feature, len(numbers)) for feature in unit_features(tree, number)]
                ends.append(len(indices))
    matrix = csr_matrix((np.ones(len(indices)), indices, ends), shape=(len(ends) - 1, len(numbers)))
    frequent = np.flatnonzero(np.bincount(matrix.indices, minlength=len(numbers)) >= _FEWEST)
    names = list(numbers)
    return [names[k] for k in frequent], matrix[:, frequent]


def _largest_parts(forest: Forest, texts: Sequence[ShortenedText]) -> tuple[BoolArray, BoolArray]:
    """Which units belong to the largest connected part of what each text keeps, and which is its top."""
    kept_words, _ = _word_counts(texts)
    in_headline: list[bool] = []
    for text in texts:
        for tree, kept in zip(text.trees, text.kept, strict=True):
            in_headline += [bool(kept[unit.head]) for unit in tree.units]
    tops = np.full(len(forest), -1)
    sizes: Counter[int] = Counter()
    for u in np.argsort(forest.depths, kind="stable").tolist():
        if in_headline[u]:
            parent = forest.parents[u]
            tops[u] = tops[parent] if parent >= 0 and tops[parent] >= 0 else u
            sizes[int(tops[u])] += int(kept_words[u])
    best: dict[int, int] = {}
    for top in sorted(sizes, key=lambda u: (-sizes[u], u)):
        best.setdefault(int(forest.texts[top]), top)
    is_best = np.zeros(len(forest), dtype=bool)
    is_best[list(best.values())] = True
    kept = (tops >= 0) & is_best[np.maximum(tops, 0)]
    return kept, is_best


def _word_counts(texts: Sequence[ShortenedText]) -> tuple[FloatArray, FloatArray]:
    """How many of each unit's words were kept, and how many it has."""
    kept_words: list[int] = []
    words: list[int] = []
    for text in texts:
        for tree, kept in zip(text.trees, text.kept, strict=True):
            kept_words += [sum(kept[i] for i in unit.words) for unit in tree.units]
            words += [len(unit.words) for unit in tree.units]
    return np.array(kept_words, dtype=np.float64), np.array(words, dtype=np.float64)
