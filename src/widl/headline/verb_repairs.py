"""Repairs of parsers' errors about verbs, subjects and objects."""

from collections.abc import Sequence, Set
from dataclasses import replace

from widl.headline.word_lists import word_list, word_set
from widl.headline.words import FINITE, NOUNS, Word, has_subject, is_below, root_of, span_of

_AUXILIARIES = word_set("aux aux:pass cop")
_MISREAD_SPEAKERS = word_set("appos conj obj dep nmod obl:unmarked")
_LINKS = word_set("as after before when while")
_SUBORDINATE = word_set("advcl acl acl:relcl")
_OBJECTS = word_set("obj ccomp xcomp aux:pass nsubj:pass")
_OF_PASSIVES = word_set("aux aux:pass mark obl:agent nsubj xcomp")


def verb_for_adjective(words: list[Word]) -> list[Word]:
    """A verb with a subject, parsed as part of the noun after it, the root: *the crew boarded shuttle Endeavour*."""
    for i, word in enumerate(words):
        top = word.head
        while words[top].relation == "compound":
            top = words[top].head
        noun = words[top]
        joined = word.relation in {"amod", "compound"} and noun.relation == "root" and noun.tag in NOUNS
        if not joined or word.tag != "VERB":
            continue
        if has_subject(words, i) and not has_subject(words, top):
            result = [replace(w, head=i) if w.head == top and k < i else w for k, w in enumerate(words)]
            result[i] = replace(word, head=i, relation="root")
            result[top] = replace(noun, head=i, relation="obj")
            return result
    return words


def verb_for_noun(words: list[Word]) -> list[Word]:
    """The verb of a sentence whose root is a noun without a verb; the noun is its subject."""
    if not words or words[root := root_of(words)].tag not in NOUNS:
        return words
    if any(w.form in FINITE and w.head == root and w.relation not in _SUBORDINATE for w in words):
        return words
    candidates = (_finite_modifier, _participle_after_aside, _last_participle, _participle_with_object)
    verb = next((verb for find in candidates if (verb := find(words, root)) is not None), None)
    if verb is None:
        return words
    top = _child_above(words, verb, root)
    result = [replace(w, head=verb) if w.head == root and k > verb else w for k, w in enumerate(words)]
    form = words[verb].form if words[verb].form in FINITE else "VBD"
    result[verb] = replace(words[verb], head=verb, relation="root", form=form)
    result[root] = replace(words[root], head=verb, relation="nsubj")
    if top > verb:
        result[top] = replace(words[top], head=verb, relation="obj")
    return result


def _child_above(words: Sequence[Word], i: int, root: int) -> int:
    """The child of the root that is above a word, or the word itself."""
    while words[i].head not in {i, root}:
        i = words[i].head
    return i


def _finite_modifier(words: Sequence[Word], root: int) -> int | None:
    """A finite verb parsed as part of a later noun: *crews this week continued repair work*."""
    for i, word in enumerate(words[root + 1 :], root + 1):
        same = word.form == "VBD" and word.key == word.lemma  # startup
        finite = word.form in FINITE and not same and word.tag == "VERB" and word.relation in {"amod", "compound"}
        if finite and _child_above(words, i, root) > i and not has_subject(words, i):
            return i
    return None


def _participle_after_aside(words: Sequence[Word], root: int) -> int | None:
    """A verb after an aside, parsed as a participle: *Norvik, a port, opened a museum*."""
    for i in range(root + 2, len(words)):
        divided = words[i - 1].closing.endswith(",") and words[root].closing.endswith(",")
        if divided and words[i].head == root and words[i].relation == "acl" and words[i].form == "VBN":
            return i
    return None


