"""The commands as run by a user: exit codes, one-line errors, no partial outputs."""

import gzip
import json
import logging
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import refused, widl, widl_text
from tests.pipeline.stopping import stopping
from widl import cli
from widl.cli import warnings_on_stderr
from widl.pipeline.training_files import TrainingFiles

pytestmark = pytest.mark.slow

WIDL = [sys.executable, "-c", "from widl.cli import main; main()"]


def test_translate_streams(trained) -> None:
    result = widl("translate", trained, stdin="总统访问法国。\n\n政府批准了计划。\n".encode())
    assert result.returncode == 0
    assert result.stderr == b""
    lines = result.stdout.decode().split("\n")
    assert len(lines) == 4
    assert lines[1] == lines[3] == ""
    assert "president" in lines[0]


def test_translate_with_everything_on_the_side(trained, tmp_path) -> None:
    lines = "总统访问法国。\n\n政府批准了计划。\n".encode()
    nbest, alignment = tmp_path / "nbest.gz", tmp_path / "alignment.txt"
    asked = ("--nbest", "5", "--nbest-file", nbest, "--alignment", alignment)
    result = widl("translate", trained, "--decoder", "stack", *asked, stdin=lines)
    assert result.returncode == 0, result.stderr
    texts = result.stdout.decode().split("\n")[:-1]
    rows = [line.split(" ||| ") for line in gzip.decompress(nbest.read_bytes()).decode().splitlines()]
    assert [row[0] for row in rows] == ["0"] * 5 + ["1"] + ["2"] * 5
    assert [next(row[1] for row in rows if row[0] == str(i)) for i in range(3)] == texts
    links = alignment.read_text().split("\n")
    assert len(links) == 4
    assert links[1] == ""
    assert all("-" in link for link in links[0].split())
    assert links[0]
    traced = widl("translate", trained, "--decoder", "stack", "--trace", stdin=lines).stdout.decode().split("\n")
    assert "|" in traced[0]
    assert traced[1] == ""
    shown = widl("translate", trained, "--nbest", "2", stdin=lines).stdout.decode().splitlines()
    assert [line.split(" ||| ")[0] for line in shown] == ["0", "0", "1", "2", "2"]


def test_translate_into_lattices(trained, tmp_path) -> None:
    lines = "总统访问法国。\n\n政府批准了计划。\n".encode()
    actual = tmp_path / "lattices.jsonl.gz"
    result = widl("translate", trained, "--lattice", actual, "--json", stdin=lines)
    assert result.returncode == 0, result.stderr
    translations = [json.loads(line) for line in result.stdout.splitlines()]
    lattices = [json.loads(line) for line in gzip.decompress(actual.read_bytes()).decode().splitlines()]
    assert [lattice["line"] for lattice in lattices] == [0, 1, 2]
    for lattice, translation in zip(lattices, translations, strict=True):
        assert lattice["source"] == translation["source"]
        assert lattice["feature_names"] == list(translation["features"])
        best = {0: (0.0, [])}  # maps each node to the score and features of its best path
        for arc in lattice["arcs"]:
            score, features = best[arc["from"]]
            reached = score + arc["score"], [*features, arc["features"]]
            best[arc["to"]] = max(best.get(arc["to"], reached), reached, key=lambda path: path[0])
        score, features = best[lattice["nodes"] - 1]
        assert score == pytest.approx(translation["score"], abs=1e-5)
        sums = [sum(column) for column in zip(*features, strict=True)]
        assert sums == pytest.approx(list(translation["features"].values()), abs=1e-5)


def test_translate_as_json(trained, tmp_path) -> None:
    out = tmp_path / "out.jsonl"
    line = "总统访问法国。\n".encode()
    result = widl("translate", trained, "--json", "--search", "astar", "--output", out, stdin=line)
    assert result.returncode == 0
    actual = json.loads(out.read_text(encoding="utf-8"))
    assert {"text", "score", "bound", "optimal", "features", "states", "edges", "seconds"} <= set(actual)
    assert actual["optimal"]
    assert actual["source"] == ["总统", "访问", "法国", "。"]


def test_a_new_model_is_named_in_front_of_the_options_or_behind_them(run, monkeypatch) -> None:
    result: list[tuple[object, ...]] = []
    monkeypatch.setattr("widl.cli.train.run", lambda *arguments, **_: result.append(arguments[:2]))
    for line in ("--bitext a --bitext b new", "new --bitext a --bitext b"):
        run("train", "--quiet", *line.split())
    assert result == [(TrainingFiles(bitext=["a", "b"]), Path("new"))] * 2


