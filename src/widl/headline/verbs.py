"""Forms of verbs in headlines: the present for the past, *falls* for *fell*, with probabilities trained on pairs."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from widl.headline.words import Word

_FINITE = {"root", "ccomp", "conj", "parataxis", "advcl"}
_FORMS = ("same", "third", "base")
_STRENGTH = 8.0  # pseudo-occurrences of a verb, distributed as the forms of all verbs of its number


def third_person(lemma: str) -> str:
    """The form of a regular verb with *he*.

    >>> [third_person(verb) for verb in ("cut", "pass", "veto", "deny", "buy", "have")]
    ['cuts', 'passes', 'vetoes', 'denies', 'buys', 'has']
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


@dataclass(frozen=True)
class FiniteVerb:
    """A verb that a headline may put into the present, and the number of its subject: one, several or none."""

    word: Word
    number: str

    @property
    def forms(self) -> tuple[str, str, str]:
        """The form in the text, the third person singular, and the base form."""
        return self.word.key, third_person(self.word.lemma), self.word.lemma


def finite_verb(words: Sequence[Word], i: int) -> FiniteVerb | None:
    """The i-th word of a sentence if it is an active finite verb in the past or present."""
    word = words[i]
    if word.tag != "VERB" or word.relation not in _FINITE or not word.lemma.isalpha() or word.key.endswith("ing"):
        return None
    if word.form == "VBN" and word.relation == "conj" and _is_passive(words, word.head):
        return None  # was held and released
    number = "none"
    for k, other in enumerate(words):
        if other.head != i or k == i:
            continue
        if other.relation in {"mark", "aux", "aux:pass", "nsubj:pass", "cop"}:
            return None
        if other.relation == "nsubj":
            number = "several" if other.key.endswith("s") or other.key == "they" else "one"
    return FiniteVerb(word, number)


def _is_passive(words: Sequence[Word], i: int) -> bool:
    return any(word.head == i and word.relation == "aux:pass" for word in words)


class VerbForms:
    """P(form | verb), from counts of the forms that headlines have of the finite verbs of their texts."""

    def __init__(self, counts: Mapping[str, Sequence[float]]) -> None:
        """`counts`: occurrences of each form, by verb as written, and by number after a colon."""
        self.counts = {name: list(values) for name, values in counts.items()}

    @classmethod
    def trained(cls, pairs: Iterable[tuple[Collection[str], Iterable[Sequence[Word]]]]) -> "VerbForms":
        """Count the forms in pairs of a headline, as keys, and its text, as sentences."""
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
        return cls({name: [form_counts[f] for f in range(len(_FORMS))] for name, form_counts in counts.items()})

    def probabilities(self, verb: FiniteVerb) -> list[float]:
        """P(form | verb) of each form, given that the headline has the verb."""
        prior_counts = self.counts.get(":" + verb.number) or [1.0, 1.0, 1.0]
        total = sum(prior_counts)
        verb_counts = self.counts.get(verb.word.key, [0.0, 0.0, 0.0])
        return [
            (count + _STRENGTH * prior / total) / (sum(verb_counts) + _STRENGTH)
            for count, prior in zip(verb_counts, prior_counts, strict=True)
        ]

    def best(self, words: Sequence[Word], i: int) -> tuple[Word, float]:
        """The most probable form of the i-th word in a headline, and its probability given the lemma."""
        verb = finite_verb(words, i)
        if verb is None:
            return words[i], 1.0
        probabilities = self.probabilities(verb)
        form = max(range(len(_FORMS)), key=probabilities.__getitem__)
        text = verb.forms[form]
        return (words[i] if form == 0 else replace(words[i], text=text, key=text)), probabilities[form]
