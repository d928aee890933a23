"""A model trained with `--compounds` reads compounds as their parts, in raw and tokenized text."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import refused, widl
from widl.pipeline.checking import check
from widl.pipeline.training import TrainingOptions, train
from widl.pipeline.training_files import TrainingFiles
from widl.text.cleaning import Cleaning
from widl.text.source_and_target import TextSettings
from widl.translation import TranslationOptions, Translator
from widl.translation.manifest import read_manifest

pytestmark = pytest.mark.slow

PAIRS = [
    ("Der Garten ist groß.", "The garden is big."),
    ("Ein Garten ist klein.", "A garden is small."),
    ("Das Haus ist alt.", "The house is old."),
    ("Ein Haus ist neu.", "A house is new."),
    ("Die Küche ist neu.", "The kitchen is new."),
    ("Eine Küche ist alt.", "A kitchen is old."),
    ("Die Hausküche ist klein.", "The house kitchen is small."),
]
OPTIONS = TrainingOptions(
    text=TextSettings(source_language="de"),
    cleaning=Cleaning(content=False, duplicates=True),
    order=2,
    max_phrase_length=3,
    compounds=True,
)


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("german")
    for suffix, side in (("de", 0), ("en", 1)):
        text = "".join(f"{pair[side]}\n" for pair in PAIRS * 8)
        (folder / f"raw.{suffix}").write_text(text, encoding="utf-8")
        (folder / f"tokens.{suffix}").write_text(text.replace(".", " ."), encoding="utf-8")
    return folder / "raw"


def test_an_unseen_compound_is_translated_by_its_parts(prefix: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    report = train(TrainingFiles(bitext=[prefix]), model, OPTIONS)
    assert report.bitext.source_tokens == 8 * (5 * len(PAIRS) + 1)
    assert read_manifest(model).compounds == "compounds.tsv"
    assert (model / "compounds.tsv").read_text(encoding="utf-8").splitlines()[0].split("\t") == ["Garten", "16"]
    assert {checked.path.name: checked.checked for checked in check(model)}["compounds.tsv"] == "SHA-256"
    translator = Translator(model)
    (result,) = translator.translate(["Ein Gartenhaus ist alt."], TranslationOptions(search="astar"))
    assert result.text == "A garden house is old."
    (result,) = translator.translate(["Ein Gartenhaus ist alt ."], tokenized=True)
    assert result.text.lower().split()[:3] == ["a", "garden", "house"]
    train(TrainingFiles(bitext=[prefix]), tmp_path / "whole", replace(OPTIONS, compounds=False))
    (result,) = Translator(tmp_path / "whole").translate(["Ein Gartenhaus ist alt."])
    assert "Gartenhaus" in result.text


def test_tokenized_text_is_split_too(prefix: Path, tmp_path: Path) -> None:
    options = replace(OPTIONS, tokenized=True)
    train(TrainingFiles(bitext=[prefix.with_name("tokens")]), tmp_path / "model", options)
    (result,) = Translator(tmp_path / "model").translate(["Eine Gartenküche ist neu ."], tokenized=True)
    assert result.text.lower().split()[:3] == ["a", "garden", "kitchen"]


def test_entries_of_dictionaries_are_split(prefix: Path, tmp_path: Path) -> None:
    entries = tmp_path / "terms.tsv"
    entries.write_text("Gartenküche\toutdoor kitchen\n", encoding="utf-8")
    train(TrainingFiles(bitext=[prefix], dictionary=[entries]), tmp_path / "model", OPTIONS)
    translator = Translator(tmp_path / "model")
    (result,) = translator.translate(["Gartenküche"], nbest=20)
    assert "outdoor kitchen" in [candidate.text.lower() for candidate in result.nbest]


def test_a_damaged_or_missing_file_of_counts_is_one_line(prefix: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    train(TrainingFiles(bitext=[prefix]), model, OPTIONS)
    counts = model / "compounds.tsv"
    text = counts.read_text(encoding="utf-8")
    counts.write_text(text.replace("\t16", "\tab", 1), encoding="utf-8")
    assert "compounds.tsv:1: expected a word of at least 4 letters" in refused(widl("translate", model, stdin=b"a\n"))
    counts.unlink()
    assert "compounds.tsv" in refused(widl("translate", model, stdin=b"a\n"))
