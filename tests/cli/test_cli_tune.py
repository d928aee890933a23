"""`widl tune nbest`, and `widl tune translation`."""

import json
import shutil
import tomllib
from functools import partial
from pathlib import Path

import pytest
import sacrebleu

from tests.command import refused
from tests.mert.problems import translation_lists
from tests.sample import write_sample
from widl.cli.tune_model import job_of
from widl.mert import Candidate, OptimizerOptions, write_nbest
from widl.pipeline.tuning import TranslationTask
from widl.pipeline.tuning_decoders import tunable
from widl.translation import TranslationOptions, Translator

START = {"lm0": 0.2, "noise": 0.3, "word_count": 1.0, "idle": 0.5}
FAST = "--tokenize", "none"


@pytest.fixture
def run(run):
    """Runs `widl tune`; returns exit code, stdout and stderr."""
    return partial(run, "tune")


@pytest.fixture
def files(tmp_path):
    """n-best lists in two files, references, and initial weights."""
    lists, references = translation_lists(1, candidates=20)
    candidates = [[] for _ in references]
    for sentence, text, features in zip(lists.sentences, lists.texts, lists.features, strict=True):
        candidates[sentence].append(Candidate(text, features.tolist()))
    write_nbest(tmp_path / "a.gz", [c[:12] for c in candidates], START)
    write_nbest(tmp_path / "b.txt", [c[8:] for c in candidates], START)
    (tmp_path / "ref").write_text("".join(f"{line}\n" for line in references))
    (tmp_path / "start.toml").write_text("".join(f"{name} = {value}\n" for name, value in START.items()))
    return tmp_path


def arguments(files, *more):
    lists = "nbest", files / "a.gz", files / "b.txt"
    output = () if "-o" in more else ("-o", files / "out.toml")
    return *lists, "--reference", files / "ref", *output, *FAST, *more


