"""Fixtures of the tests of training."""

import io
import sys
from pathlib import Path

import pytest

from widl.cli import main
from widl.pipeline.demo import sample_corpus


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """Sixty sentence pairs."""
    prefix = tmp_path / "text"
    for language in ("zh", "en"):
        lines = (sample_corpus() / f"train.{language}").read_text(encoding="utf-8").splitlines()[:60]
        Path(f"{prefix}.{language}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return prefix


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs a command and returns exit code, stdout and stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["widl", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        return stop.value.code or 0, out, err

    return run
