"""The search for a document's headline, and the headline that its result becomes. Each system builds the expression
differently (`widl.headline.clause_search`, `widl.headline.paper_search`).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from widl._core import Certificate, PrintedLength
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
from widl.expressions import Expression
from widl.headline.fallbacks import fallback
from widl.headline.options import HeadlineOptions
from widl.headline.parsing import ParsedDocument
from widl.headline.printing import Printer, Run
from widl.headline.punctuation import Letters, in_letters
from widl.headline.ranking import Judgment
from widl.headline.results import Explanation, Headline, HeadlineCandidate

JudgedDerivation = tuple[Judgment | None, Derivation]
"""A derivation with the judgment of its headline, where the system has one."""


class HeadlineSearch(ABC):
    """The expression of a document, its realizer and its printer; tuning searches it repeatedly with other weights."""

    layout: FeatureLayout
    """The features of headlines."""
    core_layout: FeatureLayout
    """The features that the core counts: those of `layout`, and others that have no weight."""
    constraint: Constraint | None = None
    """The terms that headlines must contain or do without."""

    def __init__(
        self, parsed: ParsedDocument, expression: Expression, realizer: CoreRealizer, printer: Printer
    ) -> None:
        self.expression = expression
        """The expression that is searched."""
        self._parsed = parsed
        self._realizer = realizer
        self._printer = printer
        self._lengths: dict[Letters, PrintedLength] = {}

    @property
    def identifier(self) -> str:
        """The document's identifier."""
        return self._parsed.document.identifier

    def run(self, weights: Mapping[str, float], options: HeadlineOptions) -> Realization:
        """The core's result under these weights."""
        # Paths of a lattice whose printed continuations may differ must not be merged.
        if (options.bytes or options.lattice) and options.letters not in self._lengths:
            self._lengths[options.letters] = self._printer.length(options.letters)
        core_options = options.core_options(self._lengths.get(options.letters))
        vector = self.layout.weight_vector(weights)
        [result] = self._realizer.realize_expressions(
            [self.expression], vector, core_options, constraint=self.constraint
        )
        return result

    def headline(self, result: Realization, options: HeadlineOptions) -> Headline:
        """The headline of a search's result."""
        if not result.nbest:
            return self._nothing_found(result, options)
        judged = self._judged(result.nbest, options)
        nbest = tuple(
            replace(self._candidate(derivation, options), judgment=judgment)
            for judgment, derivation in judged[: options.nbest]
        )
        judgment, best = judged[0]
        headline = Headline(
            identifier=self.identifier,
            text=nbest[0].text,
            nbest=nbest,
            outcome=result.outcome,
            bound=result.bound,
            optimal=result.optimal and Certificate(best.score, result.bound).optimal,
            stopped=result.stopped,
            nbest_complete=result.nbest_complete,
            states=result.statistics.states,
            edges=result.statistics.edges,
            seconds=result.statistics.seconds,
            lattice=self._lattice(result.lattice) if result.lattice is not None else None,
            lattice_complete=result.lattice_complete,
            search_score=max(derivation.score for derivation in result.nbest),
            search_optimal=result.optimal,
            judgment=judgment,
            explanation=self._explanation(best, judgment) if options.explain else None,
        )
        return self._or_first_clause(headline, best, options) if options.ranked else headline

    @abstractmethod
    def _judged(self, derivations: Sequence[Derivation], options: HeadlineOptions) -> list[JudgedDerivation]:
        """Candidates with their judgments, if the system judges them; the first is printed."""

    @abstractmethod
    def _or_first_clause(self, headline: Headline, best: Derivation, options: HeadlineOptions) -> Headline:
        """The headline, or the text's first clause for an improbable headline."""

    @abstractmethod
    def _explanation(self, derivation: Derivation, judgment: Judgment | None) -> Explanation:
        """The deleted parts of the headline and the guarded ones, or its keywords and phrases."""

    @abstractmethod
    def _written(self, derivation: Derivation) -> list[tuple[str, ...]]:
        """The printed words of a derivation, by phrase."""

    @abstractmethod
    def _places_of(self, derivation: Derivation) -> tuple[tuple[int, int], ...]:
        """The positions of a derivation's words in the document, if known."""

    def _candidate(self, derivation: Derivation, options: HeadlineOptions) -> HeadlineCandidate:
        phrases = self._written(derivation)
        words = [word for phrase in phrases for word in phrase]
        features = self.core_layout.mapping(derivation.features)
        return HeadlineCandidate(
            " ".join(in_letters(words, options.letters)),
            derivation.score,
            FeatureVector(self.layout, self.layout.vector(features)),
            tuple(" ".join(phrase) for phrase in phrases),
            self._places_of(derivation),
        )

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
        columns = self.core_layout.columns(self.layout.names)
        return Lattice(arcs, np.ascontiguousarray(lattice.features[:, columns]))

    def _nothing_found(self, result: Realization, options: HeadlineOptions) -> Headline:
        if result.outcome is Outcome.proved_empty:
            instead = fallback(self._parsed, options)
            return replace(instead, outcome=result.outcome, failure=instead.message)
        return Headline(
            identifier=self.identifier,
            text="",
            kind="none",
            message=result.failure,
            outcome=result.outcome,
            failure=result.failure,
            bound=result.bound,
            optimal=False,
            stopped=result.stopped,
        )
