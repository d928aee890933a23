"""Repairs of sentences: regular errors of parsers, as functions from a tree of words to a tree of words."""

from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise

from widl.headline.word_lists import DAYS, counted_words, word_list, word_set
from widl.headline.words import FINITE, NOUNS, Word, is_below, is_label, span_of

_COUNTED = word_set("percent pct cents cts dollars dlrs euros pounds yen times million billion mln bln")
_AUXILIARIES = word_set("aux aux:pass cop")
_SUBJECTS = ("nsubj", "csubj", "expl")
SUBJECTS = word_set("nsubj nsubj:pass")
_FOREIGN = word_set("Le La Les El Los Las")
_BEFORE_TITLES = word_set("amod compound nmod:poss det nummod")
_OF_NAMES = word_set("case cc mark cop")
_OBJECTS = word_set("obj ccomp xcomp aux:pass nsubj:pass")
_OF_PASSIVES = word_set("aux aux:pass mark obl:agent nsubj xcomp")
_SEVERAL = word_set("group team number series string handful couple pair crowd host range variety spate")
_PLURAL_FORMS = {"is": "are", "was": "were", "has": "have", "does": "do"}


def repaired(words: list[Word]) -> list[Word]:
    """Corrects regular errors of parsers in a sentence; the words form a tree before and after."""
    for mend in (
        _per,
        _say_dates,
        _day_in_name,
        _day_in_phrase,
        _daily,
        _subject_after_day,
        _day_before_name,
        _verb_for_adjective,
        _verb_for_participle,
        _last_participle_for_verb,
        _verb_with_object,
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
        _time_before_clause,
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


def _day_in_name(words: list[Word]) -> list[Word]:
    """A day after a name, parsed as its last word, is the time of the verb: *Norvik Monday said*."""
    for i, (name, day) in enumerate(pairwise(words)):
        if day.key not in DAYS or day.relation not in SUBJECTS or name.head != i + 1 or name.tag != "PROPN":
            continue
        result = [replace(w, head=i) if w.head == i + 1 and k <= i else w for k, w in enumerate(words)]
        result[i] = replace(name, head=day.head, relation=day.relation)
        result[i + 1] = replace(day, relation="obl:unmarked")
        return result
    return words


def _day_before_name(words: list[Word]) -> list[Word]:
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


def _daily(words: list[Word]) -> list[Word]:
    """*Daily* between a noun and its verb is a newspaper: *the Norvik business daily said*."""
    result = list(words)
    for i, (noun, daily) in enumerate(pairwise(words)):
        if daily.key == "daily" and noun.relation in SUBJECTS and daily.head == noun.head > i + 1 and not noun.closing:
            result = [replace(w, head=i + 1) if w.head == i else w for w in result]
            result[i] = replace(noun, head=i + 1, relation="compound")
            result[i + 1] = replace(daily, relation=noun.relation, tag="NOUN", form="NN")
    return result


def _day_in_phrase(words: list[Word]) -> list[Word]:
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


def _verb_with_object(words: list[Word]) -> list[Word]:
    """A participle with an object after the root, a noun, is the verb: *a blast and a fire killed two miners*."""
    root = next((i for i, word in enumerate(words) if word.head == i), 0)
    if not words or words[root].tag not in NOUNS or any(w.form in FINITE and w.head == root for w in words):
        return words
    for i, word in enumerate(words):
        acts = word.head == root < i and word.relation == "acl" and word.form == "VBN"
        if acts and any(w.head == i and w.relation == "obj" for w in words):
            result = [replace(w, head=i) if w.head == root and k > i else w for k, w in enumerate(words)]
            result[i] = replace(word, head=i, relation="root", form="VBD")
            result[root] = replace(words[root], head=i, relation="nsubj")
            return result
    return words


def _last_participle_for_verb(words: list[Word]) -> list[Word]:
    """The last of two participles after the root, a noun, is the verb: *a miner trapped in a shaft called for help*."""
    root = next((i for i, word in enumerate(words) if word.head == i), 0)
    if not words or words[root].tag not in NOUNS or any(w.form in FINITE and w.head == root for w in words):
        return words
    first = next((i for i in range(root + 1, len(words)) if _is_participle(words, i, {root})), 0)
    inside = set(span_of(words, first)) if first and not words[root].closing else set[int]()
    verbs = (i for i in range(first + 2, len(words)) if _is_participle(words, i, {root, *inside}))
    verb = next(verbs, None)
    if not first or verb is None or any(word.closing for word in words[root:verb]) or words[verb].head == first:
        return words
    result = [replace(w, head=verb) if k > verb and w.head == root else w for k, w in enumerate(words)]
    result[verb] = replace(words[verb], head=verb, relation="root", form="VBD")
    result[root] = replace(words[root], head=verb, relation="nsubj")
    return result


def _is_participle(words: Sequence[Word], i: int, heads: Set[int]) -> bool:
    """Whether a word is a bare past participle of one of some words."""
    word = words[i]
    bare = not any(w.head == i and w.relation in {"aux", "aux:pass", "mark"} for w in words)
    return word.relation == "acl" and word.form in {"VBN", "VBD"} and word.head in heads and bare


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
    """A name right after its descriptions is the head: *the phone company Telmex*, *founder and editor Jo Smith*."""
    result = list(words)
    for i, name in enumerate(words):
        noun = name.head
        described = name.relation == "appos" and name.tag == "PROPN" and words[noun].form == "NN"
        if words[noun].relation == "conj" and _is_second_title(words, noun):
            noun = words[noun].head
        titles = [k for k in range(noun + 1, i) if words[k].head == noun and _is_second_title(words, k)]
        if not described or not all(
            is_below(words, k, i) or any(is_below(words, k, t) for t in titles) for k in range(noun + 1, i)
        ):
            continue
        if noun > i or any(word.closing.strip(".") for word in words[noun:i]):
            continue
        for k, word in enumerate(words):
            if (
                word.head in {noun, *titles}
                and k not in {noun, i}
                and (k > i or word.relation in _OF_NAMES and k < noun)
            ):
                result[k] = replace(word, head=i)
        head = i if words[noun].head == noun else words[noun].head
        result[i] = replace(name, head=head, relation=words[noun].relation)
        result[noun] = replace(words[noun], head=i, relation="compound")
    return result


def _is_second_title(words: Sequence[Word], i: int) -> bool:
    """Whether a word is the second of two titles of one person, without an article of its own."""
    titled = words[i].lemma in counted_words("titles") and words[words[i].head].lemma in counted_words("titles")
    return titled and words[i].relation == "conj" and not any(w.head == i and w.relation == "det" for w in words)


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
        begin = next((k + 1 for k in range(i - 1, -1, -1) if words[k].closing.endswith(",")), 0)
        spoken = verb.lemma in word_list("reporting") and verb.form in {"VBD", "VBN"} and verb.head != i
        if not spoken or not begin or any(w.head == i and w.relation in _OF_PASSIVES for w in words):
            continue
        noun = next((k for k in range(begin, i) if not begin <= words[k].head < i), i)
        phrase = [k for k in range(begin, i) if is_below(words, k, noun)]
        last = all(is_below(words, k, i) or k == i for k in range(i, len(words)))
        if noun == i or words[noun].tag not in NOUNS or len(phrase) < i - begin or not last:
            continue
        root = next(k for k, word in enumerate(words) if word.head == k)
        if is_below(words, root, i) or words[noun].relation not in {
            "appos",
            "conj",
            "obj",
            "dep",
            "nmod",
            "obl:unmarked",
        }:
            continue
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


def _time_before_clause(words: list[Word]) -> list[Word]:
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


def _has_subject(words: Sequence[Word], i: int) -> bool:
    return any(word.head == i and word.relation.startswith(_SUBJECTS) for k, word in enumerate(words) if k != i)
