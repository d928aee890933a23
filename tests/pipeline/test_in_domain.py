"""Parallel text in the domain of the text to translate."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import refused
from widl.common.errors import InputError
from widl.decoder import LanguageModel
from widl.decoder.lm_estimation import estimate_language_model
from widl.phrase_table import PhraseTable
from widl.pipeline import training_lm, training_steps
from widl.pipeline.training import train
from widl.pipeline.training_files import TrainingFiles
from widl.pipeline.training_options import TrainingOptions
from widl.text.cleaning import Cleaning
from widl.text.source_and_target import TextSettings
from widl.translation import Translator
from widl.translation.manifest import read_manifest

OPTIONS = TrainingOptions(
    order=2,
    text=TextSettings(source_language="none"),
    cleaning=Cleaning(content=False, duplicates=True),
    max_phrase_length=2,
)


def write(prefix: Path, pairs: list[tuple[str, str]]) -> Path:
    for language, lines in zip(("zh", "en"), zip(*pairs, strict=True), strict=True):
        prefix.with_suffix(f".{language}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return prefix


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path]:
    """In the news, yin hang is a bank, elsewhere mostly a shore; one news pair exceeds the length limit."""
    news = [*[("yinhang", "bank"), ("yinhang da", "bank big")] * 5, ("x " * 200, "y " * 200), ("da", "big")]
    other = [*[("yinhang", "shore")] * 15, *[("da", "big")] * 3]
    return write(tmp_path / "news", news), write(tmp_path / "other", other)


def test_scores_and_language_model_of_its_own(texts: tuple[Path, Path], tmp_path: Path) -> None:
    news, other = texts
    report = train(TrainingFiles(bitext=[other], in_domain=[news]), tmp_path / "model", replace(OPTIONS, order=3))
    assert report.statistics["pairs_in_domain"] == 11
    assert report.statistics["pairs_kept"] == 29
    manifest = read_manifest(tmp_path / "model")
    assert manifest.scores == ("p_fe", "p_ef", "lex_fe", "lex_ef", "domain_fe", "domain_ef")
    assert manifest.language_models == ["lm0.binary", "lm1.binary"]
    with PhraseTable.open(tmp_path / "model" / manifest.phrase_table) as table:
        options = {option.words: option.log_scores for option in table.options(["yinhang"])}
    assert options["bank",][3] < options["shore",][3]
    assert options["bank",][5] > options["shore",][5]
    lm = LanguageModel.load(tmp_path / "model" / "lm1.binary")
    assert "bank" in lm
    assert "shore" not in lm
    translator = Translator(tmp_path / "model")
    texts = [
        translator.reweighted(translator.weights | changed).translate_one("yinhang").text
        for changed in ({"domain_ef": 9.0, "domain_fe": 0.0}, {"domain_ef": 0.0, "domain_fe": 0.0, "lm1": 0.0})
    ]
    assert texts == ["Bank", "Shore"]
    paper = Translator(tmp_path / "model", preset="paper-2006")
    assert {"domain_fe", "domain_ef", "lm1"} <= set(paper.left_out)
    assert paper.features == ["p_fe", "p_ef", "lex_fe", "lex_ef", "lm0", "word_count", "phrase_count", "unknown"]


def test_memory_reaches_both_language_models(
    texts: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: dict[str, int] = {}

    def estimate(sources, model, *, memory, **more):
        limits[Path(model).name] = memory
        return estimate_language_model(sources, model, memory=memory, **more)

    monkeypatch.setattr(training_steps, "estimate_language_model", estimate)
    monkeypatch.setattr(training_lm, "estimate_language_model", estimate)
    news, other = texts
    train(TrainingFiles(bitext=[other], in_domain=[news]), tmp_path / "model", OPTIONS, memory=123 << 20)
    assert limits == {"lm0.binary": 123 << 20, "lm1.binary": 123 << 20}


def test_all_text_in_domain(texts: tuple[Path, Path], tmp_path: Path) -> None:
    news, other = texts
    train(TrainingFiles(in_domain=[other, news]), tmp_path / "model", OPTIONS)
    train(TrainingFiles(bitext=[other, news]), tmp_path / "plain", OPTIONS)
    with PhraseTable.open(tmp_path / "model" / "phrase-table.binary") as table:
        (option, *_) = table.options(["da"])
        assert option.log_scores[2:4] == pytest.approx(option.log_scores[4:])
    assert len(read_manifest(tmp_path / "plain").language_models) == 1


def test_the_command_and_what_is_missing(run, texts: tuple[Path, Path], tmp_path: Path) -> None:
    news, other = texts
    options = ["--source-language", "none", "--order", "2", "--quiet"]
    assert run("train", tmp_path / "m", "--in-domain", news, "--bitext", other, *options)[0] == 0
    assert read_manifest(tmp_path / "m").training["pairs_in_domain"] == 3
    line = refused(run("train", tmp_path / "n", "--in-domain", f"{news}.none", "--bitext", other, *options))
    assert "no such file; the prefix" in line


def test_in_domain_text_of_which_nothing_is_left(texts: tuple[Path, Path], tmp_path: Path) -> None:
    long = write(tmp_path / "long", [("x " * 200, "y " * 200)])
    with pytest.raises(InputError, match=r"/long: no sentence pair of the in-domain text is left; 19 sentence pairs"):
        train(TrainingFiles(bitext=[texts[1]], in_domain=[long]), tmp_path / "model", OPTIONS)
    assert not (tmp_path / "model").exists()


def test_another_part_does_again_what_depends_on_it(texts: tuple[Path, Path], tmp_path: Path) -> None:
    news, other = texts
    train(TrainingFiles(bitext=[other], in_domain=[news]), tmp_path / "one", OPTIONS)
    first = (tmp_path / "one" / "phrase-table.binary").read_bytes()
    train(TrainingFiles(bitext=[news, other]), tmp_path / "two", OPTIONS)
    assert (tmp_path / "two" / "phrase-table.binary").read_bytes() != first
