"""Counts over parsed news: how closely words belong together.

``training/counts/make_counts.py`` makes `counts.json.gz`.

The *strength* of a phrase is P(a word of this lemma has a dependent of this type), where a type is a relation, a
preposition and a side: *bar* often has a phrase with *from*, *meet* rarely has one with *in*. Deleting a strong phrase
separates the word from its complement. A rare word has the strength of its part of speech.
"""

import math
from dataclasses import dataclass
from functools import cache

from widl.headline.units import UnitTree
from widl.headline.word_lists import counts, word_set
from widl.headline.words import Word

PAIRED = word_set("amod compound nmod:poss")
"""Relations whose words are counted in pairs with their head noun."""
_RIGHT = word_set("phrase acl acl:relcl ccomp xcomp obl nmod advmod advcl")
_PHRASES = word_set("obl obl:agent nmod advcl acl")
_KINDS = {"VERB": "V", "AUX": "V", "NOUN": "N", "PROPN": "P", "ADJ": "A", "ADV": "R", "NUM": "#"}


def head_key(word: Word) -> str:
    """Key of a word in the counts: its kind and its lemma."""
    return f"{_KINDS.get(word.tag, 'X')}:{word.lemma}"


def dependent_type(tree: UnitTree, number: int) -> str:
    """The type of a unit: relation, preposition or conjunction, side, and a comma before or after it."""
    link = " ".join(word.lemma for word in tree.function_words(number, "case", "mark"))
    side = "<" if tree.is_left(number) else ">"
    return type_of(tree.content(number).relation, link, side + "," * tree.is_divided(number))


def type_of(relation: str, link: str, place: str) -> str:
    """Joins the parts of a type. A preposition's phrases and clauses share a type: barred from mines, from mining."""
    return f"{'phrase' if link and relation in _PHRASES else relation} {link}{place}"


@dataclass(frozen=True)
class PhraseCounts:
    """The counts of the package."""

    dependents: dict[str, dict[str, int]]
    """Probabilities of dependent types in percent, by head or kind of head."""
    pairs: dict[str, frozenset[str]]
    """For each noun, modifiers that occur with it far more often than with other nouns."""

    def strength(self, tree: UnitTree, number: int) -> float:
        """P(the head has such a dependent)."""
        parent = tree.units[number].parent
        if parent is None:
            return 0.0
        key, kind = head_key(tree.content(parent)), dependent_type(tree, number)
        counts = self.dependents.get(key, {}).get(kind)
        return (self.dependents.get(key[:1], {}).get(kind, 0) if counts is None else counts) / 100

    def need(self, word: Word) -> float:
        """P(a word has some phrase or clause on its right), as if types were independent: *allegations* often have."""
        key = head_key(word)
        types = self.dependents.get(key[:1], {}) | self.dependents.get(key, {})
        return 1 - math.prod(
            1 - p / 100 for kind, p in types.items() if kind.endswith(">") and kind.split()[0] in _RIGHT
        )

    def is_verb(self, lemma: str) -> bool:
        """Whether a lemma is frequent as a verb: *release*, not *version*."""
        return f"V:{lemma}" in self.dependents

    def passive(self, verb: Word) -> float:
        """P(a verb has a passive subject): *jail* often has one, *rise* never."""
        return self._share(verb, "nsubj:pass")

    def transitive(self, verb: Word) -> float:
        """P(a verb has an object)."""
        return self._share(verb, "obj")

    def _share(self, word: Word, relation: str) -> float:
        types = self.dependents.get(head_key(word), {})
        return sum(p for kind, p in types.items() if kind.split()[0] == relation) / 100

    def is_pair(self, tree: UnitTree, number: int) -> bool:
        """Whether a modifier and its noun form a collocation: *shale gas*, *civil servants*."""
        word, parent = tree.content(number), tree.units[number].parent
        if parent is None or word.relation not in PAIRED:
            return False
        nouns = [tree.content(parent)]
        if (behind := tree.units[number].end) < tree.units[parent].head:
            nouns.append(tree.words[behind])  # private equity funds
        return any(word.lemma in self.pairs.get(noun.lemma, ()) for noun in nouns)


@cache
def phrase_counts() -> PhraseCounts:
    """The counts of the package."""
    pairs = {noun: frozenset(modifiers.split()) for noun, modifiers in counts()["pairs"].items()}
    return PhraseCounts(counts()["dependents"], pairs)
