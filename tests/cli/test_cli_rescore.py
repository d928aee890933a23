"""`widl rescore`."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import refused
from widl.mert import read_nbest

Run = Callable[..., tuple[int, str, str]]

LISTS = """0 ||| old mill ||| lm0= -2.0 words= 2.0 ||| -2.0 ||| 0-0
0 ||| mill old ||| lm0= -3.0 words= 2.0 ||| -3.0 ||| 0-1
1 ||| river ||| lm0= -1.0 words= 1.0 ||| -1.0
"""
LENGTH = "import sys\nfor line in sys.stdin: print(-2.0 if line.startswith('old') else -0.5)\n"


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    (tmp_path / "lists").write_text(LISTS)
    (tmp_path / "scorer.py").write_text(LENGTH)
    return tmp_path / "lists"


def command(tmp_path: Path, code: str) -> str:
    (tmp_path / "scorer.py").write_text(code)
    return shlex.join([sys.executable, str(tmp_path / "scorer.py")])


def test_a_program_adds_a_column_that_tuning_reads(run: Run, lists: Path, tmp_path: Path) -> None:
    own = command(tmp_path, LENGTH)
    code, out, _ = run("rescore", "--nbest", lists, "--command", own, "--name", "neural", "-o", tmp_path / "new")
    assert (code, out) == (0, "")
    lines = (tmp_path / "new").read_text().splitlines()
    assert lines[0] == "0 ||| mill old ||| lm0= -3.0 words= 2.0 neural= -0.5 ||| -3.5 ||| 0-1"
    result = read_nbest([tmp_path / "new"])
    assert result.feature_names == ("lm0", "words", "neural")
    assert result.texts == ["mill old", "old mill", "river"]
    (tmp_path / "reference").write_text("old mill\nriver\n")
    arguments = ("--reference", tmp_path / "reference", "--metric", "ter", "-o", tmp_path / "weights")
    assert run("tune", "nbest", tmp_path / "new", *arguments)[0] == 0
    assert "neural = " in (tmp_path / "weights").read_text()


def test_numbers_of_a_file_and_the_best_strings(run: Run, lists: Path, tmp_path: Path) -> None:
    (tmp_path / "numbers").write_text("-4\n-1\n0\n")
    arguments = ("rescore", "--nbest", lists, "--scores", tmp_path / "numbers", "--best")
    assert run(*arguments) == (0, "mill old\nriver\n", "")
    assert run(*arguments, "--weight", 0.1) == (0, "old mill\nriver\n", "")


def test_line_n_is_sentence_n_whatever_the_order_of_the_lists(run: Run, tmp_path: Path) -> None:
    lists = "3 ||| last ||| lm0= -1.0 ||| -1.0\n0 ||| mill ||| lm0= -3.0 ||| -3.0\n"
    (tmp_path / "lists").write_text(lists + "1 ||| river ||| lm0= -1.0 ||| -1.0\n0 ||| old ||| lm0= -2.0 ||| -2.0\n")
    (tmp_path / "numbers").write_text("0\n0\n0\n0\n")
    arguments = ("rescore", "--nbest", tmp_path / "lists", "--scores", tmp_path / "numbers")
    code, out, err = run(*arguments, "--best")
    assert (code, out) == (1, "old\nriver\n\nlast\n")
    assert err == "sentence 2: the lists have no candidate of it\n"
    assert [line[:1] for line in run(*arguments)[1].splitlines()] == ["0", "0", "1", "3"]
    (tmp_path / "lists").write_text("x ||| old ||| lm0= -1.0 ||| -1.0\n")
    assert "lists:1: expected the sentence's number from 0, found 'x'" in refused(run(*arguments))


def test_candidates_that_are_forbidden_leave_their_lists(run: Run, lists: Path, tmp_path: Path) -> None:
    (tmp_path / "numbers").write_text("-inf\n-1\n0\n")
    arguments = ("rescore", "--nbest", lists, "--scores", tmp_path / "numbers")
    assert run(*arguments, "--best") == (0, "mill old\nriver\n", "")
    assert [line.split(" ||| ")[1] for line in run(*arguments)[1].splitlines()] == ["mill old", "river"]
    (tmp_path / "numbers").write_text("-inf\n-inf\n0\n")
    assert run(*arguments, "--best") == (1, "\nriver\n", "sentence 0: the scorer forbids all of its candidates\n")


def test_results_in_json_are_lists_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lines").write_text("the old mill turns\nthe mill turns\n" * 3)
    assert run("lm", "estimate", tmp_path / "lines", "-o", tmp_path / "lm.arpa")[0] == 0
    code, out, _ = run("order", "--lm", tmp_path / "lm.arpa", "--nbest", 3, "--json", stdin="turns mill the\nmill\n")
    records = [json.loads(line) for line in out.splitlines()]
    (tmp_path / "numbers").write_text("0\n" * (len(records[0]["nbest"]) + 1))
    code, out, _ = run("rescore", "--nbest", "-", "--scores", tmp_path / "numbers", stdin=out)
    assert code == 0
    assert [line.split(" ||| ")[0] for line in out.splitlines()] == ["0", "0", "0", "1"]
    (tmp_path / "new").write_text(out)
    lists = read_nbest([tmp_path / "new"])
    assert lists.texts[0] == records[0]["text"]
    assert "scorer" in lists.feature_names


NOT_FINITE = "is not a finite number, nor -inf, which forbids a candidate"
WRONG = {
    "too few": ("print(1)", "--command {own}: 1 numbers for 3 candidates; one each is needed"),
    "NaN": ("for _ in range(3): print('nan')", "--command {own}:1: 'nan' for 'old mill' " + NOT_FINITE),
    "inf": ("for _ in range(3): print('inf')", "--command {own}:1: 'inf' for 'old mill' " + NOT_FINITE),
    "killed": ("import os; os.kill(os.getpid(), 9)", "--command {own}: ended with signal 9; nothing is rescored"),
}


@pytest.mark.parametrize(("code", "message"), WRONG.values(), ids=list(WRONG))
def test_a_program_that_fails_is_told(run: Run, lists: Path, tmp_path: Path, code: str, message: str) -> None:
    own = command(tmp_path, code)
    result, out, err = run("rescore", "--nbest", lists, "--command", own, "-o", tmp_path / "new")
    assert (result, out) == (2, "")
    assert err.splitlines()[-1] == f"error: {message.format(own=own)}"
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--nbest", "{lists}"], "give either --scores FILE or --command CMD"),
        (["--nbest", "{lists}", "--command", "none-such"], "--command none-such: no such program"),
        (["--nbest", "{folder}/text", "--command", "x"], "{folder}/text:1: 1 fields between '|||'"),
    ],
)
def test_what_is_wrong_is_a_line(run: Run, lists: Path, arguments: list[str], message: str) -> None:
    (lists.parent / "text").write_text("old mill\n")
    (lists.parent / "json").write_text('{"text": "old mill"}\n')
    places = {"lists": lists, "folder": lists.parent}
    line = refused(run("rescore", *(item.format(**places) for item in arguments)))
    assert line.startswith(f"{message.format(**places)}")
