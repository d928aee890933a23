"""Metrics that are a Python function of outputs, references and sources."""

from pathlib import Path

import numpy as np
import pytest
import sacrebleu

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


def test_scores_of_a_file(folder: Path) -> None:
    (folder / "my-scores.tsv").write_text("x\tab\t0.5\ny\tab\t0.25\ny\tabcd\t1e0\n")
    metric = "0.5*comet:my-scores.tsv-ter"
    objective = Objective(metric, [["ab", "abcd"]], sources=["x", "y"])
    assert [name for _, name in objective.terms] == ["comet:my-scores.tsv", "ter"]
    assert objective.reported(["ab", "abcd"]) == {"comet:my-scores.tsv": 0.75, "ter": 0}
    assert objective.reported(["ab", "ab"])["comet:my-scores.tsv"] == 0.375
    rows = objective.statistics(np.array([1, 1]), ["ab", "abcd"])
    assert objective.values(rows[1])["comet:my-scores.tsv"] == 1
    with pytest.raises(InputError, match=r"my-scores\.tsv: has sources, which are not available here"):
        Objective(metric, [["ab", "abcd"]]).reported(["ab", "ab"])


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("a\t1\n", "my.tsv: no score of 'b'"),
        ("a\t1\nb\t-\n", "my.tsv:2: score '-' is not a finite number"),
        ("a\t1\nb\n", "my.tsv:2: expected two columns"),
        ("a\t1\nx\tb\t1\n", "my.tsv:2: expected two columns"),
        ("1\n", "my.tsv:1: expected two or three columns"),
        ("a\t1\nb\t1\na\t2\n", "my.tsv:3: a second score of the same text"),
        ("a\t1\nb\tnan\n", "my.tsv:2: score 'nan' is not a finite number"),
    ],
)
def test_bad_files_of_scores(folder: Path, lines: str, message: str) -> None:
    (folder / "my.tsv").write_text(lines)
    with pytest.raises(InputError, match=message):
        Objective("own:my.tsv", [["a", "b"]]).reported(["a", "b"])


def test_a_file_of_scores_that_is_not_there(folder: Path) -> None:
    (folder / "lists").write_text("0 ||| abcd ||| a= 1 b= 2\n")
    (folder / "ref").write_text("abcd\n")
    done = widl_text("tune", "nbest", "lists", "--reference", "ref", "--metric", "own:no.tsv", "-o", "weights.toml")
    assert (done.returncode, done.stderr) == (2, "error: no.tsv: no such file\n")


def test_a_function_itself() -> None:
    def length(hypotheses: list[str], references: list[list[str]], sources: list[str] | None) -> list[float]:
        return [len(h) / len(r[0]) for h, r in zip(hypotheses, references, strict=True)]

    objective = Objective(length, [["ab", "abcd"]])
    name = objective.text
    assert name.startswith("tests.mert.test_function_metric:test_a_function_itself")
    rows = objective.statistics(np.array([0, 1]), ["ab", "ab"])
    assert objective.values(rows.sum(axis=0)) == objective.reported(["ab", "ab"]) == {name: pytest.approx(0.75)}
    assert objective.signatures()[name] == f"function:{name}|mean"


CORPUS = ["the cat sat on the mat", "a dog barked at them all"]
OTHER = ["the cat sat on a mat", "a dog barked at us all"]


@pytest.mark.parametrize("metric", ["sacrebleu:corpus_bleu", sacrebleu.corpus_bleu, sacrebleu.BLEU().corpus_score])
def test_a_function_of_a_corpus_has_sacrebleus_form(metric) -> None:
    objective = Objective(metric, [CORPUS, [None, "a dog barked at you all"]])
    streams = [CORPUS, [None, "a dog barked at you all"]]
    assert objective.reported(OTHER) == {objective.text: pytest.approx(sacrebleu.corpus_bleu(OTHER, streams).score)}
    rows = objective.statistics(np.array([0, 1, 1]), [OTHER[0], OTHER[1], CORPUS[1]])
    alone = [
        sacrebleu.corpus_bleu([text], [[reference] for reference in references]).score
        for text, references in [(OTHER[0], CORPUS[:1]), (OTHER[1], [CORPUS[1], streams[1][1]])]
    ]
    assert objective.values(rows[:2].sum(axis=0)) == {objective.text: pytest.approx(sum(alone) / 2)}
    assert objective.signatures()[objective.text].endswith("|corpus")


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (
            lambda hypotheses, references: [0.0] * len(hypotheses),
            "returned a list; a function of",
        ),
        (
            lambda hypotheses, references, sources: 0.5,
            "returned a float; return a list",
        ),
        (
            lambda hypotheses, references, sources: None,
            "returned None; return a list",
        ),
        (lambda hypotheses, references, sources: ["x"], "returned a list; return a list with a number"),
        (lambda hypotheses, references: float("nan"), "returned nan; numbers must be finite"),
        (lambda hypotheses, references, sources: [0.0], "1 numbers for 2 texts"),
    ],
)
def test_functions_of_another_shape(metric, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Objective(metric, [["a", "b"]]).reported(["a", "b"])
    assert "\n" not in str(caught.value)
    with pytest.raises(TypeError, match="metric: found an int; pass a string"):
        Objective(3, [["a"]])  # type: ignore[arg-type]
