"""Candidate phrases of a headline: heads with some of their dependents (Soricut & Marcu 2006).

A phrase is a head with all its compounds, numbers and negations, any of its adjectives and possessives, and up to three
of its objects, subjects, complements, prepositional phrases, conjuncts and clauses, which are phrases themselves.
Determiners and auxiliaries are left out, as in headlines.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from widl.headline.lexicon import word_set
from widl.headline.words import Word, is_label

_REQUIRED = {
    "compound",
    "flat",
    "fixed",
    "goeswith",
    "nummod",
    "compound:prt",
    "flat:foreign",
    "list",
    "dep",
    "advmod:neg",
}
_OPTIONAL = {"amod", "nmod:poss", "advmod", "nmod:tmod", "nmod:npmod", "obl:npmod"}
_LINKS = word_set(
    """nmod obl obj iobj nsubj nsubj:pass csubj xcomp ccomp conj appos acl acl:relcl advcl obl:tmod obl:agent parataxis
    nmod:tmod obl:npmod"""
)
_FUNCTION = {"case", "mark", "cc"}
_NEGATIONS = {"not", "no", "never", "n't", "without"}


class SentencePhrases:
    """The phrases of a sentence, as bit sets of positions: bit i is word i."""

    def __init__(self, words: Sequence[Word], *, longest: int = 10, depth: int = 3, breadth: int = 12) -> None:
        """Phrases of at most `longest` words and `depth` links; a dependent adds at most `breadth` of its forms."""
        self._words = words
        self._longest = longest
        self._breadth = breadth
        self._children: list[list[int]] = [[] for _ in words]
        for i, word in enumerate(words):
            if word.head != i:
                self._children[word.head].append(i)
        self._known: dict[tuple[int, int], list[int]] = {}
        self._depth = depth
        self._labels = sum(1 << i for i, word in enumerate(words) if is_label(word))

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Pairs of a head and the set of the phrase's words; each set comes once."""
        seen: set[int] = set()
        for head in range(len(self._words)):
            function = self._function_words(head)
            for form in self._forms(head, self._depth):
                for whole in dict.fromkeys(
                    (form, form | function, form & ~self._labels, (form | function) & ~self._labels)
                ):
                    if whole and whole not in seen and whole.bit_count() <= self._longest:
                        seen.add(whole)
                        yield head, whole

    def _required(self, head: int) -> int:
        """The head and its required dependents."""
        whole = 1 << head
        for child in self._children[head]:
            word = self._words[child]
            if word.relation in _REQUIRED or word.key in _NEGATIONS:
                whole |= self._required(child)
        return whole

    def _function_words(self, head: int) -> int:
        """The head's prepositions, *to* and *and*."""
        word_set = 0
        for child in self._children[head]:
            if self._words[child].relation in _FUNCTION:
                word_set |= self._required(child)
        return word_set

    def _bases(self, head: int) -> list[int]:
        required = self._required(head)
        optional = [
            self._required(c) | self._possessor(c) for c in self._children[head] if self._words[c].relation in _OPTIONAL
        ]
        bases = [required]
        for count in range(1, min(len(optional), 3) + 1):
            for some in combinations(optional, count):
                base = required
                for part in some:
                    base |= part
                bases.append(base)
        return bases[:6]

    def _possessor(self, child: int) -> int:
        """Modifiers of a possessor or an adjective: *the company's two-for-one stock split*."""
        word_set = 0
        for below in self._children[child]:
            if self._words[below].relation in {"amod", "compound", "flat", "case"}:
                word_set |= 1 << below
        return word_set

    def _forms(self, head: int, depth: int) -> list[int]:
        known = self._known.get((head, depth))
        if known is not None:
            return known
        self._known[head, depth] = []  # ends the recursion where a damaged tree has a cycle
        bases = self._bases(head)
        forms = list(bases)
        if depth:
            parts = [part for child in self._children[head] if (part := self._part(child, depth - 1))]
            for first in parts:
                forms += [base | form for base in bases[:3] for form in first]
            for first, second in combinations(parts, 2):
                forms += [base | a | b for base in bases[:2] for a in first[:5] for b in second[:5]]
            for some in combinations(parts[:5], 3):
                forms += [bases[0] | a | b | c for a in some[0][:2] for b in some[1][:2] for c in some[2][:2]]
        forms = [form for form in dict.fromkeys(forms) if (form & ~self._labels).bit_count() <= self._longest]
        self._known[head, depth] = forms
        return forms

    def _part(self, child: int, depth: int) -> list[int]:
        """The forms of a dependent within a longer phrase."""
        word = self._words[child]
        if word.relation not in _LINKS or word.tag in {"PRON", "DET", "PUNCT"}:
            return []
        function = self._function_words(child)
        forms = sorted(self._forms(child, depth), key=int.bit_count)
        return [form | function for form in forms[: self._breadth]]


def positions(word_set: int) -> tuple[int, ...]:
    """The positions in a set.

    >>> positions(0b1101)
    (0, 2, 3)
    """
    result = []
    while word_set:
        low = word_set & -word_set
        result.append(low.bit_length() - 1)
        word_set ^= low
    return tuple(result)
