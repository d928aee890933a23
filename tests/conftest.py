"""What several tests share: the folders of real corpora and of other programs' outputs."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared(*parts: str) -> Path:
    """A file or folder of the experiment data beside the project; skips the test where it is absent."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs ../shared/{'/'.join(parts)}")
    return path


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real corpora."""
    return shared("data")


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a model; tests must not change it."""
    from widl.pipeline.demo import sample_corpus
    from widl.pipeline.training import train

    directory = tmp_path_factory.mktemp("trained") / "model"
    corpus = sample_corpus()
    train([corpus / "train"], [corpus / "mono.en"], directory)
    return directory
