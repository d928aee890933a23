"""Beginnings of sentences that are whole."""

import re

import pytest

from tests.headline.parses import words
from tests.headline.test_printed import candidates
from widl.headline.units import UnitTree
from widl.headline.whole_phrases import whole_beginnings


@pytest.mark.parametrize(
    ("text", "whole", "torn"),
    [
        (
            "Oracle takes a deep breath and looks for more money in a legal battle with Dell.",
            ["Oracle takes a deep breath", "Oracle takes a deep breath and looks for more money"],
            ["Oracle takes a", "Oracle takes a deep", "Oracle takes a deep breath and", "in a legal battle with"],
        ),
        (
            "The merger of Acme and Delta will be bigger than the largest rival.",
            ["The merger of Acme and Delta"],
            ["The merger", "will be bigger", "The merger of Acme and Delta will be", "bigger than the"],
        ),
        ("As more adults return to school, prices rise.", [], ["As more adults", "As more adults return"]),
        (
            'The firm called the plan "a very good deal for all of us".',
            [],
            ['called the plan "a very', "a very good deal"],
        ),
    ],
)
def test_a_beginning_ends_with_a_phrase(text: str, whole: list[str], torn: list[str]) -> None:
    tree = UnitTree(words(text)[0])
    ends = whole_beginnings(tree)
    beginnings = [" ".join(word.text for word in tree.words[:end]).lower() for end in ends]
    assert ends == sorted(set(ends))
    assert ends[-1] == len(tree.words)
    assert {beginning.lower() for beginning in whole} <= set(beginnings)
    assert not any(beginning.endswith(part.lower()) for beginning in beginnings for part in torn)


def test_heads_are_inside() -> None:
    tree = UnitTree(words("Miners in Chile and Peru have found a big comet that may become brighter.")[0])
    for end in whole_beginnings(tree):
        assert sum(word.head == i or word.head >= end for i, word in enumerate(tree.words[:end])) == 1


@pytest.mark.parametrize(
    "text", ["The chemical company named Jo Brook chairman of its unit.", "Company building a plant in Ghent."]
)
def test_a_noun_alone_is_no_headline(text: str) -> None:
    assert all(re.search("named|building", headline) for headline in candidates(text, words=20))
