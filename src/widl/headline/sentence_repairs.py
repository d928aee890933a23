"""Repairs of sentences: regular errors of parsers, as functions from a tree of words to a tree of words."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from widl.headline.word_lists import DAYS, counted_words, word_list, word_set
from widl.headline.words import FINITE, NOUNS, Word, is_below, is_label, span_of

_COUNTED = word_set("percent pct cents cts dollars dlrs euros pounds yen times million billion mln bln")
_AUXILIARIES = word_set("aux aux:pass cop")
_SUBJECTS = ("nsubj", "csubj", "expl")
_FOREIGN = word_set("Le La Les El Los Las")
_BEFORE_TITLES = word_set("amod compound nmod:poss det nummod")
_OF_NAMES = word_set("case cc mark cop")
_OBJECTS = word_set("obj ccomp xcomp aux:pass nsubj:pass")


def repaired(words: list[Word]) -> list[Word]:
    """Corrects regular errors of parsers in a sentence; the words form a tree before and after."""
    for mend in (
        _per,
        _say_dates,
        _subject_after_day,
        _verb_for_adjective,
        _verb_for_participle,
        _subject_for_apposition,
        _conjunction_for_verb,
        _such_as,
        _foreign_article,
        _labels,
        _description_for_name,
        _name_of_subject,
        _second_subject,
        _name_for_description,
        _object_for_measure,
        _speaker_for_object,
        _second_object,
    ):
        words = mend(words)
    return words


def _per(words: list[Word]) -> list[Word]:
    """The article of *$1 a barrel* and *5 percent a year* is a preposition."""
    result = list(words)
    for i, (before, word) in enumerate(pairwise(words), 1):
        counted = before.key in _COUNTED or any(map(str.isdigit, before.text)) and not before.closing
        if word.key in {"a", "an"} and word.relation == "det" and word.head == i + 1 and counted:
            result[i] = replace(word, relation="case")
    return result


def _say_dates(words: list[Word]) -> list[Word]:
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


def _subject_after_day(words: list[Word]) -> list[Word]:
    """*Said on Monday Acme must close*: the name after the day is the subject of the reported clause."""
    for i, (day, name) in enumerate(pairwise(words)):
        verb = name.head
        if day.key not in DAYS or day.relation != "compound" or day.head != i + 1 or name.relation != "obl":
            continue
        claim = next((k for k, w in enumerate(words) if w.head == verb != k and w.relation == "ccomp"), 0)
        if claim <= i or _has_subject(words, claim):
            continue
        result = list(words)
        result[i] = replace(day, head=verb, relation="obl")
        result[i + 1] = replace(name, head=claim, relation="nsubj")
        for k, word in enumerate(words[:i]):
            if word.head == i + 1 and word.relation == "case":
                result[k] = replace(word, head=i)
        return result
    return words


def _verb_for_adjective(words: list[Word]) -> list[Word]:
    """A verb with a subject, parsed as part of the noun after it, the root: *the crew boarded shuttle Endeavour*."""
    for i, word in enumerate(words):
        top = word.head
        while words[top].relation == "compound":
            top = words[top].head
        noun = words[top]
        joined = word.relation in {"amod", "compound"} and noun.relation == "root" and noun.tag in NOUNS
        if not joined or word.tag != "VERB":
            continue
        if _has_subject(words, i) and not _has_subject(words, top):
            result = [replace(w, head=i) if w.head == top and k < i else w for k, w in enumerate(words)]
            result[i] = replace(word, head=i, relation="root")
            result[top] = replace(noun, head=i, relation="obj")
            return result
    return words


def _verb_for_participle(words: list[Word]) -> list[Word]:
    """A verb after an aside, parsed as a participle of the noun, the root: *Norvik, a port, opened a museum*."""
    root = next((i for i, word in enumerate(words) if word.head == i), 0)
    if not words or words[root].tag not in NOUNS or any(w.form in FINITE and w.head == root for w in words):
        return words
    for i, word in enumerate(words):
        divided = i > root + 1 and words[i - 1].closing.endswith(",") and words[root].closing.endswith(",")
        if divided and word.head == root and word.relation == "acl" and word.form == "VBN":
            result = list(words)
            result[i] = replace(word, head=i, relation="root", form="VBD")
            result[root] = replace(words[root], head=i, relation="nsubj")
            return result
    return words


def _subject_for_apposition(words: list[Word]) -> list[Word]:
    """A finite verb without a subject right after a comma and a noun: *after talks with Peru, Chile has agreed*.

    Parsers label the noun as an apposition of the noun before the comma, as its conjunct, or as the subject of
    a participle: *the mine must close, experts meeting in Oslo said*.
    """
    if not words:
        return words
    root = next(i for i, word in enumerate(words) if word.head == i)
    beside = [word for i, word in enumerate(words) if word.head == root != i]
    finite = words[root].form in FINITE or any(w.form in FINITE and w.relation in _AUXILIARIES for w in beside)
    if words[root].tag not in {"VERB", "AUX"} or not finite or _has_subject(words, root):
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


def _conjunction_for_verb(words: list[Word]) -> list[Word]:
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


def _such_as(words: list[Word]) -> list[Word]:
    """*Such* in *such as* is part of the preposition."""
    result = list(words)
    for i, (such, following) in enumerate(pairwise(words)):
        if such.key == "such" and following.key == "as" and following.relation == "case":
            result[i] = replace(such, head=following.head, relation="case")
    return result


def _foreign_article(words: list[Word]) -> list[Word]:
    """A foreign article in a name is part of the name: *Le Monde*."""
    result = list(words)
    for i, (article, following) in enumerate(pairwise(words)):
        if article.text in _FOREIGN and article.relation == "det" and following.tag == "PROPN":
            result[i] = replace(article, head=i + 1, relation="compound", tag="PROPN")
    return result


def _labels(words: list[Word]) -> list[Word]:
    """*And Co* after a name is a label, not a second company; *McDonald's* before *Corp* is a name, not an owner."""
    result = list(words)
    for i, word in enumerate(words):
        if not is_label(word):
            continue
        alone = all(other.relation in {"cc", "conj"} for k, other in enumerate(words) if other.head == i != k)
        if word.relation == "conj" and alone and words[word.head].tag == "PROPN":
            for k, other in enumerate(words):
                if k == i or (other.head == i and other.relation == "cc"):
                    result[k] = replace(other, relation="discourse")
        if i and words[i - 1].head == i and words[i - 1].relation == "nmod:poss":
            result[i - 1] = replace(words[i - 1], relation="compound")
    return result


