"""The realization of a document's headlines from the expression of its clauses."""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from typing_extensions import override

from widl.decoder import Derivation
from widl.decoder.constraint import containing
from widl.headline.clause_expression import ClauseExpression
from widl.headline.document_trees import Clause
from widl.headline.doubt import MIN_CONFIDENCE_OF_FIRST_SENTENCE, is_improbable, likely_error, marked
from widl.headline.fallbacks import first_clause
from widl.headline.headline_search import HeadlineSearch, JudgedDerivation
from widl.headline.model import HeadlineModel
from widl.headline.options import HeadlineOptions
from widl.headline.parsing import ParsedDocument
from widl.headline.printing import ClausePrinter
from widl.headline.punctuation import SurfaceWord, written_words_of
from widl.headline.ranking import Judgment, ranking_model
from widl.headline.ranking_features import headline_features, words_to_add
from widl.headline.results import Explanation, Headline
from widl.headline.unwanted_terms import Unwanted
from widl.headline.words import keys_of


class ClauseSearch(HeadlineSearch):
    """The search among the clauses of a document."""

    def __init__(
        self, model: HeadlineModel, parsed: ParsedDocument, clauses: ClauseExpression, options: HeadlineOptions
    ) -> None:
        printer = ClausePrinter(clauses.written, clauses.begins, clauses.trees.sentences)
        super().__init__(parsed, clauses.expression, model.realizer(parsed.document.text), printer)
        self.layout, self.core_layout = model.layout, model.core_layout
        self.clauses = clauses
        """The expression with its words and units."""
        if options.has_terms:
            unwanted = Unwanted(options.without).constraint(said.word for said in clauses.written)
            self.constraint = containing(map(keys_of, options.must)) & unwanted

    @classmethod
    def of(cls, model: HeadlineModel, parsed: ParsedDocument, options: HeadlineOptions) -> "ClauseSearch | None":
        """The search for a document's headline; None if no clause fits."""
        clauses = model.clause_expression(parsed, options)
        return None if clauses is None else cls(model, parsed, clauses, options)

    @override
    def _judged(self, derivations: Sequence[Derivation], options: HeadlineOptions) -> list[JudgedDerivation]:
        """The best by rank score first, but above all those of the first sentence that has a fairly probable one."""
        best = max(derivation.score for derivation in derivations)
        fuller = words_to_add([self._said(derivation) for derivation in derivations])
        features = (
            self.ranking_features(derivation, best - derivation.score, more)
            for derivation, more in zip(derivations, fuller, strict=True)
        )
        judgments = list(map(ranking_model().judgment, features))
        judged: list[JudgedDerivation] = list(zip(judgments, derivations, strict=True))
        if not options.ranked:
            return judged
        sentences = [self._said(derivation)[0].sentence for derivation in derivations]
        probable = [
            s
            for s, judgment in zip(sentences, judgments, strict=True)
            if judgment.confidence >= MIN_CONFIDENCE_OF_FIRST_SENTENCE
        ]
        first = min(probable, default=None)
        order = sorted(
            range(len(judged)), key=lambda k: (first is not None and sentences[k] != first, -judgments[k].rank_score)
        )
        return [judged[k] for k in order]

    def ranking_features(self, derivation: Derivation, behind: float, fuller: int) -> dict[str, float]:
        """Features of a candidate for the ranking model; `behind` and `fuller` as in `headline_features`."""
        trees, clause = self.clauses.trees, self._clause(derivation)
        return headline_features(trees, clause.tree, self._said(derivation), ranking_model().tags, behind, fuller)

    @override
    def _or_first_clause(self, headline: Headline, best: Derivation, options: HeadlineOptions) -> Headline:
        """Below the least confidence, the text's complete first clause, if it fits; else the headline with a mark."""
        if not is_improbable(headline):
            return headline
        reason = self._likely_error(best) or "nothing in particular is wrong, but such headlines are seldom good"
        if not options.has_terms and (clause := first_clause(self._parsed, options)) is not None:
            message = f"this is its first clause; in a headline, {reason}"
            return replace(headline, text=clause, kind="clause", optimal=False, message=message)
        return marked(headline, reason)

    def _likely_error(self, derivation: Derivation) -> str:
        """Describes the likely error in a headline; empty without one."""
        clause = self._clause(derivation)
        kept = self.clauses.trees.trees[clause.tree].with_labels(w.position for w in self._said(derivation))
        return likely_error(self.clauses.trees, clause.tree, kept)

    @override
    def _explanation(self, derivation: Derivation, judgment: Judgment | None) -> Explanation:
        """Units deleted although their parent stayed, and units that guards protected."""
        prepared, at = self.clauses.trees, self._at(derivation)
        clause = self._clause(derivation)
        left_out: list[tuple[str, float]] = []
        guards: list[tuple[str, str, str]] = []
        tree, held = prepared.trees[clause.tree], prepared.guards[clause.tree].kept_by
        said = tree.with_labels(self.clauses.written[k].position for k in at)
        for number in tree.below(clause.top)[1:]:
            unit = tree.units[number]
            if unit.parent is None or tree.units[unit.parent].head not in said:
                continue
            words = " ".join(tree.words[i].text for i in tree.positions(tree.below(number)))
            if unit.head not in said:
                left_out.append((words, 1 - prepared.shortened.keep_probability(tree, number)))
            elif number in held:
                guards.append((words, held[number].name, held[number].reason))
        return Explanation(
            tuple(left_out), tuple(guards), likely_error=self._likely_error(derivation), judgment=judgment
        )

    def _clause(self, derivation: Derivation) -> Clause:
        """The clause of a derivation's words."""
        return self.clauses.clauses[bisect(self.clauses.begins, self._at(derivation)[0]) - 1]

    @staticmethod
    def _at(derivation: Derivation) -> list[int]:
        """The positions of a derivation's words in the expression as written."""
        return [p.begin + i for p in derivation.phrases for i in range(p.word_count)]

    def _said(self, derivation: Derivation) -> list[SurfaceWord]:
        return [self.clauses.written[k] for k in self._at(derivation)]

    @override
    def _places_of(self, derivation: Derivation) -> tuple[tuple[int, int], ...]:
        return tuple((said.sentence, said.word.place) for said in self._said(derivation))

    @override
    def _written(self, derivation: Derivation) -> list[tuple[str, ...]]:
        words = iter(written_words_of(self._said(derivation), self.clauses.trees.sentences))
        return [tuple(islice(words, phrase.word_count)) for phrase in derivation.phrases]
