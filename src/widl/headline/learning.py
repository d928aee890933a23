"""What pairs of headlines and texts teach: keywords, verb forms, and the worth of words and of their neighbourhood."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from widl.headline.keywords import KeywordModel, position_model, text_model
from widl.headline.phrases import SentencePhrases, positions, with_speakers
from widl.headline.verbs import VerbForms, third_person
from widl.headline.words import Word, keys_of
from widl.headline.worth import DocumentView, Features, Regression, Worth

SENTENCES = 4
PAIR_SENTENCES = 3
_PENALTY = 2.0


@dataclass(frozen=True)
class Pair:
    """A headline, the text below it, and the words of the text's first sentences."""

    headline: str
    text: str
    sentences: list[list[Word]]


@dataclass(frozen=True)
class Lessons:
    """All that was learned; without pairs, nothing, and keywords are weighed untrained."""

    keywords: KeywordModel
    worth: Worth | None
    verbs: VerbForms | None

    def as_json(self) -> dict[str, Any]:
        """What `from_json` reads."""
        found: dict[str, Any] = {"taken": dict(self.keywords.taken), "positions": list(self.keywords.positions)}
        if self.worth and self.verbs:
            found |= {"words": dict(self.worth.words.weights), "pairs": dict(self.worth.pairs.weights)}
            found["verbs"] = self.verbs.counts
        return found

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> "Lessons":
        """The inverse of `as_json`."""
        keywords = KeywordModel(found["taken"], found["positions"])
        if "words" not in found:
            return cls(keywords, None, None)
        worth = Worth(Regression(found["words"]), Regression(found["pairs"]), keywords.taken)
        return cls(keywords, worth, VerbForms(found["verbs"]))


def untrained() -> Lessons:
    """What is known without pairs: frequency and place."""
    return Lessons(KeywordModel(), None, None)


def learn(pairs: Sequence[Pair], *, seed: int = 1) -> Lessons:
    """Learn from pairs; those of several thousand take some minutes, most of it the pairs of words."""
    taken = text_model((keys_of(pair.headline), keys_of(pair.text)) for pair in pairs)
    places = position_model((keys_of(pair.headline), pair.sentences) for pair in pairs)
    keywords = KeywordModel(taken, places)
    spoken = [[with_speakers(words) for words in pair.sentences[:SENTENCES]] for pair in pairs]
    verbs = VerbForms.trained((set(keys_of(p.headline)), s) for p, s in zip(pairs, spoken, strict=True))
    lemmas = _lemmas(pairs)
    headlines = [[lemmas.get(key, key) for key in keys_of(pair.headline)] for pair in pairs]
    words = Regression.fit(_word_rows(headlines, spoken, taken), penalty=_PENALTY)
    order = random.Random(seed)
    rows = _pair_rows(headlines, spoken, Worth(words, words, taken), order)
    return Lessons(keywords, Worth(words, Regression.fit(rows, penalty=_PENALTY), taken), verbs)


def _lemmas(pairs: Iterable[Pair]) -> dict[str, str]:
    """The most frequent lemma of each key; headlines, all in capitals, can't be parsed for it.

    Texts may have verbs in the past only, which headlines put in the present.
    """
    words = [word for pair in pairs for sentence in pair.sentences for word in sentence]
    counts = Counter((word.key, word.lemma) for word in words)
    best: dict[str, str] = {}
    for (key, lemma), _ in counts.most_common():
        best.setdefault(key, lemma)
    for lemma in sorted({word.lemma for word in words if word.tag == "VERB"}):
        best.setdefault(lemma, lemma)
        best.setdefault(third_person(lemma), lemma)
    return best


def _word_rows(
    headlines: Sequence[Sequence[str]], texts: Sequence[Sequence[Sequence[Word]]], taken: dict[str, float]
) -> Iterator[tuple[Features, bool]]:
    for headline, sentences in zip(headlines, texts, strict=True):
        said = set(headline)
        view = DocumentView(sentences, taken)
        for s, words in enumerate(sentences):
            for i, word in enumerate(words):
                yield view.word_features(s, i), word.lemma in said


def _pair_rows(
    headlines: Sequence[Sequence[str]],
    texts: Sequence[Sequence[Sequence[Word]]],
    worth: Worth,
    order: random.Random,
    *,
    most: int = 1_000_000,
) -> Iterator[tuple[Features, bool]]:
    """The pairs that are neighbours in some phrase; of more than `most`, a random share of those headlines lack."""
    per_text = most / max(1, len(texts))
    for headline, sentences in zip(headlines, texts, strict=True):
        said = set(pairwise(headline))
        view = DocumentView(sentences, worth.taken)
        rows = []
        for s, words in enumerate(sentences[:PAIR_SENTENCES]):
            chances = [worth.words.probability(view.word_features(s, i)) for i in range(len(words))]
            for i, j in sorted(_neighbours(words)):
                met = (words[i].lemma, words[j].lemma) in said
                rows.append((view.pair_features(s, i, j, chances[i], chances[j]), met))
        share = per_text / max(1, len(rows))
        yield from (row for row in rows if share >= 1 or row[1] or order.random() < share)


def _neighbours(words: Sequence[Word]) -> set[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    for _, form in SentencePhrases(words):
        places = positions(form)
        found.update(pairwise(places))
    return found
