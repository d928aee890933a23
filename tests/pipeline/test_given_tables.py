"""Models made from existing tables, alone or with the bitext's, as alternatives and as back-off."""

import io
from math import log
from pathlib import Path

import pytest

from tests.command import refused
from tests.reference.arpa import arpa_text
from widl.common.errors import InputError
from widl.phrase_table import import_moses
from widl.pipeline.given_models import GivenTable, make_model
from widl.pipeline.training import train
from widl.pipeline.training_files import TrainingFiles
from widl.pipeline.training_options import TrainingOptions
from widl.text.cleaning import Cleaning
from widl.text.source_and_target import TextSettings
from widl.translation import TranslationOptions, Translator
from widl.translation.manifest import read_manifest

BLANKS = TextSettings(source_language="none", target_language="none")
FIRST = "a ||| x ||| 0.5 0.5 0.5 0.5\na b ||| x y ||| 0.25 0.5 0.5 0.5\n"
SECOND = "a ||| z ||| 0.25 0.125 0.5 0.5\nb ||| y ||| 1 1 1 1\nb c ||| w ||| 1 1 1 1\n"
LM = arpa_text(["-1\t<unk>", "-99\t<s>\t0", "-1\t</s>", "-1\tx", "-1\ty", "-1\tz", "-1\tw"], ["-1\t<s> x"])
ALL = TranslationOptions(tokenized=True, nbest=1000, distinct=False, search="astar", unknown="copy", distortion_limit=0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("first", FIRST), ("second", SECOND), ("lm.arpa", LM)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    import_moses(io.BytesIO(SECOND.encode()), tmp_path / "second.binary")
    return tmp_path


def phrases(model: Path, line: str) -> dict[tuple[str, ...], list[float]]:
    """Maps the phrases of each derivation to the sums of the tables' scores."""
    translator = Translator(model)
    names = translator.features[:8]
    result = {}
    for candidate in translator.translate_one(line, ALL).nbest:
        key = tuple(" ".join(phrase.words) for phrase in candidate.phrases)
        result[key] = [candidate.features[name] for name in names]
    return result


@pytest.mark.parametrize("second", ["second", "second.binary"])
def test_alternatives_have_features_of_their_own(folder: Path, second: str) -> None:
    tables = [GivenTable(folder / "first"), GivenTable(folder / second)]
    manifest = make_model(folder / "model", tables, [folder / "lm.arpa"], text=BLANKS)
    assert manifest.features[:8] == ["p_fe", "p_ef", "lex_fe", "lex_ef", "t1_p_fe", "t1_p_ef", "t1_lex_fe", "t1_lex_ef"]
    half = log(0.5)
    assert phrases(folder / "model", "a b") == {
        ("x y",): pytest.approx([2 * half, half, half, half, 0, 0, 0, 0], abs=1e-6),
        ("x", "y"): pytest.approx([half, half, half, half, 0, 0, 0, 0], abs=1e-6),
        ("z", "y"): pytest.approx([0, 0, 0, 0, 2 * half, half, 3 * half, half], abs=1e-6),
    }
    translator = Translator(folder / "model")
    weights = translator.weights
    assert all(weights[f"t1_{name}"] == weights[name] for name in ("p_fe", "p_ef", "lex_fe", "lex_ef"))


def test_back_off_stands_where_the_first_has_nothing(folder: Path) -> None:
    tables = [GivenTable(folder / "first"), GivenTable(folder / "second", "back-off")]
    make_model(folder / "model", tables, [folder / "lm.arpa"], text=BLANKS)
    assert phrases(folder / "model", "a b").keys() == {("x y",), ("x", "y")}
    assert phrases(folder / "model", "a b c").keys() == {("x y", "c"), ("x", "y", "c"), ("x", "w")}


def test_words_of_the_second_table_have_their_links(folder: Path) -> None:
    (folder / "second").write_text("a b ||| w z ||| 1 1 1 1 ||| 0-1 1-0\n", encoding="utf-8")
    make_model(
        folder / "model",
        [GivenTable(folder / "first"), GivenTable(folder / "second")],
        [folder / "lm.arpa"],
        text=BLANKS,
    )
    translator = Translator(folder / "model")
    (result,) = (c for c in translator.translate_one("a b", ALL).nbest if c.words == ["w", "z"])
    assert result.alignment(lambda phrase: translator.tables.links(("a", "b"), phrase)) == [(0, 1), (1, 0)]


@pytest.mark.slow
def test_a_table_beside_the_bitext(text: Path, folder: Path) -> None:
    options = TrainingOptions(cleaning=Cleaning(content=False), order=2, text=TextSettings(source_language="none"))
    (folder / "more").write_text("quux ||| bar ||| 1 1\n", encoding="utf-8")
    train(TrainingFiles(bitext=[text], phrase_table=[folder / "more"]), folder / "model", options)
    assert read_manifest(folder / "model").table_scores[4:] == ("t1_score1", "t1_score2")
    translator = Translator(folder / "model")
    assert translator.translate_one("quux").text == "Bar"


def test_on_the_command_line(run, folder: Path) -> None:
    tables = ["--phrase-table", folder / "first", "--phrase-table", folder / "second"]
    given = [*tables, "--lm", folder / "lm.arpa"]
    languages = ["--source-language", "none", "--target-language", "none"]
    assert run("train", "--quiet", folder / "model", *given, *languages)[0] == 0
    assert read_manifest(folder / "model").further_tables[0].use == "alternatives"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--phrase-table", "first"], "a model needs a language model; give one"),
        (["--phrase-table", "nowhere", "--lm", "lm.arpa"], "nowhere: no such file"),
        (
            ["--phrase-table", "first", "--lm-text", "first"],
            "lm-text: a model without --bitext does not read it; leave it out",
        ),
    ],
)
def test_what_makes_no_model(run, folder: Path, arguments: list[str], message: str, monkeypatch) -> None:
    monkeypatch.chdir(folder)
    before = sorted(folder.iterdir())
    assert refused(run("train", "--quiet", "model", *arguments)).startswith(message)
    assert sorted(folder.iterdir()) == before


def test_a_model_that_is_made_already(folder: Path) -> None:
    """Repeating the call reports that the model is done; a different call is refused."""
    tables = [GivenTable(folder / "first"), GivenTable(folder / "second")]
    result = make_model(folder / "model", tables, [folder / "lm.arpa"], text=BLANKS)
    assert make_model(folder / "model", tables, [folder / "lm.arpa"], text=BLANKS) == result
    with pytest.raises(InputError, match="holds a model already; add --overwrite"):
        make_model(folder / "model", tables[:1], [folder / "lm.arpa"], text=BLANKS)
