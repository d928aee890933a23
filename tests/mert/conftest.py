"""Fixtures of tuning jobs."""

import pytest

from tests.mert.tuning_jobs import run


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Runs a job without interruption."""
    directory = tmp_path_factory.mktemp("tuning") / "job"
    return directory, run(directory)