def test_training_goes_on_after_a_signal(pair, tmp_path) -> None:
    """Stopped in the middle, it leaves no directory that translate accepts; the same command finishes the work."""
    model = tmp_path / "model"
    arguments = ["train", "--bitext", str(pair), "--threads", "1", str(model)]
    stopped = subprocess.run([*stopping("align: done", signal.SIGTERM), *arguments], capture_output=True, timeout=100)
    assert stopped.returncode == 128 + signal.SIGTERM
    assert b"Traceback" not in stopped.stderr
    assert stopped.stderr.decode().splitlines().count("interrupted; run the same command again to resume") == 1
    assert list(json.loads((tmp_path / "model.work" / "job.json").read_text())["steps"]) == ["bitext"]
    assert "no such directory" in refused(widl("translate", model))
    again = widl(*arguments)
    assert again.returncode == 0
    assert b"bitext" not in again.stderr.splitlines()[-1]  # that stage was not repeated
    assert not (tmp_path / "model.work").exists()
    assert widl("translate", model, stdin="总统\n".encode()).returncode == 0


def test_training_refuses_what_is_in_the_way(pair, tmp_path) -> None:
    (tmp_path / "file").write_text("x")
    assert "is a file" in refused(widl("train", "--bitext", pair, tmp_path / "file"))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "precious").write_text("x")
    assert "exists and is no model" in refused(widl("train", "--bitext", pair, tmp_path / "full"))
    assert "no such directory" in refused(widl("train", "--bitext", pair, tmp_path / "no" / "model"))
    assert "no such file" in refused(widl("train", "--bitext", tmp_path / "none", tmp_path / "model"))
    missing = widl("train", "--bitext", pair, "--lm-text", tmp_path / "none.txt", tmp_path / "model")
    assert refused(missing).startswith(f"{tmp_path / 'none.txt'}: no such file")
    assert "casing: expected one of 'truecase' or 'lower'" in refused(
        widl("train", "--bitext", pair, "--casing", "upper", tmp_path / "model")
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "full", "text.en", "text.zh"]


def test_unwritable_output(trained, tmp_path) -> None:
    result = widl("translate", trained, "--output", tmp_path / "no" / "out.txt", stdin="总统\n".encode())
    assert refused(result) == (
        f"{tmp_path / 'no' / 'out.txt'}: can't be written (No such file or directory); "
        f"make the directory {tmp_path / 'no'} first"
    )
    text = tmp_path / "text"
    text.write_text("总统\n" * 3, encoding="utf-8")
    assert "exists and is not a file" in refused(widl("translate", trained, text, "--output", tmp_path))


def test_invalid_input_leaves_no_output(trained, tmp_path) -> None:
    out = tmp_path / "out.txt"
    result = widl("translate", trained, "--output", out, stdin="总统\n".encode() * 3 + b"\xe6\x80\n")
    assert refused(result).startswith("<stdin>:4: invalid UTF-8")
    assert list(tmp_path.iterdir()) == []


def test_damaged_manifest(model) -> None:
    path = model / "manifest.json"
    good = json.loads(path.read_text())
    path.write_text(json.dumps(good | {"version": 99, "new": 1}))
    assert "made by another version of widl (format 99)" in refused(widl("translate", model))
    path.write_text(json.dumps(good | {"alignment": "elsewhere.gz"}))
    assert f"{model / 'elsewhere.gz'}: missing" in refused(widl("translate", model))
    path.write_text(json.dumps(good | {"language_models": "lm0"}))
    assert "language_models" in refused(widl("translate", model))
    for content, message in ((b"\xff\xff", "not UTF-8"), (json.dumps(good)[:-9].encode(), f"{path}: ")):
        path.write_bytes(content)
        assert message in refused(widl("translate", model))


FINE = {
    "p_fe": "1", "p_ef": "1", "lex_fe": "1", "lex_ef": "1", "lm0": "1",
    "word_count": "1", "phrase_count": "1", "distortion": "1", "unknown": "-100",
}  # fmt: skip


def toml(**changed: str) -> str:
    return "".join(f"{name} = {value}\n" for name, value in (FINE | changed).items())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (toml(distorsion="1"), "did you mean 'distortion'?"),
        (toml(lm0="-1"), "lm0 is negative"),
        (toml(p_fe="'much'"), "finite number"),
    ],
)
def test_bad_weights(trained, tmp_path, text, message) -> None:
    path = tmp_path / "weights.toml"
    path.write_text(text)
    line = refused(widl("translate", trained, "--weights", path))
    assert re.match(rf"{re.escape(str(path))}:[0-9]+: ", line)
    assert message in line


def test_full_disk_leaves_nothing(pair, tmp_path) -> None:
    """File size is limited to 64 KiB: training fails and leaves no file that looks like a model."""
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)); {WIDL[2]}"
    result = subprocess.run(
        [sys.executable, "-c", limited, "train", "--bitext", str(pair), "--threads", "1", str(tmp_path / "model")],
        capture_output=True,
        timeout=120,
        check=False,
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
    )
    assert result.returncode == 2
    assert b"Traceback" not in result.stderr
    assert not (tmp_path / "model").exists()


