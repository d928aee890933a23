"""Input that commands refuse before any work, with a one-line message that gives the remedy."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import refused
from widl import __version__
from widl.decoder import convert_language_model, estimate_language_model
from widl.pipeline.demo import sample_corpus

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: two texts, language models, and a directory that looks like a model."""
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
    "lm score text.en a.arpa": "text.en: not a language model, but a.arpa is; give the model first, then the text",
    "translate model text.zh -o text.zh": "text.zh: is an input and would be overwritten; name another",
    "translate model text.zh --expression-models x": "--expression-models needs --expression",
    "headline generate model text.en --expression-models x": "--expression-models needs --expression",
    "phrase-table export table.gz table.gz": "table.gz: is an input and would be overwritten; name another",
    "phrase-table import table.gz table.gz": "table.gz: is an input and would be overwritten",
    "phrase-table import table.gz model/x.binary": "model/x.binary: would be a file of the model model; name a table",
    "lm convert a.arpa b.arpa": "b.arpa: would be a KenLM binary; name it .binary, .bin or .klm",
    "lm convert a.binary b.binary": "a.binary: already a binary",
    "order --lm a.arpa --lm a.arpa --baseline G x": "--baseline takes one language model, found 2",
    "train --bitext text --tokenized --forward x.align new": "--forward without --reverse; alignments of both directi",
    "train --bitext text --lm-text text.zh new": "text.zh: is in Chinese; lm-text is more text of",
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
