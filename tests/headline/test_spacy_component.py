"""The spaCy component."""

import pickle
import tomllib
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc

from widl import HeadlineOptions, Headliner, HeadlineTraining, InputError, train_headlines
from widl.headline import spacy_component
from widl.headline.budget import Budget
from widl.headline.spacy_component import NAME, HeadlineComponent, headline_options

TEXT = "The Bank of Japan raised its interest rate on Friday. Officials said that prices were rising."


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("headlines")
    (folder / "text").write_text("The Bank of Japan raised rates .\nIran attacked three tankers .\n", encoding="utf-8")
    train_headlines(HeadlineTraining(pairs=(), text=[folder / "text"]), folder / "model")
    return folder / "model"


def test_the_component(model) -> None:
    nlp = spacy.blank("en")
    config = {"model": str(model), "options": {"budget": {"words": 5}, "sentences": 1}}
    nlp.add_pipe(NAME, config=config)
    expected = Headliner(model).headline(TEXT, HeadlineOptions(budget=Budget(words=5), sentences=1)).text
    assert nlp(TEXT)._.headline == expected
    assert [doc._.headline for doc in nlp.pipe([TEXT, ""])] == [expected, ""]
    component = nlp.get_pipe(NAME)
    assert isinstance(component, HeadlineComponent)
    copy = pickle.loads(pickle.dumps(component))
    assert copy(nlp.make_doc(TEXT))._.headline == expected


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


def test_the_component_says_what_is_odd(model) -> None:
    component = HeadlineComponent(model)
    french = "Le président de la République a annoncé lundi que les impôts ne seront pas augmentés cette année."
    found = component(spacy.blank("en")(french))
    expected = Headliner(model).headline(french)
    assert (found._.headline, found._.headline_message) == (expected.text, expected.message)
    assert "English" in found._.headline_message  # a warning
    empty = component(spacy.blank("en")("..."))
    assert empty._.headline == ""
    assert empty._.headline_message
    assert component(spacy.blank("en")(TEXT))._.headline_message == ""


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
