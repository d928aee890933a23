"""The WIDL-expression of a document's headlines: the disjunction over the clauses of its first sentences.

Each clause is a precedence of locks and disjunctions (`widl.headline.clauses`). The numbers of a disjunction are
scores, a vector for each alternative: what its words add to the features `COMPONENTS`, and its prior.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from widl._core import Expression
from widl.decoder import choice, lock, seq, word
from widl.headline.attributions import is_saying
from widl.headline.budget import Budget
from widl.headline.clauses import Clause, ClauseGrammar
from widl.headline.content_model import SENTENCES
from widl.headline.cuts import has_condition
from widl.headline.expression import COMPONENTS, PhraseOptions
from widl.headline.language import latin_part
from widl.headline.lexicon import word_set
from widl.headline.pieces import Leaf, Piece, Row, Said, shortest, size
from widl.headline.required_terms import without_words
from widl.headline.result_tables import table_clauses
from widl.headline.salience import DocumentSalience
from widl.headline.sentence_tree import SentenceTree, is_negation
from widl.headline.shallow_parse import shallow_parse
from widl.headline.short_names import ShortNames
from widl.headline.verbs import VerbForms
from widl.headline.words import Word

MOST_WORDS = 6000
"""Words of an expression as written; further clauses are left out."""

_FEWEST_CONTENT_WORDS = 3
_OPEN_CONDITIONS = word_set("if unless")
_POSSIBLE = word_set("will 'll can could may might")
_DEMONSTRATIVES = word_set("such this that these those")


def _by_word_order(words: Sequence[Word]) -> list[Word] | None:
    """A reading that would miss a condition is none."""
    denied = any(is_negation(word) or word.key == "no" for word in words)
    return None if has_condition(words) or denied else shallow_parse(words)


def _as_possible(words: Sequence[Word]) -> list[Word] | None:
    """What will be on a condition may be: the sentence without its conditions, and *may* for *will*; None without any.

    What hangs on a verb of saying may have *would* for *will*.
    """
    tree = SentenceTree(words)
    changed = list(words)
    left: set[int] = set()
    for c, verb in enumerate(words):
        marks = {words[k].key for k in tree.function_words(c, "mark")}
        if verb.relation != "advcl" or marks.isdisjoint(_OPEN_CONDITIONS) or words[tree.first(c)].key not in marks:
            continue
        modals = [k for k in tree.function_words(verb.head, "aux") if words[k].key in _POSSIBLE]
        reported = is_saying(words[words[verb.head].head])
        modals += [k for k in tree.function_words(verb.head, "aux") if reported and words[k].key == "would"]
        only = any(words[k].key == "only" for k in tree.children[verb.head])
        if len(modals) != 1 or only or not tree.is_contiguous(c):
            return None
        k = modals[0]
        text = words[k].key if words[k].key in {"could", "might"} else "may"
        changed[k] = replace(words[k], text=text, key=text, lemma=text)
        changed[c] = replace(verb, head=c, relation="root", tag="X")
        left |= set(tree.subtree(c))
    kept = [word for k, word in enumerate(words) if k not in left]
    return changed if left and not has_condition(kept) else None


_READINGS: tuple[tuple[Callable[[Sequence[Word]], list[Word] | None], bool, bool], ...] = (
    (list, False, False),
    (list, False, True),
    (_as_possible, False, False),
    (_as_possible, False, True),
    (_by_word_order, False, False),
    (_by_word_order, False, True),
    (list, True, False),
    (_by_word_order, True, False),
    (_by_word_order, True, True),
)
"""How a sentence is read until there is a clause that fits: by its parse or by word order; whether the words behind a
verb may be taken as they stand; whether more of noun phrases may go."""
_FURTHEST = 8
"""Sentences that are searched where the first ones have no clause that fits."""
_MOST_CLAUSES = 12


@dataclass(frozen=True)
class ClauseExpression:
    """An expression, and the words of its leaves in the order written, in which derivations number them."""

    expression: Expression
    written: Sequence[Said]


def document_clauses(
    sentences: Sequence[Sequence[Word]],
    verbs: VerbForms | None,
    options: PhraseOptions,
    budget: Budget,
    without: Collection[str] = (),
) -> list[Clause]:
    """The clauses of the first sentences that can stand alone and of which a form fits the budget.

    `without`: keys of words that no form may have.
    """
    clauses = _document_clauses(sentences, verbs, options, budget)
    if not without:
        return clauses
    kept = [(clause, without_words(clause.piece, without)) for clause in clauses]
    left = [replace(clause, piece=piece) for clause, piece in kept if piece is not None]
    return [clause for clause in left if _fits(clause, budget)]


def _document_clauses(
    sentences: Sequence[Sequence[Word]], verbs: VerbForms | None, options: PhraseOptions, budget: Budget
) -> list[Clause]:
    sentences = [latin_part(words) for words in sentences]
    if tables := [clause for clause in table_clauses(sentences) if _fits(clause, budget)]:
        return tables
    names = ShortNames(sentences)
    found: list[Clause] = []
    company = None
    if sentences and sentences[0]:
        company = ClauseGrammar(sentences[0], 0, names, verbs, present_tense=options.present_tense).company_name()
    told = bool(sentences) and any(word.tag in {"VERB", "AUX"} for word in sentences[0])  # no table
    for number, words in enumerate(sentences[: max(options.sentences, _FURTHEST if told else 0)]):
        if number >= options.sentences and found:
            break
        found += [] if not words else sentence_clauses(words, number, names, verbs, options, budget, company)
    return list(islice(found, _MOST_CLAUSES))


def sentence_clauses(
    words: Sequence[Word],
    number: int,
    names: ShortNames,
    verbs: VerbForms | None,
    options: PhraseOptions,
    budget: Budget,
    company: Piece | None = None,
) -> list[Clause]:
    """The clauses of a sentence that fit, from the first reading that has any."""
    for read, by_prefix, tight in _READINGS:
        if (parse := read(words)) is None:
            continue
        grammar = ClauseGrammar(
            parse,
            number,
            names,
            verbs,
            present_tense=options.present_tense,
            by_prefix=by_prefix,
            tight=tight,
            company=company,
        )
        clauses = [
            clause for clause in grammar.clauses() if _fits(clause, budget) and (not number or _says_enough(clause))
        ]
        if clauses:
            return clauses
    return []


def _fits(clause: Clause, budget: Budget) -> bool:
    words = shortest(clause.piece)
    # Search measures the keys; both must fit.
    return budget.fits([said.word.key for said in words]) and budget.fits([said.word.text for said in words])


def _says_enough(clause: Clause) -> bool:
    """Whether a clause from further down says more than *capital to be used*, and refers to nothing before it."""
    words = [said.word for said in shortest(clause.piece)]
    referring = any(word.key in _DEMONSTRATIVES and word.tag in {"DET", "ADJ"} for word in words)
    content = {word.lemma for word in words if word.is_content and word.tag != "NUM"}
    return not referring and len(content) >= _FEWEST_CONTENT_WORDS


class WordWorth:
    """What a word, or two side by side, add to the features of a headline: at most 0 each, so that ln is a score."""

    def __init__(self, weights: Mapping[str, float], salience: DocumentSalience | None) -> None:
        """`weights`: those of keywords, by lemma; without a `salience`, they are the worth of words and pairs, too."""
        self._weights = weights
        self._salience = salience

    def word(self, said: Said) -> float:
        """P(the headline has the word in this form)."""
        if not said.share or said.sentence >= SENTENCES:
            return 0.0
        if self._salience is None:
            return min(1.0, self._weights.get(said.word.lemma, 0.0))
        return said.share * self._salience.word(said.sentence, said.position)

    def pair(self, left: Said, right: Said) -> float:
        """P(the headline has the words side by side)."""
        if self._salience is None:
            return math.sqrt(self.word(left) * self.word(right))
        apart = left.sentence != right.sentence or left.position >= right.position
        if apart or not left.share or not right.share or left.sentence >= SENTENCES:
            return 0.0
        return left.share * right.share * self._salience.pair(left.sentence, left.position, right.position)

    def features(self, words: Sequence[Said], before: Said | None) -> list[float]:
        """Of words in a row that follow the word `before`, in the order of `COMPONENTS`."""
        known = sum(self._weights.get(said.word.lemma, 0.0) for said in words)
        expected = sum(map(self.word, words))
        pairs = 0.0
        for said in words:
            pairs += self.pair(before, said) if before is not None else 0.0
            before = said
        count = len(words)
        return [known - count, 0.0, expected - count, pairs - count, 0.0]


@dataclass
class _Builder:
    """Writes pieces as expressions."""

    worth: WordWorth
    written: list[Said] = field(default_factory=list)

    def build(self, piece: Piece, before: Said | None) -> tuple[Expression, list[float]]:
        """The expression of a piece, and the features of those of its words that no disjunction in it counts."""
        if isinstance(piece, Leaf):
            self.written += piece.words
            words = [word(said.word.key) for said in piece.words]
            return (lock(*words) if len(words) > 1 else words[0]), self.worth.features(piece.words, before)
        if isinstance(piece, Row):
            expressions: list[Expression] = []
            total = [0.0] * len(COMPONENTS)
            for part in piece.parts:
                expression, features = self.build(part, before)
                expressions.append(expression)
                total = [a + b for a, b in zip(total, features, strict=True)]
                before = shortest(part)[-1]
            return seq(*expressions), total
        alternatives = []
        for option, prior in piece.options:
            expression, features = self.build(option, before)
            alternatives.append((expression, scores(features, prior)))
        return choice(*alternatives, scores=True), [0.0] * len(COMPONENTS)


def scores(features: Sequence[float], prior: float, *, place: float = 0.0) -> list[float]:
    """A vector of features as scores of an alternative, with its prior and its place."""
    keywords, phrase, words, pairs, position = features
    vector = [keywords, phrase + prior, words, pairs, position + place]
    return [math.exp(min(0.0, value)) for value in vector]


def clause_expression(clauses: Sequence[Clause], worth: WordWorth) -> ClauseExpression | None:
    """The disjunction over clauses; None without any."""
    builder = _Builder(worth)
    alternatives: list[tuple[Expression, list[float]]] = []
    total = 0
    for clause in clauses:
        total += size(clause.piece)
        if total > MOST_WORDS and alternatives:
            break
        expression, features = builder.build(clause.piece, None)
        alternatives.append((expression, scores(features, clause.prior, place=-float(clause.sentence))))
    if not alternatives:
        return None
    return ClauseExpression(choice(*alternatives, scores=True), builder.written)
