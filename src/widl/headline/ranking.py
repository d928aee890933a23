"""Ranking: which of the n best headlines of a search is printed, and the probability that it is good.

A good headline is true, can be printed as it is, and tells the news. Its probability is a logistic regression

    P(good) = 1 / (1 + exp(−(bias + Σ weights[f] · features[f])))

over features of the headline beside the sentence that it was cut from. The weights are in `ranking.json.gz`, made by
``training/ranking/make.py``.
"""

import gzip
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from widl.headline.lexicon import word_set
from widl.headline.phrase_counts import phrase_counts
from widl.headline.sentence_expression import SentenceTrees
from widl.headline.units import UnitTree
from widl.headline.words import Word
from widl.headline.written_headline import Said

_FINITE = word_set("VBD VBZ VBP MD")
_CUT_KINDS = {
    "amod": "amod",
    "compound": "compound",
    "nmod": "nmod",
    "obl": "obl",
    "acl": "clause",
    "acl:relcl": "clause",
    "advcl": "advcl",
    "conj": "conj",
    "appos": "appos",
    "nmod:poss": "owner",
    "advmod": "advmod",
    "parataxis": "advcl",
}
_LEAST = 1e-3
_MIXED = (0.7, 0.25, 0.05)  # of the tag models: trigrams, bigrams, single tags
_TAGS = 50
_LEAST_TORN = 0.15


class TagModel:
    """How the parts of speech of headlines follow each other: P(tag | the two before it)."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        """`counts`: of rows of one, two and three tags, joined by blanks."""
        self.counts = counts
        self._histories: Counter[str] = Counter()
        for row, n in counts.items():
            self._histories[" ".join(row.split(" ")[:-1])] += n

    @classmethod
    def trained(cls, sentences: Iterable[Sequence[str]], fewest: int = 2) -> "TagModel":
        """Count rows of tags, `fewest` times at least."""
        counts: Counter[str] = Counter()
        for tags in sentences:
            row = ["<", "<", *tags, ">"]
            for end in range(2, len(row)):
                counts.update(" ".join(row[end - n : end + 1]) for n in range(3))
        return cls({row: n for row, n in sorted(counts.items()) if n >= fewest})

    def log_probabilities(self, tags: Sequence[str]) -> list[float]:
        """ln P of each tag and of the end."""
        row = ["<", "<", *tags, ">"]
        return [math.log(self._probability(row[end - 2], row[end - 1], row[end])) for end in range(2, len(row))]

    def _probability(self, first: str, second: str, tag: str) -> float:
        p = 1.0 / _TAGS / 20
        for weight, history in zip(_MIXED, (f"{first} {second}", second, ""), strict=True):
            row = f"{history} {tag}" if history else tag
            if seen := self._histories[history]:
                p += weight * self.counts.get(row, 0) / seen
        return p


def tags_of(words: Iterable[Word]) -> list[str]:
    """The tags of a headline's words, without articles; finite verbs have one, as their tense changes."""
    return ["V" if word.form in _FINITE and word.tag == "VERB" else word.form for word in words if not word.is_article]


@dataclass(frozen=True)
class RankingModel:
    """Weights of features, and the tag model."""

    bias: float
    weights: Mapping[str, float]
    tags: TagModel

    def probability(self, features: Mapping[str, float]) -> float:
        """P(good)."""
        z = self.bias + sum(weight * features[name] for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, z))))


@cache
def ranking_model() -> RankingModel:
    """The model of the package."""
    with files("widl.headline").joinpath("ranking.json.gz").open("rb") as file:
        fields = json.loads(gzip.decompress(file.read()))
    return RankingModel(fields["bias"], fields["weights"], TagModel(fields["tags"]))


