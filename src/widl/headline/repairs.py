"""Repairs of a parser's regular errors: functions that give words other heads and relations, in place.

Each one changes at least one printed headline in a thousand: CONTRIBUTING.md has the floor for rules. They run one
after another in the order of `repaired`; each takes a tree and leaves one, and may rely on those before it.
"""

import re
from dataclasses import replace
from itertools import chain, pairwise

from widl.headline.word_lists import DAYS, PERIODS, word_list, word_set
from widl.headline.words import (
    FINITE,
    NOUNS,
    SUBJECTS,
    Word,
    dependents,
    hang,
    has_subject,
    is_below,
    is_label,
    is_title,
    root_of,
    span_of,
)

_OF_CLAUSES = word_set("root advcl ccomp")
_AUXILIARIES = word_set("aux aux:pass cop")
_BEFORE_TITLES = word_set("amod compound nmod:poss det nummod")
_MISREAD_SPEAKERS = word_set("appos conj obj dep nmod obl:unmarked")
_OBJECTS = word_set("obj ccomp xcomp aux:pass nsubj:pass")
_OF_PHRASES = word_set("case mark nummod")
_OF_NAMES = word_set("case cc mark cop")
_OF_PASSIVES = word_set("aux aux:pass mark obl:agent nsubj xcomp")
_BESIDE_NAMES = word_set("appos conj dep")
_DIVIDED = word_set("nsubj nsubj:pass obj")
_DENIED = word_set("NOUN PROPN NUM PRON")
_PLURAL_FORMS = {"is": "are", "was": "were", "has": "have", "does": "do"}
_SUBORDINATE = word_set("advcl acl acl:relcl")
_SCORE = re.compile(r"[0-9]{1,3}[-–][0-9]{1,3}")
_TIMES_OF_DAY = word_set("morning afternoon evening night")
_CONDITIONS_OF_DENIALS = word_set("unless until till before without if")
_REPORTED_PERIODS = PERIODS | {"quarter"}
_SEVERAL = word_set("group team number series string handful couple pair crowd host range variety spate")


def repaired(words: list[Word]) -> list[Word]:
    """The words without regular errors; they form a tree before and after."""
    result = list(words)
    for repair in (
        _time_of_saying,
        _day_before_object,
        _dependents_of_auxiliary,
        _verb_below_noun,
        _subject_after_comma,
        _conjunction,
        _label,
        _described_name,
        _two_subjects,
        _divided_subject,
        _list_without_and,
        _name_after_description,
        _speaker_after_comma,
        _second_object,
        _several,
        _not_but,
        _divided_phrase,
        _before_title,
        _time_of_day,
        _scores,
        _votes,
        _time_of_superlative,
        _infinitive_of_noun,
        _condition_of_denial,
        _finite_participle,
    ):
        repair(result)
    return result


def _time_of_saying(words: list[Word]) -> None:
    """*On Monday* after *said* and before the subject of the reported clause is the time of saying."""
    for i, word in enumerate(words):
        verb = words[word.head]
        if word.key not in DAYS or verb.relation != "ccomp" or not verb.head < i < word.head:
            continue
        subjects = [k for k in dependents(words, word.head) if words[k].relation in SUBJECTS]
        close = all(other.key == "on" for other in words[verb.head + 1 : i]) and not words[verb.head].closing
        if close and subjects and subjects[0] > i:
            hang(words, i, verb.head)


def _day_before_object(words: list[Word]) -> None:
    """*On Monday* before a name, parsed as one phrase, is the time of the verb: *rejected on Monday Acme's offer*."""
    for i, (on, day) in enumerate(pairwise(words)):
        name, above = words[day.head], words[words[day.head].head]
        joined = on.key == "on" and on.relation == "case" and on.head == day.head > i + 1
        if not joined or day.key not in DAYS or above.tag != "VERB" or name.head >= i or name.tag not in NOUNS:
            continue
        complete = any(words[k].relation in _OBJECTS for k in dependents(words, name.head))
        hang(words, i, i + 1)
        hang(words, i + 1, name.head, "obl")
        hang(words, day.head, name.head, "" if complete else "obj")


def _dependents_of_auxiliary(words: list[Word]) -> None:
    """The dependents of an auxiliary are the verb's: *the price will within a year double*."""
    verbs = [words[w.head].head if words[w.head].relation in {"aux", "aux:pass"} else w.head for w in words]
    for i, verb in enumerate(verbs):
        if verb not in {i, words[i].head}:
            hang(words, i, verb)


