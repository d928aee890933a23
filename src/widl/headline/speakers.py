"""Reported clauses: headlines say *bank to sell* for *the bank said it will sell*, and *bank: rates fall* for *the bank
said rates fell*.
"""

from collections.abc import Sequence
from dataclasses import replace

from widl.headline.word_lists import counted_words, word_list, word_set
from widl.headline.words import Word, attribute, is_label

_SUBJECTS = frozenset({"nsubj", "nsubj:pass"})
_PERSONS = frozenset({"he", "she"})
_QUESTIONS = word_set("what who whom how why where when which whatever whether if")
_PREDICATES = frozenset({"VERB", "ADJ", "NOUN"})


def with_speaker(words: Sequence[Word]) -> list[Word] | None:
    """The sentence rewritten: the reported clause is the root, and the speaker is its subject.

    None if no clause is reported, or its pronoun may mean someone else.
    """
    reporting = word_list("reporting")
    for verb, word in enumerate(words):
        said = word.head
        reported = word.relation == "ccomp" and word.tag in _PREDICATES and words[said].head == said
        if not reported or words[said].lemma not in reporting:
            continue
        pronoun, speaker = subject_of(words, verb), subject_of(words, said)
        if pronoun is None or speaker is None or not speaker < said < pronoun:
            continue
        if any(w.head == said and w.relation in {"aux", "advmod", "obj", "iobj"} for w in words):
            continue  # did not say, may say, said to him
        if _may_mean(words, words[pronoun].key, speaker):
            result = list(words)
            result[verb] = replace(word, head=verb, relation="root")
            result[speaker] = replace(words[speaker], head=verb, relation=words[pronoun].relation)
            result[said] = replace(words[said], head=verb, relation="discourse")
            result[pronoun] = replace(words[pronoun], head=said, relation="discourse")
            return result
    return None


def announced(words: Sequence[Word]) -> list[Word] | None:
    """The sentence rewritten as *speaker: clause*; None if no clause with a subject of its own is reported."""
    return attribute(words, *found) if (found := announcement(words)) else None


def announcement(words: Sequence[Word]) -> tuple[int, int, int] | None:
    """The reported clause, the speaker and the verb of speaking of *speaker says clause*."""
    for claim, word in enumerate(words):
        said = word.head
        verb = words[said]
        if word.relation != "ccomp" or word.tag not in _PREDICATES or verb.head != said:
            continue
        speaker, subject = subject_of(words, said), subject_of(words, claim)
        if verb.lemma not in word_list("reporting") or speaker is None or subject is None:
            continue
        beside = [w for k, w in enumerate(words) if w.head == said != k]
        hedged = any(w.relation in {"aux", "advmod", "obj", "iobj"} for w in beside)
        asked = any(w.head == claim and w.lemma in _QUESTIONS for w in words[:claim])
        named = words[speaker].tag != "PRON" and words[subject].tag != "PRON"
        if speaker < said < subject and named and not hedged and not asked:
            return claim, speaker, said
    return None


def subject_of(words: Sequence[Word], verb: int) -> int | None:
    """The position of the subject of a verb."""
    return next((k for k, w in enumerate(words) if w.head == verb != k and w.relation in _SUBJECTS), None)


def _may_mean(words: Sequence[Word], pronoun: str, speaker: int) -> bool:
    """Whether a pronoun refers to the speaker: *it* to an organization, *he* to a named person, *they* to several."""
    word = words[speaker]
    beside = [w for k, w in enumerate(words) if w.head == speaker and k != speaker]
    several = word.form in {"NNS", "NNPS"} or any(w.relation == "conj" for w in beside)
    things = counted_words("things")
    organized = word.lemma in things or (len(word.text) > 1 and word.text.isupper())
    organized = organized or any(is_label(w) or w.lemma in things for w in (word, *beside))
    alone = word.tag == "PROPN" and all(w.relation not in {"compound", "nmod", "appos"} for w in beside)
    if pronoun == "they":
        return several
    if pronoun in _PERSONS:
        return word.tag == "PROPN" and not several and not organized
    # A single word, *Acme*, is rarely a person: *it* would have no antecedent in the sentence.
    return pronoun == "it" and (organized or alone) and not several
