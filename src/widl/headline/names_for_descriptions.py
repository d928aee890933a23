"""Names for descriptions and pronouns of later sentences.

*The company will close a mine* becomes *Acme will close a mine*, if the sentence before is about Acme. A sentence stays
as it is where another name, or someone without a name, may be meant.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from widl.headline.word_lists import (
    BUSINESSES,
    DAYS,
    MONTHS,
    PEOPLES,
    SHORT_MONTHS,
    counted_words,
    word_list,
    word_set,
)
from widl.headline.words import LABELS, SUBJECTS, Word, dependents, is_label, is_title, root_of, span_of, without_owner

_LATEST = 4
"""Sentences at a document's begin that get names; later ones are in no headline."""
_PRONOUNS = {"he": "person", "she": "person", "it": "organization"}
_OWNERS = {"his": "person", "her": "person", "its": "organization"}
_AT_PLACES = word_set("in at from near to across outside around into")
_PARTICLES = word_set("al el bin ibn de del da van von der")
_MONTHS = MONTHS | SHORT_MONTHS
_STATES = word_set("U.S. U.K. US UK EU UN U.N. E.U.")
_ROLES = word_set("nsubj obj iobj conj appos nmod obl")
_ROLES_OF_NAMES = _ROLES | word_set("root ccomp dep")
_JOINED = word_set("conj nmod nmod:poss nummod")
_OF_PERSONS = ("man", "woman", "ist", "ian", "person")
"""Endings of nouns for persons."""
_SOURCES = word_set("source witness insider")
"""Nouns for persons whom news leaves without a name."""
_ANY_MAKERS = word_set("lawmaker policymaker filmmaker peacemaker")

Kind = str
"""Whose name it is: *person*, *organization*, *other* such as a place or a time, or empty if that is unknown."""


@dataclass(frozen=True)
class Name:
    """A name in a sentence, without the titles before it."""

    words: tuple[Word, ...]
    """Its words."""
    place: range
    """Their positions in the sentence."""
    kind: Kind

    @property
    def keys(self) -> tuple[str, ...]:
        """The words in small letters, without the sign of an owner."""
        return tuple(_plain(word.key) for word in self.words)

    def may_be(self, other: "Name") -> bool:
        """Whether both names have a word in common, and are not two members of a family."""
        relatives = min(len(self.keys), len(other.keys)) > 1 and self.keys[-1] == other.keys[-1]
        if relatives and self.keys[0] != other.keys[0]:
            return False
        return not set(self.keys).isdisjoint(other.keys)


NamedSentence = tuple[Sequence[Word], Sequence[Name]]
"""A sentence and its names."""


def named(sentences: Sequence[list[Word]], whole: Sequence[Sequence[Word]]) -> list[list[Word]]:
    """The sentences of a document with names for descriptions and pronouns, from the second one on.

    Args:
        sentences: The sentences, perhaps with shorter forms of names.
        whole: The same sentences with the whole names of companies, *Acme Inc*.
    """
    reader = _NameReader(whole)
    result: list[list[Word]] = []
    known: list[NamedSentence] = []
    for words in sentences[:_LATEST]:
        result.append(_Mentions(words, reader, known).named() if known else words)
        known.append((result[-1], reader.names(result[-1])))
    return [*result, *sentences[_LATEST:]]


def _plain(key: str) -> str:
    return without_owner(key).rstrip(".'’")


def is_company_noun(word: Word) -> bool:
    """Whether a common noun means a company: *airline*, *chipmaker*."""
    makes = word.lemma.endswith("maker") and word.lemma not in _ANY_MAKERS
    return word.form == "NN" and word.text.islower() and (makes or word.lemma in word_list("companies"))


def is_organization_noun(word: Word) -> bool:
    """Whether a common noun means an organization: *airline*, *ministry*."""
    organized = word.form == "NN" and word.text.islower() and word.lemma in word_list("organizations")
    return organized or is_company_noun(word)


def is_person_noun(word: Word) -> bool:
    """Whether a common noun means a person."""
    lemma = word.lemma
    known = lemma in counted_words("titles") or lemma in word_list("people") or lemma.endswith(_OF_PERSONS)
    return (known or lemma in _SOURCES) and word.form == "NN" and word.text.islower()


