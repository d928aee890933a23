"""The realization of a document's headlines from the expression of its sentences."""

from bisect import bisect

from widl.decoder import Derivation, Expression, Realization, SearchOptions, WeightVector
from widl.headline.budget import Budget
from widl.headline.confidence import confidence
from widl.headline.fallback import noun_phrase
from widl.headline.model import HeadlineModel, clause_core_layout
from widl.headline.options import HeadlineOptions
from widl.headline.prepared_document import PreparedDocument
from widl.headline.results import Explanation, HeadlineCandidate, Held, LeftOut
from widl.headline.sentence_expression import Clause, SentenceExpression
from widl.headline.words import sentences_of
from widl.headline.written_headline import Said, written_words_of


class ClauseDocument(PreparedDocument):
    """The expression of a document's clauses and its realizer."""

    _nothing = "no clause that fits"
    _sentences: SentenceExpression | None = None

    def _make_space(self, model: HeadlineModel, options: HeadlineOptions) -> bool:
        self._layout = model.clause_layout
        self._core_layout = clause_core_layout(len(model.clause_layout.language_models))
        self._sentences = model.sentences(self._parsed, options)
        return self._sentences is not None

    def _phrase_instead(self, budget: Budget) -> str:
        return noun_phrase(self._parsed, budget)

    @property
    def expression(self) -> Expression | None:
        """The expression that is searched; None if no clause fits."""
        return self._sentences.expression if self._sentences is not None else None

    @property
    def sentences(self) -> SentenceExpression | None:
        """The same with the words and the units that it stands for."""
        return self._sentences

    def _search(self, weights: WeightVector, options: SearchOptions) -> Realization:
        assert self._realizer is not None
        assert self._sentences is not None
        expressions = [self._sentences.expression]
        [result] = self._realizer.realize_expressions(expressions, weights, options, grammar=self._grammar)
        return result

    def _confidence(self, derivation: Derivation, candidate: HeadlineCandidate) -> float:  # noqa: ARG002
        return confidence({name: candidate.features[name] for name in self._layout.names})

    def _explanation(self, derivation: Derivation) -> Explanation:
        """Units that went although the unit above stayed, and units that guards held."""
        assert self._sentences is not None
        found, (at, clause) = self._sentences, self._clause(derivation)
        left_out: list[LeftOut] = []
        guards: list[Held] = []
        tree, stays, held = found.trees[clause.tree], found.stays[clause.tree], found.guards[clause.tree].stays
        said = {found.written[k].position for k in at}
        below = tree.below(clause.top)
        for number in below[1:]:
            unit = tree.units[number]
            if unit.parent is None or tree.units[unit.parent].head not in said:
                continue
            words = " ".join(
                tree.words[i].text for i in sorted(i for k in tree.below(number) for i in tree.units[k].words)
            )
            if unit.head not in said:
                left_out.append(LeftOut(words, 1 - stays[number]))
            elif number in held:
                guards.append(Held(words, held[number].name, held[number].reason))
        return Explanation(tuple(left_out), tuple(guards))

    def _clause(self, derivation: Derivation) -> tuple[list[int], Clause]:
        """The places of a derivation's words in the expression, and the clause that they are of."""
        assert self._sentences is not None
        at = [k for phrase in derivation.phrases for k in range(phrase[0], phrase[0] + phrase[2])]
        return at, self._sentences.clauses[bisect(self._sentences.begins, at[0]) - 1]

    def _words(self, phrase: tuple[int, int, int, int]) -> tuple[str, ...]:
        """The words of one phrase; a headline's words may also depend on those around them."""
        assert self._sentences is not None
        said = self._sentences.written[phrase[0] : phrase[0] + phrase[2]]
        return tuple(written_words_of(said, sentences_of(self._parsed)))

    def _said(self, derivation: Derivation) -> list[Said]:
        assert self._sentences is not None
        spans = [(phrase[0], phrase[0] + phrase[2]) for phrase in derivation.phrases]
        return [self._sentences.written[k] for begin, end in spans for k in range(begin, end)]

    def _places_of(self, derivation: Derivation) -> tuple[tuple[int, int], ...]:
        return tuple((said.sentence, said.position) for said in self._said(derivation))

    def _written(self, derivation: Derivation) -> list[tuple[str, ...]]:
        spans = [(phrase[0], phrase[0] + phrase[2]) for phrase in derivation.phrases]
        said = self._said(derivation)
        words = iter(written_words_of(said, sentences_of(self._parsed)))
        return [tuple(next(words) for _ in range(begin, end)) for begin, end in spans]
