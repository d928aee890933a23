"""MERT over lattices: compared with MERT on all paths, and the loop around a decoder of lattices."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from tests.mert.lattices import NAMES, pairs_of, sums, translation_lattices
from tests.reference.lattices import paths
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.mert import (
    Lattice,
    LatticeDecoder,
    LatticeSet,
    LatticeSource,
    MetricOptions,
    NbestLists,
    Objective,
    OptimizerOptions,
    TuningOptions,
    TuningSet,
    optimize,
    optimize_over_lattices,
    read_nbest,
    tune,
)
from widl.mert.line_search import ascend
from widl.mert.problem import MIN_GAIN, WeightSpace

START = {"lm0": 0.1, "noise": 0.8, "word_count": -0.2}
OPTIMIZER = OptimizerOptions(algorithm="lattice-mert", restarts=3, random_directions=3)
OPTIONS = TuningOptions(optimizer=OPTIMIZER, max_iterations=4)


def objective_of(references):
    return Objective("bleu", [references], MetricOptions(tokenize="none"))


def all_candidates(some, objective):
    """Every path of every lattice as a candidate."""
    rows = [
        (s, " ".join(lattice.words_of(path)), sums(lattice, path))
        for s, lattice in enumerate(some)
        for path in paths(pairs_of(lattice))
    ]
    data = TuningSet(objective)
    data.add(
        NbestLists(NAMES, np.array([s for s, _, _ in rows]), [t for _, t, _ in rows], np.array([h for _, _, h in rows]))
    )
    return data


def source_of(some, **options):
    return LatticeSource.decoded(LatticeDecoder(lambda _: some), START, len(some), options.get("threads", 1))


@pytest.mark.parametrize("seed", range(4))
def test_the_optimum_is_one_of_all_paths(seed):
    some, references = translation_lattices(seed, longest=6)
    objective = objective_of(references)
    everything = all_candidates(some, objective).freeze()
    data = TuningSet(objective)
    result = optimize_over_lattices(data, source_of(some), START, OPTIMIZER)
    weights = np.array(list(result.weights.values()))
    # The score covers all paths, few of which are in the pool.
    assert result.start_score == pytest.approx(everything.score(np.array(list(START.values()))), abs=1e-9)
    assert result.score == pytest.approx(everything.score(weights), abs=1e-9)
    assert result.score > result.start_score + 5
    assert len(data) < len(everything.features) / 2
    # No coordinate improves on any path.
    space = WeightSpace.of(NAMES, result.weights, OPTIMIZER)
    _, reached = ascend(everything, space, weights[None, :], np.eye(3)[None, :, :], OPTIMIZER)
    assert reached <= result.score + MIN_GAIN
    # As good as MERT on all paths, apart from random restarts.
    on_all = optimize(everything, START, replace(OPTIMIZER, algorithm="mert"))
    assert result.score >= on_all.score - 3


def test_threads_change_nothing():
    some, references = translation_lattices(5)
    results = []
    for threads in (1, 3):
        data = TuningSet(objective_of(references))
        options = replace(OPTIMIZER, threads=threads)
        result = optimize_over_lattices(data, source_of(some, threads=threads), START, options)
        results.append((result, len(data)))
    assert results[0] == results[1]


def test_bounds_and_fixed_weights_hold():
    some, references = translation_lattices(6)
    options = replace(OPTIMIZER, fixed=frozenset({"noise"}), bounds={"word_count": (-0.5, 0.25)})
    result = optimize_over_lattices(TuningSet(objective_of(references)), source_of(some), START, options)
    assert result.weights["noise"] == START["noise"]
    assert -0.5 <= result.weights["word_count"] <= 0.25
    assert result.weights["lm0"] >= 0
    assert result.score > result.start_score


def test_what_is_out_of_bounds_brings_no_candidates():
    some, _ = translation_lattices(7)
    point = np.array(list(START.values()))
    near = replace(OPTIMIZER, bounds={name: (value - 0.05, value + 0.05) for name, value in START.items()})
    for options in (OPTIMIZER, near):
        space = WeightSpace.of(NAMES, START, options)
        result = source_of(some).envelopes(point, np.eye(3), space)
        expected = LatticeSet(some).take(point, np.eye(3), lower=space.lower, upper=space.upper)
        assert result.features.tolist() == [features for paths in expected for _, features in paths]
        assert np.bincount(result.sentences).tolist() == [len(paths) for paths in expected]


class WeightedLattices:
    """A decoder with lattices that depend on the weights: they contain the two best words at each position."""

    def __init__(self, seed=1, fail_at=None):
        self.some, self.references = translation_lattices(seed, sentences=5)
        self.calls, self.fail_at = 0, fail_at

    def decode(self, weights):
        self.calls += 1
        for number, lattice in enumerate(self.some):
            if self.calls == self.fail_at and number == 3:
                raise KeyboardInterrupt
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


def run(directory, decoder=None, options=OPTIONS, **arguments):
    decoder = decoder or WeightedLattices()
    lattice_decoder = LatticeDecoder(decoder.decode, decoder.text)
    return tune(lattice_decoder, objective_of(decoder.references), START, directory, options, **arguments)


def without_seconds(result):
    return replace(result, iterations=[replace(iteration, seconds=0.0) for iteration in result.iterations])


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    directory = tmp_path_factory.mktemp("lattices") / "job"
    return directory, run(directory)


def test_tuning_by_lattices(finished):
    directory, result = finished
    assert result.score > result.iterations[0].score + 5
    pool = set()
    for number, iteration in enumerate(result.iterations, 1):
        folder = directory / f"iteration-{number:02}"
        assert sorted(path.name for path in folder.iterdir()) == ["nbest.gz", "summary.json", "weights.toml"]
        lists = read_nbest([folder / "nbest.gz"], sentences=5)
        before = len(pool)
        pool |= {(s, t, *h) for s, t, h in zip(lists.sentences, lists.texts, lists.features.tolist(), strict=True)}
        assert iteration.candidates == len(pool)
        assert iteration.new_candidates == len(pool) - before
        # The decoder's best paths come first.
        scores = lists.features @ np.array(list(iteration.weights.values()))
        begins = lists.begins(5)
        assert all(scores[a] >= scores[a:b].max() - 1e-9 for a, b in itertools.pairwise(begins))
    assert [i.weights for i in result.iterations[1:]] == [i.next_weights for i in result.iterations[:-1]]
    # The scores equal the scores of the decoder's best paths.
    decoder = WeightedLattices()
    for iteration in result.iterations:
        weights = np.array(list(iteration.weights.values()))
        texts = []
        for lattice in decoder.decode(iteration.weights):
            best = max(paths(pairs_of(lattice)), key=lambda path: sums(lattice, path) @ weights)
            texts.append(decoder.text(lattice.words_of(best)))
        objective = objective_of(decoder.references)
        assert iteration.score == pytest.approx(objective.score(objective.statistics(np.arange(5), texts).sum(axis=0)))


@pytest.mark.parametrize("fail_at", [1, 2])
def test_an_interrupted_job_goes_on_to_the_same_result(finished, tmp_path, fail_at):
    directory, result = finished
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "job", WeightedLattices(fail_at=fail_at))
    again = run(tmp_path / "job")
    assert without_seconds(again) == without_seconds(result)
    for path in sorted(directory.rglob("nbest.gz")):
        assert list(read_lines(tmp_path / "job" / path.relative_to(directory))) == list(read_lines(path))


def test_what_is_refused(tmp_path):
    decoder = WeightedLattices()
    objective = objective_of(decoder.references)
    with pytest.raises(InputError, match="lattices are what lattice-mert needs"):
        run(tmp_path / "a", options=replace(OPTIONS, optimizer=OptimizerOptions()))
    with pytest.raises(InputError, match="lattices are what lattice-mert needs"):
        tune(lambda _, n: [], objective, START, tmp_path / "b", OPTIONS)
    with pytest.raises(InputError, match="lattice-mert needs a decoder's lattices; on lists there are mert, mira"):
        optimize(all_candidates(decoder.some[:1], objective_of(decoder.references[:1])), START, OPTIMIZER)
    some = decoder.some
    with pytest.raises(InputError, match="lattices of 4 sentences, but 5 references"):
        tune(LatticeDecoder(lambda _: some[:4]), objective, START, tmp_path / "c", OPTIONS)
    with pytest.raises(InputError, match="lattices with 2 features, but 3 weights"):
        tune(LatticeDecoder(lambda _: [s.selected([0, 1]) for s in some]), objective, START, tmp_path / "d", OPTIONS)
