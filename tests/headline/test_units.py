"""Units: each word belongs to one, in text order, and spans contain the units below."""

from hypothesis import given

from tests.headline.parses import words as words_of
from tests.headline.parses import words as words_of_text
from tests.headline.trees import trees
from widl.headline.units import FUNCTION_RELATIONS, UnitTree
from widl.headline.words import Word


@given(trees(most=10))
def test_units_divide_a_sentence_into_spans(words: list[Word]) -> None:
    tree = UnitTree(words)
    assert sorted(i for unit in tree.units for i in unit.words) == list(range(len(words)))
    for number, unit in enumerate(tree.units):
        assert unit.head in unit.words
        assert all(tree.unit_of[i] == number for i in unit.words)
        below = [i for k in tree.below(number) for i in tree.units[k].words]
        assert sorted(below) == list(range(unit.begin, unit.end))  # they form the span
        assert unit.size == len(below)
        for k in unit.children:
            assert tree.units[k].parent == number
            assert k > number
            assert tree.units[k].depth == unit.depth + 1
        if unit.parent is not None:
            assert number in tree.units[unit.parent].children


@given(trees(most=10))
def test_function_words_are_no_units_of_their_own(words: list[Word]) -> None:
    tree = UnitTree(words)
    for unit in tree.units:
        word = words[unit.head]
        assert word.relation not in FUNCTION_RELATIONS or unit.parent is None or unit.children


def test_a_preposition_stays_with_its_noun() -> None:
    [words] = words_of("Sales rose in May.")
    tree = UnitTree(words)
    assert [[words[i].text for i in unit.words] for unit in tree.units] == [["rose"], ["sales"], ["in", "May"]]


def test_a_label_stays_with_its_name() -> None:
    tree = UnitTree(words_of_text("Ohio Edison Co closed two plants.")[0])
    edison = next(i for i, word in enumerate(tree.words) if word.key == "edison")
    kept = tree.with_labels([edison])
    assert sorted(tree.words[i].key for i in kept) == ["co", "edison"]
    assert tree.with_labels([len(tree.words) - 1]) == {len(tree.words) - 1}