def test_help_reads_without_loading_the_world() -> None:
    code = "import sys; from widl.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "print({'rjieba', 'sacremoses', 'sacrebleu'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, check=True, timeout=60)
    assert b"translate" in result.stdout
    assert result.stdout.endswith(b"set()\n")


def test_output_is_utf8_whatever_the_locale(tmp_path) -> None:
    (tmp_path / "e.widl").write_text("×(你好 世界)\n", encoding="utf-8")
    legacy = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    result = subprocess.run(
        [sys.executable, "-m", "widl", "enumerate", tmp_path / "e.widl"],
        env=os.environ | legacy, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert result.stdout.decode("utf-8") == "1\t你好 世界\n"


def test_a_summary_of_what_the_model_lacks(trained, tmp_path) -> None:
    text, other = tmp_path / "text.zh", tmp_path / "text.en"
    text.write_text("总统访问法国。\n" * 9 + "魑魅访问法国。\n", encoding="utf-8")
    other.write_text("The president visited France.\n" * 10, encoding="utf-8")
    result = widl("translate", trained, text, "-o", tmp_path / "out")
    hints = "'widl train --dictionary' adds a dictionary, --unknown mark shows them"
    assert result.stderr.decode() == f"1 of 10 lines have unknown words; {hints}\n"
    assert widl("translate", trained, text, "-o", tmp_path / "out", "--quiet").stderr == b""
    text.write_text("總統訪問法國。\n总统访问法国。\n", encoding="utf-8")
    messages = widl("translate", trained, text, "-o", tmp_path / "out").stderr.decode()
    assert messages == "1 line in traditional characters, read as simplified ones\n"
    messages = widl("translate", trained, other, "-o", tmp_path / "out").stderr.decode()
    assert messages.startswith("10 of 10 lines: no Chinese characters, but the model translates from Chinese")


def test_a_model_with_a_smaller_table(trained, tmp_path) -> None:
    small = tmp_path / "small"
    result = widl("phrase-table", "prune", trained, small, "--limit", "1", "--quiet")
    assert result.returncode == 0, result.stderr
    assert (small / "phrase-table.binary").stat().st_size < (trained / "phrase-table.binary").stat().st_size
    assert widl("check", small).returncode == 0
    assert {path.name for path in small.iterdir()} == set(
        json.loads((trained / "manifest.json").read_text(encoding="utf-8"))["files"]
    ) | {"manifest.json"}
    assert widl("translate", small, stdin="总统访问法国。\n".encode()).stdout
    shown = widl("phrase-table", "query", small, "总统").stdout.decode().splitlines()
    assert len(shown) == 3
    assert f"{small}: exists; name a new" in refused(widl("phrase-table", "prune", trained, small))
    assert [path.name for path in tmp_path.iterdir()] == ["small"]


def test_a_full_disk_is_said_in_a_line(tmp_path) -> None:
    text = tmp_path / "text"
    text.write_text("明天有雨。\n" * 10_000, encoding="utf-8")
    message = "the output can't be written (No space left on device); make room, or write it elsewhere"
    assert refused(widl("tokenize", text, "--source-language", "none", "-o", "/dev/full")) == message
    with open("/dev/full", "wb") as full:
        command = [*WIDL, "tokenize", str(text), "--source-language", "none"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=120, check=False)
    assert (done.returncode, done.stderr.decode()) == (2, f"error: {message}\n")


def test_the_standard_output_may_be_named() -> None:
    command = [*WIDL, "tokenize", "--source-language", "none", "-o", "/dev/stdout"]
    result = subprocess.run(command, input=b"a b\n", capture_output=True, timeout=120, check=False)
    assert (result.returncode, result.stdout) == (0, b"a b\n")


def test_a_damaged_gzip_file_is_named(trained, tmp_path) -> None:
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress("总统访问法国。\n".encode() * 9)[:-9])
    align = ["align", trained, "--source", path, "--target", path]
    for command in (["translate", trained, path], ["tokenize", path], align):
        assert refused(widl(*command)).startswith(f"{path}: not a complete compressed file (")


@pytest.mark.parametrize(
    ("content", "way"),
    [
        (
            gzip.compress(b"a", mtime=0),
            "it is compressed by gzip: give it a name that ends in .gz, or decompress it (gzip -dc)",
        ),
        ("总统".encode("utf-16"), "it is UTF-16: convert it with iconv -f UTF-16 -t UTF-8"),
    ],
)
def test_what_is_no_utf8_is_named_with_the_way(content, way) -> None:
    assert refused(widl("tokenize", stdin=content)).endswith(f"of the line); {way}")


def test_a_result_is_no_file_of_a_model(trained, tmp_path) -> None:
    for option in ("--output", "--nbest-file", "--alignment"):
        message = refused(widl("translate", trained, "--nbest", "2", option, trained / "result", stdin=b""))
        assert message.endswith(f"result: would be a file of the model {trained}; name another file for {option}")
    (tmp_path / "link").symlink_to(trained / "weights.toml")
    message = refused(widl("translate", trained, "--output", tmp_path / "link", stdin=b""))
    assert message == f"{tmp_path / 'link'}: would be a file of the model {trained}; name another file for --output"


def test_usage_errors_name_their_command() -> None:
    assert refused(widl("translate", "--nbest")) == "--nbest needs a value; see 'widl translate --help'"
    line = refused(widl("tune", "nbest", "a", "--reference", "b", "-o", "c", "--metric", "-ratio_m:overlap"))
    assert line.startswith("--metric needs a value; if smaller ones are better, it is --metric=-module:function, with")
    assert refused(widl("translate")) == "MODEL is missing; see 'widl translate --help'"
    assert refused(widl("presets", "a")) == "unexpected argument 'a'; see 'widl presets --help'"
    assert refused(widl("tran")) == 'unknown command "tran"; did you mean "train"? See \'widl --help\''
    assert refused(widl("lm", "estimate", "--order")).endswith("; see 'widl lm estimate --help'")
    assert refused(widl("--nonsense")).endswith("; see 'widl --help'")


def test_text_of_another_language_is_said_to_be(run, trained) -> None:
    code, _, err = run("translate", trained, stdin="The president was in Beijing.\nHe said nothing.\n")
    assert code == 0
    assert err == (
        "2 of 2 lines: no Chinese characters, but the model translates from Chinese; is this the text's other side?\n"
    )
    record = json.loads(run("translate", trained, "--json", stdin="Le président est à Paris.\n")[1])
    assert record["message"] == "no Chinese characters, but the model translates from Chinese"
    for line in ("总统在北京。", "100 %", "Microsoft", ""):
        assert "message" not in json.loads(run("translate", trained, "--json", stdin=f"{line}\n")[1])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "train own model",
            "unexpected argument 'model'; its one argument is the new model, and --bitext NAME the text",
        ),
        ("train --bitext own.zh own.en m", "unexpected argument 'm'; its one argument is the new model, and --bitext"),
        ("train --bitext own m --lang zh", "option --lang; did you mean --source-language or --target-language? See"),
        ("train --bitext own m --lang=zh", "option --lang; did you mean --source-language or --target-language? See"),
        ("train --corpus own m", "unknown option --corpus; see 'widl train --help'"),
        ("train --bitxt own m", "unknown option --bitxt; did you mean --bitext? See"),
        ("translate m --input x", "unknown option --input; see 'widl translate --help'"),
        ("translate m --segmentations one", "--segmentations is an option of Python, not of the command line; see"),
        ("translate m --segmentation one", "unknown option --segmentation; see"),
        ("translate m --distortion 6", "unknown option --distortion; did you mean --distortion-limit? See"),
    ],
)
def test_first_commands_of_users_of_other_toolkits(words: str, expected: str) -> None:
    """No suggestion where names share nothing."""
    assert expected in refused(widl(*words.split()))


