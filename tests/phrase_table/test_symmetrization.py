from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.bitexts import links, links_text
from tests.reference.symmetrization import Links
from tests.reference.symmetrization import symmetrize as slow_symmetrize
from widl.common.errors import InputError
from widl.phrase_table.symmetrization import Method, symmetrize

METHODS = get_args(Method)


def as_set(line):
    return {tuple(map(int, point.split("-"))) for point in line.split()}


def fast(forward: Links, reverse: Links, method: str) -> Links:
    (line,) = symmetrize([links_text(forward)], [links_text(reverse)], method)
    return as_set(line)


def test_grow_diag_final_and_by_hand():
    #      target 0  1  2  3  4       B: in both directions, f: forward only, r: reverse only
    # source 0    B
    #        1       f  r
    #        2
    #        3             r
    #        4                f
    forward = {(0, 0), (1, 1), (4, 4)}
    reverse = {(0, 0), (1, 2), (3, 3)}
    assert fast(forward, reverse, "union") == forward | reverse
    assert fast(forward, reverse, "intersection") == {(0, 0)}
    # 1-1 touches 0-0 only at a corner, and 1-2 touches 1-1.
    assert fast(forward, reverse, "grow") == {(0, 0)}
    assert fast(forward, reverse, "grow-diag") == {(0, 0), (1, 1), (1, 2)}
    # 3-3 and 4-4 are isolated: both of their words are free.
    assert fast(forward, reverse, "grow-diag-final-and") == forward | reverse


@given(st.data(), st.integers(1, 7), st.integers(1, 7))
def test_equals_the_definition(data, source_length, target_length):
    forward = data.draw(links(source_length, target_length))
    reverse = data.draw(links(source_length, target_length))
    for method in METHODS:
        assert fast(forward, reverse, method) == slow_symmetrize(forward, reverse, method)


@pytest.mark.parametrize("method", METHODS)
def test_equals_moses(moses, method):
    name = "gdfa.align" if method == "grow-diag-final-and" else f"sym/{method}.align"
    with (moses / "forward.align").open() as forward, (moses / "reverse.align").open() as reverse:
        result = [as_set(line) for line in symmetrize(forward, reverse, method)]
    assert result == [as_set(line) for line in (moses / name).read_text().splitlines()]


@pytest.mark.parametrize("point", ["0", "0-", "-1", "a-b", "1-2-3", "1--2", "4294967296-0", "9999999-0", "0-0x"])
def test_a_malformed_point_is_named_with_its_line(point):
    with pytest.raises(InputError, match=r"^line 2: expected alignment points like 0-3, found '") as caught:
        list(symmetrize(["0-0", f"0-0 {point}"], ["0-0", "0-0"]))
    assert str(caught.value).endswith(f"'{point}'")


@pytest.mark.parametrize(("point", "mend"), [("1?2", "a possible link is written"), ("0-0:0.9", "weights of points")])
def test_points_of_other_programs_are_explained(point, mend):
    with pytest.raises(InputError, match=f"; {mend}"):
        list(symmetrize([point], [""], "union"))


@given(st.text(max_size=12))
def test_any_text_is_links_or_an_error(text):
    message = ""
    try:
        list(symmetrize([text], [""], "union"))
    except InputError as error:
        message = str(error)
    assert message == "" or message.startswith("line 1: expected alignment points")


def test_directions_of_different_length():
    with pytest.raises(InputError, match="line 2: one direction of the alignment ends here"):
        list(symmetrize(["0-0", "0-0"], ["0-0"]))
