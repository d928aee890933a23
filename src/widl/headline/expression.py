"""The WIDL-expression of a headline: phrases for each keyword (Soricut & Marcu 2006, §4), in the form of search.

The paper's expression, ∥ over keywords of ∨ over phrases, realizes a phrase for every keyword. Search uses a packing
instead: ∨ over all families of phrases that share no lemma of a content word or verb, of ∥ of the family. A phrase may
hold several keywords, no keyword comes twice, and any may be left out, so that the headline can meet a budget of words.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any

from widl._core import Expression, Packing, Vocabulary
from widl.common.options import option, option_set
from widl.decoder import choice, interleave, lock, word
from widl.headline.keywords import Keyword, keyword_weights
from widl.headline.phrases import SentencePhrases, positions
from widl.headline.salience import DocumentSalience
from widl.headline.speakers import with_speakers
from widl.headline.verbs import VerbForms
from widl.headline.words import Word

COMPONENTS = ("keywords", "phrase", "words", "pairs", "place")
"""WIDL features of a phrase.

keywords: sum of the weights of its keywords, of a name the share of the words that it has; phrase: ln of its share, by
frequency and position, of the phrases with the same heaviest keyword; words and pairs: expected numbers of its words
and of its pairs of neighbours in a headline; place: minus the number of the sentence, from 0.
"""

_MAX_ITEMS = 64
"""Lemmas that a packing tells apart."""


@dataclass(frozen=True, slots=True)
class HeadlinePhrase:
    """A phrase as it would stand in a headline."""

    words: tuple[str, ...]
    keys: tuple[str, ...]
    """The words as language models know them."""
    lemmas: frozenset[str]
    """Of its content words and verbs. The phrases of a headline have no lemma in common."""
    features: Mapping[str, float]
    """By their names, `COMPONENTS`."""
    sentence: int


_OF_PACKING: dict[str, Any] = {"only_with": {"system": ("packing",)}}
_OF_BOTH: dict[str, Any] = {"only_with": {"system": ("widl", "packing")}}


@option_set
class PhraseOptions:
    """The sentences that phrases come from, and the number of phrases."""

    sentences: Annotated[
        int, option("Number of first sentences to use.", ge=1, le=4, **_OF_BOTH)
    ] = 3
    longest: Annotated[
        int, option("packing: maximum number of words of a phrase.", ge=1, hidden=True, **_OF_PACKING)
    ] = 10
    most: Annotated[
        int,
        option(
            "packing: maximum number of phrases of a document.",
            ge=1,
            name="phrases",
            **_OF_PACKING,
        ),
    ] = 100
    learned: Annotated[
        bool,
        option(
            "Weigh words and neighbours by what training learned of them; else by keywords.", hidden=True, **_OF_BOTH
        ),
    ] = True
    present_tense: Annotated[
        bool, option("Put verbs as headlines do: 'falls' for 'fell'.", **_OF_BOTH)
    ] = True


def headline_phrases(
    sentences: Sequence[Sequence[Word]],
    keywords: Sequence[Keyword],
    salience: DocumentSalience | None,
    verbs: VerbForms | None,
    options: PhraseOptions,
) -> list[HeadlinePhrase]:
    """The most promising phrases of a document that have a content word, the best first.

    Without `salience`, the salience of a word is the weight of its keyword.
    """
    weights = keyword_weights(keywords)
    candidates = _CandidatePhrases(weights)
    for s, sentence in enumerate(sentences[: options.sentences]):
        words = with_speakers(sentence)
        forms = [verbs.best(words, i) if verbs and options.present_tense else (w, 1.0) for i, w in enumerate(words)]
        for _, word_set in SentencePhrases(words, longest=options.longest):
            phrase = positions(word_set)
            if not any(words[i].is_content for i in phrase):
                continue
            # A headline has no verb twice, not even a light one such as *say*, which is no content word.
            said = [words[i].lemma for i in phrase if words[i].is_content or words[i].tag == "VERB"]
            lemmas = frozenset(said)
            if len(lemmas) < len(said):
                continue  # a lemma comes twice within the phrase
            if salience:
                word_salience = [salience.word(s, i) * forms[i][1] for i in phrase]
                pairs = sum(salience.pair(s, i, j) * forms[i][1] * forms[j][1] for i, j in pairwise(phrase))
            else:
                word_salience = [weights.get(words[i].lemma, 0.0) for i in phrase]
                pairs = sum(math.sqrt(a * b) for a, b in pairwise(word_salience))
            candidates.add([forms[i][0] for i in phrase], lemmas, sum(word_salience), pairs, s)
    return candidates.best(options.most)


class _CandidatePhrases:
    """The candidate phrases of a document; those with equal keys are one."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self._by_keys: dict[tuple[str, ...], list[tuple[float, HeadlinePhrase]]] = {}

    def add(
        self, words: Sequence[Word], lemmas: frozenset[str], expected_words: float, expected_pairs: float, sentence: int
    ) -> None:
        rank = expected_pairs + 0.25 * expected_words - 0.02 * len(words)
        keys = tuple(w.key for w in words)
        features = {
            "keywords": sum(self._weights.get(lemma, 0.0) for lemma in lemmas),
            "phrase": 0.0,  # set by `best`, when all phrases are known
            "words": expected_words,
            "pairs": expected_pairs,
            "place": -float(sentence),
        }
        phrase = HeadlinePhrase(tuple(w.text for w in words), keys, lemmas, features, sentence)
        self._by_keys.setdefault(keys, []).append((rank, phrase))

    def best(self, count: int) -> list[HeadlinePhrase]:
        """The `count` phrases of the highest rank, with their phrase probabilities."""
        occurrences = (max(ranked, key=lambda entry: entry[0]) for ranked in self._by_keys.values())
        phrases = [phrase for _, phrase in sorted(occurrences, key=lambda entry: -entry[0])[:count]]
        frequencies = {phrase.keys: self._frequency(phrase.keys) for phrase in phrases}
        totals: dict[str, float] = {}
        for phrase in phrases:
            heaviest = self._heaviest(phrase)
            totals[heaviest] = totals.get(heaviest, 0.0) + frequencies[phrase.keys]
        return [
            self._with_share(phrase, frequencies[phrase.keys] / totals[self._heaviest(phrase)]) for phrase in phrases
        ]

    @staticmethod
    def _with_share(phrase: HeadlinePhrase, share: float) -> HeadlinePhrase:
        return replace(phrase, features={**phrase.features, "phrase": math.log(share)})

    def _frequency(self, keys: tuple[str, ...]) -> float:
        """Number of occurrences, each divided by its sentence's number, from 1."""
        return sum(1 / (1 + phrase.sentence) for _, phrase in self._by_keys[keys])

    def _heaviest(self, phrase: HeadlinePhrase) -> str:
        """The lemma of the phrase that has the largest keyword weight."""
        return max(sorted(phrase.lemmas), key=lambda lemma: self._weights.get(lemma, 0.0))


