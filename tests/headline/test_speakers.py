"""Referents of *it*, *he* and *they* in reported speech, as parsed by the shipped parser."""

import pytest

from tests.headline.parses import words
from widl.headline.speakers import ATTRIBUTION, announced, with_speaker
from widl.headline.units import UnitTree

CASES = [
    ("The bank said on Monday it will sell its branches.", "the bank will sell its branches"),
    ("Norvik Inc said it had closed a plant in Peru.", "Norvik Inc had closed a plant in Peru"),
    ("Maria Silva said she would resign in May.", "Maria Silva would resign in May"),
    ("BAE Systems said it will close a plant.", "BAE Systems will close a plant"),
    ("The workers said they will strike on Friday.", "the workers will strike on Friday"),
    ("Analysts said it will fall further.", None),
    ("The bank did not say it will close.", None),
    ("The bank may say it will close.", None),
    ("The minister told the bank it will close.", None),
]


@pytest.mark.parametrize(("text", "told"), CASES)
def test_reported_clauses_about_the_speaker(text: str, told: str | None) -> None:
    retold = with_speaker(words(text)[0])
    if told is None:
        assert retold is None
        return
    assert retold is not None
    tree = UnitTree(retold, retold=True)
    below = [u for u in tree.below(0) if tree.content(u).relation != "discourse"]
    above = {u for u in range(len(tree)) if tree.content(u).relation == "discourse"}
    remaining = [u for u in below if not any(u in tree.below(gone) for gone in above)]
    assert " ".join(retold[i].text for i in sorted(i for u in remaining for i in tree.units[u].words)) == told


ATTRIBUTED = [
    ("The mine will close in May, a miner from Peru said on Monday.", "miner", "close"),
    ("The mine is unsafe, according to a study by the bank.", "study", "unsafe"),
    ("According to police, a bus hit a wall.", "police", "hit"),
    ("Acme will close a mine, three people familiar with the matter said.", "sources", "close"),
    ("Oil will rise, banking analyst Jo Smith said.", "analyst", "rise"),
    ("Acme will close a mine, according to a person familiar with the matter.", "source", "close"),
    ("The bank will close two branches, the news agency reported on Monday.", "agency", "close"),
    ("The mine will close, a source from Peru said on Monday.", "source", "close"),
    ("The mine will not close, the miner did not say.", None, "say"),
    ("The mine will close, he said.", None, "said"),
]


@pytest.mark.parametrize(("text", "speaker", "root"), ATTRIBUTED)
def test_a_clause_is_above_the_speaker_behind_it(text: str, speaker: str | None, root: str) -> None:
    [result] = words(text)
    assert [word.text for word in result if word.relation == ATTRIBUTION] == ([speaker] if speaker else [])
    assert next(word.text for i, word in enumerate(result) if word.head == i) == root


ANNOUNCED = [
    ("The bank said on Monday that rates fell.", "bank fell"),
    ("The bank said it will close.", None),
    ("The bank asked whether rates fell.", None),
    ("The bank did not say that rates fell.", None),
    ("The bank said what the state owes.", None),
]


@pytest.mark.parametrize(("text", "parts"), ANNOUNCED)
def test_a_speaker_may_announce_a_clause_that_has_its_own_subject(text: str, parts: str | None) -> None:
    result = announced(words(text)[0])
    if parts is None:
        assert result is None
        return
    assert result is not None
    [speaker] = [word for word in result if word.relation == ATTRIBUTION]
    assert f"{speaker.text} {result[speaker.head].text}" == parts
