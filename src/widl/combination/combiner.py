"""Combining the outputs of several systems for one input into a better one, with a certificate."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, product, repeat, zip_longest
from typing import Any, ClassVar, cast

from typing_extensions import override

from widl.combination.negations import NegationLimits, is_negation
from widl.combination.network import Aligner, Network, expression_of, lattice_of, similarity
from widl.combination.options import CombinationOptions
from widl.combination.output_ngrams import SEAMS, Agreement, agreement_names
from widl.combination.results import Combination, CombinedCandidate, CombinedWord
from widl.combination.search import OutputLimits, OutputSearch
from widl.combination.tokens import Spacing, folded, words_of
from widl.common.argument_types import checked
from widl.common.arguments import encodable, reject_text, text_of, texts_in
from widl.common.decoding import FrontEnd, decode
from widl.common.errors import InputError
from widl.common.options import adjust, merge_options
from widl.common.workers import Engine, LocalEngine
from widl.decoder import (
    FeatureLayout,
    FeatureVector,
    LanguageModel,
    Outcome,
    RealizationResult,
    default_realization_weights,
)
from widl.decoder.constraint import Constraint, avoiding, containing
from widl.decoder.realizer import LanguageModels, models_of
from widl.decoder.weights import changed_weights
from widl.expressions import Expression, seq


def default_weights(outputs: int, language_models: int = 0) -> dict[str, float]:
    """The weights without tuning, by feature.

    votes1, votes2, …: for each output, minus its trust for each position where the result differs; skeleton: ln of the
    trust in the output whose word order the result follows, divided by the largest trust; agreement1, agreement2,
    …: for each output, its trust times the score of the n-grams that it shares with the result; shared1 to shared4: the
    trust in outputs that share an n-gram of that order, summed over the result's n-grams; seams: sequences of up to
    four words that no output has, which occur only if unavoidable; words: their number; lm0, lm1, …: ln p by the user's
    language models.
    """
    votes = {f"votes{k}": 1.5 for k in range(1, outputs + 1)}
    models = {f"lm{k}": 0.1 for k in range(language_models)}
    words = -0.5 + 0.3 * language_models  # the average cost of a word under language models
    agreement = {name: float(name.startswith("agreement")) for name in agreement_names(outputs)}
    return votes | {"skeleton": 0.3, **agreement, SEAMS: -10.0} | models | {"words": words}


_OF_OUTPUT = re.compile("(?:votes|agreement)([1-9][0-9]*)")
_A_POINT = 0.2  # of BLEU, in the logarithm of an output's weights


def weights_by_history(weights: Mapping[str, float], bleu: Sequence[float]) -> dict[str, float]:
    """Multiplies each output's weights by exp(0.2 · (BLEU − mean)): outputs with better past scores get more influence.

    bleu: each output's BLEU on lines with references.

    >>> found = weights_by_history(default_weights(2), [30.0, 20.0])
    >>> round(found["votes1"], 2), round(found["agreement2"], 2), found["words"]
    (4.08, 0.37, -0.5)
    """
    mean = sum(bleu) / len(bleu)
    factors = [math.exp(_A_POINT * (score - mean)) for score in bleu]
    by_name = [(f"{name}{k}", factor) for k, factor in enumerate(factors, 1) for name in ("votes", "agreement")]
    return {**weights, **{name: weights[name] * factor for name, factor in by_name}}


OutputsAndTerms = tuple[list[str], Sequence[str]]
"""The outputs for an input, and more terms that its combination must have."""


@checked
@dataclass(frozen=True)
class Combiner(FrontEnd[OutputsAndTerms, "SearchedOutputs", CombinationOptions, Combination]):
    """Language models, open or as files, and weights, ready to combine; by default, it combines by agreement only.
    Weights that are not given have their defaults.

    >>> combiner = Combiner()
    >>> combiner.combine_one(["The cat sat on a mat.", "A cat sat on the mat.", "The cat sits on the mat."]).text
    'The cat sat on the mat.'
    """

    prepares_in_processes: ClassVar[bool] = False
    language_models: LanguageModels = ()
    weights: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "language_models", tuple(models_of(self.language_models)))
        if self.weights is not None:
            outputs = max((int(found[1]) for name in self.weights if (found := _OF_OUTPUT.fullmatch(name))), default=2)
            _checked(self.weights, default_weights(outputs, len(self.models)))

    @property
    def models(self) -> tuple[LanguageModel, ...]:
        """The open language models."""
        return cast("tuple[LanguageModel, ...]", self.language_models)

    def combine_one(
        self, outputs: Sequence[str], options: CombinationOptions | None = None, **more: Any
    ) -> Combination:
        """The combination of the outputs for one input."""
        return next(self.combine([outputs], options, **more))

    def combine(
        self,
        lines: Iterable[Sequence[str]],
        options: CombinationOptions | None = None,
        *,
        terms: Iterable[Sequence[str]] | None = None,
        threads: int = 1,
        engine: Engine | None = None,
        **more: Any,
    ) -> Iterator[Combination]:
        """The combination of the outputs for each input, in order; options may also be given by name.

        terms: for each input, more terms like `must`.
        """
        chosen = merge_options(CombinationOptions, options, more)
        _check_terms(chosen)
        stream = _numbered_texts(reject_text(lines, "lines", "a list of lists of outputs: [[first, second]]"))
        pairs = zip(stream, repeat(())) if terms is None else _with_terms(stream, terms)
        return decode(self, pairs, chosen, engine or LocalEngine(threads))

    @override
    def prepare(self, inputs: Sequence[OutputsAndTerms], options: CombinationOptions) -> list["SearchedOutputs"]:
        """The outputs for each input, in words."""
        return [
            SearchedOutputs(_line(self, outputs, adjust(options, must=(*options.must, *terms)) if terms else options))
            for outputs, terms in inputs
        ]

    @override
    def search(
        self,
        inputs: Sequence["SearchedOutputs"],
        options: CombinationOptions,
        threads: int,
    ) -> list["SearchedOutputs"]:
        """The inputs with the results of their searches."""
        if threads <= 1:
            return [each.line.searched() for each in inputs]
        with ThreadPoolExecutor(threads) as pool:  # searches release the GIL
            return list(pool.map(lambda each: each.line.searched(), inputs))

    @override
    def finish(self, searched: "SearchedOutputs", options: CombinationOptions) -> Combination:
        """The combination of a searched input."""
        return searched.combination()

    @override
    def failed(
        self,
        outputs: OutputsAndTerms,
        options: CombinationOptions,
        failure: str,
    ) -> Combination:
        """No combination, since a stage raised an unexpected error."""
        return Combination(text="", outcome=Outcome.undecided, failure=failure, bound=math.inf, optimal=False)

    def expression(self, outputs: Sequence[str], options: CombinationOptions | None = None, **more: Any) -> Expression:
        """The strings from which a combination is chosen. The components are each output's votes and the skeleton."""
        line = _line(self, _texts(outputs), merge_options(CombinationOptions, options, more))
        return line.expression if any(line.words) else seq()

    def weights_of(self, outputs: int) -> dict[str, float]:
        """All weights for `outputs` outputs: the combiner's weights, and defaults for missing ones."""
        defaults = default_weights(outputs, len(self.models))
        return defaults if self.weights is None else _checked(self.weights, defaults)

    def layout(self, outputs: int) -> dict[str, str]:
        """Maps the features' names to the realizer's names; there, agreement is a language model, lm0."""
        names = {f"votes{k}": f"widl{k}" for k in range(1, outputs + 1)}
        names |= {"skeleton": f"widl{outputs + 1}", "words": "word_count"}
        return names | {f"lm{k}": f"lm{k + 1}" for k in range(len(self.models))}


