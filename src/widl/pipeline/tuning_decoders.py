"""Decoders for `widl.mert.tune`: a translator or a headliner, with weights that tuning changes."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from widl.combination import CombinationOptions, Combiner
from widl.combination.output_ngrams import SEAMS
from widl.common.decoding import decode_and_reduce
from widl.common.options import adjust
from widl.common.workers import Engine, LocalEngine
from widl.headline import Headline, HeadlineOptions, Headliner
from widl.headline.headliner import DocumentInProgress
from widl.headline.parsing import ParsedDocument
from widl.headline.punctuation import in_letters
from widl.mert import Candidate, Decoder, Lattice, LatticeDecoder, TuningOptions
from widl.translation import Translation, TranslationOptions, Translator

_FIXED = ("unknown", SEAMS)


def tunable(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights to tune: all except the fixed weights of unknown words and of seams.

    Words pass through only if the table has no translation, and word sequences that no output has occur only if there
    are no others. Their cost must exceed all other costs, which can't be learned from a tuning set.
    """
    return {name: weight for name, weight in weights.items() if name not in _FIXED}


def combination_decoder(
    combiner: Combiner, lines: Sequence[Sequence[str]], options: CombinationOptions, *, engine: Engine
) -> Decoder:
    """A decoder for `widl.mert.tune`: the n best strings of the outputs for each line, searched on `engine`."""

    def decode(weights: dict[str, float], n: int) -> Iterator[Sequence[Candidate]]:
        weighted = replace(combiner, weights={**(combiner.weights or {}), **weights})
        for result in weighted.combine(lines, adjust(options, nbest=n), engine=engine):
            least = min((derivation.features.get(SEAMS, 0.0) for derivation in result.nbest), default=0.0)
            yield [
                Candidate(derivation.text, [derivation.features.get(name, 0.0) for name in weights])
                for derivation in result.nbest
                if derivation.features.get(SEAMS, 0.0) == least
            ]

    return decode


def translation_decoder(
    translator: Translator,
    lines: Sequence[str],
    options: TranslationOptions,
    *,
    engine: Engine,
) -> Decoder:
    """A decoder for `widl.mert.tune`: from `tunable` weights and n, the n best distinct strings of every line.

    Other weights are unchanged.
    """

    def decode(weights: dict[str, float], n: int) -> Iterator[Sequence[Candidate]]:
        weighted = translator.reweighted(translator.weights | weights)
        chosen = weighted.resolved(adjust(options, nbest=n, distinct=True))
        columns = weighted.layout.columns(tuple(weights))
        for texts, features in decode_and_reduce(weighted, lines, chosen, engine, partial(_nbest_list, columns)):
            yield list(map(Candidate, texts, features.tolist()))

    return decode


def lattice_decoder(
    translator: Translator,
    lines: Sequence[str],
    options: TranslationOptions,
    *,
    engine: Engine,
) -> LatticeDecoder:
    """A decoder for ``lattice-mert``: from `tunable` weights, the lattice of explored derivations of every line.

    Derivations with avoidable unknown words are pruned: the weight that excludes them is not tuned.
    """
    least = -translator.weights.get("unknown", 0.0) / 2  # all other differences are far smaller
    beam = min(options.lattice_beam, least) if least > 0 else options.lattice_beam

    def decode(weights: dict[str, float]) -> Iterator[Lattice]:
        decode_options = adjust(options, nbest=1, lattice=True, lattice_beam=beam)
        weighted = translator.reweighted(translator.weights | weights)
        columns = weighted.layout.columns(tuple(weights))
        chosen = weighted.resolved(decode_options)
        yield from decode_and_reduce(weighted, lines, chosen, engine, partial(_lattice, columns))

    return LatticeDecoder(decode, translator.target.text)


def _nbest_list(columns: Sequence[int], translation: Translation) -> tuple[tuple[str, ...], npt.NDArray[np.float64]]:
    """Texts and features, shape (candidates, columns), of a translation: much smaller to send than the translation."""
    rows = np.array([candidate.features.row for candidate in translation.nbest], dtype=np.float64)
    return translation.texts, rows[:, columns]


