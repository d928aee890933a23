"""What stands between the words of a headline, and which names of persons it may do without, in real sentences."""

import pytest

from widl.headline.budget import Budget
from widl.headline.cut_model import CutModel
from widl.headline.documents import Document
from widl.headline.headline_forms import HeadlineForms, VerbForms, is_given_name
from widl.headline.parsing import SHIPPED, Parser
from widl.headline.sentence_expression import CutModels, SentenceTrees, shortest_words
from widl.headline.units import UnitTree
from widl.headline.words import Word, keys_of, sentences_of
from widl.headline.written_headline import Said, written_words_of

WRITTEN = [
    ("The prize went to Ada Holm of Oslo, an engineer.", "prize went to holm engineer", "prize went to Holm, engineer"),
    ("The prize went to Ada Holm of Oslo, an engineer.", "prize went to holm of oslo", "prize went to Holm of Oslo"),
    ("The miners of the valley went home and slept.", "miners went and slept", "miners went and slept"),
]


def words_of_first(text: str) -> list[Word]:
    [parsed] = Parser("english", SHIPPED).parse([Document("1", text)])
    return sentences_of(parsed)[0]


@pytest.mark.parametrize(("text", "kept", "written"), WRITTEN)
def test_an_apposition_behind_what_was_left_out_keeps_its_comma(text: str, kept: str, written: str) -> None:
    words = words_of_first(text)
    keys, said = keys_of(kept), []
    for i, word in enumerate(words):
        if keys and word.key == keys[0]:
            said.append(Said(word, 0, i))
            keys.pop(0)
    assert not keys
    assert " ".join(written_words_of(said, [words])) == written


PERSONS = [
    ("Chancellor Angela Merkel met the miners in Essen.", ["Angela"]),
    ("The court has freed Mario Rossi and Elena Sand.", ["Mario", "Elena"]),
    ("Elena Sand and Mario Sand have left the city.", []),
    ("Norvik Motors has closed a plant in New York.", []),
]


@pytest.mark.parametrize(("text", "given"), PERSONS)
def test_a_person_is_told_by_the_last_name_unless_another_one_has_it(text: str, given: list[str]) -> None:
    tree = UnitTree(words_of_first(text))
    found = [tree.content(k).text for k in range(len(tree)) if is_given_name(tree, k)]
    assert sorted(found) == sorted(given)


def test_a_headline_may_leave_out_a_given_name_and_training_counts_how_often_others_do() -> None:
    tree = UnitTree(words_of_first("The court has freed Mario Rossi."))
    headlines = [{"court", "frees", "rossi"}, {"rossi", "mario"}]
    counted = HeadlineForms.trained(VerbForms({}), [(headline, [tree]) for headline in headlines])
    assert counted.kept["given"] == [1, 1]
    trees = SentenceTrees([tree], CutModels(CutModel({}, {}), counted, None))
    [clause] = trees.clauses()
    shortest = [said.word.text for said in shortest_words(trees, clause)]
    assert "Rossi" in shortest
    assert "Mario" not in shortest
    assert Budget(words=3).fits(shortest)