def _verb_below_noun(words: list[Word]) -> None:
    """The verb of a sentence whose root is a noun without a verb; the noun is its subject.

    It was parsed as part of a later noun, *crews this week continued repair work*, or as a participle with an object,
    *a blast and a fire killed two miners*.
    """
    root = root_of(words) if words else 0
    if not words or words[root].tag not in NOUNS:
        return
    if any(words[k].form in FINITE and words[k].relation not in _SUBORDINATE for k in dependents(words, root)):
        return
    below = range(root + 1, len(words))
    finite = (k for k in below if _is_finite_modifier(words, k) and _top_below(words, k, root) > k)
    participles = (k for k in dependents(words, root) if k > root and _has_object(words, k))
    verb = next(chain(finite, participles), None)
    if verb is None:
        return
    top = _top_below(words, verb, root)
    for k in dependents(words, root):
        if k > verb:
            hang(words, k, verb)
    form = words[verb].form if words[verb].form in FINITE else "VBD"
    words[verb] = replace(words[verb], head=verb, relation="root", form=form)
    hang(words, root, verb, "nsubj")
    if top > verb:
        hang(words, top, verb, "obj")


def _is_finite_modifier(words: list[Word], i: int) -> bool:
    """Whether a finite verb is parsed as part of a noun."""
    word = words[i]
    verb = word.tag == "VERB" and word.form in FINITE and not (word.form == "VBD" and word.key == word.lemma)  # startup
    return verb and word.relation in {"amod", "compound"} and not has_subject(words, i)


def _has_object(words: list[Word], i: int) -> bool:
    """Whether a word is a participle with an object."""
    participle = words[i].relation == "acl" and words[i].form == "VBN"
    return participle and any(words[k].relation == "obj" for k in dependents(words, i))


def _top_below(words: list[Word], i: int, root: int) -> int:
    """The word right below the root that a word belongs to."""
    while words[i].head not in {i, root}:
        i = words[i].head
    return i


def _subject_after_comma(words: list[Word]) -> None:
    """A finite verb without a subject right after a comma and a noun: *after talks with Peru, Chile has agreed*.

    Parsers label the noun as an apposition of the noun before the comma, as its conjunct, or as the subject of
    a participle: *the mine must close, experts meeting in Oslo said*.
    """
    root = root_of(words) if words else 0
    finite = any(words[k].form in FINITE for k in (root, *_auxiliaries(words, root)) if words)
    if not finite or words[root].tag not in {"VERB", "AUX"} or has_subject(words, root):
        return
    for i, word in enumerate(words[:root]):
        participle = word.relation == "nsubj" and words[word.head].form == "VBG"
        if word.tag not in NOUNS or not (participle or word.relation in {"appos", "conj"}):
            continue
        top = word.head if participle else i
        below = [k for k in range(len(words)) if is_below(words, k, top)]
        behind_comma = below[0] > 0 and words[below[0] - 1].closing.endswith(",")
        if behind_comma and all(other.head == root for other in words[below[-1] + 1 : root]):
            hang(words, i, root, "nsubj")
            if participle:
                hang(words, top, i, "acl")
            return


def _conjunction(words: list[Word]) -> None:
    """A conjunction right before a clause joins that clause: *throws passes, and Lehigh wins*."""
    for i, verb in enumerate(words):
        if (
            verb.relation != "conj"
            or verb.tag != "VERB"
            or any(words[k].relation == "cc" for k in dependents(words, i))
        ):
            continue
        begin = span_of(words, i).start
        if begin and words[begin - 1].relation == "cc" and words[begin - 1].head != i:
            hang(words, begin - 1, i)


def _label(words: list[Word]) -> None:
    """*And Co* after a name is a label, not a second company; *McDonald's* before *Corp* is a name, not an owner."""
    for i, word in enumerate(words):
        if not is_label(word):
            continue
        below = dependents(words, i)
        alone = all(words[k].relation in {"cc", "conj"} for k in below)
        if word.relation == "conj" and alone and words[word.head].tag == "PROPN":
            for k in (i, *(k for k in below if words[k].relation == "cc")):
                hang(words, k, words[k].head, "discourse")
        if i and words[i - 1].head == i and words[i - 1].relation == "nmod:poss":
            hang(words, i - 1, i, "compound")


