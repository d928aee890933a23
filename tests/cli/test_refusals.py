"""What a command refuses before any work, in one line that says what to do instead."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import refused
from widl import __version__
from widl.cli import COMMANDS
from widl.decoder import convert_language_model, estimate_language_model
from widl.pipeline.demo import sample_corpus

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: two texts, language models, and what looks like a model directory."""
    monkeypatch.chdir(tmp_path)
    for side in ("zh", "en"):
        lines = (sample_corpus() / f"train.{side}").read_text(encoding="utf-8").splitlines(keepends=True)[:40]
        Path(f"text.{side}").write_text("".join(lines), encoding="utf-8")
        Path("swapped.en" if side == "zh" else "swapped.zh").write_text("".join(lines), encoding="utf-8")
    estimate_language_model(["text.en"], "a.arpa")
    convert_language_model("a.arpa", "a.binary")
    Path("model").mkdir()
    Path("model/manifest.json").write_text("{}", encoding="utf-8")
    Path("table.gz").touch()
    Path("x.align").touch()
    return tmp_path


REFUSED = {
    "translate text.zh model": "text.zh: a file, where a model directory was expected; exchange it with model",
    "lm score text.en a.arpa": "text.en: no language model, but a.arpa is one; the model comes first, then the text",
    "demo --files . --threads 2": "--threads has no effect here; it is for the demonstration, without --files",
    "explore --save x.html --port 8000": "--port has no effect here; it is for the page that is served, without --save",
    "translate model --expression-weights w": "--expression-weights has no effect here; it is for --expression",
    "headline generate model --expression-models d x": "--expression-models has no effect here; it is for --expression",
    "translate model text.zh -o text.zh": "text.zh: is read and would be written; name another file for --output",
    "phrase-table export table.gz table.gz": "table.gz: is read and would be written; name another file for the text",
    "phrase-table import table.gz table.gz": "table.gz: is read and would be written",
    "phrase-table import table.gz model/x.binary": "model/x.binary: would be a file of the model model; name a table",
    "lm convert a.arpa b.arpa": "b.arpa: would be a KenLM binary; name it .binary, .bin or .klm",
    "lm convert a.binary b.binary": "a.binary: already a binary",
    "translate model text.zh --k 3": "k has no effect here; it is for search astar-k",
    "translate model text.zh --glossary-mode inclusive": "glossary-mode has no effect here; it is for glossary",
    "translate model text.zh --search astar --stack-size 10": "stack-size has no effect here; it is for search",
    "order --lm a.arpa --lm a.arpa --baseline G x": "--baseline takes one language model, found 2",
    "tune nbest x --reference text.en -o t --metric ter --smooth floor": "smooth has no effect here; it is for bleu",
    "enumerate --component 2 e.widl": "--component has no effect here; it is for the weights of an acceptor",
    "train --phrase-table x --further-tables back-off new": "--further-tables has no effect here; it is for several",
    "train --bitext text --tokenized --forward x.align new": "--forward without --reverse; alignments of both directi",
    "train --bitext text --lm-text text.zh new": "text.zh: is in Chinese; --lm-text is more text of",
    "translate --serch x": "no such option: --serch",
}


@pytest.mark.parametrize("line", REFUSED)
def test_refused_in_one_line(line: str, folder: Path, run: Run) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert refused(run(*shlex.split(line))).startswith(REFUSED[line])
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_exchanged_sides_of_a_bitext(folder: Path, run: Run) -> None:
    line = refused(run("train", "--bitext", "swapped", "new", "--quiet", "--threads", 1))
    assert line.endswith("; are the files of the two languages exchanged?")
    assert not (folder / "new").exists()


def test_version_and_short_help(run: Run) -> None:
    for line in ("version", "--version"):
        assert run(line) == (0, f"widl {__version__}\n", "")
    for words in ([], ["lm", "score"]):
        short = run(*words, "-h")
        assert run(*words, "--help") == short
        assert short[0] == 0
        assert short[1].startswith(" ".join(["Usage: widl", *words]))


def test_completion_names_the_commands(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_WIDL_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "widl t")
    monkeypatch.setenv("COMP_CWORD", "1")
    code, out, _ = run()
    assert (code, set(out.split())) == (0, {name for name in COMMANDS if name.startswith("t")})


def test_keys_of_a_configuration_may_have_dashes(folder: Path, run: Run) -> None:
    (folder / "c.toml").write_text("max-words = 1\nnbest = 2\n", encoding="utf-8")
    (folder / "e.widl").write_text("∨(the, a, a a)\n", encoding="utf-8")
    code, out, _ = run("realize", "--lm", "a.arpa", "--config", "c.toml", "e.widl")
    assert (code, {line.split("\t")[1] for line in out.splitlines()}) == (0, {"the", "a"})
