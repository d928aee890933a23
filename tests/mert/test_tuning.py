"""The loop around a decoder: its results and its files."""

import json
import tomllib
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.mert.problems import translation_lists
from tests.mert.tuning_jobs import OPTIONS, START, ListDecoder, run, without_seconds
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.resumable_steps import JobInputs
from widl.mert import Candidate, TuningSet, read_nbest, tune, tune_replications
from widl.mert.tuning_page import surface
from widl.metrics import MetricOptions, Objective


def test_tuning_helps(job):
    """Scores equal the metric of the decoder's best outputs with an iteration's weights."""
    make, _, result = job
    first, *others = result.iterations
    assert first.weights == make.start
    assert len(others) >= 2
    assert result.score == max(iteration.score for iteration in result.iterations) > first.score + 5
    assert result.values == {"bleu": result.score}
    decoder = make()
    objective = decoder.objective()
    for iteration in result.iterations:
        rows = objective.statistics(np.arange(make.sentences), list(decoder.best_texts(iteration.weights)))
        assert iteration.score == pytest.approx(objective.score(rows.sum(axis=0)))


def test_everything_is_on_disk(job):
    make, directory, result = job
    count = len(result.iterations)
    folders = [f"iteration-{number:02}" for number in range(1, count + 1)]
    files = {"job.json", "job.log", "report.html", "weights.toml"}
    assert {path.name for path in directory.iterdir()} == files | set(folders)
    pool = set()
    for folder, iteration in zip(folders, result.iterations, strict=True):
        assert sorted(p.name for p in (directory / folder).iterdir()) == ["nbest.gz", "summary.json", "weights.toml"]
        lists = read_nbest([directory / folder / "nbest.gz"], sentences=make.sentences)
        scores, begins = lists.features @ np.array(list(iteration.weights.values())), lists.begins(make.sentences)
        assert all(scores[a] >= scores[a:b].max() - 1e-9 for a, b in pairwise(begins))  # the best ones come first
        new = {
            (s, t, *h) for s, t, h in zip(lists.sentences.tolist(), lists.texts, lists.features.tolist(), strict=True)
        }
        assert iteration.new_candidates == len(new - pool)
        pool |= new
        assert iteration.candidates == len(pool)
        summary = json.loads((directory / folder / "summary.json").read_text())
        assert (summary["score"], summary["next_weights"]) == (iteration.score, iteration.next_weights)
        lines = [f"{name} = {value!r}" for name, value in iteration.weights.items()]
        assert list(read_lines(directory / folder / "weights.toml")) == lines
    following = [iteration.weights for iteration in result.iterations[1:]]
    assert following == [iteration.next_weights for iteration in result.iterations[:-1]]
    final = [f"{name} = {value!r}" for name, value in result.weights.items()]
    assert list(read_lines(directory / "weights.toml")) == final


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"max_iterations": 2}, "2 iterations, the most that were allowed"),
        ({"nbest": 150}, "no new candidates"),
        ({"patience": 1, "max_iterations": 25}, "no gain in 1 iteration"),
        ({"min_change": 1e9}, "the weights no longer change"),
    ],
)
def test_reasons_to_stop(tmp_path, change, reason):
    result = run(tmp_path / "job", options=replace(OPTIONS, **change))
    assert result.stopped == reason
    assert all(iteration.stopped is None for iteration in result.iterations[:-1])
    best = max(result.iterations, key=lambda iteration: iteration.score)
    assert (result.weights, result.score) == (best.weights, best.score)
    if "patience" in change:
        assert best is not result.iterations[-1]
    if "nbest" in change:  # the first iteration had all candidates
        assert [iteration.new_candidates for iteration in result.iterations][1:] == [0]


def test_replications(tmp_path):
    decoder = ListDecoder()
    options = replace(OPTIONS, max_iterations=3)
    arguments = decoder, decoder.objective(), START, tmp_path / "all", options
    results = tune_replications(*arguments, seeds=[3, 1])
    assert decoder.calls == sum(len(result.iterations) for result in results) - 1  # the first lists are shared
    assert without_seconds(results[1]) == without_seconds(run(tmp_path / "one", options=options))
    best = max(results, key=lambda result: result.score)
    assert (tmp_path / "all" / "weights.toml").read_text().startswith(f"lm0 = {best.weights['lm0']!r}\n")
    assert tune_replications(*arguments, seeds=[3, 1]) == results
    with pytest.raises(InputError, match="each another"):
        tune_replications(*arguments, seeds=[1, 1])


