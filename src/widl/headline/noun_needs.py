"""What a noun needs behind it, so that the rest still says what the text says."""

from collections.abc import Collection, Sequence

from widl.headline.cuts import ALL, is_restricted_kind, is_told_time
from widl.headline.lexicon import TIME_UNITS, word_set
from widl.headline.noun_words import (
    AMOUNTS,
    COUNTED,
    COUNTING,
    GROUPS,
    MASSES,
    MEASURES,
    OF_SOMETHING,
    RELATIONAL,
    WEIGHTS,
)
from widl.headline.sentence_tree import SentenceTree
from widl.headline.verb_needs import TAKING_OF
from widl.headline.words import is_label

_PARTS = word_set("half most many some few majority minority third quarter fifth tenth rest number percent pct % none")
_BODIES = word_set("council government parliament court university ministry mayor governor bishop authority")
_BANS = word_set("ban tax limit curb restriction embargo tariff duty ceiling")
_DEGREES = word_set("much many little few average median")


class NounNeeds:
    """Looks at the words behind the nouns of a sentence."""

    def __init__(self, tree: SentenceTree, *, tight: bool) -> None:
        self._tree = tree
        self._tight = tight

    def relation_behind(self, c: int) -> str:
        """The relation of what stands behind a noun: *the latest to be evicted* is no relative clause, and *a ban on
        smoking* has a noun."""
        word = self._tree.words[c]
        if word.relation == "acl:relcl" and self._tree.words[self._tree.first(c)].key == "to":
            return "acl"
        noun = word.relation == "acl" and word.tag == "NOUN" and self._tree.function_words(c, "case", "mark")
        return "nmod" if noun else word.relation

    def is_relational(self, h: int, cases: set[str]) -> bool:
        """Whether a noun tells little without what follows it with such a preposition: *a ban on imports*, *a rise in
        prices leads to …*."""
        word = self._tree.words[h]
        changed = cases == {"in"} and word.lemma in OF_SOMETHING and self._tree.relation(h) == "nsubj"
        return changed or any(word.lemma in RELATIONAL.get(case, ()) for case in cases)

    def is_ban(self, h: int, cases: set[str]) -> bool:
        """Whether all that follows a noun says what it is about: *a ban on smoking in cars with children*."""
        return cases == {"on"} and self._tree.words[h].lemma in _BANS

    def says_how_much(self, h: int, c: int, start: int, depth: int) -> bool:
        """Whether an *of* phrase may go: *shares of stock*, *a dividend of two cents*, *dlrs of debt of a bank*;
        of bodies, where nothing else fits, of what place they are."""
        tree = self._tree
        head = tree.words[h]
        counted = any(tree.relation(k) == "nummod" for k in tree.children[h]) and head.lemma in COUNTED
        numbered = any(tree.words[k].tag == "NUM" for k in tree.subtree(c))
        measured = head.lemma in WEIGHTS or (numbered and head.lemma in MEASURES)
        if head.tag != "NOUN" or measured or (head.lemma in GROUPS and not counted):
            return False
        if head.relation == "obj" and tree.words[head.head].lemma in TAKING_OF:
            return False  # accuses sprinters of sloth
        amount = any(tree.relation(k) == "nummod" for k in tree.subtree(c)) and head.lemma in AMOUNTS
        nested = depth == 1 and (tree.words[start - 1].key != tree.words[start - 1].lemma or head.key in MASSES)
        several = self._tight and head.key != head.lemma and head.key.endswith("s") and head.lemma not in COUNTING
        placed = self._tight and head.lemma in _BODIES and tree.words[c].tag == "PROPN"
        return counted or amount or nested or several or placed

    def shares_head(self, h: int, c: int) -> bool:
        """Whether the next of a list has no article of its own: *a bond and guarantee facility*."""
        article = self._tree.child(h, "det")
        indefinite = article is not None and self._tree.words[article].key in {"a", "an"}
        return indefinite and self._tree.child(c, "det") is None

    def is_all(self, h: int) -> bool:
        """Whether a noun phrase speaks of all or none, so that what restricts it can't go: *all cars with a
        defect*, *one of the players in the squad*, *half of the teachers who left*."""
        words = self._tree.words
        above = words[words[h].head]
        one_of = above.key == "one" and words[h].relation == "nmod"
        the = any(words[c].key == "the" for c in self._tree.children[h])
        one_of = one_of or (the and words[h].relation == "nmod" and (above.key in _PARTS or above.tag == "NUM"))
        every = one_of or any(words[c].key in ALL for c in self._tree.children[h])
        return every and words[h].lemma not in TIME_UNITS

    def is_kind(self, h: int) -> bool:
        """Whether a noun speaks of a kind, which its adjectives tell from others: *sales of electric cars*."""
        words = self._tree.words
        before = [c for c in self._tree.children[h] if c < h]
        bare = not any(self._tree.relation(c) in {"det", "nummod", "nmod"} for c in before)
        bare = bare and self._tree.relation(h) in {"nsubj", "nmod"}
        return bare and words[h].tag == "NOUN" and words[h].key != words[h].lemma and words[h].key.endswith("s")

    def is_degree(self, c: int) -> bool:
        """Whether an adjective says how much, or that nothing is more: *as much as 30%*, *the highest income*."""
        key = self._tree.words[c].key
        return key in _DEGREES or (key.endswith("est") and key != "latest")

    def is_extreme(self, h: int) -> bool:
        """Whether something is the highest or the like, so that what says of what can't go: *its lowest level in
        three years*, *the highest income in Europe*."""
        words = self._tree.words
        return any(words[k].tag == "ADJ" and words[k].key.endswith("est") for k in self._tree.children[h])

    def dates_extreme(self, v: int, c: int) -> bool:
        """Whether a time beside a verb is of the highest or the like: *fell to its lowest level in three years*."""
        words = self._tree.words
        return words[c].lemma in TIME_UNITS and any(self.is_extreme(k) for k in self._tree.children[v] if v < k < c)

    def restates(self, h: int, conjuncts: Sequence[int], coordinators: Collection[str]) -> bool:
        """Whether a figure is given again in another measure: *seven mln dlrs, or 20 cts a share*."""
        tree = self._tree
        again = len(conjuncts) == 1 and coordinators == {"or"} and tree.comma_before(tree.first(conjuncts[0]))
        return again and all(any(tree.words[k].tag == "NUM" for k in tree.subtree(i)) for i in (h, conjuncts[0]))

    def ends_in_label(self, conjunct: int) -> bool:
        """Whether *Inc* or the like stands before *and*, so that it joins companies and is not part of a name."""
        tree = self._tree
        begin = tree.first(conjunct)
        joined = tree.words[begin].key == "and" and not tree.comma_before(begin)
        return joined and begin > 1 and is_label(tree.words[begin - 1])

    def relative(self, h: int, start: int) -> bool:
        """Whether a noun can't do without its relative clause: *may jail parents who …*, *after a year in which …*."""
        tree = self._tree
        if tree.comma_before(start):
            return False
        return is_restricted_kind(tree, h) or is_told_time(tree, h)
