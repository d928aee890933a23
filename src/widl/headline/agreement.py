"""Agreement and tense: the present form that a headline gives a past verb of its text."""

from collections.abc import Sequence
from dataclasses import replace

from widl.headline.phrase_counts import phrase_counts
from widl.headline.speakers import ATTRIBUTION
from widl.headline.units import UnitTree
from widl.headline.word_lists import BUSINESSES, PERIODS, counted_words, word_list, word_set
from widl.headline.words import SUBJECTS, Word, dependents

_HAVE_SINGULAR, _HAVE_PLURAL = word_set("has is was"), word_set("have are were")
_PLURALS = word_set("they we you i people police these those many most some both")
_OF_ONE, _OF_SEVERAL = word_set("it its"), word_set("they their")
"""Pronouns that tell the number of a name: *Philips said it will appeal*."""
_GUESSED = word_set("likely probably apparently presumably")
"""Adverbs of a past that is guessed: *employers likely added jobs in May*."""
_PORTIONS = word_set("half third quarter rest majority percent number")
_BELIEFS = word_set("predict forecast expect hope fear believe think worry")
_INTENTIONS = word_set("plan expect hope want intend need")
_CONDITIONS = word_set("if unless were had should")
_OWNED = word_set("nsubj nsubj:pass nmod:poss")
_ONE_IN_S = word_set(
    "states nations netherlands philippines emirates bahamas maldives times news reuters express indies congress "
    "texas kansas paris airlines airways"
)
_LONG_PERIODS = PERIODS | {"century"}
_SEASONS = word_set("season campaign decade winter spring summer autumn fall")
_EARLIER = word_set("ago earlier once previously formerly originally")
_ONE = word_set("one 1")
_ACTIVE = word_set("obj iobj ccomp aux aux:pass cop mark")
_MEASURES = word_set("half third quarter percent")
_OFTEN_PASSIVE = 0.2
_TRANSITIVE = 0.1


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


def present_form(tree: UnitTree, number: int) -> str | None:
    """The present form that agrees with the verb's subject.

    None if the subject's number is unknown, or if a time of the verb contradicts the present.
    """
    lemma = tree.content(number).lemma
    if "-" in lemma and lemma == tree.content(number).key:
        return None  # test-fired
    auxiliaries = {tree.words[i].key for i in tree.units[number].words}
    if "had" in auxiliaries and any(_is_duration(tree, k) for k in tree.units[number].children):
        return None  # said he had forged them for 20 years
    if auxiliaries & (_HAVE_SINGULAR | _HAVE_PLURAL):
        return third_person(lemma) if auxiliaries & _HAVE_SINGULAR else lemma
    if _is_long_past(tree, number) or is_bare_passive(tree.words, tree.units[number].head):
        return None
    if any(tree.content(k).lemma in _GUESSED for k in tree.units[number].children):
        return None
    subjects = _subjects(tree, number)
    # A parser may see two in "Smith, Jones, and Brown saved them".
    if len(subjects) > 1 and any(tree.function_words(k, "cc") for k in subjects):
        return lemma
    plurals = {_is_plural(tree, k) for k in subjects} or {False}
    if True in plurals:
        return lemma
    return None if None in plurals else third_person(lemma)


def is_bare_passive(words: Sequence[Word], i: int) -> bool:
    """Whether a past form without an auxiliary is probably a passive: *a man wanted by police*, *a clerk jailed*.

    It has no object, and an agent right behind it, or its verb is often passive.
    """
    word, below, counts = words[i], dependents(words, i), phrase_counts()
    shared = [k for k in below if words[k].relation == "conj" and words[k].tag == "VERB"]  # shot and killed a man
    if word.form not in {"VBD", "VBN"} or any(
        words[k].relation in _ACTIVE for j in (i, *shared) for k in dependents(words, j)
    ):
        return False
    agent = words[i + 1].head if words[i + 1 : i + 2] and words[i + 1].key == "by" else i
    by = agent in below and words[agent].lemma not in _MEASURES | word_list("times") and not _is_measured(words, agent)
    return (by and counts.transitive(word) >= _TRANSITIVE) or counts.passive(word) >= _OFTEN_PASSIVE


