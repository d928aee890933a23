"""Small tuning jobs around a decoder of fixed candidates."""

from dataclasses import replace

import numpy as np

from tests.mert.problems import translation_lists
from widl.mert import Candidate, MetricOptions, Objective, OptimizerOptions, TuningOptions, tune

START = {"lm0": 0.1, "noise": 0.5, "word_count": -0.2, "idle": 1.0}
OPTIONS = TuningOptions(
    optimizer=OptimizerOptions(restarts=2, random_directions=2), nbest=10, max_iterations=6, patience=3
)


class ListDecoder:
    """Finds the n best of many given candidates; one call may fail after some sentences."""

    def __init__(self, seed=1, fail_at=None, error=None):
        self.lists, self.references = translation_lists(seed, sentences=8, candidates=150)
        self.calls, self.fail_at, self.error = 0, fail_at, error

    def __call__(self, weights, n):
        self.calls += 1
        assert list(weights) == list(self.lists.feature_names)
        scores = self.lists.features @ np.array(list(weights.values()))
        for sentence in range(8):
            if self.calls == self.fail_at and sentence == 5:
                raise self.error
            rows = range(150 * sentence, 150 * (sentence + 1))
            best = sorted(rows, key=lambda row: -scores[row])[:n]
            yield [Candidate(self.lists.texts[row], self.lists.features[row]) for row in best]

    def objective(self):
        return Objective("bleu", [self.references], MetricOptions(tokenize="none"))


def run(directory, decoder=None, options=OPTIONS, **arguments):
    decoder = decoder or ListDecoder()
    return tune(decoder, decoder.objective(), START, directory, options, **arguments)


def without_seconds(result):
    return replace(result, iterations=[replace(iteration, seconds=0.0) for iteration in result.iterations])