def test_a_warning_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):  # once in each command
        with warnings_on_stderr():
            for text in ("first", "second", "first"):
                logging.getLogger("widl.somewhere").warning("%s\nline", text)
        assert capsys.readouterr().err == "warning: first line\nwarning: second line\n"


@pytest.mark.parametrize("command", ["enumerate", "combine", "tokenize", "order", "realize"])
def test_text_in_place_of_a_file_gets_a_hint(command: str, tmp_path: Path) -> None:
    model = tmp_path / "m.arpa"
    widl_text("lm", "estimate", "-o", model, text="a b\n")
    more = ("--lm", model) if command in ("order", "realize") else ()
    for text in ("a b", "∥(a,b)"):
        line = refused(widl(command, text, *more))
        assert line == f"{text}: no such file; pipe text itself: echo {shlex.quote(text)} | widl {command} …"
    assert "pipe" not in refused(widl(command, "missing.txt", *more))


@pytest.mark.parametrize(("interrupted", "code"), [(True, 130), (False, 2)])
def test_an_error_while_ctrl_c_ends_a_command_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], interrupted: bool, code: int
) -> None:
    def run(_: list[str]) -> int:
        try:
            if interrupted:
                raise KeyboardInterrupt
        finally:
            raise TimeoutError("the cluster did not close")

    monkeypatch.setattr(cli, "run", run)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == code
    assert capsys.readouterr().err == ("" if interrupted else "error: the cluster did not close\n")
