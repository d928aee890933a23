"""Documents: formats, markup, and damage that must not end a run."""

import gzip
import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.common.errors import InputError
from widl.headline import Headliner
from widl.headline.datelines import without_dateline
from widl.headline.documents import Document, UnreadableDocument, read_documents
from widl.headline.markup import paragraphs_of_html, without_symbols


def only_document(path: Path) -> Document:
    (document,) = read_documents([path])
    assert isinstance(document, Document), document
    return document


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("Rain fell.\n  It fell\ton the\u00a0plain. \r\n", "Rain fell.\nIt fell on the plain."),
        ("Rain fell\non the plain.\n\n\nIt went\non.\n", "Rain fell on the plain.\nIt went on."),
        # Wrapped without blank lines; a heading does not make text wrapped.
        ("Rain fell on the\nplain in the\nnight and\nwent on.", "Rain fell on the plain in the night and went on."),
        ("Weather\nRain fell.\nIt went on.", "Weather\nRain fell.\nIt went on."),
        ("[Updated] Rain fell.", "[Updated] Rain fell."),
        ("", ""),
        (" \n\n \n", ""),
    ],
)
def test_plain_text(tmp_path: Path, written: str, text: str) -> None:
    assert only_document(write(tmp_path / "story.txt", written)) == Document("story.txt", text)


def test_gzip_and_byte_order_mark(tmp_path: Path) -> None:
    path = write(tmp_path / "story.gz", gzip.compress(b"\xef\xbb\xbf" + "Rain fell in Málaga.".encode()))
    assert only_document(path).text == "Rain fell in Málaga."


def test_json_lines(tmp_path: Path) -> None:
    lines = [
        {"id": 7, "text": "A.\nB &amp; C.", "headline": "A  AND\tB"},
        {"text": "D.", "headlines": ["one", "two", " "]},
        {"id": "x", "text": "E.", "headline": None},
    ]
    path = write(tmp_path / "d.jsonl", "\n".join(map(json.dumps, lines)) + "\n\n")
    assert list(read_documents([path])) == [
        Document("7", "A.\nB & C.", ("A AND B",)),
        Document("d.jsonl:2", "D.", ("one", "two")),
        Document("x", "E."),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"id": 1, "body": "x"}', "expected a string under the key 'text'; the keys found are 'id', 'body'"),
        (b'{"text": 3}', "expected a string under the key 'text'"),
        (b'{"text": "x"', "not JSON"),
        (b'["text"]', "expected a JSON object"),
        (b'{"text": "\xff"}', "invalid UTF-8 (bytes ff)"),
        (b'{"text": "x", "headline": 3}', "'headline' must be a string"),
        (b'{"text": "x", "headlines": "y"}', "'headlines' must be a list"),
        (b'{"text": "x", "id": []}', "'id' must be"),
        (b'{"text": ' + b"[" * 100_000, "recursion"),
    ],
)
def test_damaged_json_line_is_reported_in_its_place(tmp_path: Path, line: bytes, message: str) -> None:
    path = write(tmp_path / "d.jsonl", b'{"text": "before"}\n' + line + b'\n{"text": "after"}\n')
    before, damaged, after = read_documents([path])
    assert isinstance(before, Document)
    assert isinstance(after, Document)
    assert (before.text, after.text) == ("before", "after")
    assert isinstance(damaged, UnreadableDocument)
    assert damaged.identifier == "d.jsonl:2"
    assert damaged.message.startswith(f"{path}:2: ")
    assert message in damaged.message


def test_damaged_gzip_ends_that_file_only(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(b'{"text": "%d"}\n' % number for number in range(3000)))
    damaged = write(tmp_path / "a.gz", whole[: len(whole) - 2000])
    after = write(tmp_path / "b", "After.")
    *_, last, document = read_documents([damaged, after])
    assert isinstance(last, UnreadableDocument)
    assert last.message.startswith(f"{damaged}: not a complete compressed file")
    assert document == Document("b", "After.")


def test_directories_in_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("d/b.txt", "d/a/z", "d/.hidden", "d/.git/x", "c"):
        write(tmp_path / name, name)
    result = list(read_documents([tmp_path / "d", tmp_path / "c"]))
    assert result == [Document("z", "d/a/z"), Document("b.txt", "d/b.txt"), Document("c", "c")]


