"""What all tests share: how hypothesis draws, what Ctrl-C does, the folders of real corpora, a model."""

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same cases every time, and no clock that could fail a test on a busy machine.
# HYPOTHESIS_PROFILE=explore draws others, five times as many where a test does not say how many.
_CALM = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("suite", derandomize=True, deadline=None, print_blob=True, suppress_health_check=_CALM)
settings.register_profile("explore", deadline=None, max_examples=500, suppress_health_check=_CALM)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

SHARED = Path(__file__).resolve().parents[2] / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    """What the suite is asked for beside pytest's own options."""
    parser.addoption("--update-docs", action="store_true", help="write the true outputs into the pages' console blocks")


def pytest_configure() -> None:
    """Hear Ctrl-C, here and in the programs that tests start, whatever the parent ignores.

    A shell starts its background jobs deaf to it, and who is deaf starts only deaf programs.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Who needs a trained model, a cluster, or real data, is slow."""
    for item in items:
        if {"trained", "headlines", "cluster", "shared_data", "moses"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Spare the garbage collector all that lives as long as the suite; tests of huge structures wake it often."""
    gc.collect()
    gc.freeze()


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
def demo(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as `widl demo` leaves it, with ``model`` and ``headlines``; tests must not change it."""
    from widl.pipeline.demo import make_stories

    folder = tmp_path_factory.mktemp("demo")
    (folder / "model").symlink_to(trained)
    make_stories(folder / "headlines")
    return folder


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a model; tests must not change it."""
    from widl.pipeline.demo import sample_corpus
    from widl.pipeline.training import train

    directory = tmp_path_factory.mktemp("trained") / "model"
    corpus = sample_corpus()
    train([corpus / "train"], [corpus / "mono.en"], directory)
    return directory
