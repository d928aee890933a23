"""Reported clauses in headlines.

*The bank said it will sell* becomes *bank to sell*, *the bank said rates fell* becomes *bank: rates fall*, and *rates
fell, the bank said* becomes *rates fall: bank*.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from widl.headline.abbreviations import abbreviate
from widl.headline.names_for_descriptions import named
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import ParsedDocument
from widl.headline.word_lists import counted_words, word_list, word_set
from widl.headline.words import NOUNS, SUBJECTS, Word, dependents, hang, is_below, is_label, is_title, root_of, span_of

ATTRIBUTION = "attribution"
"""The relation of a speaker to the verb of the clause before or after it: *the mine will close, a miner said*."""
_PERSONS = frozenset({"he", "she"})
_QUESTIONS = word_set("what who whom how why where when which whatever whether if")
_ANYBODY = word_set("person people")
_INFORMED = word_set("familiar knowledge close brief")
_OF_CLAUSES = word_set("mark advmod ccomp aux cop")
_LATER = word_set("late early earlier here there when as")
_PREDICATES = frozenset({"VERB", "ADJ", "NOUN"})


def attributed_sentences(parsed: ParsedDocument, *, shorter: bool = True) -> list[list[Word]]:
    """The words of each nonempty sentence; clauses are above their speakers. `shorter`: with the shorter forms of
    `widl.headline.abbreviations`, and with `widl.headline.names_for_descriptions`.
    """
    sentences = sentences_of(parsed)
    if shorter:
        sentences = named(abbreviate(sentences, parsed.document.text), sentences)
    return [attributed(words) for words in sentences]


def attributed(words: list[Word]) -> list[Word]:
    """Attributes a clause to the speaker behind it, or to the source in *according to*."""
    for i, word in enumerate(words):
        if word.key == "according" and word.relation == "case":
            return _with_source(words, i)
        if word.lemma in word_list("reporting") and word.tag == "VERB" and (found := _report_before(words, i)):
            return _attribute(words, *found, i)
    return words


def _report_before(words: Sequence[Word], verb: int) -> tuple[int, int] | None:
    """The clause before a verb of saying and the speaker: *the mine will close, a miner said*."""
    word, beside = words[verb], dependents(words, verb)
    relations = {words[k].relation for k in beside}
    misread = word.relation == "conj" and "cc" not in relations
    misread |= (
        word.relation == "advcl" and relations.isdisjoint(_OF_CLAUSES) and word.form == "VBD" and word.head < verb
    )
    inside = word.relation == "parataxis" or misread
    reported = (k for k in beside if words[k].relation == "ccomp" and word.relation == "root")
    claim = next(reported, word.head if inside else verb)
    speaker = next((k for k in beside if words[k].relation == "nsubj"), verb)
    if claim >= min(verb, speaker) or not _may_speak(words, verb, speaker):
        return None
    below = [k for k in range(len(words)) if is_below(words, k, verb)]
    said = [k for k in below if inside or not is_below(words, k, claim)]
    together = all(is_below(words, k, verb) for k in range(said[0], said[-1] + 1))
    return (claim, speaker) if together else None


def _may_speak(words: Sequence[Word], verb: int, speaker: int) -> bool:
    """Whether a noun is the speaker of an affirmed statement."""
    beside = [words[k] for k in dependents(words, verb)]
    hedged = any(w.form == "MD" or (w.relation == "advmod" and not _is_time(w)) for w in beside)
    acts = words[verb].lemma != "tell" and any(w.relation == "obj" for w in beside)
    return words[speaker].tag in NOUNS and not hedged and not acts


def _is_time(adverb: Word) -> bool:
    """Whether an adverb of a verb of saying does not change what is said: *also*, *later*, not *falsely*."""
    return adverb.lemma in word_list("between") or adverb.key in _LATER


def _attribute(words: Sequence[Word], claim: int, speaker: int, verb: int) -> list[Word]:
    """The words with the claim above its speaker; headlines drop the verb of speaking."""
    result = list(words)
    if words[claim].head == verb:
        hang(result, claim, claim, "root")
    hang(result, speaker, claim, ATTRIBUTION)
    _name_source(result, speaker)
    _name_after_role(result, speaker)
    hang(result, verb, claim, "discourse")
    return result


def _name_source(words: list[Word], speaker: int) -> None:
    """*People familiar with the matter* become *sources*."""
    beside = dependents(words, speaker)
    informed = any(words[k].lemma in _INFORMED for k in beside)
    if words[speaker].lemma not in _ANYBODY or not informed or words[speaker].quotation:
        return
    key = "source" if words[speaker].form == "NN" else "sources"
    words[speaker] = replace(words[speaker], text=key, key=key, lemma="source")
    for k in beside:
        hang(words, k, speaker, "discourse")


def _name_after_role(words: list[Word], speaker: int) -> None:
    """The role of a speaker is above the name, which headlines may omit: *analyst Jo Smith*."""
    below = dependents(words, speaker)
    before = (k for k in below if k < speaker and words[k].relation == "compound" and words[k].form == "NN")
    roles = [k for k in before if words[k].text.islower() and is_title(words[k])]
    if words[speaker].tag != "PROPN" or not roles:
        return
    role = roles[-1]
    hang(words, role, words[speaker].head, ATTRIBUTION)
    hang(words, speaker, role, "appos")
    for k in below:
        if k < role or k > speaker:
            hang(words, k, role)


def _with_source(words: list[Word], according: int) -> list[Word]:
    """*According to a study* at the beginning or at the end of a sentence belongs to the sentence."""
    source = words[according].head
    if words[source].head == source or (according and span_of(words, source).stop < len(words)):
        return words
    result = list(words)
    hang(result, source, root_of(words), ATTRIBUTION)
    _name_source(result, source)
    for i in (according, according + 1):
        if words[i].head == source and words[i].relation == "case":
            hang(result, i, source, "discourse")
    return result


def attribution_span(words: Sequence[Word]) -> tuple[range, bool]:
    """The positions of the sentence's attribution, and whether it precedes its clause."""
    for i, word in enumerate(words):
        if word.relation == ATTRIBUTION:
            below = [k for k in range(len(words)) if is_below(words, k, i) and words[k].relation != "discourse"]
            return range(min(below), max(below) + 1), i < word.head
    return range(0), False


