"""A model to be damaged, and a cluster."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from widl.pipeline.cluster import ClusterEngine, ClusterOptions, open_engine


@pytest.fixture
def model(trained: Path, tmp_path: Path) -> Path:
    """A copy of the model, to be damaged."""
    return Path(shutil.copytree(trained, tmp_path / "model"))


@pytest.fixture(scope="session")
def told() -> list[str]:
    """What the cluster's engine has told."""
    return []


@pytest.fixture(scope="session")
def cluster(told: list[str]) -> Iterator[ClusterEngine]:
    """Two worker processes of a thread each, chunks of three."""
    with open_engine("2", threads=2, tell=told.append, options=ClusterOptions(chunk=3)) as engine:
        assert isinstance(engine, ClusterEngine)
        yield engine
