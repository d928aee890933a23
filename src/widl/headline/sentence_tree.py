"""The dependency tree of a sentence's words, as relation support asks about it."""

from collections.abc import Sequence

from widl.headline.lexicon import word_set
from widl.headline.words import Word

SUBJECTS = frozenset({"nsubj", "nsubj:pass", "csubj", "csubj:pass", "nsubj:outer"})
_NEGATIONS = word_set("not never n't no neither nor without hardly barely scarcely")


class SentenceTree:
    """A sentence's words with their dependents."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.children: list[list[int]] = [[] for _ in words]
        for i, word in enumerate(words):
            if word.head != i:
                self.children[word.head].append(i)

    def relation(self, i: int) -> str:
        """The relation without its subtype."""
        return self.words[i].relation.partition(":")[0]

    def subtree(self, i: int) -> list[int]:
        """The positions of the word and of all below it, in order."""
        found = [i]
        for k in found:
            found += self.children[k]
        return sorted(found)

    def child(self, i: int, *relations: str) -> int | None:
        """The first dependent with one of these relations, subtypes included."""
        return next(
            (c for c in self.children[i] if self.words[c].relation in relations or self.relation(c) in relations), None
        )

    def subject(self, i: int) -> int | None:
        """The subject of a predicate."""
        return next((c for c in self.children[i] if self.words[c].relation in SUBJECTS), None)

    def function_words(self, i: int, *relations: str) -> list[int]:
        """The word's prepositions, conjunctions or the like, of several words each, in order."""
        found = [c for c in self.children[i] if self.relation(c) in relations]
        return sorted({k for c in found for k in self.subtree(c)})


def is_negation(word: Word) -> bool:
    """Whether a word denies, by itself or by its end: *not*, *can't*."""
    return word.key in _NEGATIONS or word.key.endswith(("n't", "n’t"))
