"""Headlines of tables of results."""

from hypothesis import given

from tests.headline.piece_strings import texts
from tests.headline.trees import trees
from widl.headline.result_tables import table_clauses
from widl.headline.words import Word


def line(text: str) -> list[Word]:
    words = []
    for i, token in enumerate(text.split()):
        word = token.rstrip(",.")
        tag = (
            "NUM" if word[0].isdigit() or word in {"nil", "two", "three"} else "PROPN" if word[0].isupper() else "NOUN"
        )
        words.append(
            Word(word, word.lower(), word.lower(), tag, 0, "root" if i == 0 else "dep", closing=token[len(word) :])
        )
    return words


def made(*lines: str) -> list[str]:
    return [text for clause in table_clauses([line(text) for text in lines]) for text in sorted(texts(clause.piece))]


def test_of_a_share_and_of_the_whole() -> None:
    assert made("Shr 74 cts vs 79 cts", "Net 4,069,000 vs 3,458,000", "Revs 173.2 mln vs 120.8 mln") == [
        "net 74 cts a share against 79 cts",
        "net 4,069,000 against 3,458,000",
    ]


def test_losses_and_operating_results() -> None:
    assert made("Oper shr loss 13 cts vs shr profit 12 cts", "Oper net nil vs profit 12,000") == [
        "Oper loss 13 cts a share against profit 12 cts",
        "Oper net nil against profit 12,000",
    ]


def test_the_name_and_the_period() -> None:
    table = ["Qtr ended March 31", "Shr 74 cts vs 79 cts", "NOTE: Full name is Acme Paper Corp."]
    assert made(*table) == [
        "Acme Paper net 74 cts a share against 79 cts",
        "Acme Paper net 74 cts a share against 79 cts in Qtr ended March 31",
    ]


def test_only_the_first_of_several_amounts_counts() -> None:
    assert made("Net 53 mln vs 45 mln, after 3 mln vs 2 mln") == ["net 53 mln against 45 mln"]


def test_other_texts_are_no_tables() -> None:
    assert made("Acme won vs Borealis", "Net 5 vs 3") != []
    assert made("Shr NA vs NA") == []
    assert made("Acme said it sold a mine", "It paid cash", "Net 5 vs 3") == []
    assert made() == []


@given(trees(), trees())
def test_nothing_breaks(first: list[Word], second: list[Word]) -> None:
    table_clauses([first, second])


def test_a_period_with_a_verb_is_none_to_print() -> None:
    assert made("Qtr ends Jan 31", "Net 5 vs 3") == ["net 5 against 3"]