class _NameReader:
    """Reads the names in sentences of a document, whose other sentences may show whose names they are."""

    def __init__(self, whole: Sequence[Sequence[Word]]) -> None:
        self._labeled = {keys for words in whole for keys in _labeled(words)}
        self._described = {keys for words in whole for keys in _described(words)}

    def names(self, words: Sequence[Word]) -> list[Name]:
        """The names of a sentence, in order."""
        return [self._name(words, place) for place in _runs(words)]

    def is_company(self, keys: tuple[str, ...]) -> bool:
        """Whether a name is a company's: it has a label, as *Inc*, or a noun beside it says so."""
        bare = keys[:-1] if keys[-1] in LABELS else keys
        labeled = any(company[: len(bare)] == bare for company in self._labeled)
        return labeled or keys in self._described or (len(keys) > 1 and keys[-1] in BUSINESSES)

    def _name(self, words: Sequence[Word], run: range) -> Name:
        keys = tuple(_plain(words[i].key) for i in run)
        company = keys[-1] in LABELS or self.is_company(keys)  # General Electric is no general
        titles = [i for i in run[:-1] if is_title(words[i]) and not company]
        place = range(titles[-1] + 1, run.stop) if titles else run
        before = words[place.start - 1] if place.start else None
        titled = before is not None and not before.closing and is_title(before)
        name = Name(tuple(words[i] for i in place), place, "")
        return replace(name, kind=self._kind(name, before, titled=titled))

    def _kind(self, name: Name, before: Word | None, *, titled: bool) -> Kind:
        keys, last = name.keys, name.words[-1]
        if keys[-1] in LABELS and len(keys) == 1:
            return "other"
        if keys[-1] in LABELS or self.is_company(keys) or keys[-1] in word_list("organizations"):
            return "organization"
        if titled or (len(keys) > 1 and keys[0] in counted_words("given")):
            return "person"
        timed = keys[-1] in DAYS or keys[0] in _MONTHS or keys[-1] in PEOPLES
        placed = before is not None and before.key in _AT_PLACES and last.relation in {"obl", "nmod"}
        return "other" if timed or placed else ""


def _runs(words: Sequence[Word]) -> Iterator[range]:
    """The positions of the proper nouns of each name."""
    begin = 0
    for i, word in enumerate(words):
        if word.tag != "PROPN":
            begin = i + 1
        elif word.closing.strip(".") or not _goes_on(words, i):
            yield range(begin, i + 1)
            begin = i + 1


def _goes_on(words: Sequence[Word], i: int) -> bool:
    """Whether the name at a position goes on behind it."""
    within = i + 1 < len(words) and words[i + 1].tag == "PROPN"
    return within and words[i].relation == "compound" and words[i].head > i


def _labeled(words: Sequence[Word]) -> Iterator[tuple[str, ...]]:
    """The names with a label behind them, without it."""
    for run in _runs(words):
        keys = tuple(_plain(words[i].key) for i in run)
        if len(keys) > 1 and keys[-1] in LABELS:
            yield keys[:-1]


def _described(words: Sequence[Word]) -> Iterator[tuple[str, ...]]:
    """The names with a noun that says that they are companies': *carmaker Ford*, *Ford, the carmaker*."""
    for run in _runs(words):
        last = words[run[-1]]
        beside = [words[k] for k in dependents(words, run[-1]) if words[k].relation in {"compound", "appos"}]
        above = [words[last.head]] if last.relation == "appos" else []
        if any(map(is_company_noun, (*beside, *above))):
            yield tuple(_plain(words[i].key) for i in run)


