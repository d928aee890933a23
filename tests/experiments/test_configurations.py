"""The configurations of the docs, opened by the readers that the commands use, without their data."""

import re
from pathlib import Path

import pytest

from widl import experiments
from widl.cli import program
from widl.cli.options_file import OptionsFile
from widl.experiments.config import read_config

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "configurations"
MODELS = {
    "combine": experiments.CombinationExperimentConfig,
    "headline": experiments.HeadlineExperimentConfig,
    "translation": experiments.TranslationExperimentConfig,
    "word-order": experiments.WordOrderConfig,
}
FILES = sorted(FOLDER.glob("*.toml"))


def command_of(path: Path) -> str:
    """The command that the file's comment names for it."""
    named = re.search(rf"widl (train --config|experiment [\w-]+) {re.escape(path.name)}\b", path.read_text("utf-8"))
    assert named, "the comment at the top says how the file is used"
    return named[1].removeprefix("experiment ").partition(" ")[0]


def test_there_are_configurations() -> None:
    assert {*map(command_of, FILES)} == {"train", *MODELS}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_configuration_of_the_docs_is_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = command_of(path)
    if command == "train":
        app = program("train")
        app.config = (OptionsFile(path),)
        _, bound, _ = app.parse_args(["train", "model"], exit_on_error=False, print_error=False)
        files = bound.arguments["files"]
        assert (FOLDER / files.prefixes[0]).parent.name == "train"
        return
    monkeypatch.setattr(Path, "exists", lambda _: True)
    config = read_config(path, MODELS[command])
    assert config.title
    assert len(config.system) > 0
