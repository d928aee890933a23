"""Fixtures of the tests of training."""

from pathlib import Path

import pytest


@pytest.fixture
def text(pair: Path) -> Path:
    """Sixty sentence pairs."""
    return pair