class _Mentions:
    """The descriptions and pronouns of a sentence."""

    def __init__(self, words: list[Word], reader: _NameReader, known: Sequence[NamedSentence]) -> None:
        """`known`: the sentences before it, and their names."""
        self._words, self._reader, self._known = words, reader, known
        self._own = reader.names(words)

    def named(self) -> list[Word]:
        """The sentence with a name for the first description or pronoun that may have one."""
        for i in range(len(self._words)):
            if kind := self._kind(i):
                name = self._meant(i, kind)
                if name is None or any(
                    _plain(word.key) in name.keys for word in (*self._words[:i], *self._words[i + 1 :])
                ):
                    break  # what follows may have the same meaning
                if self._is_certain(i, kind, name):
                    return _replaced(self._words, i, name)
        return self._words

    def _kind(self, i: int) -> Kind:
        """The kind of name that a word may stand for; empty if it stands for none, or is no subject."""
        words, word = self._words, self._words[i]
        below = [words[k] for k in dependents(words, i)]
        if word.quotation:
            return ""
        above, root = words[word.head], root_of(words)
        if word.key in _OWNERS:
            return _OWNERS[word.key] if i == 0 and above.relation in SUBJECTS else ""
        if word.relation not in SUBJECTS:
            return ""
        if word.tag == "PRON":
            near = word.head == root or (above.relation in {"ccomp", "advcl"} and above.head == root)
            acts = word.key != "it" or _acts(words, word.head)
            return _PRONOUNS.get(word.key, "") if near and acts and not below else ""
        described = [other.key for other in below[:1]] == ["the"] and is_organization_noun(word)
        return "organization" if described and self._describes(i) else ""

    def _describes(self, i: int) -> bool:
        """Whether a noun has nothing but its article, or, where it means a company, where the company is and what it
        makes: *the Oslo-based airline*.
        """
        words, more = self._words, dependents(self._words, i)[1:]
        plain = all(k < i and words[k].relation in {"amod", "compound"} and not dependents(words, k) for k in more)
        said = all(words[k].key.endswith("-based") or words[k].key in PEOPLES for k in more)
        return not more or (plain and said and is_company_noun(words[i]) and _center(*self._known[-1]) is not None)

    def _meant(self, i: int, kind: Kind) -> Name | None:
        """What the sentence before is about, or else the only name of the kind before."""
        if (center := _center(*self._known[-1])) is not None:
            return center if center.kind in {"", kind} and self._suits(i, center) else None
        if self._words[i].key in {"it", "its"}:
            return None
        found: list[Name] = []
        for name in (
            name for words, names in self._known for name in names if name.kind == kind and _is_whole(words, name)
        ):
            alike = next((k for k, other in enumerate(found) if other.may_be(name)), None)
            if alike is None:
                found.append(name)
            elif len(name.words) > len(found[alike].words):
                found[alike] = name
        return found[0] if len(found) == 1 and self._suits(i, found[0]) else None

    def _suits(self, i: int, name: Name) -> bool:
        """Whether a noun may describe a name."""
        word = self._words[i]
        if word.tag != "NOUN":
            return True
        if is_company_noun(word) and word.lemma not in word_list("organizations"):
            return not name.kind or self._reader.is_company(name.keys)
        return word.lemma in name.keys  # the court: Supreme Court

    def _is_certain(self, i: int, kind: Kind, name: Name) -> bool:
        """Whether nobody else is mentioned before whom a word may mean."""
        before = [*self._known, (self._words, [other for other in self._own if other.place[-1] < i])]
        rivals = any(_is_rival(other, words, name, kind) for words, names in before for other in names)
        last = self._known[-1][0]
        return (
            not rivals
            and not any(_unnamed(last, range(len(last)), kind))
            and not any(_unnamed(self._words, range(i), kind))
        )


def _acts(words: Sequence[Word], verb: int) -> bool:
    """Whether *it* as the subject of a verb is somebody who acts, not a clause: *it said*, *it sold a mine*."""
    below = [words[k].relation for k in dependents(words, verb)]
    if words[verb].tag != "VERB" or "nsubj" not in below:
        return False
    reports = words[verb].lemma in word_list("reporting")
    return reports or ("obj" in below and not {"xcomp", "ccomp", "csubj", "advcl"}.intersection(below))


