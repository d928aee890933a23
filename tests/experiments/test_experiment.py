"""An experiment's directory: whose it is, what is recorded, who may work in it."""

import json
import re
import statistics
from pathlib import Path

import pytest

from tests.experiments.found import make_experiment, make_set
from widl import __version__
from widl.common.errors import InputError
from widl.experiments.config import ExperimentConfig, InputPath, read_config
from widl.experiments.experiment import open_experiment
from widl.experiments.significance import bootstrap_interval, compare


class Config(ExperimentConfig):
    source: InputPath


def test_what_is_recorded(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_text("abc")
    (tmp_path / "config.toml").write_text('source = "source"\nseed = 7\ntitle = "Mine"\n')
    config = read_config(tmp_path / "config.toml", Config)
    assert config.source == source
    out = tmp_path / "deep" / "out"
    told: list[str] = []
    with open_experiment(
        config, out, kind="made-up", inputs={"source": source}, threads=2, tell=told.append
    ) as run:
        run.job.value("numbers", lambda: [1, 2])
        run.tell("on the way")
        found = run.finish(title="Other", tables=[])
    record = json.loads((out / "experiment.json").read_text())
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert record["kind"] == "made-up"
    assert record["config"] == {"title": "Mine", "seed": 7, "resamples": 1000, "source": str(source)}
    assert record["inputs"] == found.provenance.inputs == {str(source): abc}
    assert record["versions"]["widl"] == __version__
    assert {"python", "numpy", "sacrebleu"} <= record["versions"].keys()
    assert {"processor", "cores", "memory GB", "system"} == record["machine"].keys()
    assert (found.title, found.provenance.seed, found.provenance.threads) == ("Mine", 7, 2)
    assert [step["step"] for step in found.provenance.steps] == ["numbers", "significance"]
    log = (out / "job.log").read_text().splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ", line) for line in log)
    messages = [line.partition(" ")[2] for line in log]
    assert messages[0] == f"widl {__version__}: made-up experiment"
    assert messages[-1] == "finished"
    assert messages[1:-1] == told
    assert "on the way" in told


def test_intervals_and_pairs_are_those_of_the_statistics(tmp_path: Path) -> None:
    test = make_set()
    found = make_experiment(tmp_path / "out", ExperimentConfig(resamples=30, seed=3), test=test)
    assert {(interval.metric, interval.system) for interval in found.intervals} == {
        (metric, system) for metric in ("bleu", "ter", "length") for system in test.systems
    }
    assert {pair.metric for pair in found.pairs} == {"bleu", "ter"}  # length is neither good nor bad
    for interval in found.intervals:
        rows, score = test.statistics(interval.system, interval.metric), test.metric(interval.metric).scorer()
        scores = [float(x) for x in score(rows.sum(axis=1))]
        assert interval.score == pytest.approx(statistics.fmean(scores))
        assert interval.deviation == pytest.approx(statistics.stdev(scores))
        assert (interval.low, interval.high) == bootstrap_interval(rows, score, resamples=30, seed=3)
    for pair in found.pairs:
        rows = [test.statistics(name, pair.metric) for name in (pair.first, pair.second)]
        expected = compare(*rows, test.metric(pair.metric).scorer(), resamples=30, seed=3)
        assert (pair.difference, pair.bootstrap_p, pair.randomization_p) == (
            expected.difference, expected.bootstrap_p, expected.randomization_p,
        )


@pytest.mark.slow
def test_directories_of_something_else_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file: exists and is not a directory"):
        make_experiment(tmp_path / "file")
    with pytest.raises(InputError, match="exists and holds no made-up experiment; name a new or an empty"):
        make_experiment(tmp_path)
    (tmp_path / "empty").mkdir()
    make_experiment(tmp_path / "empty")
    with pytest.raises(InputError, match="empty: holds a made-up experiment, not a other experiment; name another"):
        make_experiment(tmp_path / "empty", kind="other")
    (tmp_path / "empty" / "job.json").write_text("{")
    with pytest.raises(InputError, match=r"job\.json: damaged"):
        make_experiment(tmp_path / "empty")


def test_missing_inputs_leave_nothing(tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError, match="absent: no such file"),
        open_experiment(ExperimentConfig(), tmp_path / "out", kind="x", inputs={"a": tmp_path / "absent"}),
    ):
        pass
    assert not (tmp_path / "out").exists()


def test_two_runs_in_one_directory_are_refused(tmp_path: Path) -> None:
    options = {"kind": "x", "inputs": {}}
    with open_experiment(ExperimentConfig(), tmp_path / "out", **options) as run:
        with (
            pytest.raises(InputError, match="out: in use, another process works in it; wait"),
            open_experiment(ExperimentConfig(), tmp_path / "out", **options),
        ):
            pass
        run.job.value("still", lambda: "here")
    with open_experiment(ExperimentConfig(), tmp_path / "out", **options) as run:
        assert run.job.value("still", lambda: "gone") == "here"


@pytest.mark.slow
def test_what_a_killed_run_left_is_cleared_away(tmp_path: Path) -> None:
    out = tmp_path / "out"
    make_experiment(out)
    (out / "deep" / ".model.12.tmp").mkdir(parents=True)
    for name in (".results.json.x.tmp", "deep/.file.tmp", "deep/.model.12.tmp/file", "deep/kept.tmp"):
        (out / name).write_text("half")
    make_experiment(out)
    left = {str(path.relative_to(out)) for path in out.rglob("*tmp*")}
    assert left == {"deep/kept.tmp"}


def test_errors_are_in_the_log(tmp_path: Path) -> None:
    with (
        pytest.raises(ZeroDivisionError),
        open_experiment(ExperimentConfig(), tmp_path / "out", kind="x", inputs={}) as run,
    ):
        run.job.value("bad", lambda: 1 // 0)
    log = (tmp_path / "out" / "job.log").read_text()
    assert "bad: started\n" in log
    assert log.splitlines()[-1].endswith("stopped: ZeroDivisionError: integer division or modulo by zero")
    assert "finished" not in log
