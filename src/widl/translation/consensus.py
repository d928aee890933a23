"""Choosing derivations by their probabilities: minimum-Bayes-risk decoding.

A derivation's probability is proportional to exp(scale · λ · h / Σ λ_LM), among those of a line's lattice. The
division by the language models' weights makes a scale mean the same for weights of any norm.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np

from widl._core import ConsensusOptions, consensus_paths
from widl.decoder import FeatureLayout, FeatureVector, Lattice, Tiles
from widl.translation.options import TranslationOptions
from widl.translation.results import Candidate, TranslatedPhrase

Arcs = list[int]
"""A derivation, as numbers of a lattice's arcs."""


class Probabilities:
    """The distribution over derivations that weights give."""

    def __init__(self, weights: Mapping[str, float], layout: FeatureLayout) -> None:
        self._layout = layout
        self._vector = np.array(layout.vector(weights), dtype=np.float64)
        self._unit = 1 / (sum(weights[name] for name in layout.language_models) or 1.0)

    def chosen(self, lattices: Sequence[Lattice], options: TranslationOptions, threads: int) -> list[list[Arcs]]:
        """Of each lattice the derivations with the largest gains."""
        core = ConsensusOptions(scale=options.mbr_scale * self._unit, nbest=options.nbest)
        found = consensus_paths(lattices, self._vector, core, threads=threads)
        return [[path for path, _ in paths] for paths in found]

    def candidate(self, lattice: Lattice, path: Arcs, pieces: Sequence[Tiles]) -> Candidate:
        """A derivation of a line that was searched in these pieces, without its text."""
        starts = [0, *accumulate(map(len, pieces))]
        phrases = []
        for begin, end, alternative, words in lattice.phrases_of(path):
            tiles = pieces[bisect_right(starts, begin, hi=len(pieces)) - 1]
            phrases.append(TranslatedPhrase(begin, end, tuple(words), tiles.is_unknown(alternative)))
        features = FeatureVector(self._layout, lattice.features_of(path))
        score = sum(w * h for w, h in zip(self._vector.tolist(), features.row, strict=True))
        return Candidate("", score, features, tuple(phrases))
