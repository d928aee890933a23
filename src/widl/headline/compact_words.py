"""Shorter ways to write the same words: *Ford* for *Ford Motor*, *WTO* for its whole name, *4.5%* for *4.5 percent*."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from widl.headline.word_lists import BUSINESSES, word_set
from widl.headline.words import LABELS, Word, dependents, hang, is_label

_PERCENT = word_set("percent pct")
_ACRONYM = re.compile(r"\b(?:[A-Z]{3,6}|US|UN|EU|UK|U\.S\.|U\.N\.|U\.K\.|E\.U\.)(?!\w)")
"""Initials of a name: *WTO*, *EU*."""
_LINKS = word_set("of for and the on in")
_LONGEST = 8
_FIGURE = re.compile(r"\d[\d.,]*")

Name = tuple[str, ...]


def compact(sentences: Sequence[Sequence[Word]], text: str) -> list[list[Word]]:
    """The words of the sentences of a document's text, with fewer words for the same names and percentages.

    A company's name loses its last words if the document also has it without them. A name whose initials the document
    has becomes these initials.
    """
    names = {_name(words, name) for words in sentences for name in _names(words)}
    initials = {found.replace(".", ""): found for found in _ACRONYM.findall(text)}
    phrases = [list(_phrases(words, initials)) for words in sentences]
    meant = _meant({phrase for found in phrases for _, phrase in found}, text)
    return [
        _percent_signs(_short_names(_acronyms(words, [p for p in found if p[1] in meant], initials), names))
        for words, found in zip(sentences, phrases, strict=True)
    ]


def _initials(name: Iterable[str]) -> str:
    return "".join(word[0] for word in name if word[0].isupper())


def _phrases(words: Sequence[Word], initials: Mapping[str, str]) -> Iterator[tuple[range, str]]:
    """The names of a sentence that have some initials: their positions and their text, the last ones first."""
    stop = len(words)
    for begin in range(len(words) - 2, -1, -1):
        for end in range(min(begin + _LONGEST, stop), begin + 1, -1):
            name = words[begin:end]
            named = name[0].text[0].isupper() and name[-1].text[0].isupper()
            linked = all(word.text[0].isupper() or word.key in _LINKS for word in name)
            tops = [i for i in range(begin, end) if words[i].head == i or not begin <= words[i].head < end]
            whole = len(tops) == 1 and not any(word.closing or word.opening for word in name[:-1])
            acronym = initials.get(_initials(word.text for word in name))
            if acronym and named and linked and whole and not any(_without_owner(w.text) == acronym for w in words):
                yield range(begin, end), " ".join(_without_owner(word.text) for word in name)
                stop = begin
                break


def _without_owner(text: str) -> str:
    return text.removesuffix("'s").removesuffix("’s")


def _meant(phrases: Set[str], text: str) -> set[str]:
    """The names that initials stand for: those written before them in brackets, or the only ones that have them."""
    alike: dict[str, set[str]] = {}
    for phrase in phrases:
        alike.setdefault(_initials(phrase.split()), set()).add(phrase)
    meant = set()
    for letters, names in alike.items():
        bracketed = {name for name in names if re.search(rf"{re.escape(name)} \(\W*{letters}\W*\)", text)}
        meant |= bracketed if f"({letters})" in text else names if len(names) == 1 else set()
    return meant


def _acronyms(words: Sequence[Word], names: Iterable[tuple[range, str]], initials: Mapping[str, str]) -> list[Word]:
    """The words with the initials of names for the names, the last ones first."""
    result = list(words)
    for place, phrase in names:
        top = next(i for i in place if words[i].head == i or words[i].head not in place)
        last, end = words[place[-1]], place[-1]
        text = initials[_initials(phrase.split())]
        written = f"{text}'s" if _is_possessive(last) else text
        head = end if result[top].head == top else result[top].head
        whole = replace(last, text=written, key=written.lower(), lemma=text.lower(), tag="PROPN", form="NNP", head=head)
        whole = replace(whole, relation=result[top].relation, opening=words[place.start].opening)
        result = [replace(w, head=end) if w.head in place and k not in place else w for k, w in enumerate(result)]
        for i in place:
            result[i] = replace(result[i], head=end, relation="compound", opening="", closing="")
        result[end] = whole
        result = _without(result, set(place) - {end})
    return result


def _names(words: Sequence[Word]) -> Iterator[range]:
    """The positions of names: adjacent proper nouns, without *Inc* after them."""
    begin = 0
    for i, word in enumerate(words):
        if word.tag != "PROPN" or is_label(word):
            begin = i + 1
            continue
        last = i + 1 == len(words) or word.closing or words[i + 1].tag != "PROPN" or is_label(words[i + 1])
        if last or _is_possessive(word):
            yield range(begin, i + 1)
            begin = i + 1


def _name(words: Sequence[Word], name: Sequence[int]) -> Name:
    return tuple(_without_owner(words[i].key).rstrip(".") for i in name)


def _is_possessive(word: Word) -> bool:
    return word.text.endswith(("'s", "’s"))


def _possessive(word: Word) -> Word:
    if word.text.endswith("s"):
        return replace(word, closing="'" + word.closing)
    return replace(word, text=f"{word.text}'s", key=f"{word.key}'s")


def _short_names(words: Sequence[Word], names: Set[Name]) -> list[Word]:
    """The words without the last words of names; their possessive goes to the word before."""
    result = list(words)
    dropped: set[int] = set()
    for name in _names(words):
        keys = _name(words, name)
        known = kept = len(name) - (keys[-1] in LABELS and len(name) > 1)  # Apple's, for Apple Inc's
        while kept > 1 and keys[kept - 1] in BUSINESSES:
            kept -= 1
        kept = kept if keys[:kept] in names else known
        last = name[kept - 1]
        if kept == len(name):
            continue
        dropped |= set(name[kept:])
        if _is_possessive(words[name[-1]]):
            result[last] = _possessive(words[last])
    return _without(result, dropped)


def _percent_signs(words: Sequence[Word]) -> list[Word]:
    """The words with *4.5%* for *4.5 percent* and *4.5 per cent*."""
    result = list(words)
    dropped: set[int] = set()
    for i, figure in enumerate(words):
        following = [word.key for word in words[i + 1 : i + 3]]
        length = 1 if following[:1] and following[0] in _PERCENT else 2 if following == ["per", "cent"] else 0
        if not length or not _FIGURE.fullmatch(figure.text) or any(word.closing for word in words[i : i + length]):
            continue
        percent = words[i + length]
        text = f"{figure.text}%"
        result[i + length] = replace(percent, text=text, key=text, lemma="percent", opening=figure.opening)
        dropped |= set(range(i, i + length))
    return _without(result, dropped)


def _without(words: Sequence[Word], dropped: Set[int]) -> list[Word]:
    """The other words; a dropped word's place in the tree goes to the word nearest to it, its punctuation to the word
    before it.
    """
    if not dropped:
        return list(words)
    result = list(words)
    for i in sorted(dropped, reverse=True):
        word = result[i]
        below = dependents(result, i)
        before = [k for k in below if k < i]
        if word.head == i or before:
            heir = max(before, default=min(below, default=i))
            above = heir if word.head == i else word.head
            hang(result, heir, above, word.relation)
        else:
            heir = word.head
        for k in below:
            if k != heir:
                hang(result, k, heir)
        if i and not word.opening:
            result[i - 1] = replace(result[i - 1], closing=result[i - 1].closing + word.closing)
        result = [replace(w, head=w.head - (w.head > i)) for k, w in enumerate(result) if k != i]
    return result
