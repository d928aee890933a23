"""Translation, tuning and experiments on a cluster are byte-identical to local runs."""

import json
import os
import pickle
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from tests.sample import write_sample
from tests.waiting import running, wait_until
from widl.common.errors import InputError
from widl.decoder import format_weights
from widl.decoder.features import REORDERING_FEATURES
from widl.experiments.config import read_config
from widl.experiments.results import read_results
from widl.experiments.translation import run_translation_experiment
from widl.experiments.translation_config import TranslationExperimentConfig
from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def text(tmp_path) -> Path:
    """Ten lines."""
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in LINES[:10]), encoding="utf-8")
    return tmp_path / "text"


def timeless(found):
    return [replace(item, seconds=0.0) for item in found]


# --- messages sent to workers ---


@pytest.mark.slow
def test_a_pickled_translator_is_paths_and_weights(translator, trained, monkeypatch, tmp_path) -> None:
    weights = translator.weights | {"lm0": 0.25, "distortion": 0.1}
    pickled = pickle.dumps(translator.reweighted(weights))
    assert len(pickled) < 2000
    opened: list[Path] = []
    init = Translator.__init__

    def counted(self, directory, **options):
        opened.append(directory)
        init(self, directory, **options)

    monkeypatch.setattr(Translator, "__init__", counted)
    monkeypatch.chdir(tmp_path)
    again, other = pickle.loads(pickled), pickle.loads(pickle.dumps(translator))
    assert opened in ([], [trained])  # it may be open for a test before this one
    assert again.weights == weights
    assert other.weights == translator.weights
    assert timeless(again.translate(LINES[:5])) == timeless(translator.reweighted(weights).translate(LINES[:5]))
    assert timeless(other.translate(LINES[:5])) == timeless(translator.translate(LINES[:5]))
    # Copies are of this process.
    assert translator.reweighted(translator.weights).tables is translator.tables


@pytest.mark.slow
def test_everything_a_translator_is_made_of_is_sent(trained) -> None:
    names = "p_fe", "p_ef", "lex_fe", "lex_ef", "lm0", "lm1", "word_count", "phrase_count"
    weights = dict.fromkeys(names, 0.1) | {"unknown": -50.0}
    model = trained / "lm0.binary"
    item = Translator(trained, weights=weights, distortion="folded", language_models=[model])
    other = pickle.loads(pickle.dumps(item))
    by_default = {"name": 2.0, "pinyin": -3.0, "rule": 1.0, "split": -0.3}
    by_default |= dict.fromkeys(REORDERING_FEATURES, 0.1) | {"crossing": -1.0}
    assert (other.weights, other.features) == (weights | by_default, item.features)
    assert timeless(other.translate(LINES[:5])) == timeless(item.translate(LINES[:5]))
    ways = [Translator(trained, distortion=way) for way in ("own", "folded")]
    assert [pickle.loads(pickle.dumps(way)).features for way in ways] == [way.features for way in ways]
    with pytest.raises(InputError, match="weights: unknown feature 'lm1'"):
        Translator(trained, weights=weights, distortion="folded")


def test_paths_do_not_depend_on_the_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    sent = pickle.loads(pickle.dumps(TranslationOptions(glossary=Path("terms"), pop_limit=3)))
    assert sent == TranslationOptions(glossary=tmp_path / "terms", pop_limit=3)
    assert pickle.loads(pickle.dumps(TranslationOptions())) == TranslationOptions()


def test_a_glossary_is_read_again_when_it_changes(translator, tmp_path) -> None:
    terms = tmp_path / "terms"
    options = TranslationOptions(glossary=terms)
    terms.write_text("总统\tthe Boss\n", encoding="utf-8")
    assert [t.text for t in translator.translate(["总统"], options)] == ["The Boss"]
    reader = translator.reader(options)
    assert translator.reader(options) is reader
    assert translator.reweighted(translator.weights).reader(options) is reader
    assert translator.reader(replace(options, entities="none")) is not reader
    terms.write_text("总统\tthe Chairman\n", encoding="utf-8")
    assert [t.text for t in translator.translate(["总统"], options)] == ["The Chairman"]
    terms.unlink()
    with pytest.raises(FileNotFoundError, match="terms: no such file"):
        translator.reader(options)


# --- on the cluster ---


def outputs(run, folder: Path, *arguments) -> dict[str, str]:
    """All files written by a command."""
    folder.mkdir()
    names = ("--output", "--nbest-file", "--alignment", "--lattice")
    code, out, err = run("translate", *arguments, *(part for name in names for part in (name, folder / name[2:])))
    assert (code, out, err) == (0, "", "")
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


@pytest.mark.slow
def test_the_same_files(run, trained, cluster, text, tmp_path) -> None:
    (tmp_path / "terms").write_text("总统\tthe Boss\n", encoding="utf-8")
    (tmp_path / "scheduler.json").write_text(json.dumps({"address": cluster.address}))
    common = trained, text, text, "--nbest", 20, "--glossary", tmp_path / "terms"
    here = outputs(run, tmp_path / "here", *common, "--threads", 2)
    assert outputs(run, tmp_path / "there", *common, "--cluster", cluster.address) == here
    assert outputs(run, tmp_path / "file", *common, "--cluster", tmp_path / "scheduler.json") == here
    assert len(here) == 4
    assert here["output"].count("\n") == 20


