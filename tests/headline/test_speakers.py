"""Referents of *it*, *he* and *they* in reported speech, as parsed by the shipped parser."""

import pytest

from tests.headline.parses import words
from widl.headline.speakers import with_speaker
from widl.headline.units import UnitTree

CASES = [
    ("The bank said on Monday it will sell its branches.", "the bank will sell its branches"),
    ("Norvik Inc said it had closed a plant in Peru.", "Norvik Inc had closed a plant in Peru"),
    ("Maria Silva said she would resign in May.", "Maria Silva would resign in May"),
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
