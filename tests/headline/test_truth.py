"""Sentences with denials, doubts, conditions, restrictions and exceptions: no headline of them may lose these words.

Each has the words that stay wherever a headline has the word after the bar. All strings of an expression are too many;
two hundred are drawn, each choice at random.
"""

import random
from functools import cache

import pytest

from tests.headline.test_guards import drawn
from widl.headline.budget import Budget
from widl.headline.cut_model import CutModel
from widl.headline.documents import Document
from widl.headline.headline_forms import HeadlineForms
from widl.headline.parsing import SHIPPED, Parser
from widl.headline.sentence_expression import CutModels, SentenceTrees, sentence_expression
from widl.headline.units import UnitTree
from widl.headline.verbs import VerbForms
from widl.headline.words import sentences_of

SENTENCES = [
    ("The factory is no longer making cars for export.", "no longer", "making"),
    ("The army did not enter the village on Monday.", "not", "enter"),
    ("The minister never met the ambassador in Lisbon.", "never", "met"),
    ("The storm hardly damaged the harbour last night.", "hardly", "damaged"),
    ("Under no circumstances will the union accept the offer.", "no circumstances", "accept"),
    ("Neither bank has reported a loss this year.", "neither", "reported"),
    ("The council failed to approve the budget on Tuesday.", "failed to", "approve"),
    ("The firm refused to pay its suppliers in May.", "refused to", "pay"),
    ("The company is unlikely to meet its target this year.", "unlikely to", "meet"),
    ("The court declined to hear the appeal of the bank.", "declined to", "hear"),
    ("The two sides have not yet signed the treaty.", "not", "signed"),
    ("The club may sell its stadium next summer.", "may", "sell"),
    ("The government might close two ports in the north.", "might", "close"),
    ("The airline could cut a thousand jobs this winter.", "could", "cut"),
    ("The driver allegedly stole the lorry from a yard.", "allegedly", "stole"),
    ("The general reportedly fled the capital on Friday.", "reportedly", "fled"),
    ("The bridge nearly collapsed during the flood.", "nearly", "collapsed"),
    ("The mayor will resign if the court convicts him.", "if", "resign"),
    ("The strike will go on unless the owners raise pay.", "unless", "strike"),
    ("The shops will stay shut until the water falls.", "until", "shut"),
    ("The firm would move to Ghent only if rents fell.", "if", "move"),
    ("The firm recalls all cars sold in Canada.", "sold in canada", "cars"),
    ("She won the only major title that had eluded her.", "only", "title"),
    ("Sweden has beaten all teams except Norway this year.", "except norway", "beaten"),
    ("Most of the victims were children from the valley.", "of", "victims"),
    ("Only three of the mines will reopen in spring.", "only", "three"),
    ("Half of the bridges in the province are unsafe.", "of", "bridges"),
    ("The first woman to lead the party has died.", "to lead", "woman"),
    ("The largest bank in the valley has closed.", "in valley", "bank"),
    ("No player under 18 may train at night.", "under 18", "player"),
    ("At least 40 people were hurt in the crash.", "at least 40", "people"),
    ("About 200 houses were flooded in the town.", "about 200", "houses"),
    ("Up to 30 sailors are missing after the storm.", "30", "sailors"),
    ("The jury cleared the general of murder and convicted him of theft.", "convicted", "cleared"),
    ("The court acquitted the mayor of fraud but found her guilty of theft.", "guilty", "acquitted"),
    ("The former minister was arrested in Lisbon.", "former", "minister"),
    ("Police questioned the suspected thief for hours.", "suspected", "thief"),
    ("The acting director has left the museum.", "acting", "director"),
    ("The alleged spy was released on Sunday.", "alleged", "spy"),
    ("The state barred the company from mining in the park.", "barred", "company"),
    ("The firm must pay a fine or close its mine.", "or close", "pay"),
    ("Talks between Chile and Peru failed on Thursday.", "failed", "talks"),
    ("The senator denied that he had taken money.", "denied", "taken"),
    ("The prosecutor accused the banker of hiding losses.", "accused", "hiding"),
    ("The report doubts that the dam is safe.", "doubts", "safe"),
    ("The union threatened to stop all trains on Monday.", "threatened to", "stop"),
    ("The country plans to build two reactors by 2030.", "plans to", "build"),
    ("The bank wants to sell its branches in Asia.", "wants to", "sell"),
    ("The parties agreed to discuss a truce next week.", "agreed to", "discuss"),
    ("The club stopped selling tickets at the gate.", "stopped", "selling"),
    ("Nobody survived the crash of the ferry.", "nobody", "survived"),
    ("Nothing was stolen from the museum on Sunday.", "nothing", "stolen"),
    ("Few voters supported the plan of the mayor.", "few", "supported"),
    ("Little money has reached the flooded towns.", "little", "reached"),
    ("The price is lower than in the year before.", "lower", "price"),
    ("The dam is too weak for a strong flood.", "too", "weak"),
]


@cache
def trees() -> dict[str, UnitTree]:
    """All sentences, parsed together."""
    parses = Parser("english", SHIPPED).parse([Document(text, text) for text, _, _ in SENTENCES])
    return {parsed.document.text: UnitTree(sentences_of(parsed)[0]) for parsed in parses}


@pytest.mark.parametrize(("text", "stays", "said"), SENTENCES)
def test_no_headline_loses_what_makes_it_true(text: str, stays: str, said: str) -> None:
    models = CutModels(CutModel({}, {}), HeadlineForms(VerbForms({}), {}), None)
    found = sentence_expression(SentenceTrees([trees()[text]], models), Budget(words=12))
    assert found is not None
    rng = random.Random(1)
    count = 0
    for _ in range(200):
        words = drawn(found.expression, rng)
        if said in words:
            count += 1
            assert all(word in words for word in stays.split()), words
    assert count
