"""`widl experiment` and `widl realize --draw`, run as programs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.experiments.conftest import ARPA


def widl(*arguments: str | Path, text: str = "", path: Path | None = None) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", "from widl.pipeline.cli import main; main()", *map(str, arguments)]
    environment = {"PATH": str(path)} if path else None
    return subprocess.run(
        program, input=text, capture_output=True, check=False, timeout=60, encoding="utf-8", env=environment
    )


@pytest.fixture
def model(tmp_path: Path) -> Path:
    file = tmp_path / "tiny.arpa"
    file.write_text(ARPA.lstrip(), encoding="utf-8")
    return file


def test_word_order(tmp_path: Path, model: Path) -> None:
    sentences, out = tmp_path / "three.txt", tmp_path / "out"
    sentences.write_text("a b c\nc b a\nb a c\n", encoding="utf-8")
    command = ["experiment", "word-order", "--lm", model, "--bags", sentences, "--output", out]
    done = widl(*command, "--rows", "L", "bfs", "astar-2", "--limit", "2")
    assert done.returncode == 0
    assert done.stdout.startswith("three: 2 bags of 3 to 3 words\n")
    assert "three BFS: done (2)" in done.stderr
    assert sorted(file.name for file in out.iterdir()) == ["three", "three.json", "three.tsv", "three.txt"]
    assert done.stdout == (out / "three.txt").read_text("utf-8") + "\n"
    report = json.loads((out / "three.json").read_text("utf-8"))
    assert report["rows"]["bfs"]["identical"] == 50
    assert report["paper"]["bfs"]["identical"] == 67.1
    again = widl(*command, "--rows", "L", "bfs", "astar-2", "--limit", "2")
    assert (again.stdout, again.stderr) == (done.stdout, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["word-order", "--rows", "best"], "unknown row 'best'"),
        (["word-order", "--data", "nowhere"], "nowhere: no such directory; give --data"),
        (["word-order", "--lm", "x", "--lm-text", "y"], "exclude each other"),
        (["word-order", "--bags", "missing.txt"], "missing.txt: no such file"),
        (["sizes", "--bags", "9-2"], "--bags '9-2': expected two sizes"),
        (["sizes", "input.txt"], "give --model"),
    ],
)
def test_bad_input(arguments: list[str], message: str) -> None:
    done = widl("experiment", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_sizes() -> None:
    done = widl("experiment", "sizes", "--bags", "3-4")
    rows = [line.split() for line in done.stdout.splitlines() if line[:1].isdigit()]
    assert rows == ["3 4 8 9 8 12 12".split(), "4 5 10 12 16 32 22".split()]
    as_json = json.loads(widl("experiment", "sizes", "--bags", "12-12", "--json").stdout)
    assert as_json["bags"][0]["lattice_edges"] == 24576


def test_draw_without_dot(tmp_path: Path, model: Path) -> None:
    picture, instead = tmp_path / "p.svg", tmp_path / "p.dot"
    command = ["realize", "--lm", model, "--draw", picture]
    done = widl(*command, text="∥(a, b, c)\n∥(a, b)\n", path=tmp_path)
    assert (done.returncode, done.stdout) == (0, "a b c\na b\n")
    assert f"{instead}: written instead of {picture}" in done.stderr
    assert instead.read_text("utf-8").startswith("digraph search")
    assert (tmp_path / "p-2.dot").exists()
    for kind, name in (("tree", "expression"), ("graph", "widl")):
        assert widl("realize", "--lm", model, "--draw", instead, "--picture", kind, text="a · b").returncode == 0
        assert instead.read_text("utf-8").startswith(f"digraph {name}")
    bad = widl("realize", "--lm", model, "--draw", tmp_path / "p.txt", text="a")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "ends in .svg" in bad.stderr
