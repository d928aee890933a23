"""Results and their forms: JSON by the published schema, short reprs, pickles, pictures for notebooks."""

import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import widl
from tests.command import widl as run
from widl import HeadlineOptions, Headliner, LanguageModel, RealizationOptions, Realizer, TranslationOptions, Translator
from widl.common.errors import InputError
from widl.decoder import CoreRealizer, FeatureLayout, FeatureVector, RealizationResult, containing
from widl.expressions import bag
from widl.headline.documents import Document
from widl.phrase_table.storage import PhraseTable
from widl.translation import Candidate, TranslatedPhrase, Translation

LINES = ["the cat sat on the mat", "the dog sat on the cat"]
SOURCE = "总统访问法国。"
TEXT = "Iran attacked three tankers in the Gulf on Monday, officials said. Nobody was hurt."


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.estimate(LINES)


@pytest.fixture(scope="module")
def headliner(headlines: Path) -> Iterator[Headliner]:
    with Headliner(headlines) as opened:
        yield opened


# --- JSON ---


def checked(line: str) -> dict[str, object]:
    """The object on a line of JSON."""
    record: dict[str, object] = json.loads(line, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert {"text", "score", "bound", "optimal", "features", "phrases", "states", "edges", "seconds"} <= set(record)
    return record


@pytest.mark.parametrize("nbest", [1, 3])
def test_realized_as_json(model: LanguageModel, nbest: int) -> None:
    result = Realizer([model]).realize_one(bag("sat cat the"), RealizationOptions(nbest=nbest))
    record = checked(result.to_json())
    assert record == json.loads(json.dumps(result.as_dict()))
    assert (record["text"], record["score"], record["features"]) == (result.text, result.score, result.features)
    assert len(record.get("nbest", [result])) == len(result.nbest) == nbest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "arguments", "text"),
    [
        ("realize", ("--nbest", "3"), "∥(a, b, c)\n\n×(c a) b\n"),
        ("order", (), "a b c\n\nc\n"),
        ("order", ("--baseline", "G"), "c a b\n\n"),
    ],
)
def test_commands_of_expressions_print_the_same_keys(tmp_path: Path, command: str, arguments, text: str) -> None:
    from tests.reference.arpa import ARPA

    (tmp_path / "lm.arpa").write_text(ARPA, encoding="utf-8")
    done = run(command, "--lm", tmp_path / "lm.arpa", "--json", *arguments, stdin=text.encode())
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    assert len(lines) == sum(bool(line.strip()) or command == "order" for line in text.splitlines())
    assert all(checked(line) for line in lines)


def test_translate_keeps_to_the_schema(trained: Path) -> None:
    text = f"{SOURCE}\n\n<b>政府\n魑魅\n".encode()
    done = run("translate", trained, "--json", "--nbest", "3", "--markup", "exclusive", stdin=text)
    assert done.returncode == 1  # broken markup
    records = [checked(line) for line in done.stdout.decode().splitlines()]
    assert [record["source"] for record in records][:2] == [["总统", "访问", "法国", "。"], []]
    assert "fault" in records[2]


@pytest.mark.parametrize("system", ["widl", "lead"])
def test_headlines_print_the_same_keys(headlines: Path, tmp_path: Path, system: str) -> None:
    stories = [{"id": "a", "text": TEXT}, {"id": "b", "text": "...!"}]
    (tmp_path / "news.jsonl").write_text("".join(json.dumps(story) + "\n" for story in stories), encoding="utf-8")
    several = ("--nbest", "2") if system == "widl" else ()
    done = run("headline", "generate", headlines, tmp_path / "news.jsonl", "--system", system, "--json", *several)
    records = [checked(line) for line in done.stdout.decode().splitlines()]
    assert [record["id"] for record in records] == ["a", "b"]
    assert (records[1]["score"], records[1]["features"]) == (None, {})
    assert records[1]["message"] == "the document has no words"


def test_there_are_no_infinities_in_json(model: LanguageModel) -> None:
    result = Realizer([model]).realize_one(bag("a"))
    endless = RealizationResult(text="a", nbest=result.nbest, bound=float("inf"), optimal=False, memory=0)
    assert checked(endless.to_json())["bound"] is None


# --- reprs ---


def short(thing: object) -> str:
    text = repr(thing)
    assert len(text) < 400
    assert "\n" not in text
    return text


def test_reprs(model: LanguageModel) -> None:
    realizer = Realizer([model])
    result = realizer.realize_one(bag("the cat sat"), RealizationOptions(record=100))
    assert short(result).startswith("<RealizationResult 'the cat sat' score -")
    assert short(result).endswith(" optimal>")
    assert short(result.best).startswith("<RealizedString 'the cat sat' score ")
    assert short(result.record).startswith("<SearchRecord of ")
    assert short(model) == "<LanguageModel of order 3, estimated>"
    assert short(realizer) == "<Realizer with 1 language model>"
    assert short(containing([["a"]])) == "<Constraint of 2 states>"
    long = Realizer([LanguageModel.estimate(["w " * 500])]).realize_one(bag(["w"] * 300))
    assert "…'" in short(long)
    many = short(bag([f"word{i}" for i in range(1000)]))
    assert many.startswith("<Expression ∥(word0, word1, ")
    assert many.endswith("…>")
    assert re.fullmatch("<6 features: widl -[0-9.]+, lm0 -[0-9.]+, word_count 3, .*>", short(result.best.features))
    assert (Realizer.__name__, CoreRealizer.__name__) == ("Realizer", "Realizer")


