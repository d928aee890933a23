"""Training jobs killed at any write and resumed; steps repeated after an option changes; the parser of headlines."""

import functools
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.pipeline.news import write_stories
from tests.pipeline.stopping import killed_at_writes
from widl.common.errors import InputError
from widl.pipeline.headline_training import HeadlineTraining, train_headlines
from widl.pipeline.training import train
from widl.pipeline.training_files import TrainingFiles
from widl.pipeline.training_options import TrainingOptions
from widl.pipeline.training_report import TrainingReport
from widl.text.cleaning import Cleaning
from widl.text.source_and_target import TextSettings
from widl.translation.manifest import read_manifest

pytestmark = pytest.mark.slow

# Avoids modules that many processes would each have to load first.
OPTIONS = TrainingOptions(
    text=TextSettings(source_language="none"), cleaning=Cleaning(content=False), order=2, max_phrase_length=3
)


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def train_in(number: object, prefix: str, old: str = "") -> None:
    """Makes a model beside the text, replacing an old one if present, for `killed_at_writes`."""
    model = Path(prefix).with_name(f"model-{number}")
    if old and not model.exists():
        shutil.copytree(old, model)
    train(TrainingFiles(bitext=[prefix]), model, OPTIONS, overwrite=bool(old))


def ended_by_the_same_call(call: Callable[[], object], model: Path, whole: dict[str, bytes]) -> None:
    """Either the model is made, or it existed already and only leftovers were removed."""
    for _ in range(2):  # on the second call, everything is done
        call()
        assert contents(model) == whole
        assert not list(model.parent.glob(f"*{model.name}.*"))


def test_killed_at_any_write(text: Path) -> None:
    """There is either no model or a complete model. The same call finishes it, with the same bytes."""
    calls = killed_at_writes("tests.pipeline.test_training_jobs:train_in", text)
    whole = contents(text.with_name(f"model-{calls}"))
    assert calls > 20
    for number in range(1, calls):
        model = text.with_name(f"model-{number}")
        assert not model.exists() or contents(model) == whole
        ended_by_the_same_call(functools.partial(train_in, number, str(text)), model, whole)


def test_killed_while_a_model_is_replaced(text: Path, tmp_path: Path) -> None:
    """The old or the new model exists, or the old model has another name until the same call is repeated."""
    old = tmp_path / "old"
    train(TrainingFiles(bitext=[text]), old, replace(OPTIONS, order=3))
    before = contents(old)
    calls = killed_at_writes("tests.pipeline.test_training_jobs:train_in", text, old)
    whole = contents(text.with_name(f"model-{calls}"))
    assert whole != before
    models = [text.with_name(f"model-{number}") for number in range(1, calls)]
    replaced = [contents(model if model.exists() else model.with_name(f".{model.name}.old")) for model in models]
    assert all(result in (before, whole) for result in replaced)
    assert sum(not model.exists() for model in models) == 1
    assert whole in replaced  # killed after it, during the cleanup of the rest
    for number in range(calls - 7, calls):
        train_in(number, str(text), str(old))
        assert contents(text.with_name(f"model-{number}")) == whole


def stopped_at_language_model(text: Path, model: Path, options: TrainingOptions) -> None:
    """Train up to the last step."""

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    lm_text = text.with_name("lm.en")
    lm_text.write_text("A line.\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("widl.pipeline.training_steps.estimate_model", stop)
        with pytest.raises(KeyboardInterrupt):
            train(TrainingFiles(bitext=[text], lm_text=[lm_text]), model, options)


def test_a_changed_option_does_again_what_depends_on_it(text: Path, tmp_path: Path) -> None:
    def resumed(options: TrainingOptions) -> list[str]:
        """Resumes a training with changed options; returns the steps that were run."""
        model = tmp_path / "model"
        shutil.rmtree(model, ignore_errors=True)
        stopped_at_language_model(text, model, OPTIONS)
        report: TrainingReport = train(TrainingFiles(bitext=[text], lm_text=[text.with_name("lm.en")]), model, options)
        return list(report.seconds)

    assert resumed(OPTIONS) == ["language model"]
    assert resumed(replace(OPTIONS, order=3)) == ["language model"]
    assert resumed(replace(OPTIONS, max_phrase_length=4)) == ["phrase table", "language model"]
    shorter = Cleaning(content=False, max_length=30)
    assert resumed(replace(OPTIONS, cleaning=shorter))[0] == "bitext"
    assert resumed(replace(OPTIONS, symmetrization="union")) == ["alignment", "phrase table", "language model"]
    Path(f"{text}.zh").touch()
    assert resumed(OPTIONS) == ["language model"]
    stopped_at_language_model(text, tmp_path / "other", OPTIONS)
    english = Path(f"{text}.en")
    english.write_text(english.read_text().replace(".", "!"))
    report = train(TrainingFiles(bitext=[text], lm_text=[text.with_name("lm.en")]), tmp_path / "other", OPTIONS)
    assert list(report.seconds) == ["bitext", "alignment", "phrase table", "language model"]


def test_a_finished_model_is_not_replaced(text: Path, tmp_path: Path) -> None:
    """Repeating the command reports that the model is done; another command, or other text, is refused."""
    result = train(TrainingFiles(bitext=[text]), tmp_path / "model", OPTIONS)
    before = contents(tmp_path / "model")
    again = train(TrainingFiles(bitext=[text]), tmp_path / "model", OPTIONS)
    assert (again.bitext, again.statistics, again.seconds) == (result.bitext, result.statistics, {})
    assert contents(tmp_path / "model") == before
    with pytest.raises(InputError, match="holds a model already; add --overwrite"):
        train(TrainingFiles(bitext=[text]), tmp_path / "model", replace(OPTIONS, order=3))
    with pytest.raises(InputError, match="holds a model already; add --overwrite"):
        train(TrainingFiles(bitext=[text], lm_text=[Path(f"{text}.en")]), tmp_path / "model", OPTIONS)
    Path(f"{text}.zh").touch()
    with pytest.raises(InputError, match="holds a model already; add --overwrite"):
        train(TrainingFiles(bitext=[text]), tmp_path / "model", OPTIONS)
    read_manifest(tmp_path / "model")
    (tmp_path / "new.work").mkdir()
    (tmp_path / "new.work" / "notes").write_text("mine")
    with pytest.raises(InputError, match=r"new\.work: exists and holds no training of a translation model"):
        train(TrainingFiles(bitext=[text]), tmp_path / "new", OPTIONS)


def train_headlines_in(number: object, pairs: str) -> None:
    """Makes a headline model beside the stories, for `killed_at_writes`."""
    training = HeadlineTraining(pairs=[pairs])
    train_headlines(training, Path(pairs).with_name(f"model-{number}"))


def test_headline_training_killed_at_any_write(tmp_path: Path) -> None:
    pairs = write_stories(tmp_path / "pairs.jsonl", 12)
    calls = killed_at_writes("tests.pipeline.test_training_jobs:train_headlines_in", pairs)
    whole = contents(tmp_path / f"model-{calls}")
    for number in range(1, calls):
        model = tmp_path / f"model-{number}"
        assert not model.exists() or contents(model) == whole
        again = functools.partial(train_headlines_in, number, str(pairs))
        ended_by_the_same_call(again, model, whole)
