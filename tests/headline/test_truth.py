"""Sentences with denials, doubts, conditions, restrictions and exceptions: no headline of them may lose these words.

In `truth.txt`, [brackets] mark words that must stay, in some form, in every headline that contains the word in
{braces}. All strings of an expression are too many; two hundred are drawn, each choice at random.
"""

import random
import re
from pathlib import Path

import pytest

from tests.headline.parses import words
from tests.headline.test_guards import drawn
from widl.headline.clause_expression import ClauseExpression
from widl.headline.deletion_model import DeletionModel
from widl.headline.document_trees import DocumentTrees
from widl.headline.length_options import LengthLimit
from widl.headline.units import UnitTree
from widl.headline.word_forms import WordForms
from widl.headline.words import keys_of

MARKED = (Path(__file__).parents[1] / "data" / "truth.txt").read_text(encoding="utf-8").splitlines()


_STEM = 5  # letters shared by the forms of a verb


def plain(marked: str) -> str:
    return re.sub(r"[\[\]{}]", "", marked)


@pytest.mark.parametrize("marked", MARKED)
def test_no_headline_loses_what_makes_it_true(marked: str) -> None:
    stays = {key for part in re.findall(r"\[(.*?)\]", marked) for key in keys_of(part)} - {"a", "an", "the"}
    [said] = keys_of(re.findall(r"\{(.*?)\}", marked)[0])
    tree = UnitTree(words(plain(marked))[0])
    result = ClauseExpression.of(DocumentTrees([tree], DeletionModel({}, {}), WordForms({}, {})), LengthLimit(words=14))
    assert result is not None
    rng = random.Random(1)
    count = 0
    for _ in range(200):
        string = drawn(result.expression, rng)
        if said in string:
            count += 1
            assert {key[:_STEM] for key in stays} <= {word[:_STEM] for word in string}, string
    assert count
