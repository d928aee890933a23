"""Ranking: chooses one of the search's n best headlines and gives the probability that it is good.

A good headline is true, printable without edits, and reports the news. Each of these questions has a logistic
regression over features of the headline and of its sentence, given that the questions before it are answered with yes:

    P(good) = P(true) · P(readable | true) · P(news | true, readable)
    P(yes)  = 1 / (1 + exp(−(bias + Σ weights[f] · features[f])))

The weights are in `ranking.json.gz`, made by ``training/ranking/make_ranking.py``.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache

from widl.headline.document_trees import DocumentTrees
from widl.headline.phrase_counts import phrase_counts
from widl.headline.units import UnitTree
from widl.headline.whole_phrases import is_whole_clause
from widl.headline.word_lists import package_json, speech_verbs, word_set
from widl.headline.words import FINITE, NOUNS, Word
from widl.headline.written_headline import SurfaceWord

_LEAST = 1e-3
_MODIFIERS = word_set("amod compound")
_CLAUSES = word_set("root ccomp conj parataxis advcl")
_MIXED = (0.7, 0.25, 0.05)  # orders of the tag models: trigrams, bigrams, single tags
_TAGS = 50
_LEAST_TORN = 0.15
_MUCH = 4  # words
# Of 25 pairs that a reader of texts and headlines judged, 3 prints the better one in 15, 1 in 8 of 27.
_WEIGHT_OF_NEWS = 3


class TagModel:
    """A trigram model of the part-of-speech tags of headlines."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        """`counts`: n-grams of one, two and three tags, joined by spaces."""
        self.counts = counts
        self._histories: Counter[str] = Counter()
        for row, n in counts.items():
            self._histories[" ".join(row.split(" ")[:-1])] += n

    @classmethod
    def trained(cls, sentences: Iterable[Sequence[str]], fewest: int = 2) -> "TagModel":
        """Counts n-grams of tags; drops n-grams seen fewer than `fewest` times."""
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
    """Tags of a headline's words without articles. Finite verbs share a tag because headlines change their tense."""
    return ["V" if word.form in FINITE and word.tag == "VERB" else word.form for word in words if not word.is_article]


QUESTIONS = ("true", "readable", "news")
"""Whether the text supports a headline, whether it can be printed as it is, whether it tells the news."""


@dataclass(frozen=True)
class Judgment:
    """The probabilities that a headline is true, readable if true, and reports the news if both."""

    true: float
    readable: float
    news: float

    @property
    def confidence(self) -> float:
        """P(all three)."""
        return self.true * self.readable * self.news

    @property
    def rank_score(self) -> float:
        """Orders candidates: P(all three) with more weight on the news, since the safest is often the emptiest."""
        return self.true * self.readable * self.news**_WEIGHT_OF_NEWS

    @property
    def weakest(self) -> str:
        """The question whose answer is most likely to be no."""
        return min(QUESTIONS, key=lambda question: getattr(self, question))


@dataclass(frozen=True)
class LogisticModel:
    """Weights of features."""

    bias: float
    weights: Mapping[str, float]

    def probability(self, features: Mapping[str, float]) -> float:
        """P(yes). Features that are missing count as 0: a new set of features is trained under the previous model."""
        z = self.bias + sum(weight * features.get(name, 0.0) for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, z))))


@dataclass(frozen=True)
class RankingModel:
    """A model for each of the questions, and the tag model."""

    models: Mapping[str, LogisticModel]
    """By question."""
    tags: TagModel

    def judgment(self, features: Mapping[str, float]) -> Judgment:
        """The judgment of a headline with these features."""
        return Judgment(*(self.models[name].probability(features) for name in QUESTIONS))


@cache
def ranking_model() -> RankingModel:
    """The model of the package."""
    fields = package_json("ranking.json.gz")
    models = {name: LogisticModel(model["bias"], model["weights"]) for name, model in fields["questions"].items()}
    return RankingModel(models, TagModel(fields["tags"]))


class _Deletion:
    """The units of a tree that a headline keeps, and their deleted children."""

    def __init__(self, tree: UnitTree, kept: Set[int]) -> None:
        """`kept`: positions of its words."""
        self.tree = tree
        self.units = _kept_units(tree, kept)
        self.top = self.units[0] if self.units else 0
        inside = set(self.units)
        self.deleted = [k for n in self.units for k in tree.units[n].children if k not in inside]
        self.torn = [k for k in self.deleted if not tree.is_divided(k)]
        """Deleted units without punctuation between them and their parent."""
        self.right = [k for k in self.torn if not tree.is_left(k)]
        keep_some = {tree.units[k].parent for k in inside if not tree.is_left(k)}
        lose_some = {tree.units[k].parent for k in self.right}
        self.bare = [n for n in self.units if n in lose_some and n not in keep_some]
        """Units that lose all that follows them."""
        self.last = max(self.units, key=lambda n: tree.units[n].head, default=0)


