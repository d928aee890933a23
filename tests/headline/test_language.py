"""Which texts get a warning that they are not English."""

import pytest

from widl.headline.language import why_not_english

ENGLISH = [
    "Rain",
    "Boston Red Sox star David Ortiz won his sixth career Silver Slugger Award as a designated hitter on Wednesday.",
    "FREIGHT TRAIN CARRYING GRAIN DERAILS NEAR A CREEK EARLY ON FRIDAY, AND NOBODY IS HURT, THE COUNTY SAYS.",
    "Ajax 2 Feyenoord 1; PSV 3 Twente 3; Utrecht 0 Heerenveen 1; Sparta 2 Groningen 2",
]
OTHERS = [
    ("Die Regierung hat am Montag beschlossen, die Steuern im kommenden Jahr zu senken, sagte der Minister.", "'de'"),
    ("Le ministre a annoncé que son parti présentera une loi sur les retraites avant le mois de mai.", "'fr'"),
    ("El gobierno anunció el lunes una rebaja de impuestos para las familias más pobres del país.", "'es'"),
    ("警方正在调查与爆炸有关的司机。", "another script"),
]


@pytest.mark.parametrize("text", ENGLISH)
def test_no_warning_for_english(text: str) -> None:
    assert why_not_english(text) == ""


@pytest.mark.parametrize(("text", "why"), OTHERS)
def test_other_languages_are_told(text: str, why: str) -> None:
    assert why in why_not_english(text)
