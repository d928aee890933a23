"""Test sets of plain text."""

import gzip

import pytest

from widl.common.errors import InputError
from widl.text.test_sets import read_test_set, warn_of_same_texts


@pytest.fixture
def write(tmp_path):
    def put(name, text):
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return path

    return put


def test_plain(write) -> None:
    found = read_test_set(write("s.txt", "一\n二\n"), [write("r0.gz", "one\ntwo\n"), write("r1", "1\n2\n")])
    assert (found.source, found.references) == (["一", "二"], [["one", "two"], ["1", "2"]])


@pytest.mark.parametrize(
    ("source", "reference", "message"),
    [
        ("", "", r"s: empty"),
        ("一\n", "one\ntwo\n", r"r: 2 lines, but .*s has 1"),
        ("一\n", '<refset setid="demo">\n', r"r: SGML or XML; a test set is plain text"),
        ('<?xml version="1.0"?>\n', "one\n", r"s: SGML or XML; a test set is plain text"),
    ],
)
def test_what_does_not_match_is_named(write, source, reference, message) -> None:
    with pytest.raises(InputError, match=message):
        read_test_set(write("s", source), [write("r", reference)])


def test_a_test_set_that_was_tuned_on_is_told(caplog: pytest.LogCaptureFixture) -> None:
    warn_of_same_texts("[dev]", ["a", "b"], "test set x", ["c", "d", "a"])
    assert caplog.messages == []
    warn_of_same_texts("[dev]", ["a", "b"], "test set x", ["c", "b"])
    warn_of_same_texts("[dev]", [], "test set y", [])
    assert caplog.messages == ["[dev] and test set x have 1 text in common; scores on it are no test of tuned weights"]
