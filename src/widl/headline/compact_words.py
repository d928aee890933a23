"""Shorter ways to write the same words: *Ford* for *Ford Motor*, *4.5%* for *4.5 percent*."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from widl.headline.word_lists import BUSINESSES, word_set
from widl.headline.words import Word, is_label

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
    """The positions of names: adjacent proper nouns, without *Inc* behind them and without a possessive."""
    begin = 0
    for i, word in enumerate(words):
        if word.tag != "PROPN" or is_label(word):
            begin = i + 1
            continue
        last = i + 1 == len(words) or word.closing or words[i + 1].tag != "PROPN" or is_label(words[i + 1])
        if last:
            yield range(begin, i + 1)
            begin = i + 1


def _name(words: Sequence[Word], name: Sequence[int]) -> Name:
    return tuple(words[i].key.removesuffix("'s").removesuffix("’s") for i in name)


def _short_names(words: Sequence[Word], names: Set[Name]) -> list[Word]:
    dropped: set[int] = set()
    for name in _names(words):
        kept = len(name)
        while kept > 1 and words[name[kept - 1]].key in BUSINESSES:
            kept -= 1
        if kept < len(name) and _name(words, name[:kept]) in names:
            dropped |= set(name[kept:])
    return _without(words, dropped)


def _percent_signs(words: Sequence[Word]) -> list[Word]:
    result = list(words)
    dropped: set[int] = set()
    for i, word in enumerate(words[1:], 1):
        figure = words[i - 1]
        if word.key in _PERCENT and figure.head == i and _FIGURE.fullmatch(figure.text) and not figure.closing:
            result[i] = replace(word, text=f"{figure.text}%", key=f"{figure.key}%", opening=figure.opening)
            dropped.add(i - 1)
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
        heir = max((k for k in below if k < i), default=None)
        if heir is None:
            heir = word.head
        else:
            above = heir if word.head == i else word.head
            result[heir] = replace(result[heir], head=above, relation=word.relation)
        for k in below:
            if k != heir:
                result[k] = replace(result[k], head=heir)
        if i and not word.opening:
            result[i - 1] = replace(result[i - 1], closing=result[i - 1].closing + word.closing)
        result = [replace(w, head=w.head - (w.head > i)) for k, w in enumerate(result) if k != i]
    return result
