"""The realization of a document's headlines from the expression of its clauses."""

from widl.decoder import Derivation, Expression, Realization, SearchOptions, WeightVector
from widl.headline.budget import Budget
from widl.headline.clause_expression import ClauseExpression
from widl.headline.fallback import noun_phrase
from widl.headline.model import HeadlineModel
from widl.headline.options import HeadlineOptions
from widl.headline.pieces import Said
from widl.headline.prepared_document import PreparedDocument
from widl.headline.words import sentences_of
from widl.headline.written_headline import written_words_of


class ClauseDocument(PreparedDocument):
    """The expression of a document's clauses and its realizer."""

    _nothing = "no clause that fits"
    _clauses: ClauseExpression | None = None

    def _make_space(self, model: HeadlineModel, options: HeadlineOptions) -> bool:
        self._clauses = model.clauses(self._parsed, options)
        return self._clauses is not None

    def _phrase_instead(self, budget: Budget) -> str:
        return noun_phrase(self._parsed, budget)

    @property
    def expression(self) -> Expression | None:
        """The expression that is searched; None if no clause fits."""
        return self._clauses.expression if self._clauses is not None else None

    @property
    def clauses(self) -> ClauseExpression | None:
        """The same with the words of its leaves."""
        return self._clauses

    def _search(self, weights: WeightVector, options: SearchOptions) -> Realization:
        assert self._realizer is not None
        assert self._clauses is not None
        expressions = [self._clauses.expression]
        [result] = self._realizer.realize_expressions(expressions, weights, options, grammar=self._grammar)
        return result

    def _words(self, phrase: tuple[int, int, int, int]) -> tuple[str, ...]:
        """The words of one phrase; a headline's words may also depend on those around them."""
        assert self._clauses is not None
        said = self._clauses.written[phrase[0] : phrase[0] + phrase[2]]
        return tuple(written_words_of(said, sentences_of(self._parsed)))

    def _said(self, derivation: Derivation) -> list[Said]:
        assert self._clauses is not None
        spans = [(phrase[0], phrase[0] + phrase[2]) for phrase in derivation.phrases]
        return [self._clauses.written[k] for begin, end in spans for k in range(begin, end)]

    def _places_of(self, derivation: Derivation) -> tuple[tuple[int, int], ...]:
        return tuple((said.sentence, said.position) for said in self._said(derivation))

    def _written(self, derivation: Derivation) -> list[tuple[str, ...]]:
        spans = [(phrase[0], phrase[0] + phrase[2]) for phrase in derivation.phrases]
        said = self._said(derivation)
        words = iter(written_words_of(said, sentences_of(self._parsed)))
        return [tuple(next(words) for _ in range(begin, end)) for begin, end in spans]