def packing_of(
    phrases: Sequence[HeadlinePhrase], vocabulary: Vocabulary, components: Sequence[str] = COMPONENTS
) -> tuple[Packing, list[HeadlinePhrase]]:
    """The packing of the phrases whose lemmas are all among the most frequent, and these phrases by number."""
    counts = Counter(lemma for phrase in phrases for lemma in sorted(phrase.lemmas))
    items = {lemma: number for number, (lemma, _) in enumerate(counts.most_common(_MAX_ITEMS))}
    packing = Packing(vocabulary, len(components))
    packed = []
    for phrase in phrases:
        if phrase.lemmas <= items.keys():
            features = [phrase.features[name] for name in components]
            packing.add(sorted(items[lemma] for lemma in phrase.lemmas), list(phrase.keys), features)
            packed.append(phrase)
    return packing, packed


def keyword_expression(phrases: Mapping[tuple[str, float], Mapping[str, float]]) -> Expression:
    """The paper's expression (Figures 4 and 5): ∥ over keywords of ∨ over their phrases, each locked.

    `phrases` has the probabilities of each keyword's phrases, by keyword and its probability. An alternative's score is
    the product of the two probabilities.

    >>> phrases = {("iraq", 0.5): {"in iraq": 0.4, "northern iraq": 0.6}, ("attack", 0.5): {"attack": 1}}
    >>> print(keyword_expression(phrases))
    ∥(∨{scores: 0.2, 0.3}(×(in · iraq), ×(northern · iraq)), ∨{scores: 0.5}(attack))
    """
    arguments = []
    for (_, weight), forms in phrases.items():
        options = [(_locked(text), weight * p) for text, p in forms.items()]
        arguments.append(choice(*options, scores=True))
    return interleave(*arguments) if len(arguments) > 1 else arguments[0]


def _locked(text: str) -> Expression:
    words = list(map(word, text.split()))
    return lock(*words) if len(words) > 1 else words[0]