def headline_features(
    trees: SentenceTrees, t: int, said: Sequence[Said], tags: TagModel, behind: float = 0.0
) -> dict[str, float]:
    """The features of a headline whose words come from tree t; `behind`: what its score lacks of the best."""
    tree, guards = trees.trees[t], trees.guards[t]
    positions = [word.position for word in said]
    kept = set(positions)
    units = [n for n, unit in enumerate(tree.units) if unit.head in kept]
    top = units[0] if units else 0
    cut = [k for n in units for k in tree.units[n].children if tree.units[k].head not in kept]
    hanging = units[1:]
    counts, shortened, news = phrase_counts(), trees.shortened, trees.headline
    strengths = [counts.strength(tree, k) for k in cut]
    gone = [math.log(max(_LEAST, 1 - shortened.stays(tree, k))) for k in cut]
    stay = [math.log(max(_LEAST, shortened.stays(tree, n))) for n in hanging]
    words = max(1, sum(not w.word.is_article for w in said))
    features = {
        "words": float(words),
        "short": float(words < 5),
        "torn": sum(strengths),
        "most torn": max(strengths, default=0.0),
        "pairs cut": float(sum(counts.is_pair(tree, k) for k in cut)),
        "guards broken": float(sum(k in guards.stays for k in cut)),
        "hard guards broken": float(sum(k in guards.stays and not guards.stays[k].soft for k in cut)),
        "cuts": sum(gone) + sum(stay),
        "cuts per word": (sum(gone) + sum(stay)) / words,
        "worst cut": min(gone, default=0.0),
        "worst stay": min(stay, default=0.0),
        "top": math.log(max(_LEAST, shortened.top(tree, top))) if not tree.retold else 0.0,
        "kept": sum(shortened.word(w.sentence, w.position) for w in said) / words,
        "news": sum(news.word(w.sentence, w.position) for w in said) / words,
        "sum of news": sum(news.word(w.sentence, w.position) for w in said),
        "sentence": float(tree.sentence > 0),
        "behind": min(behind, 20.0),
        "retold": float(tree.retold),
        "whole": float(len(cut) == 0),
        "length": math.log(len(tree.words)),
        "share": words / len(tree.words),
        "not a verb": float(tree.words[tree.units[0].head].tag not in {"VERB", "AUX"}),
        "two subjects": float(any(_subjects(tree, n) > 1 for n in range(len(tree)))),
        "clause": float(tree.units[top].parent is not None),
        "parts": float(sum(tree.units[n].parent not in units for n in units)),
    }
    features |= _cut_features(trees, t, cut)
    features |= _row_features(tree.words, said, tags)
    features |= _top_features(trees, t, top, units)
    features |= _tail_features(trees, t, units, cut)
    return features


def _subjects(tree: UnitTree, number: int) -> int:
    """The number of subjects of a unit; with two of them, a sentence is misread."""
    return sum(tree.content(k).relation.startswith("nsubj") for k in tree.units[number].children)


def _cut_features(trees: SentenceTrees, t: int, cut: Sequence[int]) -> dict[str, float]:
    """How many units of each kind were cut right beside the unit above, and elsewhere."""
    tree = trees.trees[t]
    features = {f"{kind} cut": 0.0 for kind in sorted(set(_CUT_KINDS.values()))}
    features |= {"cut beside": 0.0, "of cut": 0.0}
    for k in cut:
        unit = tree.units[k]
        above = tree.units[unit.parent].words if unit.parent is not None else ()
        kind = _CUT_KINDS.get(tree.content(k).relation)
        if tree.is_divided(k):
            continue
        if kind:
            features[f"{kind} cut"] += 1
        if unit.begin - 1 in above:
            features["cut beside"] += 1
            features["of cut"] += any(word.key == "of" for word in tree.function_words(k, "case"))
    return features


def _row_features(words: Sequence[Word], said: Sequence[Said], tags: TagModel) -> dict[str, float]:
    """How the words follow each other, above all where others between them were left out."""
    spoken = [word for word in said if not word.word.is_article]
    found = tags.log_probabilities(tags_of(word.word for word in spoken))
    joins = [
        found[i + 1]
        for i, (a, b) in enumerate(pairwise(spoken))
        if any(not words[k].is_article for k in range(a.position + 1, b.position))
    ]
    last = spoken[-1] if spoken else said[-1]
    if last.position + 1 < len(words) and not words[last.position].closing:
        joins.append(found[-1])
    return {
        "tags": sum(found) / len(found),
        "worst tag": min(found),
        "joins": float(len(joins)),
        "worst join": min(joins, default=0.0),
        "sum of joins": sum(joins),
        "ends openly": float(last.word.tag in {"ADP", "DET", "CCONJ", "SCONJ", "PART", "AUX", "NUM"}),
        "quotes": float(any('"' in word.word.opening + word.word.closing for word in said)),
        "figures": float(any(any(map(str.isdigit, word.word.text)) for word in said)),
        "names": sum(word.word.tag == "PROPN" for word in said) / len(said),
        "commas": float(sum("," in word.word.closing for word in said)),
    }


