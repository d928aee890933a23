"""The realization of a document's headlines from the expression of its sentences."""

import math
from bisect import bisect
from collections.abc import Mapping
from itertools import islice

from widl.decoder import Derivation
from widl.decoder.constraint import avoiding, containing
from widl.headline.model import HeadlineModel, clause_core_layout
from widl.headline.options import HeadlineOptions
from widl.headline.parsing import ParsedDocument
from widl.headline.prepared_document import PreparedDocument
from widl.headline.printing import ClausePrinter
from widl.headline.results import Explanation, HeadlineCandidate
from widl.headline.words import keys_of, sentences_of
from widl.headline.written_headline import Said, written_words_of

_BIAS = 0.572
_WEIGHTS = {"cuts": 0.138, "torn": 0.148, "word_count": 0.178}
_WEIGHTS_PER_WORD = {"kept": 1.939, "words": 1.202, "lm0": 0.048}


class ClauseDocument(PreparedDocument):
    """The expression of a document's clauses and its realizer."""

    _nothing = "no clause that fits"

    def __init__(self, model: HeadlineModel, parsed: ParsedDocument, options: HeadlineOptions) -> None:
        super().__init__(parsed)
        self._layout = model.layout
        self._core_layout = clause_core_layout(len(model.layout.language_models))
        phrases = [keys for keys in map(keys_of, options.without) if len(keys) > 1]  # words alone are in no expression
        if options.must or phrases:
            self._constraint = containing(map(keys_of, options.must)) & avoiding(phrases)
        self.sentences = model.sentences(parsed, options)
        """The expression with the words and the units that it stands for; None if no clause fits."""
        self.expression = self.sentences.expression if self.sentences else None
        self._realizer = model.realizer(parsed.document.text) if self.sentences else None
        if self.sentences:
            self._printer = ClausePrinter(self.sentences.written, self.sentences.begins, sentences_of(parsed))

    def _confidence(self, candidate: HeadlineCandidate) -> float:
        return confidence({name: candidate.features[name] for name in self._layout.names})

    def _explanation(self, derivation: Derivation) -> Explanation:
        """Units that went although the unit above stayed, and units that guards held."""
        assert self.sentences is not None
        found, at = self.sentences, self._at(derivation)
        clause = found.clauses[bisect(found.begins, at[0]) - 1]
        left_out: list[tuple[str, float]] = []
        guards: list[tuple[str, str, str]] = []
        tree, held = found.trees[clause.tree], found.guards[clause.tree].stays
        said = {found.written[k].position for k in at}
        for number in tree.below(clause.top)[1:]:
            unit = tree.units[number]
            if unit.parent is None or tree.units[unit.parent].head not in said:
                continue
            words = " ".join(tree.words[i].text for i in tree.positions(tree.below(number)))
            if unit.head not in said:
                left_out.append((words, 1 - found.shortened.stays(tree, number)))
            elif number in held:
                guards.append((words, held[number].name, held[number].reason))
        return Explanation(tuple(left_out), tuple(guards))

    @staticmethod
    def _at(derivation: Derivation) -> list[int]:
        """The places of a derivation's words in the expression as written."""
        return [k for phrase in derivation.phrases for k in range(phrase[0], phrase[0] + phrase[2])]

    def _said(self, derivation: Derivation) -> list[Said]:
        assert self.sentences is not None
        return [self.sentences.written[k] for k in self._at(derivation)]

    def _places_of(self, derivation: Derivation) -> tuple[tuple[int, int], ...]:
        return tuple((said.sentence, said.position) for said in self._said(derivation))

    def _written(self, derivation: Derivation) -> list[tuple[str, ...]]:
        words = iter(written_words_of(self._said(derivation), sentences_of(self._parsed)))
        return [tuple(islice(words, phrase[2])) for phrase in derivation.phrases]


def confidence(features: Mapping[str, float]) -> float:
    """The probability that a headline is true, readable and tells the news, from its features.

    A logistic regression over 290 headlines that were read beside their texts (100 documents each of AG's news, DUC
    2004 and Reuters, 55 % of the headlines good; in cross-validation it ranks a good headline above a bad one in 69 of
    100 cases, and of those with .7 and more 75 % were good, of those below .4 28 %). It knows the features of search
    only, not the text: a guard that is missing is missing here, too. The constant is such
    that the mean over 756 other headlines is .556.
    """
    words = max(1.0, features["word_count"])
    z = _BIAS + sum(weight * features[name] for name, weight in _WEIGHTS.items())
    z += sum(weight * features[name] / words for name, weight in _WEIGHTS_PER_WORD.items())
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, z))))