def _description_for_name(words: list[Word]) -> list[Word]:
    """A description has its own modifiers; the name after it does not: *former Acme Chief Executive Jo Smith*, *US
    heavyweight Rulon Gardner*.
    """
    result = list(words)
    for i, noun in enumerate(words):
        name = noun.head
        if not _describes(noun) or name <= i or words[name].tag != "PROPN" or _describes(words[i + 1]):
            continue
        above = {name, words[name].head} if words[name].relation == "compound" else {name}
        if max(above) - i > 3 or any(word.closing for word in words[i:name]):
            continue
        result[i] = replace(noun, head=max(above))
        for k, word in enumerate(words[:i]):
            if word.head in above and k not in above and word.relation in _BEFORE_TITLES:
                result[k] = replace(word, head=i)
    return result


def _describes(word: Word) -> bool:
    """Whether a word before a name is a title or another noun."""
    titled = word.tag in NOUNS and word.lemma in counted_words("titles")
    before = word.relation == "compound" or (word.relation == "amod" and word.tag == "NOUN")
    return before and (titled or (word.form == "NN" and word.text.islower()))


def _name_of_subject(words: list[Word]) -> list[Word]:
    """A second subject, a name, after the last noun of the first: *deaths caused by storm Jeanne rise*."""
    result = list(words)
    for i, (noun, name) in enumerate(pairwise(words), 1):
        if name.tag != "PROPN" or name.relation != "nsubj" or noun.form != "NN" or noun.closing:
            continue
        subjects = (k for k in range(i - 1) if (words[k].head, words[k].relation) == (name.head, "nsubj"))
        if any(is_below(words, i - 1, subject) for subject in subjects):
            result[i] = replace(name, head=i - 1, relation="appos")
    return result