def _top_features(trees: SentenceTrees, t: int, top: int, units: Sequence[int]) -> dict[str, float]:
    """The verb of the headline and what stands with it."""
    tree = trees.trees[t]
    word = tree.content(top)
    relations = {tree.content(k).relation for k in tree.units[top].children if k in units}
    subjects = [k for k in tree.units[top].children if tree.content(k).relation.startswith("nsubj")]
    return {
        "be": float(word.tag != "VERB"),
        "object": float(bool(relations & {"obj", "xcomp", "ccomp"})),
        "alone": float(relations <= {"nsubj", "nsubj:pass"}),
        "pronoun": float(any(tree.content(k).tag in {"PRON", "DET"} for k in subjects)),
        "subjects": float(len(subjects) != 1),
        "long subject": float(sum(tree.units[k].size for k in subjects) > 12),
        "speech": float(word.lemma in {"say", "tell", "report", "announce"}),
    }


def _tail_features(trees: SentenceTrees, t: int, units: Sequence[int], cut: Sequence[int]) -> dict[str, float]:
    """What is missing behind the last unit, the object and the subject."""
    tree, counts = trees.trees[t], phrase_counts()
    behind = [k for k in cut if not tree.is_left(k) and not tree.is_divided(k)]
    last = max(units, key=lambda n: tree.units[n].head, default=0)
    by_relation: dict[str, list[int]] = {"obj": [], "nsubj": [], "obl": [], "nmod": []}
    for k in behind:
        parent = tree.units[k].parent
        relation = tree.content(parent).relation.split(":")[0] if parent is not None else ""
        if relation in by_relation:
            by_relation[relation].append(k)
    tail = [k for k in behind if tree.units[k].parent == last]
    root = tree.units[0].head
    verb = [k for k in behind if tree.content(k).relation in {"obl", "advcl", "ccomp"}]
    return {
        "tail cut": float(len(tail)),
        "tail torn": sum(counts.strength(tree, k) for k in tail),
        **{f"behind {relation} cut": float(len(found)) for relation, found in by_relation.items()},
        "behind verb cut": float(len(verb)),
        "verb torn": sum(counts.strength(tree, k) for k in verb),
        "left cut": float(sum(tree.is_left(k) and not tree.is_divided(k) for k in cut)),
        "depth": float(max((tree.units[n].depth for n in units), default=0)),
        "kept objects": float(sum(tree.content(n).relation in {"obj", "obl", "nmod"} for n in units)),
        "root": float(tree.words[root].relation != "root"),
    }


def is_whole_clause(tree: UnitTree, top: int) -> bool:
    """Whether a unit with all below it is a main clause: a finite verb or predicate, and a subject."""
    words = [tree.words[i] for i in tree.units[top].words]
    finite = any(word.form in _FINITE for word in words)
    return finite and _subjects(tree, top) == 1


def doubt(trees: SentenceTrees, t: int, kept: Set[int]) -> str:
    """A clause that says what is likely to be wrong with a headline of the words at some positions of tree t."""
    tree, guards, counts = trees.trees[t], trees.guards[t], phrase_counts()
    cut = [
        k
        for k, unit in enumerate(tree.units)
        if unit.parent is not None and unit.head not in kept and tree.units[unit.parent].head in kept
    ]

    def text(k: int) -> str:
        return " ".join(tree.words[i].text for i in tree.positions(tree.below(k)))

    if any(_subjects(tree, n) > 1 for n in range(len(tree))) or not is_whole_clause(tree, 0):
        return "the parse of the sentence is doubtful"
    if lost := next((k for k in cut if k in guards.stays), None):
        return f"the restriction {text(lost)!r} is lost"
    torn = max(cut, key=lambda k: counts.strength(tree, k), default=0)
    if torn and counts.strength(tree, torn) >= _LEAST_TORN:
        return f"{tree.content(tree.units[torn].parent or 0).text!r} is torn from {text(torn)!r}"
    return "nothing in particular is wrong, but such headlines are seldom good"
