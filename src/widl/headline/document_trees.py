"""The trees of a document's first sentences, with probabilities of deletions, and the clauses that may be headlines."""

from collections.abc import Sequence, Set
from copy import copy
from dataclasses import dataclass
from itertools import groupby

from widl.headline.deletion_model import DeletionModel, KeepProbabilities
from widl.headline.guards import guarded
from widl.headline.units import UnitTree
from widl.headline.word_forms import WordForms
from widl.headline.word_lists import word_list
from widl.headline.words import FINITE, SUBJECTS, Word, dependents, root_of

_MIN_PROBABILITY = 1e-4
"""Smaller probabilities make no clause a headline."""

_SHORT_LEAD = 10
"""Words of a first sentence; a shorter one may tell nothing."""


@dataclass(frozen=True)
class Clause:
    """A clause that can become a headline: a unit and its subtree."""

    tree: int
    """Number of the tree; a sentence may have several."""
    top: int
    probability: float


class DocumentTrees:
    """The trees of a document's first sentences with their probabilities and guards."""

    def __init__(
        self,
        trees: Sequence[UnitTree],
        deletions: DeletionModel,
        forms: WordForms,
        headlines: DeletionModel | None = None,
    ) -> None:
        """`headlines`: model of the words that headlines keep; None for models trained on shortened sentences only."""
        self.trees = trees
        self.sentences = {tree.sentence: tree.words for tree in reversed(trees)}
        """The words of each sentence; an original tree precedes a rewritten one."""
        self.forms = forms
        self.guards = [guarded(tree) for tree in trees]
        # Each sentence separately: shortened texts do not show which of several sentences a headline comes from.
        by_sentence = sorted(range(len(trees)), key=lambda t: trees[t].sentence)
        texts = [[trees[t] for t in same] for _, same in groupby(by_sentence, key=lambda t: trees[t].sentence)]
        self.shortened = KeepProbabilities(deletions, texts)
        plain = [tree for tree in trees if not tree.retold]
        self.headline = KeepProbabilities(headlines, [plain]) if headlines else self.shortened
        """Expected words of headlines, if the model has them; else expected words of shortened sentences."""
        self._expected: dict[int, tuple[list[float], list[float]]] = {}

    def expected(self, tree: UnitTree) -> tuple[list[float], list[float]]:
        """For each word of a tree's sentence, P(people keep the word) and P(the headline has the word)."""
        if tree.sentence not in self._expected:
            places = [(tree.sentence, i) for i in range(len(tree.words))]
            kept = [self.shortened.word(*place) for place in places]
            self._expected[tree.sentence] = kept, [self.headline.word(*place) for place in places]
        return self._expected[tree.sentence]

    def relaxed(self, sentences: Set[int] | None = None) -> "DocumentTrees":
        """A copy with some guards soft in some sentences; if None, in all sentences, and more guards are soft."""
        other = copy(self)
        other.guards = [
            found.relaxed(entirely=sentences is None) if sentences is None or tree.sentence in sentences else found
            for tree, found in zip(self.trees, self.guards, strict=True)
        ]
        return other

    def clauses(self) -> list[Clause]:
        """The clauses that may be headlines, the most probable first."""
        clauses = [
            Clause(s, number, self.shortened.top(tree, number))
            for s, tree in enumerate(self.trees)
            for number in range(len(tree))
            if self._may_begin(s, number)
        ]
        return sorted(clauses, key=lambda clause: (-clause.probability, clause.tree, clause.top))

    def after_empty_lead(self, clauses: Sequence[Clause]) -> list[Clause]:
        """The clauses without those of a first sentence that tells nothing, if others remain.

        Such a sentence is short, has no name and no number and tells of no past event, and the next one has a name:
        *Times are tough in the oil patch.* Of 23 stories among 4,200 of AG, Wikinews and newswire that begin so, 13
        headlines have more words of the second sentence than of the first, and 2 have fewer.
        """
        later = [clause for clause in clauses if self.trees[clause.tree].sentence]
        return later if later and self._opens_without_news() else list(clauses)

    def _opens_without_news(self) -> bool:
        first, second = self.sentences.get(0, ()), self.sentences.get(1, ())
        if len(first) >= _SHORT_LEAD or not any(word.tag == "PROPN" for word in second):
            return False
        return not any(word.tag in {"PROPN", "NUM"} for word in first) and not _is_past(first)

    def _may_begin(self, s: int, number: int) -> bool:
        tree, guards = self.trees[s], self.guards[s]
        if number in guards.no_top or not guards.dropped.isdisjoint(tree.above(number)):
            return False
        children = tree.units[number].children
        subjects = [k for k in children if tree.content(k).relation.split(":")[0] in {"nsubj", "csubj"}]
        if tree.units[number].parent is None:
            return _is_statement(tree, number, subjects)
        if tree.retold or not subjects or self.shortened.top(tree, number) <= _MIN_PROBABILITY:
            return False
        retold = any(other.retold and other.sentence == tree.sentence for other in self.trees)
        if retold and any(tree.content(k).tag == "PRON" for k in subjects):
            return False
        owners = [o for k in subjects for o in tree.below(k) if tree.content(o).relation == "nmod:poss"]
        referring = any(tree.content(o).tag == "PRON" for o in owners)  # "said its unit agreed"
        finite = any(tree.words[i].form in FINITE for i in tree.units[number].words)
        return finite and has_verb(tree, number) and not referring


def _is_past(words: Sequence[Word]) -> bool:
    """Whether the verb of a sentence is in the past or the perfect."""
    root = root_of(words)
    group = [words[root], *(words[k] for k in dependents(words, root) if words[k].relation in {"aux", "aux:pass"})]
    return any(word.form == "VBD" or word.lemma == "have" for word in group)


def _is_statement(tree: UnitTree, number: int, subjects: Sequence[int]) -> bool:
    """Whether the top unit of a sentence has a verb after its subjects, and asks nothing."""
    content = tree.content(number)
    inverted = bool(subjects) and not any(map(tree.is_left, subjects)) and content.tag == "VERB"
    if inverted or "?" in tree.words[-1].closing:
        return False
    # A parser may take "the bank named" for the bank that was named, and see nouns and adjectives in "the bank plans to
    # close", "the insurer unveils" and "schools open".
    relations = {tree.content(k).relation for k in tree.units[number].children}
    misread = not relations.isdisjoint(SUBJECTS) or (content.tag == "NOUN" and bool(relations & {"acl", "xcomp"}))
    return has_verb(tree, number) or (misread and content.lemma not in word_list("times"))


def has_verb(tree: UnitTree, number: int) -> bool:
    """Whether a unit is a verb or has a copula."""
    return tree.content(number).tag in {"VERB", "AUX"} or bool(tree.function_words(number, "cop"))
