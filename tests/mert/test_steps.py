"""Interpolated and damped steps of tuning, and lines that are held out."""

from dataclasses import replace

import numpy as np
import pytest

from tests.mert.lattices import NAMES, translation_lattices
from tests.mert.problems import translation_lists
from tests.mert.tuning_jobs import OPTIONS, START, ListDecoder, run, without_seconds
from widl.common.errors import InputError
from widl.common.options import changed
from widl.mert import (
    LatticeDecoder,
    LatticeSet,
    MetricOptions,
    Objective,
    Optimized,
    OptimizerOptions,
    TuningOptions,
    TuningSet,
    optimize,
    read_nbest,
    tune,
)

pytestmark = pytest.mark.usefixtures("without_pictures")

FAST = OptimizerOptions(restarts=3, random_directions=2)


@pytest.fixture(scope="module")
def data():
    lists, references = translation_lists(2)
    data = TuningSet(Objective("bleu", [references], MetricOptions(tokenize="none")))
    data.add(lists)
    return data


@pytest.mark.parametrize("algorithm", ["mert", "mira"])
@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_a_share_of_the_weights_found(data, algorithm, share):
    options = changed(FAST, algorithm=algorithm)
    whole = optimize(data, START, options).weights
    part = optimize(data, START, replace(options, interpolation=share))
    norm = sum(map(abs, START.values()))
    expected = {name: share * whole[name] + (1 - share) * START[name] / norm for name in START}
    expected_norm = sum(map(abs, expected.values()))
    assert part.weights == pytest.approx({name: value / expected_norm for name, value in expected.items()})
    problem = data.freeze()
    assert part.score == pytest.approx(problem.score(np.array([part.weights[name] for name in problem.names])))


def test_fixed_weights_stay_and_bounds_hold(data):
    options = replace(FAST, interpolation=0.3, fixed=frozenset({"idle"}), bounds={"noise": (0.4, 0.6)})
    found = optimize(data, START, options).weights
    assert found["idle"] == START["idle"]
    assert 0.4 <= found["noise"] <= 0.6


@pytest.mark.parametrize(
    ("algorithm", "interpolation", "damped", "steps"),
    [
        ("mert", 1.0, 0, [1, 1, 1]),
        ("mira", 0.5, 0, [0.5, 0.5, 0.5]),
        ("mira", 1.0, 1, [1 / 2, 1, 1]),
        ("mert", 0.9, 2, [0.3, 0.6, 0.9]),
    ],
)
def test_steps_of_the_iterations(tmp_path, monkeypatch, algorithm, interpolation, damped, steps):
    taken = []

    def optimized(data, weights, options):
        taken.append(options.interpolation)
        drawn = np.abs(np.random.default_rng(len(taken)).normal(size=len(weights)))
        return Optimized(dict(zip(weights, drawn.tolist(), strict=True)), 0.0, {}, 0.0, {})

    monkeypatch.setattr("widl.mert.tuning.optimize", optimized)
    optimizer = changed(OPTIONS.optimizer, algorithm=algorithm, interpolation=interpolation)
    run(tmp_path / "job", options=replace(OPTIONS, optimizer=optimizer, damped=damped, max_iterations=4, patience=9))
    assert taken == pytest.approx(steps)


def score_of(objective, sentences, texts):
    return objective.score(objective.statistics(np.array(sentences), texts).sum(axis=0))


def test_held_out_lines_choose_the_iteration(tmp_path):
    options = replace(OPTIONS, held_out=3)
    result = run(tmp_path / "job", options=options)
    decoder = ListDecoder()
    objective = decoder.objective()
    pool = set()
    for number, iteration in enumerate(result.iterations, 1):
        best = [candidates[0].text for candidates in decoder(iteration.weights, 1)]
        assert iteration.score == pytest.approx(score_of(objective, [5, 6, 7], best[5:]))
        assert iteration.tuned_score == pytest.approx(score_of(objective, range(5), best[:5]))
        lists = read_nbest([tmp_path / "job" / f"iteration-{number:02}" / "nbest.gz"], sentences=8)
        pool |= {
            (s, t, *h)
            for s, t, h in zip(lists.sentences.tolist(), lists.texts, lists.features.tolist(), strict=True)
            if s < 5
        }
        assert iteration.candidates == len(pool)
    assert result.score == max(iteration.score for iteration in result.iterations)
    assert without_seconds(run(tmp_path / "job", options=options)) == without_seconds(result)
    # What is held out teaches nothing: other references there lead to the same weights.
    other = ListDecoder()
    other.references[5:] = ["c c c"] * 3
    first, second = (
        run(tmp_path / name, made, options=replace(options, max_iterations=2))
        for name, made in (("first", ListDecoder()), ("second", other))
    )
    assert first.iterations[0].next_weights == second.iterations[0].next_weights
    assert first.iterations[0].score != second.iterations[0].score


def test_held_out_lattices(tmp_path):
    some, references = translation_lattices(1, sentences=5)
    objective = Objective("bleu", [references], MetricOptions(tokenize="none"))
    options = TuningOptions(
        optimizer=OptimizerOptions(algorithm="lattice-mert", restarts=1, random_directions=1),
        held_out=2,
        max_iterations=2,
    )
    start = dict.fromkeys(NAMES, 0.5)
    result = tune(LatticeDecoder(lambda _: some), objective, start, tmp_path / "job", options)
    for number, iteration in enumerate(result.iterations, 1):
        weights = np.array(list(iteration.weights.values()))
        best = [" ".join(words) for words, _ in LatticeSet(some).best(weights)]
        assert iteration.score == pytest.approx(score_of(objective, [3, 4], best[3:]))
        lists = read_nbest([tmp_path / "job" / f"iteration-{number:02}" / "nbest.gz"])
        assert set(lists.sentences.tolist()) == {0, 1, 2}
    again = tune(LatticeDecoder(lambda _: some), objective, start, tmp_path / "job", options)
    assert without_seconds(again) == without_seconds(result)


def test_more_held_out_than_there_is(tmp_path):
    with pytest.raises(InputError, match="8 lines are to be held out, but there are only 8; hold out fewer"):
        run(tmp_path / "job", options=replace(OPTIONS, held_out=8))
    assert not (tmp_path / "job").exists()
