"""The realization of a document's headlines: of the expression of its clauses, or of the packing of its phrases."""

import time
from collections.abc import Mapping
from typing import Protocol

from widl._core import Realization
from widl.decoder import CoreRealizer, Derivation, Expression, FeatureVector, Grammar, SearchOptions, WeightVector
from widl.errors import InputError
from widl.headline.clause_expression import ClauseExpression
from widl.headline.expression import packing_of
from widl.headline.fallback import beginning
from widl.headline.lexicon import word_set
from widl.headline.model import HeadlineModel, core_layout
from widl.headline.options import HeadlineOptions
from widl.headline.parsing import ParsedDocument
from widl.headline.required_terms import terms_grammar
from widl.headline.results import Headline, HeadlineCandidate
from widl.headline.words import keys_of, sentences_of
from widl.headline.written_headline import written_words_of


class _Space(Protocol):
    """The headlines of a document that search chooses from."""

    def realize(
        self, realizer: CoreRealizer, weights: WeightVector, options: SearchOptions, grammar: Grammar | None
    ) -> Realization:
        """The best derivations."""

    def phrases(self, derivation: Derivation) -> list[list[str]]:
        """The words of a derivation as printed, by phrases."""


class _Packing:
    """The packing of phrases: all families that share no lemma of a content word, each in any order."""

    def __init__(self, model: HeadlineModel, parsed: ParsedDocument, options: HeadlineOptions) -> None:
        # Search measures the keys, and small letters may have more bytes than capitals.
        fits = options.budget.fits
        without = {key for word in options.without for key in keys_of(word)}
        phrases = (phrase for phrase in model.phrases(parsed, options) if without.isdisjoint(phrase.keys))
        fitting = [phrase for phrase in phrases if fits(phrase.words) and fits(phrase.keys)]
        self._packing, self._phrases = packing_of(fitting, model.vocabulary)
        self.is_empty = not self._phrases

    def realize(
        self, realizer: CoreRealizer, weights: WeightVector, options: SearchOptions, grammar: Grammar | None
    ) -> Realization:
        [result] = realizer.realize_packings([self._packing], weights, options, grammar=grammar)
        return result

    def phrases(self, derivation: Derivation) -> list[list[str]]:
        return [list(self._phrases[number].words) for _, _, _, number in derivation.phrases]


class _Clauses:
    """The expression of clauses."""

    def __init__(self, clauses: ClauseExpression, parsed: ParsedDocument) -> None:
        self._clauses = clauses
        self.expression = clauses.expression
        self._sentences = sentences_of(parsed)

    def realize(
        self, realizer: CoreRealizer, weights: WeightVector, options: SearchOptions, grammar: Grammar | None
    ) -> Realization:
        [result] = realizer.realize_expressions([self._clauses.expression], weights, options, grammar=grammar)
        return result

    def phrases(self, derivation: Derivation) -> list[list[str]]:
        spans = [(begin, begin + count) for begin, _, count, _ in derivation.phrases]
        said = [self._clauses.written[k] for begin, end in spans for k in range(begin, end)]
        words = iter(written_words_of(said, self._sentences))
        return [[next(words) for _ in range(begin, end)] for begin, end in spans]


class PreparedDocument:
    """A document's space of headlines and its realizer; tuning searches it repeatedly with other weights."""

    def __init__(self, model: HeadlineModel, parsed: ParsedDocument, options: HeadlineOptions) -> None:
        self._identifier = parsed.document.identifier
        self._parsed = parsed
        self._layout = model.layout
        self._core_layout = core_layout(len(model.layout.language_models))
        self._space = _space(model, parsed, options)
        self._realizer = model.realizer(parsed.document.text) if self._space is not None else None

    @property
    def expression(self) -> Expression | None:
        """The expression of clauses, if it is that which is searched."""
        return self._space.expression if isinstance(self._space, _Clauses) else None

    def realize(self, weights: Mapping[str, float], options: HeadlineOptions) -> Headline:
        """The best headlines under these weights."""
        if self._space is None or self._realizer is None:
            return self._without_terms(options) if options.must or options.without else self._beginning(options)
        vector = self._layout.weight_vector(weights)
        grammar = terms_grammar(options.must) if options.must else None
        start = time.perf_counter()
        try:
            result = self._space.realize(self._realizer, vector, options.realization().search_options(), grammar)
        except InputError:
            if grammar is None:
                raise
            return self._without_terms(options)  # search has proved that there is none
        nbest = tuple(self._candidate(self._space, derivation, options) for derivation in result.nbest)
        return Headline(
            identifier=self._identifier,
            text=nbest[0].text,
            nbest=nbest,
            bound=result.bound,
            optimal=result.optimal,
            stopped=result.stopped,
            states=result.statistics.states,
            edges=result.statistics.edges,
            seconds=time.perf_counter() - start,
        )

    def _without_terms(self, options: HeadlineOptions) -> Headline:
        budget = options.budget
        limits = [f"{budget.words} words"] * bool(budget.words) + [f"{budget.bytes} bytes"] * bool(budget.bytes)
        wanted = [f"contains {' and '.join(map(repr, options.must))}"] * bool(options.must)
        wanted += [f"does without {', '.join(map(repr, options.without))}"] * bool(options.without)
        message = f"no headline of {' and '.join(limits)} {' and '.join(wanted)}"
        return Headline(identifier=self._identifier, text="", message=message)

    def _beginning(self, options: HeadlineOptions) -> Headline:
        text = beginning(self._parsed, options.budget)
        kind = "phrases" if options.system == "packing" else "clause that fits"
        message = f"no {kind}; this is its beginning" if text else "no word of it fits the budget"
        return Headline(identifier=self._identifier, text=written_headline(text, options), message=message)

    def _candidate(self, space: _Space, derivation: Derivation, options: HeadlineOptions) -> HeadlineCandidate:
        phrases = space.phrases(derivation)
        # A stock symbol is longer than its key, so that the words may not fit where their keys do.
        words = options.budget.cut([word for phrase in phrases for word in phrase])
        features = self._core_layout.mapping(derivation.features)
        return HeadlineCandidate(
            written_headline(" ".join(words), options),
            derivation.score,
            FeatureVector(self._layout, self._layout.vector(features)),
            tuple(" ".join(phrase) for phrase in phrases),
        )


def _space(model: HeadlineModel, parsed: ParsedDocument, options: HeadlineOptions) -> "_Packing | _Clauses | None":
    if options.system == "packing":
        packing = _Packing(model, parsed, options)
        return None if packing.is_empty else packing
    clauses = model.clauses(parsed, options)
    return _Clauses(clauses, parsed) if clauses is not None else None


def written_headline(text: str, options: HeadlineOptions) -> str:
    """The text in the letters that the options ask for: capitals, title case, or a capital at the beginning."""
    if options.upper or options.letters == "capitals":
        return text.upper()
    words = text.split(" ")
    if options.letters == "title":
        words = [word if number and word in _SMALL else _capital(word) for number, word in enumerate(words)]
    elif words:
        words[0] = _capital(words[0])
    return " ".join(words)


_SMALL = word_set("a an the and or but nor of in on at to for by from with as vs per")


def _capital(word: str) -> str:
    """The word with its first letter as a capital, behind a quotation mark if there is one."""
    at = 1 if word[:1] in {'"', "“", "("} else 0
    return word[:at] + word[at : at + 1].upper() + word[at + 1 :]