def _center(words: Sequence[Word], names: Iterable[Name]) -> Name | None:
    """The name that is the subject of a sentence, or of what a company says in it."""
    root = root_of(words)
    subjects = [k for k in dependents(words, root) if words[k].relation in SUBJECTS]
    claims = [k for k in dependents(words, root) if words[k].relation == "ccomp" and k < root]
    if claims and words[root].lemma in word_list("reporting") and subjects and is_company_noun(words[subjects[0]]):
        subjects = [k for k in dependents(words, claims[0]) if words[k].relation in SUBJECTS]
    name = next((name for name in names if [name.place[-1]] == subjects), None)
    if name is None or name.kind == "other" or name.words[-1].form != "NNP" or not _is_whole(words, name):
        return None
    beside = [words[k] for k in dependents(words, subjects[0])]
    joined = any(word.relation in _JOINED or (word.relation == "det" and word.key != "the") for word in beside)
    return None if joined else name


def _is_whole(words: Sequence[Word], name: Name) -> bool:
    """Whether a name is read with certainty, and stands outside of quotations.

    *Imports* is no whole name in *Pier 1 Imports*, nor *Ghazi* in *Ghazi al-Yawer*, nor *BBC Jo Ek*, who works there.
    """
    alone = len(name.keys) == 1 and name.keys[0] in word_list("organizations")  # Saint Anne's Hospital
    if alone or any(word.quotation for word in name.words):
        return False
    before = words[name.place.start - 1] if name.place.start else None
    begins = (
        before is None
        or before.closing
        or not (before.tag == "NUM" or (before.text[:1].isupper() and before.tag not in {"ADJ", "PROPN"}))
    )
    after = words[name.place.stop] if name.place.stop < len(words) and not name.words[-1].closing else None
    ends = after is None or not (after.text[:1].isupper() or after.key.partition("-")[0] in _PARTICLES)
    employed = (
        name.words[0].text.isupper()
        and len(name.words[0].text) > 1
        and name.keys[1:2]
        and name.keys[1] in counted_words("given")
    )
    return bool(begins and ends and not employed)


def _is_rival(other: Name, words: Sequence[Word], name: Name, kind: Kind) -> bool:
    """Whether another name could be meant instead."""
    last = words[other.place[-1]]
    if name.may_be(other) or last.relation.split(":")[0] not in _ROLES_OF_NAMES or other.kind not in {"", kind}:
        return False
    if other.kind or kind == "organization":
        return bool(other.kind) or last.text.rstrip("'s’") not in _STATES
    determined = any(words[k].key == "the" for k in dependents(words, other.place[-1]))
    return not determined and last.text.isalpha() and not last.text.isupper() and not _is_thing(other)


def _is_thing(name: Name) -> bool:
    return name.keys[-1] in counted_words("things")


def _unnamed(words: Sequence[Word], places: Iterable[int], kind: Kind) -> Iterator[bool]:
    """Whether each of some words is someone of a kind without a name; *the company* and *its company* are not new."""
    for i in places:
        word = words[i]
        if word.relation.split(":")[0] not in _ROLES:
            continue
        if kind == "person":
            yield is_person_noun(word)
        elif is_organization_noun(word):
            yield [words[k].key for k in dependents(words, i)] not in (["the"], ["its"], ["our"])


def _replaced(words: Sequence[Word], i: int, name: Name) -> list[Word]:
    """The words with a name, without its label, for a word and its article."""
    place, mention = span_of(words, i), words[i]
    parts = [word for word in name.words if not is_label(word)]
    last = place.start + len(parts) - 1

    def moved(head: int) -> int:
        return last if head in place else head if head < place.start else head + last + 1 - place.stop

    called = parts[-1].text  # of McDonald's Corp, the sign is the name's own
    text = without_owner(called) if name.words[-1].relation == "nmod:poss" else called
    if mention.relation == "nmod:poss" and text == without_owner(text):
        text += "'s"
    top = replace(parts[-1], text=text, key=text.lower(), head=moved(mention.head), relation=mention.relation)
    top = replace(top, place=mention.place, closing=words[place[-1]].closing)
    inner = [replace(word, head=last, relation="compound", place=mention.place) for word in parts[:-1]]
    new = [*inner, top]
    new[0] = replace(new[0], opening=words[place.start].opening)
    rest = [replace(word, head=moved(word.head)) for word in words]
    return [*rest[: place.start], *new, *rest[place.stop :]]
