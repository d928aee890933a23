"""The realization of a document's headlines from an expression, which each system makes in its own way
(`widl.headline.clause_document`, `widl.headline.paper_system`).
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from widl.decoder import (
    Constraint,
    CoreRealizer,
    CoreSearchOptions,
    Derivation,
    Expression,
    FeatureLayout,
    FeatureVector,
    Lattice,
    Outcome,
    Realization,
    WeightVector,
)
from widl.decoder.weights import weight_names
from widl.headline.options import HeadlineOptions
from widl.headline.parsing import ParsedDocument
from widl.headline.results import Explanation, Headline, HeadlineCandidate, Kind
from widl.headline.written_headline import in_letters, lead


class PreparedDocument(ABC):
    """The expression of a document and its realizer; tuning searches it repeatedly with other weights."""

    expression: Expression | None = None
    """The expression that is searched; None where nothing fits."""

    _nothing = "no phrases"
    _constraint: Constraint | None = None
    """Of the terms that headlines must contain."""
    _layout: FeatureLayout
    _core_layout: FeatureLayout
    _realizer: CoreRealizer | None

    def __init__(self, parsed: ParsedDocument) -> None:
        self._identifier = parsed.document.identifier
        self._parsed = parsed

    def expression_weights(self, weights: Mapping[str, float]) -> dict[str, float]:
        """The weights of `expression`, by the names that ``widl realize --weights`` takes."""
        components = dict(zip(weight_names(len(self._layout.widl)), self._layout.widl, strict=True))
        renamed = {shown: weights[name] for shown, name in components.items()}
        others = [name for name in self._core_layout.names if name not in self._core_layout.widl]
        return renamed | {name: weights.get(name, 0.0) for name in others}

    def realize(self, weights: Mapping[str, float], options: HeadlineOptions) -> Headline:
        """The best headlines under these weights."""
        if self._realizer is None:
            return self._without_terms(options) if options.must or options.without else self._beginning(options)
        vector = self._layout.weight_vector(weights)
        start = time.perf_counter()
        result = self._search(vector, options.core_options())
        if not result.nbest:
            return self._nothing_found(result, options)
        result = self._fitting(result, vector, options)
        nbest = tuple(self._candidate(derivation, options) for derivation in result.nbest)
        best = result.nbest[0]
        return Headline(
            identifier=self._identifier,
            text=nbest[0].text,
            nbest=nbest,
            outcome=result.outcome,
            bound=result.bound,
            optimal=result.optimal,
            stopped=result.stopped,
            nbest_complete=result.nbest_complete,
            states=result.statistics.states,
            edges=result.statistics.edges,
            seconds=time.perf_counter() - start,
            lattice=self._lattice(result.lattice) if result.lattice is not None else None,
            lattice_complete=result.lattice_complete,
            confidence=self._confidence(nbest[0]),
            explanation=self._explanation(best) if options.explain else None,
        )

    def _confidence(self, candidate: HeadlineCandidate) -> float | None:  # noqa: ARG002
        """The probability that a headline is true, readable and complete, where the system can tell."""
        return None

    def _explanation(self, derivation: Derivation) -> Explanation | None:  # noqa: ARG002
        """What the headline left out and what had to stay, where the system knows."""
        return None

    def _lattice(self, lattice: Lattice) -> Lattice:
        """The same derivations with the words as they would be written, and the model's features."""
        arcs = [
            (start, end, first, last, number, self._words((first, last, len(keys), number)) if keys else ())
            for start, end, first, last, number, keys in lattice.arcs
        ]
        columns = self._core_layout.columns(self._layout.names)
        return Lattice(arcs, np.ascontiguousarray(lattice.features[:, columns]))

    def _search(self, weights: WeightVector, options: CoreSearchOptions) -> Realization:
        assert self._realizer is not None
        assert self.expression is not None
        [result] = self._realizer.realize_expressions([self.expression], weights, options, constraint=self._constraint)
        return result

    def _fitting(self, result: Realization, weights: WeightVector, options: HeadlineOptions) -> Realization:
        """The result, or that of a search in fewer bytes whose best headline fits with its commas and quotation marks.

        A lattice keeps the whole space: its words have no commas yet.
        """
        most = limit = 0 if options.lattice else options.budget.bytes
        while most and (excess := self._written_bytes(result.nbest[0]) - most) > 0 and excess < limit:
            limit -= excess
            fewer = replace(options, budget=replace(options.budget, bytes=limit))
            shorter = self._search(weights, fewer.core_options())
            if not shorter.nbest:
                break
            result = shorter
        return result

    def _written_bytes(self, derivation: Derivation) -> int:
        return len(" ".join(word for phrase in self._written(derivation) for word in phrase).encode())

    @abstractmethod
    def _words(self, phrase: tuple[int, int, int, int]) -> tuple[str, ...]:
        """The words of a derivation's phrase, as they would be written."""

    def _written(self, derivation: Derivation) -> list[tuple[str, ...]]:
        """The words of a derivation as printed, by phrases."""
        return [self._words(phrase) for phrase in derivation.phrases]

    def _places_of(self, derivation: Derivation) -> tuple[tuple[int, int], ...]:  # noqa: ARG002
        """Where the words of a derivation stand in the document, if that is known."""
        return ()

    def _nothing_found(self, result: Realization, options: HeadlineOptions) -> Headline:
        if result.outcome is Outcome.proved_empty:
            if self._constraint is not None:
                return self._without_terms(options)
            return self._beginning(options)
        return Headline(
            identifier=self._identifier,
            text="",
            kind="none",
            message=result.failure,
            outcome=result.outcome,
            failure=result.failure,
            bound=result.bound,
            optimal=False,
            stopped=result.stopped,
        )

    def _without_terms(self, options: HeadlineOptions) -> Headline:
        budget = options.budget
        limits = [f"{budget.words} words"] * bool(budget.words) + [f"{budget.bytes} bytes"] * bool(budget.bytes)
        wanted = [f"contains {' and '.join(map(repr, options.must))}"] * bool(options.must)
        wanted += [f"does without {', '.join(map(repr, options.without))}"] * bool(options.without)
        message = f"no headline of {' and '.join(limits)} {' and '.join(wanted)}"
        return Headline(identifier=self._identifier, text="", kind="none", message=message)

    def _beginning(self, options: HeadlineOptions) -> Headline:
        """What stands in place of a headline: nothing is said that the text does not begin with."""
        text = lead(self._parsed, options.budget)
        message = f"{self._nothing}; this is its beginning" if text else "no word of it fits the budget"
        kind: Kind = "beginning" if text else "none"
        text = in_letters(text, options.letters)
        return Headline(identifier=self._identifier, text=text, kind=kind, message=message)

    def _candidate(self, derivation: Derivation, options: HeadlineOptions) -> HeadlineCandidate:
        phrases = self._written(derivation)
        words = [word for phrase in phrases for word in phrase]
        features = self._core_layout.mapping(derivation.features)
        # Small letters may have fewer bytes, so that the words may not fit where their keys do.
        return HeadlineCandidate(
            in_letters(" ".join(options.budget.cut(words)), options.letters),
            derivation.score,
            FeatureVector(self._layout, self._layout.vector(features)),
            tuple(" ".join(phrase) for phrase in phrases),
            self._places_of(derivation),
        )
