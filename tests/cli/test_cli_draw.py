"""`widl realize --draw` where Graphviz is not installed."""

import subprocess
from pathlib import Path

import pytest

from tests import command
from tests.experiments.conftest import ARPA


@pytest.mark.slow
def test_draw_without_dot(tmp_path: Path) -> None:
    def widl(*arguments: str | Path, text: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(path)} if path else None
        done = command.widl(*arguments, stdin=text.encode(), environment=environment)
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    model = tmp_path / "tiny.arpa"
    model.write_text(ARPA, encoding="utf-8")
    picture, instead = tmp_path / "p.svg", tmp_path / "p.dot"
    drawing = ["realize", "--lm", model, "--draw", picture]
    done = widl(*drawing, text="∥(a, b, c)\n∥(a, b)\n", path=tmp_path)
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
