"""Readers written in Python, on mutations of valid inputs; `benchmarks/fuzz_readers.py` runs more cases."""

import math
from pathlib import Path

import pytest
from benchmarks.fuzz_readers import READERS, run

from widl.common.errors import InputError
from widl.expressions import parse_expression
from widl.mert.nbest import read_nbest
from widl.text.test_sets import read_test_set


@pytest.mark.parametrize("name", READERS)
def test_a_result_or_one_line(name: str) -> None:
    outcome = run(name, range(100), math.inf)
    assert outcome.runs == 100
    assert outcome.findings == 0
    assert outcome.accepted > 0


# Findings of the mutations.


@pytest.mark.parametrize("number", ["999999999991", "9" * 30])
def test_a_huge_sentence_number_takes_no_memory(number: str, tmp_path: Path) -> None:
    path = tmp_path / "lists"
    path.write_text(f"0 ||| a ||| F= 1\n{number} ||| a ||| F= 1\n")
    with pytest.raises(InputError, match=r"lists:2: expected the sentence's number"):
        read_nbest([path])
    path.write_text("0 ||| a ||| F= 1\n999999999 ||| a ||| F= 1\n")
    with pytest.raises(InputError, match="no candidates of sentence 1 and 999999997 others"):
        read_nbest([path])


def test_white_space_that_int_does_not_take() -> None:
    tiles = parse_expression("tiles{\x1e1, expmove: 0.5}(0-1: a)")
    assert str(tiles) == str(parse_expression("tiles{1, expmove: 0.5}(0-1: a)"))


def test_a_segment_number_with_a_line_break(tmp_path: Path) -> None:
    path = tmp_path / "test.xml"
    path.write_text(
        '<dataset><doc id="d"><src lang="zh"><seg id="1\n2">a</seg></src><ref><seg id="1">b</seg></ref></doc></dataset>'
    )
    with pytest.raises(InputError, match="lacks segment 1 2 of document d"):
        read_test_set(path)
