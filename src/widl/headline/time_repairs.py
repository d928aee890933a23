"""Repairs of parsers' errors about days and other times."""

from dataclasses import replace
from itertools import pairwise

from widl.headline.word_lists import DAYS, word_list, word_set
from widl.headline.words import NOUNS, SUBJECTS, Word, has_subject

_OBJECTS = word_set("obj ccomp xcomp aux:pass nsubj:pass")


def say_dates(words: list[Word]) -> list[Word]:
    """*On Monday* after *said* and before the subject of the reported clause is the time of saying."""
    result = list(words)
    for i, word in enumerate(words):
        verb = words[word.head]
        if word.key not in DAYS or verb.relation != "ccomp" or not verb.head < i < word.head:
            continue
        subjects = [k for k, other in enumerate(words) if other.head == word.head and other.relation[:5] == "nsubj"]
        close = all(other.key == "on" for other in words[verb.head + 1 : i]) and not words[verb.head].closing
        if close and subjects and min(subjects) > i:
            result[i] = replace(word, head=verb.head)
    return result


def subject_after_day(words: list[Word]) -> list[Word]:
    """*Said on Monday Acme must close*: the name after the day is the subject of the reported clause."""
    for i, (day, name) in enumerate(pairwise(words)):
        verb = name.head
        if day.key not in DAYS or day.relation != "compound" or day.head != i + 1 or name.relation != "obl":
            continue
        claim = next((k for k, w in enumerate(words) if w.head == verb != k and w.relation == "ccomp"), 0)
        if claim <= i or has_subject(words, claim):
            continue
        result = list(words)
        result[i] = replace(day, head=verb, relation="obl")
        result[i + 1] = replace(name, head=claim, relation="nsubj")
        for k, word in enumerate(words[:i]):
            if word.head == i + 1 and word.relation == "case":
                result[k] = replace(word, head=i)
        return result
    return words


def day_in_name(words: list[Word]) -> list[Word]:
    """A day after a name, parsed as its last word, is the time of the verb: *Norvik Monday said*."""
    for i, (name, day) in enumerate(pairwise(words)):
        if day.key not in DAYS or day.relation not in SUBJECTS or name.head != i + 1 or name.tag != "PROPN":
            continue
        result = [replace(w, head=i) if w.head == i + 1 and k <= i else w for k, w in enumerate(words)]
        result[i] = replace(name, head=day.head, relation=day.relation)
        result[i + 1] = replace(day, relation="obl:unmarked")
        return result
    return words


def day_before_name(words: list[Word]) -> list[Word]:
    """*On Monday* before a name, parsed as one phrase, is the time of the verb: *rejected on Monday Acme's offer*."""
    result = list(words)
    for i, (on, day) in enumerate(pairwise(words)):
        name, above = words[day.head], words[words[day.head].head]
        joined = on.key == "on" and on.relation == "case" and on.head == day.head > i + 1
        if not joined or day.key not in DAYS or above.tag != "VERB" or name.head >= i or name.tag not in NOUNS:
            continue
        objects = any(w.head == name.head and w.relation in _OBJECTS for w in words)
        result[i] = replace(on, head=i + 1)
        result[i + 1] = replace(day, head=name.head, relation="obl")
        result[day.head] = replace(name, relation=name.relation if objects else "obj")
    return result


def time_before_subject(words: list[Word]) -> list[Word]:
    """*In January* before a subject, parsed as part of its name, is the time of the verb: *in January Acme closed*."""
    result = list(words)
    for i, (link, time) in enumerate(pairwise(words)):
        name = words[time.head]
        joined = time.relation == "compound" and name.relation in SUBJECTS and time.head > i + 1
        if link.key in {"in", "on"} and joined and time.lemma in word_list("times"):
            result[i] = replace(link, head=i + 1, relation="case")
            result[i + 1] = replace(time, head=name.head, relation="obl")
    return result


def day_in_phrase(words: list[Word]) -> list[Word]:
    """A phrase with *of* after a day belongs to the noun before the day: *hopes on Monday of peace*."""
    result = list(words)
    for i, word in enumerate(words[3:], 3):
        of = next((k for k in range(word.head + 1, i) if words[k].head == i), None)
        on = word.head - 1
        if words[word.head].key not in DAYS or of is None or of != word.head + 1 or words[of].key != "of":
            continue
        noun = on - (words[on].key == "on")
        if noun >= 0 and words[noun].tag == "NOUN" and words[noun].head == words[word.head].head:
            result[i] = replace(word, head=noun, relation="acl" if word.tag == "VERB" else "nmod")
    return result


def time_before_clause(words: list[Word]) -> list[Word]:
    """A length of time right before *after* or *before* measures the phrase: *died two weeks after an operation*."""
    result = list(words)
    for i, (time, link) in enumerate(pairwise(words)):
        measured = time.relation == "obl:unmarked" and time.lemma in word_list("times") and not time.closing
        linked = (
            link.key in {"after", "before"} and link.relation in {"mark", "case"} and words[link.head].head == time.head
        )
        if measured and linked and any(w.head == i and w.tag in {"NUM", "DET"} for w in words):
            result[i] = replace(time, head=link.head)
    return result
