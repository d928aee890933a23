"""All-caps texts: lowercases all words except names, based on the training text and the text itself."""

from hypothesis import given
from hypothesis import strategies as st

from widl.headline.casing import Casing
from widl.headline.words import Word

FORMS = {"train": "train", "carrying": "carrying", "in": "in", "ghent": "Ghent", "said": "said", "derails": "derails"}


def sentence(text: str) -> list[Word]:
    """Words that depend on the first one."""
    texts = [(text.strip("."), "." * text.endswith(".")) for text in text.split()]
    return [Word(text, text.lower(), text.lower(), "NOUN", 0, "dep", closing=closing) for text, closing in texts]


def test_paragraphs_in_capitals_are_recased_and_others_stay() -> None:
    text = "FREIGHT TRAIN CARRYING GRAIN DERAILS IN GHENT.\nThe IAEA said BP was paid."
    assert Casing(FORMS).recased(text) == "Freight train carrying grain derails in Ghent.\nThe IAEA said BP was paid."


def test_names_in_capitals_at_the_beginning() -> None:
    casing = Casing(FORMS)
    assert casing.recased("MARIA SILVA won in Ghent.") == "Maria Silva won in Ghent."
    assert casing.recased("IAEA and UN met.") == "IAEA and UN met."


def test_a_text_tells_the_forms_of_its_own_words() -> None:
    text = "GRAIN TRAIN DERAILS IN NORVIK, UN SAID\nA train with grain derailed near Norvik, the UN said."
    assert Casing(FORMS).recased(text).split("\n")[0] == "Grain train derails in Norvik, UN said"


def test_numbers_and_abbreviations_stay_and_sentences_begin_with_a_capital() -> None:
    recased = Casing(FORMS).recased('THE 747 IN GHENT. "DERAILS" SAID U.S. TRAIN\'S CREW-IN-GHENT.')
    assert recased == 'The 747 in Ghent. "Derails" said U.S. train\'s Crew-in-Ghent.'


def test_the_usual_form_is_counted_within_sentences() -> None:
    sentences = [sentence("Ghent banks in Ghent closed. Banks in Ghent paid"), sentence("A BANK IN LILLE FELL")] * 2
    assert Casing.trained(sentences).forms == {
        "banks": "banks",
        "closed": "closed",
        "ghent": "Ghent",
        "in": "in",
        "paid": "paid",
    }


def test_unknown_words_have_a_capital_if_most_words_that_end_so_have() -> None:
    casing = Casing({"belgrade": "Belgrade", "trade": "trade", "parade": "parade", "norvik": "Norvik"})
    assert casing.recased("A BRIGADE IN REYKVIK FELL").split()[1:4] == ["brigade", "In", "Reykvik"]


@given(st.text(alphabet="AbC .-'\n1", max_size=60))
def test_only_letters_change(text: str) -> None:
    assert Casing(FORMS).recased(text).lower() == text.lower()
