"""Verbs as headlines put them: in the present tense, *falls* for *fell*, and how often they do, learned from pairs."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from widl.headline.words import Word

_FINITE = {"root", "ccomp", "conj", "parataxis", "advcl"}
_FORMS = ("same", "third", "base")
_STRENGTH = 8.0  # how many verbs of the kind the habit of all verbs is worth


def third_person(lemma: str) -> str:
    """The form of a regular verb with *he*.

    >>> [third_person(verb) for verb in ("cut", "pass", "deny", "buy", "have")]
    ['cuts', 'passes', 'denies', 'buys', 'has']
    """
    irregular = {"have": "has", "be": "is", "do": "does", "go": "goes"}
    if lemma in irregular:
        return irregular[lemma]
    if lemma.endswith(("s", "x", "z", "ch", "sh")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2:-1] not in tuple("aeiou"):
        return lemma[:-1] + "ies"
    return lemma + "s"


@dataclass(frozen=True)
class FiniteVerb:
    """A verb that a headline may put into the present, and whether its subject is one or several."""

    word: Word
    number: str

    @property
    def forms(self) -> tuple[str, str, str]:
        """As it stands, of the third person, and of several."""
        return self.word.key, third_person(self.word.lemma), self.word.lemma


def finite_verb(words: Sequence[Word], i: int) -> FiniteVerb | None:
    """The i-th word of a sentence if it is an active finite verb in the past or present."""
    word = words[i]
    if word.tag != "VERB" or word.relation not in _FINITE or not word.lemma.isalpha() or word.key.endswith("ing"):
        return None
    number = "none"
    for k, other in enumerate(words):
        if other.head != i or k == i:
            continue
        if other.relation in {"mark", "aux", "aux:pass", "nsubj:pass", "cop"}:
            return None
        if other.relation == "nsubj":
            number = "several" if other.key.endswith("s") or other.key == "they" else "one"
    return FiniteVerb(word, number)


class VerbForms:
    """P(form | verb): counts of what headlines made of the finite verbs of their texts."""

    def __init__(self, counts: Mapping[str, Sequence[float]]) -> None:
        """`counts`: by verb as written, and by number after a colon, how often each form was met."""
        self.counts = {name: list(values) for name, values in counts.items()}

    @classmethod
    def trained(cls, pairs: Iterable[tuple[Collection[str], Iterable[Sequence[Word]]]]) -> "VerbForms":
        """From the keys of a headline and the sentences below it."""
        counts: dict[str, Counter[int]] = {}
        for headline, sentences in pairs:
            for words in sentences:
                for i in range(len(words)):
                    verb = finite_verb(words, i)
                    if verb is None:
                        continue
                    form = next((f for f, key in enumerate(verb.forms) if key in headline), None)
                    if form is not None:
                        counts.setdefault(verb.word.key, Counter())[form] += 1
                        counts.setdefault(":" + verb.number, Counter())[form] += 1
        return cls({name: [found[f] for f in range(len(_FORMS))] for name, found in counts.items()})

    def probabilities(self, verb: FiniteVerb) -> list[float]:
        """Of each form, given that the headline has the verb at all."""
        habit = self.counts.get(":" + verb.number) or [1.0, 1.0, 1.0]
        total = sum(habit)
        own = self.counts.get(verb.word.key, [0.0, 0.0, 0.0])
        return [(own[f] + _STRENGTH * habit[f] / total) / (sum(own) + _STRENGTH) for f in range(len(_FORMS))]

    def best(self, words: Sequence[Word], i: int) -> tuple[Word, float]:
        """The i-th word as a headline would most likely have it, and how likely that is given its lemma."""
        verb = finite_verb(words, i)
        if verb is None:
            return words[i], 1.0
        chances = self.probabilities(verb)
        form = max(range(len(_FORMS)), key=chances.__getitem__)
        text = verb.forms[form]
        return (words[i] if form == 0 else replace(words[i], text=text, key=text)), chances[form]
