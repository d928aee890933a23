"""Each step of a training names all options that it reads: a step that forgets one would keep a stale output."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from widl.pipeline.training import train
from widl.pipeline.training_files import TrainingFiles
from widl.pipeline.training_options import TrainingOptions
from widl.pipeline.training_steps import TrainingSteps
from widl.text.cleaning import Cleaning
from widl.text.source_and_target import TextSettings

pytestmark = pytest.mark.slow

DERIVED = {"links": "symmetrization", "needs_segmentation": "rare_words"}
"""Properties of the options, and the settings that determine them; given alignments are files of their steps."""


class RecordedOptions:
    """Options that note what is read of them."""

    def __init__(self, options: TrainingOptions) -> None:
        self._options = options
        self.read: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self.read.add(DERIVED.get(name, name))
        return getattr(self._options, name)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[set[str], set[str]]]:
    """For each step that ran: the options that it read, and its settings."""
    steps: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    whole = TrainingSteps.run

    def run(self: Any) -> None:
        recorded = RecordedOptions(self.options)
        job_run = self.job.run

        def step(name: str, work: Callable[[], None], **given: Any) -> None:
            def recording() -> None:
                recorded.read.clear()
                work()
                steps[name] = (set(recorded.read), {*given.get("settings", ())})

            job_run(name, recording, **given)

        self.options, self.job.run = recorded, step
        try:
            whole(self)
        finally:
            self.options, self.job.run = recorded._options, job_run

    monkeypatch.setattr(TrainingSteps, "run", run)
    return steps


@pytest.fixture
def texts(tmp_path: Path) -> dict[str, Path]:
    """Small files of each kind."""
    files = {
        "a.zh": "今天 下雨\n他 来 了\n",
        "a.en": "rain today\nhe came\n",
        "b.zh": "雨 停 了\n",
        "b.en": "rain stopped\n",
    }
    files |= {"more.en": "it rained today\n", "words.tsv": "雪\tsnow\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text * 3, encoding="utf-8")
    return {name: tmp_path / name for name in (*files, "a", "b")}


@pytest.mark.parametrize("words", ["none", "zh"])
def test_steps_name_what_they_read(
    words: Any, steps: dict[str, tuple[set[str], set[str]]], texts: dict[str, Path], tmp_path: Path
) -> None:
    files = TrainingFiles(
        bitext=[texts["a"]], in_domain=[texts["b"]], lm_text=[texts["more.en"]], dictionary=[texts["words.tsv"]]
    )
    cleaning = Cleaning(content=False)
    train(files, tmp_path / "model", TrainingOptions(text=TextSettings(source_language=words), cleaning=cleaning))
    expected = {"bitext", "alignment", "dictionary", "phrase table", "in-domain language model", "language model"}
    assert steps.keys() == expected
    for name, (read, settings) in steps.items():
        assert read - {"alignments"} <= settings, name
    assert {"cleaning", "tokenized", "text"} <= steps["bitext"][0]
    assert {"smoothing", "max_phrase_length"} <= steps["phrase table"][0]
