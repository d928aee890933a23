"""Combining the outputs of several systems for one input into a better one, with a certificate."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import repeat
from typing import Any

from widl.combination.agreement import SEAMS, Agreement, agreement_names
from widl.combination.network import Aligner, Network, expression_of, lattice_of, likeness
from widl.combination.options import CombinationOptions
from widl.combination.results import Combination, CombinedCandidate, CombinedWord
from widl.combination.tokens import Spacing, words_of
from widl.common.arguments import not_text
from widl.common.errors import InputError
from widl.common.options import with_more
from widl.common.workers import BatchSize, Engine, LocalEngine
from widl.decoder import (
    Expression,
    FeatureLayout,
    FeatureVector,
    LanguageModel,
    Outcome,
    Realized,
    RealizedString,
    Realizer,
    default_realization_weights,
    seq,
)
from widl.decoder.constraint import MOST_TERMS, containing
from widl.decoder.realization import EXACT_SEARCHES, LanguageModels, models_of

_MOST_LIMITS = 6  # words whose number is limited: each doubles the lattice at least
_LARGEST_LIST = 2048  # that is looked through for strings that say nothing twice and leave nothing out
_SHORT_WORD = 3  # letters


def default_weights(outputs: int, language_models: int = 0) -> dict[str, float]:
    """The weights without tuning, by feature.

    votes1, votes2, …: of each output, minus its trust for each place where the result has something else;
    skeleton: ln of the trust of the output whose order the result has, by the largest one; agreement1, agreement2, …:
    of each output, its trust times the worth of the n-grams that it shares with the result; shared1 to shared4: the
    trust in outputs that share an n-gram of that order, over the result's; seams: rows of up to four words that no
    output has, which come in only where nothing else is possible; words: their number; lm0, lm1, …: ln p by language
    models of the user's.
    """
    votes = {f"votes{k}": 1.5 for k in range(1, outputs + 1)}
    models = {f"lm{k}": 0.1 for k in range(language_models)}
    words = -0.5 + 0.3 * language_models  # what language models take off a word, on average
    agreement = {name: float(name.startswith("agreement")) for name in agreement_names(outputs)}
    return votes | {"skeleton": 0.3, **agreement, SEAMS: -10.0} | models | {"words": words}


_A_POINT = 0.2  # of BLEU, in the logarithm of an output's weights


def weights_by_history(weights: Mapping[str, float], bleu: Sequence[float]) -> dict[str, float]:
    """The weights, those of each output times exp(0.2 · (BLEU − mean)): who was better before has more to say.

    bleu: of each output, on lines with references.

    >>> found = weights_by_history(default_weights(2), [30.0, 20.0])
    >>> round(found["votes1"], 2), round(found["agreement2"], 2), found["words"]
    (4.08, 0.37, -0.5)
    """
    mean = sum(bleu) / len(bleu)
    factors = [math.exp(_A_POINT * (score - mean)) for score in bleu]
    own = [(f"{name}{k}", factor) for k, factor in enumerate(factors, 1) for name in ("votes", "agreement")]
    return {**weights, **{name: weights[name] * factor for name, factor in own}}


@dataclass(frozen=True)
class Combiner:
    """Language models and weights, ready to combine; without either it combines by agreement alone.

    >>> combiner = Combiner()
    >>> combiner.combine_one(["The cat sat on a mat.", "A cat sat on the mat.", "The cat sits on the mat."]).text
    'The cat sat on the mat.'
    """

    language_models: tuple[LanguageModel, ...] = ()
    weights: Mapping[str, float] | None = None

    @classmethod
    def of(cls, language_models: LanguageModels = (), weights: Mapping[str, float] | None = None) -> "Combiner":
        """With language models that are open, or their files."""
        return cls(tuple(models_of(language_models)), weights)

    def combine_one(
        self, outputs: Sequence[str], options: CombinationOptions | None = None, **more: Any
    ) -> Combination:
        """The combination of the outputs for one input."""
        options = with_more(CombinationOptions, options, more)
        line = _line(self, outputs, options)
        is_free = not (options.must or options.without)
        if len(set(line.texts)) > 1 or (line.words[0] and not is_free):
            return line.combined()
        everybody = tuple(range(1, len(line.texts) + 1))
        same = tuple(CombinedWord(word, everybody) for word in line.words[0])
        alone = (CombinedCandidate(line.texts[0], 0.0, FeatureLayout(()).zeros(), ()),)
        return Combination(
            text=line.texts[0], outcome=Outcome.found, bound=0.0, optimal=True, words=same, nbest=alone
        )

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

        terms: for each input more of what `must` has.
        """
        chosen = with_more(CombinationOptions, options, more)
        stream = iter(not_text(lines, "lines", "a list of lists of outputs: [[first, second]]"))
        pairs = zip(stream, repeat(()) if terms is None else terms, strict=terms is not None)
        return (engine or LocalEngine(threads)).map(partial(_combined, self, chosen), pairs)

    def expression(
        self, outputs: Sequence[str], options: CombinationOptions | None = None, **more: Any
    ) -> Expression:
        """The strings that a combination is chosen from; components are votes of each output, and the skeleton."""
        line = _line(self, outputs, with_more(CombinationOptions, options, more))
        return line.expression if any(line.words) else seq()

    def weights_of(self, outputs: int) -> dict[str, float]:
        """All weights for so many outputs: the combiner's own, and the defaults of the others."""
        known = default_weights(outputs, len(self.language_models))
        weights = known | dict(self.weights or {})
        if unknown := sorted(weights.keys() - known.keys()):
            raise InputError(f"weight {unknown[0]!r}: there is no such feature; features are {', '.join(known)}")
        for name, weight in weights.items():
            if name.startswith("lm") and weight < 0:
                raise InputError(f"weight {name!r} is negative; search needs weights of models >= 0")
            if name == SEAMS and weight > 0:
                raise InputError(f"weight {name!r} is positive; search needs one <= 0")
        return weights

    def layout(self, outputs: int) -> dict[str, str]:
        """The realizer's names of the features that are its own, by theirs here; agreement is one model there, lm0."""
        names = {f"votes{k}": f"widl{k}" for k in range(1, outputs + 1)}
        names |= {"skeleton": f"widl{outputs + 1}", "words": "word_count"}
        return names | {f"lm{k}": f"lm{k + 1}" for k in range(len(self.language_models))}


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
    return Combiner.of(language_models, weights).combine(lines, options, threads=threads, **more)


