"""Tuning a model directory's weights: its translator, or its headliner, as the decoder of `widl.mert`."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from widl.headline.parsing import ParsedDocument
from widl.mert import Candidate, Decoder, Lattice, LatticeDecoder
from widl.pipeline.headline import HeadlineOptions, Headliner, PreparedDocument
from widl.pipeline.translation import TranslationOptions, Translator
from widl.workers import Engine, LocalEngine, Progress, no_progress

_FIXED = ("unknown",)


def tunable(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights to tune: all but that of words passed through, of which a tuning set says nothing.

    Words pass through only where nothing else is known, and what that costs must outweigh all else.
    """
    return {name: weight for name, weight in weights.items() if name not in _FIXED}


def translation_decoder(
    translator: Translator,
    lines: Sequence[str],
    options: TranslationOptions,
    *,
    threads: int = 1,
    engine: Engine | None = None,
    progress: Progress = no_progress,
) -> Decoder:
    """What `widl.mert.tune` calls: told `tunable` weights and n, it gives the n best distinct strings of every line.

    The other weights stay as they are. Decoding is on `threads` threads, or wherever `engine` works.
    """
    engine = engine or LocalEngine(threads)

    def decode(weights: dict[str, float], n: int) -> Iterator[Sequence[Candidate]]:
        work = partial(
            _nbest_lists,
            translator.reweighted(translator.weights | weights),
            replace(options, nbest=n, distinct=True),
            tuple(weights),
        )
        for done, (texts, features) in enumerate(engine.map(work, lines), start=1):
            progress("decode", done, len(lines))
            yield list(map(Candidate, texts, features.tolist()))

    return decode


def lattice_decoder(
    translator: Translator,
    lines: Sequence[str],
    options: TranslationOptions,
    *,
    threads: int = 1,
    engine: Engine | None = None,
    progress: Progress = no_progress,
) -> LatticeDecoder:
    """The same for ``lattice-mert``: told `tunable` weights, the derivations explored of every line.

    Without those that pass more words through than they must: tuning would not know what keeps them from being chosen.
    """
    engine = engine or LocalEngine(threads)
    least = -translator.weights.get("unknown", 0.0) / 2  # other differences are far smaller
    beam = min(options.lattice_beam, least) if least > 0 else options.lattice_beam

    def decode(weights: dict[str, float]) -> Iterator[Lattice]:
        own = replace(options, nbest=1, lattice=True, lattice_beam=beam)
        work = partial(_lattices, translator.reweighted(translator.weights | weights), own, tuple(weights))
        for done, lattice in enumerate(engine.map(work, lines), start=1):
            progress("decode", done, len(lines))
            yield lattice

    return LatticeDecoder(decode, translator.text)


def _nbest_lists(
    translator: Translator, options: TranslationOptions, names: Sequence[str], lines: Iterable[str], threads: int
) -> Iterator[tuple[tuple[str, ...], npt.NDArray[np.float64]]]:
    """Texts and named features, shape (candidates, names), of each line: far less to send than translations are."""
    columns = [translator.features.index(name) for name in names]
    for found in translator.translate(lines, options, threads=threads):
        yield found.texts, np.array([one.features for one in found.nbest], dtype=np.float64)[:, columns]


def _lattices(
    translator: Translator, options: TranslationOptions, names: Sequence[str], lines: Iterable[str], threads: int
) -> Iterator[Lattice]:
    columns = [translator.features.index(name) for name in names]
    for found in translator.translate(lines, options, threads=threads):
        assert found.lattice is not None
        yield found.lattice.selected(columns)


HEADLINE_BOUNDS = {
    "keywords": (0.0, 1.0),
    "phrase": (0.0, 0.1),
    "words": (0.0, 1.0),
    "pairs": (0.2, 1.0),
    "place": (0.0, 0.3),
    "lm0": (0.002, 0.1),
    "lm1": (0.005, 0.1),
    "lm2": (0.005, 0.1),
    "word_count": (-0.5, 0.5),
    "phrase_count": (-0.5, -0.05),
}
"""Where weights of a headline model stay unless told otherwise: ROUGE likes headlines in pieces, readers don't."""


def within_bounds(
    weights: Mapping[str, float], bounds: Mapping[str, tuple[float, float]] = HEADLINE_BOUNDS
) -> dict[str, float]:
    """The nearest weights within the bounds."""
    free = (-math.inf, math.inf)
    return {name: min(max(w, bounds.get(name, free)[0]), bounds.get(name, free)[1]) for name, w in weights.items()}


def headline_decoder(
    headliner: Headliner,
    documents: Sequence[ParsedDocument],
    options: HeadlineOptions,
    *,
    threads: int = 1,
    engine: Engine | None = None,
    progress: Progress = no_progress,
) -> Decoder:
    """What `widl.mert.tune` calls: told weights and n, it gives the n best distinct headlines of every document.

    Phrases are made once; searching them is on `threads` threads. With an `engine`, all is done wherever that works.
    """
    prepared = [] if engine else [PreparedDocument(headliner, document, options) for document in documents]

    def decode(weights: dict[str, float], n: int) -> Iterator[Sequence[Candidate]]:
        everything = headliner.weights | weights
        own = replace(options, nbest=n)
        with ThreadPoolExecutor(max(1, threads)) as pool:
            if engine:
                found = headliner.reweighted(everything).generate_parsed(documents, own, engine=engine)
            else:
                found = pool.map(lambda document: document.realize(everything, own), prepared)
            for done, headline in enumerate(found, start=1):
                progress("decode", done, len(documents))
                yield [Candidate(one.text, [one.features[name] for name in weights]) for one in headline.nbest] or [
                    Candidate(headline.text, [0.0] * len(weights))
                ]

    return decode
