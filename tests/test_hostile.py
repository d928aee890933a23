"""Long, odd or malicious input."""

import gzip
import os
from pathlib import Path

import pytest

from tests.page import Page
from widl import pages
from widl.common import encodings, files, streams
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.pages import tables
from widl.translation import TranslationOptions, Translator
from widl.translation.html_tags import find_tags, with_zones
from widl.translation.sentence import LONGEST_LINE, Sentence

SCRIPT = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&\u202e"


@pytest.mark.slow
def test_an_endless_line_in_a_small_file(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wb") as file:
        for _ in range(129):
            file.write(bytes(1 << 20))
    assert path.stat().st_size < 200_000
    with pytest.raises(InputError, match=r"bomb\.gz:1: longer than 64 MB"):
        list(read_lines(path))


def test_lines_up_to_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (files, encodings):
        monkeypatch.setattr(module, "LONGEST_LINE", 4)
    path = tmp_path / "text"
    path.write_text("abc\nab\nabcd")
    assert list(read_lines(path)) == ["abc", "ab", "abcd"]
    path.write_text("abc\nabcd\n")
    with pytest.raises(InputError, match=r"text:2: longer than"):
        list(read_lines(path))


@pytest.mark.slow
def test_a_hundred_thousand_tags_are_read_in_their_number() -> None:
    """The time must not grow quadratically."""
    count = 100_000
    parts = with_zones([part for _, _, part in find_tags("<b>" * count + "</b>" * count)])
    zones = sum(part.edge is not None and part.edge.value == "zone begins" for part in parts)
    assert zones == count
    tokens = tuple("ab" * count)
    nested = tuple((i, len(tokens) - i) for i in range(count))
    pieces = Sentence(tokens, zones=nested, walls=tuple(range(1, count))).split(100)
    assert sum(len(piece.tokens) for piece in pieces) == len(tokens)


def hostile_page() -> str:
    """A page with scripts in every field of every page component."""
    column = tables.Column(name=SCRIPT, help=SCRIPT)
    row = tables.Row(label=SCRIPT, cells={SCRIPT: 1.0}, paper={SCRIPT: SCRIPT})
    table = tables.Table(name=SCRIPT, title=SCRIPT, of=SCRIPT, columns=[column], rows=[row], notes=[SCRIPT])
    picture = {"name": SCRIPT, "line": SCRIPT} | dict.fromkeys(("left", "right", "low", "high"), 1.0)
    content = [
        pages.table(table),
        pages.table(pages.text_table(SCRIPT, [SCRIPT, "x"], [[SCRIPT, SCRIPT]])),
        pages.render("error_surfaces", pictures=[picture], width=1, height=1),
    ]
    section = pages.Section("results", SCRIPT, content)
    return pages.page(SCRIPT, SCRIPT, [section], notes=[SCRIPT])


def test_script_in_every_field_of_a_page_is_text() -> None:
    page = Page(hostile_page())
    assert [tag for tag, _ in page.tags].count("script") == 1  # the page's own
    assert not any(tag == "img" for tag, _ in page.tags)
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert sum("<script>alert(1)</script>" in part for part in page.texts) >= 10


def test_control_characters_and_bidirectional_marks_are_text(tmp_path: Path) -> None:
    path = tmp_path / "text"
    hostile = "".join(map(chr, range(1, 32))).replace("\n", "") + "\u202e\u2066"
    path.write_text(f"{hostile}x\n", encoding="utf-8", newline="\n")
    assert list(read_lines(path)) == [f"{hostile}x"]
    path.write_bytes(b"\xed\xa0\x80\n")  # a lone surrogate is not valid UTF-8
    with pytest.raises(InputError, match="text:1: invalid UTF-8"):
        list(read_lines(path))


def test_a_pipe_without_line_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (streams, files, encodings):
        monkeypatch.setattr(module, "LONGEST_LINE", 100)
    reading, writing = os.pipe()
    os.write(writing, b"ab\n" + b"c" * 1000)
    with os.fdopen(reading, "rb") as pipe:
        lines = (line for run in streams.line_runs(pipe) for line in run)
        assert next(lines) == (1, "ab")
        with pytest.raises(InputError, match=":2: longer than"):  # although the other end may never finish
            next(lines)
    os.close(writing)


def test_a_line_that_is_too_long_is_passed_through(trained: Path) -> None:
    line = "（<b>" * (LONGEST_LINE // 4) + "好"
    assert len(line) == LONGEST_LINE + 1
    translator = Translator(trained)
    options = TranslationOptions(nbest=3, lattice=True)
    short, long = translator.translate(["警方正在调查。", line], options)
    assert not short.failure
    assert (long.text, long.source, len(long.nbest)) == (line, (line,), 1)
    assert long.failure.startswith("100,001 characters, at most 100,000 are translated as one")


REPEATED = {
    "letters": ["a", "aB", "A·", "ab_", "x.", "\\", "@-@ ", "-LRB- ", "\u1100\u1161", "\ufe0f", "a\u0301", "\u0301"],
    "Chinese": ["中", "中国", "张三李四", "万亿", "百分之", "年月日", "一二三", "𠀀", "㍿", "研究很重要，"],
    "numbers": ["1", "１", "1,000.", "12:30", "1-", "2019年10月3日", "9万", "1亿多", "3.", "1公里", "两三"],
    "signs": ["（", "([{", "\"'", "，", "。", "…", "-", "/", ":", "|||", " ||| ", "·", "∑∫", "\uffff", "👩‍👩‍👧‍👦"],
    "marks": ["\u200b", "\u200d", "\u202e\u2066", " ", "\u3000", "\u00a0", "\u2028", "\f", "\x85", "\x01\x07\x1b"],
    "markup": ["<", "<b>", "</b>", "<b>中</b>", "&", "&amp;", "中<wall/>", "<zone>", "<x a='b'>中</x>", "<x "],
    "addresses": ["http://a.b/c?d=e ", "a@b.c ", "www."],
}


@pytest.mark.slow
def test_whatever_is_repeated_is_translated(trained: Path) -> None:
    lines = [(text * 1000)[:1000] for texts in REPEATED.values() for text in texts]
    translator = Translator(trained)
    options = TranslationOptions(pop_limit=5, markup="exclusive")
    results = list(translator.translate(lines, options))
    assert [result.failure for result in results] == [""] * len(lines)
    assert not any("\n" in result.text for result in results)