def _combined(
    combiner: Combiner,
    options: CombinationOptions,
    lines: Iterable[tuple[Sequence[str], Sequence[str]]],
    threads: int,
) -> Iterator[Combination]:
    def combined(line: tuple[Sequence[str], Sequence[str]]) -> Combination:
        outputs, terms = line
        return combiner.combine_one(outputs, replace(options, must=(*options.must, *terms)) if terms else options)

    with ThreadPoolExecutor(threads) as pool:  # searches leave Python's lock
        for batch in BatchSize(threads).batches(lines):
            yield from pool.map(combined, batch)


def _line(combiner: Combiner, outputs: Sequence[str], options: CombinationOptions) -> "_Line":
    texts = [" ".join(text.split()) for text in not_text(outputs, "outputs", "a list of texts: [first, second]")]
    if len(texts) < 2:
        raise InputError(f"{len(texts)} output to combine; at least two are needed")
    if len(options.must) > MOST_TERMS:
        raise InputError(f"{len(options.must)} terms that a result must have; at most {MOST_TERMS} can be asked for")
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
        """How far each output is like the others, sharpened: who is alone has little weight."""
        return [max(share, 0.01) ** 2 for share in likeness(self.words)]

    @cached_property
    def networks(self) -> list[Network]:
        ranked = sorted(range(len(self.words)), key=lambda k: (-self.trust[k], k))
        chosen: list[int] = []
        for k in ranked:
            if self.words[k] and all(self.words[k] != self.words[other] for other in chosen):
                chosen.append(k)
        most = self.options.skeletons or len(chosen)
        aligner = Aligner(self.words, support=self.options.support)
        return [aligner.network(k) for k in chosen[:most]]

    @cached_property
    def without(self) -> frozenset[str]:
        return frozenset(word.lower() for term in self.options.without for word in words_of(term))

    @cached_property
    def expression(self) -> Expression:
        return expression_of(self.networks, self.trust, without=self.without)

    def combined(self) -> Combination:
        outputs, names = len(self.texts), self.of.layout(len(self.texts))
        weights = self.of.weights_of(outputs)
        own = dict.fromkeys(default_realization_weights(outputs + 1, 1 + len(self.of.language_models)), 0.0)
        own |= {realizers: weights[name] for name, realizers in names.items()}
        agreement = Agreement(self.words, self.trust)
        model, constant = agreement.model(weights)
        own["lm0"] = 1.0
        own["word_count"] += constant  # which the model takes off each word, and once for the line's end
        models = [model, *self.of.language_models]
        constraint = containing([words_of(term) for term in self.options.must]) if self.options.must else None
        realizer = Realizer(models, own, constraint=constraint)
        found, whole = self._search(realizer)
        if not found.nbest:
            why = self._why_not() if found.outcome is Outcome.proved_empty else ""
            return Combination(
                text="",
                outcome=found.outcome,
                failure=why or found.failure,
                bound=found.bound,
                optimal=False,
                stopped=found.stopped,
                nbest_complete=found.nbest_complete,
                states=found.states,
                edges=found.edges,
                seconds=found.seconds,
            )
        return self._result(found, whole[: self.options.nbest] or [found.nbest[0]], names, agreement, constant)

    def _search(self, realizer: Realizer) -> tuple[Realized, list[RealizedString]]:
        """The best strings, and those of them that are whole; none where the first search found nothing.

        Words that the best string says twice are limited in the lattice, and so are places left empty once a string
        is too short: each time a search over fewer strings, all of those that are wanted among them, so that the last
        one's proof holds for these. A list grows until it has enough of them. Where a later search finds nothing, the
        answer of the one before it stays.
        """
        limits: dict[str, int] = {}
        least, size = 0, self.options.nbest
        lattice = lattice_of(self.networks, self.trust, without=self.without)
        last: tuple[Realized, list[RealizedString]] | None = None
        while True:
            found = realizer.realize_one(lattice, self.options.of_search(size))
            if not found.nbest:
                return last or (found, [])
            strings = [one.text.split() for one in found.nbest]
            whole = [one for one, words in zip(found.nbest, strings, strict=True) if self._is_whole(words)]
            last = found, whole
            more = [word for word in self._said_twice(strings[0]) if word not in limits][: _MOST_LIMITS - len(limits)]
            too_short = not least and min(map(len, strings)) < self._least
            if more or too_short:
                limits |= {word: self._most[word] for word in more}
                least = self._least if too_short else least
                lattice = lattice_of(self.networks, self.trust, without=self.without, limits=limits, least=least)
                continue
            if len(whole) >= self.options.nbest or len(found.nbest) < size or size >= _LARGEST_LIST:
                return found, whole
            size *= 2

    def _why_not(self) -> str:
        """Why no string has all terms, if there are any."""
        known = {word for words in self.words for word in words}
        for term in self.options.must:
            if missing := [word for word in words_of(term) if word not in known]:
                return f"no output has {missing[0]!r} of the term {term!r}"
        terms = " and ".join(map(repr, self.options.must))
        return f"no order of the outputs' words that the outputs have places {terms}" if terms else ""

    @cached_property
    def _most(self) -> Counter[str]:
        """How often a word may be said: as often as in two outputs, or in a skeleton; once where one output has it."""
        counts = [Counter(words) for words in self.words]
        most = Counter({word: sorted(one[word] for one in counts)[-2] or 1 for word in set().union(*counts)})
        for network in self.networks:
            most |= counts[network.skeleton]
        return most

    @cached_property
    def _least(self) -> int:
        """How many words a result has at least: those of the shortest output; any number where terms must be in it.

        A shorter one has lost a part of the sentence, often its verb, where the outputs are of many minds about it.
        """
        if self.options.must:
            return 0
        return min(sum(word.lower() not in self.without for word in words) for words in self.words if words)

    def _is_whole(self, words: Sequence[str]) -> bool:
        """Whether a string says nothing twice and has enough words."""
        return len(words) >= self._least and not self._said_twice(words)

    def _said_twice(self, words: Sequence[str]) -> list[str]:
        """Words of more than three letters that are there more often than `_most` allows."""
        return [word for word, count in Counter(words).items() if count > self._most[word] and len(word) > _SHORT_WORD]

    def _result(
        self,
        found: Realized,
        strings: Sequence[RealizedString],
        names: Mapping[str, str],
        agreement: Agreement,
        constant: float,
    ) -> Combination:
        spacing = Spacing(self.texts)
        words = strings[0].text.split()
        skeleton, origins = self._origins(words)
        # Exact search lists in the order of scores: the first string that is whole is the best of these.
        is_first = found.nbest[0].text == strings[0].text
        in_order = self.options.effective_search in EXACT_SEARCHES and found.nbest_complete
        optimal = found.optimal and (is_first or in_order) and self._is_whole(words)
        layout = FeatureLayout((*names, *agreement_names(len(self.words))))
        candidates = []
        for one in strings:
            shared = agreement.features(one.text.split())
            row = FeatureVector(layout, [*(one.features[own] for own in names.values()), *shared])
            candidates.append(CombinedCandidate(spacing.text(one.text.split()), one.score + constant, row, ()))
        return Combination(
            text=candidates[0].text,
            nbest=tuple(candidates),
            outcome=found.outcome,
            bound=candidates[0].score if optimal else found.bound + constant,
            optimal=optimal,
            stopped=found.stopped,
            nbest_complete=found.nbest_complete,
            states=found.states,
            edges=found.edges,
            seconds=found.seconds,
            words=tuple(
                CombinedWord(word, tuple(k + 1 for k in numbers)) for word, numbers in zip(words, origins, strict=True)
            ),
            skeleton=skeleton + 1,
        )

    def _origins(self, words: Sequence[str]) -> tuple[int, list[tuple[int, ...]]]:
        """A skeleton whose network has the words, and the outputs of each; of several the one with the most votes."""
        best: tuple[int, int, list[tuple[int, ...]]] = (-1, self.networks[0].skeleton, [()] * len(words))
        for one in self.networks:
            found = _path(one, words)
            votes = -1 if found is None else sum(map(len, found))
            if found is not None and votes > best[0]:
                best = votes, one.skeleton, found
        return best[1], best[2]


def _path(network: Network, words: Sequence[str]) -> list[tuple[int, ...]] | None:
    """The outputs of each word on the path with the most votes that spells the words; None where there is none."""
    # By number of words said so far: votes, and the outputs of each word.
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