def test_what_is_not_there_is_an_error_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such file"):
        read_documents([write(tmp_path / "a", "A."), tmp_path / "b"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no files in this directory"):
        read_documents([tmp_path / "empty"])


@pytest.mark.parametrize(
    ("content", "documents"),
    [
        ("Rain fell.\nIt went on.\n", [Document("stdin", "Rain fell.\nIt went on.")]),
        ('\n{"text": "A."}\n{"text": "B."}\n', [Document("stdin:2", "A."), Document("stdin:3", "B.")]),
        ("<DOC><DOCNO>1</DOCNO><TEXT>A.</TEXT></DOC>", [Document("1", "A.")]),
    ],
)
def test_standard_input(monkeypatch: pytest.MonkeyPatch, content: str, documents: list[Document]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    assert list(read_documents()) == documents


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("<p>Rain &amp; snow</p><p>fell <b>here</b></p>", "\nRain & snow\n\nfell here\n"),
        ("a<br/>b", "a\nb"),
        ("x<script>if (a<b) c();</script>y", "x\n\ny"),
        ("<!-- no <b> -->y</i>", "y"),
        ("İİ<script>1</script>y", "İİ\n\ny"),
        ("never closed <!-- rest </b>", "never closed "),
        ("<Dairy Farm Ltd> and <KWIK.L> and <S> stay", "<Dairy Farm Ltd> and <KWIK.L> and <S> stay"),
        ("AT&T, &copy;, &#65;, &nosuch; 3 < 4 > 2", "AT&T, ©, A, &nosuch; 3 < 4 > 2"),
        ('<a href="x">link</a> <unknown>', "link <unknown>"),
    ],
)
def test_html(text: str, plain: str) -> None:
    assert paragraphs_of_html(text) == plain


@pytest.mark.parametrize(
    "dateline",
    [
        "NEW YORK _ ",
        "JERUSALEM (AP) _ ",
        "BEIRUT, Lebanon (AP) -- ",
        "LONDON, Oct 19 (Reuters) - ",
        "SYDNEY, June 18 - ",
        "WASHINGTON, D.C., Oct. 3 — ",
        "NEW DELHI, AUG 29: ",
        "GOMA, Congo -- ",
        "GREEN BAY, Wis. - ",
        "BANGKOK: ",
        "MONTREAL, Canada : ",
        "TORONTO -- ",
        "SAN DIEGO, Oct. 12 -",
        "NEW DELHI: ",
        "HANOI : ",
        "Vatican, Sep. 13 (CWNews.com) - ",
        "OCTOBER 27, 2004 (TECHWORLD.COM) - ",
        "LONDON, October 28 (ratings.com) - ",
        "Berlin - ",
        "Phoenix, AZ -- ",
    ],
)
def test_dateline(dateline: str) -> None:
    assert without_dateline(f"{dateline}Rain fell.") == "Rain fell."


@pytest.mark.parametrize(
    "text", ["IBM - the maker - said so.", "Rain _ again.", "OPEC cut - again.", "FBI: Rain.", "Berlin - in rain."]
)
def test_no_dateline(text: str) -> None:
    assert without_dateline(text) == text


DUC = """
<DOC>
<DOCNO> APW1 </DOCNO>
<DOCTYPE> NEWS </DOCTYPE>
<HEADLINE>
<P>
The answer
</P>
</HEADLINE>
<TEXT>
OSLO, Norway (AP) _ Rain fell &QL; on
Smith &AMP; Sons.
<P>
It went on.
</P>
</TEXT>
</DOC>
<doc>
<docno>APW2</docno>
<body><headline>Hidden</headline><dateline>OSLO</dateline><p>Left open<p>Second</body></doc>
"""


def test_sgml(tmp_path: Path) -> None:
    result = list(read_documents([write(tmp_path / "d", DUC)]))
    assert result == [
        Document("APW1", "Rain fell on Smith & Sons.\nIt went on.", ("The answer",)),
        Document("APW2", "Left open\nSecond", ("Hidden",)),
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<!-- made by a tool -->\n", ""),
        ("\n<DOCS>\n", "</DOCS>\n"),
        ('<?xml version="1.0"?>\n<!DOCTYPE DOCSTREAM SYSTEM "a.dtd">\n<DOCSTREAM>\n', "</DOCSTREAM>\n"),
    ],
)
def test_what_stands_around_sgml_is_no_text(tmp_path: Path, before: str, after: str) -> None:
    documents = '<DOC id="A1" type="story"><TEXT>Rain fell.</TEXT></DOC>\n<DOC docid=B><TEXT>Snow.</TEXT></DOC>\n'
    text = before + documents + after
    assert list(read_documents([write(tmp_path / "d", text)])) == [Document("A1", "Rain fell."), Document("B", "Snow.")]


UTF8 = "convert the file to UTF-8, for instance with iconv"
TABLE = "a table; give an object a line, as 'mlr --icsv --ojsonl cat' writes them"
MARKUP = "XML or SGML without <DOC> elements; give JSON lines or plain text"
REFUSED = [
    ("latin", "Regen\nfällt".encode("latin-1"), f":2: invalid UTF-8 (bytes e4); {UTF8}"),
    ("a.json", b'[\n {"text": "A."}]', ": a JSON array; give an object a line, as 'jq -c .[]' writes them"),
    ("news.csv", b"Rain fell.", f": {TABLE}"),
    ("news", b'id;"Text"\na;Rain fell.\n', f": {TABLE}"),
    ("feed", b"<rss>\n<title>a</title>\n</rss>\n", f": {MARKUP}"),
    ("feed", b'<?xml version="1.0"?>\n<nitf><body>A.</body></nitf>', f": {MARKUP}"),
]


