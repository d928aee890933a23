"""Forms that headlines give words: no article, *falls* for *fell*, *killed* for *was killed*, *to* for *will*, and
persons: their last names.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from widl.headline.lexicon import counted_words, word_list
from widl.headline.units import UnitTree
from widl.headline.words import Word

_BE = frozenset({"is", "are", "was", "were", "been", "being", "be", "am"})
_HAVE = frozenset({"has", "have", "had"})
_SINGULAR = frozenset({"has", "is", "was"})
_PLURAL = frozenset({"have", "are", "were"})
_PLURALS = frozenset({"they", "we", "you", "i", "people", "police", "these", "those", "many", "most", "some", "both"})
_PORTIONS = frozenset({"half", "third", "quarter", "rest", "majority", "percent", "number"})
_STRENGTH = 2.0
_FINITE = frozenset({"root", "ccomp", "conj", "parataxis", "advcl"})

Form = tuple[tuple[int, Word], ...]
"""The words of a unit in a form, with their positions in the sentence."""


def third_person(lemma: str) -> str:
    """The form of a regular verb with *he*.

    >>> [third_person(verb) for verb in ("cut", "pass", "fix", "buzz", "reach", "wash")]
    ['cuts', 'passes', 'fixes', 'buzzes', 'reaches', 'washes']
    >>> [third_person(verb) for verb in ("veto", "deny", "buy", "go", "have", "be")]
    ['vetoes', 'denies', 'buys', 'goes', 'has', 'is']
    """
    irregular = {"have": "has", "be": "is", "do": "does", "go": "goes"}
    if lemma in irregular:
        return irregular[lemma]
    consonant = lemma[-2:-1] not in tuple("aeiou")
    if lemma.endswith(("s", "x", "z", "ch", "sh")) or (lemma.endswith("o") and consonant):
        return lemma + "es"
    if lemma.endswith("y") and consonant:
        return lemma[:-1] + "ies"
    return lemma + "s"


def finite_forms(words: Sequence[Word], i: int) -> tuple[str, tuple[str, str, str]] | None:
    """Of an active finite verb in past or present: its subject (one, several or none), and its forms in the text, in
    the third person singular, and without an ending; None of other words."""
    word = words[i]
    if word.tag != "VERB" or word.relation not in _FINITE or not word.lemma.isalpha() or word.key.endswith("ing"):
        return None
    if word.relation == "conj" and _is_passive(words, word.head) and (word.form == "VBN" or word.key.endswith("ed")):
        return None  # was held and released
    number = "none"
    for k, other in enumerate(words):
        if other.head != i or k == i:
            continue
        if other.relation in {"mark", "aux", "aux:pass", "nsubj:pass", "cop"}:
            return None
        if other.relation == "nsubj":
            number = "several" if other.key.endswith("s") or other.key == "they" else "one"
    return number, (word.key, third_person(word.lemma), word.lemma)


def _is_passive(words: Sequence[Word], i: int) -> bool:
    return any(word.head == i and word.relation == "aux:pass" for word in words)


class HeadlineForms:
    """P(form | a headline has the words), from counts over pairs of headlines and texts."""

    def __init__(self, kept: Mapping[str, Sequence[float]], verbs: Mapping[str, Sequence[float]]) -> None:
        """`kept`: how often headlines keep and drop *article*, *be*, *given*, *have* and *will*, where they could;
        `verbs`: how often they have each of `finite_forms`, by the subject's number."""
        self.kept = {name: list(counts) for name, counts in kept.items()}
        self.verbs = {number: list(counts) for number, counts in verbs.items()}

    @classmethod
    def trained(cls, pairs: Iterable[tuple[Set[str], Iterable[UnitTree]]]) -> "HeadlineForms":
        """Count in pairs of a headline, as keys, and the trees of its text."""
        kept: defaultdict[str, list[float]] = defaultdict(lambda: [0, 0])
        verbs: defaultdict[str, list[float]] = defaultdict(lambda: [0, 0, 0])
        for headline, trees in pairs:
            for tree in trees:
                for i in range(len(tree.words)):
                    subject, forms = finite_forms(tree.words, i) or ("", ())
                    form = next((f for f, key in enumerate(forms) if key in headline), None)
                    if form is not None:
                        verbs[subject][form] += 1
                for number, unit in enumerate(tree.units):
                    if tree.content(number).key not in headline:
                        continue
                    for i in unit.words:
                        kind = _kind(tree, number, i)
                        if kind is not None:
                            kept[kind][tree.words[i].key not in headline] += 1
                    for k in unit.children:
                        if is_given_name(tree, k):
                            kept["given"][tree.content(k).key not in headline] += 1
        return cls(kept, verbs)

    def is_present(self, words: Sequence[Word], i: int) -> bool:
        """Whether headlines have the i-th word, a finite verb, in a present form, where the text has the past."""
        number, _ = finite_forms(words, i) or ("", ())
        past, *present = self.verbs.get(number, (0.0, 0.0))
        return max(present) > past

    def stays(self, kind: str) -> float:
        """P(a word of this kind stays); half without any counts."""
        kept, dropped = self.kept.get(kind, (0.0, 0.0))
        return (kept + _STRENGTH / 2) / (kept + dropped + _STRENGTH)

    def of_unit(self, tree: UnitTree, number: int, *, shortened: bool = True) -> list[tuple[Form, float]]:
        """The forms of a unit's verb group, each with its probability; articles are not part of it.

        Of a unit without a verb there is one. Only the headline's own verb is `shortened`, not *says he was arrested*.
        """
        unit, word = tree.units[number], tree.content(number)
        whole: Form = tuple((i, tree.words[i]) for i in unit.words)
        if word.tag != "VERB" or not shortened or word.form == "VB" and word.relation == "conj":
            return [(whole, 1.0)]
        auxiliaries = [i for i in unit.words if tree.words[i].relation in {"aux", "aux:pass"}]
        keys = [tree.words[i].key for i in auxiliaries]
        relations = {tree.words[i].relation for i in auxiliaries}
        backshifted = keys == ["had"] and (tree.retold or word.relation == "ccomp")  # said it had agreed: it agrees
        if backshifted:
            have = "has" if self._present(tree, number) != word.lemma else "have"
            changed = tuple((i, replace(w, text=have, key=have) if w.key == "had" else w) for i, w in whole)
            return [(changed, 1.0)]
        kind = _group(keys, relations)
        marked = any(tree.words[i].relation == "mark" for i in unit.words)
        if not auxiliaries and not marked:
            form = self._present(tree, number) if self.is_present(tree.words, unit.head) else word.key
            return [(tuple((i, replace(w, text=form, key=form) if i == unit.head else w) for i, w in whole), 1.0)]
        subjects = [k for k in unit.children if tree.content(k).relation in {"nsubj", "nsubj:pass"}]
        # Will it rain?
        inverted = any(i < tree.units[k].head < unit.head for k in subjects for i in auxiliaries[:1])
        negated = kind == "will" and any(tree.content(k).key == "not" for k in unit.children)
        if kind is None or marked or inverted or negated:
            return [(whole, 1.0)]
        stays = self.stays(kind)
        rest = tuple((i, w) for i, w in whole if i not in auxiliaries)
        if kind == "have":
            form = self._present(tree, number)
            changed = tuple((i, replace(w, text=form, key=form) if i == unit.head else w) for i, w in rest)
        elif kind == "will":
            sign = (auxiliaries[0], replace(tree.words[auxiliaries[0]], text="to", key="to"))
            changed = tuple(sorted([sign, *rest], key=lambda pair: pair[0]))
        else:
            changed = rest
        return [(whole, stays), (changed, 1.0 - stays)]

    def _present(self, tree: UnitTree, number: int) -> str:
        """The present form that agrees with the subject."""
        lemma = tree.content(number).lemma
        parent = tree.units[number].parent
        auxiliaries = {tree.words[i].key for i in tree.units[number].words}
        if auxiliaries & _SINGULAR or auxiliaries & _PLURAL:
            return third_person(lemma) if auxiliaries & _SINGULAR else lemma
        subjects = [k for k in tree.units[number].children if tree.content(k).relation == "nsubj"]
        if not subjects and parent is not None and tree.content(number).relation == "conj":
            subjects = [k for k in tree.units[parent].children if tree.content(k).relation == "nsubj"]
        # A parser may see two in "Smith, Jones, and Brown saved them".
        plural = len(subjects) > 1 and any(tree.function_words(k, "cc") for k in subjects)
        for k in subjects:
            names = [c for c in tree.units[k].children if tree.content(c).relation == "appos"]
            beside = [c for part in (k, *names) for c in tree.units[part].children]
            word = tree.content(k)
            plural = plural or any(tree.content(c).relation == "conj" for c in beside)
            # Kurds and the Philadelphia Eagles are several, Symbol Technologies is one.
            below = {(tree.content(c).relation, tree.content(c).tag) for c in tree.units[k].children}
            company = ("compound", "PROPN") in below and not tree.function_words(k, "det")
            of_several = any(tree.content(c).form == "NNS" for c in tree.units[k].children)  # half of the voters take
            several = word.form == "NNS" or (word.form == "NNPS" and not company)
            several = several or (_may_be_several(word) and any(w.key == "the" for w in tree.function_words(k, "det")))
            several = several or (of_several and word.lemma in _PORTIONS)
            plural = plural or several or word.key in _PLURALS
        return lemma if plural else third_person(lemma)


