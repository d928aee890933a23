"""All-caps texts: lowercases all words except names, based on the training text and the text itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.headline.casing import Casing
from widl.headline.words import Word

FORMS = {"train": "train", "carrying": "carrying", "in": "in", "ghent": "Ghent", "said": "said", "derails": "derails"}


def sentence(text: str) -> list[Word]:
    """Words that depend on the first one."""
    texts = [(text.strip("."), "." * text.endswith(".")) for text in text.split()]
    return [Word(text, text.lower(), text.lower(), "NOUN", 0, "dep", closing=closing) for text, closing in texts]


RECASED = [
    (
        "FREIGHT TRAIN CARRYING GRAIN DERAILS IN GHENT.\nThe IAEA said.",
        "Freight train carrying grain derails in Ghent.\nThe IAEA said.",
    ),
    ("The IAEA said BP was paid.", "The IAEA said BP was paid."),
    ("MARIA SILVA won in Ghent.", "Maria Silva won in Ghent."),
    ("IAEA and UN met.", "IAEA and UN met."),
    (
        "TRAIN DERAILS IN NORVIK, UN SAID\nIn Norvik, the UN said so.",
        "Train derails in Norvik, UN said\nIn Norvik, the UN said so.",
    ),
    (
        'THE 747 IN GHENT. "DERAILS" SAID U.S. TRAIN\'S CREW-IN-GHENT.',
        'The 747 in Ghent. "Derails" said U.S. train\'s Crew-in-Ghent.',
    ),
]


@pytest.mark.parametrize(("text", "recased"), RECASED)
def test_words_in_capitals_get_the_form_that_training_or_the_text_knows(text: str, recased: str) -> None:
    assert Casing(FORMS).recased(text) == recased


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