def _described_name(words: list[Word]) -> None:
    """A description has its own modifiers; the name after it does not: *former Acme Chief Executive Jo Smith*, *US
    heavyweight Rulon Gardner*.
    """
    for i, noun in enumerate(words):
        name = noun.head
        if not _describes(noun) or name <= i or words[name].tag != "PROPN" or _describes(words[i + 1]):
            continue
        above = {name, words[name].head} if words[name].relation == "compound" else {name}
        if max(above) - i > 3 or any(word.closing for word in words[i:name]):
            continue
        hang(words, i, max(above))
        for k, word in enumerate(words[:i]):
            if word.head in above and k not in above and word.relation in _BEFORE_TITLES:
                hang(words, k, i)


def _describes(word: Word) -> bool:
    """Whether a word before a name is a title or another noun."""
    titled = word.tag in NOUNS and is_title(word)
    before = word.relation == "compound" or (word.relation == "amod" and word.tag == "NOUN")
    return before and (titled or (word.form == "NN" and word.text.islower()))


def _two_subjects(words: list[Word]) -> None:
    """Two subjects or objects side by side are one: a noun and the name that it describes, or a name and *Inc*."""
    for i, word in enumerate(words):
        named = i + 1 < len(words) and word.tag == "PROPN" and is_label(words[i + 1])
        if not (word.form == "NN" or named) or word.closing or not word.relation.startswith(("nsubj", "obj")):
            continue
        place = word.head, word.relation
        name = next((k for k in range(i + 1, len(words)) if (words[k].head, words[k].relation) == place), None)
        if name is None or words[name].tag != "PROPN" or not all(is_below(words, k, name) for k in range(i + 1, name)):
            continue
        hang(words, i, name, "compound")


def _divided_subject(words: list[Word]) -> None:
    """Two subjects divided by a comma alone are a noun and its apposition: *Jo Ek, the minister has*, *the minister, Jo
    Ek has*. A title at the beginning, parsed as a phrase of the verb, is such a noun, too.
    """
    for i, second in enumerate(words):
        part = span_of(words, i)
        begin = part.start if second.relation in SUBJECTS and second.tag in NOUNS else 0
        if not begin or second.head < i or words[begin - 1].closing != ",":
            continue
        if not words[begin].is_article and any(words[k].relation == "cc" for k in part):
            continue  # the second of three
        verb = second.head
        first = next((k for k in range(begin) if words[k].head == verb and span_of(words, k).stop == begin), None)
        if first is None or words[first].tag not in NOUNS:
            continue
        titled = is_title(words[first]) and second.tag == "PROPN"
        bare = not any(words[k].relation in _OF_PHRASES for k in dependents(words, first))
        if words[first].relation == second.relation or (titled and bare and not span_of(words, first).start):
            hang(words, first, verb, second.relation)
            hang(words, i, first, "appos")


def _list_without_and(words: list[Word]) -> None:
    """Two nouns divided by a comma alone are no list; the second is an apposition: *Jo Ek, governor of Ohio, said*."""
    for i, noun in enumerate(words):
        if noun.relation != "conj" or noun.tag not in NOUNS or words[noun.head].tag not in NOUNS or noun.head > i:
            continue
        whole, part = span_of(words, noun.head), span_of(words, i)
        listed = any(words[k].relation in {"cc", "conj"} and k != i for k in range(noun.head, whole.stop))
        if not listed and words[part.start - 1].closing == ",":
            hang(words, i, noun.head, "appos")


def _name_after_description(words: list[Word]) -> None:
    """A name right after its description is the head: *the phone company Telmex*."""
    for i, name in enumerate(words):
        noun = name.head
        described = name.relation == "appos" and name.tag == "PROPN" and words[noun].form == "NN"
        if not described or noun > i or not all(is_below(words, k, i) for k in range(noun + 1, i)):
            continue
        if any(word.closing.strip(".") for word in words[noun:i]):
            continue
        for k in dependents(words, noun):
            if k > i or (k < noun and words[k].relation in _OF_NAMES):
                hang(words, k, i)
        hang(words, i, i if words[noun].head == noun else words[noun].head, words[noun].relation)
        hang(words, noun, i, "compound")


