"""The spaCy component, and headlines of documents that spaCy has parsed."""

import pickle
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc

from widl import Document, HeadlineOptions, Headliner, HeadlineTraining, InputError, train_headlines
from widl.headline import spacy_component
from widl.headline.budget import Budget
from widl.headline.parsing import SHIPPED, parsed_document
from widl.headline.spacy_component import NAME, HeadlineComponent, headline_options

TEXT = "The Bank of Japan raised its interest rate on Friday. Officials said that prices were rising."


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("headlines")
    (folder / "text").write_text("The Bank of Japan raised rates .\nIran attacked three tankers .\n", encoding="utf-8")
    train_headlines(HeadlineTraining(pairs=(), text=[folder / "text"], parser=str(SHIPPED)), folder / "model")
    return folder / "model"


@pytest.fixture(scope="module")
def pipeline():
    return spacy.load(SHIPPED)


def test_a_parsed_text(pipeline) -> None:
    parsed = parsed_document(pipeline(TEXT))
    assert [" ".join(token.text for token in sentence) for sentence in parsed.sentences] == [
        "The Bank of Japan raised its interest rate on Friday .",
        "Officials said that prices were rising .",
    ]
    assert [token.relation for token in parsed.sentences[0]].count("root") == 1
    assert "".join(token.text + " " * token.space for token in parsed.sentences[0]).strip() in TEXT
    assert len(parsed_document(pipeline(TEXT), words=3).sentences) == 1


def test_the_parse_is_that_of_the_parser(pipeline, model) -> None:
    [expected] = Headliner(model).parse([Document("doc", TEXT)])
    assert parsed_document(pipeline(TEXT)) == expected


def test_white_space_is_left_out() -> None:
    vocab = spacy.blank("en").vocab
    doc = Doc(
        vocab,
        words=["Rates", "\n\n", "rose", "today"],
        spaces=[False, False, True, False],
        heads=[1, 2, 2, 1],
        deps=["nsubj", "dep", "ROOT", "obl"],
        pos=["NOUN", "SPACE", "VERB", "NOUN"],
    )
    [sentence] = parsed_document(doc).sentences
    assert [(token.text, token.head, token.relation, token.space) for token in sentence] == [
        ("Rates", 1, "nsubj", True),
        ("rose", 1, "root", True),
        ("today", 1, "obl", False),
    ]


def test_clear_labels_become_universal() -> None:
    vocab = spacy.blank("en").vocab
    doc = Doc(
        vocab,
        words=["It", "is", "good"],
        heads=[1, 1, 1],
        deps=["nsubj", "ROOT", "acomp"],
        pos=["PRON", "AUX", "ADJ"],
        lemmas=["it", "be", "good"],
    )
    [sentence] = parsed_document(doc).sentences
    assert [token.relation for token in sentence] == ["nsubj", "cop", "root"]


def test_the_headline_of_a_doc(pipeline, model) -> None:
    headliner = Headliner(model)
    options = HeadlineOptions(budget=Budget(words=4))
    found = headliner.of_doc(pipeline(TEXT), options)
    assert 0 < len(found.text.split()) <= 4
    assert found.text == headliner.headline(TEXT, options).text
    assert headliner.of_doc(pipeline("")).failed


def test_a_text_without_a_parse(model) -> None:
    with pytest.raises(InputError, match="a spaCy document without DEP and POS: headlines need dependencies"):
        Headliner(model).of_doc(spacy.blank("en")("A text."))


def test_the_component(model) -> None:
    nlp = spacy.load(SHIPPED)
    config = {"model": str(model), "options": {"budget": {"words": 5}, "sentences": 1}}
    nlp.add_pipe(NAME, config=config)
    expected = Headliner(model).headline(TEXT, HeadlineOptions(budget=Budget(words=5), sentences=1)).text
    assert nlp(TEXT)._.headline == expected
    assert [doc._.headline for doc in nlp.pipe([TEXT, ""])] == [expected, ""]
    component = nlp.get_pipe(NAME)
    assert isinstance(component, HeadlineComponent)
    copy = pickle.loads(pickle.dumps(component))
    assert copy(spacy.load(SHIPPED)(TEXT))._.headline == expected


def test_the_component_by_path(model, pipeline) -> None:
    assert HeadlineComponent(model)(pipeline(TEXT))._.headline == Headliner(model).headline(TEXT).text


def test_a_component_without_a_model() -> None:
    with pytest.raises(InputError, match="widl_headline: no model; give a directory made by 'widl headline train'"):
        spacy.blank("en").add_pipe(NAME)


@pytest.mark.parametrize("options", [{"keyword": 3}, {"budget": {"word": 3}}])
def test_unknown_options(options) -> None:
    with pytest.raises(InputError, match=r"widl_headline: unknown option '(keyword|word)'; did you mean '\w+'\?"):
        headline_options(options)


def test_the_entry_point_names_the_factory() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    factories = project["project"]["entry-points"]["spacy_factories"]
    assert factories == {NAME: "widl.headline.spacy_component:make_headline_component"}
    assert hasattr(spacy_component, "make_headline_component")


def test_the_component_says_what_is_odd(model, pipeline) -> None:
    component = HeadlineComponent(model)
    french = "Le président de la République a annoncé lundi que les impôts ne seront pas augmentés cette année."
    found = component(pipeline(french))
    expected = Headliner(model).headline(french)
    assert (found._.headline, found._.headline_message) == (expected.text, expected.message)
    assert "English" in found._.headline_message  # a warning
    empty = component(pipeline("..."))
    assert empty._.headline == ""
    assert empty._.headline_message
    assert component(pipeline(TEXT))._.headline_message == ""


@pytest.mark.parametrize("name", ["headline", "headline_message"])
def test_an_extension_of_the_users_is_not_shadowed(model, monkeypatch, name) -> None:
    monkeypatch.setattr(spacy_component, "_set_here", set())
    for extension in ("headline", "headline_message"):
        if Doc.has_extension(extension):
            Doc.remove_extension(extension)
    Doc.set_extension(name, getter=lambda doc: doc[0].text)
    try:
        with pytest.raises(InputError, match=rf"doc\._\.{name} is an extension of yours; rename it, or remove it"):
            HeadlineComponent(model)
    finally:
        Doc.remove_extension(name)
    HeadlineComponent(model)
    HeadlineComponent(model)


def test_worker_processes_of_a_script_without_a_guard(model, tmp_path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        f"from widl import Document, Headliner\n"
        f"documents = [Document(str(i), {TEXT!r}) for i in range(40)]\n"
        f"headliner = Headliner({str(model)!r})\n"
        f"print(*[headline.text for headline in headliner.generate(documents, threads=2)], sep='\\n')\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300, check=False)
    assert done.stderr == ""
    assert set(done.stdout.splitlines()) == {Headliner(model).headline(TEXT).text}
    assert done.stdout.count("\n") == 40
