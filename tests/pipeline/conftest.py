"""A model to be damaged, and a cluster."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pipeline.news import make_parser, write_stories
from widl.pipeline.cluster import ClusterEngine, ClusterOptions, open_engine
from widl.pipeline.headline import HeadlineTraining, train_headlines


@pytest.fixture
def model(trained: Path, tmp_path: Path) -> Path:
    """A copy of the model, to be damaged."""
    return Path(shutil.copytree(trained, tmp_path / "model"))


@pytest.fixture(scope="module")
def told() -> list[str]:
    """What the cluster's engine has told."""
    return []


@pytest.fixture(scope="module")
def cluster(told: list[str]) -> Iterator[ClusterEngine]:
    """Two worker processes of a thread each, chunks of three.

    It ends with the module: its scheduler's threads draw random numbers, which tests of hypothesis must not meet.
    """
    with open_engine("2", threads=2, tell=told.append, options=ClusterOptions(chunk=3)) as engine:
        assert isinstance(engine, ClusterEngine)
        yield engine


@pytest.fixture(scope="session")
def tiny_parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small spaCy pipeline for the news of `tests.pipeline.news`."""
    return make_parser(tmp_path_factory.mktemp("parser") / "tiny")


@pytest.fixture(scope="session")
def headlines(tmp_path_factory: pytest.TempPathFactory, tiny_parser: Path) -> Path:
    """A headline model trained on sixty made-up stories; tests must not change it."""
    directory = tmp_path_factory.mktemp("headlines")
    training = HeadlineTraining(pairs=[write_stories(directory / "pairs.jsonl", 60)], parser=str(tiny_parser))
    train_headlines(training, directory / "model")
    return directory / "model"
