"""Shorter ways to write the same words: *Ford* for *Ford Motor*, *WTO* for its whole name, *4.5%* for *4.5 percent*."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from widl.headline.word_lists import BUSINESSES, word_set
from widl.headline.words import LABELS, Word, is_label

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
    return [_percent_signs(_short_names(_acronyms(words, initials), names)) for words in sentences]


def _acronyms(words: Sequence[Word], initials: Mapping[str, str]) -> list[Word]:
    """The words with the initials of names for the names, if the names form a phrase."""
    result = list(words)
    for begin in range(len(words) - 1, -1, -1):
        for end in range(min(begin + _LONGEST, len(result)), begin + 1, -1):
            name = result[begin:end]
            inside = range(begin, end)
            capitals = [word.text[0] for word in name if word.text[0].isupper()]
            text = initials.get("".join(capitals), "")
            named = name[0].text[0].isupper() and name[-1].text[0].isupper() and len(capitals) > 1
            linked = all(w.text[0].isupper() or w.key in _LINKS for w in name)
            tops = [i for i in inside if result[i].head not in inside or result[i].head == i]
            if not (text and named and linked) or len(tops) != 1 or any(w.closing or w.opening for w in name[:-1]):
                continue
            top, last = tops[0], name[-1]
            own = result[top].head == top
            written = f"{text}'s" if _is_possessive(last) else text
            whole = replace(
                last,
                text=written,
                key=written.lower(),
                lemma=text.lower(),
                tag="PROPN",
                form="NNP",
                head=end - 1 if own else result[top].head,
                relation=result[top].relation,
                opening=name[0].opening,
            )
            result = [
                replace(w, head=end - 1) if w.head in inside and k not in inside else w for k, w in enumerate(result)
            ]
            for i in inside:
                result[i] = replace(result[i], head=end - 1, relation="compound", opening="", closing="")
            result[end - 1] = whole
            result = _without(result, set(inside) - {end - 1})
            break
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
    return tuple(words[i].key.removesuffix("'s").removesuffix("’s").rstrip(".") for i in name)


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
        below = [k for k, other in enumerate(result) if other.head == i != k]
        before = [k for k in below if k < i]
        if word.head == i or before:
            heir = max(before, default=min(below, default=i))
            above = heir if word.head == i else word.head
            result[heir] = replace(result[heir], head=above, relation=word.relation)
        else:
            heir = word.head
        for k in below:
            if k != heir:
                result[k] = replace(result[k], head=heir)
        if i and not word.opening:
            result[i - 1] = replace(result[i - 1], closing=result[i - 1].closing + word.closing)
        result = [replace(w, head=w.head - (w.head > i)) for k, w in enumerate(result) if k != i]
    return result
