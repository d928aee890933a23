"""Fixtures of tuning jobs."""

import pytest

from tests.mert.problems import empty_report
from tests.mert.tuning_jobs import run


@pytest.fixture
def pictures():
    """Requested by tests that need the report; drawing takes most of a small job's time."""


@pytest.fixture
def without_pictures(request, monkeypatch):
    if "pictures" not in request.fixturenames:
        monkeypatch.setattr("widl.mert.report.write_report", empty_report)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A job that nothing interrupted."""
    directory = tmp_path_factory.mktemp("tuning") / "job"
    return directory, run(directory)
