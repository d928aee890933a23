"""`widl realize --draw` where Graphviz is not installed."""

import subprocess
from pathlib import Path

import pytest

from tests.experiments.conftest import ARPA
from tests.warm import warm_widl


@pytest.mark.slow
def test_draw_without_dot(tmp_path: Path) -> None:
    def widl(*arguments: str | Path, text: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
        program = [*warm_widl(), *map(str, arguments)]
        environment = {"PATH": str(path)} if path else None
        options = {"input": text, "env": environment, "capture_output": True, "timeout": 60, "text": True}
        return subprocess.run(program, check=False, **options)

    model = tmp_path / "tiny.arpa"
    model.write_text(ARPA.lstrip(), encoding="utf-8")
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
