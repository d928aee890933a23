"""The WIDL-expression of a headline: phrases for each keyword (Soricut & Marcu 2006, §4), in the form of search.

The paper's form, ∥ over keywords of ∨ over phrases, realizes a phrase for every keyword. Here a phrase may serve
several keywords, none is served twice, and any may be left out, so that a budget of words can hold: the `Packing` of
the phrases.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated

from widl._core import Expression, Packing, Vocabulary
from widl.decoder import choice, interleave, lock, word
from widl.headline.keywords import Keyword
from widl.headline.phrases import SentencePhrases, positions, with_speakers
from widl.headline.verbs import VerbForms
from widl.headline.words import Word
from widl.headline.worth import DocumentWorth
from widl.options import option, option_set

COMPONENTS = ("keywords", "phrase", "words", "pairs", "place")
"""WIDL features of a phrase.

keywords: the weights of the keywords in it, in part of names that are in it in part; phrase: ln of its share, by
frequency and place, of the phrases with its heaviest keyword; words and pairs: how many of its words and of its pairs
of neighbours a headline is expected to have; place: minus the number of the sentence, from 0.
"""

_MOST_ITEMS = 64


@dataclass(frozen=True, slots=True)
class HeadlinePhrase:
    """A phrase as it would stand in a headline."""

    words: tuple[str, ...]
    keys: tuple[str, ...]
    """The same for language models."""
    serves: frozenset[str]
    """Lemmas of its content words and verbs: of phrases that share one, a headline has only one."""
    features: Mapping[str, float]
    """By their names, `COMPONENTS`."""
    sentence: int


@option_set
class PhraseOptions:
    """Where phrases come from and how many there may be."""

    sentences: Annotated[int, option("Phrases come from so many first sentences.", ge=1, le=4)] = 3
    longest: Annotated[int, option("Most words of a phrase.", ge=1, hidden=True)] = 10
    most: Annotated[
        int, option("So many phrases of a document, the most promising.", ge=1, name="phrases")
    ] = 100
    present_tense: Annotated[bool, option("Put verbs as headlines do: 'falls' for 'fell'.")] = True


def headline_phrases(
    sentences: Sequence[Sequence[Word]],
    keywords: Sequence[Keyword],
    worth: DocumentWorth | None,
    verbs: VerbForms | None,
    options: PhraseOptions,
) -> list[HeadlinePhrase]:
    """The most promising phrases of a document that hold a keyword or another content word, the best first.

    Without `worth`, a word is worth the weight of its keyword.
    """
    weights = {lemma: keyword.weight / len(keyword.lemmas) for keyword in keywords for lemma in keyword.lemmas}
    collected = _Collected(weights)
    for s, plain in enumerate(sentences[: options.sentences]):
        words = with_speakers(plain)
        shown = [verbs.best(words, i) if verbs and options.present_tense else (w, 1.0) for i, w in enumerate(words)]
        for _, form in SentencePhrases(words, longest=options.longest):
            places = positions(form)
            if not any(words[i].is_content for i in places):
                continue
            # Verbs that say little are said once, too.
            said = [words[i].lemma for i in places if words[i].is_content or words[i].tag == "VERB"]
            serves = frozenset(said)
            if len(serves) < len(said):
                continue  # within a phrase nothing is said twice either
            if worth:
                single = [worth.word(s, i) * shown[i][1] for i in places]
                pairs = sum(worth.pair(s, i, j) * shown[i][1] * shown[j][1] for i, j in pairwise(places))
            else:
                single = [weights.get(words[i].lemma, 0.0) for i in places]
                pairs = sum(math.sqrt(a * b) for a, b in pairwise(single))
            collected.add([shown[i][0] for i in places], serves, sum(single), pairs, s)
    return collected.best(options.most)


class _Collected:
    """The phrases found so far, equal ones joined."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self._found: dict[tuple[str, ...], list[tuple[float, HeadlinePhrase]]] = {}

    def add(self, words: Sequence[Word], serves: frozenset[str], single: float, pairs: float, sentence: int) -> None:
        value = pairs + 0.25 * single - 0.02 * len(words)
        covered = sum(self._weights.get(lemma, 0.0) for lemma in serves)
        keys = tuple(w.key for w in words)
        features = {"keywords": covered, "phrase": 0.0, "words": single, "pairs": pairs, "place": -float(sentence)}
        phrase = HeadlinePhrase(tuple(w.text for w in words), keys, serves, features, sentence)
        self._found.setdefault(keys, []).append((value, phrase))

    def best(self, most: int) -> list[HeadlinePhrase]:
        """The `most` valuable ones, with their phrase probabilities."""
        ranked = sorted(
            (max(found, key=lambda one: one[0]) for found in self._found.values()), key=lambda one: -one[0]
        )[:most]
        weight = {phrase.keys: self._frequency(phrase.keys) for _, phrase in ranked}
        totals: dict[str, float] = {}
        for _, phrase in ranked:
            heaviest = self._heaviest(phrase)
            totals[heaviest] = totals.get(heaviest, 0.0) + weight[phrase.keys]
        return [self._with_share(phrase, weight[phrase.keys] / totals[self._heaviest(phrase)]) for _, phrase in ranked]

    @staticmethod
    def _with_share(phrase: HeadlinePhrase, share: float) -> HeadlinePhrase:
        return replace(phrase, features={**phrase.features, "phrase": math.log(share)})

    def _frequency(self, keys: tuple[str, ...]) -> float:
        """Occurrences, those further down for less."""
        return sum(1 / (1 + phrase.sentence) for _, phrase in self._found[keys])

    def _heaviest(self, phrase: HeadlinePhrase) -> str:
        return max(sorted(phrase.serves), key=lambda lemma: self._weights.get(lemma, 0.0))


def packing_of(phrases: Sequence[HeadlinePhrase], vocabulary: Vocabulary) -> tuple[Packing, list[HeadlinePhrase]]:
    """The packing of the phrases, and the phrases in it by number: all whose lemmas are not too many to tell apart."""
    counts = Counter(lemma for phrase in phrases for lemma in sorted(phrase.serves))
    items = {lemma: number for number, (lemma, _) in enumerate(counts.most_common(_MOST_ITEMS))}
    packing = Packing(vocabulary, len(COMPONENTS))
    kept = []
    for phrase in phrases:
        if phrase.serves <= items.keys():
            features = [phrase.features[name] for name in COMPONENTS]
            packing.add(sorted(items[lemma] for lemma in phrase.serves), list(phrase.keys), features)
            kept.append(phrase)
    return packing, kept


def keyword_expression(phrases: Mapping[tuple[str, float], Mapping[str, float]]) -> Expression:
    """The paper's expression (Figures 4 and 5): ∥ over keywords of ∨ over their phrases, each locked.

    `phrases`: by keyword and its probability, the probabilities of its phrases. An alternative's score is the product
    of both.

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
    words = [word(one) for one in text.split()]
    return lock(*words) if len(words) > 1 else words[0]