def _lattice(columns: Sequence[int], translation: Translation) -> Lattice:
    assert translation.lattice is not None
    return translation.lattice.selected(columns)


CLAUSE_BOUNDS = {
    "cuts": (0.1, 3.0),
    "forms": (0.1, 3.0),
    "kept": (0.0, 3.0),
    "words": (0.0, 12.0),
    "pairs": (0.0, 8.0),
    "place": (0.0, 20.0),
    "torn": (0.3, 8.0),
    "lm0": (0.0, 0.5),
    "lm1": (0.0, 0.5),
    "lm2": (0.0, 0.5),
    "word_count": (0.0, 20.0),
}
"""Default bounds of the weights of clauses."""


def restrict_headline_weights(
    weights: Mapping[str, float], options: TuningOptions
) -> tuple[dict[str, float], TuningOptions]:
    """Start weights within the features' bounds, and options with these bounds."""
    bounds = {name: ends for name, ends in CLAUSE_BOUNDS.items() if name in weights}
    free = (-math.inf, math.inf)
    start = {name: min(max(w, bounds.get(name, free)[0]), bounds.get(name, free)[1]) for name, w in weights.items()}
    return start, adjust(options, bounds=bounds)


def headline_decoder(
    headliner: Headliner, documents: Sequence[ParsedDocument], options: HeadlineOptions, engine: Engine
) -> Decoder:
    """A decoder for `widl.mert.tune`: from weights and n, the n best distinct headlines of every document.

    Expressions are built once if they are searched in this process, else for each search.
    """
    realized = _headlines(headliner, documents, options, engine)

    def decode(weights: dict[str, float], n: int) -> Iterator[Sequence[Candidate]]:
        for headline in realized(weights, adjust(options, nbest=n, ranked=0)):
            candidates = [
                Candidate(candidate.text, [candidate.features[name] for name in weights])
                for candidate in headline.nbest
            ]
            yield candidates or [Candidate(headline.text, [0.0] * len(weights))]

    return decode


def headline_lattice_decoder(
    headliner: Headliner, documents: Sequence[ParsedDocument], options: HeadlineOptions, engine: Engine
) -> LatticeDecoder:
    """A decoder for ``lattice-mert``: from weights, the lattice of explored realizations of every document."""
    options = adjust(options, nbest=1, ranked=0, lattice=True)
    realized = _headlines(headliner, documents, options, engine)

    def decode(weights: dict[str, float]) -> Iterator[Lattice]:
        columns = headliner.layout.columns(list(weights))
        for headline in realized(weights, options):
            if headline.lattice is not None:
                yield headline.lattice.selected(columns)
            else:  # it is the only headline, whatever the weights
                yield Lattice([(0, 1, 0, 0, 0, headline.text.split())], np.zeros((1, len(columns))))

    return LatticeDecoder(decode, lambda words: " ".join(in_letters(words, options.letters)))


def _headlines(
    headliner: Headliner, documents: Sequence[ParsedDocument], options: HeadlineOptions, engine: Engine
) -> Callable[[Mapping[str, float], HeadlineOptions], Iterator[Headline]]:
    """Maps some of the weights and search options to the headlines of all documents."""
    if not isinstance(engine, LocalEngine):

        def on_engine(weights: Mapping[str, float], search: HeadlineOptions) -> Iterator[Headline]:
            weighted = headliner.reweighted(headliner.weights | dict(weights))
            return weighted.generate(documents, search, engine=engine)

        return on_engine
    prepared = headliner.prepare(documents, options)

    def here(weights: Mapping[str, float], search: HeadlineOptions) -> Iterator[Headline]:
        weighted = headliner.reweighted(headliner.weights | dict(weights))

        def headline(document: DocumentInProgress) -> Headline:
            [searched] = weighted.search([document], search, 1)
            return weighted.finish(searched, search)

        with ThreadPoolExecutor(engine.threads) as pool:
            yield from pool.map(headline, prepared)

    return here
