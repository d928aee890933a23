"""Metrics that are a Python function of outputs, references and sources."""

from pathlib import Path

import numpy as np
import pytest

from tests.command import widl_text
from widl.common.errors import InputError
from widl.mert import MetricOptions, Objective

MODULE = """
def length(hypotheses, references, sources):
    assert sources is None or len(sources) == len(hypotheses)
    return [len(h) / len(r[0]) for h, r in zip(hypotheses, references)]

def short(hypotheses, references, sources):
    return [1.0]

def infinite(hypotheses, references, sources):
    return [float("inf") for _ in hypotheses]

number = 3
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own_metric.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_its_mean_in_its_own_units_and_in_sums() -> None:
    objective = Objective("own_metric:length", [["ab", "abcd"]], sources=["x", "y"])
    rows = objective.statistics(np.array([0, 1, 1]), ["ab", "ab", "abcd"])
    assert objective.values(rows[:2].sum(axis=0)) == {"own_metric:length": pytest.approx(0.75)}
    assert objective.reported(["ab", "ab"]) == {"own_metric:length": pytest.approx(0.75)}
    both = Objective("bleu + 2*own_metric:length", [["ab", "abcd"]], MetricOptions(tokenize="none"))
    rows = both.statistics(np.arange(2), ["ab", "abcd"])
    assert both.score(rows.sum(axis=0)) == pytest.approx(both.values(rows.sum(axis=0))["bleu"] + 2)
    assert both.signatures()["own_metric:length"] == "function:own_metric:length|mean"


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("no_such_module:f", "no module 'no_such_module' here"),
        ("own_metric:g", "has no function 'g'"),
        ("own_metric:number", "'number' is no function"),
        ("own_metric:short", "1 numbers for 2 texts"),
        ("own_metric:infinite", "returned inf; numbers must be finite"),
    ],
)
def test_what_is_no_metric(metric: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Objective(metric, [["a", "b"]]).reported(["a", "b"])


def test_weights_are_tuned_on_it(folder: Path) -> None:
    (folder / "lists").write_text("0 ||| abcd ||| a= 1 b= 2\n0 ||| ab ||| a= 2 b= 1\n")
    (folder / "ref").write_text("abcd\n")
    (folder / "start").write_text("a = 1.0\nb = 0.0\n")
    done = widl_text(
        *("tune", "nbest", "lists", "--reference", "ref", "--metric", "own_metric:length"),
        *("--weights", "start", "-o", "weights.toml"),
    )
    assert (done.returncode, done.stdout) == (0, "own_metric:length 0.500 -> 1.000\n")
