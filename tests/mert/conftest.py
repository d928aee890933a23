"""Fixtures of tuning jobs."""

import pytest

from tests.mert.tuning_jobs import run


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A job that nothing interrupted."""
    directory = tmp_path_factory.mktemp("tuning") / "job"
    return directory, run(directory)