def _is_measured(words: Sequence[Word], i: int) -> bool:
    """Whether a word is a number or has one: *by 5 percent*."""
    return any(words[k].tag == "NUM" for k in (i, *dependents(words, i)))


def coordinated(tree: UnitTree, number: int) -> list[int]:
    """A verb, the one that it is coordinated with, and the others: the first one first."""
    first, parent = number, tree.units[number].parent
    if tree.content(number).relation == "conj" and parent is not None:
        first = parent
    verbs = (
        k for k in tree.units[first].children if tree.content(k).relation == "conj" and tree.content(k).tag == "VERB"
    )
    return [first, *verbs]


def follows_perfect(tree: UnitTree, number: int) -> bool:
    """Whether a verb shares *has* or *had* with the verb before it: *has closed a plant and moved jobs*."""
    first = coordinated(tree, number)[0]
    if number == first or tree.content(number).form not in {"VBD", "VBN"} or tree.subjects(number):
        return False
    auxiliaries, own = (tree.function_words(n, "aux", "aux:pass") for n in (first, number))
    return not own and [word.lemma for word in auxiliaries] == ["have"]


def shares_perfect(tree: UnitTree, number: int) -> bool:
    """Whether a verb shares a *has* that headlines leave out, unlike *had* and *has not*."""
    if not follows_perfect(tree, number):
        return False
    first = coordinated(tree, number)[0]
    unit, links = tree.units[first], tree.function_words(first, "aux", "mark")
    split = any(unit.words[0] < tree.units[k].head < unit.head for k in unit.children)
    return not split and [word.key for word in links] in (["has"], ["have"])


def backshifted(tree: UnitTree, number: int) -> dict[int, Word]:
    """Undoes backshift in reported speech: *said it would* becomes *says it will*.

    *Was* changes only if the speaker is the subject, the verb is progressive or the statement a belief: *said a man was
    shot* keeps its past.
    """
    unit, word = tree.units[number], tree.content(number)
    future = any(tree.words[i].key == "would" for i in unit.words)
    if _is_long_past(tree, number) and not future:
        return {}
    own = (tree.content(k) for s in tree.subjects(number) for k in (s, *tree.units[s].children))
    is_own_statement = tree.retold or any(w.tag == "PRON" and w.relation in _OWNED for w in own)
    believed = unit.parent is not None and tree.content(unit.parent).lemma in _BELIEFS
    conditions = [
        tree.words[i].key for k in unit.children if tree.content(k).relation == "advcl" for i in tree.units[k].words
    ]
    later = any(tree.content(k).relation == ATTRIBUTION and not tree.is_left(k) for k in unit.children)
    plain = {"would": "will"} if _CONDITIONS.isdisjoint(conditions) and not later else {}
    if (is_own_statement or believed or word.form == "VBG") and not any(
        tree.words[i].relation == "aux:pass" for i in unit.words
    ):
        plain |= {"was": "is", "were": "are"}
    auxiliaries = [i for i in unit.words if i != unit.head and tree.words[i].relation in {"aux", "cop"}]
    if word.tag == "AUX" and not auxiliaries:
        auxiliaries = [unit.head]
    keys = [tree.words[i].key for i in auxiliaries]
    if keys == ["had"] and word.tag == "VERB":
        plain["had"] = "has" if present_form(tree, number) != word.lemma else "have"
    elif len(keys) > 1 and "have" in keys:  # would have
        return {}
    changed = {i: plain.get(tree.words[i].key) for i in auxiliaries}
    if is_own_statement and word.form == "VBD" and word.lemma in _INTENTIONS:
        changed[unit.head] = present_form(tree, number)  # said it planned to appeal
    return {i: replace(tree.words[i], text=form, key=form) for i, form in changed.items() if form}


