"""Warnings about texts that are not English."""

from pathlib import Path

import pytest

from widl.headline.language import english_warning, news_warning
from widl.pipeline.demo import sample_corpus

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
    ("Regeringen præsenterede tirsdag en ny plan for at mindske ledigheden blandt unge.", "'da'"),
    ("De politie heeft drie mannen aangehouden.", "'nl'"),
    ("Politiet har anholdt tre unge mænd.", "0 of 5 words"),
    ("Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt.", "words are"),
    ("Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani.", "words are frequent"),
    ("Shizhang xuanbu, xin de ditie xian jiang zai mingnian kaitong, piao jia bu bian.", "words are frequent"),
    ("asdf qwer zxcv uiop hjkl bnm sdfg erty", "0 of 8 words are frequent in English news"),
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
        ("Wang Xiaoming, Li Na, Zhang Wei, Liu Yang, Chen Jie, Zhao Lei, Sun Li, Zhou Min.", "a list of names"),
        ("Things to buy\nbread\nfour eggs\na bag of flour\nmilk", "a list"),
    ],
)
def test_a_table_settings_and_a_list_are_no_news(text: str, kind: str) -> None:
    assert news_warning(text) == f"seems to be {kind}, no news"


def test_no_english_sentence_is_taken_for_another_language() -> None:
    truth = (Path(__file__).parents[1] / "data" / "truth.txt").read_text(encoding="utf-8").splitlines()
    sample = (sample_corpus() / "train.en").read_text(encoding="utf-8").splitlines()
    texts = [*(line for line in truth if line and not line.startswith("#")), *sample[:1000]]
    assert len(texts) > 1100
    assert [text for text in texts if english_warning(text) or "names" in news_warning(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "Ann Smith beat Jana Novak 6-4, 6-3 in Basel; Mia Rossi beat Eva Lind 7-5, 6-2.",
        "Shares of Aqua SA fell 4.2 percent to 11.30 euros in Milan, and those of Berg AG rose 3.1 percent.",
        "Wang Xiaoming, Li Na and Zhang Wei of Hangzhou won gold in Beijing.",
        "Boston Red Sox Win Game Six Of World Series Against St. Louis Cardinals At Fenway Park",
        "Zverev downs Ruud; Tsitsipas, Rublev and Hurkacz advance to Turin's last four",
    ],
)
def test_english_of_names_and_numbers_is_english(text: str) -> None:
    assert english_warning(text) == ""
    assert "names" not in news_warning(text)


def test_news_with_figures_and_a_heading_is_news() -> None:
    text = "Bank raises rates\nThe bank raised its rate by 0.25 points to 4.75 percent in May.\nIt was the third rise."
    assert news_warning(text) == ""
    assert news_warning("At the fair, 2 + 2 = 5 was written on a wall.\n[Photo: Ann]\nNobody knows who did it.") == ""
