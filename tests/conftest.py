"""Shared by all tests: hypothesis profiles, handling of Ctrl-C, folders of real corpora, a model."""

import fcntl
import gc
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from widl.pipeline.cluster import ClusterEngine
    from widl.translation import Translator

# The same cases in each run, and no time limits that could fail a test on a busy machine. HYPOTHESIS_PROFILE=explore
# draws other cases, 500 unless a test sets a number; few draws ten, for other versions of Python, because the
# core is the same. Millions of cases are for benchmarks/proofs.py.
_CALM = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile(
    "suite", derandomize=True, deadline=None, max_examples=40, print_blob=True, suppress_health_check=_CALM
)
settings.register_profile(
    "few", derandomize=True, deadline=None, max_examples=10, print_blob=True, suppress_health_check=_CALM
)
settings.register_profile("explore", deadline=None, max_examples=500, suppress_health_check=_CALM)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

SHARED = Path(__file__).resolve().parents[2] / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Command-line options that the suite adds to pytest's."""
    parser.addoption("--update-docs", action="store_true", help="write the true outputs into the pages' console blocks")


def pytest_configure() -> None:
    """Restores Ctrl-C here and in the programs that tests start, even if the parent process ignores it.

    A shell starts its background jobs with Ctrl-C ignored, and child processes inherit this.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests as slow that need a trained model, a cluster, or real data."""
    for item in items:
        if {"trained", "demo", "headlines", "cluster", "shared_data", "moses"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Freezes objects that live as long as the suite: tests of huge structures often trigger garbage collection."""
    gc.collect()
    gc.freeze()


def shared(*parts: str) -> Path:
    """A file or folder of the experiment data next to the project; skips the test if it is missing."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs ../shared/{'/'.join(parts)}")
    return path


@pytest.fixture
def run() -> Callable[..., tuple[int, str, str]]:
    """Runs the command with arguments and a standard input; returns exit code, stdout and stderr."""
    from tests.command import widl_text

    def run(*arguments: object, stdin: str | bytes = b"") -> tuple[int, str, str]:
        done = widl_text(*arguments, text=stdin)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real corpora."""
    return shared("data")


Making = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Making:
    """Returns a folder by name that one test process makes while the others wait; tests must not change it."""
    own = tmp_path_factory.getbasetemp()
    root = own if worker_id == "master" else own.parent

    def made(name: str, make: Callable[[Path], object]) -> Path:
        folder, done = root / name, root / f"{name}.done"
        with (root / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                make(folder)
                done.touch()
        return folder

    return made


@pytest.fixture(scope="session")
def demo(made_once: Making) -> Path:
    """A folder made by `widl demo`, with ``model`` and ``headlines``; tests must not change it."""
    from widl.pipeline.demo import make_stories, train_sample, tune_sample

    before = made_once("demo-untuned", lambda folder: train_sample(folder / "model"))

    def make(folder: Path) -> None:
        shutil.copytree(before / "model", folder / "model")
        tune_sample(folder)
        make_stories(folder)

    return made_once("demo", make)


@pytest.fixture(scope="session")
def trained(made_once: Making) -> Path:
    """The directory of a trained model; tests must not change it."""
    from widl.pipeline.demo import sample_corpus
    from widl.pipeline.training import train
    from widl.pipeline.training_files import TrainingFiles

    corpus = sample_corpus()
    files = TrainingFiles(bitext=[corpus / "train"], lm_text=[corpus / "mono.en"])
    folder = made_once("trained", lambda new: train(files, new / "model"))
    return folder / "model"


@pytest.fixture(scope="module")
def translator(trained: Path) -> "Translator":
    """The opened model."""
    from widl.translation import Translator

    return Translator(trained)


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """Prefix of the files with sixty sentence pairs."""
    from widl.pipeline.demo import sample_corpus

    for side in ("zh", "en"):
        lines = (sample_corpus() / f"train.{side}").read_text(encoding="utf-8").splitlines(keepends=True)[:60]
        (tmp_path / f"text.{side}").write_text("".join(lines), encoding="utf-8")
    return tmp_path / "text"


@pytest.fixture
def model(trained: Path, tmp_path: Path) -> Path:
    """A copy of the model that tests may damage."""
    return Path(shutil.copytree(trained, tmp_path / "model"))


@pytest.fixture(scope="module")
def told() -> list[str]:
    """Messages of the cluster's engine."""
    return []


@pytest.fixture(scope="module")
def cluster(told: list[str]) -> Iterator["ClusterEngine"]:
    """Two worker processes with one thread each, chunks of three.

    It is closed after each module: its scheduler's threads draw random numbers, which would disturb hypothesis.
    """
    from widl.pipeline.cluster import ClusterEngine, open_engine

    with open_engine("2", threads=2, notify=told.append, chunk=3) as engine:
        assert isinstance(engine, ClusterEngine)
        yield engine


@pytest.fixture(scope="session")
def headlines(made_once: Making) -> Path:
    """A headline model trained on sixty made-up stories; tests must not change it."""
    from tests.pipeline.news import write_stories
    from widl.pipeline.headline_training import HeadlineTraining, train_headlines

    def make(folder: Path) -> None:
        training = HeadlineTraining(pairs=[write_stories(folder / "pairs.jsonl", 60)])
        train_headlines(training, folder / "model")

    return made_once("headlines", make) / "model"


@pytest.fixture(scope="session")
def moses() -> Path:
    """The folder with Moses' alignments, word tables and phrase table of a real bitext."""
    return shared("reference/extract")