def test_the_surface_that_a_page_shows():
    """Every sample is the objective at that weight."""
    lists, references = translation_lists(1, sentences=5, candidates=20)
    data = TuningSet(Objective("bleu", [references], MetricOptions(tokenize="none")))
    data.add(lists)
    problem, weights = data.freeze(), np.array(list(START.values()))
    at, scores = surface(problem, weights, 1, 2.0, samples=9)
    assert (at[0], at[-1], len(set(scores))) == (-1.5, 2.5, pytest.approx(6, abs=3))
    for value, score in zip(at, scores, strict=True):
        weights[1] = value
        assert score == pytest.approx(problem.score(weights))


def test_resuming_another_job(finished, tmp_path):
    refused = r"job\.json: the job {}; run the original command to resume, or name another directory"
    with pytest.raises(InputError, match=refused.format("has nbest = 10, not 11")):
        run(finished[0], options=replace(OPTIONS, nbest=11))
    seed = replace(OPTIONS, seed=2)
    with pytest.raises(InputError, match=refused.format("has seed = 1, not 2")):
        run(finished[0], options=seed)
    with pytest.raises(InputError, match=refused.format("was started with different references")):
        run(finished[0], ListDecoder(seed=2))
    model = tmp_path / "model"
    model.write_text("1")
    inputs = JobInputs({"model": model}, {"distortion_limit": 6})
    small = replace(OPTIONS, max_iterations=2)
    result = run(tmp_path / "job", options=small, decoder_inputs=inputs)
    assert run(tmp_path / "job", options=small, decoder_inputs=inputs) == result
    with pytest.raises(InputError, match=refused.format("has distortion_limit = 6, not 4")):
        run(tmp_path / "job", options=small, decoder_inputs=replace(inputs, settings={"distortion_limit": 4}))
    model.write_text("22")
    with pytest.raises(InputError, match=refused.format("was started with different model")):
        run(tmp_path / "job", options=small, decoder_inputs=inputs)


def test_threads_make_no_difference(finished):
    threads = replace(OPTIONS, threads=2)
    assert run(finished[0], options=threads) == finished[1]


def test_bad_decoders(tmp_path):
    objective = ListDecoder().objective()
    good = [Candidate("a", [0.0] * 4)]
    for number, (lists, message) in enumerate(
        [
            ([good] * 7 + [[]], "no candidate of sentence 7"),
            ([good] * 7, "no candidates of sentence 7"),
            ([good] * 9, "there is a sentence 8, but only 8 references"),
            ([[Candidate("a", [1.0])]] * 8, "1 features of a candidate, but 4 weights"),
            ([[Candidate("a", [np.nan] * 4)]] * 8, "lm0 is nan"),
        ]
    ):
        with pytest.raises(InputError, match=message):
            tune(lambda weights, n, lists=lists: lists, objective, START, tmp_path / str(number), OPTIONS)


def test_bad_settings_make_no_directory(tmp_path):
    with pytest.raises(InputError, match="lm0 is -1"):
        tune(ListDecoder(), ListDecoder().objective(), START | {"lm0": -1.0}, tmp_path / "job", OPTIONS)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="at least 1"):
        replace(OPTIONS, patience=0)


class ConstantDecoder(ListDecoder):
    """Returns the same output for all weights."""

    def __call__(self, weights, n):
        for candidates in super().__call__(START, n):
            yield candidates[:1]


class PerfectDecoder(ListDecoder):
    """Puts the references first, with any weights."""

    def __call__(self, weights, n):
        for reference, candidates in zip(self.references, super().__call__(weights, n), strict=True):
            yield [Candidate(reference, [0.0] * len(START)), *candidates]


def test_identical_hypotheses_leave_nothing_to_tune(tmp_path):
    with pytest.raises(InputError, match="all candidates of a sentence score alike, of every sentence"):
        run(tmp_path / "job", ConstantDecoder())
    assert not list((tmp_path / "job").glob("weights.toml"))


def test_weights_that_did_not_move_are_not_written(tmp_path):
    """Unless the start weights are fitted to the references, and better than those before."""
    result = run(tmp_path / "job", PerfectDecoder())
    assert (result.moved, result.weights) == (False, START)
    assert {"report.html", "iteration-01"} <= {path.name for path in (tmp_path / "job").iterdir()}
    assert not (tmp_path / "job" / "weights.toml").exists()
    decoder = PerfectDecoder()
    [again] = tune_replications(decoder, decoder.objective(), START, tmp_path / "jobs", OPTIONS, seeds=[1])
    assert not again.moved
    assert not list((tmp_path / "jobs").glob("weights.toml")) + list((tmp_path / "jobs").glob("*/weights.toml"))
    for better in (0.0, 1.0):
        run(tmp_path / f"as-before-{better}", PerfectDecoder(), unfitted_score=result.score + better)
        assert not (tmp_path / f"as-before-{better}" / "weights.toml").exists()
    run(tmp_path / "fitted", PerfectDecoder(), unfitted_score=result.score - 0.001)
    assert tomllib.loads((tmp_path / "fitted" / "weights.toml").read_text()) == START
