"""Shorter forms: initials, names for descriptions, nouns and verbs that are passed over; their counts by hand."""

import importlib
import re

import pytest

from tests.headline.parses import words
from tests.headline.test_printed import candidates
from tests.headline.test_training_scripts import script
from widl.headline.abbreviations import abbreviate
from widl.headline.guards import guarded
from widl.headline.shorter_forms import (
    ShorterForms,
    apposed_name,
    bypassed_noun,
    bypassed_verb,
    initials_of,
    plain_initials,
    shorter_forms,
    without_people,
)
from widl.headline.units import UnitTree

FORMS = ShorterForms({"version": (2, 8)}, {"agree": (9, 21), "plan": (4, 9)}, (5, 15), {"united states": "U.S."})


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probabilities that do not depend on the package's counts."""
    for name in ("shorter_forms", "clause_expression", "abbreviations"):
        monkeypatch.setattr(importlib.import_module(f"widl.headline.{name}"), "shorter_forms", lambda: FORMS)


def test_shares_by_hand() -> None:
    assert FORMS.noun("version") == pytest.approx(8 / 12)
    assert FORMS.verb("agree") == pytest.approx(21 / 32)
    assert FORMS.verb("plan") == 0  # too rare
    assert FORMS.description == pytest.approx(15 / 22)
    assert ShorterForms({"city": (9, 3)}, {}, (0, 0), {}).noun("city") == 0  # too rare
    assert ShorterForms({"city": (50, 4)}, {}, (0, 0), {}).noun("city") == 0  # too improbable


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("Shops opened to meet demand for the latest version of the game.", "Shops open to meet demand for game"),
        ("Acme has agreed to pay a fine to a bank.", "Acme to pay fine to bank"),
        ("The island's largest airline, Acme, has sold two ships.", "Acme sells two ships"),
        (
            "A judge rejected a bid to depose the bank's former chief, Jon Brook.",
            "Judge rejects bid to depose Jon Brook",
        ),
        ("The United States has sold two ships.", "U.S. sells two ships"),
        ("A flood killed at least 40 people in Peru on Monday.", "Flood kills at least 40 in Peru"),
        ("Police arrested 12 people near Oslo.", "Police arrest 12 near Oslo"),
    ],
)
def test_a_shorter_headline(text: str, headline: str) -> None:
    assert headline in candidates(text, words=10)


@pytest.mark.parametrize(
    "text",
    [
        "The firm has not sold any version of the game.",
        "The firm has not sold the latest version of the game.",
        "The firm never sold the latest version of the game.",
        "The firm sold no version of the game.",
        "The firm has sold two versions of the game.",
        "The firm has sold several versions of the game.",
        "The firm has sold the first version of the game.",
        "The firm has secured the release of the sailors.",
        "The senate blocked the confirmation of the judge.",
        "The firm sold a part of the mine.",
    ],
)
def test_nouns_that_truth_needs_stay(text: str) -> None:
    tree = UnitTree(words(text)[0])
    guards = guarded(tree)
    assert all(bypassed_noun(tree, guards, number) is None for number in range(len(tree)))


@pytest.mark.parametrize(
    "text",
    [
        "Acme has not agreed to pay.",
        "Acme asked the bank to pay.",
        "Acme may agree to pay.",
        "Acme agreed in principle to pay.",
        "Acme only agreed to pay if the bank sold its ships.",
    ],
)
def test_verbs_that_truth_needs_stay(text: str) -> None:
    tree = UnitTree(words(text)[0])
    guards = guarded(tree)
    assert all(bypassed_verb(tree, guards, number) is None for number in range(len(tree)))


@pytest.mark.parametrize(
    "text",
    [
        "The two largest airlines, Acme and Delta, have sold ships.",
        "Acme, the island's largest airline, has sold ships.",
        "The airline has sold ships, planes and trains.",
    ],
)
def test_several_names_do_not_stand_for_one_description(text: str) -> None:
    tree = UnitTree(words(text)[0])
    guards = guarded(tree)
    assert all(apposed_name(tree, guards, number) is None for number in range(len(tree)))


@pytest.mark.parametrize(
    "text",
    [
        "A flood killed 40 miners in Peru on Monday.",  # 40 of what
        "The president spoke to 40 people near Oslo.",
        "Police did not arrest 12 people near Oslo.",
        "A flood killed the 40 people of the town.",
    ],
)
def test_numbers_that_do_not_stand_for_people(text: str) -> None:
    [sentence] = words(text)
    tree = UnitTree(sentence)
    assert all(not without_people(tree, guarded(tree), k) for k in range(len(tree)))


def test_initials_of_another_name_are_not_used() -> None:
    text = "The United States has sold a ship to the US (Union of Sailors)."
    [sentence] = words(text)
    assert "United" in " ".join(word.text for word in abbreviate([sentence], text)[0])
    other = "The United States has sold a ship."
    [sentence] = words(other)
    assert [word.text for word in abbreviate([sentence], other)[0]][:3] == ["the", "U.S.", "has"]


def test_the_package_has_counts() -> None:
    forms = importlib.reload(importlib.import_module("widl.headline.shorter_forms")).shorter_forms()
    assert forms.description
    assert all(re.fullmatch(r"[A-Z.]{2,8}", initials) for initials in forms.initials.values())
    for phrase, initials in forms.initials.items():
        assert initials_of(phrase.split()) == plain_initials(initials)
    assert shorter_forms is not None


def test_counts_of_a_headline_by_hand() -> None:
    make = script("shorter_forms/make_shorter_forms.py")
    texts = {
        "Shops sell game": "Shops sold the new version of the game on Monday.",
        "Shops sell version of game": "Shops sold the new version of the game on Monday.",
        "Acme to pay fine": "Acme has agreed to pay a fine.",
        "Acme agrees to pay fine": "Acme has agreed to pay a fine.",
        "Acme sells ships": "The largest airline, Acme, has sold ships.",
    }
    make.FEWEST = 1
    table = make.counted((headline, words(text)) for headline, text in texts.items())
    assert table == {"nouns": {"version": [1, 1]}, "verbs": {"agree": [1, 1]}, "descriptions": [0, 1]}


def test_initials_are_counted() -> None:
    make = script("shorter_forms/make_shorter_forms.py")
    counts = make.InitialsCounts()
    for _ in range(4):
        counts.add("UN calls for talks", "The United Nations called for talks.")
    counts.add("United Nations calls for talks", "The United Nations called for talks.")
    for _ in range(3):
        counts.add("EU calls for talks", "The European Union called for talks.")
    assert counts.table() == {"united nations": "UN"}
