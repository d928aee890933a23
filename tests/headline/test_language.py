"""Warnings about texts that are not English."""

import pytest

from widl.headline.language import english_warning, news_warning

ENGLISH = [
    "Rain",
    "Police arrest three men.",
    "Central bank raises rates",
    "Boston Red Sox star David Ortiz won his sixth career Silver Slugger Award as a designated hitter on Wednesday.",
    "FREIGHT TRAIN CARRYING GRAIN DERAILS NEAR A CREEK EARLY ON FRIDAY, AND NOBODY IS HURT, THE COUNTY SAYS.",
    "Ajax 2 Feyenoord 1; PSV 3 Twente 3; Utrecht 0 Heerenveen 1; Sparta 2 Groningen 2",
]
OTHERS = [
    ("Die Regierung hat am Montag beschlossen, die Steuern im kommenden Jahr zu senken, sagte der Minister.", "'de'"),
    ("Le ministre a annoncé que son parti présentera une loi sur les retraites avant le mois de mai.", "'fr'"),
    ("El gobierno anunció el lunes una rebaja de impuestos para las familias más pobres del país.", "'es'"),
    ("La police a arrêté trois hommes.", "'fr'"),
    ("La banque centrale relève ses taux d'intérêt.", "'fr'"),
    ("Der Bundestag hat ein neues Gesetz beschlossen.", "'de'"),
    ("警方正在调查与爆炸有关的司机。", "another script"),
]


@pytest.mark.parametrize("text", ENGLISH)
def test_no_warning_for_english(text: str) -> None:
    assert english_warning(text) == ""


@pytest.mark.parametrize(("text", "why"), OTHERS)
def test_other_languages_are_told(text: str, why: str) -> None:
    assert why in english_warning(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Oper shr 12 cts vs 10\nNet 4.1 mln vs 3.9 mln\nRevs 80 mln vs 75.2 mln\nYear\nNet 16 mln", "a table"),
        ("# Weights\n[tuning]\nstart = 'old.toml'\nsizes = [1, 2]\n\nbleu = true", "a file of settings"),
        ("beam = 3", "a file of settings"),
        ("Things to buy\nbread\nfour eggs\na bag of flour\nmilk", "a list"),
    ],
)
def test_a_table_settings_and_a_list_are_no_news(text: str, kind: str) -> None:
    assert news_warning(text) == f"seems to be {kind}, no news"


def test_news_with_figures_and_a_heading_is_news() -> None:
    text = "Bank raises rates\nThe bank raised its rate by 0.25 points to 4.75 percent in May.\nIt was the third rise."
    assert news_warning(text) == ""
    assert news_warning("At the fair, 2 + 2 = 5 was written on a wall.\n[Photo: Ann]\nNobody knows who did it.") == ""
