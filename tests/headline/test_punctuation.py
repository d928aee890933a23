"""Connecting words of a headline, and optional parts of personal names, in real sentences."""

from itertools import combinations

import pytest

from tests.headline.parses import words
from widl.headline.clause_expression import shortest_words
from widl.headline.deletion_model import DeletionModel
from widl.headline.document_trees import DocumentTrees
from widl.headline.length_options import LengthLimit
from widl.headline.punctuation import written_words
from widl.headline.units import UnitTree
from widl.headline.word_forms import WordForms, is_given_name

WRITTEN = [
    ("The prize went to Ada Holm of Oslo, an engineer.", "prize went to holm of oslo", "prize went to Holm of Oslo"),
    ("Robert F. Smith of St. Louis said no.", "robert f smith said no", "Robert F. Smith said no"),
    ("The port will close, an engineer said.", "port will close engineer", "port will close: engineer"),
    ("The engineer said the port will close.", "engineer port will close", "engineer: port will close"),
    ("Chile and Peru have signed a treaty.", "chile peru signed treaty", "Chile, Peru signed treaty"),
    (
        "Chile, Peru, Brazil and other states are starting a union.",
        "chile brazil are starting a union",
        "Chile, Brazil are starting a union",
    ),
    (
        "Stocks opened higher on Friday, helped by banks.",
        "stocks higher helped by banks",
        "stocks higher, helped by banks",
    ),
    ("Ada Holm, of Oslo, wins the prize.", "ada holm wins the prize", "Ada Holm wins the prize"),
    ("Growth in Japan is slow, yet steady, he said.", "growth is slow he said", "growth is slow, he said"),
    (
        "The novelist insisted that, although he was ill, he would go.",
        "novelist insisted he would go",
        "novelist insisted he would go",
    ),
    (
        "Miners are poorer, according to a study.",
        "miners poorer study",
        "miners poorer: study",
    ),
    (
        "Norvik's port operator, Sundia, has lost a case.",
        "port operator sundia lost case",
        "port operator, Sundia, lost case",
    ),
    (
        "Ada Holm, a miner from Oslo has won a prize.",
        "ada holm miner from oslo won prize",
        "Ada Holm, miner from Oslo, won prize",
    ),
    ("Ada Holm, a miner from Oslo has won a prize.", "holm won prize", "Holm won prize"),
    (
        "Among the miners of the valley, Captain Ada Holm was popular.",
        "among miners holm was popular",
        "among miners, Holm was popular",
    ),
    ("In May, after a long strike, the port closed.", "in may port closed", "in May, port closed"),
    ("He said, in a report, that the port closed.", "he said that the port closed", "he said that the port closed"),
    ("The Oslo mayor, Ada Holm, has won a prize.", "oslo mayor ada holm has won", "Oslo mayor Ada Holm has won"),
    (
        "The mayor of Oslo, Ada Holm, has won a prize.",
        "mayor of oslo ada holm has won",
        "mayor of Oslo, Ada Holm, has won",
    ),
    ("Ada Holm, has won a prize.", "ada holm has won prize", "Ada Holm has won prize"),
    ("Ada Holm, who founded the mine has died.", "holm who founded mine has died", "Holm, who founded mine, has died"),
    ("Ada Holm, of Oslo has won a prize.", "ada holm of oslo has won prize", "Ada Holm, of Oslo, has won prize"),
    (
        "Ada Holm the mayor of Oslo has won a prize.",
        "ada holm mayor has won prize",
        "Ada Holm, mayor, has won prize",
    ),
    (
        "The union, in a statement released today, has rejected the offer.",
        "union in statement has rejected offer",
        "union, in statement, has rejected offer",
    ),
    (
        "Five miners were killed by masked men in Lima, in the largest mine of Peru.",
        "five miners killed by men in largest mine of peru",
        "five miners killed by men in largest mine of Peru",
    ),
    (
        "Chile has barred Acme, from mining ore.",
        "chile has barred acme from mining",
        "Chile has barred Acme from mining",
    ),
    ("Acme sold a port in Lima, and a mine.", "acme sold port and mine", "Acme sold port and mine"),
    ("Acme sold a port, and prices fell.", "acme sold port and prices fell", "Acme sold port, and prices fell"),
]


@pytest.mark.parametrize(("text", "kept", "written"), WRITTEN)
def test_marks_between_words_and_stops_of_abbreviations(text: str, kept: str, written: str) -> None:
    [result], keys = words(text), kept.split()
    positions = []
    for i, word in enumerate(result):
        if keys and word.key == keys[0]:
            positions.append(i)
            keys.pop(0)
    assert not keys
    assert " ".join(written_words(result, positions)) == written


ASIDES = [
    "Holm, a miner from Oslo, has won.",
    "Holm, a miner from Oslo has won.",
    "Holm, has won.",
    "Holm, who owns the mine has won.",
    "Holm, of Oslo, has won.",
    "Holm, in a report released today, has agreed.",
]


@pytest.mark.parametrize("text", ASIDES)
def test_commas_between_subject_and_verb_come_in_pairs(text: str) -> None:
    [sentence] = words(text)
    verb = next(i for i, word in enumerate(sentence) if word.key == "has")
    between = range(1, verb)
    for size in range(len(between) + 1):
        for kept in combinations(between, size):
            printed = written_words(sentence, [0, *kept, verb])
            assert sum(word.endswith(",") for word in printed) in {0, 2}, printed


PERSONS = [
    ("Chancellor Angela Merkel met the miners in Essen.", ["Angela"]),
    ("The court has freed Mario Rossi and Angela Sand.", ["Mario", "Angela"]),
    ("Mark Sand and Mario Sand have left the city.", []),
    ("Norvik Motors has closed a plant in New York.", []),
    ("President George W. Bush met the miners in Essen.", ["W"]),
    ("President Gloria Macapagal Arroyo met the miners in Essen.", ["Macapagal"]),
    ("The Robert S. Smith Foundation has opened a school.", []),
    ("Pope John Paul prayed in Essen.", []),
    ("General Motors Corp closed a plant in Essen.", []),
    ("The prize went to Mary Stone Jr. in May.", ["Mary"]),
]


@pytest.mark.parametrize(("text", "given"), PERSONS)
def test_a_person_is_told_by_the_last_name_unless_another_one_has_it(text: str, given: list[str]) -> None:
    tree = UnitTree(words(text)[0])
    result = [tree.content(k).text for k in range(len(tree)) if is_given_name(tree, k)]
    assert sorted(result) == sorted(given)


def test_a_headline_may_leave_out_a_given_name_and_training_counts_how_often_others_do() -> None:
    tree = UnitTree(words("The court has freed Mario Rossi.")[0])
    headlines = [{"court", "frees", "rossi"}, {"rossi", "mario"}]
    counted = WordForms.trained([(headline, [tree]) for headline in headlines])
    assert counted.kept["given"] == [1, 1]
    trees = DocumentTrees([tree], DeletionModel({}, {}), counted)
    [clause] = trees.clauses()
    shortest = [said.word.text for said in shortest_words(trees, clause)]
    assert "Rossi" in shortest
    assert "Mario" not in shortest
    assert LengthLimit(words=3).fits(shortest)
