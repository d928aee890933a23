"""`widl combine`."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sacrebleu

from tests.command import refused
from widl.combination import Combiner
from widl.decoder import format_weights

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    texts = ("The cat sat on a mat.\n\n", "A cat sat on the mat.\n\n", "The cat sits on the mat.\n\n")
    result = [tmp_path / name for name in "abc"]
    for path, text in zip(result, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return result


def test_files_and_json_lines(run: Run, files: list[Path], tmp_path: Path) -> None:
    assert run("combine", *files) == (0, "The cat sat on the mat.\n\n", "")
    assert run("combine", *files, "-o", tmp_path / "out")[0] == 0
    assert (tmp_path / "out").read_text() == "The cat sat on the mat.\n\n"
    line = json.dumps({"outputs": [path.read_text().splitlines()[0] for path in files]})
    code, out, _ = run("combine", "-", "--json", stdin=f"{line}\n\n{line}\n")
    first, second = map(json.loads, out.splitlines())
    assert (code, first["text"], first["optimal"]) == (0, "The cat sat on the mat.", True)
    assert second["text"] == first["text"]
    assert {"votes1", "skeleton", "agreement1", "shared4", "words"} <= first["features"].keys()
    code, out, _ = run("combine", *files, "--expression")
    assert out.startswith("∨{")
    code, out, _ = run("combine", *files, "--nbest", 3)
    assert [line.partition("\t")[2] for line in out.splitlines()[:1]] == ["The cat sat on the mat."]


def test_a_wrong_line_of_json_is_told_and_the_others_follow(run: Run, tmp_path: Path) -> None:
    lines = ['{"outputs": ["a b", "a b"]}', '{"outputs": ["a b"]}', "{", '{"texts": []}', '{"outputs": ["x", "x"]}']
    (tmp_path / "in.jsonl").write_text("\n".join(lines) + "\n")
    code, out, err = run("combine", tmp_path / "in.jsonl")
    assert (code, out) == (1, "a b\n\n\n\nx\n")
    places = [line.removeprefix(f"error: {tmp_path}/").partition(": ")[0] for line in err.splitlines()]
    assert places == ["in.jsonl:2", "in.jsonl:3", "in.jsonl:4"]
    assert "1 output to combine; at least two are needed" in err
    assert refused(run("tune", "combination", tmp_path / "in.jsonl", "--reference", tmp_path / "in.jsonl", "-o", "w"))


def test_weights_are_read_from_a_file(run: Run, files: list[Path], tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text("votes2 = 30.0\nagreement1 = 0.0\nagreement2 = 0.0\nwords = 0.0\n")
    assert run("combine", *files, "--weights", tmp_path / "w.toml")[1].startswith("A cat sat on the mat.")
    (tmp_path / "w.toml").write_text("vote = 1\n")
    line = refused(run("combine", *files, "--weights", tmp_path / "w.toml"))
    assert "weights: unknown feature 'vote'; this model has votes1" in line


def test_a_term_that_is_nowhere(run: Run, files: list[Path]) -> None:
    code, out, err = run("combine", *files, "--must", "dog")
    assert (code, out) == (1, "\n\n")
    assert err == "".join(f"line {k}: no output has 'dog' of the term 'dog'\n" for k in (1, 2))
    assert run("combine", *files, "--must", "a mat")[0] == 1  # the second line has no words


def test_a_majority_denies_and_a_tie_is_told(run: Run, tmp_path: Path) -> None:
    lines = [
        ["No talks took place.", "Talks took place.", "Talks did not take place."],
        ["They can go.", "They cannot go."],
        ["They can go.", "They cannot go.", "They may go."],
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"outputs": line}) + "\n" for line in lines))
    code, out, err = run("combine", tmp_path / "in.jsonl")
    first, *others = out.splitlines()
    assert code == 0
    assert first in ("No talks took place.", "Talks did not take place.")
    assert others == ["They can go.", "They can go."]
    assert err == "line 2: 1 of 2 outputs deny; the result follows output 1\n"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a"], "a:1: not JSON"),
        (["a", "short"], "short: 1 lines, but {folder}/a has more; each file has an output for each line"),
    ],
)
def test_wrong_inputs(run: Run, files: list[Path], tmp_path: Path, names: list[str], message: str) -> None:
    (tmp_path / "short").write_text("A cat.\n")
    (tmp_path / "json").write_text('{"output": []}\n')
    code, _, err = run("combine", *(tmp_path / name for name in names))
    assert (code, len(err.splitlines())) == (2, 1)
    assert message.format(folder=tmp_path) in err


@pytest.mark.slow
def test_tuning_learns_whom_to_trust(run: Run, tmp_path: Path) -> None:
    """Three systems: the second is always right; the other two share a different error in each line."""
    words = "red blue green old new small large fast slow good".split()
    right = [f"the {first} car is {second} today" for first in words for second in words[:3]]
    wrong = [f"the {first} bus was {second} today" for first in words for second in words[3:6]]
    for name, lines in (("a", wrong), ("b", right), ("c", wrong), ("ref", right)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    outputs = [tmp_path / name for name in "abc"]
    before = run("combine", *outputs)[1]
    weights, job = tmp_path / "w.toml", tmp_path / "job"
    command = ("tune", "combination", *outputs, "--reference", tmp_path / "ref", "-o", weights, "--job", job, "--quiet")
    code, out, err = run(*command, "--nbest", 20, "--max-iterations", 4)
    assert code == 0
    assert out.startswith("bleu ")
    alone = {line.split(" alone: bleu ")[0]: float(line.split()[-1]) for line in out.splitlines() if " alone: " in line}
    assert list(alone) == list(map(str, outputs))
    assert alone[str(outputs[1])] == 100 > alone[str(outputs[0])] == alone[str(outputs[2])]
    assert "warning" not in err
    after = run("combine", *outputs, "--weights", weights)[1]
    matches = [sum(a == b for a, b in zip(text.splitlines(), right, strict=True)) for text in (before, after)]
    assert matches[0] == 0
    assert matches[1] == len(right)
    assert "combinations are tuned on lists" in refused(run(*command[:-1], "--algorithm", "lattice-mert", "--quiet"))


def test_tuning_without_a_gain_writes_nothing(run: Run, tmp_path: Path) -> None:
    """A gain is over the default weights, with which widl combine works: the left one of the printed figures."""
    texts = {
        "a": "a red car\na dog\nthe cat sat\n",
        "b": "the red car\nthe dog\na cat sat\n",
        "c": "a red car\nthe dog ran\nthe cat\n",
        "ref": "the red car\nthe dog ran\nthe cat sat\n",
        **dict.fromkeys(["x", "right"], "the cat sat on the mat\n" * 3),
        "u": "the cat sat on a mat\n" * 3,
        "v": "the cat sat on a mat\n" * 3,
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    weights, codes = tmp_path / "w.toml", []
    for names, reference in (("abc", "ref"), ("xuv", "right")):
        weights.unlink(missing_ok=True)
        files, job = [tmp_path / name for name in names], tmp_path / f"job-{names}"
        more = "-o", weights, "--job", job, "--max-iterations", 2
        code, out, err = run("tune", "combination", *files, "--reference", tmp_path / reference, *more)
        default, tuned = map(float, re.findall(r"\d+\.\d+", out.splitlines()[0]))
        combined = run("combine", *files)[1].splitlines()
        expected = sacrebleu.corpus_bleu(combined, [texts[reference].splitlines()]).score
        assert default == pytest.approx(expected, abs=0.001)
        assert (code, weights.exists()) == ((0, True) if tuned > default else (1, False))
        assert ("no weights scored better than those at the start; none are written" in err) == (code == 1)
        assert (job / "weights.toml").exists() == (code == 0)
        codes.append(code)
    assert codes == [1, 0]


def test_json_has_no_infinities(run: Run, files: list[Path]) -> None:
    code, out, _ = run("combine", *files, "--must", "dog", "--json")
    records = [json.loads(line, parse_constant=pytest.fail) for line in out.splitlines()]
    assert (code, [(item["outcome"], item["bound"]) for item in records]) == (1, [("proved_empty", None)] * 2)


def test_tuning_warns_of_a_system_that_is_better_alone(run: Run, tmp_path: Path) -> None:
    """One system is right and the two others agree in their errors; the weights of the right one stay 0."""
    right = [f"the {first} car is {second} today" for first in ("red", "blue", "old") for second in ("new", "small")]
    records = [
        json.dumps({"outputs": [wrong, text, wrong]}) for text in right for wrong in [text.replace("is", "was big")]
    ]
    (tmp_path / "outputs.jsonl").write_text("".join(f"{record}\n" for record in records))
    (tmp_path / "ref").write_text("".join(f"{line}\n" for line in right))
    command = "tune", "combination", tmp_path / "outputs.jsonl", "--reference", tmp_path / "ref", "--quiet"
    trusted = {name: 0.0 if name.endswith("2") else weight for name, weight in Combiner().weights_of(3).items()}
    (tmp_path / "start").write_text(format_weights(trusted))
    fixed = [word for name in trusted if name not in ("seams", "skeleton") for word in ("--fixed", name)]
    more = "--nbest", 5, "--max-iterations", 2, *fixed, "--job", tmp_path / "job", "--weights", tmp_path / "start"
    code, out, err = run(*command, *more)
    assert code in (0, 1), err
    assert "output 2 alone: bleu 100.000" in out
    assert "warning: output 2 alone scores 100.000, better than the combination with " in err
    _, out, _ = run(*command, *more, "--json")
    assert [values["bleu"] for values in json.loads(out)["systems"].values()][1] == 100


def test_an_interrupted_output_is_kept_beside(tmp_path: Path) -> None:
    """A message names the file, and the output itself is not there."""
    lines = ["the cat sat", "a dog ran", "rain fell"]
    for name in ("a", "b"):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    program = (
        "import os, signal; from widl.combination import combiner as c; finish = c.Combiner.finish; made = []\n"
        "def counted(*arguments):\n"
        "    made.append(1)\n"
        "    return os.kill(os.getpid(), signal.SIGINT) if len(made) == 3 else finish(*arguments)\n"
        "c.Combiner.finish = counted\n"
        "from widl.cli import main; main()"
    )
    out = tmp_path / "out.txt"
    command = [sys.executable, "-c", program, "combine", tmp_path / "a", tmp_path / "b", "-o", out, "--threads", "1"]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60, text=True)
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert f"interrupted: {out}.partial has the finished lines" in done.stderr
    assert not out.exists()
    assert (tmp_path / "out.txt.partial").read_text().splitlines() == lines[:2]