def _second_subject(words: list[Word]) -> list[Word]:
    """Two subjects or objects side by side are one: a noun and the name that it describes, or a name and *Inc*."""
    result = list(words)
    for i, word in enumerate(words):
        named = i + 1 < len(words) and word.tag == "PROPN" and is_label(words[i + 1])
        if not (word.form == "NN" or named) or word.closing or not word.relation.startswith(("nsubj", "obj")):
            continue
        place = word.head, word.relation
        name = next((k for k in range(i + 1, len(words)) if (words[k].head, words[k].relation) == place), None)
        if name is None or words[name].tag != "PROPN" or not all(is_below(words, k, name) for k in range(i + 1, name)):
            continue
        result[i] = replace(word, head=name, relation="compound")
    return result


def _name_for_description(words: list[Word]) -> list[Word]:
    """A name right after its description is the head: *the phone company Telmex*."""
    result = list(words)
    for i, name in enumerate(words):
        noun = name.head
        described = name.relation == "appos" and name.tag == "PROPN" and words[noun].form == "NN"
        if not described or not all(is_below(words, k, i) for k in range(noun + 1, i)):
            continue
        if noun > i or any(word.closing for word in words[noun:i]):
            continue
        for k, word in enumerate(words):
            if word.head == noun != k and k != i and (k > i or word.relation in _OF_NAMES):
                result[k] = replace(word, head=i)
        head = i if words[noun].head == noun else words[noun].head
        result[i] = replace(name, head=head, relation=words[noun].relation)
        result[noun] = replace(words[noun], head=i, relation="compound")
    return result


def _object_for_measure(words: list[Word]) -> list[Word]:
    """A name right after an active verb without an object is its object, not a measure: *Chile beat Peru 2-1*."""
    result = list(words)
    for i, name in enumerate(words):
        verb = name.head
        measures = name.relation == "obl:unmarked" and name.tag == "PROPN" and name.lemma not in word_list("times")
        if not measures or verb >= i or words[verb].tag != "VERB" or words[verb].closing:
            continue
        beside = {word.relation for k, word in enumerate(words) if word.head == verb != k}
        if is_below(words, verb + 1, i) and not beside & _OBJECTS:
            result[i] = replace(name, relation="obj")
    return result


def _speaker_for_object(words: list[Word]) -> list[Word]:
    """A noun after the last comma and a verb of saying, parsed as its participle: *…, the news agency reported*."""
    for i, verb in enumerate(words):
        noun = verb.head
        if verb.relation != "acl" or verb.lemma not in word_list("reporting") or words[noun].head == noun:
            continue
        phrase = span_of(words, noun)
        last = phrase.stop == len(words) and phrase.start > 0 and words[phrase.start - 1].closing.endswith(",")
        if last and all(words[k].key in DAYS or words[k].key == "on" for k in range(i + 1, len(words))):
            root = next(k for k, word in enumerate(words) if word.head == k)
            result = list(words)
            result[i] = replace(verb, head=root, relation="parataxis")
            result[noun] = replace(words[noun], head=i, relation="nsubj")
            return result
    return words


def _second_object(words: list[Word]) -> list[Word]:
    """A second object after other phrases belongs to a clause that the parser lost: a conjunct without *and*."""
    result = list(words)
    for i, word in enumerate(words):
        objects = [k for k in range(word.head, i) if words[k].head == word.head and words[k].relation == "obj"]
        if word.relation == "obj" and objects and span_of(words, objects[-1]).stop < span_of(words, i).start:
            result[i] = replace(word, relation="conj")
    return result


def _has_subject(words: Sequence[Word], i: int) -> bool:
    return any(word.head == i and word.relation.startswith(_SUBJECTS) for k, word in enumerate(words) if k != i)
