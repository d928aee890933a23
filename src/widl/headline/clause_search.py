"""The realization of a document's headlines from the expression of its clauses."""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from widl.decoder import Derivation
from widl.decoder.constraint import containing
from widl.headline.budget import Budget
from widl.headline.document_trees import Clause
from widl.headline.headline_search import HeadlineSearch, RatedDerivation
from widl.headline.model import HeadlineModel, clause_core_layout
from widl.headline.options import HeadlineOptions
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import ParsedDocument
from widl.headline.printing import ClausePrinter
from widl.headline.ranking import Confidence, doubt, headline_features, is_whole_clause, ranking_model, words_to_add
from widl.headline.results import Explanation, Headline
from widl.headline.units import UnitTree
from widl.headline.unwanted_terms import Unwanted
from widl.headline.whole_phrases import whole_beginnings
from widl.headline.words import keys_of
from widl.headline.written_headline import (
    SurfaceWord,
    in_letters,
    truncate_words,
    written_words,
    written_words_of,
)

FLOOR = 0.015
"""Headlines with a lower probability are marked or replaced."""

PREFERRED = 0.03
"""Probability below which a headline of the first sentence does not precede those of later ones."""


class ClauseSearch(HeadlineSearch):
    """The expression of a document's clauses and its realizer."""

    _nothing = "no clause that fits"

    def __init__(self, model: HeadlineModel, parsed: ParsedDocument, options: HeadlineOptions) -> None:
        super().__init__(parsed)
        self._layout = model.layout
        self._core_layout = clause_core_layout(len(model.layout.language_models))
        self.clause_expression = model.clause_expression(parsed, options)
        """The expression with its words and units; None if no clause fits."""
        self.expression = self.clause_expression.expression if self.clause_expression else None
        self._realizer = model.realizer(parsed.document.text) if self.clause_expression else None
        if self.clause_expression:
            words = self.clause_expression.trees.sentences
            if options.has_terms:
                unwanted = Unwanted(options.without).constraint(said.word for said in self.clause_expression.written)
                self._constraint = containing(map(keys_of, options.must)) & unwanted
            self._printer = ClausePrinter(self.clause_expression.written, self.clause_expression.begins, words)

    def _rated(self, derivations: Sequence[Derivation], options: HeadlineOptions) -> list[RatedDerivation]:
        """The most probable first, but above all those of the first sentence that has a fairly probable one."""
        best = max(derivation.score for derivation in derivations)
        fuller = words_to_add([self._said(derivation) for derivation in derivations])
        features = (
            self.ranking_features(derivation, best - derivation.score, more)
            for derivation, more in zip(derivations, fuller, strict=True)
        )
        confidences = list(map(ranking_model().confidence, features))
        probabilities = [confidence.good for confidence in confidences]
        rated: list[RatedDerivation] = list(zip(confidences, derivations, strict=True))
        if not options.ranked:
            return rated
        sentences = [self._said(derivation)[0].sentence for derivation in derivations]
        probable = [s for s, p in zip(sentences, probabilities, strict=True) if p >= PREFERRED]
        first = min(probable, default=None)
        order = sorted(
            range(len(rated)), key=lambda k: (first is not None and sentences[k] != first, -confidences[k].worth)
        )
        return [rated[k] for k in order]

    def ranking_features(self, derivation: Derivation, behind: float, fuller: int) -> dict[str, float]:
        """Features of a candidate for the ranking model; `behind` and `fuller` as in `headline_features`."""
        assert self.clause_expression is not None
        trees, clause = self.clause_expression.trees, self._clause(derivation)
        return headline_features(trees, clause.tree, self._said(derivation), ranking_model().tags, behind, fuller)

    def _checked(self, headline: Headline, best: Derivation, options: HeadlineOptions) -> Headline:
        """Below the floor, the text's complete first clause, if it fits; else the headline with a mark."""
        if (headline.confidence or 0.0) >= FLOOR:
            return headline
        doubtful = self._doubt(best) or "nothing in particular is wrong, but such headlines are seldom good"
        if not options.has_terms and (clause := self._first_clause(options)) is not None:
            message = f"this is its first clause; in a headline, {doubtful}"
            return replace(headline, text=clause, kind="clause", message=message)
        return replace(headline, kind="doubtful", message=f"doubtful: {doubtful}")

    def _first_clause(self, options: HeadlineOptions) -> str | None:
        sentences = sentences_of(self._parsed)
        words = sentences[0] if sentences else []
        tree = UnitTree(words)
        tops = [n for n, unit in enumerate(tree.units) if unit.parent is None]
        if len(tops) != 1 or not is_whole_clause(tree, tops[0]):
            return None
        written = in_letters(written_words(words), options.letters)
        if "?" in words[-1].closing:
            written[-1] += "?"
        return " ".join(written) if options.fits(written) else None

    def _first_words(self, options: HeadlineOptions) -> str:
        """The longest beginning of the first sentence that fits and is whole; empty without one."""
        words = next(iter(sentences_of(self._parsed)), [])
        if not words:
            return ""
        ends = whole_beginnings(UnitTree(words))
        written = (in_letters(written_words(words, range(end)), options.letters) for end in reversed(ends))
        trimmed = (truncate_words(texts, Budget(words=len(texts), bytes=0)) for texts in written)
        return next((" ".join(texts) for texts in trimmed if options.fits(texts)), "")

    def _doubt(self, derivation: Derivation) -> str:
        """Describes the likely error in a headline."""
        assert self.clause_expression is not None
        clause = self._clause(derivation)
        kept = self.clause_expression.trees.trees[clause.tree].with_labels(w.position for w in self._said(derivation))
        return doubt(self.clause_expression.trees, clause.tree, kept)

    def _explanation(self, derivation: Derivation, confidence: Confidence | None) -> Explanation:
        """Units deleted although their parent stayed, and units that guards protected."""
        assert self.clause_expression is not None
        prepared, at = self.clause_expression.trees, self._at(derivation)
        clause = self._clause(derivation)
        left_out: list[tuple[str, float]] = []
        guards: list[tuple[str, str, str]] = []
        tree, held = prepared.trees[clause.tree], prepared.guards[clause.tree].stays
        said = tree.with_labels(self.clause_expression.written[k].position for k in at)
        for number in tree.below(clause.top)[1:]:
            unit = tree.units[number]
            if unit.parent is None or tree.units[unit.parent].head not in said:
                continue
            words = " ".join(tree.words[i].text for i in tree.positions(tree.below(number)))
            if unit.head not in said:
                left_out.append((words, 1 - prepared.shortened.stays(tree, number)))
            elif number in held:
                guards.append((words, held[number].name, held[number].reason))
        return Explanation(tuple(left_out), tuple(guards), doubt=self._doubt(derivation), questions=confidence)

    def _clause(self, derivation: Derivation) -> Clause:
        """The clause of a derivation's words."""
        assert self.clause_expression is not None
        return self.clause_expression.clauses[bisect(self.clause_expression.begins, self._at(derivation)[0]) - 1]

    @staticmethod
    def _at(derivation: Derivation) -> list[int]:
        """The positions of a derivation's words in the expression as written."""
        return [p.begin + i for p in derivation.phrases for i in range(p.word_count)]

    def _said(self, derivation: Derivation) -> list[SurfaceWord]:
        assert self.clause_expression is not None
        return [self.clause_expression.written[k] for k in self._at(derivation)]

    def _places_of(self, derivation: Derivation) -> tuple[tuple[int, int], ...]:
        return tuple((said.sentence, said.word.place) for said in self._said(derivation))

    def _written(self, derivation: Derivation) -> list[tuple[str, ...]]:
        assert self.clause_expression is not None
        words = iter(written_words_of(self._said(derivation), self.clause_expression.trees.sentences))
        return [tuple(islice(words, phrase.word_count)) for phrase in derivation.phrases]
