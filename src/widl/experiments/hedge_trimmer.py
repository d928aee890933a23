"""Hedge Trimmer (Dorr, Zajic & Schwartz 2003) on dependency parses: a headline by removing parts of a sentence.

The paper's rules are about constituents. Each has a stand-in here on Universal Dependencies, one function a rule:

=====================================  ================================================================
lowest leftmost S with NP and VP       `chosen_clause`
determiners, time expressions          `without_low_content`
XP over XP                             `double_phrases`: parts that make a larger NP, VP or S of a smaller one
preposed adjuncts                      `preposed_adjuncts`
trailing PPs                           `trailing_prepositional_phrases`
trailing SBARs                         `trailing_clauses`
=====================================  ================================================================

The XP-over-XP rule removes noun-modifying prepositional phrases of Penn trees, hence ``nmod`` belongs there.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from widl.headline.length_options import LengthLimit
from widl.headline.punctuation import truncate_words, written_words
from widl.headline.word_lists import ARTICLES, DAYS, MONTHS, SHORT_MONTHS, word_set
from widl.headline.words import Word

_MONTHS = MONTHS | SHORT_MONTHS | {f"{month}." for month in SHORT_MONTHS} | {"jun", "jul"}
_TIME_UNITS = word_set(
    "second minute hour day week month year decade century quarter morning afternoon evening night midnight noon "
    "midday dawn dusk weekend fortnight season spring summer autumn winter today yesterday tomorrow tonight"
)
_ADVERBS_OF_TIME = word_set("today yesterday tomorrow tonight overnight recently earlier later now currently meanwhile")
_TIME_PREPOSITIONS = word_set(
    "after ago at before between by during for from in on over past since through throughout till to toward towards "
    "until within"
)
SUBJECTS = frozenset({"nsubj", "csubj"})


class Tree:
    """A sentence from which parts are removed. `kept` has the remaining positions."""

    def __init__(self, sentence: Sequence[Word]) -> None:
        self.sentence = sentence
        self.children: list[list[int]] = [[] for _ in sentence]
        for position, word in enumerate(sentence):
            if word.head != position:
                self.children[word.head].append(position)
        self.root = next((position for position, word in enumerate(sentence) if word.head == position), 0)
        self.kept = set(range(len(sentence)))
        self._depth = {self.root: 0}
        self._downwards = [self.root]  # heads before their dependents
        for head in self._downwards:
            for child in self.children[head]:
                self._depth[child] = self._depth[head] + 1
                self._downwards.append(child)

    def relation(self, word: int) -> str:
        """The relation without its subtype."""
        return self.sentence[word].relation.partition(":")[0]

    def child(self, word: int, *relations: str) -> int | None:
        """The first dependent in `kept` with one of these relations, subtypes of them included."""
        for child in self.children[word]:
            if child in self.kept and not {self.relation(child), self.sentence[child].relation}.isdisjoint(relations):
                return child
        return None

    def subtree(self, word: int) -> set[int]:
        """The word and its descendants, as far as they are in `kept`."""
        words, open_words = set(), [word]
        while open_words:
            current = open_words.pop()
            words.add(current)
            open_words += self.children[current]
        return words & self.kept

    def words(self) -> list[str]:
        """The words that are left."""
        return written_words(self.sentence, sorted(self.kept))

    def last(self, words: Iterable[int]) -> int:
        """The word whose subtree ends furthest right; the deepest one, if several do."""
        ends = list(range(len(self.sentence)))
        for word in reversed(self._downwards):
            inner = [ends[child] for child in self.children[word] if child in self.kept]
            ends[word] = max([word, *inner])
        return max(words, key=lambda word: (ends[word], self._depth[word]))


def trim(sentence: Sequence[Word], limit: LengthLimit) -> list[str]:
    """The words of the sentence's trimmed clause; cut at the end where rules do not suffice for the limit."""
    if not sentence:
        return []
    tree = Tree(sentence)
    clause = chosen_clause(tree)
    tree.kept = tree.subtree(clause)
    without_low_content(tree, clause)
    shorten(tree, clause, limit)
    return truncate_words(tree.words(), limit)


def chosen_clause(tree: Tree) -> int:
    """The head of the clause that becomes the headline.

    It is the root's clause, unless a clause with a subject is to the left of the root ("Prices rose, officials said"):
    then that clause, and so on recursively. Modifying clauses (``advcl``, ``acl``) don't count.
    """
    clause = tree.root
    while inner := [
        child
        for child in tree.children[clause]
        if child < clause and tree.relation(child) in ("ccomp", "parataxis") and _has_subject(tree, child)
    ]:
        clause = inner[0]
    return clause


def _has_subject(tree: Tree, clause: int) -> bool:
    """Whether any token of the clause is a subject: parsers tend to attach a subject below "was in deficit"."""
    return any(tree.relation(token) in SUBJECTS for token in tree.subtree(clause))


