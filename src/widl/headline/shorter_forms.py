"""Shorter forms that editors give to phrases, counted in stories and their headlines.

Some names are usually written as initials: *U.S.*. A noun that says little is passed over for what *of* joins to it,
*demand for the game* for *demand for the latest version of the game*, and a verb for its infinitive: *Acme to pay* for
*Acme agreed to pay*. ``training/shorter_forms`` makes
`shorter_forms.json.gz`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from widl.headline.guards import GuardEffects
from widl.headline.phrase_counts import phrase_counts
from widl.headline.units import UnitTree
from widl.headline.word_lists import ARTICLES, package_json, word_list, word_set
from widl.headline.words import SUBJECTS

_MIN_TIMES, _MIN_VERBS = 4, 10  # times that headlines pass over a word; who plans to do something may not do it
_MIN_SHARE, _MAX_SHARE = 0.25, 0.95
_PRIOR_COUNT = 2.0
_PEOPLE = (1, 42)
"""How often headlines of Wikinews keep and pass over *people* behind a number that they have."""
_COUNTED = word_set("obj nsubj nsubj:pass")
_EVENTS = ("tion", "ssion", "nsion", "asion", "ment", "ance", "ence", "al")
"""Endings of nouns that tell an event, such as *confirmation*: who blocks that of a judge does not block the judge."""
_PARTS = word_set("part half piece portion section share image picture photo copy video")
_OBJECTS = word_set("obj iobj obl nmod nsubj nsubj:pass")
_OF_NAMES = word_set("compound nmod nummod")
_PLURALS = word_set("NNS NNPS")
_CHANGING = word_set("aux aux:pass cop mark cc expl")


@dataclass(frozen=True)
class ShorterForms:
    """How often headlines keep and pass over words, given that they have the words around them."""

    nouns: Mapping[str, Sequence[int]]
    verbs: Mapping[str, Sequence[int]]
    descriptions: Sequence[int]
    """How often headlines keep and pass over a description, given that they have the name behind it."""
    initials: Mapping[str, str]
    """Phrases in small letters, and the initials that headlines usually have for them: *U.S.*, *CEO*."""

    def noun(self, lemma: str) -> float:
        """P(a headline passes over a noun | it has the words above and below); 0 if that is rare."""
        return _share(self.nouns.get(lemma, (0, 0)), _MIN_TIMES)

    @property
    def description(self) -> float:
        """P(a headline has a name without its description | it has the name)."""
        return _share(self.descriptions, _MIN_TIMES)

    def verb(self, lemma: str) -> float:
        """The same for a verb with an infinitive, given subject and infinitive."""
        return _share(self.verbs.get(lemma, (0, 0)), _MIN_VERBS)


def _share(counts: Sequence[int], fewest: int) -> float:
    kept, passed = counts
    p = passed / (kept + passed + _PRIOR_COUNT)
    return min(p, _MAX_SHARE) if passed >= fewest and p >= _MIN_SHARE else 0.0


@cache
def shorter_forms() -> ShorterForms:
    """The counts of the package."""
    fields = package_json("shorter_forms.json.gz")
    return ShorterForms(fields["nouns"], fields["verbs"], fields["descriptions"], fields["initials"])


INITIAL_LINKS = word_set("of for and the on in")


def initials_of(phrase: Iterable[str]) -> str:
    """The initials of a phrase as capitals."""
    return "".join(word[:1] for word in phrase if word not in INITIAL_LINKS).upper()


def plain_initials(text: str) -> str:
    """Initials without their periods."""
    return text.replace(".", "")


def of_phrases(tree: UnitTree, number: int) -> Iterator[int]:
    """The unit that *of* joins to a common noun right behind it: *of the game*, in *latest version of the game*."""
    unit, word = tree.units[number], tree.content(number)
    if word.tag != "NOUN" or word.relation not in _OBJECTS or unit.parent is None or word.quotation:
        return
    for k in unit.children:
        link = [other.key for other in tree.function_words(k, "case")]
        joined = tree.content(k).relation == "nmod" and link == ["of"] and tree.units[k].begin == unit.head + 1
        says_more = phrase_counts().is_verb(word.lemma) or word.lemma.endswith(_EVENTS) or word.lemma in _PARTS
        joined = joined and not says_more  # the release of the hostages, part of the mine
        if joined and tree.content(k).tag in {"NOUN", "PROPN"} and not tree.is_partitive(k):
            yield k


def apposed_names(tree: UnitTree, number: int) -> Iterator[int]:
    """The name between commas behind a description: *Acme*, in *the island's largest airline, Acme, will close*."""
    unit, word = tree.units[number], tree.content(number)
    one = word.form == "NN" and word.text.islower()
    if not one or word.relation not in _OBJECTS or unit.parent is None or word.quotation or tree.is_denied(number):
        return
    for k in unit.children:
        name = tree.content(k)
        behind = name.relation == "appos" and not tree.is_left(k) and tree.words[tree.units[k].begin - 1].closing == ","
        single = all(tree.content(child).relation in _OF_NAMES for child in tree.units[k].children)
        if behind and single and name.form == "NNP" and not tree.function_words(k):
            yield k


