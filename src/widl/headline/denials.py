"""What stands in the scope of a denial, a ban or *all*: what restricts it there can't go without the rest being false.

Who *has bought cars with a defect* has bought cars; who *has not bought cars with a defect* may have bought others.
"""

from collections.abc import Sequence

from widl.headline.lexicon import ARTICLES, word_set
from widl.headline.sentence_tree import SUBJECTS, SentenceTree, is_negation
from widl.headline.words import Word

_DENYING_VERBS = word_set(
    "refuse deny decline ban prohibit forbid outlaw bar stop cease halt end abolish avoid prevent lack oppose "
    "criminalise criminalize exempt boycott lift scrap shun neglect"
)
_OBLIGING = word_set("can may must should shall cannot")
_PERMITTING = word_set("allow permit let oblige entitle authorise authorize")
_DENYING_NOUNS = word_set("ban prohibition refusal failure lack absence moratorium boycott denial embargo")
_OF_ALL = word_set("no any all every each most neither few")
_NOBODY = word_set("no few neither none nobody nothing")
_WITHOUT = word_set("without except barring")
_LIMITING = word_set("before after during until till within for")
_OWNERS = word_set("the this that these those its his her their our my your")
_SAYING = word_set("say tell announce report add note")


class Denials:
    """Looks at what governs the words of a sentence."""

    def __init__(self, tree: SentenceTree) -> None:
        self._tree = tree

    def covers(self, i: int) -> bool:
        """Whether a word is below a denial: a verb with *not*, *refuse*, a *ban*, *no plans*, *without*."""
        tree = self._tree
        while tree.words[i].head != i:
            above = tree.words[i].head
            subject = tree.words[i].relation in SUBJECTS
            beside = tree.relation(i) in {"conj", "parataxis"} or (tree.relation(i) == "advcl" and i < above)
            if beside and tree.subject(i) is not None:
                return False
            if not beside and self._denies(above, i, subject=subject):
                return True
            if any(tree.words[k].key in _WITHOUT for k in tree.function_words(i, "case", "mark")):
                return True
            if tree.words[above].lemma in _SAYING and not subject:
                return False  # what is not said may be so
            i = above
        return False

    def _denies(self, above: int, i: int, *, subject: bool) -> bool:
        """Whether a word denies what hangs on it."""
        tree = self._tree
        word = tree.words[above]
        if word.tag in {"NOUN", "PROPN"}:
            of_all = any(tree.words[c].key in _OF_ALL for c in tree.children[above] if c < above)
            return i > above and (of_all or word.lemma in _DENYING_NOUNS)
        if subject:
            return False
        if self.denies(above):
            return True
        return word.lemma in _DENYING_VERBS and not self._is_single(above, i)

    def denies(self, v: int) -> bool:
        """Whether a predicate has a negation, or a subject that is nobody: *no company*, *few of them*."""
        tree = self._tree
        subject = tree.subject(v)
        if tree.is_negated(v) or subject is None:
            return tree.is_negated(v)
        keys = {tree.words[c].key for c in tree.children[subject] if tree.relation(c) in {"det", "amod", "cc"}}
        return bool(keys & _NOBODY) or tree.words[subject].key in _NOBODY

    def _is_single(self, v: int, i: int) -> bool:
        """Whether a verb stops one thing that has a name of its own: *ended a strike*, *lifted the ban*."""
        tree = self._tree
        if tree.relation(i) not in {"obj", "obl"} or tree.words[v].lemma in {"ban", "prohibit", "forbid", "outlaw"}:
            return False
        return any(tree.words[c].key in ARTICLES for c in tree.children[i])

    def restricts(self, h: int) -> bool:
        """Whether what stands beside a noun says which of its kind are denied: *no plans to close big branches*.

        What has *the*, an owner or a name is known by itself.
        """
        tree = self._tree
        word = tree.words[h]
        if word.tag != "NOUN" or word.text[:1].isupper() or word.relation == "obl:agent":
            return False
        if any(tree.words[c].key in _OWNERS or tree.relation(c) == "nmod:poss" for c in tree.children[h]):
            return False
        return self.covers(h) or self._is_permitted(h) or self._is_generic(h)

    def _is_permitted(self, h: int) -> bool:
        """Whether a noun names a kind of which something may or must be: *to be allowed to sell eggs as …*."""
        tree = self._tree
        bare = not any(tree.words[c].relation in {"det", "nummod"} for c in tree.children[h])
        plural = word_is_plural(tree, h)
        if not (bare and plural) or tree.relation(h) not in {"obj", "nmod", "obl"}:
            return False
        i = h
        while tree.words[i].head != i and tree.words[i].relation not in SUBJECTS:
            i = tree.words[i].head
            modal = {tree.words[k].key for k in tree.function_words(i, "aux")}
            if tree.words[i].tag == "VERB" and (modal & _OBLIGING or tree.words[i].lemma in _PERMITTING):
                return True
            if tree.relation(i) not in {"xcomp", "obj", "nmod"}:
                return False
        return False

    def _is_generic(self, h: int) -> bool:
        """Whether a subject is a kind of which something will or may be so: *trains to Turin will run*."""
        tree = self._tree
        v = tree.words[h].head
        if tree.words[h].relation not in SUBJECTS or not word_is_plural(tree, h):
            return False
        if any(tree.words[c].relation in {"det", "nummod"} for c in tree.children[h]):
            return False
        auxiliaries = {tree.words[k].key for k in tree.function_words(v, "aux", "cop")}
        return bool(auxiliaries & (_OBLIGING | {"will"}))

    def limits_time(self, h: int, cases: set[str]) -> bool:
        """Whether a phrase behind a noun says when something is denied: *known about the payments before June*."""
        return not cases.isdisjoint(_LIMITING) and self.covers(h)


def is_denying(words: Sequence[Word]) -> bool:
    """Whether one of the words denies, forbids or permits what others say."""
    keys = _NOBODY | _OF_ALL | _OBLIGING | _WITHOUT
    lemmas = _DENYING_VERBS | _DENYING_NOUNS | _PERMITTING
    return any(is_negation(word) or word.key in keys or word.lemma in lemmas for word in words)


def word_is_plural(tree: SentenceTree, h: int) -> bool:
    """Whether a noun has the form of a plural."""
    word = tree.words[h]
    return word.tag == "NOUN" and word.key != word.lemma and word.key.endswith(("s", "men", "ople", "ren"))
