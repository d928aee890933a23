"""`widl realize --draw` without Graphviz."""

from pathlib import Path

import pytest

from tests.command import widl_text
from tests.experiments.conftest import ARPA


@pytest.mark.slow
def test_draw_without_dot(tmp_path: Path) -> None:
    model = tmp_path / "tiny.arpa"
    model.write_text(ARPA, encoding="utf-8")
    picture, instead = tmp_path / "p.svg", tmp_path / "p.dot"
    drawing = ["realize", "--lm", model, "--draw", picture]
    done = widl_text(*drawing, text="∥(a, b, c)\n∥(a, b)\n", path=tmp_path)
    assert (done.returncode, done.stdout) == (0, "a b c\na b\n")
    assert f"{instead}: written instead of {picture}" in done.stderr
    assert instead.read_text("utf-8").startswith("digraph search")
    assert (tmp_path / "p-2.dot").exists()
    for kind, name in (("tree", "expression"), ("graph", "widl")):
        assert widl_text("realize", "--lm", model, "--draw", instead, "--picture", kind, text="a · b").returncode == 0
        assert instead.read_text("utf-8").startswith(f"digraph {name}")
    bad = widl_text("realize", "--lm", model, "--draw", tmp_path / "p.txt", text="a")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert "ends in .svg" in bad.stderr
