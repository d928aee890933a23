"""The content model of headlines, trained on pairs of headlines and texts: keywords, kept words, verb forms."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from widl.common.workers import Progress, no_progress
from widl.headline.agreement import third_person
from widl.headline.casing import Casing
from widl.headline.deletion_model import DeletionModel
from widl.headline.deletion_training import ShortenedText, train_deletion_model
from widl.headline.keywords import KeywordModel, position_model, text_model
from widl.headline.shortened_texts import of_compression, of_headline
from widl.headline.units import UnitTree
from widl.headline.word_forms import WordForms
from widl.headline.words import Word, keys_of

LEARNED_SENTENCES = 2
"""Number of first sentences of a text that are used to learn which words headlines keep."""


@dataclass(frozen=True)
class TrainingPair:
    """A headline, its text, and the words of the text's first sentences."""

    headline: str
    text: str
    sentences: list[list[Word]]


@dataclass(frozen=True)
class CompressedText:
    """The words of a text's sentences, and a shortened version by an annotator who only deleted words."""

    compression: str
    sentences: list[list[Word]]


@dataclass(frozen=True)
class ContentModel:
    """Models how headlines reuse their texts: which words and word pairs they keep, in which form, and which words they
    delete.

    An untrained model weights keywords by frequency and position, and has neither deletions nor verb forms.
    """

    keywords: KeywordModel = field(default_factory=KeywordModel)
    deletions: DeletionModel | None = None
    """Model of the words that shortened sentences keep."""
    headlines: DeletionModel | None = None
    """Model of the words that headlines keep."""
    forms: WordForms | None = None
    casing: Casing | None = None

    def as_json(self) -> dict[str, Any]:
        """The inverse of `from_json`."""
        fields: dict[str, Any] = {
            "taken": dict(self.keywords.selection),
            "positions": list(self.keywords.positions),
        }
        if self.forms:
            fields |= {"forms": self.forms.kept, "verbs": self.forms.verbs}
        if self.casing:
            fields["casing"] = self.casing.forms
        if self.deletions:
            fields |= self.deletions.as_json()
        if self.headlines:
            fields["headlines"] = self.headlines.as_json()
        return fields

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "ContentModel":
        """The inverse of `as_json`."""
        keywords = KeywordModel(dict(fields["taken"]), list(fields["positions"]))
        deletions = headlines = forms = None
        if "edges" in fields:
            deletions = DeletionModel.from_json(fields)
        if "headlines" in fields:
            headlines = DeletionModel.from_json(fields["headlines"])
        if "forms" in fields:
            forms = WordForms(fields["forms"], fields["verbs"])
        casing = Casing(fields["casing"]) if "casing" in fields else None
        return cls(keywords, deletions, headlines, forms, casing)


def train_content_model(
    pairs: Collection[TrainingPair], compressed: Collection[CompressedText] = (), progress: Progress = no_progress
) -> ContentModel:
    """Train on pairs of headlines and texts, on texts that people shortened, or on both; each is read several times.

    Keywords, word forms and the news value of words are learned from headlines; deletions are learned from shortened
    texts, because a headline does not show whether its author deleted words or replaced them.
    """
    selection = text_model((keys_of(pair.headline), keys_of(pair.text)) for pair in pairs)
    keywords = KeywordModel(
        selection, position_model((keys_of(p.headline), p.sentences) for p in pairs) if pairs else ()
    )
    shortened = _reported(_of_headlines(pairs, _lemmas(pairs)), "read headlines", len(pairs), progress)
    headlines = train_deletion_model(shortened, progress, stage="learn headlines") if pairs else None
    seen = chain(
        ((set(keys_of(pair.headline)), map(UnitTree, pair.sentences[:1])) for pair in pairs),
        () if pairs else ((set(keys_of(text.compression)), map(UnitTree, text.sentences)) for text in compressed),
    )
    forms = WordForms.trained(seen)
    parsed = chain((pair.sentences for pair in pairs), (text.sentences for text in compressed))
    casing = Casing.trained(chain.from_iterable(parsed))
    shortened = _reported(_of_compressions(compressed), "read compressions", len(compressed), progress)
    deletions = train_deletion_model(shortened, progress, stage="learn compressions") if compressed else None
    return ContentModel(keywords, deletions, headlines, forms, casing)


def _reported(texts: Iterable[ShortenedText], stage: str, total: int, progress: Progress) -> Iterator[ShortenedText]:
    """The texts; reports how many were read."""
    for done, text in enumerate(texts, 1):
        yield text
        progress(stage, done, total)


def _of_headlines(pairs: Iterable[TrainingPair], lemmas: Mapping[str, str]) -> Iterator[ShortenedText]:
    """The words that headlines keep from their texts."""
    for number, pair in enumerate(pairs):
        # Uses only the first sentence of every other text: some documents have a single sentence, in which no word
        # occurs twice.
        sentences = pair.sentences if number % 2 else pair.sentences[:1]
        yield of_headline(sentences, keys_of(pair.headline), lemmas, learned=LEARNED_SENTENCES)


def _of_compressions(texts: Iterable[CompressedText]) -> Iterator[ShortenedText]:
    """The words that annotators kept from their texts."""
    return (of_compression(text.sentences, text.compression) for text in texts)


def _lemmas(pairs: Iterable[TrainingPair]) -> dict[str, str]:
    """The most frequent lemma of each key. Headlines in capitals cannot be parsed for their lemmas.

    Verbs' present forms are added: a text may use a verb only in the past tense, and its headline in the present.
    """
    counts: Counter[tuple[str, str]] = Counter()
    verbs: set[str] = set()
    for word in (word for pair in pairs for sentence in pair.sentences for word in sentence):
        counts[word.key, word.lemma] += 1
        if word.tag == "VERB":
            verbs.add(word.lemma)
    lemmas: dict[str, str] = {}
    for (key, lemma), _ in counts.most_common():
        lemmas.setdefault(key, lemma)
    for lemma in sorted(verbs):
        lemmas.setdefault(lemma, lemma)
        lemmas.setdefault(third_person(lemma), lemma)
    return lemmas