def _checked(weights: Mapping[str, float], defaults: Mapping[str, float]) -> dict[str, float]:
    """The defaults with the weights that are given."""
    changed = changed_weights(defaults, weights)
    if changed[SEAMS] > 0:
        raise InputError(f"weights: {SEAMS} is positive; search needs one <= 0")
    return changed


@checked
def combine(
    lines: Iterable[Sequence[str]],
    language_models: LanguageModels = (),
    options: CombinationOptions | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    threads: int = 1,
    **more: Any,
) -> Iterator[Combination]:
    """The combination of the outputs for each input; see `Combiner`.

    >>> [result.text for result in combine([["a red car", "a car", "the red car"]])]
    ['a red car']
    """
    return Combiner(language_models, weights).combine(lines, options, threads=threads, **more)


def _check_terms(options: CombinationOptions) -> None:
    for term in (*options.must, *options.without):
        if not words_of(term):
            raise InputError(f"the term {term!r} has no words; remove it")


def _with_terms(inputs: Iterable[list[str]], terms: Iterable[Sequence[str]]) -> Iterator[OutputsAndTerms]:
    """Each input with its terms; InputError if there are more of one than of the other."""
    each = reject_text(terms, "terms", "a list of terms for each input: [['new york'], []]")
    for number, (outputs, more) in enumerate(zip_longest(inputs, each), 1):
        if outputs is None or more is None:
            missing = "no terms for" if more is None else "no"
            raise InputError(f"terms: {missing} input {number}; give a list of terms for each input")
        yield outputs, list(texts_in(more, "terms", "a list of terms for each input"))


