"""The maximum length of a headline."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.headline.length_options import LengthLimit


def test_words_and_bytes() -> None:
    words = ["Zürich", "ist", "gross"]  # 7 + 1 + 3 + 1 + 5 bytes
    assert LengthLimit(words=2).truncate(words) == ["Zürich", "ist"]
    assert LengthLimit(words=3).fits(words)
    assert not LengthLimit(words=2).fits(words)
    assert LengthLimit(words=0, bytes=17).fits(words)
    assert not LengthLimit(words=0, bytes=16).fits(words)
    assert LengthLimit(words=0, bytes=16).truncate(words) == ["Zürich", "ist"]
    assert LengthLimit(words=0, bytes=6).truncate(words) == []
    assert LengthLimit(words=0).truncate(words) == words
    assert LengthLimit().words == 12


def test_negative_budget() -> None:
    with pytest.raises(ValueError, match="words: expected at least 0, found -1"):
        LengthLimit(words=-1)


@given(st.lists(st.text("aé", min_size=1, max_size=5), max_size=9), st.integers(0, 6), st.integers(0, 30))
def test_cut_is_the_longest_beginning_that_fits(words: list[str], most: int, size: int) -> None:
    limit = LengthLimit(words=most, bytes=size)
    fitting = [length for length in range(len(words) + 1) if limit.fits(words[:length])]
    assert limit.truncate(words) == words[: max(fitting)]
