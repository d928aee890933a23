"""Alignment of outputs to each other: words, positions, and optional words."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl._core import align_outputs
from widl.combination.network import Aligner, similarity
from widl.combination.tokens import Spacing, words_of
from widl.common.errors import InputError

WORDS = st.sampled_from("the The cat cats sat sits , . 7 1,200 not mat über 机".split())
OUTPUTS = st.lists(st.lists(WORDS, max_size=7), min_size=1, max_size=5)


@given(OUTPUTS, st.data())
def test_an_output_is_once_in_a_slot_and_the_skeleton_is_a_path(outputs: list[list[str]], data: st.DataObject) -> None:
    skeleton = data.draw(st.integers(0, len(outputs) - 1))
    slots = align_outputs(outputs, skeleton)
    for slot in slots:
        assert sorted(number for _, numbers in slot for number in numbers) == list(range(len(outputs)))
        assert len({word for word, _ in slot}) == len(slot)
        assert all(numbers for _, numbers in slot)
    for number, words in enumerate(outputs):
        said = [word for slot in slots for word, numbers in slot if number in numbers]
        if number == skeleton:
            assert [word for word in said if word] == words
        assert sorted(word for word in said if word) == sorted(words)
    assert slots == align_outputs(outputs, skeleton)


def test_insertions_meet_and_words_of_one_stem_share_a_place() -> None:
    outputs = ["the old cat sat on a mat".split(), "the cat sits on a mat".split(), "the old cats sat on mat".split()]
    places = [dict(slot) for slot in align_outputs(outputs, 1)]
    assert {"": [1], "old": [0, 2]} in places
    assert {"cat": [0, 1], "cats": [2]} in places
    assert {"sits": [1], "sat": [0, 2]} in places
    assert {"a": [0, 1], "": [2]} in places


def test_blocks_of_three_words_meet_where_the_skeleton_has_them() -> None:
    skeleton, moved = "in the last year prices rose a lot".split(), "prices rose a lot In the last year".split()
    assert [dict(slot) for slot in align_outputs([skeleton, moved], 0)] == [
        {"in": [0], "In": [1]}, *({word: [0, 1]} for word in skeleton[1:]),
    ]  # fmt: skip
    pair = "prices rose last year".split()  # too short to distinguish from chance
    said = [word for slot in align_outputs([skeleton, pair], 0) for word, numbers in slot if 1 in numbers and word]
    assert said == pair


def test_the_skeleton_is_one_of_the_outputs() -> None:
    with pytest.raises(InputError, match="output 2 of 2 is the skeleton"):
        align_outputs([["a"], ["b"]], 2)


def alternatives(outputs: list[str], skeleton: int, support: int = 2) -> list[set[str]]:
    result = Aligner([words_of(text) for text in outputs], support=support).network(skeleton)
    return [{text for text, _ in slot} for slot in result.slots]


def test_names_and_numbers_of_one_output_alone_are_left_out() -> None:
    outputs = ["the firm sold 12 cars in Lyon", "the firm sold 120 cars in Lyon", "the firm sold 12 cars in Nice"]
    assert alternatives(outputs, 0) == [{"the"}, {"firm"}, {"sold"}, {"12"}, {"cars"}, {"in"}, {"Lyon"}]
    # They may come from the skeleton, which is one system's complete output.
    assert alternatives(outputs, 1)[3] == {"12", "120"}
    assert alternatives(outputs, 0, support=1)[3] == {"12", "120"}


def test_a_negation_of_most_outputs_stays_and_one_of_a_single_output_does_not_come_in() -> None:
    without = "he has signed it"
    most = alternatives(["he has not signed it", "he has not signed it", without], 2)
    assert {"not"} in most
    single = alternatives([without, without, "he has not signed it"], 0)
    assert all("not" not in slot for slot in single)


def test_a_place_stays_where_fewer_than_two_fifths_leave_it_empty() -> None:
    full, short = "he said very clearly no", "he said clearly no"
    assert alternatives([full, full, full, short], 0)[2] == {"very"}
    assert alternatives([full, full, short, short], 0)[2] == {"very", ""}
    assert alternatives([full, full, full, short], 3)[2] == {"very", ""}  # the skeleton omits it


def test_likeness() -> None:
    assert similarity([["a"]]) == [0.0]
    first, second, third = similarity(["a b c d".split(), "a b c e".split(), "x y".split()])
    assert first == second == pytest.approx((2 * 5 / 14) / 2)
    assert third == 0


@given(st.lists(st.text(alphabet="aB1 .,'-(”机", max_size=30), min_size=1, max_size=4))
def test_an_output_alone_is_spelled_as_it_is(texts: list[str]) -> None:
    for text in texts:
        plain = " ".join(text.split())
        words = words_of(plain)
        assert "".join(words) == plain.replace(" ", "")
        if len(set(pairwise(words))) == len(words) - 1:  # a pair has two spellings
            assert Spacing([plain]).text(words) == plain


@given(
    st.lists(st.text(alphabet="aB1 .,'-:(”机", max_size=30), min_size=1, max_size=4), st.randoms(use_true_random=False)
)
def test_words_never_run_together(texts: list[str], rng: random.Random) -> None:
    """Words in any order stay separate in the written text."""
    words = [word for text in texts for word in words_of(text)]
    rng.shuffle(words)
    assert words_of(Spacing(texts).text(words)) == words


def test_a_sign_between_numbers_does_not_make_them_one() -> None:
    assert Spacing(["cost is 3. 5 men", "cost is 3 .5 men"]).text(words_of("cost is 3 . 5 men")) == "cost is 3. 5 men"
    assert Spacing(["It is 1 ,200 or 1, 300."]).text(["1", ",", "300"]) == "1, 300"
    assert Spacing(["it' s", "it 's"]).text(["it", "'", "s"]) == "it ' s"
    assert Spacing(["At 16 : 00 we ate."]).text(["At", "16", ":", "00"]) == "At 16:00"


@pytest.mark.parametrize("mark", ['"', "'", "“", "»", "「"])
def test_blanks_at_quotation_marks_are_those_of_most_outputs(mark: str) -> None:
    close, apart, words = f"said {mark}no one", f"said {mark} no one", ["said", mark, "no", "one"]
    assert Spacing([close]).text(words) == Spacing([close, close, apart]).text(words) == close
    assert Spacing([apart]).text(words) == Spacing([close, apart, apart]).text(words) == apart
    assert Spacing([close, apart]).text(words) == apart  # a tie joins nothing
    assert Spacing([f"said{mark} no", f"said {mark}no"]).text(words) == f"said {mark} no one"
    assert Spacing(["a, b", "a , b"]).text(["a", ",", "b"]) == "a, b"


def test_words_that_stand_before_signs_have_a_space_before_words() -> None:
    spacing = Spacing(["Prices are stable, it shows.", "Prices stable, shows (so far) calm."])
    assert spacing.text(["stable", "shows", ",", "calm", "."]) == "stable shows, calm."
    assert spacing.text(["calm", "(", "far"]) == "calm (far"
    assert Spacing(["机器翻译", "翻译的机器"]).text(["翻", "机", "器"]) == "翻机器"