def _texts(outputs: Sequence[str]) -> list[str]:
    given = reject_text(outputs, "outputs", "a list of texts: [first, second]")
    texts = [" ".join(encodable(text_of(text, "outputs"), "outputs").split()) for text in given]
    if len(texts) < 2:
        raise InputError(f"{len(texts)} output to combine; at least two are needed")
    return texts


def _numbered_texts(inputs: Iterable[Sequence[str]]) -> Iterator[list[str]]:
    """The texts of each input; an error of any but the first names its number."""
    for number, outputs in enumerate(inputs, 1):
        try:
            yield _texts(outputs)
        except InputError as error:
            raise type(error)(f"input {number}: {error}" if number > 1 else str(error)) from None


def _line(combiner: Combiner, texts: list[str], options: CombinationOptions) -> "_Line":
    combiner.weights_of(len(texts))
    _check_terms(options)
    return _Line(combiner, texts, [words_of(text) for text in texts], options)


@dataclass(frozen=True)
class _Line:
    """The outputs for one input."""

    of: Combiner
    texts: list[str]
    words: list[list[str]]
    options: CombinationOptions

    @cached_property
    def trust(self) -> list[float]:
        """Similarity of each output to the others, sharpened: isolated outputs have little weight."""
        return [max(share, 0.01) ** 2 for share in similarity(self.words)]

    @cached_property
    def networks(self) -> list[Network]:
        ranked = sorted(range(len(self.words)), key=lambda k: (-self.trust[k], k))
        chosen: list[int] = []
        for k in ranked:
            if self.words[k] and all(self.words[k] != self.words[other] for other in chosen):
                chosen.append(k)
        most = self.options.skeletons or len(chosen)
        demanded = frozenset(word for term in self._terms for word in term)
        aligner = Aligner(self.words, support=self.options.support, demanded=demanded)
        return [aligner.network(k) for k in chosen[:most]]

    @cached_property
    def without(self) -> frozenset[str]:
        """The folded words that no slot may have; terms of several words are in `_demanded`."""
        return frozenset(term[0] for term in self._unwanted if len(term) == 1)

    @cached_property
    def expression(self) -> Expression:
        return expression_of(self.networks, self.trust, without=self.without)

    @cached_property
    def _terms(self) -> list[tuple[str, ...]]:
        return list(dict.fromkeys(tuple(words_of(term)) for term in self.options.must))

    @cached_property
    def _unwanted(self) -> list[tuple[str, ...]]:
        return [tuple(map(folded, words_of(term))) for term in self.options.without]

    @property
    def _demanded(self) -> Constraint | None:
        """Accepts strings with all terms and without unwanted words."""
        phrases = [term for term in self._unwanted if len(term) > 1]
        if not (self._terms or phrases):
            return None
        forms: dict[str, list[str]] = {}
        parts = {part for term in phrases for part in term}
        for word in {word for words in self.words for word in words if folded(word) in parts}:
            forms.setdefault(folded(word), []).append(word)
        return containing(self._terms) & avoiding(phrases, forms)

    @property
    def _widest(self) -> "_Line":
        """A copy of the line with every output as a skeleton, and without pruning: all words of the outputs are
        possible."""
        return replace(self, options=adjust(self.options, skeletons=0, support=1))

    @property
    def needs_search(self) -> bool:
        """Whether there is anything to decide: terms, or different outputs."""
        options = self.options
        return bool(options.must or (any(self.words) and (options.without or len(set(self.texts)) > 1)))

    def searched(self) -> "SearchedOutputs":
        """The search for the best complete string; if no complete string has the terms, for the best of all strings."""
        if not self.needs_search or not any(self.words):
            return SearchedOutputs(self)
        outputs, names = len(self.texts), self.of.layout(len(self.texts))
        weights = self.of.weights_of(outputs)
        combined = dict.fromkeys(default_realization_weights(outputs + 1, 1 + len(self.of.models)), 0.0)
        combined |= {realizers: weights[name] for name, realizers in names.items()}
        agreement = Agreement(self.words, self.trust)
        model, constant = agreement.model(weights)
        combined["lm0"] = 1.0
        combined["word_count"] += constant  # which the model subtracts for each word, and once for the line's end
        search = OutputSearch([model, *self.of.models], combined, self.options)
        demanded, limits = self._demanded, self._negation_limits
        lines = (self,) if demanded is None and limits is None else (self, self._widest)
        for kept, line in product(dict.fromkeys((limits, None)), lines):
            lattice = lattice_of(line.networks, line.trust, without=line.without, limits=kept)
            if lattice is None:
                continue
            note = self._note(limits, kept)
            for rules in (line._completeness, None):
                result = search.best(lattice, demanded, rules)
                if result.nbest or result.outcome is not Outcome.proved_empty:
                    return SearchedOutputs(line, result, agreement, constant, note)
        return SearchedOutputs(self, result, agreement, constant)

    @cached_property
    def _negation_limits(self) -> NegationLimits | None:
        """The numbers of negations that a result may have; None without negations, or if the options allow all."""
        if self.options.support == 1 or not any(map(is_negation, chain.from_iterable(self.words))):
            return None
        placed = max(network.denied_places(sum(map(bool, self.words))) for network in self.networks)
        return NegationLimits.of(self.words, self.networks[0].skeleton, placed)

    def _note(self, limits: NegationLimits | None, kept: NegationLimits | None) -> str:
        """What a user should know about the result's negations."""
        if limits and kept is None:
            return "the terms leave no string with as many negations as the outputs have"
        if limits and limits.tie:
            lead = self.networks[0].skeleton + 1
            return f"{limits.tie} of {2 * limits.tie} outputs deny; the result follows output {lead}"
        return ""

    def unanimous(self) -> Combination:
        """The words common to all outputs."""
        everybody = tuple(range(1, len(self.texts) + 1))
        same = tuple(CombinedWord(word, everybody) for word in self.words[0])
        alone = (CombinedCandidate(self.texts[0], 0.0, FeatureLayout(()).zeros(), ()),)
        return Combination(text=self.texts[0], outcome=Outcome.found, bound=0.0, optimal=True, words=same, nbest=alone)

    def infeasible(self) -> Combination:
        """No combination, since no output has a word."""
        why = self._infeasibility()
        return Combination(text="", outcome=Outcome.proved_empty, failure=why, bound=-math.inf, optimal=False)

    def _infeasibility(self) -> str:
        """The reason why no string has the terms; search has proved that there is none."""
        vocabulary = {word for words in self.words for word in words}
        for term in self.options.must:
            if missing := [word for word in words_of(term) if word not in vocabulary]:
                return f"no output has {missing[0]!r} of the term {term!r}"
        having = f" with {' and '.join(map(repr, self.options.must))}" * bool(self.options.must)
        lacking = f" without {' and '.join(map(repr, self.options.without))}" * bool(self.options.without)
        return f"the outputs' words make no string{having}{lacking}, in the order of any output"

    @cached_property
    def _completeness(self) -> OutputLimits:
        """A word may occur as often as in two outputs, in a skeleton, or in all terms; once if only one output has it.

        Unless terms are required, a result has at least as many words as the shortest output. A shorter result has lost
        a part of the sentence, often its verb, because the outputs disagree about it.
        """
        counts = [Counter(words) for words in self.words]
        most = Counter({word: sorted(counter[word] for counter in counts)[-2] or 1 for word in set().union(*counts)})
        for network in self.networks:
            most |= counts[network.skeleton]
        most |= Counter(word for term in self._terms for word in term)
        shortest = min(sum(folded(word) not in self.without for word in words) for words in self.words if words)
        return OutputLimits(most, 0 if self._terms else shortest)

    def combination(self, result: RealizationResult, agreement: Agreement, constant: float, note: str) -> Combination:
        """The combination of a search's result; `constant`: what the agreement's model leaves out of each score."""
        if not result.nbest:
            proved = result.outcome is Outcome.proved_empty
            return _failed(result, constant, self._infeasibility() if proved else result.failure)
        names = self.of.layout(len(self.texts))
        spacing = Spacing(self.texts)
        words = result.text.split()
        skeleton, origins = self._origins(words)
        layout = FeatureLayout((*names, *agreement_names(len(self.words))))
        candidates = []
        for string in result.nbest:
            shared = agreement.features(string.text.split())
            row = FeatureVector(layout, [*(string.features[feature] for feature in names.values()), *shared])
            candidates.append(CombinedCandidate(spacing.text(string.text.split()), string.score + constant, row, ()))
        return Combination(
            text=candidates[0].text,
            nbest=tuple(candidates),
            **result.search_fields() | {"bound": result.bound + constant},
            words=tuple(
                CombinedWord(word, tuple(k + 1 for k in numbers)) for word, numbers in zip(words, origins, strict=True)
            ),
            skeleton=skeleton + 1,
            note=note,
        )

    def _origins(self, words: Sequence[str]) -> tuple[int, list[tuple[int, ...]]]:
        """The skeleton with the most votes whose network has the words, and the outputs of each word."""
        best: tuple[int, int, list[tuple[int, ...]]] = (-1, self.networks[0].skeleton, [()] * len(words))
        for network in self.networks:
            path = _path(network, words)
            votes = -1 if path is None else sum(map(len, path))
            if path is not None and votes > best[0]:
                best = votes, network.skeleton, path
        return best[1], best[2]


