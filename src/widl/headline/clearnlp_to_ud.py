"""Converts ClearNLP dependencies, the output of the package's pipeline, to Universal Dependencies.

The ClearNLP style makes function words heads: a preposition governs its noun, *be* its predicate, and each
conjunct the next one. Universal Dependencies put content words first. The conversion works as follows:
prepositions become ``case`` (``mark`` before a clause) of the word they govern, which becomes ``obl`` of
predicates and ``nmod`` of nouns; *be* becomes ``cop`` of its complement; all conjuncts depend on the first,
each ``cc`` on the conjunct after it; labels are renamed. *Be* with only an adverbial ("it is in London") is not
converted and stays the head: this style has no label for it.
"""

from dataclasses import dataclass

from widl.headline.word_lists import word_set

_NOMINAL = word_set("NOUN PROPN PRON NUM DET SYM X")

_LABELS = {
    "ROOT": "root",
    "acomp": "xcomp",
    "agent": "advmod",  # a lone "by"; with an object see _lift_prepositions
    "attr": "xcomp",
    "auxpass": "aux:pass",
    "csubjpass": "csubj:pass",
    "dative": "iobj",
    "dobj": "obj",
    "intj": "discourse",
    "meta": "dep",
    "neg": "advmod",
    "npadvmod": "obl:unmarked",
    "nsubjpass": "nsubj:pass",
    "oprd": "xcomp",
    "pcomp": "advcl",
    "pobj": "obl",
    "poss": "nmod:poss",
    "preconj": "cc:preconj",
    "predet": "det:predet",
    "prep": "advmod",  # without an object
    "prt": "compound:prt",
    "quantmod": "advmod",
    "relcl": "acl:relcl",
}


@dataclass(slots=True)
class _Sentence:
    """Parallel lists; ``heads[i] == i`` at the root. All steps keep it a tree."""

    lemmas: list[str]
    tags: list[str]
    heads: list[int]
    labels: list[str]

    def children(self, token: int) -> list[int]:
        return [other for other, head in enumerate(self.heads) if head == token and other != token]

    def lift(self, child: int, label: str) -> None:
        """`child` takes its head's position, label and other children; the head becomes its child with a new label."""
        head = self.heads[child]
        for other in self.children(head):
            self.heads[other] = child
        self.heads[child] = child if self.heads[head] == head else self.heads[head]
        self.labels[child] = self.labels[head]
        self.heads[head], self.labels[head] = child, label


def to_universal(
    lemmas: list[str], tags: list[str], heads: list[int], labels: list[str]
) -> tuple[list[int], list[str]]:
    """Heads and labels in Universal Dependencies.

    `tags` are universal part-of-speech tags, `lemmas` are lowercase, and `heads` are positions in the sentence; the
    root is its own head.
    """
    # ClearNLP's nmod is a modifier before a noun, not the nmod of Universal Dependencies.
    labels = ["compound" if label == "nmod" else label for label in labels]
    sentence = _Sentence(lemmas, tags, list(heads), labels)
    _flatten_conjuncts(sentence)
    _lift_prepositions(sentence)
    _lift_predicates(sentence)
    _rename(sentence)
    return sentence.heads, sentence.labels


def _flatten_conjuncts(sentence: _Sentence) -> None:
    """A -> B -> C becomes A -> B, A -> C; a ``cc`` goes to the conjunct that follows it."""
    for token, label in enumerate(sentence.labels):
        if label == "conj":
            first = sentence.heads[token]
            while sentence.labels[first] == "conj" and sentence.heads[first] != first:
                first = sentence.heads[first]
            sentence.heads[token] = first
    for token, label in enumerate(sentence.labels):
        if label == "cc":
            head = sentence.heads[token]
            first = sentence.heads[head] if sentence.labels[head] == "conj" else head
            following = [
                child for child in sentence.children(first) if child > token and sentence.labels[child] == "conj"
            ]
            if following and not sentence.children(token):
                sentence.heads[token] = following[0]


def _lift_prepositions(sentence: _Sentence) -> None:
    """The object of a preposition replaces it, from last to first, so that both words of "out of" attach to the
    noun.
    """
    for token in reversed(range(len(sentence.heads))):
        label = sentence.labels[token]
        if label == "prt" and any(sentence.labels[child] == "pobj" for child in sentence.children(token)):
            label = "prep"  # called on voters to stay at home
        if label not in ("prep", "agent", "dative", "conj", "ROOT", "pobj", "pcomp"):
            continue
        objects = [child for child in sentence.children(token) if sentence.labels[child] in ("pobj", "pcomp")]
        if label == "prep" and not objects:  # "out of the house": the noun that the inner preposition has lifted
            objects = [child for child in sentence.children(token) if sentence.labels[child] in ("obl", "nmod")]
        if not objects:
            continue
        lifted = objects[0]
        clause = sentence.labels[lifted] == "pcomp"
        sentence.lift(lifted, "mark" if clause else "case")
        if label in ("prep", "agent", "dative"):
            of_noun = sentence.tags[sentence.heads[lifted]] in _NOMINAL
            if clause:
                sentence.labels[lifted] = "acl" if of_noun else "advcl"
            else:
                sentence.labels[lifted] = "obl:agent" if label == "agent" else "nmod" if of_noun else "obl"


def _lift_predicates(sentence: _Sentence) -> None:
    """*Be* becomes a ``cop`` of its complement, which takes over its dependents."""
    for token, lemma in enumerate(sentence.lemmas):
        if lemma != "be" or sentence.labels[token] in ("aux", "auxpass"):
            continue
        complements = [child for child in sentence.children(token) if sentence.labels[child] in ("attr", "acomp")]
        if complements:
            sentence.lift(complements[-1], "cop")


def _rename(sentence: _Sentence) -> None:
    for token, label in enumerate(sentence.labels):
        head = sentence.heads[token]
        if head == token:
            universal = "root"
        elif label == "aux" and sentence.lemmas[token] == "to":
            universal = "mark"
        elif label == "npadvmod" and sentence.tags[head] in _NOMINAL:
            universal = "nmod:unmarked"
        elif label == "ROOT":
            universal = "dep"
        else:
            universal = _LABELS.get(label, label)
        sentence.labels[token] = universal
