"""Training with dictionaries: the resulting model, cleanup after invalid dictionaries, and translations."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import widl_text
from widl.decoder import read_weights
from widl.pipeline.training import train
from widl.pipeline.training_files import TrainingFiles
from widl.pipeline.training_options import TrainingOptions
from widl.text.cleaning import Cleaning
from widl.text.source_and_target import TextSettings
from widl.translation import TranslationOptions, Translator
from widl.translation.manifest import read_manifest

pytestmark = pytest.mark.slow

OPTIONS = TrainingOptions(cleaning=Cleaning(content=False), order=2, max_phrase_length=3)


def test_a_dictionary_translates_what_the_text_lacks(text: Path, tmp_path: Path) -> None:
    entries, others = tmp_path / "cedict.txt", tmp_path / "terms.tsv"
    entries.write_text("權證 权证 [quan2 zheng4] /warrant (finance)/CL:份[fen4]/\n", encoding="utf-8")
    others.write_text("升旗 仪式\tflag-raising ceremony\n", encoding="utf-8")
    model = tmp_path / "model"
    train(TrainingFiles(bitext=[text], dictionary=[entries, others]), model, OPTIONS)
    manifest = read_manifest(model)
    assert manifest.dictionary == "dictionary.binary"
    assert manifest.origins == ("dictionary", "name", "pinyin", "rule", "split")
    assert "dictionary" in read_weights(model / "weights.toml", manifest.features)
    translator = Translator(model)
    for line, words in (("权证。", "warrant"), ("升旗仪式。", "flag-raising ceremony"), ("權證。", "warrant")):
        (result,) = translator.translate([line], TranslationOptions(search="astar"))
        assert words in result.text.lower()
        assert result.features["dictionary"] == 1
        assert result.optimal


def test_tokens_between_blanks(text: Path, tmp_path: Path) -> None:
    """A language written with spaces: an entry of several words translates exactly these words."""
    entries = tmp_path / "terms.tsv"
    entries.write_text("foo  bar\tquux\n", encoding="utf-8")
    options = replace(OPTIONS, text=TextSettings(source_language="none"))
    train(TrainingFiles(bitext=[text], dictionary=[entries]), tmp_path / "model", options)
    assert read_manifest(tmp_path / "model").origins == ("dictionary",)
    translator = Translator(tmp_path / "model")
    texts = [result.text for result in translator.translate(["foo bar", "foobar", "foo"])]
    assert texts == ["Quux", "Foobar", "Foo"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("权证\twarrant\n升旗 hoist\n", "bad.txt:2: expected CC-CEDICT's"),
        ("", "bad.txt: no entry with a gloss of at most 6 words"),
        (None, "bad.txt: no such file"),
    ],
)
def test_bad_dictionaries_leave_nothing(text: Path, tmp_path: Path, content: str | None, message: str) -> None:
    bad = tmp_path / "bad.txt"
    if content is not None:
        bad.write_text(content, encoding="utf-8")
    arguments = ["train", tmp_path / "model", "--bitext", text, "--dictionary", bad, "--quiet"]
    result = widl_text(*arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert not (tmp_path / "model").exists()
    assert not (tmp_path / "model.work" / "corpus.source").exists()