def _kept_units(tree: UnitTree, kept: Set[int]) -> list[int]:
    """The units of a headline with words at some positions; a unit that is passed over has words above and below it."""
    units = {n for n, unit in enumerate(tree.units) if unit.head in kept or any(i in kept for i in unit.words)}
    passed = {parent for n in units if (parent := tree.units[n].parent) is not None and parent not in units}
    return sorted(units | {n for n in passed if tree.units[n].parent in units})


def headline_features(
    trees: DocumentTrees, t: int, said: Sequence[SurfaceWord], tags: TagModel, behind: float = 0.0, fuller: int = 0
) -> dict[str, float]:
    """Features of a headline made from words of tree t.

    Args:
        trees: The trees of its document.
        t: The number of the tree.
        said: The words of the headline.
        tags: The tag model.
        behind: Gap between the best score and this headline's score.
        fuller: How many words more a candidate has that contains the headline (`words_to_add`).
    """
    tree, guards = trees.trees[t], trees.guards[t]
    kept = tree.with_labels(word.position for word in said)
    found = _Deletion(tree, kept)
    units, top, deleted = found.units, found.top, found.deleted
    inside = set(units)
    counts = phrase_counts()
    words = max(1, sum(not w.word.is_article for w in said))
    last = tree.content(found.last)
    ends = set(tree.units[found.last].children)
    rows = tags.log_probabilities(tags_of(word.word for word in said))
    of_people, of_news = trees.expected(tree)
    repeated = tree.counts or {}
    phrases = (k for k in inside if not tree.is_left(k) and tree.content(k).relation not in {"obj", "conj"})
    bare = {tree.units[k].parent for k in found.right} - {tree.units[k].parent for k in phrases}
    bare_verbs = [n for n in units if n in bare and tree.content(n).tag == "VERB"]
    bare_nouns = [n for n in found.bare if tree.content(n).tag == "NOUN"]
    bare_objects = [n for n in found.bare if tree.units[n].parent == top and tree.content(n).relation == "obj"]
    modifiers = [k for k in units[1:] if _is_modifier(tree, k)]
    return {
        "short": float(words < 5),
        "behind": math.log1p(behind),
        "fuller": float(fuller > 0),
        "much fuller": float(min(fuller, _MUCH)),
        "sentence": float(tree.sentence > 0),
        "claim": float(top in guards.no_top),
        "depth": float(max((tree.units[n].depth for n in units), default=0)),
        "kept": sum(of_people[w.position] for w in said) / words,
        "news": sum(of_news[w.position] for w in said) / words,
        "share of kept": _share(of_people, kept),
        "share of news": _share(of_news, kept),
        "last news": of_news[tree.units[found.last].head],
        "last noun": float(last.tag in {"NOUN", "PROPN", "NUM"}),
        "last need": counts.need(last) if all(tree.is_left(k) for k in ends & inside) else 0.0,
        "guards broken": float(sum(k in guards.stays for k in deleted)),
        "nmod deleted": float(sum(tree.content(k).relation == "nmod" for k in found.torn)),
        "deleted beside": float(sum(tree.units[k].begin - 1 in _own(tree, k) for k in found.torn)),
        "deleted right": float(len(found.right)),
        "tags": sum(rows) / len(rows),
        "fused": float(sum(_is_fused(tree, n) for n in units)),
        "misread": float(any(_is_fused(tree, k) for n in units for k in tree.units[n].children)),
        "names deleted": float(sum(_is_in_name(tree, k) for k in deleted)),
        "characters": sum(len(w.word.text) + 1 for w in said) / 10,
        "noun need": max((counts.need(tree.content(n)) for n in bare_nouns), default=0.0),
        "modifiers deleted": float(sum(_is_modifier(tree, k) for k in deleted)),
        "past": float(any(_stays_past(w, tree) for w in said)),
        "owner": float(any(w.word.relation == "nmod:poss" and w.word.tag == "PRON" for w in said)),
        "pronouns": float(any(w.word.tag == "PRON" for w in said)),
        "modal": float(any(w.word.form == "MD" for w in said)),
        "not a verb": float(tree.words[tree.units[0].head].tag not in {"VERB", "AUX"}),
        "beside": float(sum(k in inside for k in tree.units[top].children)),
        "noun share": _kept_share(tree, kept, lambda w: w.tag in NOUNS),
        "topic share": _kept_share(tree, kept, lambda w: w.tag in NOUNS and repeated.get(w.lemma, 0) > 1),
        "verb need": max((counts.need(tree.content(n)) for n in bare_verbs), default=0.0),
        "object need": max((counts.need(tree.content(k)) for k in bare_objects), default=0.0),
        "right kept": float(sum(not tree.is_left(k) for k in units[1:])),
        "left kept": float(sum(tree.is_left(k) for k in units[1:])),
        "modifier share": len(modifiers) / words,
    }