@pytest.mark.parametrize(("name", "content", "message"), REFUSED)
def test_other_files_are_refused_with_what_to_do(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = write(tmp_path / name, content)
    assert list(read_documents([path])) == [UnreadableDocument(name, f"{path}{message}")]


@pytest.mark.parametrize(
    "html", ['<?xml version="1.0"?>\n<html><p>It rained.</p></html>', "<p>\nIt rained.</p>\n", "<KWIK.L>\nIt rained.\n"]
)
def test_html_and_names_in_brackets_are_text(tmp_path: Path, html: str) -> None:
    text = only_document(write(tmp_path / "d", html)).text
    assert "It rained." in text
    assert "<?" not in text


def test_sgml_that_does_not_close(tmp_path: Path) -> None:
    text = "<DOC>\n<TEXT>A.\n<DOC>\n<TEXT>B.</TEXT>\n</DOC>\n<DOC><DOCNO>3</DOCNO>\n<TEXT>"
    path = write(tmp_path / "d", text)
    first, second, third = read_documents([path])
    assert first == UnreadableDocument(
        "d:1", f"{path}:1: this <DOC> has no </DOC>; the file may be cut off: fetch it again or close the document"
    )
    assert second == Document("d:3", "B.")
    assert isinstance(third, UnreadableDocument)
    assert third.message.startswith(f"{path}:6: ")


def test_sgml_in_latin_1_and_without_text(tmp_path: Path) -> None:
    path = write(tmp_path / "d", "<DOC><TEXT>Málaga</TEXT></DOC><DOC><DOCNO>2</DOCNO></DOC>".encode("latin-1"))
    assert list(read_documents([path])) == [Document("d", "Málaga"), Document("2", "")]


@pytest.mark.parametrize(
    "text",
    [
        "word " * 200_000,
        "<a " * 330_000,
        "<a =" * 250_000,
        "<!--" * 250_000,
        "<a " + "=" * 10**6,
        "x</b>" + "&" * 10**6,
    ],
    ids=["words", "tags", "attributes", "comments", "equal signs", "entities"],
)
def test_a_megabyte_in_one_line(tmp_path: Path, text: str) -> None:
    assert "\n" not in only_document(write(tmp_path / "d", f"</b>{text}")).text  # anything quadratic would take an hour


@given(st.binary(max_size=300), st.sampled_from([b"", b"{", b'{"text":', b"<DOC>", b"<doc><TEXT>", b"<p>"]))
def test_any_bytes_give_documents_or_messages(
    tmp_path_factory: pytest.TempPathFactory, tail: bytes, head: bytes
) -> None:
    path = write(tmp_path_factory.getbasetemp() / "fuzz", head + tail)
    for result in read_documents([path]):
        if isinstance(result, UnreadableDocument):
            assert result.message.startswith(str(path))
        else:
            assert result.text == "\n".join(" ".join(line.split()) for line in result.text.split("\n"))
            result.text.encode()


def test_a_dateline_behind_a_heading(tmp_path: Path) -> None:
    page = "<html><h1>Rain</h1><p>LONDON, Oct 19 (Reuters) - Rain fell.</p><p>OSLO (AP) -- It snowed.</p></html>"
    assert only_document(write(tmp_path / "page.html", page)).text == "Rain\nRain fell.\nIt snowed."


def test_text_given_in_python_may_begin_with_a_dateline(headlines: Path) -> None:
    with Headliner(headlines) as headliner:
        [parsed] = headliner.parse([Document("1", "OSLO (Reuters) - Snow closed the airport on Monday.")])
    assert parsed.document.text == "Snow closed the airport on Monday."


@pytest.mark.parametrize(
    ("text", "parsed_text"),
    [
        ("The bank -- a unit of Acme -- sold two ships.", "The bank sold two ships."),
        ("The bank – the largest – sold two ships.", "The bank sold two ships."),
        ("He said -- falsely -- that it closed.", "He said -- falsely -- that it closed."),
        ("It will close — unless it is sold — in May.", "It will close — unless it is sold — in May."),
        ("The bank sold two ships -- its last.", "The bank sold two ships -- its last."),
    ],
)
def test_a_short_aside_between_dashes_is_not_parsed(text: str, parsed_text: str) -> None:
    assert without_symbols(text) == parsed_text


@pytest.mark.parametrize(
    ("text", "parsed_text"),
    [
        ("Ford Motor Co. F.N on Wednesday sold ships.", "Ford Motor Co. on Wednesday sold ships."),
        ("Saudi Electricity Co. 5110.SE sold ships.", "Saudi Electricity Co. sold ships."),
        ("Northwest (nasdaq: NWAC - news - people ) sold ships.", "Northwest sold ships."),
        ("The U.N said so to L.K Advani.", "The U.N said so to L.K Advani."),
        ("The Zimbabwe an government met Islam ic leaders.", "The Zimbabwean government met Islamic leaders."),
        ("Sunnis met Shi'ite s in Oslo.", "Sunnis met Shi'ites in Oslo."),
        ("In Iraq an hour ago Ford an old ship sold.", "In Iraq an hour ago Ford an old ship sold."),
    ],
)
def test_stock_symbols_and_torn_words_are_not_parsed(text: str, parsed_text: str) -> None:
    assert without_symbols(text) == parsed_text