@dataclass(frozen=True)
class SearchedOutputs:
    """The outputs for an input, and the result of their search, if there was anything to search."""

    line: _Line
    result: RealizationResult | None = None
    agreement: Agreement | None = None
    constant: float = 0.0
    note: str = ""

    def combination(self) -> Combination:
        """The combination of the outputs."""
        if self.result is None or self.agreement is None:
            return self.line.infeasible() if self.line.needs_search else self.line.unanimous()
        return self.line.combination(self.result, self.agreement, self.constant, self.note)


def _failed(result: RealizationResult, constant: float, why: str) -> Combination:
    """Fallback for a search that found no result; `why` says how it ended."""
    changed = {"bound": result.bound + constant, "optimal": False}
    return Combination(text="", failure=why, **result.search_fields() | changed)


def _path(network: Network, words: Sequence[str]) -> list[tuple[int, ...]] | None:
    """For each word, the outputs that have it, on the path with the most votes that spells the words. None if no path
    spells them.
    """
    # Keyed by the number of words before the position: votes, and the outputs of each word.
    paths: dict[int, tuple[int, list[tuple[int, ...]]]] = {0: (0, [])}
    for slot in network.slots:
        reached: dict[int, tuple[int, list[tuple[int, ...]]]] = {}
        for said, (votes, outputs) in paths.items():
            for text, numbers in slot:
                if text and (said == len(words) or text != words[said]):
                    continue
                at, more = said + bool(text), votes + len(numbers)
                if at not in reached or more > reached[at][0]:
                    reached[at] = more, [*outputs, numbers] if text else outputs
        paths = reached
    return paths[len(words)][1] if len(words) in paths else None
