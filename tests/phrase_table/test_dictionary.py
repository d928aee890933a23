"""Dictionaries: their lines, glosses without notes, and the resulting table."""

import gzip
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.common.errors import InputError
from widl.phrase_table import PhraseTable
from widl.phrase_table.dictionary import build_dictionary
from widl.text.glosses import Entry, cleaned_glosses, read_dictionary

ENTRIES = """\
# CC-CEDICT
#! version=1
升旗 升旗 [sheng1 qi2] /to raise (a flag)/to hoist; to run up [a flag]/
廈門 厦门 [Xia4 men2] /Xiamen or Amoy, subprovincial city in Fujian/

個 个 [ge4] /classifier for people or objects in general/variant of 個|个[ge4]/
魏 魏 [Wei4] /surname Wei/name of vassal state of Zhou dynasty/
"""


def test_the_two_forms_of_a_line(tmp_path) -> None:
    path = tmp_path / "entries.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(ENTRIES + "权证\twarrant\tto be (kept) as it is\r\n")
    assert list(read_dictionary(path)) == [
        Entry(("升旗",), ("raise", "hoist", "run up")),
        Entry(("厦门", "廈門"), ("Xiamen", "Amoy")),
        Entry(("个", "個"), ()),
        Entry(("魏",), ("Wei",)),
        Entry(("权证",), ("warrant", "to be (kept) as it is")),
    ]


@pytest.mark.parametrize(
    ("gloss", "cleaned"),
    [
        ("to be (deep (very)) in trouble", ["in trouble"]),
        ("old variant of 回[hui2]", []),
        ("abbr. for 中國|中国[Zhong1 guo2]", []),
        ("(idiom) to kill two birds with one stone", ["kill two birds with one stone"]),
        ("lit. to cut flesh", []),
        ("to help sb do sth", ["help somebody do something"]),
        ("Beijing, capital of the People's Republic of China", ["Beijing"]),
    ],
)
def test_glosses(gloss, cleaned) -> None:
    assert cleaned_glosses(gloss) == cleaned


@given(st.text("ab ()[]/;,.,:个sth", max_size=30))
def test_whatever_is_in_a_gloss(gloss) -> None:
    """Glosses have no notes, no Chinese and no leading or trailing spaces. Cleaning them again changes nothing."""
    for cleaned in cleaned_glosses(gloss):
        assert cleaned == " ".join(cleaned.split())
        assert "个" not in cleaned
        assert any(map(str.isalnum, cleaned))
        assert not re.search(r"\([^()]*\)|\[[^\[\]]*\]", cleaned)


@pytest.mark.parametrize(
    "line",
    [
        "权证 warrant",
        "權證 权证 /warrant/",
        "\twarrant",
    ],
)
def test_lines_that_are_no_entries_are_named(tmp_path, line) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(f"升旗\thoist\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.txt:2: expected CC-CEDICT's .* or 'word<TAB>gloss.*, found '"):
        list(read_dictionary(path))


def built(tmp_path, text: str) -> dict[str, list[tuple[str, list[float]]]]:
    path = tmp_path / "entries.tsv"
    path.write_text(text, encoding="utf-8")
    build_dictionary([path], tmp_path / "table", source=lambda word: "".join(word.split()), target=str.split)
    with PhraseTable.open(tmp_path / "table") as table:
        return {
            word: [(" ".join(option.words), [math.exp(score) for score in option.log_scores]) for option in options]
            for word, options in table.iterate()
        }


def test_probabilities_by_rank(tmp_path) -> None:
    """p(e|f) of 2 glosses: 1 and 1/2 over 3/2; "run" is a gloss of two words."""
    result = built(tmp_path, "跑\trun\tflee\n奔\trun\n跑\trun\n")
    assert result == {
        "奔": [("run", pytest.approx([1 / 2, 1, 1 / 2, 1], rel=1e-5))],
        "跑": [
            ("run", pytest.approx([1 / 2, 2 / 3, 1 / 2, 2 / 3], rel=1e-5)),
            ("flee", pytest.approx([1, 1 / 3, 1, 1 / 3], rel=1e-5)),
        ],
    }


def test_long_glosses_and_separators_are_left_out(tmp_path) -> None:
    long = " ".join(["word"] * 50)
    assert built(tmp_path, f"一 一\t{long}\tall at once\t|||\n二\t{long}\n三\t a b c d e f \n") == {
        "一一": [("all at once", pytest.approx([1] * 4))],
        "三": [("a b c d e f", pytest.approx([1] * 4))],
    }


def test_a_dictionary_without_a_single_gloss(tmp_path) -> None:
    with pytest.raises(InputError, match=r"entries\.tsv: no entry with a gloss of at most 6 words"):
        built(tmp_path, "个 个 [ge4] /CL:個|个[ge4]/\n")