def without_low_content(tree: Tree, clause: int) -> None:
    """Remove articles and time expressions."""
    tree.kept -= {w for w in tree.kept if tree.relation(w) == "det" and tree.sentence[w].lemma in ARTICLES}
    for token in sorted(tree.kept):
        if token in tree.kept and token != clause and is_time_expression(tree, token):
            tree.kept -= tree.subtree(token)


def is_time_expression(tree: Tree, token: int) -> bool:
    """Whether a dependent says when: *yesterday*, *last week*, *in May*, *on July 4*, *since 1982*, *Monday's*."""
    relation = tree.sentence[token].relation
    if tree.sentence[token].lemma in _ADVERBS_OF_TIME and not tree.children[token]:
        return tree.relation(token) not in (*SUBJECTS, "obj", "conj", "root", "compound")
    if tree.relation(token) not in ("obl", "nmod") or not _names_time(tree, token):
        return False
    prepositions = [child for child in tree.children[token] if tree.relation(child) == "case"]
    if relation == "nmod:poss" or not prepositions:
        return relation in ("nmod:poss", "obl:unmarked", "nmod:unmarked", "obl")
    return all(tree.sentence[child].lemma in _TIME_PREPOSITIONS for child in prepositions)


def _names_time(tree: Tree, token: int) -> bool:
    head = tree.sentence[token]
    if head.tag == "NUM":
        dated = any(tree.sentence[child].text.lower() in _MONTHS for child in tree.children[token])
        return dated or (len(head.text) == 4 and head.text.isdigit() and head.text[:2] in ("18", "19", "20"))
    word = head.text.lower()
    return head.tag in ("NOUN", "PROPN", "ADV") and (
        word in DAYS | _MONTHS | _TIME_UNITS or head.lemma in DAYS | _TIME_UNITS
    )


def shorten(tree: Tree, clause: int, limit: LengthLimit) -> None:
    """The paper's iterative shortening: apply the rules in order, part by part, until the rest fits."""

    def fits() -> bool:
        return limit.fits(tree.words())

    def apply(parts: Callable[[Tree, int], Iterator[set[int]]]) -> bool:
        for part in () if fits() else parts(tree, clause):
            tree.kept -= part
            if fits():
                break
        return fits()

    if apply(double_phrases) or apply(preposed_adjuncts):
        return
    before = set(tree.kept)
    if apply(trailing_prepositional_phrases):
        return
    tree.kept = before
    if not apply(trailing_clauses):
        apply(trailing_prepositional_phrases)


def _parts(tree: Tree, clause: int, chosen: Callable[[int], bool]) -> Iterator[set[int]]:
    """The chosen tokens' subtrees, from right to left and bottom up. The caller removes each before the next."""
    while tokens := [token for token in tree.kept if token != clause and chosen(token)]:
        yield tree.subtree(tree.last(tokens))


def double_phrases(tree: Tree, clause: int) -> Iterator[set[int]]:
    """Parts that make a larger phrase of a phrase of the same kind.

    For a noun: relative and other clauses, appositions, prepositional phrases, conjuncts. For a predicate: conjuncts,
    with or without a subject, and clauses beside it.
    """

    def adds(token: int) -> bool:
        relation, head = tree.relation(token), tree.sentence[token].head
        if relation == "nmod":
            return token > head and tree.child(token, "case") is not None
        return relation in ("acl", "appos", "conj", "parataxis")

    return _parts(tree, clause, adds)


def preposed_adjuncts(tree: Tree, clause: int) -> Iterator[set[int]]:
    """All that precedes the subject, except auxiliaries and *not*, as one part."""
    subject = tree.child(clause, *SUBJECTS)
    if subject is None:
        return
    start = min(tree.subtree(subject))
    before = [
        child
        for child in tree.children[clause]
        if child in tree.kept and child < start and tree.relation(child) not in ("aux", "cop", *SUBJECTS)
        and tree.sentence[child].lemma not in ("not", "n't", "never")
    ]  # fmt: skip
    removed = set().union(*(part for child in before if max(part := tree.subtree(child)) < start))
    if removed:
        yield removed


def trailing_prepositional_phrases(tree: Tree, clause: int) -> Iterator[set[int]]:
    """Prepositional phrases that follow their heads."""
    return _parts(
        tree,
        clause,
        lambda token: (
            tree.relation(token) in ("obl", "nmod")
            and token > tree.sentence[token].head
            and tree.child(token, "case") is not None
        ),
    )


def trailing_clauses(tree: Tree, clause: int) -> Iterator[set[int]]:
    """Subordinate clauses; clauses of reported speech or thought come last."""
    yield from _parts(
        tree,
        clause,
        lambda token: (
            token > tree.sentence[token].head
            and (tree.relation(token) == "advcl" or tree.sentence[token].relation == "acl:relcl")
        ),
    )
    yield from _parts(
        tree,
        clause,
        lambda token: (
            token > tree.sentence[token].head
            and tree.relation(token) == "ccomp"
            and tree.child(token, "mark") is not None
        ),
    )
