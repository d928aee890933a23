"""Small tuning jobs around decoders of fixed candidates or lattices."""

from dataclasses import replace

import numpy as np

from tests.mert.lattices import pairs_of, sums, translation_lattices
from tests.mert.problems import translation_lists
from tests.reference.lattices import paths
from widl.mert import Candidate, Lattice, LatticeDecoder, TuningOptions, tune
from widl.metrics import MetricOptions, Objective

START = {"lm0": 0.1, "noise": 0.5, "word_count": -0.2, "idle": 1.0}
OPTIONS = TuningOptions(restarts=2, random_directions=2, nbest=10, max_iterations=6, patience=3)
LATTICE_START = {"lm0": 0.1, "noise": 0.8, "word_count": -0.2}
LATTICE_OPTIONS = TuningOptions(algorithm="lattice-mert", restarts=3, random_directions=3, max_iterations=4)


class Decoder:
    """A decoder that counts its calls; one call may fail after some sentences."""

    start, options, sentences = START, OPTIONS, 8

    def __init__(self, fail_at=None, error=None):
        self.calls, self.fail_at, self.error = 0, fail_at, error

    def fail_on(self, sentence):
        """Fails in the middle of the call that must."""
        if self.calls == self.fail_at and sentence == self.sentences - 3:
            raise self.error

    def objective(self):
        return Objective("bleu", [self.references], MetricOptions(tokenize="none"))

    def source(self):
        """The decoder as `tune` takes it."""
        return self


class ListDecoder(Decoder):
    """Finds the n best of many given candidates."""

    def __init__(self, seed=1, **failure):
        super().__init__(**failure)
        self.lists, self.references = translation_lists(seed, sentences=8, candidates=150)

    def __call__(self, weights, n):
        self.calls += 1
        assert list(weights) == list(self.lists.feature_names)
        scores = self.lists.features @ np.array(list(weights.values()))
        for sentence in range(8):
            self.fail_on(sentence)
            rows = range(150 * sentence, 150 * (sentence + 1))
            best = sorted(rows, key=lambda row: -scores[row])[:n]
            yield [Candidate(self.lists.texts[row], self.lists.features[row]) for row in best]

    def best_texts(self, weights):
        return [candidates[0].text for candidates in self(weights, 1)]


class WeightedLattices(Decoder):
    """Makes lattices that depend on the weights: they contain the two best words at each position."""

    start, options, sentences = LATTICE_START, LATTICE_OPTIONS, 5

    def __init__(self, seed=1, **failure):
        super().__init__(**failure)
        self.lattices, self.references = translation_lattices(seed, sentences=5)

    def decode(self, weights):
        self.calls += 1
        for number, lattice in enumerate(self.lattices):
            self.fail_on(number)
            scores = lattice.features @ np.array(list(weights.values()))
            rows = lattice.arcs
            remaining = [
                row
                for position in range(lattice.nodes - 1)
                for row in sorted(sorted(range(3 * position, 3 * position + 3), key=lambda row: -scores[row])[:2])
            ]
            yield Lattice([rows[row] for row in remaining], lattice.features[remaining])

    def text(self, words):
        return f"{' '.join(words)} |||"  # is escaped in files

    def source(self):
        return LatticeDecoder(self.decode, self.text)

    def best_texts(self, weights):
        at = np.array(list(weights.values()))
        for lattice in self.decode(weights):
            best = max(paths(pairs_of(lattice)), key=lambda path, lattice=lattice: sums(lattice, path) @ at)
            yield self.text(lattice.words_of(best))


def run(directory, decoder=None, options=None, **arguments):
    decoder = decoder or ListDecoder()
    options = options or decoder.options
    return tune(decoder.source(), decoder.objective(), decoder.start, directory, options, **arguments)


def without_seconds(result):
    return replace(result, iterations=[replace(iteration, seconds=0.0) for iteration in result.iterations])
