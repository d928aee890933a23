from math import inf, log, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl._core import InternalError, read_options, write_options
from widl.common.errors import InputError

probabilities = st.floats(0, 1, exclude_min=True, width=32).filter(lambda p: p > 1.2e-38)
counts = st.integers(0, 2**32 - 1)


@st.composite
def options(draw):
    words = draw(st.lists(st.integers(0, 2**32 - 2), max_size=9))
    link = st.tuples(st.integers(0, 0xFFFF), st.integers(0, max(len(words) - 1, 0)))
    return (
        words,
        draw(st.lists(probabilities, min_size=4, max_size=7)),
        draw(st.lists(counts, min_size=3, max_size=3)),
        draw(st.lists(link, max_size=9 if words else 0)),
        [],
    )


def test_bytes_by_hand():
    value = write_options([([5, 300], [1.0, 0.5, 1.0, 1.0], [2, 1, 1], [(0, 0), (1, 1)], [])])
    floats = bytes.fromhex("0000803f 0000003f 0000803f 0000803f")
    #      one option, two words: 5, 300 = 0b10_0101100, two links: 0*2+0, 1*2+1; scores; counts
    assert value == bytes([1, 2, 5, 0b1010_1100, 0b10, 2, 0, 3]) + floats + bytes([2, 1, 1])


@pytest.mark.slow
@given(st.lists(options(), max_size=5))
def test_round_trip(stored):
    result = read_options(write_options(stored))
    assert len(result) == len(stored)
    for (words, p, n, links, _), (found_words, scores, *others) in zip(stored, result, strict=True):
        assert (found_words, *others) == (words, n, links, [])
        assert scores == pytest.approx([log(x) for x in p], rel=1e-6, abs=1e-7)


@pytest.mark.parametrize(
    "bits",
    [0, 0x7F800000, 0x7FC00000, 1 << 31, 0xBF800000],
)
def test_bits_that_are_no_probability(bits):
    value = bytearray(write_options([([5], [1.0, 1.0, 1.0, 1.0], [1, 1, 1], [], [])]))
    value[4:8] = bits.to_bytes(4, "little")
    with pytest.raises(InputError, match="a score is no positive number"):
        read_options(bytes(value))


@pytest.mark.parametrize("p", [0.0, 1e39, nan])
def test_what_is_no_score_is_not_written(p):
    with pytest.raises(InternalError, match="a positive number"):
        write_options([([0], [p, 1.0, 1.0, 1.0], [1, 1, 1], [], [])])


@given(st.binary(max_size=200), st.integers(0, 300))
def test_arbitrary_bytes_are_options_or_an_error(value, vocabulary_size):
    read_or_complain(value, vocabulary_size)


@pytest.mark.slow
@given(st.lists(options(), min_size=1, max_size=4), st.data())
def test_damaged_values(stored, data):
    value = bytearray(write_options(stored))
    for _ in range(data.draw(st.integers(1, 3))):
        value[data.draw(st.integers(0, len(value) - 1))] = data.draw(st.integers(0, 255))
    read_or_complain(bytes(value), 2**32 - 1)


@pytest.mark.slow
@given(st.lists(options(), min_size=1, max_size=4), st.data())
def test_truncated_values(stored, data):
    value = write_options(stored)
    with pytest.raises(InputError, match="damaged phrase-table entry"):
        read_options(value[: data.draw(st.integers(0, len(value) - 1))])


def read_or_complain(value, vocabulary_size):
    message = ""
    try:
        for words, scores, *_ in read_options(value, vocabulary_size):
            assert all(word < vocabulary_size for word in words)
            assert all(-inf < score < inf for score in scores)
            assert len(scores) >= 4
    except InputError as error:
        message = str(error)
    assert message == "" or message.startswith("damaged phrase-table entry: ")


def test_a_word_outside_the_vocabulary():
    with pytest.raises(InputError, match="a word is not in the vocabulary"):
        read_options(write_options([([7], [1.0] * 4, [1, 1, 1], [], [])]), 7)


def test_announcing_much_asks_for_no_memory():
    huge = b"\xff\xff\xff\xff\x0f"
    for value in (huge, b"\x01" + huge + bytes(40), b"\x01\x01\x00" + huge + bytes(40)):
        with pytest.raises(InputError, match="damaged phrase-table entry"):
            read_options(value)
