"""The language model that training estimates, and models without one."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from widl.common.errors import InputError
from widl.common.workers import no_progress
from widl.decoder import LanguageModel, estimate_language_model
from widl.pipeline import training_lm
from widl.pipeline.training import train
from widl.pipeline.training_files import TrainingFiles
from widl.pipeline.training_lm import Resources, default_order, estimate_model
from widl.pipeline.training_options import TrainingOptions
from widl.text.cleaning import Cleaning
from widl.text.source_and_target import TextSettings
from widl.text.truecasing import Truecaser
from widl.translation import Translator
from widl.translation.manifest import read_manifest

OPTIONS = TrainingOptions(
    text=TextSettings(source_language="none"), cleaning=Cleaning(content=False), max_phrase_length=3
)


@pytest.mark.parametrize(("words", "order"), [(999_999, 3), (1_000_000, 4), (9_999_999, 4), (10_000_000, 5)])
def test_words_of_all_texts_count(tmp_path: Path, words: int, order: int) -> None:
    half, rest = tmp_path / "half", tmp_path / "rest"
    lines, more = divmod(words // 2, 1000)
    half.write_text("a b " * 500 + "\n" + ("c " * 1000 + "\n") * (lines - 1) + "d " * more, encoding="utf-8")
    rest.write_text("e " * (words - words // 2), encoding="utf-8")
    assert default_order([half, rest]) == order


@pytest.mark.parametrize(("limits", "given", "order"), [((100, 200), None, 4), ((50, 100), None, 5), ((50, 100), 2, 2)])
def test_trained_models(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int], given: int | None, order: int
) -> None:
    """The bitext's target side has between 100 and 200 words."""
    monkeypatch.setattr(training_lm, "_WORDS_OF_ORDER_4", limits[0])
    monkeypatch.setattr(training_lm, "_WORDS_OF_ORDER_5", limits[1])
    train(TrainingFiles(bitext=[text]), tmp_path / "model", replace(OPTIONS, order=given))
    manifest = read_manifest(tmp_path / "model")
    assert 100 <= int(manifest.training["lm_words"]) < 200
    assert manifest.training["lm_order"] == order
    assert LanguageModel.load(tmp_path / "model" / manifest.language_models[0]).order == order


def test_existing_models_alone(text: Path, tmp_path: Path) -> None:
    """Without text, training uses the given language models, the first as lm0."""
    (tmp_path / "one").write_text("the president said .\n" * 5, encoding="utf-8")
    for name, order in (("first", 2), ("second", 3)):
        estimate_language_model([tmp_path / "one"], tmp_path / f"{name}.arpa", order=order)
    options, given = replace(OPTIONS, lm_bitext=False), [tmp_path / "first.arpa", tmp_path / "second.arpa"]
    train(TrainingFiles(bitext=[text], lm=given), tmp_path / "model", options)
    manifest = read_manifest(tmp_path / "model")
    assert manifest.language_models == ["lm0.binary", "lm1.binary"]
    models = [LanguageModel.load(tmp_path / "model" / name) for name in manifest.language_models]
    assert [model.order for model in models] == [2, 3]
    assert not any(name.startswith("lm_") for name in manifest.training)
    translator = Translator(tmp_path / "model")
    assert {"lm0", "lm1"} < set(translator.weights)
    # They follow an estimated model. If there is none, a model of the bitext is estimated.
    train(TrainingFiles(bitext=[text], lm=given[:1]), tmp_path / "beside", OPTIONS)
    assert read_manifest(tmp_path / "beside").language_models == ["lm0.binary", "lm1.binary"]
    assert LanguageModel.load(tmp_path / "beside" / "lm1.binary").order == 2


def test_memory_bounds_the_counts(tmp_path: Path) -> None:
    """Text that exceeds the minimum memory goes to disk, and the model is the same."""
    draw = random.Random(3)
    words = draw.choices([f"w{k}" for k in range(1000)], [1 / k for k in range(1, 1001)], k=140_000)
    target = tmp_path / "corpus.target"
    target.write_text("".join(" ".join(words[i : i + 20]) + "\n" for i in range(0, len(words), 20)), encoding="utf-8")

    def estimate(name: str, memory: int, temporary: Path) -> bytes:
        folder = tmp_path / name
        folder.mkdir()
        estimate_model(
            target,
            [],
            folder / "lm0.binary",
            order=3,
            truecaser=Truecaser({}),
            settings=TextSettings(),
            resources=Resources(1, memory, temporary, no_progress),
        )
        return (folder / "lm0.binary").read_bytes()

    expected = estimate("default", 0, tmp_path)
    assert estimate("limited", 1, tmp_path) == expected
    with pytest.raises(InputError, match="missing: a temporary file cannot be made"):
        estimate("nowhere", 1, tmp_path / "missing")
