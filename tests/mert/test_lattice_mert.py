"""MERT over lattices: compared with MERT on all paths, and the loop around a decoder of lattices."""

from dataclasses import replace

import numpy as np
import pytest

from tests.mert.lattices import NAMES, pairs_of, sums, translation_lattices
from tests.mert.tuning_jobs import LATTICE_OPTIONS, LATTICE_START, WeightedLattices, run
from tests.reference.lattices import paths
from widl.common.errors import InputError
from widl.mert import (
    LatticeDecoder,
    LatticeSet,
    LatticeSource,
    NbestLists,
    TuningSet,
    optimize,
    optimize_over_lattices,
    tune,
)
from widl.mert.line_search import ascend
from widl.mert.problem import MIN_GAIN, WeightDomain
from widl.metrics import MetricOptions, Objective

START, OPTIMIZER = LATTICE_START, LATTICE_OPTIONS


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
    domain = WeightDomain.of(NAMES, result.weights, OPTIMIZER)
    _, reached = ascend(everything, domain, weights[None, :], np.eye(3)[None, :, :], OPTIMIZER)
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
        domain = WeightDomain.of(NAMES, START, options)
        result = source_of(some).envelopes(point, np.eye(3), domain)
        expected = LatticeSet(some).take(point, np.eye(3), lower=domain.lower, upper=domain.upper)
        assert result.features.tolist() == [features for paths in expected for _, features in paths]
        assert np.bincount(result.sentences).tolist() == [len(paths) for paths in expected]


def test_what_is_refused(tmp_path):
    decoder = WeightedLattices()
    objective = decoder.objective()
    with pytest.raises(InputError, match="lattices are what lattice-mert needs"):
        run(tmp_path / "a", decoder, options=replace(decoder.options, algorithm=None))
    with pytest.raises(InputError, match="lattices are what lattice-mert needs"):
        tune(lambda _, n: [], objective, START, tmp_path / "b", decoder.options)
    with pytest.raises(InputError, match="lattice-mert needs a decoder's lattices; on lists there are mert, mira"):
        optimize(all_candidates(decoder.lattices[:1], objective_of(decoder.references[:1])), START, OPTIMIZER)
    some = decoder.lattices
    with pytest.raises(InputError, match="lattices of 4 sentences, but 5 references"):
        tune(LatticeDecoder(lambda _: some[:4]), objective, START, tmp_path / "c", decoder.options)
    fewer = LatticeDecoder(lambda _: [s.selected([0, 1]) for s in some])
    with pytest.raises(InputError, match="lattices with 2 features, but 3 weights"):
        tune(fewer, objective, START, tmp_path / "d", decoder.options)
