"""What tests of all parts share."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real corpora (beside the project, or WIDL_DATA); without it the test is skipped."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    path = Path(os.environ.get("WIDL_DATA", beside))
    if not path.is_dir():
        pytest.skip("no real corpora here")
    return path