def _may_be_several(word: Word) -> bool:
    """Whether a name with an article is of several, as of teams: *the Browns*, but not *the Netherlands*."""
    ends = word.key.endswith("s") and not word.key.endswith(("ss", "us", "is"))
    return word.tag == "PROPN" and ends and word.key not in word_list("one_in_s")


def is_given_name(tree: UnitTree, number: int) -> bool:
    """Whether a unit is a given name of a person whom the last name tells: *Angela*, of *Angela Merkel*.

    Where the sentence has the last name again, it may be that of another person.
    """
    unit, word = tree.units[number], tree.content(number)
    if unit.parent is None or unit.size > 1 or word.relation != "compound" or word.key not in counted_words("given"):
        return False
    head = tree.units[unit.parent].head
    name = tree.words[head]
    alone = sum(other.key.removesuffix("'s") == name.key.removesuffix("'s") for other in tree.words) == 1
    return name.tag == "PROPN" and name.text[:1].isupper() and unit.head + 1 == head and alone


def _group(keys: Sequence[str], relations: Set[str]) -> str | None:
    """The kind of a verb group that headlines shorten."""
    if keys == ["will"]:
        return "will"
    if len(keys) == 1 and keys[0] in _HAVE - {"had"}:
        return "have"
    if keys and "aux:pass" in relations and set(keys) <= _BE | _HAVE:
        return "be"
    return "be" if len(keys) == 1 and keys[0] in _BE else None


def _kind(tree: UnitTree, number: int, i: int) -> str | None:
    word = tree.words[i]
    if word.is_article:
        return "article"
    if word.relation not in {"aux", "aux:pass"} or tree.content(number).tag != "VERB":
        return None
    auxiliaries = tree.function_words(number, "aux", "aux:pass")
    return _group([w.key for w in auxiliaries], {w.relation for w in auxiliaries})
