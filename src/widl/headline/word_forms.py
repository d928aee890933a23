"""Forms that headlines give words: no article, *falls* for *fell*, *killed* for *was killed*, *to* for *will*, and last
names for full names.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from widl.headline.agreement import (
    backshifted,
    coordinated,
    follows_perfect,
    is_bare_passive,
    present_form,
    shares_perfect,
    third_person,
)
from widl.headline.speakers import ATTRIBUTION
from widl.headline.units import UnitTree
from widl.headline.word_lists import counted_words, speech_verbs, word_set
from widl.headline.words import SUBJECTS, Word, dependents, is_label, is_omitted_and, is_title

_BE = frozenset({"is", "are", "was", "were", "been", "being", "be", "am"})
_HAVE = frozenset({"has", "have", "had"})
_IS = {"was": "is", "were": "are"}
_CIRCUMSTANCES = word_set("as when while after before because although though where")
_PASSIVE = word_set("believe think say report find know consider rumor expect")
_FAMILY_NAME = 3  # letters of a first name that may be a family name
_SUFFIXES = word_set("jr sr ii iii iv")
_OF_ONE_NAME = word_set("pope king queen prince princess emperor empress saint patriarch")
_PERSONAL = word_set("i we you he she it they these those")
_PRIOR_COUNT = 2.0
_FINITE = frozenset({"root", "ccomp", "conj", "parataxis", "advcl"})

Form = tuple[tuple[int, Word], ...]
"""The words of a unit in a form, with their positions in the sentence."""


def finite_forms(words: Sequence[Word], i: int) -> tuple[str, tuple[str, str, str]] | None:
    """For an active finite verb in past or present tense: its subjects, its form in the text, its third person
    singular, and its base form. None for other words.
    """
    word = words[i]
    spelled = word.lemma.replace("-", "").isalpha() and not ("-" in word.lemma and word.lemma == word.key)
    if word.tag != "VERB" or word.relation not in _FINITE or not spelled or word.key.endswith("ing"):
        return None
    if word.relation == "conj" and _is_passive(words, word.head) and (word.form == "VBN" or word.key.endswith("ed")):
        return None  # was held and released
    if word.lemma in _PASSIVE and any(words[k].relation == "xcomp" for k in dependents(words, i)):
        return None  # (is) believed to be
    if is_bare_passive(words, i):
        return None
    number = "none"
    for other in (words[k] for k in dependents(words, i)):
        if other.relation in {"mark", "aux", "aux:pass", "nsubj:pass", "cop"}:
            return None
        if other.tag == "PRON" and not other.key.isalpha():
            return None  # they've made
        if other.relation == "nsubj":
            number = "several" if other.key.endswith("s") or other.key == "they" else "one"
    return number, (word.key, third_person(word.lemma), word.lemma)


def _is_passive(words: Sequence[Word], i: int) -> bool:
    return any(word.head == i and word.relation == "aux:pass" for word in words)


class WordForms:
    """P(form | a headline has the words), from counts over pairs of headlines and texts."""

    def __init__(self, kept: Mapping[str, Sequence[float]], verbs: Mapping[str, Sequence[float]]) -> None:
        """`kept`: how often headlines keep and drop *and*, *article*, *be*, *given*, *have*, *will*, given the choice.

        `verbs`: how often they have each of `finite_forms`, by the subject's number.
        """
        self.kept = {name: list(counts) for name, counts in kept.items()}
        self.verbs = {number: list(counts) for number, counts in verbs.items()}

    @classmethod
    def trained(cls, pairs: Iterable[tuple[Set[str], Iterable[UnitTree]]]) -> "WordForms":
        """Count in pairs of a headline (its keys) and the trees of its text."""
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
                        if given_names(tree, k):
                            kept["given"][tree.content(k).key not in headline] += 1
        return cls(kept, verbs)

    def is_present(self, words: Sequence[Word], i: int) -> bool:
        """Whether headlines use the present form of the i-th word, a finite verb in the past tense."""
        number, _ = finite_forms(words, i) or ("", ())
        past, *present = self.verbs.get(number, (0.0, 0.0))
        return max(present) > past

    def keep_probability(self, kind: str) -> float:
        """P(a word of this kind stays); 0.5 without counts."""
        kept, dropped = self.kept.get(kind, (0.0, 0.0))
        return (kept + _PRIOR_COUNT / 2) / (kept + dropped + _PRIOR_COUNT)

    def of_unit(self, tree: UnitTree, number: int, *, shortened: bool = True) -> list[tuple[Form, float]]:
        """The forms of a unit's verb group, each with its probability; articles are not part of it.

        A unit without a verb has one form. Only the headline's own verb is `shortened`, not *says he was arrested*.
        """
        unit, word = tree.units[number], tree.content(number)
        if any(tree.words[i].quotation for i in unit.words):
            return [(tuple((i, tree.words[i]) for i in unit.words), 1.0)]
        if word.relation == "advcl" and unit.parent is not None:
            return [(self._of_circumstance(tree, number, unit.parent), 1.0)]
        shifted = backshifted(tree, number) if self._is_reported_speech(tree, number) else {}
        whole: Form = tuple((i, shifted.get(i, tree.words[i])) for i in unit.words)
        if word.tag != "VERB" or not shortened or word.form == "VB" and word.relation == "conj":
            return [(whole, 1.0)]
        auxiliaries = [i for i in unit.words if tree.words[i].relation in {"aux", "aux:pass"}]
        kind = _group([w for i, w in whole if i in auxiliaries])
        marked = any(tree.words[i].relation == "mark" for i in unit.words)
        if not auxiliaries and not marked:
            form = self._present(tree, number) or word.key
            return [(tuple((i, replace(w, text=form, key=form) if i == unit.head else w) for i, w in whole), 1.0)]
        subjects = [k for k in unit.children if tree.content(k).relation in SUBJECTS]
        # Will it rain?
        inverted = any(i < tree.units[k].head < unit.head for k in subjects for i in auxiliaries[:1])
        first = auxiliaries[0] if auxiliaries else unit.head
        inside = any(first < tree.units[k].head < unit.head for k in unit.children)
        split = kind in {"will", "have"} and inside  # will not sell, has not sold
        personal = any(tree.content(k).key in _PERSONAL for k in subjects)  # it will rain, he was shot
        if kind is None or marked or inverted or split or (personal and kind != "have"):
            return [(whole, 1.0)]
        keep = self.keep_probability(kind)
        rest = tuple((i, w) for i, w in whole if i not in auxiliaries)
        if kind == "have":
            if any(shares_perfect(tree, k) for k in coordinated(tree, number)[1:]):
                keep = 0.0  # has cleared him and fined her: both verbs are in the present
            form = present_form(tree, number) or word.key
            changed = tuple((i, replace(w, text=form, key=form) if i == unit.head else w) for i, w in rest)
        elif kind == "will":
            to = replace(tree.words[auxiliaries[0]], text="to", key="to", lemma="to", lemmas=frozenset())
            sign = (auxiliaries[0], to)
            changed = tuple(sorted([sign, *rest], key=lambda pair: pair[0]))
        else:
            changed = rest
        return [(whole, keep), (changed, 1.0 - keep)] if keep else [(changed, 1.0)]

    def _present(self, tree: UnitTree, number: int) -> str | None:
        """The present form of a past verb if headlines have it so; coordinated verbs change together or not at all."""
        form = tree.content(number).form
        if follows_perfect(tree, number):
            return present_form(tree, number) if shares_perfect(tree, number) else None
        ordered = form == "VB" and not tree.subjects(number)  # Ask anyone
        first = coordinated(tree, number)[0]
        shares = tree.content(first).form == "VBD" and not tree.subjects(number)  # its subject, and so its tense
        decides = tree.units[first if shares else number].head
        if form in {"VBZ", "VBP"} or ordered or not self.is_present(tree.words, decides):
            return None
        others = (k for k in coordinated(tree, number) if tree.content(k).form == "VBD")
        fixed = any(tree.content(k).quotation or present_form(tree, k) is None for k in others)
        return None if fixed else present_form(tree, number)

    def _of_circumstance(self, tree: UnitTree, number: int, parent: int) -> Form:
        """An adverbial clause: its simple past becomes present together with the verb that it belongs to."""
        unit, word, above = tree.units[number], tree.content(number), tree.content(parent)
        changes: dict[int, str | None] = {}
        opening = {w.key for w in tree.function_words(number, "mark")} or {tree.words[unit.begin].key}
        auxiliaries = _auxiliaries(tree, number)
        plain = not _auxiliaries(tree, parent)
        if above.form == "VBD" and plain and opening & _CIRCUMSTANCES and self._present(tree, parent):
            if word.form == "VBD" and not auxiliaries:
                changes = {unit.head: present_form(tree, number)}
            elif len(auxiliaries) == 1 and (tree.words[auxiliaries[0]].relation != "aux:pass" or opening == {"as"}):
                changes = {i: _IS.get(tree.words[i].key) for i in auxiliaries}
        return tuple(
            (i, replace(tree.words[i], text=form, key=form) if (form := changes.get(i)) else tree.words[i])
            for i in unit.words
        )

    def _is_reported_speech(self, tree: UnitTree, number: int) -> bool:
        """Whether a unit is reported speech, so that headlines introduce it by *say*."""
        parent = tree.units[number].parent
        if parent is None:
            attributed = any(tree.content(k).relation == ATTRIBUTION for k in tree.units[number].children)
            return tree.retold or attributed
        if tree.retold:
            return False
        said = tree.content(parent)
        future = any(tree.words[i].key == "would" for i in tree.units[number].words)  # reaffirmed it would pay
        speaks = said.lemma in speech_verbs() or future
        told = tree.content(number).relation == "ccomp" and said.form == "VBD" and speaks
        return told and self.is_present(tree.words, tree.units[parent].head)


def is_given_name(tree: UnitTree, number: int) -> bool:
    """Whether a unit is among the given names of a person identified by last name alone."""
    parent = tree.units[number].parent
    return parent is not None and any(number in given_names(tree, k) for k in tree.units[parent].children)


def given_names(tree: UnitTree, number: int) -> tuple[int, ...]:
    """A unit and the ones behind it that are a person's given names: *Angela*, in *Angela Merkel*; *John F.*

    Requires that counts know the first one or that a title precedes it; the others are known, too, or initials. Empty
    if there are none, or if the last name occurs again in the sentence: it may be another person's.
    """
    unit = tree.units[number]
    if unit.parent is None or not _is_part_of_name(tree, number) or not _tells_a_person(tree, unit.parent):
        return ()
    head, first = tree.units[unit.parent].head, tree.words[unit.begin]
    before = tree.words[unit.begin - 1] if unit.begin else None
    titled = before is not None and is_title(before)
    if before is not None and before.lemma in _OF_ONE_NAME:
        return ()  # Pope John Paul
    if before is not None and _is_given_or_initial(before) and _stands_below(tree, unit.begin - 1, unit.parent):
        return ()  # not the first one
    known = titled or first.key in counted_words("given")
    if unit.begin >= head or len(first.key) <= _FAMILY_NAME or not known:  # Wen Jiabao
        return ()
    between = range(unit.begin + 1, head)
    units = dict.fromkeys((number, *(tree.unit_of[i] for i in between)))
    if not all(k == number or _stands_below(tree, tree.units[k].head, unit.parent) for k in units):
        return ()
    if not all(_is_part_of_name(tree, k) for k in units):
        return ()
    person = titled and tree.words[head].lemma not in counted_words("things")  # President Gloria Macapagal Arroyo
    return tuple(units) if person or all(_is_given_or_initial(tree.words[i]) for i in between) else ()


def _tells_a_person(tree: UnitTree, number: int) -> bool:
    """Whether a unit is a last name that occurs once in its sentence: *Kerry*, not *Jr.*"""
    name = tree.content(number)
    alone = sum(other.key.removesuffix("'s") == name.key.removesuffix("'s") for other in tree.words) == 1
    last = name.key.strip(".") not in _SUFFIXES and not is_label(name)  # General Motors Corp
    return name.tag == "PROPN" and name.text[:1].isupper() and alone and last


def _stands_below(tree: UnitTree, i: int, parent: int) -> bool:
    return tree.units[tree.unit_of[i]].parent == parent


def _is_part_of_name(tree: UnitTree, number: int) -> bool:
    """Whether a unit is a word of the name above it, perhaps with initials: *John F.*"""
    unit, word = tree.units[number], tree.content(number)
    words = [tree.words[i] for i in range(unit.begin, unit.end)]
    names = all(other.tag == "PROPN" and other.relation == "compound" and not other.quotation for other in words)
    return word.relation == "compound" and names


def _is_given_or_initial(word: Word) -> bool:
    return len(word.key.strip(".")) == 1 or word.key in counted_words("given")


def _auxiliaries(tree: UnitTree, number: int) -> list[int]:
    """The positions of a unit's auxiliaries and copulas."""
    return [i for i in tree.units[number].words if tree.words[i].relation in {"aux", "aux:pass", "cop"}]


def _group(auxiliaries: Sequence[Word]) -> str | None:
    """The kind of a verb group that headlines shorten."""
    keys = [word.key for word in auxiliaries]
    if keys == ["will"]:
        return "will"
    if keys in (["has"], ["have"]):
        return "have"
    passive = any(word.relation == "aux:pass" for word in auxiliaries) and set(keys) <= _BE | _HAVE
    return "be" if passive or (len(keys) == 1 and keys[0] in _BE) else None


def _kind(tree: UnitTree, number: int, i: int) -> str | None:
    word = tree.words[i]
    if word.is_article:
        return "article"
    if is_omitted_and(tree.words, i):
        return "and"
    if word.relation not in {"aux", "aux:pass"} or tree.content(number).tag != "VERB":
        return None
    return _group(tree.function_words(number, "aux", "aux:pass"))