def words_to_add(candidates: Sequence[Sequence[SurfaceWord]]) -> list[int]:
    """For each candidate, how many words more the longest candidate has that contains all its words; 0 without one."""
    places = [frozenset((word.sentence, word.position) for word in said) for said in candidates]
    return [max((len(more) - len(own) for more in places if own < more), default=0) for own in places]


def _is_modifier(tree: UnitTree, number: int) -> bool:
    return tree.is_left(number) and tree.content(number).relation in _MODIFIERS


def _kept_share(tree: UnitTree, kept: Set[int], chosen: Callable[[Word], bool]) -> float:
    """The share of some words of a sentence that a headline keeps."""
    those = [i for i, word in enumerate(tree.words) if chosen(word)]
    return sum(i in kept for i in those) / max(1, len(those))


def _stays_past(said: SurfaceWord, tree: UnitTree) -> bool:
    """Whether a finite verb has the past tense of its text."""
    word = tree.words[said.position]
    finite = word.tag == "AUX" or (word.tag == "VERB" and word.relation in _CLAUSES)
    return word.form == "VBD" and finite and said.word.key == word.key


def _is_fused(tree: UnitTree, number: int) -> bool:
    """Whether a clause is probably misread.

    It lacks a subject, or no *that* joins it to its verb, which has an object or is no verb of saying or thinking.
    """
    word, unit = tree.content(number), tree.units[number]
    if word.relation != "ccomp" or unit.parent is None:
        return False
    siblings = {tree.content(k).relation for k in tree.units[unit.parent].children}
    speaks = tree.content(unit.parent).lemma in speech_verbs() and not siblings & {"obj", "xcomp"}
    joined = speaks or tree.is_left(number) or tree.function_words(number, "mark")
    return not joined or not (tree.subjects(number) or word.tag != "VERB")


def _is_in_name(tree: UnitTree, number: int) -> bool:
    """Whether a unit belongs to a name or is a number of things."""
    word, parent = tree.content(number), tree.units[number].parent
    named = word.relation in {"compound", "amod", "nmod:poss"} and word.tag == "PROPN"
    return word.relation == "nummod" or (named and parent is not None and tree.content(parent).tag == "PROPN")


def _own(tree: UnitTree, number: int) -> tuple[int, ...]:
    """Positions of the parent unit's words."""
    parent = tree.units[number].parent
    return tree.units[parent].words if parent is not None else ()


def _share(probabilities: Sequence[float], kept: Set[int]) -> float:
    """The share of the expected words that a headline keeps."""
    return sum(p for i, p in enumerate(probabilities) if i in kept) / max(sum(probabilities), _LEAST)


def doubt(trees: DocumentTrees, t: int, kept: Set[int]) -> str:
    """Names the most likely error of a headline that keeps some positions of tree t; empty without one."""
    tree, guards, counts = trees.trees[t], trees.guards[t], phrase_counts()
    deleted = _Deletion(tree, kept).deleted

    def text(k: int) -> str:
        return " ".join(tree.words[i].text for i in tree.positions(tree.below(k)))

    misread = any(len(tree.subjects(n)) > 1 for n in range(len(tree)))
    if misread or not is_whole_clause(tree, 0):
        return "the parse of the sentence is doubtful"
    if lost := next((k for k in deleted if k in guards.stays), None):
        return f"the restriction {text(lost)!r} is lost"
    torn = max(deleted, key=lambda k: counts.strength(tree, k), default=0)
    if torn and counts.strength(tree, torn) >= _LEAST_TORN:
        return f"{tree.content(tree.units[torn].parent or 0).text!r} is torn from {text(torn)!r}"
    return ""
