"""Terms that headlines do without, in every form: *sells* for *sold*, *won't* for *will*, *WTO* for the whole name.

Search avoids them, so that a headline is the best of those that have none of these forms.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from widl.decoder.constraint import Constraint, avoiding
from widl.headline.parsing import lemmas_of
from widl.headline.word_lists import WIRE_ABBREVIATIONS, word_set
from widl.headline.words import Word, keys_of

_LINKS = word_set("a an and at by for in of on the to with")
_DOTTED = re.compile(r"(?:\w\.)+\w?")
_NOT = word_set("n't n’t")


class Unwanted:
    """Terms, each a sequence of words."""

    def __init__(self, terms: Iterable[str]) -> None:
        phrases = [keys_of(term) for term in terms]
        self._terms = [*phrases, *([text] for text in map(_initials, phrases) if len(text) > 1)]
        self._single = frozenset(form for keys in self._terms if len(keys) == 1 for form in _forms_of_term(keys[0]))

    def has_word(self, word: Word) -> bool:
        """Whether a word is a form of a term of one word."""
        return not self._single.isdisjoint(_forms_of(word))

    def constraint(self, words: Iterable[Word]) -> Constraint:
        """The strings of these words that have no form of any term."""
        classes = self._classes(words)
        members: defaultdict[str, list[str]] = defaultdict(list)
        for key, name in classes.items():
            members[name].append(key)
        return avoiding([[classes[key] for key in term] for term in self._terms], members)

    def _classes(self, words: Iterable[Word]) -> Mapping[str, str]:
        """For each word of a term, and for each key of its forms, a name that all of these share."""
        above = {key: key for term in self._terms for key in term}
        forms = {key: _forms_of_term(key) for key in above}

        def top(key: str) -> str:
            while above[key] != key:
                key = above[key]
            return key

        for word in words:
            own = _forms_of(word)
            for key, like in forms.items():
                if not own.isdisjoint(like):
                    above.setdefault(word.key, key)
                    above[top(word.key)] = top(key)
        return {key: top(key) for key in above}


def _initials(keys: list[str]) -> str:
    """The initials of a term of several words: *wto*."""
    return "".join(key[0] for key in keys if key not in _LINKS) if len(keys) > 1 else ""


def _forms_of(word: Word) -> frozenset[str]:
    """What a word has in common with other forms of the same word: its spelling, and its lemmas."""
    parts = {"not" if lemma in _NOT else lemma for lemma in (word.lemma, *word.lemmas)}
    return frozenset({*_spellings(word.key), *parts, *(("percent", "%") if word.key.endswith("%") else ())})


@cache
def _forms_of_term(key: str) -> frozenset[str]:
    """The same for a word of a term, which may be any part of speech."""
    spellings = set(_spellings(key))
    return frozenset(spellings | {lemma for spelling in spellings for lemma in lemmas_of(spelling)})


def _spellings(key: str) -> Iterator[str]:
    """A key as it is, without periods, and in full: *u.s.* and *us*, *pct* and *percent*."""
    plain = key.replace("’", "'")
    yield plain
    yield plain.replace(".", "") if _DOTTED.fullmatch(plain) else plain
    yield WIRE_ABBREVIATIONS.get(plain, plain)
