"""A model of the sample corpus, trained once for all tests of this folder."""

import shutil
from pathlib import Path

import pytest

from widl.pipeline.demo import sample_corpus
from widl.pipeline.training import train


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a model; tests must not change it."""
    directory = tmp_path_factory.mktemp("trained") / "model"
    corpus = sample_corpus()
    train([corpus / "train"], [corpus / "mono.en"], directory)
    return directory


@pytest.fixture
def model(trained: Path, tmp_path: Path) -> Path:
    """A copy of the model, to be damaged."""
    return Path(shutil.copytree(trained, tmp_path / "model"))
