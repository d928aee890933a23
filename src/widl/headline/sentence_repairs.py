"""Repairs of sentences: regular errors of parsers, as functions from a tree of words to a tree of words."""

from dataclasses import replace
from itertools import pairwise

from widl.headline.name_repairs import (
    daily,
    description_for_name,
    foreign_article,
    labels,
    name_after_title,
    name_for_description,
    name_of_subject,
    second_subject,
    two_titles,
)
from widl.headline.time_repairs import (
    day_before_name,
    day_in_name,
    day_in_phrase,
    say_dates,
    subject_after_day,
    time_before_clause,
    time_before_subject,
)
from widl.headline.verb_repairs import (
    conjunction_for_verb,
    object_before_clause,
    object_for_measure,
    second_object,
    speaker_for_object,
    subject_for_apposition,
    subject_of_auxiliary,
    verb_for_adjective,
    verb_for_noun,
    verb_of_conjunct,
)
from widl.headline.word_lists import word_set
from widl.headline.words import FINITE, SUBJECTS, Word

_COUNTED = word_set("percent pct cents cts dollars dlrs euros pounds yen times million billion mln bln")
_AUXILIARIES = word_set("aux aux:pass cop")
_SEVERAL = word_set("group team number series string handful couple pair crowd host range variety spate")
_PLURAL_FORMS = {"is": "are", "was": "were", "has": "have", "does": "do"}


def repaired(words: list[Word]) -> list[Word]:
    """Corrects regular errors of parsers in a sentence; the words form a tree before and after."""
    for mend in (
        _per,
        say_dates,
        day_in_name,
        time_before_subject,
        day_in_phrase,
        daily,
        subject_after_day,
        day_before_name,
        subject_of_auxiliary,
        verb_for_adjective,
        verb_for_noun,
        subject_for_apposition,
        verb_of_conjunct,
        conjunction_for_verb,
        _first_conjunct,
        _such_as,
        foreign_article,
        labels,
        description_for_name,
        name_of_subject,
        second_subject,
        name_after_title,
        name_for_description,
        two_titles,
        object_for_measure,
        object_before_clause,
        speaker_for_object,
        second_object,
        time_before_clause,
        _several,
    ):
        words = mend(words)
    return words


def _per(words: list[Word]) -> list[Word]:
    """The article of *$1 a barrel* and *5 percent a year* is a preposition."""
    result = list(words)
    for i, (before, word) in enumerate(pairwise(words), 1):
        counted = not before.closing and (before.key in _COUNTED or any(map(str.isdigit, before.text)))
        if word.key in {"a", "an"} and word.relation == "det" and word.head == i + 1 and counted:
            result[i] = replace(word, relation="case")
    return result


def _first_conjunct(words: list[Word]) -> list[Word]:
    """A noun with *and* before a later noun is its first conjunct: *the theft and brutal assault*."""
    result = list(words)
    for i, (noun, link) in enumerate(pairwise(words)):
        second = noun.head
        joined = noun.relation == "compound" and noun.tag == "NOUN" and link.relation == "cc" and link.head == i
        if not joined or second <= i + 1 or words[second].tag != "NOUN":
            continue
        for k, word in enumerate(words):
            if word.head == second and k < i:
                result[k] = replace(word, head=i)
        top = i if words[second].head == second else words[second].head
        result[i] = replace(noun, head=top, relation=words[second].relation)
        result[i + 1] = replace(link, head=second)
        result[second] = replace(words[second], head=i, relation="conj")
        return result
    return words


def _such_as(words: list[Word]) -> list[Word]:
    """*Such* in *such as* is part of the preposition."""
    result = list(words)
    for i, (such, following) in enumerate(pairwise(words)):
        if such.key == "such" and following.key == "as" and following.relation == "case":
            result[i] = replace(such, head=following.head, relation="case")
    return result


def _several(words: list[Word]) -> list[Word]:
    """*A group of miners*, a subject, becomes *miners*; the verb is plural."""
    result = list(words)
    for i, group in enumerate(words[:-1]):
        below = [k for k, word in enumerate(words) if word.head == i != k]
        plural = words[i + 1].head
        counted = group.lemma in _SEVERAL and group.relation in SUBJECTS and words[plural].form == "NNS"
        article = [k for k in below if k < i]
        if not counted or words[i + 1].key != "of" or plural not in below or len(article) != 1:
            continue
        if words[article[0]].key not in {"a", "an"}:
            continue
        for k in below:
            result[k] = replace(words[k], head=plural)
        for k in (*article, i, i + 1):
            result[k] = replace(words[k], head=plural, relation="discourse")
        result[plural] = replace(words[plural], head=group.head, relation=group.relation)
        _agree(result, group.head)
    return result


def _agree(words: list[Word], verb: int) -> None:
    """Makes the finite word of a verb plural."""
    group = (k for k, w in enumerate(words) if k == verb or (w.head == verb and w.relation in _AUXILIARIES))
    finite = next((k for k in group if words[k].form in FINITE), None)
    if finite is not None:
        word = words[finite]
        key = _PLURAL_FORMS.get(word.key, word.lemma if word.form == "VBZ" else word.key)
        words[finite] = replace(word, text=key, key=key)