# --- pickles ---


def test_pickled(model: LanguageModel) -> None:
    constraint = containing([["cat", "sat"]])
    realizer = Realizer([model], constraint=constraint)
    result = realizer.realize_one(bag("the cat sat"), RealizationOptions(nbest=3))
    again = pickle.loads(pickle.dumps(realizer)).realize_one(bag("the cat sat"), RealizationOptions(nbest=3))
    assert [(item.text, item.score) for item in again.nbest] == [(item.text, item.score) for item in result.nbest]
    assert pickle.loads(pickle.dumps(result)) == result
    for words in (["the", "cat", "sat"], ["sat"], ["dog", "sat"]):
        assert pickle.loads(pickle.dumps(constraint)).accepts(words) == constraint.accepts(words)
        assert pickle.loads(pickle.dumps(model)).score_words(words) == model.score_words(words)
    options = RealizationOptions(search="beam", words=3)
    assert pickle.loads(pickle.dumps([options, bag("a b")])) == [options, bag("a b")]


@pytest.mark.parametrize("name", ["lm.arpa", "lm.arpa.gz", "lm.binary"])
def test_language_models_are_pickled_as_their_files(tmp_path: Path, monkeypatch, name: str) -> None:
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8")
    widl.decoder.estimate_language_model(tmp_path / "text", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    opened = LanguageModel.load(name)
    pickled = pickle.dumps(opened)
    monkeypatch.chdir("/")
    again = pickle.loads(pickled)
    assert again.score_words(["the", "cat"]) == opened.score_words(["the", "cat"])
    assert len(pickled) < 1000
    (tmp_path / name).unlink()
    with pytest.raises(InputError, match="no such file; it must have the same path"):
        pickle.loads(pickled)


def test_models_are_pickled_as_their_files(translator: Translator, headliner: Headliner, trained: Path) -> None:
    result = translator.translate_one(SOURCE, TranslationOptions(nbest=5, lattice=True))
    again = pickle.loads(pickle.dumps(result))
    assert (again.as_dict(), again.source, again.texts) == (result.as_dict(), result.source, result.texts)
    assert (again.lattice.arcs, again.best == result.best) == (result.lattice.arcs, True)
    copied = pickle.loads(pickle.dumps(translator))
    assert copied.translate_one(SOURCE).texts == result.texts[:1]
    assert pickle.loads(pickle.dumps(translator)).translate_one(SOURCE).text == result.text
    headline = headliner.generate_one(TEXT, HeadlineOptions(nbest=2))
    assert pickle.loads(pickle.dumps(headline)) == headline
    assert pickle.loads(pickle.dumps(headliner)).generate_one(TEXT).text == headline.text
    for options in (TranslationOptions(nbest=3), HeadlineOptions(nbest=3)):
        assert pickle.loads(pickle.dumps(options)) == options
    with PhraseTable.open(trained / "phrase-table.binary") as table:
        copy = pickle.loads(pickle.dumps(table))
        assert copy.options(["总统"]) == table.options(["总统"])
        copy.close()
        assert table.options(["总统"])


# --- closing ---


def test_no_headline_after_closing(headlines: Path) -> None:
    with Headliner(headlines) as headliner:
        expected = headliner.generate_one(TEXT).text
        parsed = next(headliner.parse([Document("1", TEXT)]))
        other = headliner.reweighted(headliner.weights)
    headliner.close()
    for use in (
        lambda: headliner.generate_one(TEXT),
        lambda: headliner.generate([]),
        lambda: headliner.parse([]),
        lambda: headliner.keywords(parsed),
        lambda: headliner.reweighted(headliner.weights),
    ):
        with pytest.raises(InputError, match="this headliner is closed; open the model again"):
            use()
    assert other.generate_one(TEXT).text == expected


# --- notebooks ---


def test_a_translation_is_drawn_in_a_notebook() -> None:
    phrases = (TranslatedPhrase(1, 2, ("<i>", "&")), TranslatedPhrase(0, 1, ("b",), unknown=True))
    layout = FeatureLayout(("p",))
    best = Candidate("<i> & b", -1.5, FeatureVector(layout, (-1.0,)), phrases)
    result = Translation(text=best.text, nbest=(best,), source=("甲", "<乙>"), bound=-1.5, optimal=True)
    root = ElementTree.fromstring(result._repr_html_())
    assert [text.text for text in root.iter("text")] == ["甲", "<乙>", "<i> &", "b"]
    assert len(list(root.iter("path"))) == 2
    assert root.findtext("p") == "<i> & b"
    assert "http" not in result._repr_html_()
