"""The content model of headlines, trained on pairs of headlines and texts: keywords, salience of words, verb forms."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

from widl.headline.casing import Casing
from widl.headline.cut_model import CutModel, train_cut_model
from widl.headline.headline_forms import HeadlineForms
from widl.headline.keywords import KeywordModel, position_model, text_model
from widl.headline.phrases import SentencePhrases, positions
from widl.headline.salience import DocumentFeatures, Features, Regression, SalienceModel
from widl.headline.shortening import of_compression
from widl.headline.speakers import with_speakers
from widl.headline.units import UnitTree
from widl.headline.verbs import VerbForms, third_person
from widl.headline.words import Word, keys_of

SENTENCES = 4
"""Number of first sentences of a document whose words have salience."""

_PAIR_SENTENCES = 2
_MOST_ROWS = 400_000  # of each regression
_PENALTY = 2.0


@dataclass(frozen=True)
class TrainingPair:
    """A headline, the text below it, and the words of the text's first sentences."""

    headline: str
    text: str
    sentences: list[list[Word]]


@dataclass(frozen=True)
class CompressedText:
    """The words of a text's sentences, and the text as somebody shortened it by leaving out words."""

    compression: str
    sentences: list[list[Word]]


@dataclass(frozen=True)
class ContentModel:
    """What headlines take over from their texts: which words and neighbours, in which form, and what they leave out.

    An untrained model weighs keywords by frequency and position, and has neither salience nor verb forms nor cuts.
    """

    keywords: KeywordModel
    salience: SalienceModel | None = None
    verbs: VerbForms | None = None
    cuts: CutModel | None = None
    forms: HeadlineForms | None = None
    casing: Casing | None = None

    @classmethod
    def untrained(cls) -> "ContentModel":
        """The model for documents without training pairs."""
        return cls(KeywordModel())

    def as_json(self) -> dict[str, Any]:
        """What `from_json` reads."""
        fields: dict[str, Any] = {
            "taken": dict(self.keywords.selection),
            "positions": list(self.keywords.positions),
        }
        if self.salience:
            fields |= {"words": dict(self.salience.words.weights), "pairs": dict(self.salience.pairs.weights)}
        if self.verbs:
            fields["verbs"] = self.verbs.counts
        if self.forms:
            fields["forms"] = dict(self.forms.kept)
        if self.casing:
            fields["casing"] = self.casing.forms
        if self.cuts:
            fields |= self.cuts.as_json()
        return fields

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "ContentModel":
        """The inverse of `as_json`."""
        keywords = KeywordModel(fields["taken"], fields["positions"])
        salience = verbs = cuts = forms = None
        if "words" in fields:
            salience = SalienceModel(Regression(fields["words"]), Regression(fields["pairs"]), keywords.selection)
        if "verbs" in fields:
            verbs = VerbForms(fields["verbs"])
        if "edges" in fields:
            cuts = CutModel.from_json(fields)
        if "forms" in fields:
            forms = HeadlineForms(verbs or VerbForms({}), fields["forms"])
        casing = Casing(fields["casing"]) if "casing" in fields else None
        return cls(keywords, salience, verbs, cuts, forms, casing)