def _subjects(tree: UnitTree, number: int) -> list[int]:
    """Subjects of a verb. A conjunct without a subject shares the first verb's subject."""
    subjects = [k for k in tree.units[number].children if tree.content(k).relation in SUBJECTS]
    parent = tree.units[number].parent
    if not subjects and parent is not None and tree.content(number).relation == "conj":
        return _subjects(tree, parent)
    return subjects


def _is_plural(tree: UnitTree, number: int) -> bool | None:
    """Whether a subject is plural. None for names in *-s*: *Eagles* is plural, *Symbol Technologies* singular."""
    word, children = tree.content(number), tree.units[number].children
    names = (k for k in children if tree.content(k).relation == "appos" and tree.content(k).tag == "PROPN")
    beside = [*children, *(c for k in names for c in tree.units[k].children)]
    of_several = any(tree.content(k).form == "NNS" for k in children)  # half of the voters take
    if any(_is_another(tree, k) for k in beside) or word.key in _PLURALS:
        return True
    counted = word.lemma == "number" and any(w.key == "the" for w in tree.function_words(number, "det"))
    if word.lemma in _PORTIONS and of_several and not counted:
        return True
    if word.tag == "NUM" and word.key not in _ONE:
        return True
    if word.tag != "PROPN":
        return word.form == "NNS"
    person = any(tree.content(k).key in counted_words("given") for k in children)
    if person or not _looks_plural(word):
        return False
    if any(w.key == "the" for w in tree.function_words(number, "det")):
        return True
    following = {other.key for other in tree.words[tree.units[number].end :]}
    singular, plural = (not pronouns.isdisjoint(following) for pronouns in (_OF_ONE, _OF_SEVERAL))
    return plural if singular != plural else None


def _is_another(tree: UnitTree, number: int) -> bool:
    """Whether a unit is a conjunct after *and*, not part of a name such as *Standard & Poor's*."""
    joined = any(tree.function_words(k, "cc") for k in tree.below(number))
    return tree.content(number).relation == "conj" and joined


def _looks_plural(word: Word) -> bool:
    ends = word.key.endswith("s") and not word.key.endswith(("ss", "us", "is", "'s", "’s"))
    return ends and word.key not in _ONE_IN_S | BUSINESSES


def _is_long_past(tree: UnitTree, number: int) -> bool:
    """Whether a verb has a time in the distant past, *in 1966*, *four years ago*, or went on for years."""
    children = tree.units[number].children
    going_on = tree.content(number).form == "VBG" and any(_is_duration(tree, k) for k in children)
    return (
        going_on  # kept flying for two years
        or any(_has_year(tree, k) for k in children)
        or any(tree.content(k).relation == "xcomp" and _is_long_past(tree, k) for k in children)
    )


def _is_duration(tree: UnitTree, number: int) -> bool:
    """Whether a unit is *for two years*, *for decades*."""
    word = tree.content(number)
    counted = word.form == "NNS" or any(tree.content(k).relation == "nummod" for k in tree.units[number].children)
    linked = [link.key for link in tree.function_words(number, "case")] == ["for"]
    return linked and counted and word.lemma in _LONG_PERIODS


def _has_year(tree: UnitTree, number: int) -> bool:
    """Whether a unit is a time in the distant past, not *in the 1994 attack*."""
    units = [number]
    for unit in units:  # grows
        units += (k for k in tree.units[unit].children if tree.content(k).relation not in {"acl", "acl:relcl"})
    words: Sequence[Word] = [tree.words[i] for k in units for i in tree.units[k].words]
    content, relation = tree.content(number), tree.content(number).relation
    if relation.split(":")[0] not in {"obl", "advmod", "advcl"}:
        return False
    earlier = _EARLIER if relation != "advcl" else frozenset[str]()
    dated = relation == "advcl" or content.key.isdigit() or content.lemma in word_list("times") | _SEASONS
    return any(word.key in earlier or (dated and _is_year(word.key)) for word in words)


def _is_year(key: str) -> bool:
    return len(key) == 4 and key.isascii() and key.isdecimal() and 1000 < int(key) < 2100
