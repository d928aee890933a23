"""The options of a source phrase as bytes, and damaged bytes."""

from math import log, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.tables import written
from widl._core import InternalError, write_options
from widl.common.errors import InputError

WORDS = [f"w{i}" for i in range(400)]

probabilities = st.floats(0, 1, exclude_min=True, width=32).filter(lambda p: p > 1.2e-38)
counts = st.integers(0, 2**32 - 1)


@st.composite
def options(draw, scores):
    words = draw(st.lists(st.integers(0, len(WORDS) - 1), max_size=9))
    link = st.tuples(st.integers(0, 0xFFFF), st.integers(0, max(len(words) - 1, 0)))
    return (
        words,
        draw(st.lists(probabilities, min_size=scores, max_size=scores)),
        draw(st.lists(counts, min_size=3, max_size=3)),
        draw(st.lists(link, max_size=9 if words else 0)),
        draw(st.lists(probabilities, min_size=6, max_size=6)) if draw(st.booleans()) else [],
    )


def test_bytes_by_hand():
    value = write_options([([5, 300], [1.0, 0.5, 0.25, 1.0], [2, 1, 1], [(0, 0), (1, 1)], [])])
    one, half, quarter = (bytes.fromhex(bits) for bits in ("0000803f", "0000003f", "0000803e"))
    assert value == b"".join([
        bytes([1, 0]),  # one option, no further scores
        bytes([2, 5, 0b1010_1100, 0b10]),  # two words: 5, 300 = 0b10_0101100
        bytes([0, 3, 2, 0, 3]),  # spelled out, 3 bytes: two links 0*2+0, 1*2+1
        bytes([0, 12, 2, 1, 1]) + one + half + bytes([0]),  # 12 bytes: counts, p(f|e), p(e|f), no reordering scores
        bytes([0]) + quarter + bytes([0]) + one,
    ])  # fmt: skip


_WORDS = st.sampled_from(["a", "b", "\0", "\x01c", "語" * 200, "x" * 600])
phrases = st.lists(_WORDS, min_size=1, max_size=4).map(" ".join)


@pytest.mark.slow
@given(st.data(), st.integers(4, 7))
def test_a_table_gives_back_what_it_was_given(data, scores):
    stored = data.draw(st.dictionaries(phrases, st.lists(options(scores), min_size=1, max_size=5), max_size=6))
    values = {phrase: write_options(stored[phrase]) for phrase in sorted(stored)}
    table = written(values, WORDS)
    for phrase, expected in stored.items():
        for (words, p, n, links, orientation), option in zip(expected, table.options(phrase), strict=True):
            assert (option.words, option.counts, option.links) == ([WORDS[word] for word in words], n, links)
            assert option.scores == pytest.approx([log(x) for x in p], rel=1e-6, abs=1e-7)
            assert option.orientation == pytest.approx([log(x) for x in orientation], rel=1e-6, abs=1e-7)
    asked = [*values, "nowhere", "a nowhere", ""]
    assert [value for _, value in table.values(asked).items] == list(values.values())
    assert table.counts(asked) == [table.options(phrase, 1)[0].counts[1] for phrase in values] + [None] * 3


@given(st.data())
def test_damaged_bytes_are_an_error_or_other_options(data):
    value = bytearray(data.draw(st.binary(max_size=200) | st.lists(options(4), min_size=1).map(write_options)))
    for at in data.draw(st.lists(st.integers(0, max(len(value) - 1, 0)), max_size=3)) if value else []:
        value[at] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del value[data.draw(st.integers(0, len(value))) :]
    message = ""
    try:
        written({"a": bytes(value)}, WORDS).options("a")
    except InputError as error:
        message = str(error)
    assert message == "" or message.startswith(("damaged phrase-table entry: ", "damaged phrase table: "))


@pytest.mark.parametrize("bits", [0, 0x7F800000, 0x7FC00000, 1 << 31, 0xBF800000])
def test_bits_that_are_no_probability(bits):
    value = bytearray(write_options([([5], [1.0, 1.0, 1.0, 1.0], [1, 1, 1], [], [])]))
    value[-4:] = bits.to_bytes(4, "little")
    with pytest.raises(InputError, match="a score is no positive number"):
        written({"a": bytes(value)}, WORDS).options("a")


@pytest.mark.parametrize("p", [0.0, 1e39, nan])
def test_what_is_no_score_is_not_written(p):
    with pytest.raises(InternalError, match="a positive number"):
        write_options([([0], [p, 1.0, 1.0, 1.0], [1, 1, 1], [], [])])


def test_a_word_outside_the_vocabulary():
    with pytest.raises(InputError, match="a word is not in the vocabulary"):
        written({"a": write_options([([7], [1.0] * 4, [1, 1, 1], [], [])])}, WORDS[:7]).options("a")
