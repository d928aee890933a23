"""An experiment's directory: its owner, the recorded data, and the resumed steps."""

import json
import re
from pathlib import Path

import pytest

from tests.experiments.found import make_experiment, make_set
from widl import __version__
from widl.common.errors import InputError
from widl.experiments.config import ExperimentConfig, InputPath, read_config
from widl.experiments.experiment import open_experiment
from widl.experiments.significance import bootstrap_interval, compare
from widl.pages.tables import Figure


class Config(ExperimentConfig):
    source: InputPath


def test_what_is_recorded(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_text("abc")
    (tmp_path / "config.toml").write_text('source = "source"\nseed = 7\ntitle = "Mine"\n')
    config = read_config(tmp_path / "config.toml", Config)
    assert config.source == source
    out = tmp_path / "deep" / "out"
    output: list[str] = []
    with open_experiment(config, out, "made-up", [source], threads=2, notify=output.append) as run:
        run.job.value("numbers", lambda: [1, 2])
        run.job.notify("on the way")
        result = run.finish("Other", [], [])
    record = json.loads((out / "results.json").read_text())["provenance"]
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert record["config"] == {"title": "Mine", "seed": 7, "resamples": 1000, "source": str(source)}
    assert record["inputs"] == result.provenance["inputs"] == {str(source): abc}
    assert record["versions"]["widl"] == __version__
    assert {"python", "numpy", "sacrebleu", "rouge-score", "spacy"} <= record["versions"].keys()
    built = (Path(__file__).resolve().parents[2] / "cmake" / "kenlm-requirements.txt").read_text(encoding="utf-8")
    assert built.startswith(f"kenlm=={record['versions']['kenlm']} ")
    assert {"processor", "cores", "memory GB", "system"} == record["machine"].keys()
    assert (result.title, result.provenance["seed"], result.provenance["threads"]) == ("Mine", 7, 2)
    assert [step["step"] for step in result.provenance["steps"]] == ["numbers", "significance"]
    log = (out / "job.log").read_text().splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ", line) for line in log)
    messages = [line.partition(" ")[2] for line in log]
    assert messages == [f"widl {__version__}: made-up experiment", *output, "finished"]
    assert "on the way" in output


def test_results_stay_together(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with open_experiment(ExperimentConfig(), out, "made-up", []) as run:
        run.finish("First", [], [])
    written = {path.name: path.read_bytes() for path in out.iterdir()}
    assert {"report.html", "results.json", "results.txt"} <= set(written)
    with (
        pytest.raises(KeyboardInterrupt),
        open_experiment(ExperimentConfig(seed=2), out, "made-up", []) as run,
    ):
        raise KeyboardInterrupt
    after = {path.name: path.read_bytes() for path in out.iterdir()}
    assert all(after[name] == text for name, text in written.items() if not name.startswith("job."))


def test_intervals_and_pairs_are_those_of_the_statistics(tmp_path: Path) -> None:
    test = make_set()
    result = make_experiment(tmp_path / "out", ExperimentConfig(resamples=30, seed=3), test=test)
    for row in result.table("lines-intervals").rows:
        assert row.cells.keys() == {"bleu", "ter", "length"}
        for metric, figure in row.cells.items():
            rows, score = test.statistics(row.label, metric), test.metric(metric).scorer()
            ends = bootstrap_interval(rows, score, resamples=30, seed=3)
            scores = test.scores(row.label, metric)
            assert figure == Figure.of(scores, *ends)
            assert scores == pytest.approx([float(x) for x in score(rows.sum(axis=1))], abs=1e-9)
    pairs = result.table("lines-pairs")
    assert [row.label for row in pairs.rows] == ["<second> - first", "third - first", "third - <second>"]
    for row in pairs.rows:
        second, first = row.label.split(" - ")
        assert row.cells.keys() == {"bleu", "ter"}  # length is neither good nor bad
        for metric, figure in row.cells.items():
            statistics = [test.statistics(name, metric) for name in (first, second)]
            expected = compare(*statistics, test.metric(metric).scorer(), resamples=30, seed=3)
            assert figure.value == expected.value
            assert figure.p == expected.p


@pytest.mark.slow
def test_directories_of_something_else_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file: exists and is not a directory"):
        make_experiment(tmp_path / "file")
    with pytest.raises(InputError, match="exists and holds no made-up experiment; name a new or an empty"):
        make_experiment(tmp_path)
    make_experiment(tmp_path / "out")
    with pytest.raises(InputError, match="out: holds a made-up experiment, not a other experiment; name another"):
        make_experiment(tmp_path / "out", kind="other")


def test_missing_inputs_leave_nothing(tmp_path: Path) -> None:
    with (
        pytest.raises(FileNotFoundError, match="absent: no such file"),
        open_experiment(ExperimentConfig(), tmp_path / "out", "x", [tmp_path / "absent"]),
    ):
        pass
    assert not (tmp_path / "out").exists()
