"""The order of the language model that training estimates."""

from dataclasses import replace
from pathlib import Path

import pytest

from widl.decoder import load_language_model
from widl.pipeline import lm_order
from widl.pipeline.lm_order import default_order
from widl.pipeline.training import TrainingOptions, train
from widl.text.cleaning import Cleaning
from widl.text.sides import TextSettings
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
    monkeypatch.setattr(lm_order, "_WORDS_OF_ORDER_4", limits[0])
    monkeypatch.setattr(lm_order, "_WORDS_OF_ORDER_5", limits[1])
    train([text], [], tmp_path / "model", replace(OPTIONS, order=given))
    manifest = read_manifest(tmp_path / "model")
    assert 100 <= int(manifest.training["lm_words"]) < 200
    assert manifest.training["lm_order"] == order
    assert load_language_model(tmp_path / "model" / manifest.language_models[0]).order == order
