"""Moses' outputs on a real bitext, where they are at hand."""

from pathlib import Path

import pytest

from tests.conftest import shared


@pytest.fixture(scope="session")
def moses() -> Path:
    """The folder of Moses' alignments, word tables and phrase table."""
    return shared("reference/extract")