def _last_participle(words: Sequence[Word], root: int) -> int | None:
    """The last of two participles: *a miner trapped in a shaft called for help*."""
    first = next((i for i in range(root + 1, len(words)) if _is_participle(words, i, {root})), None)
    if first is None:
        return None
    inside = {root, *(() if words[root].closing else span_of(words, first))}
    verb = next((i for i in range(first + 2, len(words)) if _is_participle(words, i, inside)), None)
    if verb is None or any(word.closing for word in words[root:verb]) or words[verb].head == first:
        return None
    return verb


def _participle_with_object(words: Sequence[Word], root: int) -> int | None:
    """A participle with an object: *a blast and a fire killed two miners*."""
    for i in range(root + 1, len(words)):
        participle = words[i].head == root and words[i].relation == "acl" and words[i].form == "VBN"
        if participle and any(w.head == i and w.relation == "obj" for w in words):
            return i
    return None


def _is_participle(words: Sequence[Word], i: int, heads: Set[int]) -> bool:
    """Whether a word is a bare past participle of one of some words."""
    word = words[i]
    bare = not any(w.head == i and w.relation in {"aux", "aux:pass", "mark"} for w in words)
    return word.relation == "acl" and word.form in {"VBN", "VBD"} and word.head in heads and bare


def verb_of_conjunct(words: list[Word]) -> list[Word]:
    """A verb in the past after *and* or *but*, parsed as part of a noun: *Chile beat Peru but lost captain Silva*."""
    for i, verb in enumerate(words):
        past = verb.relation == "amod" and verb.form == "VBD" and verb.key != verb.lemma and verb.head > i
        if not past or i == 0 or words[i - 1].relation != "cc":
            continue
        top = i
        while words[top].head != top and not (words[top].form == "VBD" and top < i):
            top = words[top].head
        if top > i or words[top].form != "VBD":
            continue
        noun = next(k for k in range(i + 1, len(words)) if words[k].head <= i and is_below(words, i, k))
        result = [replace(w, head=i) if k > noun and w.head in {top, noun} else w for k, w in enumerate(words)]
        result[i - 1] = replace(words[i - 1], head=i)
        result[i] = replace(verb, head=top, relation="conj")
        result[noun] = replace(words[noun], head=i, relation="obj")
        return result
    return words


def subject_for_apposition(words: list[Word]) -> list[Word]:
    """A finite verb without a subject right after a comma and a noun: *after talks with Peru, Chile has agreed*.

    Parsers label the noun as an apposition of the noun before the comma, as its conjunct, or as the subject of
    a participle: *the mine must close, experts meeting in Oslo said*.
    """
    if not words:
        return words
    root = root_of(words)
    beside = [word for i, word in enumerate(words) if word.head == root != i]
    finite = words[root].form in FINITE or any(w.form in FINITE and w.relation in _AUXILIARIES for w in beside)
    if words[root].tag not in {"VERB", "AUX"} or not finite or has_subject(words, root):
        return words
    for i, word in enumerate(words[:root]):
        participle = word.relation == "nsubj" and words[word.head].form == "VBG"
        if word.tag not in NOUNS or not (participle or word.relation in {"appos", "conj"}):
            continue
        top = word.head if participle else i
        below = [k for k in range(len(words)) if is_below(words, k, top)]
        behind_comma = min(below) > 0 and words[min(below) - 1].closing.endswith(",")
        if behind_comma and all(other.head == root for other in words[max(below) + 1 : root]):
            result = list(words)
            result[i] = replace(word, head=root, relation="nsubj")
            if participle:
                result[top] = replace(words[top], head=i, relation="acl")
            return result
    return words


def subject_of_auxiliary(words: list[Word]) -> list[Word]:
    """The dependents of an auxiliary are the verb's: *the price will within a year double*."""
    above = [words[w.head].head if words[w.head].relation in {"aux", "aux:pass"} else w.head for w in words]
    return [
        replace(word, head=head) if head not in {i, word.head} else word
        for i, (word, head) in enumerate(zip(words, above, strict=True))
    ]