@pytest.mark.slow
def test_tuning(run, files):
    code, out, err = run(*arguments(files, "--weights", files / "start.toml", "--report", files / "report.html"))
    assert (code, err) == (0, "")
    name, before, arrow, after = out.split()
    assert (name, arrow) == ("bleu", "->")
    assert float(after) > float(before) + 10
    weights = tomllib.loads((files / "out.toml").read_text())
    assert sum(map(abs, weights.values())) == pytest.approx(1)
    assert list(weights) == list(START)
    page = (files / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == len(START)
    assert after in page


def test_json_and_all_kinds_of_options(run, files):
    options = "--metric", "0.5*bleu+rouge1_recall", "--algorithm", "mira", "--json"
    bounds = ("noise=-0.5:0.25", "word_count=:2", "lm0=0:")
    limits = "--fixed", "idle", *(word for bound in bounds for word in ("--bounds", bound))
    files_only = [item for item in arguments(files) if item not in FAST]
    code, out, _ = run(*files_only, *options, *limits, "--seed", 3)
    assert code == 2  # without --weights all start at 1, out of the bounds of noise
    (files / "start.toml").write_text("lm0 = 1\nnoise = 0\nword_count = 0\nidle = -2.5\n")
    start = "--weights", files / "start.toml"
    code, out, _ = run(*files_only, *options, *limits, *start)
    assert code == 0
    result = json.loads(out)
    metrics = result["metrics"]
    assert result["score"] == pytest.approx(0.5 * metrics["bleu"] + metrics["rouge1_recall"])
    assert result["score"] > result["start_score"]
    assert result["candidates"] == 12 * 20
    assert "smooth:exp" in result["signatures"]["bleu"]
    assert result["weights"]["idle"] == -2.5
    assert -0.5 <= result["weights"]["noise"] <= 0.25
    assert tomllib.loads((files / "out.toml").read_text()) == result["weights"]


def test_where_nothing_can_be_written(run, files):
    line = refused(run(*arguments(files, "-o", files / "no" / "where.toml")))
    assert "no/where.toml: can't be written (No such file or directory); make the" in line


def test_no_weights_are_written_where_none_are_better(run, tmp_path):
    """The best candidate is chosen from the start, or there is only one candidate."""
    (tmp_path / "one.ref").write_text("a b\n")
    (tmp_path / "lists").write_text("0 ||| a b ||| F= 2\n0 ||| a ||| F= 1\n")
    command = ("nbest", tmp_path / "lists", "--reference", tmp_path / "one.ref", "-o", tmp_path / "w.toml")
    code, out, err = run(*command)
    assert (code, out.splitlines()[0][:5]) == (1, "bleu ")
    assert err == "no weights scored better than those at the start; none are written\n"
    code, out, _ = run(*command, "--json")
    assert (code, json.loads(out)["moved"]) == (1, False)
    (tmp_path / "lists").write_text("0 ||| a b ||| F= 2\n0 ||| a b ||| F= 1\n")
    assert "all candidates of a sentence score alike, of every sentence" in refused(run(*command))
    (tmp_path / "lists").write_text("0 ||| a b ||| F= 2\n0 ||| a ||| F= 1\n")
    (tmp_path / "one.ref").write_text("\n")
    assert "all candidates of a sentence score alike" in refused(run(*command, "--metric", "rouge1"))
    assert not (tmp_path / "w.toml").exists()


# --- tuning a model by decoding ---


@pytest.fixture
def dev(tmp_path):
    """Ten lines of the sample corpus to tune on."""
    write_sample(tmp_path, 10, "dev.zh", "dev.en")
    return tmp_path


def of_model(trained, dev, *more):
    text = "--source", dev / "dev.zh", "--reference", dev / "dev.en"
    fast = "--nbest", 20, "--max-iterations", 2, "--algorithm", "mert"
    return "translation", trained, *text, "--job", dev / "job", *fast, *more


def test_outputs_have_jobs_of_their_own(run, trained, dev, tmp_path, monkeypatch):
    """Two models, with two outputs and without: the second model has a job, or both are named."""
    other = shutil.copytree(trained, tmp_path / "other", copy_function=shutil.copy)  # with other times
    monkeypatch.chdir(dev)
    text = "--source", "dev.zh", "--reference", "dev.en", "--nbest", 5, "--max-iterations", 2, "--quiet"
    for model, output in ((trained, "first.toml"), (other, "second.toml")):
        assert run("translation", model, *text, "-o", output)[0] in (0, 1)
        assert (dev / output).with_suffix(".tuning").is_dir()
    assert not (dev / "tuning").exists()
    assert run("translation", trained, *text)[0] in (0, 1)
    line = refused(run("translation", other, *text))
    assert line.startswith(f"tuning/seed-1/job.json: the job was started with {trained}, not with {other}; ")


def test_the_default_directory_of_a_job(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "manifest.json").write_text("{}")
    assert job_of(tmp_path / "model" / "weights.toml") == tmp_path / "model.tuning"
    assert job_of(tmp_path / "weights") == tmp_path / "weights.tuning"
    assert job_of(Path("/dev/null")) == Path("tuning")


@pytest.mark.parametrize(
    ("source", "reference", "message"),
    [("\n \n", "a b .\nc d .\n", "every line is empty; give text to tune on"),
     ("你好。\n再见。\n", "\n\n", "every reference is empty; give references to tune on")],
)  # fmt: skip
def test_text_of_empty_lines_is_refused(run, trained, tmp_path, source, reference, message):
    (tmp_path / "dev.zh").write_text(source, encoding="utf-8")
    (tmp_path / "dev.en").write_text(reference, encoding="utf-8")
    line = refused(run(*of_model(trained, tmp_path, "-o", tmp_path / "w.toml")))
    assert line == f"{tmp_path / 'dev.zh'}: {message}"
    outputs = [tmp_path / "a", tmp_path / "b"]
    for path in outputs:
        path.write_text(source, encoding="utf-8")
    command = ("combination", *outputs, "--reference", tmp_path / "dev.en", "--job", tmp_path / "job")
    assert refused(run(*command)) == f"{tmp_path / 'a'}: {message}"
    assert not list(tmp_path.glob("*.toml"))
    assert not list(tmp_path.glob("job"))


@pytest.mark.slow
def test_tuning_a_model(run, trained, dev):
    stacks = "--decoder", "stack", "--search", "cube", "--pop-limit", 50
    code, out, err = run(*of_model(trained, dev, *stacks, "-o", dev / "w.toml", "--replications", 2, "--json"))
    assert code == 0
    result = json.loads(out)
    assert result["score"] >= result["start_score"]
    assert len(result["replications"]) == len(result["iterations"]) == 2
    assert result["score"] == max(result["replications"])
    weights = tomllib.loads((dev / "w.toml").read_text())
    assert weights == result["weights"]
    assert weights["unknown"] == -100
    assert sum(abs(w) for name, w in weights.items() if name != "unknown") == pytest.approx(1) or weights == (
        tomllib.loads((trained / "weights.toml").read_text())
    )
    assert err.count("iteration 1: ") == 2
    assert (dev / "job" / "seed-1" / "report.html").is_file()
    # The weights of each replication, and the best of them, are complete files that can open the model.
    folders = dev / "job", dev / "job" / "seed-1", dev / "job" / "seed-2"
    remaining = [Translator(trained, weights=folder / "weights.toml").weights for folder in folders]
    assert remaining[0] == weights
    assert weights in remaining[1:]
    # The weights give the reported score.
    lines = (dev / "dev.zh").read_text(encoding="utf-8").splitlines()
    options = TranslationOptions(decoder="stack", search="cube", pop_limit=50)
    texts = [t.text for t in Translator(trained, weights=dev / "w.toml").translate(lines, options)]
    references = [(dev / "dev.en").read_text(encoding="utf-8").splitlines()]
    assert sacrebleu.corpus_bleu(texts, references).score == pytest.approx(result["score"], abs=1e-6)


@pytest.mark.slow
def test_the_default_algorithm(trained):
    """The default algorithm is MIRA for more than ten weights."""
    translator = Translator(trained)
    task = TranslationTask(translator, ["一"], [["one"]])
    names = sorted(tunable(translator.weights))
    assert len(names) > 11
    assert task.with_task_defaults(OptimizerOptions()).algorithm == "mira"
    assert task.with_task_defaults(OptimizerOptions(fixed=frozenset(names[11:]))).algorithm == "mira"
    assert task.with_task_defaults(OptimizerOptions(fixed=frozenset(names[10:]))).algorithm == "mert"
    assert task.with_task_defaults(OptimizerOptions(algorithm="mert")).algorithm == "mert"


@pytest.mark.slow
def test_a_missing_or_wrong_source_is_named(run, trained, dev):
    command = "translation", trained, "--reference", dev / "dev.en"
    assert "--source is missing" in refused(run(*command))
    assert "most lines seem to be in another" in refused(run(*command, "--source", dev / "dev.en"))
