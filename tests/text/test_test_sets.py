"""Test sets in the formats of NIST and WMT."""

import gzip

import pytest

from widl.common.errors import InputError
from widl.text.test_sets import read_test_set, warn_of_same_texts

SOURCE = """<srcset setid="demo" srclang="Chinese">
<DOC docid="news-1" genre=news>
<hl><seg id=1> 猫 &amp; 狗 </seg></hl>
<p>
<seg id="2">他来了。</seg>
</p>
</DOC>
<DOC docid="news-2"><p><seg id="1">&lt;完&gt;</seg></p></DOC>
</srcset>
"""
REFERENCES = """<refset setid="demo" srclang="Chinese" trglang="English">
<doc docid="news-2" sysid="ann"><seg id="1">&lt;the end&gt;</seg></doc>
<doc docid="news-1" sysid="ann"><seg id="1">Cats &amp; dogs</seg><seg id="2">He
came.</seg></doc>
<doc docid="news-1" sysid="bob"><seg id="1">A cat and a dog</seg><seg id="2">He has come.</seg></doc>
<doc docid="news-2" sysid="bob"><seg id="1">End</seg></doc>
</refset>
"""
XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="demo">
  <collection id="general">
    <doc origlang="zh" id="a.1" domain="news">
      <src lang="zh"><p><seg id="1">猫。</seg><seg id="2">狗。</seg></p></src>
      <ref lang="en" translator="A"><p><seg id="1">The cat.</seg><seg id="2">The dog.</seg></p></ref>
      <ref lang="en" translator="B"><p><seg id="1">Cat.</seg><seg id="2">Dog.</seg></p></ref>
      <hyp system="online" language="en"><p><seg id="1">meow</seg><seg id="2">woof</seg></p></hyp>
    </doc>
    <doc id="a.2"><src lang="zh"><p><seg id="1">鸟。</seg></p></src>
      <ref lang="en" translator="A"><p><seg id="1">The bird.</seg></p></ref>
      <ref lang="en" translator="B"><p><seg id="1">Bird.</seg></p></ref>
    </doc>
  </collection>
</dataset>
"""


@pytest.fixture
def write(tmp_path):
    def put(name, text):
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return path

    return put


def test_plain(write) -> None:
    result = read_test_set(write("s.txt", "一\n二\n"), [write("r0.gz", "one\ntwo\n"), write("r1", "1\n2\n")])
    assert (result.source, result.references) == (["一", "二"], [["one", "two"], ["1", "2"]])


def test_sgml_segments_are_matched_by_document_and_number(write) -> None:
    result = read_test_set(write("s.sgm.gz", SOURCE), [write("r.sgm", REFERENCES)])
    assert result.source == ["猫 & 狗", "他来了。", "<完>"]
    assert result.references == [["Cats & dogs", "He came.", "<the end>"], ["A cat and a dog", "He has come.", "End"]]


def test_wmt_xml_brings_its_references(write) -> None:
    path = write("t.xml", XML)
    result = read_test_set(path)
    assert result.source == ["猫。", "狗。", "鸟。"]
    assert result.references == [["The cat.", "The dog.", "The bird."], ["Cat.", "Dog.", "Bird."]]
    plain = read_test_set(path, [write("r", "a\nb\nc\n")])
    assert plain.references == [["a", "b", "c"]]


@pytest.mark.parametrize(
    ("source", "reference", "message"),
    [
        ("", "", r"s: empty"),
        ("一\n", "one\ntwo\n", r"r: 2 lines, but .*s has 1"),
        ("一\n", REFERENCES, r"r: SGML or XML, but .*s is plain text"),
        (SOURCE, "one\n", r"r: 1 line, but .*s has 3"),
        (SOURCE, REFERENCES.replace('<seg id="1">End</seg>', ""), r"r: reference bob lacks segment 1 of document"),
        (SOURCE.replace('<seg id="2">', '<seg id="1">'), REFERENCES, r"s: segment 1 of document news-1 occurs twice"),
        ("<srcset>\n</srcset>\n", REFERENCES, r"s: no segments"),
        (REFERENCES, REFERENCES, r"s: no source segments"),
        (SOURCE, SOURCE, r"r: no reference segments"),
        (SOURCE, REFERENCES.replace("refset", "tstset"), r"r: no segments"),
        ("<rss>\n<title>a</title>\n</rss>\n", "one\n", r"s: no segments"),
    ],
)
def test_what_does_not_match_is_named(write, source, reference, message) -> None:
    with pytest.raises(InputError, match=message):
        read_test_set(write("s", source), [write("r", reference)])


@pytest.mark.parametrize(
    "before",
    ["", "\n \n", "<!-- by hand -->\n", '<?xml version="1.0"?>\n<!DOCTYPE srcset SYSTEM "m.dtd">\n', "<mteval>\n"],
)
def test_what_stands_in_front_of_the_first_set_is_no_sentence(write, before) -> None:
    result = read_test_set(write("s.sgm", before + SOURCE), [write("r.sgm", before + REFERENCES)])
    assert len(result.source) == len(result.references[0]) == 3


def test_a_source_with_a_system_and_an_output_beside_references(write) -> None:
    """WMT's source documents have a `sysid`, and a system's output is not a reference."""
    source = SOURCE.replace('docid="news-1"', 'docid="news-1" sysid="src"')
    outputs = REFERENCES.replace("refset", "tstset").replace("Cats", "Dogs")
    result = read_test_set(write("s.sgm", f"<mteval>{source}{REFERENCES}{outputs}</mteval>"))
    assert result.source == ["猫 & 狗", "他来了。", "<完>"]
    assert [item[0] for item in result.references] == ["Cats & dogs", "A cat and a dog"]


def test_documents_without_a_set_have_the_role_of_their_file(write) -> None:
    bare = '<DOC docid="d1" sysid="r1">\n<seg id="1">a</seg>\n<seg id="2">b</seg>\n</DOC>\n'
    result = read_test_set(write("s.sgm", bare), [write("r.sgm", bare.replace("a<", "A<"))])
    assert (result.source, result.references) == (["a", "b"], [["A", "b"]])


def test_a_less_than_sign_that_begins_no_tag_is_text(write) -> None:
    source = "<srcset><doc docid=d><seg id=1>p <0.05, x<y and <z </seg><seg>AT&T & so on</doc></srcset>"
    assert read_test_set(write("s.sgm", source)).source == ["p <0.05, x<y and <z", "AT&T & so on"]


def test_a_test_set_that_was_tuned_on_is_told(caplog: pytest.LogCaptureFixture) -> None:
    others = [f"c{i}" for i in range(18)]
    few = [["c", *others, "a"], ["", *others, ""], []]
    assert [warn_of_same_texts("[dev]", ["a", "b", ""], "test set x", some) for some in few] == ["", "", ""]
    assert warn_of_same_texts("[dev]", [], "test set y", ["a"]) == ""
    assert caplog.messages == []
    said = warn_of_same_texts("[dev]", ["a", "b"], "test set x", ["c", "b", "d"])
    expected = "[dev] and test set x have 1 text of 3 in common; scores on them are no test of tuned weights"
    assert (caplog.messages, said) == ([expected], f"Warning: {expected}.")