def infinitives(tree: UnitTree, number: int) -> Iterator[int]:
    """The infinitive of an active verb with a subject and no object: *to pay*, in *Acme has agreed to pay*."""
    unit, word = tree.units[number], tree.content(number)
    relations = {tree.content(k).relation for k in unit.children}
    if word.tag != "VERB" or "nsubj" not in relations or relations & {"obj", "iobj", "ccomp"} or word.quotation:
        return
    for k in unit.children:
        marked = [other.key for other in tree.function_words(k, "mark")] == ["to"]
        if tree.content(k).relation == "xcomp" and tree.content(k).form == "VB" and marked and not tree.is_left(k):
            yield k


def apposed_name(tree: UnitTree, guards: GuardEffects, number: int) -> int | None:
    """The name that may stand for its description."""
    passed = next(apposed_names(tree, number), None)
    return None if passed is None or passed in guards.dropped or tree.tears_quotation(number) else passed


def standing_for(tree: UnitTree, guards: GuardEffects, number: int) -> list[tuple[int, float, bool]]:
    """The units below a unit that may stand in its place, with their probabilities, and whether it is a name for its
    description.
    """
    forms, lemma = shorter_forms(), tree.content(number).lemma
    name, joined = apposed_name(tree, guards, number), bypassed_noun(tree, guards, number)
    found = [(name, forms.description, True), (joined, forms.noun(lemma), False)]
    return [(other, p, named) for other, p, named in found if other is not None and p]


def without_people(tree: UnitTree, guards: GuardEffects, number: int) -> float:
    """P(a headline passes over a unit's word *people* | it has the number before it): *kills three*; else 0."""
    unit, word = tree.units[number], tree.content(number)
    people = word.lemma in {"people", "person"} and word.relation in _COUNTED and not word.quotation
    if not people or unit.words != (unit.head,) or unit.parent is None or _is_below_denial(tree, number):
        return 0.0
    counted = [k for k in unit.children if tree.content(k).tag == "NUM" and tree.content(k).relation == "nummod"]
    stays = any(k in guards.kept_by and not guards.kept_by[k].soft for k in counted)
    return (
        _share(_PEOPLE, _MIN_TIMES) if stays and not any(map(tree.is_left, set(unit.children) - set(counted))) else 0.0
    )


def bypassed_noun(tree: UnitTree, guards: GuardEffects, number: int) -> int | None:
    """The unit that may stand for a noun, if the noun has nothing that truth needs and its verb still agrees."""
    passed = next(of_phrases(tree, number), None)
    determined = any(word.key not in ARTICLES for word in tree.function_words(number, "det"))
    if passed is None or determined or _is_below_denial(tree, number):
        return None
    word, other = tree.content(number), tree.content(passed)
    if word.relation in SUBJECTS and (word.form in _PLURALS) != (other.form in _PLURALS):
        return None
    rest = (k for k in tree.units[number].children if k != passed)
    plain = all(k not in guards.kept_by or guards.kept_by[k].soft or _is_kind(tree, guards, k) for k in rest)
    return passed if plain and passed not in guards.dropped and not tree.tears_quotation(number) else None


def _is_below_denial(tree: UnitTree, number: int) -> bool:
    """Whether something above a unit is denied: *has not sold the new version of the game*."""
    denials = word_list("negations")
    above = tree.above(number)
    beside = (k for unit in above for k in tree.units[unit].children)
    functions = (tree.words[i] for unit in above for i in tree.units[unit].words)
    return any(tree.content(k).lemma in denials for k in beside) or any(word.lemma in denials for word in functions)


def _is_kind(tree: UnitTree, guards: GuardEffects, number: int) -> bool:
    """Whether a guard keeps a unit because it says which kind of thing the noun above means."""
    return guards.kept_by[number].relaxed and tree.content(number).relation in {"compound", "amod"}


def bypassed_verb(tree: UnitTree, guards: GuardEffects, number: int) -> int | None:
    """The infinitive that may stand for its verb, if the verb has nothing else than its subject and a day."""
    passed = next(infinitives(tree, number), None)
    if passed is None or any(
        word.key not in {"has", "have", "had"} for word in tree.function_words(number, *_CHANGING)
    ):
        return None
    rest = {k for k in tree.units[number].children if k != passed and tree.content(k).relation not in SUBJECTS}
    return passed if rest <= guards.dropped and tree.content(number).form != "VB" else None
