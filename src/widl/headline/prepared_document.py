"""The realization of a document's headlines from its phrases.

The phrases are a packing: the expression of all families of phrases that share no lemma of a content word, each in any
order. `widl.headline.expression` makes it.
"""

import time
from collections.abc import Mapping, Sequence

import numpy as np

from widl.decoder import Derivation, FeatureVector, Lattice, Realization, SearchOptions, WeightVector
from widl.headline import baselines
from widl.headline.expression import packing_of
from widl.headline.model import HeadlineModel, core_layout
from widl.headline.options import HeadlineOptions
from widl.headline.parsing import ParsedDocument
from widl.headline.results import Headline, HeadlineCandidate


class PreparedDocument:
    """The packing of a document's phrases and its realizer; tuning searches it repeatedly with other weights."""

    def __init__(self, model: HeadlineModel, parsed: ParsedDocument, options: HeadlineOptions) -> None:
        self._identifier = parsed.document.identifier
        self._parsed = parsed
        self._layout = model.layout
        self._core_layout = core_layout(len(model.layout.language_models))
        # Search measures the keys, and small letters may have more bytes than capitals.
        fits = options.budget.fits
        fitting = [phrase for phrase in model.phrases(parsed, options) if fits(phrase.words) and fits(phrase.keys)]
        self._packing, self._phrases = packing_of(fitting, model.vocabulary)
        self._realizer = model.realizer(parsed.document.text) if self._phrases else None

    def realize(self, weights: Mapping[str, float], options: HeadlineOptions) -> Headline:
        """The best headlines under these weights."""
        if self._realizer is None:
            text = baselines.lead(self._parsed, options.budget)
            message = "no phrases; this is its beginning" if text else "no word of it fits the budget"
            return Headline(identifier=self._identifier, text=written_headline(text, options), message=message)
        vector = self._layout.weight_vector(weights)
        start = time.perf_counter()
        result = self._search(vector, options.realization().search_options())
        nbest = tuple(self._candidate(derivation, options) for derivation in result.nbest)
        return Headline(
            identifier=self._identifier,
            text=nbest[0].text,
            nbest=nbest,
            bound=result.bound,
            optimal=result.optimal,
            stopped=result.stopped,
            states=result.statistics.states,
            edges=result.statistics.edges,
            seconds=time.perf_counter() - start,
            lattice=self._lattice(result.lattice) if result.lattice is not None else None,
        )

    def _lattice(self, lattice: Lattice) -> Lattice:
        """The same derivations with the words as they would be written, and the model's features."""
        arcs = [
            (start, end, first, last, number, self._words((first, last, len(keys), number)) if keys else ())
            for start, end, first, last, number, keys in lattice.arcs
        ]
        columns = self._core_layout.columns(self._layout.names)
        return Lattice(arcs, np.ascontiguousarray(lattice.features[:, columns]))

    def _search(self, weights: WeightVector, options: SearchOptions) -> Realization:
        assert self._realizer is not None
        [result] = self._realizer.realize_packings([self._packing], weights, options)
        return result

    def _words(self, phrase: tuple[int, int, int, int]) -> tuple[str, ...]:
        """The words of a derivation's phrase, as they would be written."""
        return self._phrases[phrase[3]].words

    def _candidate(self, derivation: Derivation, options: HeadlineOptions) -> HeadlineCandidate:
        phrases = [self._words(phrase) for phrase in derivation.phrases]
        words = [word for phrase in phrases for word in phrase]
        features = self._core_layout.mapping(derivation.features)
        return HeadlineCandidate(
            fitted_headline(words, options),
            derivation.score,
            FeatureVector(self._layout, self._layout.vector(features)),
            tuple(" ".join(phrase) for phrase in phrases),
        )


def fitted_headline(words: Sequence[str], options: HeadlineOptions) -> str:
    """The headline of a derivation's words, within the budget.

    A stock symbol is longer than its key, so that the words may not fit where their keys do.
    """
    return written_headline(" ".join(options.budget.cut(words)), options)


def written_headline(text: str, options: HeadlineOptions) -> str:
    """The text in capitals, or with a capital at the beginning, as the options say."""
    return text.upper() if options.upper else text[:1].upper() + text[1:]
