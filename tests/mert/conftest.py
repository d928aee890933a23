"""Fixtures of tuning jobs."""

import pytest

from tests.mert.tuning_jobs import ListDecoder, WeightedLattices, run


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A job that ran without interruption, with a decoder of lists."""
    directory = tmp_path_factory.mktemp("tuning") / "job"
    return directory, run(directory)


@pytest.fixture(scope="module", params=[ListDecoder, WeightedLattices])
def job(request, tmp_path_factory):
    """A kind of decoder, the directory of a job with it, and its result."""
    directory = tmp_path_factory.mktemp("tuning") / "job"
    return request.param, directory, run(directory, request.param())