def _speaker_after_comma(words: list[Word]) -> None:
    """A noun after the last comma and a verb of saying, parsed as its participle: *…, the news agency reported*."""
    for i, verb in enumerate(words):
        begin = next((k + 1 for k in range(i - 1, -1, -1) if words[k].closing.endswith(",")), 0)
        spoken = verb.lemma in word_list("reporting") and verb.form in {"VBD", "VBN"} and verb.head != i
        if not spoken or not begin or any(words[k].relation in _OF_PASSIVES for k in dependents(words, i)):
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
        hang(words, i, root, "parataxis")
        hang(words, noun, i, "nsubj")
        return


def _second_object(words: list[Word]) -> None:
    """A second object after other phrases belongs to a clause that the parser lost: a conjunct without *and*."""
    for i, word in enumerate(words):
        objects = [k for k in range(word.head, i) if words[k].head == word.head and words[k].relation == "obj"]
        if word.relation == "obj" and objects and span_of(words, objects[-1]).stop < span_of(words, i).start:
            hang(words, i, word.head, "conj")


def _not_but(words: list[Word]) -> None:
    """*Not* right before a noun denies that noun alone: *the bank, not the firm, paid*."""
    for i, word in enumerate(words[:-1]):
        if word.key != "not" or words[word.head].tag not in NOUNS or word.closing:
            continue
        noun = i + 1
        while words[noun].head not in {noun, word.head} and words[noun].head > i:
            noun = words[noun].head
        beside = words[noun].head == word.head and words[noun].tag in _DENIED
        if beside and words[noun].relation in _BESIDE_NAMES and span_of(words, noun).start == i + 1:
            hang(words, i, noun)


def _divided_phrase(words: list[Word]) -> None:
    """A second subject or object right behind a phrase of the first one: *growth in music downloads continues*.

    It is the noun of that phrase. A name behind a title's phrase belongs to the title: *the minister of trade Jo
    Brook*, but *the loss of the probe Beagle*.
    """
    for i, noun in enumerate(words):
        if noun.relation != "appos" and (noun.relation not in _DIVIDED or noun.tag not in NOUNS):
            continue
        before = span_of(words, i).start - 1
        named = noun.relation == "appos" and not is_title(words[noun.head])
        if named and before > noun.head and not words[before].closing and words[before].relation == "nmod":
            hang(words, i, before)
        if noun.relation not in _DIVIDED or before < 0 or words[before].closing:
            continue
        first = next((k for k in dependents(words, noun.head) if words[k].relation == noun.relation), i)
        if first >= before or words[before].tag not in NOUNS or not is_below(words, before, first):
            continue
        if is_title(words[first]) and noun.tag == "PROPN":
            hang(words, i, first, "appos")
            continue
        hang(words, i, words[before].head, words[before].relation)
        for k in dependents(words, before):
            hang(words, k, i)
        hang(words, before, i, "compound")


def _several(words: list[Word]) -> None:
    """*A group of miners*, a subject, becomes *miners*; the verb is plural."""
    for i, group in enumerate(words[:-1]):
        below = dependents(words, i)
        plural = words[i + 1].head
        counted = group.lemma in _SEVERAL and group.relation in SUBJECTS and words[plural].form == "NNS"
        article = [k for k in below if k < i]
        if not counted or words[i + 1].key != "of" or plural not in below or len(article) != 1:
            continue
        if words[article[0]].key not in {"a", "an"} or any(
            w.quotation for w in (group, words[plural], words[group.head])
        ):
            continue
        for k in below:
            hang(words, k, plural)
        for k in (*article, i, i + 1):
            hang(words, k, plural, "discourse")
        hang(words, plural, group.head, group.relation)
        _agree(words, group.head)


def _before_title(words: list[Word]) -> None:
    """*US Senator Joe Smith*, *Labor Party leader Ada Holm*: what is before a title belongs to the title."""
    for i in reversed(range(len(words) - 1)):
        word, title = words[i], words[i + 1]
        shared = word.relation == title.relation == "compound" and word.head == title.head > i + 1
        if shared and is_title(title) and not word.closing and word.tag == "PROPN":
            hang(words, i, i + 1)


def _time_of_day(words: list[Word]) -> None:
    """*Ran aground on Tuesday night*: the night is that of the day."""
    for i, (day, time) in enumerate(pairwise(words)):
        apart = i + 1 not in {day.head, time.head} and time.head != i and day.head != i + 1
        if day.key in DAYS and time.key in _TIMES_OF_DAY and apart and not is_below(words, i, i + 1):
            hang(words, i + 1, i, "compound")


