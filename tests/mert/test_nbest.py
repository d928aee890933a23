"""n-best files: read, written, merged, refused."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.common.errors import InputError
from widl.mert import Candidate, CandidatePool, NbestLists, problem, read_nbest, write_nbest

MOSES = """\
0 ||| a house .  ||| Distortion0= 0 LM0= -3.5 TM0= -1 -2.25 ||| -10.5 ||| 0=0 1=1
0 ||| the house . ||| Distortion0= -1 LM0= -3 TM0= -1 -2 ||| -11
1 |||  ||| Distortion0= 0 LM0= -1e-3 TM0= 0 0 ||| -1
"""


@pytest.fixture
def file(tmp_path):
    def write(content, name="nbest.txt"):
        path = tmp_path / name
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


@pytest.mark.parametrize("name", ["nbest.txt", "nbest.gz"])
def test_moses_format(file, name):
    lists = read_nbest([file(MOSES, name)], sentences=2)
    assert lists.feature_names == ("Distortion0", "LM0", "TM0_1", "TM0_2")
    assert lists.texts == ["a house .", "the house .", ""]
    assert lists.sentences.tolist() == [0, 0, 1]
    assert lists.features.tolist() == [[0, -3.5, -1, -2.25], [-1, -3, -1, -2], [0, -0.001, 0, 0]]
    assert lists.begins(2).tolist() == [0, 2, 3]


@pytest.mark.parametrize(
    ("features", "names"),
    [
        ("lm_0=-1.5 p==2 ||| 1", ("lm_0", "p=")),
        ("d: -1.5 tm: 2 ||| -7", ("d", "tm")),  # older versions of Moses
    ],
)
def test_names_of_features(file, features, names):
    lists = read_nbest([file(f"0 ||| a ||| {features}\n")])
    assert lists.feature_names == names
    assert lists.features.tolist() == [[-1.5, 2]]


def test_files_are_merged_and_sorted(file):
    first = file("1 ||| b ||| F= 1\n0 ||| a ||| F= 2\n")
    second = file("0 ||| a ||| F= 2.0\n0 ||| a ||| F= 3\n1 ||| b ||| F= 1 ||| 7\n", "more.gz")
    lists = read_nbest([first, second])
    assert list(zip(lists.sentences.tolist(), lists.texts, lists.features[:, 0].tolist(), strict=True)) == [
        (0, "a", 2.0),
        (0, "a", 3.0),
        (1, "b", 1.0),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "nbest.txt: no n-best lists; expected lines like"),
        ("0 ||| a\n", ":1: expected at least 3 fields between '|||', found 2"),
        ("x ||| a ||| F= 1\n", ":1: expected the sentence's number from 0, found 'x'"),
        ("0 ||| a ||| F= 1 G= 2\n0 ||| a ||| F= 1\n", ":2: the first line has other features: G"),
        ("0 ||| a ||| F= 1 F= 2\n", ":1: feature 'F' appears twice"),
        ("0 ||| a ||| F= 1 G= 0\n0 ||| a ||| F= 1 G= nan\n", ":2: G is nan; features must be finite"),
        ("0 ||| a ||| F=1e999\n", ":1: F is inf"),
    ],
)
def test_bad_lists(file, content, message):
    with pytest.raises(InputError) as caught:
        read_nbest([file(content)])
    assert message in str(caught.value)
    assert "nbest.txt" in str(caught.value)


def test_sentences_that_should_be_there(file):
    path = file("0 ||| a ||| F= 1\n3 ||| a ||| F= 1\n")
    with pytest.raises(InputError, match="no candidates of sentence 1 and 2 others; each of 5"):
        read_nbest([path], sentences=5)
    with pytest.raises(InputError, match="there is a sentence 3, but only 1 references"):
        read_nbest([path], sentences=1)


@pytest.mark.parametrize("line", ["B= 3 4 A= 1", "A=1 B_2=4 B_1=3"])
def test_features_are_matched_by_name(file, line):
    lists = read_nbest([file(f"0 ||| a ||| A= 2 B= 5 6\n0 ||| b ||| {line}\n0 ||| c ||| A= 7 B= 8 9\n")])
    assert lists.feature_names == ("A", "B_1", "B_2")
    assert lists.features.tolist() == [[2, 5, 6], [1, 3, 4], [7, 8, 9]]


NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Z"]) | st.just(" "))


@given(st.lists(st.lists(st.tuples(TEXTS, NUMBERS, NUMBERS), min_size=1, max_size=3), min_size=1, max_size=3))
def test_what_is_written_reads_back(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("nbest") / "nbest.gz"
    lists = [[Candidate(text, (a, b)) for text, a, b in candidates] for candidates in content]
    write_nbest(path, lists, {"lm0": 0.5, "p_1": -1.0})
    result = read_nbest([path], sentences=len(lists))
    expected = {
        (s, " ".join(text.split()).replace("|||", "&#124;&#124;&#124;"), *features)
        for s, candidates in enumerate(lists)
        for text, features in candidates
    }
    assert result.feature_names == ("lm0", "p_1")
    rows = zip(result.sentences.tolist(), result.texts, *result.features.T.tolist(), strict=True)
    assert set(rows) == expected
    assert len(result.texts) == len(expected)


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([[Candidate("a", [1.0])], []], "no candidate of sentence 1"),
        ([[Candidate("a", [1.0, 2.0])]], "sentence 0: 2 features of a candidate, but 1 weights"),
        ([[Candidate("a", [float("nan")])]], "sentence 0: F is nan"),
    ],
)
def test_bad_candidates_leave_no_file(tmp_path, lists, message):
    with pytest.raises(InputError, match=message):
        write_nbest(tmp_path / "nbest.gz", lists, {"F": 1.0})
    assert list(tmp_path.iterdir()) == []


def test_the_pool_keeps_each_once():
    def lists(*rows):
        sentences, texts, values = zip(*rows, strict=True)
        return NbestLists(("F",), np.array(sentences), list(texts), np.array(values, dtype=np.float64)[:, None])

    pool = CandidatePool()
    assert pool.add(lists((0, "a", 1), (1, "b", 0.0), (0, "a", 2))) == range(3)
    assert pool.add(lists((0, "a", 2), (0, "c", 1), (1, "b", -0.0), (1, "a", 1))) == range(3, 5)
    merged = pool.lists()
    assert merged.sentences.tolist() == [0, 0, 0, 1, 1]
    assert merged.texts == ["a", "a", "c", "b", "a"]
    assert merged.features[:, 0].tolist() == [1, 2, 1, 0, 1]
    with pytest.raises(InputError, match="features G cannot be merged with F"):
        pool.add(NbestLists(("G",), np.array([0]), ["a"], np.zeros((1, 1))))


@pytest.mark.parametrize(
    ("name", "bounded"),
    [
        ("lm0", True),
        ("LM0", True),
        ("LM1_1", True),
        ("KENLM0", True),
        ("SRILM2", True),
        ("lm", True),
        ("LM0_2", False),
        ("TranslationModel0_1", False),
        ("lmx", False),
    ],
)
def test_names_of_language_models(name: str, bounded: bool) -> None:
    assert (problem._LANGUAGE_MODEL.fullmatch(name) is not None) == bounded
