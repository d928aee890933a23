"""The headline system of Soricut & Marcu (2006), Section 4, exactly as published: ``widl-paper``.

Its expression is ∥ over a document's keywords of ∨ over each keyword's phrases, every phrase locked, with the scores
P(keyword) · P(phrase); its features are ln of the expression's probability, a general and a document language model,
and the numbers of words and of phrases.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from typing_extensions import override

from widl.decoder import DISTORTION, UNKNOWN, Derivation, FeatureLayout
from widl.expressions import Expression, choice, interleave, lock, word
from widl.headline.headline_search import HeadlineSearch, JudgedDerivation
from widl.headline.keyword_phrases import KEYWORDS, KeywordPhrase, keyword_phrases
from widl.headline.keywords import Keyword
from widl.headline.length_options import LengthLimit
from widl.headline.model import HeadlineModel
from widl.headline.options import HeadlineOptions
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import ParsedDocument
from widl.headline.printing import TextPrinter
from widl.headline.punctuation import Letters, in_letters
from widl.headline.ranking import Judgment
from widl.headline.results import Explanation, Headline

PROBABILITY = "widl"
"""The feature h₀: ln of the expression's probability of a headline."""
PAPER_CORE_LAYOUT = FeatureLayout.of([PROBABILITY], 2)
PAPER_LAYOUT = PAPER_CORE_LAYOUT.without([DISTORTION, UNKNOWN])
"""h₀, the general and the document's language model, the numbers of words and phrases."""
PAPER_WEIGHTS = {PROBABILITY: 0.4, "lm0": 0.007, "lm1": 0.036, "word_count": 0.27, "phrase_count": -0.3}
"""Weights before tuning, in the middle of the values that tuning on news finds."""

KeywordPhrases = Mapping[Keyword, Sequence[KeywordPhrase]]


class PaperSearch(HeadlineSearch):
    """The search among the paper's realizations of a document."""

    layout, core_layout = PAPER_LAYOUT, PAPER_CORE_LAYOUT

    def __init__(self, model: HeadlineModel, parsed: ParsedDocument, phrases: KeywordPhrases) -> None:
        self._phrases = phrases
        self._places = _by_place(phrases)
        printer = TextPrinter(list(chain.from_iterable(self._places.values())))
        realizer = model.realizer(parsed.document.text, headlines=False)
        super().__init__(parsed, paper_expression(phrases), realizer, printer)

    @classmethod
    def of(cls, model: HeadlineModel, parsed: ParsedDocument, options: HeadlineOptions) -> "PaperSearch | None":
        """The search for a document's headline; None if no phrases fit."""
        phrases = document_phrases(model, parsed, options)
        return cls(model, parsed, phrases) if phrases else None

    @override
    def _judged(self, derivations: Sequence[Derivation], options: HeadlineOptions) -> list[JudgedDerivation]:
        return [(None, derivation) for derivation in derivations]

    @override
    def _or_first_clause(self, headline: Headline, best: Derivation, options: HeadlineOptions) -> Headline:
        return headline

    @override
    def _places_of(self, derivation: Derivation) -> tuple[tuple[int, int], ...]:
        return ()

    @override
    def _explanation(self, derivation: Derivation, judgment: Judgment | None) -> Explanation:
        """The keywords and phrases in the expression, as listed in the paper's Figure 4."""
        return Explanation(
            keywords=tuple(
                (
                    keyword.text,
                    keyword.weight,
                    tuple((" ".join(phrase.words), phrase.probability) for phrase in phrases),
                )
                for keyword, phrases in self._phrases.items()
            )
        )

    @override
    def _written(self, derivation: Derivation) -> list[tuple[str, ...]]:
        return [self._places[phrase.begin] for phrase in derivation.phrases]


def document_phrases(
    model: HeadlineModel, parsed: ParsedDocument, options: HeadlineOptions
) -> dict[Keyword, list[KeywordPhrase]]:
    """The keywords of a document, with their phrases, that fit the limit together."""
    keywords = model.keywords(parsed, KEYWORDS)
    phrases = keyword_phrases(sentences_of(parsed), keywords)
    return fitting_phrases(phrases, options, options.letters)


def paper_expression(phrases: KeywordPhrases) -> Expression:
    """The paper's expression (Figures 4 and 5): ∥ over the keywords of ∨ over their phrases, each locked.

    An alternative's score is P(keyword) · P(phrase); words are the keys that language models know.

    >>> attack, attacks = Keyword("attack", ("attack",), 0.5), KeywordPhrase(("Attack",), ("attack",), 1)
    >>> in_iraq = KeywordPhrase(("in", "Iraq"), ("in", "iraq"), 0.4)
    >>> print(paper_expression({Keyword("Iraq", ("iraq",), 0.5): [in_iraq], attack: [attacks]}))
    ∥(∨{scores: 0.2}(×(in · iraq)), ∨{scores: 0.5}(attack))
    """
    arguments = [
        choice(*((_locked(phrase.keys), keyword.weight * phrase.probability) for phrase in known), scores=True)
        for keyword, known in phrases.items()
    ]
    return interleave(*arguments) if len(arguments) > 1 else arguments[0]


def _locked(keys: Sequence[str]) -> Expression:
    return lock(*map(word, keys)) if len(keys) > 1 else word(keys[0])


def fitting_phrases(
    phrases: KeywordPhrases, limit: LengthLimit, letters: Letters = "sentence"
) -> dict[Keyword, list[KeywordPhrase]]:
    """The phrases of as many of the first keywords as fit into some realization of the expression.

    Every realization has a phrase of each keyword. Six keywords may lack phrases short enough for ten words, a case
    that the paper does not cover. Here the keywords with the least weight are dropped.
    """
    kept = list(_fitting_alone(phrases, limit, letters).items())
    while kept and not _some_realization_fits([known for _, known in kept], limit, letters):
        kept.pop()
    return dict(kept)


def _fitting_alone(phrases: KeywordPhrases, limit: LengthLimit, letters: Letters) -> dict[Keyword, list[KeywordPhrase]]:
    """The phrases that fit, for each keyword that has such phrases."""
    fitting = {
        keyword: [phrase for phrase in known if limit.fits(in_letters(phrase.words, letters))]
        for keyword, known in phrases.items()
    }
    return {keyword: known for keyword, known in fitting.items() if known}


def _some_realization_fits(phrases: Sequence[Sequence[KeywordPhrase]], limit: LengthLimit, letters: Letters) -> bool:
    """Whether the shortest phrases together fit, by words or by bytes."""
    for shortest in (len, lambda words: (len(" ".join(words).encode()), len(words))):
        chosen = [min((phrase.words for phrase in known), key=shortest) for known in phrases]
        if limit.fits(in_letters([word for words in chosen for word in words], letters)):
            return True
    return False


def _by_place(phrases: KeywordPhrases) -> dict[int, tuple[str, ...]]:
    """The words of each phrase, by the position of its first word in the expression as written."""
    places: dict[int, tuple[str, ...]] = {}
    place = 0
    for known in phrases.values():
        for phrase in known:
            places[place] = phrase.words
            place += len(phrase.keys)
    return places