def _votes(words: list[Word]) -> None:
    """*By 225 votes to 198*: the second number belongs to the first."""
    for i in range(2, len(words)):
        number, link, before = words[i], words[i - 1], i - 2
        counted = words[before].tag == "NUM" or any(words[k].relation == "nummod" for k in dependents(words, before))
        plain = number.tag == "NUM" and number.relation == "obl" and link.key == "to" and not words[before].closing
        if plain and counted and words[before].head != i and not is_below(words, before, i):
            hang(words, i, before, "conj")


def _scores(words: list[Word]) -> None:
    """*Won 6-2, 3-6, 6-4*: the figures of a score belong together."""
    first = 0
    for i, (one, other) in enumerate(pairwise(words)):
        if not (_SCORE.fullmatch(one.text) and _SCORE.fullmatch(other.text) and one.closing == ","):
            first = i + 1
        elif words[first].head != i + 1:
            words[first] = replace(words[first], tag="NUM")
            words[i + 1] = replace(other, tag="NUM", head=first, relation="conj")


def _time_of_superlative(words: list[Word]) -> None:
    """*Fell by the most in three years*: the time is that of the superlative before it."""
    for i, word in enumerate(words):
        if word.relation != "obl" or word.lemma not in _REPORTED_PERIODS or word.head == i:
            continue
        begin = span_of(words, i).start
        counted = any(words[k].relation == "nummod" for k in dependents(words, i))
        above = [k for k in range(max(0, begin - 3), begin) if words[k].form in {"JJS", "RBS"} and not words[k].closing]
        if counted and words[begin].key == "in" and above:
            most = above[-1]
            noun = words[most].head if words[most].relation == "amod" else most
            if noun < begin and not words[begin - 1].closing:
                hang(words, i, noun, "nmod")


def _infinitive_of_noun(words: list[Word]) -> None:
    """*In a position to halt the purchases*: an infinitive behind its noun is no relative clause."""
    for i, word in enumerate(words):
        marked = i > 0 and words[i - 1].key == "to" and words[i - 1].head == i
        if word.relation == "acl:relcl" and word.form == "VB" and marked and word.head == i - 2:
            words[i] = replace(word, relation="acl")


def _condition_of_denial(words: list[Word]) -> None:
    """*Will not get the ship it ordered unless it pays*, *will not pay or sign until May*: the condition is that of all
    that is denied, not of the order or of signing alone.
    """
    for i, word in enumerate(words):
        clause = words[word.head]
        opening = {words[k].key for k in dependents(words, i) if words[k].relation in {"mark", "advmod", "case"}}
        joined = clause.relation == "acl:relcl" or (clause.relation == "conj" and _is_alternative(words, word.head))
        if not joined or word.head >= i or opening.isdisjoint(_CONDITIONS_OF_DENIALS):
            continue
        verb = clause.head
        while words[verb].head != verb and words[verb].tag not in {"VERB", "AUX"}:
            verb = words[verb].head
        denied = any(words[k].lemma in word_list("negations") for k in dependents(words, verb))
        if denied and words[verb].tag in {"VERB", "AUX"} and verb < i:
            hang(words, i, verb, "advcl")


def _is_alternative(words: list[Word], i: int) -> bool:
    """Whether *or* joins a word to the one before it."""
    return any(words[k].relation == "cc" and words[k].key in {"or", "nor"} for k in dependents(words, i))


def _finite_participle(words: list[Word]) -> None:
    """*Shares paused as investors waited*: a verb of a clause with a subject and no auxiliary is no participle."""
    for i, word in enumerate(words):
        if word.form != "VBN" or word.relation not in _OF_CLAUSES:
            continue
        below = {words[k].relation for k in dependents(words, i)}
        if "nsubj" in below and below.isdisjoint(_AUXILIARIES | {"nsubj:pass"}):
            words[i] = replace(word, form="VBD")


def _agree(words: list[Word], verb: int) -> None:
    """Makes the finite word of a verb plural."""
    finite = next((k for k in sorted((verb, *_auxiliaries(words, verb))) if words[k].form in FINITE), None)
    if finite is not None:
        word = words[finite]
        key = _PLURAL_FORMS.get(word.key, word.lemma if word.form == "VBZ" else word.key)
        words[finite] = replace(word, text=key, key=key)


def _auxiliaries(words: list[Word], verb: int) -> list[int]:
    """The positions of the auxiliaries and copulas of a verb."""
    return [k for k in dependents(words, verb) if words[k].relation in _AUXILIARIES]
