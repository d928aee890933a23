"""Repairs of parsers' errors about names and their descriptions."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from widl.headline.word_lists import counted_words, word_set
from widl.headline.words import NOUNS, SUBJECTS, Word, is_below, is_label, span_of

_FOREIGN = word_set("Le La Les El Los Las")
_BEFORE_TITLES = word_set("amod compound nmod:poss det nummod")
_OF_NAMES = word_set("case cc mark cop")


def foreign_article(words: list[Word]) -> list[Word]:
    """A foreign article in a name is part of the name: *Le Monde*."""
    result = list(words)
    for i, (article, following) in enumerate(pairwise(words)):
        if article.text in _FOREIGN and article.relation == "det" and following.tag == "PROPN":
            result[i] = replace(article, head=i + 1, relation="compound", tag="PROPN")
    return result


def labels(words: list[Word]) -> list[Word]:
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


def daily(words: list[Word]) -> list[Word]:
    """*Daily* between a noun and its verb is a newspaper: *the Norvik business daily said*."""
    result = list(words)
    for i, (noun, daily) in enumerate(pairwise(words)):
        if daily.key == "daily" and noun.relation in SUBJECTS and daily.head == noun.head > i + 1 and not noun.closing:
            result = [replace(w, head=i + 1) if w.head == i else w for w in result]
            result[i] = replace(noun, head=i + 1, relation="compound")
            result[i + 1] = replace(daily, relation=noun.relation, tag="NOUN", form="NN")
    return result


def description_for_name(words: list[Word]) -> list[Word]:
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


def name_of_subject(words: list[Word]) -> list[Word]:
    """A second subject, a name, after the last noun of the first: *deaths caused by storm Jeanne rise*."""
    result = list(words)
    for i, (noun, name) in enumerate(pairwise(words), 1):
        if name.tag != "PROPN" or name.relation != "nsubj" or noun.form != "NN" or noun.closing:
            continue
        subjects = (k for k in range(i - 1) if (words[k].head, words[k].relation) == (name.head, "nsubj"))
        if any(is_below(words, i - 1, subject) for subject in subjects):
            result[i] = replace(name, head=i - 1, relation="appos")
    return result


def second_subject(words: list[Word]) -> list[Word]:
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


def name_after_title(words: list[Word]) -> list[Word]:
    """A title and the name right after it are one conjunct: *Jo Smith and Chairman Bo Hill*."""
    result = list(words)
    for i, name in enumerate(words):
        title = span_of(words, i).start - 1
        linked = any(w.head == i and w.relation == "cc" for w in words)
        if name.relation != "conj" or name.tag != "PROPN" or linked or title < 0 or words[title].closing:
            continue
        if words[title].relation == "conj" and words[title].lemma in counted_words("titles"):
            result = [replace(w, head=i) if w.head == title and w.relation == "cc" else w for w in result]
            result[i] = replace(name, head=words[title].head)
            result[title] = replace(words[title], head=i, relation="compound")
    return result


def two_titles(words: list[Word]) -> list[Word]:
    """Two titles without articles before a name belong to one person: *actress and singer Jo Smith died*."""
    result = list(words)
    for i, name in enumerate(words):
        first = name.head
        between = range(first + 1, i)
        titles = [k for k in between if words[k].head == i and words[k].form == "NN" and words[k].text.islower()]
        links = [k for k in between if words[k].head == i and words[k].key == "and"]
        articles = any(w.relation == "det" and w.head in {first, *titles} for w in words)
        if name.relation != "conj" or name.tag != "PROPN" or words[first].form != "NN" or articles:
            continue
        if len(links) != 1 or not titles or not all(is_below(words, k, i) for k in between):
            continue
        result[i] = replace(name, head=i if words[first].head == first else words[first].head)
        result[i] = replace(result[i], relation=words[first].relation)
        result[first] = replace(words[first], head=i, relation="compound")
        result[titles[-1]] = replace(words[titles[-1]], head=first, relation="conj")
        result[links[0]] = replace(words[links[0]], head=titles[-1])
    return result


def name_for_description(words: list[Word]) -> list[Word]:
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
    titles, first = counted_words("titles"), words[i].head
    titled = words[i].lemma in titles and words[first].lemma in titles
    bare = not any(w.head == first and w.relation == "det" for w in words)  # actress and singer Jo Smith
    described = titled or (bare and words[i].form == words[first].form == "NN")
    return described and words[i].relation == "conj" and not any(w.head == i and w.relation == "det" for w in words)
