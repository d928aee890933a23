"""Closed standard streams, ``-`` as a file, and paths that are not UTF-8."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def model(run: Run, tmp_path: Path) -> Path:
    (tmp_path / "lines").write_text("the old mill turns\n" * 3)
    assert run("lm", "estimate", tmp_path / "lines", "-o", tmp_path / "lm.arpa")[0] == 0
    return tmp_path / "lm.arpa"


def closed(command: list[str | Path], redirections: str) -> tuple[int, str, str]:
    """Runs the command in a shell that closes some of its streams."""
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirections}', "sh", sys.executable, "-m", "widl", *command],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=100,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_closed_streams(model: Path, tmp_path: Path) -> None:
    (tmp_path / "words").write_text("mill old the\n")
    order: list[str | Path] = ["order", "--lm", model]
    assert closed([*order, tmp_path / "words"], "<&-") == (0, "the old mill\n", "")
    assert closed([*order, tmp_path / "words"], "2>&-") == (0, "the old mill\n", "")
    assert closed(order, "<&-") == (2, "", "error: standard input is closed; name a file, or redirect it\n")
    message = "error: standard output is closed; redirect it, for instance to /dev/null\n"
    assert closed([*order, tmp_path / "words"], ">&-") == (2, "", message)
    assert closed(["lm", "score", model], "<&- 2>&-") == (2, "", "")


def test_a_model_on_standard_output(run: Run, model: Path, tmp_path: Path) -> None:
    code, out, _ = run("lm", "estimate", tmp_path / "lines", "-o", "-")
    assert (code, out) == (0, model.read_text())


def test_paths_that_are_not_utf_8(run: Run, model: Path, tmp_path: Path) -> None:
    """File names of Linux are bytes; Python represents names that are not UTF-8 with surrogates."""
    folder = tmp_path / os.fsdecode(b"\xc4\xfa")
    folder.mkdir()
    (folder / "lines").write_text("the old mill turns\n" * 3)
    assert run("lm", "estimate", folder / "lines", "-o", folder / "lm.arpa")[0] == 0
    assert (folder / "lm.arpa").read_text() == model.read_text()
    assert run("lm", "convert", folder / "lm.arpa", folder / "lm.binary")[0] == 0
    assert run("order", "--lm", folder / "lm.binary", stdin="mill old the\n")[:2] == (0, "the old mill\n")
    (folder / "table.txt").write_text("a ||| b ||| 1 1 1 1\n")
    assert run("phrase-table", "import", folder / "table.txt", folder / "table")[0] == 0
    assert run("phrase-table", "show", folder / "table")[0] == 0
    (folder / "bad.arpa").write_text("\\data\\\nx\n")
    code, out, err = run("lm", "score", folder / "bad.arpa", stdin="a\n")
    assert (code, out) == (2, "")
    assert "bad.arpa:2: " in err
