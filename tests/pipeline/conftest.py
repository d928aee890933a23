"""Fixtures of the tests of training."""

from pathlib import Path

import pytest

from widl.pipeline.demo import sample_corpus


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """Sixty sentence pairs."""
    prefix = tmp_path / "text"
    for language in ("zh", "en"):
        lines = (sample_corpus() / f"train.{language}").read_text(encoding="utf-8").splitlines()[:60]
        Path(f"{prefix}.{language}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return prefix
