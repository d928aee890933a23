"""The dependency tree of a sentence's words, as the grammar of headlines asks about it."""

from collections.abc import Iterator, Sequence

from widl.headline.lexicon import DAYS, MONTHS, TIME_UNITS, word_set
from widl.headline.words import Word

NEGATIONS = word_set("not never n't no neither nor without hardly barely scarcely")
PREPOSITIONS_OF_TIME = word_set("on in at by since until till during from after before within through")
SUBJECTS = frozenset({"nsubj", "nsubj:pass", "csubj", "csubj:pass", "nsubj:outer"})
_TIME_ADVERBS = word_set(
    "today yesterday tomorrow tonight recently earlier later now currently meanwhile already soon shortly also again "
    "previously immediately late early"
)
_BROKEN = frozenset({"dep", "list", "orphan", "reparandum", "goeswith", "discourse", "vocative"})
# After these a noun phrase and a finite verb are a clause, which the parser may have read as a noun with a participle.
_CONJUNCTION_OR_PREPOSITION = word_set("after before since as until till because")


class SentenceTree:
    """A sentence's words with their dependents, spans, and the places where the parse can't be trusted."""

    def __init__(self, words: Sequence[Word], number: int = 0) -> None:
        self.words = words
        self.number = number
        """Of the sentence in its document, from 0."""
        self.children: list[list[int]] = [[] for _ in words]
        for i, word in enumerate(words):
            if word.head != i:
                self.children[word.head].append(i)
        self.roots = [i for i, word in enumerate(words) if word.head == i]
        self._first = list(range(len(words)))
        self._last = list(range(len(words)))
        self._size = [1] * len(words)
        for i in self._upwards():
            for child in self.children[i]:
                self._first[i] = min(self._first[i], self._first[child])
                self._last[i] = max(self._last[i], self._last[child])
                self._size[i] += self._size[child]

    def _upwards(self) -> Iterator[int]:
        """Dependents before their heads."""
        order = list(self.roots)
        for i in order:
            order += self.children[i]
        return reversed(order)

    def relation(self, i: int) -> str:
        """The relation without its subtype."""
        return self.words[i].relation.partition(":")[0]

    def first(self, i: int) -> int:
        """The first position of the word's subtree."""
        return self._first[i]

    def last(self, i: int) -> int:
        """The last position of the word's subtree."""
        return self._last[i]

    def is_contiguous(self, i: int) -> bool:
        """Whether the word and all below it stand side by side."""
        return self._last[i] - self._first[i] + 1 == self._size[i]

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

    def comma_before(self, i: int) -> bool:
        """Whether punctuation separates the word from the one before it."""
        return i == 0 or bool(self.words[i - 1].closing.strip("\"'”’.)")) or self.words[i].opening.startswith("(")

    def is_time(self, i: int) -> bool:
        """Whether a dependent says when: *today*, *on Monday*, *last week*, *in May 1987*."""
        word = self.words[i]
        if word.key in _TIME_ADVERBS:
            return True
        if word.key in DAYS | MONTHS or word.lemma in TIME_UNITS or _is_year(word):
            cases = [self.words[k].key for k in self.function_words(i, "case", "mark")]
            if _is_year(word) and not cases:
                return False
            return all(case in PREPOSITIONS_OF_TIME for case in cases) and (
                bool(cases)
                or self.relation(i) in {"obl", "nmod", "advmod"}
                or any(self.words[c].key in {"this", "last", "next"} for c in self.children[i])  # read as an object
            )
        return False

    def is_negated(self, i: int) -> bool:
        """Whether a predicate has a negation of its own."""
        return any(is_negation(self.words[c]) for c in self.children[i])

    def is_doubtful(self, i: int) -> bool:
        """Whether the parse right at this word contradicts the order of words, so that nothing should rest on it."""
        word = self.words[i]
        if word.relation in _BROKEN and word.tag in {"VERB", "NOUN", "PROPN", "NUM", "AUX", "X"}:
            return True
        if word.relation in {"appos", "parataxis"} and not self.comma_before(self.first(i)):
            return i > word.head and word.relation == "parataxis"
        if self._hides_clause(i):
            return True
        return word.tag == "VERB" and word.relation == "acl" and self._opens_clause(i)

    def _hides_clause(self, i: int) -> bool:
        """Whether a noun after *after* or the like has a verb for a modifier, and a noun before that: its subject."""
        if any(
            self.words[c].tag == "VERB"
            and self.words[c].key.endswith("ing")
            and 0 < c < i
            and self.words[c - 1].tag == "NOUN"
            and not self.words[c].opening
            for c in self.children[i]
        ):
            return True  # an obstacle threatening passage
        if not any(self.words[k].key in _CONJUNCTION_OR_PREPOSITION for k in self.function_words(i, "case")):
            return False
        return any(self.words[c].tag == "VERB" and 0 < c < i and self._may_be_subject(c - 1) for c in self.children[i])

    def _may_be_subject(self, i: int) -> bool:
        word = self.words[i]
        return word.tag in {"NOUN", "PROPN", "PRON"} or (word.relation == "advmod" and not word.key.endswith("ly"))

    def _opens_clause(self, i: int) -> bool:
        """Whether a participle with an object follows *after* and a noun: *after companies raised their offer*."""
        if self.words[i].key.endswith("ing") or i + 1 >= len(self.words) or self.first(i) != i:
            return False
        if self.words[i].key == self.words[i].lemma or self.words[i + 1].tag not in {"DET", "NUM", "PRON", "NOUN"}:
            return False
        before = [word.key for word in self.words[max(0, i - 5) : i]]
        return not _CONJUNCTION_OR_PREPOSITION.isdisjoint(before)


def is_negation(word: Word) -> bool:
    """Whether a word denies, by itself or by its end: *not*, *can't*."""
    return word.key in NEGATIONS or word.key.endswith(("n't", "n’t"))


def _is_year(word: Word) -> bool:
    text = word.key
    return len(text) in {4, 7} and text[:4].isdigit() and text[:2] in {"17", "18", "19", "20"}