def train_content_model(
    pairs: Sequence[TrainingPair], compressed: Sequence[CompressedText] = (), *, seed: int = 1
) -> ContentModel:
    """Train on pairs of headlines and texts, on texts that people shortened, or on both.

    Keywords, salience and the forms of words come from headlines, what may be left out from the shortened texts: of a
    headline nobody knows whether its author left words out or put others in their place.
    """
    selection = text_model((keys_of(pair.headline), keys_of(pair.text)) for pair in pairs)
    keywords = KeywordModel(
        selection, position_model((keys_of(p.headline), p.sentences) for p in pairs) if pairs else ()
    )
    salience = verbs = None
    lemmas = _lemmas(pairs)
    if pairs:
        texts = [[with_speakers(words) for words in pair.sentences[:SENTENCES]] for pair in pairs]
        verbs = VerbForms.trained((set(keys_of(pair.headline)), text) for pair, text in zip(pairs, texts, strict=True))
        headlines = [[lemmas.get(key, key) for key in keys_of(pair.headline)] for pair in pairs]
        words = Regression.fit(_word_rows(headlines, texts, selection), penalty=_PENALTY)
        generator = random.Random(seed)
        rows = _pair_rows(headlines, texts, SalienceModel(words, words, selection), generator)
        salience = SalienceModel(words, Regression.fit(rows, penalty=_PENALTY), selection)
    seen = chain(
        ((set(keys_of(pair.headline)), map(UnitTree, pair.sentences[:1])) for pair in pairs),
        () if pairs else ((set(keys_of(text.compression)), map(UnitTree, text.sentences)) for text in compressed),
    )
    forms = HeadlineForms.trained(verbs or VerbForms({}), seen) if pairs or compressed else None
    shortened = [of_compression(text.sentences, text.compression) for text in compressed]
    parsed = chain((pair.sentences for pair in pairs), (text.sentences for text in compressed))
    casing = Casing.trained(chain.from_iterable(parsed))
    cuts = train_cut_model(shortened) if shortened else None
    return ContentModel(keywords, salience, verbs, cuts, forms, casing)


def _lemmas(pairs: Iterable[TrainingPair]) -> dict[str, str]:
    """The most frequent lemma of each key. Headlines in capitals cannot be parsed for their lemmas.

    The present forms of verbs are added: a text may have a verb only in the past, and its headline in the present.
    """
    words = [word for pair in pairs for sentence in pair.sentences for word in sentence]
    counts = Counter((word.key, word.lemma) for word in words)
    lemmas: dict[str, str] = {}
    for (key, lemma), _ in counts.most_common():
        lemmas.setdefault(key, lemma)
    for lemma in sorted({word.lemma for word in words if word.tag == "VERB"}):
        lemmas.setdefault(lemma, lemma)
        lemmas.setdefault(third_person(lemma), lemma)
    return lemmas


def _word_rows(
    headlines: Sequence[Sequence[str]], texts: Sequence[Sequence[Sequence[Word]]], selection: dict[str, float]
) -> Iterator[tuple[Features, bool]]:
    """Features of each word of the texts, and whether its headline has the word; of the first `_MOST_ROWS` words."""
    rows = 0
    for headline, sentences in zip(headlines, texts, strict=True):
        headline_lemmas = set(headline)
        features = DocumentFeatures(sentences, selection)
        rows += sum(map(len, sentences))
        if rows > _MOST_ROWS:
            return
        for s, words in enumerate(sentences):
            for i, word in enumerate(words):
                yield features.word_features(s, i), word.lemma in headline_lemmas


def _pair_rows(
    headlines: Sequence[Sequence[str]],
    texts: Sequence[Sequence[Sequence[Word]]],
    salience: SalienceModel,
    generator: random.Random,
    *,
    max_rows: int = _MOST_ROWS,
) -> Iterator[tuple[Features, bool]]:
    """Features of each pair of neighbours in a phrase of the texts, and whether its headline has the pair.

    A text has an equal share of `max_rows`; beyond it, pairs that the headline lacks are sampled.
    """
    rows_per_text = max_rows / max(1, len(texts))
    for headline, sentences in zip(headlines, texts, strict=True):
        headline_pairs = set(pairwise(headline))
        features = DocumentFeatures(sentences, salience.selection)
        rows = []
        for s, words in enumerate(sentences[:_PAIR_SENTENCES]):
            word_salience = [salience.words.probability(features.word_features(s, i)) for i in range(len(words))]
            for i, j in sorted(_neighbours(words)):
                row = features.pair_features(s, i, j, word_salience[i], word_salience[j])
                rows.append((row, (words[i].lemma, words[j].lemma) in headline_pairs))
        share = rows_per_text / max(1, len(rows))
        yield from (row for row in rows if share >= 1 or row[1] or generator.random() < share)


def _neighbours(words: Sequence[Word]) -> set[tuple[int, int]]:
    """Positions of words that are neighbours in some phrase of the sentence."""
    neighbours: set[tuple[int, int]] = set()
    for _, word_set in SentencePhrases(words):
        neighbours.update(pairwise(positions(word_set)))
    return neighbours
