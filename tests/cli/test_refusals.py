"""What a command refuses before any work, in one line that says what to do instead."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from widl import __version__
from widl.cli import COMMANDS, main
from widl.decoder import LanguageModel, convert_language_model, estimate_language_model
from widl.pipeline.demo import sample_corpus


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


def run(line: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["widl", *shlex.split(line)])
    try:
        main()
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 0
    return 0


REFUSED = {
    # what stands in the wrong place
    "translate text.zh model": "text.zh: a file, where a model directory was expected; exchange it with model",
    "headline generate text.en": (
        "text.en: a file, where a model directory was expected; the model comes first, then the text"
    ),
    "lm score text.en a.arpa": "text.en: no language model, but a.arpa is one; the model comes first, then the text",
    # options without effect
    "demo --files . --threads 2": "--threads has no effect here; it is for the demonstration, without --files",
    "demo --files . --directory x": "--directory has no effect here; it is for the demonstration, without --files",
    "explore --save x.html --port 8000": "--port has no effect here; it is for the page that is served, without --save",
    "explore --save x.html --no-browser": "--browser has no effect here; it is for the page that is served",
    "translate model --expression-weights w": "--expression-weights has no effect here; it is for --expression",
    "translate model --tiling nested": "--tiling has no effect here; it is for --expression",
    "headline generate model --expression-models d x": "--expression-models has no effect here; it is for --expression",
    # outputs
    "translate model text.zh -o text.zh": "text.zh: is read and would be written; name another file for --output",
    "translate model text.zh -o a --alignment ./a": "a: is named by --output and by --alignment; give each a file of",
    "align model --source text.zh --target text.en -o text.en": "text.en: is read and would be written",
    "tokenize text.zh -o text.zh": "text.zh: is read and would be written",
    "headline generate model text.en -o text.en": "text.en: is read and would be written",
    "phrase-table export table.gz table.gz": "table.gz: is read and would be written; name another file for the text",
    "phrase-table import table.gz table.gz": "table.gz: is read and would be written",
    "phrase-table import table.gz model/x.binary": "model/x.binary: would be a file of the model model; name a table",
    "phrase-table prune table.gz model/x.binary": (
        "model/x.binary: would be a file of the model model; make a model with a smaller table: "
        "widl phrase-table prune model -o MODEL"
    ),
    "lm estimate text.en -o model/lm0.binary": "model/lm0.binary: would be a file of the model model; write it elsewh",
    "lm convert a.arpa b.arpa": "b.arpa: would be a KenLM binary; name it .binary, .bin or .klm",
    "lm convert a.binary b.binary": "a.binary: already a binary",
    # options without effect
    "translate model text.zh --k 3": "k has no effect here; it is for search astar-k",
    "translate model text.zh --decoder stack --pop-limit 3": "pop-limit has no effect here; it is for search cube",
    "translate model text.zh --markup-mode inclusive": "--markup-mode has no effect here; it is for --markup",
    "translate model text.zh --glossary-mode inclusive": "glossary-mode has no effect here; it is for glossary",
    "translate model text.zh --lattice-arcs 3": "lattice-arcs has no effect here; it is for lattice",
    "translate model text.zh --nbest-phrases": "--nbest-phrases has no effect here; it is for n-best lists",
    "translate model text.zh --search astar --stack-size 10": "stack-size has no effect here; it is for search",
    "translate model text.zh --nbest-file x": "--nbest-file needs --nbest N",
    "realize --lm a.arpa --picture tree x": "--picture has no effect here; it is for --draw",
    "realize --lm a.arpa --beam 0.1 x": "beam has no effect here; it is for search beam or stack",
    "order --lm a.arpa --baseline G --nbest 3 x": "--nbest has no effect here; it is for searches, not for --baseline",
    "order --lm a.arpa --lm a.arpa --baseline G x": "--baseline takes one language model, found 2",
    "tune --nbest x --reference text.en -o t": "tune what? type 'widl tune nbest LISTS…'",
    "tune model --source text.zh --reference text.en": "tune what? type 'widl tune translation model …'",
    "tune nbest x --reference text.en -o t --metric ter --smooth floor": "smooth has no effect here; it is for bleu",
    "tune nbest x --reference text.en -o t --stem": "stem has no effect here; it is for rouge, not for bleu",
    "combine text.en text.zh --expression --nbest 3": "--nbest has no effect here; it is for results",
    "enumerate --count --limit 3 e.widl": "--limit has no effect here; it is for strings and acceptors",
    "enumerate --component 2 e.widl": "--component has no effect here; it is for the weights of an acceptor",
    "enumerate --cuts --shuffle-count paper e.widl": "--shuffle-count has no effect here; it is for weights",
    "enumerate --paper e.widl": "--paper has no effect here; it is for --cuts",
    "enumerate --dot --json e.widl": "--json has no effect here; it is for strings and arcs, not for --dot",
    "experiment sizes --table-limit 3": "--table-limit has no effect here; it is for --model, whose inputs",
    "train --phrase-table x --further-tables back-off new": "--further-tables has no effect here; it is for several",
    "train --bitext text --lm-text text.en": "name what to make once, at the end or with --output",
    "train --bitext text -o new new": "name what to make once, at the end or with --output",
    "train --phrase-table x --language-model a.arpa --max-length 9 new": "--max-length has no effect here; it is for",
    "headline generate model --draw x.svg --nbest 3 x": "--nbest has no effect here; it is for headlines, not for --e",
    "headline generate model --system lead --explain x": "explain has no effect here; it is for system widl",
    # long work
    "train --bitext text --tokenized --forward x.align new": "--forward without --reverse; alignments of both directi",
    "train --bitext text --lm-text nosuch.en new": "nosuch.en: no such file; --lm-text names files of English text",
    "train --bitext text --lm-text text.zh new": "text.zh: is in Chinese; --lm-text is more text of",
    "headline train text.en new --lm-text nosuch.en": "nosuch.en: no such file",
    # usage
    "tranlate": "no such command 'tranlate'. Did you mean 'translate'",
    "translate --serch x": "no such option: --serch",
    "translate": "missing argument 'MODEL_DIR'; see 'widl translate --help'",
}


@pytest.mark.parametrize("line", REFUSED)
def test_refused_in_one_line(
    line: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert run(line, monkeypatch) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"error: {REFUSED[line]}")
    assert err.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_exchanged_sides_of_a_bitext(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("train --bitext swapped new --quiet --threads 1", monkeypatch) == 2
    assert capfd.readouterr().err.endswith("; are the files of the two languages exchanged?\n")
    assert not (folder / "new").exists()


def test_version_and_short_help(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("--version", monkeypatch) == 0
    assert capfd.readouterr().out == f"widl {__version__}\n"
    for line in ("-h", "lm score -h"):
        assert run(line, monkeypatch) == 0
        short = capfd.readouterr().out
        assert run(line.replace("-h", "--help"), monkeypatch) == 0
        assert capfd.readouterr().out == short
        assert short.startswith(f"Usage: widl {line.removesuffix('-h').strip()}".rstrip())
    for line in ("help translate", "translate -h"):
        assert run(line, monkeypatch) == 0
        headings = [line for line in capfd.readouterr().out.splitlines() if line.endswith(":") and line[0] != " "]
        assert headings == ["Arguments:", "Options:", "44 more options, with --help-all:"]
    for line in ("version", "--version"):
        assert run(line, monkeypatch) == 0
        assert capfd.readouterr().out == f"widl {__version__}\n"
    assert run("translate --help-all", monkeypatch) == 0
    headings = [line for line in capfd.readouterr().out.splitlines() if line.endswith(":") and line[0] != " "]
    assert [re.sub(r" \(.*", ":", heading) for heading in headings] == [
        *("Arguments:", "Options:", "Search:", "Budgets:", "Candidates and lattices:"),
        *("Consensus:", "Terms, names and unknown words:", "Text:"),
    ]


def test_completion_names_the_commands(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_WIDL_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "widl t")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run("", monkeypatch) == 0
    assert set(capfd.readouterr().out.split()) == {name for name in COMMANDS if name.startswith("t")}


def test_keys_of_a_configuration_may_have_dashes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "c.toml").write_text("max-words = 1\nnbest = 2\n", encoding="utf-8")
    (folder / "e.widl").write_text("∨(the, a, a a)\n", encoding="utf-8")
    assert run("realize --lm a.arpa --config c.toml e.widl", monkeypatch) == 0
    assert {line.split("\t")[1] for line in capfd.readouterr().out.splitlines()} == {"the", "a"}


def test_several_language_models_and_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "e.widl").write_text("∨(the, a)\n", encoding="utf-8")
    assert run("realize --lm a.arpa --lm a.binary --json e.widl", monkeypatch) == 0
    out = capfd.readouterr().out
    assert '"lm1"' in out
    assert '"lm2"' not in out
    assert LanguageModel.load("a.binary").order == LanguageModel.load("a.arpa").order
