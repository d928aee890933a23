"""The realization of a document's headlines from an expression. Each system builds the expression differently
(`widl.headline.clause_search`, `widl.headline.paper_search`).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from widl._core import WrittenLength
from widl.decoder import (
    Constraint,
    CoreRealizer,
    Derivation,
    FeatureLayout,
    FeatureVector,
    Lattice,
    Outcome,
    Realization,
)
from widl.decoder.weights import weight_names
from widl.expressions import Expression
from widl.headline.options import HeadlineOptions
from widl.headline.parsing import ParsedDocument
from widl.headline.printing import Printer, Run
from widl.headline.ranking import Confidence
from widl.headline.results import Explanation, Headline, HeadlineCandidate, Kind
from widl.headline.written_headline import Letters, in_letters, lead

RatedDerivation = tuple[Confidence | None, Derivation]
"""A derivation with the probabilities that its headline is good, where the system can tell."""


class HeadlineSearch(ABC):
    """The expression of a document and its realizer; tuning searches it repeatedly with other weights."""

    expression: Expression | None = None
    """The expression that is searched; None if no clause fits."""

    _nothing = "no phrases"
    _constraint: Constraint | None = None
    """Constraint for the terms that headlines must contain."""
    _layout: FeatureLayout
    _core_layout: FeatureLayout
    _realizer: CoreRealizer | None
    _printer: Printer
    """Printer of the expression's strings; unset without an expression."""

    def __init__(self, parsed: ParsedDocument) -> None:
        self._identifier = parsed.document.identifier
        self._parsed = parsed
        self._lengths: dict[Letters, WrittenLength] = {}

    def expression_weights(self, weights: Mapping[str, float]) -> dict[str, float]:
        """The weights of `expression`, by the names that ``widl realize --weights`` takes."""
        components = dict(zip(weight_names(len(self._layout.widl)), self._layout.widl, strict=True))
        renamed = {shown: weights[name] for shown, name in components.items()}
        others = [name for name in self._core_layout.names if name not in self._core_layout.widl]
        return renamed | {name: weights.get(name, 0.0) for name in others}

    def realize(self, weights: Mapping[str, float], options: HeadlineOptions) -> Headline:
        """The best headlines under these weights."""
        return self.headline(self.run(weights, options), options)

    def run(self, weights: Mapping[str, float], options: HeadlineOptions) -> Realization | None:
        """The core's result under these weights; None without an expression."""
        if self._realizer is None:
            return None
        assert self.expression is not None
        # Paths of a lattice whose printed continuations may differ must not be merged.
        if (options.bytes or options.lattice) and options.letters not in self._lengths:
            self._lengths[options.letters] = self._printer.length(options.letters)
        core_options = options.core_options(self._lengths.get(options.letters))
        vector = self._layout.weight_vector(weights)
        [result] = self._realizer.realize_expressions(
            [self.expression], vector, core_options, constraint=self._constraint
        )
        return result

    def headline(self, result: Realization | None, options: HeadlineOptions) -> Headline:
        """The headline of a search's result."""
        if result is None:
            return self._without_terms(options) if options.has_terms else self._beginning(options)
        if not result.nbest:
            return self._nothing_found(result, options)
        rated = self._rated(result.nbest, options)
        nbest = tuple(
            replace(self._candidate(derivation, options), confidence=p.good if p else None, questions=p)
            for p, derivation in rated[: options.nbest]
        )
        confidence, best = rated[0]
        headline = Headline(
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
            seconds=result.statistics.seconds,
            lattice=self._lattice(result.lattice) if result.lattice is not None else None,
            lattice_complete=result.lattice_complete,
            confidence=nbest[0].confidence,
            searched=max(derivation.score for derivation in result.nbest),
            questions=confidence,
            explanation=self._explanation(best, confidence) if options.explain else None,
        )
        return self._checked(headline, best, options) if options.ranked else headline

    def _rated(self, derivations: Sequence[Derivation], options: HeadlineOptions) -> list[RatedDerivation]:  # noqa: ARG002
        """Candidates with their probabilities, the one to print first."""
        return [(None, derivation) for derivation in derivations]

    def _checked(self, headline: Headline, best: Derivation, options: HeadlineOptions) -> Headline:  # noqa: ARG002
        """The headline, or a replacement for an improbable headline."""
        return headline

    def _explanation(self, derivation: Derivation, confidence: Confidence | None) -> Explanation | None:  # noqa: ARG002
        """The deleted parts of the headline and the guarded ones, for systems that record them."""
        return None

    def _lattice(self, lattice: Lattice) -> Lattice:
        """The same derivations with the model's features and the printed words, delayed until the next is known."""
        arcs = []
        runs: dict[int, Run] = {0: ()}
        for start, end, first, last, number, keys in lattice.arcs:  # incoming arcs of a node precede its outgoing arcs
            run = runs[start]
            words: list[str] = []
            for place in range(first, first + len(keys)):
                printed, run = self._printer.step(run, place)
                words += printed
            if end == lattice.nodes - 1:
                words += self._printer.end(run)
            runs[end] = run
            arcs.append((start, end, first, last, number, words))
        columns = self._core_layout.columns(self._layout.names)
        return Lattice(arcs, np.ascontiguousarray(lattice.features[:, columns]))

    @abstractmethod
    def _written(self, derivation: Derivation) -> list[tuple[str, ...]]:
        """The printed words of a derivation, by phrase."""

    def _places_of(self, derivation: Derivation) -> tuple[tuple[int, int], ...]:  # noqa: ARG002
        """The positions of a derivation's words in the document, if known."""
        return ()

    def _nothing_found(self, result: Realization, options: HeadlineOptions) -> Headline:
        if result.outcome is Outcome.proved_empty:
            headline = self._beginning(options) if self._constraint is None else self._without_terms(options)
            return replace(headline, outcome=result.outcome)
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
        limits = [f"{options.words} words"] * bool(options.words) + [f"{options.bytes} bytes"] * bool(options.bytes)
        conditions = [f"contains {' and '.join(map(repr, options.must))}"] * bool(options.must)
        conditions += [f"does without {', '.join(map(repr, options.without))}"] * bool(options.without)
        message = f"no headline of {' and '.join(limits)} {' and '.join(conditions)}"
        return Headline(identifier=self._identifier, text="", kind="none", message=message)

    def _beginning(self, options: HeadlineOptions) -> Headline:
        """The fallback for a headline: only words from the beginning of the text."""
        if (clause := self._first_clause(options)) is not None:
            message = f"{self._nothing}; this is its first clause"
            return Headline(identifier=self._identifier, text=clause, kind="clause", message=message)
        text = self._first_words(options)
        message = f"{self._nothing}; this is its beginning" if text else f"{self._nothing}, nor a whole phrase"
        kind: Kind = "beginning" if text else "none"
        return Headline(identifier=self._identifier, text=text, kind=kind, message=message)

    def _first_words(self, options: HeadlineOptions) -> str:
        """The beginning of the text; empty without one that may be printed."""
        return lead(self._parsed, options, options.letters)

    def _first_clause(self, options: HeadlineOptions) -> str | None:  # noqa: ARG002
        """The text's complete first clause, if the system finds it and it fits."""
        return None

    def _candidate(self, derivation: Derivation, options: HeadlineOptions) -> HeadlineCandidate:
        phrases = self._written(derivation)
        words = [word for phrase in phrases for word in phrase]
        features = self._core_layout.mapping(derivation.features)
        return HeadlineCandidate(
            " ".join(in_letters(words, options.letters)),
            derivation.score,
            FeatureVector(self._layout, self._layout.vector(features)),
            tuple(" ".join(phrase) for phrase in phrases),
            self._places_of(derivation),
        )
