"""Features of headlines for their judgment (`widl.headline.ranking`)."""

import math
from collections.abc import Callable, Sequence, Set

from widl.headline.document_trees import DocumentTrees
from widl.headline.kept_units import KeptUnits
from widl.headline.phrase_counts import phrase_counts
from widl.headline.punctuation import SurfaceWord
from widl.headline.ranking import TagModel, tags_of
from widl.headline.ranking_patterns import headline_patterns
from widl.headline.units import UnitTree
from widl.headline.word_lists import speech_verbs, word_set
from widl.headline.words import NOUNS, Word

_MIN_EXPECTED = 1e-3
"""Least number of expected words that shares refer to."""
_MODIFIERS = word_set("amod compound")
_CLAUSES = word_set("root ccomp conj parataxis advcl")
_SHORT = 5
"""Headlines with fewer words are short."""
_MUCH_FULLER = 4
"""Words; a longer difference counts as this one."""


def headline_features(
    trees: DocumentTrees, t: int, said: Sequence[SurfaceWord], tags: TagModel, behind: float = 0.0, fuller: int = 0
) -> dict[str, float]:
    """Features of a headline made from words of tree t: numbers, and patterns, whose names have a colon.

    Args:
        trees: The trees of its document.
        t: The number of the tree.
        said: The words of the headline.
        tags: The tag model.
        behind: Gap between the best score and this headline's score.
        fuller: Number of words that the longest candidate adds to the headline (`words_to_add`).
    """
    headline = _Headline(trees, t, said)
    rows = tags.log_probabilities(tags_of(word.word for word in said))
    return {
        "behind": math.log1p(behind),
        "fuller": float(fuller > 0),
        "much fuller": float(min(fuller, _MUCH_FULLER)),
        "tags": sum(rows) / len(rows),
        **_of_size(headline),
        **_of_news(headline),
        **_of_words(headline),
        **_of_deletions(headline),
        **_of_bare_units(headline),
        **_of_parse(headline),
        **headline_patterns(headline.units, said),
    }


class _Headline:
    """A headline and the tree that it is made from."""

    def __init__(self, trees: DocumentTrees, t: int, said: Sequence[SurfaceWord]) -> None:
        self.said = said
        self.tree, self.guards = trees.trees[t], trees.guards[t]
        self.of_people, self.of_news = trees.expected(self.tree)
        self.kept = self.tree.with_labels(word.position for word in said)
        """Positions of its words."""
        self.units = KeptUnits(self.tree, self.kept)
        self.inside = set(self.units.units)
        self.words = max(1, sum(not word.word.is_article for word in said))


def _of_size(headline: _Headline) -> dict[str, float]:
    tree, units = headline.tree, headline.units.units
    return {
        "short": float(headline.words < _SHORT),
        "characters": sum(len(word.word.text) + 1 for word in headline.said) / 10,
        "depth": float(max((tree.units[n].depth for n in units), default=0)),
        "right kept": float(sum(not tree.is_left(k) for k in units[1:])),
        "left kept": float(sum(tree.is_left(k) for k in units[1:])),
        "beside": float(sum(k in headline.inside for k in tree.units[headline.units.top].children)),
        "modifier share": sum(_is_modifier(tree, k) for k in units[1:]) / headline.words,
    }


def _of_news(headline: _Headline) -> dict[str, float]:
    """The news of the text that the headline has."""
    tree, kept, said = headline.tree, headline.kept, headline.said
    repeated = tree.counts or {}
    return {
        "kept": sum(headline.of_people[word.position] for word in said) / headline.words,
        "news": sum(headline.of_news[word.position] for word in said) / headline.words,
        "share of kept": _share(headline.of_people, kept),
        "share of news": _share(headline.of_news, kept),
        "last news": headline.of_news[tree.units[headline.units.last].head],
        "noun share": _kept_share(tree, kept, lambda w: w.tag in NOUNS),
        "topic share": _kept_share(tree, kept, lambda w: w.tag in NOUNS and repeated.get(w.lemma, 0) > 1),
    }


def _of_words(headline: _Headline) -> dict[str, float]:
    words = [item.word for item in headline.said]
    return {
        "past": float(any(_stays_past(item, headline.tree) for item in headline.said)),
        "owner": float(any(word.relation == "nmod:poss" and word.tag == "PRON" for word in words)),
        "pronouns": float(any(word.tag == "PRON" for word in words)),
        "modal": float(any(word.form == "MD" for word in words)),
    }


def _of_deletions(headline: _Headline) -> dict[str, float]:
    tree, units, deleted = headline.tree, headline.units, headline.units.deleted
    return {
        "guards broken": float(sum(k in headline.guards.kept_by for k in deleted)),
        "nmod deleted": float(sum(tree.content(k).relation == "nmod" for k in units.torn)),
        "deleted beside": float(sum(tree.units[k].begin - 1 in _own(tree, k) for k in units.torn)),
        "deleted right": float(len(units.right)),
        "names deleted": float(sum(_is_in_name(tree, k) for k in deleted)),
        "modifiers deleted": float(sum(_is_modifier(tree, k) for k in deleted)),
    }


def _of_bare_units(headline: _Headline) -> dict[str, float]:
    """Need of the words whose following phrases are all deleted: how often they have such phrases in news."""
    tree, units, counts = headline.tree, headline.units, phrase_counts()
    phrases = (k for k in headline.inside if not tree.is_left(k) and tree.content(k).relation not in {"obj", "conj"})
    bare = {tree.units[k].parent for k in units.right} - {tree.units[k].parent for k in phrases}
    verbs = [n for n in units.units if n in bare and tree.content(n).tag == "VERB"]
    nouns = [n for n in units.bare if tree.content(n).tag == "NOUN"]
    objects = [n for n in units.bare if tree.units[n].parent == units.top and tree.content(n).relation == "obj"]
    last, ends = tree.content(units.last), set(tree.units[units.last].children)
    ends_bare = all(tree.is_left(k) for k in ends & headline.inside)
    return {
        "last noun": float(last.tag in {"NOUN", "PROPN", "NUM"}),
        "last need": counts.need(last) if ends_bare else 0.0,
        "noun need": max((counts.need(tree.content(n)) for n in nouns), default=0.0),
        "verb need": max((counts.need(tree.content(n)) for n in verbs), default=0.0),
        "object need": max((counts.need(tree.content(n)) for n in objects), default=0.0),
    }


def _of_parse(headline: _Headline) -> dict[str, float]:
    """The place of the clause in its text, and signs of a wrong parse."""
    tree, units = headline.tree, headline.units.units
    return {
        "sentence": float(tree.sentence > 0),
        "claim": float(headline.units.top in headline.guards.no_top),
        "fused": float(sum(_is_fused(tree, n) for n in units)),
        "misread": float(any(_is_fused(tree, k) for n in units for k in tree.units[n].children)),
        "not a verb": float(tree.words[tree.units[0].head].tag not in {"VERB", "AUX"}),
    }


def words_to_add(candidates: Sequence[Sequence[SurfaceWord]]) -> list[int]:
    """For each candidate, the number of words that the longest candidate with all of its words adds; 0 without one."""
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
    return sum(p for i, p in enumerate(probabilities) if i in kept) / max(sum(probabilities), _MIN_EXPECTED)
