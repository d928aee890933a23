"""Drawings of derivations."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from widl.translation import TranslatedPhrase
from widl.translation.phrase_drawing import draw_phrases, pieces


def phrase(begin: int, end: int, words: str) -> TranslatedPhrase:
    return TranslatedPhrase(begin, end, tuple(words.split()))


def test_pieces_end_where_all_words_so_far_are_translated() -> None:
    source = list("abcdef")
    swapped = [phrase(0, 1, "A"), phrase(2, 3, "C"), phrase(1, 2, "B"), phrase(3, 5, "D E"), phrase(5, 6, "F")]
    assert pieces(source, swapped) == [range(1), range(1, 3), range(3, 4), range(4, 5)]
    backwards = [phrase(i, i + 1, "word") for i in range(5, -1, -1)]
    assert pieces(source, backwards) == [range(6)]
    assert pieces(source, [phrase(2, 3, "C"), phrase(0, 1, "A")]) == [range(2)]  # with untranslated words
    assert pieces(source, []) == []


@given(st.permutations(range(9)), st.lists(st.integers(1, 60), min_size=9, max_size=9))
def test_pieces_are_all_phrases_in_order_and_no_wider_than_a_phone(order: list[int], lengths: list[int]) -> None:
    source = ["源" * (1 + length // 12) for length in lengths]
    phrases = [phrase(i, i + 1, "x" * lengths[i]) for i in order]
    result = pieces(source, phrases)
    assert [k for piece in result for k in piece] == list(range(9))
    for piece, svg in zip(result, ElementTree.fromstring(draw_phrases(source, phrases)), strict=True):
        assert len(piece) == 1 or float(svg.get("width", "")) <= 360
        below = [node.text for node in svg.iter("text") if float(node.get("y", 0)) > 30]
        assert below == ["x" * lengths[order[k]] for k in piece]
        rights = [float(box.get("x", 0)) + float(box.get("width", 0)) for box in svg.iter("rect")]
        assert max(rights) <= float(svg.get("width", "")) + 1
