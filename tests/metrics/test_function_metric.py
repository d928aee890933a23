"""Metrics that are a Python function of outputs, references and sources."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
import sacrebleu

from tests.command import widl_text
from tests.mert.problems import translation_lists
from widl.common.errors import InputError
from widl.mert import OptimizerOptions, TuningSet, optimize
from widl.mert.problem import ListAlgorithm
from widl.metrics import MetricOptions, Objective, function_source

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
    assert both.signatures()["own_metric:length"].startswith("function:own_metric:length|mean|code:")


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("no_such_module:f", "no module 'no_such_module' in /.*, and none is installed"),
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
    assert name.startswith("tests.metrics.test_function_metric:test_a_function_itself")
    rows = objective.statistics(np.array([0, 1]), ["ab", "ab"])
    assert objective.values(rows.sum(axis=0)) == objective.reported(["ab", "ab"]) == {name: pytest.approx(0.75)}
    assert objective.signatures()[name].startswith(f"function:{name}|mean|code:")


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
    assert "|corpus|code:" in objective.signatures()[objective.text]
    assert objective.is_summed() == {objective.text: False}


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
        (lambda hypotheses, references, sources: ["x"], "returned a list with 'x' in it; return a list with a number"),
        (lambda hypotheses, references: float("nan"), "returned nan; numbers must be finite"),
        (lambda hypotheses, references, sources: [0.0], "1 numbers for 2 texts"),
    ],
)
def test_functions_of_another_shape(metric, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Objective(metric, [["a", "b"]]).reported(["a", "b"])
    assert "\n" not in str(caught.value)
    with pytest.raises(TypeError, match="metric: found an int; pass a function, or a text"):
        Objective(3, [["a"]])  # type: ignore[arg-type]


def test_a_module_beside_a_file_and_its_changes(folder: Path) -> None:
    """It comes before that of the working directory; a changed file counts, also within a second."""
    other = folder / "other"
    other.mkdir()
    for value, digits in enumerate(("0.25", "0.75")):
        (other / "own_metric.py").write_text(f"def length(hypotheses, references):\n    return {digits}\n")
        objective = Objective("own_metric:length", [["a"]], folder=other)
        assert objective.reported(["b"]) == {"own_metric:length": [0.25, 0.75][value]}
    assert Objective("own_metric:length", [["a"]]).reported(["aa"]) == {"own_metric:length": 2}
    (other / "own.tsv").write_text("b\t5\n")
    assert Objective("x:own.tsv", [["a"]], folder=other).reported(["b"]) == {"x:own.tsv": 5}
    (other / "broken.py").write_text("1 / 0\n")
    with pytest.raises(InputError, match=r"'broken:f': the module 'broken' cannot be loaded \(ZeroDivisionError"):
        Objective("broken:f", [["a"]], folder=other)


LIBRARY = "def half(value):\n    return value / {}\n"
USES = """
import functools
import own_library
from own_library import half

{weight}
seen = {{}}

class Scale:
    def __call__(self, value):
        return {method}

def helper(value):
    return Scale()(half(value)) * WEIGHT

def closed(power):
    def metric(hypotheses, references):
        # {comment}
        seen[len(hypotheses)] = 1
        return helper(len(hypotheses)) ** power
    return metric

metric = functools.partial({closed})
"""
PARTS = {"weight": "WEIGHT = 2", "method": "value + 1", "comment": "none", "closed": "closed(2)", "library": "2"}


def source_of(folder: Path, **changed: str) -> str:
    """The signature of a metric that is made of many parts."""
    parts = PARTS | changed
    (folder / "own_library.py").write_text(LIBRARY.format(parts.pop("library")))
    (folder / "own_parts.py").write_text(USES.format(**parts))
    for module in ("own_library", "own_parts"):  # as in another process
        sys.modules.pop(module, None)
    function_source._loaded.clear()
    importlib.invalidate_caches()
    objective = Objective("own_parts:metric", [["a"]])
    objective.reported(["b"])  # fills a cache
    assert Objective("own_parts:metric", [["a"]]).signatures() == objective.signatures()
    return objective.signatures()["own_parts:metric"]


@pytest.mark.parametrize(
    ("part", "text"),
    [("weight", "WEIGHT = 3"), ("method", "value + 2"), ("closed", "closed(3)"), ("library", "22")],
)
def test_its_code_is_in_its_signature(folder: Path, monkeypatch: pytest.MonkeyPatch, part: str, text: str) -> None:
    """What a function calls and reads counts, wherever it is; comments and caches do not."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    original = source_of(folder)
    assert source_of(folder, comment="another") == original
    assert source_of(folder, **{part: text}) != original