@pytest.mark.slow
def test_failures_are_at_their_lines(run, trained, cluster, text) -> None:
    text.write_text("总统\n<x>总统\n\n总统\n" * 3, encoding="utf-8")
    common = "translate", trained, text, text, "--markup", "exclusive"
    here, there = run(*common), run(*common, "--cluster", cluster.address)
    assert there == here
    assert here[0] == 1
    assert f"{text}:10: " in here[2]


@pytest.mark.slow
def test_the_same_weights(run, trained, cluster, tmp_path) -> None:
    write_sample(tmp_path, 10, "dev.zh", "dev.en")
    text = "--source", tmp_path / "dev.zh", "--reference", tmp_path / "dev.en", "--algorithm", "lattice-mert"
    fast = "--max-iterations", 2
    bad = Translator(trained).weights | {"p_ef": -1.0, "p_fe": -1.0}  # so that others are better
    (tmp_path / "start.toml").write_text(format_weights(bad), encoding="utf-8")
    fast += "--weights", tmp_path / "start.toml"
    result = []
    for name, where in (("here", ()), ("there", ("--cluster", cluster.address))):
        job = "--job", tmp_path / name, "-o", tmp_path / f"{name}.toml", "--json", "--quiet"
        code, out, err = run("tune", "translation", trained, *text, *fast, *job, *where)
        assert (code, err) == (0, "")
        files = {path.name: path.read_bytes() for path in sorted((tmp_path / name).rglob("nbest.gz"))}
        result.append((out, files, (tmp_path / f"{name}.toml").read_text()))
    assert result[0] == result[1]


CONFIG = """
model = "{model}"
resamples = 20
metrics = ["bleu"]

[[test]]
name = "test"
source = "test.zh"
references = ["test.en"]

[[system]]
name = "widl"
weights = "{model}/weights.toml"
pop_limit = 50

[[system]]
name = "stack"
weights = "{model}/weights.toml"
decoder = "stack"
stack_size = 5
"""


@pytest.mark.slow
def test_the_same_experiment(run, trained, cluster, tmp_path) -> None:
    write_sample(tmp_path, 8, "test.zh", "test.en")
    config = tmp_path / "config.toml"
    config.write_text(CONFIG.format(model=trained), encoding="utf-8")
    here = run_translation_experiment(read_config(config, TranslationExperimentConfig), tmp_path / "here")
    common = "experiment", "translation", config, "--output", tmp_path / "there", "--quiet", "--cluster"
    code, _, err = run(*common, cluster.address)
    assert (code, err) == (0, "")
    there = read_results(tmp_path / "there")
    for section in ("Systems", "Scores and intervals", "Significance"):
        item, other = ([table for table in result.tables if table.section == section] for result in (here, there))
        assert item == other
    for item, other in zip(here.sets, there.sets, strict=True):
        for system, runs in item.systems.items():
            assert [run.outputs for run in runs] == [run.outputs for run in other.systems[system]]
            assert [run.statistics for run in runs] == [run.statistics for run in other.systems[system]]
    assert len(here.sets[0].systems["stack"][0].outputs) == 8


# --- failures ---


@pytest.mark.slow
def test_a_worker_without_the_model(model, cluster) -> None:
    translator = Translator(model)
    worker = "^worker tcp://[0-9.:]+"
    manifest = model / "manifest.json"
    model.rename(model.with_name("moved"))
    with pytest.raises(InputError, match=f"{worker}: {manifest}: no such file; it must have the same"):
        list(translator.translate(LINES, engine=cluster))
    # A damaged model is a worker's error too.
    model.with_name("moved").rename(model)
    translator = Translator(model)
    (model / "lm0.binary").unlink()
    with pytest.raises(InputError, match=f"{worker}: {model}/lm0.binary: no such file; it must have the same path"):
        list(translator.translate(LINES, engine=cluster))


@pytest.mark.slow
def test_nothing_is_written_by_halves(run, trained, cluster, text, tmp_path) -> None:
    (tmp_path / "terms").write_text("no term\n")
    output = tmp_path / "output"
    code, out, err = run(
        "translate", trained, text, "--cluster", cluster.address, "--glossary", tmp_path / "terms", "--output", output
    )
    assert (code, out) == (2, "")
    assert err.startswith("error: worker tcp://")
    assert f"{tmp_path}/terms:1: expected" in err
    assert err.count("\n") == 1
    assert not output.exists()


@pytest.mark.slow
def test_ctrl_c(trained, tmp_path) -> None:
    """Interrupted while waiting for input with tasks running: no process remains, and no message."""
    command = [sys.executable, "-c", "from widl.cli import main; main()", "translate", str(trained)]
    command += ["--cluster", "2", "--output", str(tmp_path / "output")]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with running(command, **pipes, start_new_session=True) as process:
        assert process.stdin is not None
        process.stdin.write("".join(f"{line}\n" for line in LINES * 2).encode())
        process.stdin.flush()
        # Output begins once the cluster is available.
        wait_until(lambda: list(tmp_path.iterdir()) or process.poll() is not None, "a cluster")
        assert process.poll() is None
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= 2
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode in (1, 130)
    assert (out, err.decode().replace("Aborted!", "").strip()) == (b"", "")
    assert not psutil.wait_procs(children, timeout=20)[1]
    assert list(tmp_path.iterdir()) == []