def object_for_measure(words: list[Word]) -> list[Word]:
    """A name right after an active verb without an object is its object, not a measure: *Chile beat Peru 2-1*."""
    result = list(words)
    for i, name in enumerate(words):
        verb = name.head
        named = name.tag == "PROPN" or (words[verb].lemma == "score" and name.tag == "NOUN")
        measures = name.relation == "obl:unmarked" and named and name.lemma not in word_list("times")
        if not measures or verb >= i or words[verb].tag != "VERB" or words[verb].closing:
            continue
        beside = {word.relation for k, word in enumerate(words) if word.head == verb != k}
        if is_below(words, verb + 1, i) and not beside & _OBJECTS:
            result[i] = replace(name, relation="obj")
    return result


def object_before_clause(words: list[Word]) -> list[Word]:
    """An object parsed as the subject of the clause after it: *a blast killed two miners as a rescuer arrived*."""
    result = list(words)
    for i, word in enumerate(words):
        clause = word.head
        verb = words[clause].head
        if word.relation != "nsubj" or words[clause].relation != "advcl" or span_of(words, i).start != verb + 1:
            continue
        subject = next((k for k in range(i + 1, clause) if words[k].head == i and words[k].relation == "nmod"), 0)
        link = next((k for k in range(i + 1, subject) if words[k].head == subject and words[k].key in _LINKS), 0)
        if not link or any(w.head == verb and w.relation in _OBJECTS for w in words):
            continue
        result[i] = replace(word, head=verb, relation="obj")
        result[subject] = replace(words[subject], head=clause, relation="nsubj")
        result[link] = replace(words[link], head=clause, relation="mark")
    return result


def speaker_for_object(words: list[Word]) -> list[Word]:
    """A noun after the last comma and a verb of saying, parsed as its participle: *…, the news agency reported*."""
    for i, verb in enumerate(words):
        begin = next((k + 1 for k in range(i - 1, -1, -1) if words[k].closing.endswith(",")), 0)
        spoken = verb.lemma in word_list("reporting") and verb.form in {"VBD", "VBN"} and verb.head != i
        if not spoken or not begin or any(w.head == i and w.relation in _OF_PASSIVES for w in words):
            continue
        noun = next((k for k in range(begin, i) if not begin <= words[k].head < i), i)
        phrase = [k for k in range(begin, i) if is_below(words, k, noun)]
        clauses = [k for k in range(i + 1, len(words)) if words[k].relation == "advcl" and words[k].head < begin]
        last = all(any(is_below(words, k, top) for top in (i, *clauses)) for k in range(i, len(words)))
        if noun == i or words[noun].tag not in NOUNS or len(phrase) < i - begin or not last:
            continue
        root = root_of(words)
        if is_below(words, root, i) or words[noun].relation not in _MISREAD_SPEAKERS:
            continue
        result = list(words)
        result[i] = replace(verb, head=root, relation="parataxis")
        result[noun] = replace(words[noun], head=i, relation="nsubj")
        return result
    return words


def second_object(words: list[Word]) -> list[Word]:
    """A second object after other phrases belongs to a clause that the parser lost: a conjunct without *and*."""
    result = list(words)
    for i, word in enumerate(words):
        objects = [k for k in range(word.head, i) if words[k].head == word.head and words[k].relation == "obj"]
        if word.relation == "obj" and objects and span_of(words, objects[-1]).stop < span_of(words, i).start:
            result[i] = replace(word, relation="conj")
    return result


def conjunction_for_verb(words: list[Word]) -> list[Word]:
    """A conjunction right before a clause joins that clause: *throws passes, and Lehigh wins*."""
    result = list(words)
    for i, verb in enumerate(words):
        if verb.relation != "conj" or verb.tag != "VERB" or any(w.head == i and w.relation == "cc" for w in words):
            continue
        begin = span_of(words, i).start
        joining = words[begin - 1] if begin else None
        if joining is not None and joining.relation == "cc" and joining.head != i:
            result[begin - 1] = replace(joining, head=i)
    return result
