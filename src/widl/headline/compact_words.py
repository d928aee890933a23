"""Shorter ways to write the same words: *Ford* for *Ford Motor*, *4.5%* for *4.5 percent*."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from widl.headline.word_lists import BUSINESSES, word_set
from widl.headline.words import LABELS, Word, is_label

_PERCENT = word_set("percent pct")
_FIGURE = re.compile(r"\d[\d.,]*")

Name = tuple[str, ...]


def compact(sentences: Sequence[Sequence[Word]]) -> list[list[Word]]:
    """The words of a document's sentences, with fewer words for the same names and percentages.

    A company's name loses its last words if the document also has it without them.
    """
    names = {_name(words, name) for words in sentences for name in _names(words)}
    return [_percent_signs(_short_names(words, names)) for words in sentences]


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
