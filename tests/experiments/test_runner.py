"""An experiment's directory: its owner, the recorded data, and the resumed steps."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.experiments.found import make_experiment, make_set
from widl import __version__
from widl.common.errors import InputError
from widl.experiments.config import ExperimentConfig, InputPath, read_config
from widl.experiments.results import MetricScorer
from widl.experiments.runner import System, open_experiment
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
    with open_experiment(config, out, "made-up", threads=2, notify=output.append) as run:
        run.job.value("numbers", lambda: [1, 2])
        run.job.notify("on the way")
        result = run.finish("Other", [], [])
    record = json.loads((out / "experiment.json").read_text())
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert record["kind"] == "made-up"
    assert record["config"] == {"title": "Mine", "seed": 7, "resamples": 1000, "baseline": None, "source": str(source)}
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


def test_another_experiments_directory_is_refused_and_results_stay_together(tmp_path: Path) -> None:
    class ModelConfig(ExperimentConfig):
        model: InputPath

    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    out = tmp_path / "out"
    with open_experiment(ModelConfig(model=tmp_path / "a"), out, "made-up") as run:
        run.finish("First", [], [])
    written = {path.name: path.read_bytes() for path in out.iterdir()}
    results = {f"results.{end}" for end in ("json", "txt", "tex", "tsv")}
    assert {"experiment.json", "report.html", *results} <= set(written)
    with (
        pytest.raises(InputError, match="the job was started with different model"),
        open_experiment(ModelConfig(model=tmp_path / "b"), out, "made-up"),
    ):
        pass
    with (
        pytest.raises(KeyboardInterrupt),
        open_experiment(ModelConfig(model=tmp_path / "a", seed=2), out, "made-up") as run,
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
    for row in pairs.rows:  # the baseline's rows come first; the other rows show differences from it,
        second, first = row.label.split(" - ")
        assert row.cells.keys() == {"bleu", "ter"}  # length is neither good nor bad
        for metric, figure in row.cells.items():
            statistics = [test.statistics(name, metric) for name in (first, second)]
            expected = compare(*statistics, test.metric(metric).scorer(), resamples=30, seed=3)
            assert figure.value == expected.value
            assert figure.p == expected.p


def test_the_baseline_is_configured(tmp_path: Path) -> None:
    config = ExperimentConfig(resamples=30, baseline="third")
    result = make_experiment(tmp_path / "out", config, test=make_set()).table("lines-pairs")
    assert [row.label for row in result.rows] == ["first - third", "<second> - third", "<second> - first"]
    with pytest.raises(InputError, match="baseline: no system 'fourth'; there are first, <second>, third"):
        make_experiment(tmp_path / "other", ExperimentConfig(baseline="fourth"), test=make_set())


def test_interrupted_outputs_go_on_with_the_next_input(tmp_path: Path) -> None:
    class Killed(BaseException):
        pass

    class Config(ExperimentConfig):
        """Of no more."""

    built: list[str] = []

    def make(inputs: Sequence[str], until: str) -> Iterator[dict[str, Any]]:
        for text in inputs:
            if text == until:
                raise Killed
            built.append(text)
            yield {"text": text.upper(), "length": len(text)}

    inputs = ["a", "bc", "d"]
    for until in ("d", "", ""):
        system = System("x", lambda _, left, u=until: make(left, u))
        try:
            with open_experiment(Config(), tmp_path / "out", "x") as run:
                [result] = run.test_set("test", inputs, [system], MetricScorer(["bleu"], [inputs])).systems["x"]
        except Killed:
            (begun,) = (tmp_path / "out" / "systems" / "x").glob("test.run.*.partial")
            assert begun.read_bytes().count(b"\n") == 2
            begun.write_bytes(begun.read_bytes() + b'{"text": "cut sh')
    assert built == inputs
    assert (result.outputs, result.facts) == (["A", "BC", "D"], {"length": [1, 2, 1]})
    assert (tmp_path / "out" / "systems" / "x" / "test.run.txt").read_text() == "A\nBC\nD\n"