def with_speaker(words: Sequence[Word]) -> list[Word] | None:
    """The sentence rewritten: the reported clause is the root, and the speaker is its subject.

    None if no clause is reported, or its pronoun may mean someone else.
    """
    for claim, speaker, verb in _reports(words):
        pronoun = subject_of(words, claim)
        if pronoun is not None and not words[pronoun].quotation and _may_mean(words, words[pronoun].key, speaker):
            result = _attribute(words, claim, speaker, verb)
            hang(result, speaker, result[speaker].head, words[pronoun].relation)
            hang(result, pronoun, verb, "discourse")
            return result
    return None


def announced(words: Sequence[Word]) -> list[Word] | None:
    """The sentence rewritten as *speaker: clause*; None if no clause with a subject of its own is reported."""
    return _attribute(words, *found) if (found := announcement(words)) else None


def announcement(words: Sequence[Word]) -> tuple[int, int, int] | None:
    """The reported clause, the speaker and the verb of *speaker says clause*."""
    for claim, speaker, verb in _reports(words):
        subject = subject_of(words, claim)
        if subject is not None and "PRON" not in {words[speaker].tag, words[subject].tag}:
            return claim, speaker, verb
    return None


def _reports(words: Sequence[Word]) -> Iterator[tuple[int, int, int]]:
    """The clauses that a main verb of speaking reports, not *did not say*, *may say*, *said to him*.

    For each, its head, the speaker and the verb.
    """
    for claim, word in enumerate(words):
        verb = word.head
        if word.relation != "ccomp" or word.tag not in _PREDICATES or words[verb].head != verb:
            continue
        speaker, subject = subject_of(words, verb), subject_of(words, claim)
        if words[verb].lemma not in word_list("reporting") or speaker is None or subject is None:
            continue
        hedged = any(words[k].relation in {"aux", "advmod", "obj", "iobj"} for k in dependents(words, verb))
        beside = [w for w in words[:claim] if w.head == claim]
        asked = any(w.lemma in _QUESTIONS or (w.key == "to" and w.relation == "mark") for w in beside)
        if speaker < verb < subject and not hedged and not asked:
            yield claim, speaker, verb


def subject_of(words: Sequence[Word], verb: int) -> int | None:
    """The position of the subject of a verb."""
    return next((k for k in dependents(words, verb) if words[k].relation in SUBJECTS), None)


def _may_mean(words: Sequence[Word], pronoun: str, speaker: int) -> bool:
    """Whether a pronoun refers to the speaker: *it* to an organization, *he* to a named person, *they* to several."""
    word = words[speaker]
    beside = [words[k] for k in dependents(words, speaker)]
    named = word.form == "NNPS" and not any(w.key == "the" for w in beside)  # BAE Systems, not the Eagles
    several = (word.form in {"NNS", "NNPS"} and not named) or any(w.relation == "conj" for w in beside)
    things = counted_words("things")
    organized = word.lemma in things or (len(word.text) > 1 and word.text.isupper())
    organized = organized or named or any(is_label(w) or w.lemma in things for w in (word, *beside))
    alone = word.tag == "PROPN" and all(w.relation not in {"compound", "nmod", "appos"} for w in beside)
    if pronoun == "they":
        return several
    if pronoun in _PERSONS:
        return word.tag == "PROPN" and not several and not organized
    # A single word, *Acme*, is rarely a person: *it* would have no antecedent in the sentence.
    return pronoun == "it" and (organized or alone) and not several
