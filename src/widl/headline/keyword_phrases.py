"""The lexical-dependency phrases of a document's keywords (Soricut & Marcu 2006, Section 4 and Figure 4).

A phrase is a keyword with one of its dependencies: the word it depends on (*attacked rebels*), a word that depends on
it (*northern iraq*, *iraq and iran*), or a function word (*in iraq*). A dependent comes with its preposition,
conjunction or *to*, a word of a name with its name, a verb with its *not*.

The paper's list of keywords is "enriched" with phrases: a keyword alone is one of its phrases. Its Figure 4 lists none,
but without them, six keywords don't fit in ten words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from widl.headline.keywords import Keyword, keyword_lemmas, names_of
from widl.headline.word_lists import word_set
from widl.headline.words import Word, dependents

_FUNCTION = {"case", "mark", "cc"}
_DEPENDENCIES = _FUNCTION | word_set(
    """amod nummod nmod nmod:poss compound obl obl:agent obj iobj nsubj nsubj:pass xcomp conj
    acl advmod aux aux:pass compound:prt"""
)
_PRONOUNS = {"PRON", "DET"}
_NEGATIONS = {"not", "no", "never", "n't"}

KEYWORDS = 6
"""Keywords of a document, as in the paper."""
PHRASES = 4
"""Maximum number of phrases per keyword, as in the paper."""


@dataclass(frozen=True, slots=True)
class KeywordPhrase:
    """A phrase of a keyword: its words, their keys, and P(phrase | keyword)."""

    words: tuple[str, ...]
    keys: tuple[str, ...]
    probability: float


def keyword_phrases(
    sentences: Sequence[Sequence[Word]], keywords: Sequence[Keyword], most: int = PHRASES
) -> dict[Keyword, list[KeywordPhrase]]:
    """The most probable phrases of each keyword, the most probable first; their probabilities sum to 1.

    A phrase counts 1 / s for each occurrence in sentence s, from 1. This combines the paper's frequency and closeness
    to the beginning; the paper does not say how. A keyword without dependencies is its own phrase.
    """
    names = names_of(sentences)
    by_lemmas = {keyword.lemmas: keyword for keyword in keywords}
    counts: dict[Keyword, dict[tuple[str, ...], float]] = {keyword: {} for keyword in keywords}
    occurrences: dict[tuple[str, ...], list[Word]] = {}
    for s, words in enumerate(sentences):
        for keyword, positions in _occurrences(words, by_lemmas, names):
            for phrase in (frozenset(positions), *_phrases(words, positions)):
                phrase_words = [words[i] for i in sorted(phrase)]
                keys = tuple(word.key for word in phrase_words)
                occurrences.setdefault(keys, phrase_words)
                counts[keyword][keys] = counts[keyword].get(keys, 0.0) + 1 / (1 + s)
    return {
        keyword: _most_probable(by_keys, occurrences, most) or [_alone(keyword)] for keyword, by_keys in counts.items()
    }


def _most_probable(
    counts: Mapping[tuple[str, ...], float], occurrences: Mapping[tuple[str, ...], Sequence[Word]], count: int
) -> list[KeywordPhrase]:
    best = sorted(counts.items(), key=lambda entry: -entry[1])[:count]  # ties go to the first in the text
    total = sum(weight for _, weight in best)
    return [
        KeywordPhrase(tuple(word.text for word in occurrences[keys]), keys, weight / total) for keys, weight in best
    ]


def _alone(keyword: Keyword) -> KeywordPhrase:
    words = tuple(keyword.text.split())
    return KeywordPhrase(words, tuple(word.lower() for word in words), 1.0)


def _occurrences(
    words: Sequence[Word], by_lemmas: Mapping[tuple[str, ...], Keyword], names: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[Keyword, set[int]]]:
    """Keywords of a sentence with the positions of their words; a name may be incomplete."""
    end = 0
    for i, word in enumerate(words):
        lemmas = keyword_lemmas(word, names)
        if i < end or lemmas not in by_lemmas or not word.is_content:
            continue
        end = i + 1
        while end < len(words) and end - i < len(lemmas) and words[end].lemma == lemmas[end - i]:
            end += 1
        yield by_lemmas[lemmas], set(range(i, end))


def _phrases(words: Sequence[Word], keyword: set[int]) -> Iterator[frozenset[int]]:
    """The positions of the phrases of a keyword at these positions."""
    for i in sorted(keyword):
        word = words[i]
        if word.head not in keyword and word.relation in _DEPENDENCIES:
            yield frozenset(keyword | _unit(words, word.head) | _function_words(words, i))
    for i, word in enumerate(words):
        if i in keyword or word.head not in keyword or word.relation not in _DEPENDENCIES or word.tag in _PRONOUNS:
            continue
        yield frozenset(keyword | _unit(words, i) | _function_words(words, i))


def _unit(words: Sequence[Word], i: int) -> set[int]:
    """A word with the other words of its name, its particle or its negation."""
    unit = {i}
    for k in dependents(words, i):
        word = words[k]
        in_name = word.relation == "compound" and word.tag == words[i].tag == "PROPN"
        if word.relation == "compound:prt" or in_name or word.key in _NEGATIONS:
            unit.add(k)
    return unit


def _function_words(words: Sequence[Word], i: int) -> set[int]:
    return {k for k in dependents(words, i) if words[k].relation in _FUNCTION}
