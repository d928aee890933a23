"""A model to be damaged."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def model(trained: Path, tmp_path: Path) -> Path:
    """A copy of the model, to be damaged."""
    return Path(shutil.copytree(trained, tmp_path / "model"))