def test_settings_of_an_installed_metric_are_in_its_signature() -> None:
    first, second, again = (
        Objective(sacrebleu.BLEU(lowercase=lower).corpus_score, [CORPUS]) for lower in (False, True, False)
    )
    first.reported(OTHER)
    assert first.signatures() == again.signatures() != second.signatures()


@pytest.mark.parametrize("algorithm", ["mira", "mert"])
def test_the_units_of_a_metric_decide_nothing(algorithm: ListAlgorithm) -> None:
    """Values from 0 to 1 are tuned as the same ones from 0 to 100."""
    lists, references = translation_lists(2)
    start = {"lm0": 0.2, "noise": 0.3, "word_count": 1.0, "idle": 0.5}
    results = []
    for unit in (1e-4, 1.0, 100.0, 1e6):

        def overlap(hypotheses, references, sources, unit=unit) -> list[float]:
            pairs = zip(hypotheses, references, strict=True)
            return [unit * len({*h.split()} & {*r[0].split()}) / len({*h.split(), *r[0].split()}) for h, r in pairs]

        data = TuningSet(Objective(overlap, [references]))
        data.add(lists)
        options = {} if algorithm == "mira" else {"restarts": 4, "random_directions": 3}
        result = optimize(data, start, OptimizerOptions(algorithm=algorithm, **options))
        assert result.score > 1.1 * result.start_score
        results.append((result.score / unit, list(result.weights.values())))
    for score, weights in results[1:]:
        assert score == pytest.approx(results[0][0])
        if algorithm == "mira":  # MERT's best intervals are equal up to rounding
            assert weights == pytest.approx(results[0][1], abs=1e-6)


@pytest.mark.parametrize("metric", ["0.001*bleu", "1000*bleu", "0.001*bleu-0.001*ter"])
def test_coefficients_of_an_objective_decide_nothing_if_all_are_larger(metric: str) -> None:
    lists, references = translation_lists(1)
    start = {"lm0": 0.2, "noise": 0.3, "word_count": 1.0, "idle": 0.5}
    plain = "bleu-ter" if "ter" in metric else "bleu"
    found = []
    for text in (plain, metric):
        data = TuningSet(Objective(text, [references]))
        data.add(lists)
        found.append(optimize(data, start, OptimizerOptions(algorithm="mira", passes=20)).weights)
    assert found[1] == pytest.approx(found[0], abs=1e-6)


def test_the_scale_of_a_function_by_its_definition() -> None:
    """√12 times the deviation of the values from their sentences' means; of a sum, with the coefficients."""
    lists, references = translation_lists(2, sentences=6, candidates=9)
    data = TuningSet(Objective("0.5*bleu+3*own_metric:length", [references], sets=[2, 4]))
    data.add(lists)
    problem = data.freeze()
    values = [len(text) / len(references[s]) for s, text in zip(lists.sentences.tolist(), lists.texts, strict=True)]
    ranges = []
    for begin, end in ((0, 2), (2, 6)):
        squares = []
        for sentence in range(begin, end):
            own = [value for value, s in zip(values, lists.sentences.tolist(), strict=True) if s == sentence]
            squares += [(value - sum(own) / len(own)) ** 2 for value in own]
        ranges.append((12 * sum(squares) / len(squares)) ** 0.5)
    assert problem.scale == pytest.approx(50 + 3 * sum(ranges) / 2)
