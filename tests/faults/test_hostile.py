"""Models of strangers, and input that was written to hurt."""

import gzip
import json
import os
import re
import shutil
import unicodedata
from pathlib import Path

import pytest

from tests.page import Page
from widl import files, gzip_files, pages, streams
from widl.errors import InputError
from widl.files import read_lines, read_toml
from widl.headline.documents import Unreadable, read_documents
from widl.headline.model import read_content_model
from widl.manifests import CHECKED, MANIFEST, has_format
from widl.text import normalization
from widl.text.normalization import normal_form
from widl.translation import TranslationOptions, Translator
from widl.translation.manifest import TranslationManifest, read_manifest
from widl.translation.sentence import LONGEST_LINE, Sentence
from widl.translation.tags import find_tags, with_zones

SCRIPT = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&\u202e"


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """A directory whose manifest says that it is a model."""
    names = ["lm0.binary", "weights.toml", "truecaser.tsv", "phrase-table.lmdb"]
    for name in names:
        (tmp_path / name).write_bytes(b"")
    content = {
        "format": "widl translation model",
        "version": 5,
        "language_models": ["lm0.binary"],
        "text": {"segmenter": None},
        "truecaser": "truecaser.tsv",
        "files": dict.fromkeys(names, 0),
        "training": {},
    }
    (tmp_path / MANIFEST).write_text(json.dumps(content))
    return tmp_path


def change(directory: Path, **entries: object) -> None:
    path = directory / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | entries))


def test_a_sound_manifest(stranger: Path) -> None:
    assert read_manifest(stranger).phrase_table == "phrase-table.lmdb"


@pytest.mark.parametrize("name", ["/etc/passwd", "../passwd", "a/b", "..", "", "a\0b", "a\\b"])
@pytest.mark.parametrize("field", ["truecaser", "phrase_table", "language_models", "files", "text"])
def test_no_path_leads_out_of_the_directory(stranger: Path, field: str, name: str) -> None:
    entry = {"language_models": [name], "files": {name: 0}, "text": {"segmenter": None, "user_dictionary": name}}
    change(stranger, **{field: entry.get(field, name)})
    with pytest.raises(InputError) as error:
        read_manifest(stranger)
    assert str(error.value).startswith(f"{stranger / MANIFEST}: ")
    assert "\n" not in str(error.value)


def test_links_are_refused(stranger: Path) -> None:
    (stranger / "truecaser.tsv").unlink()
    (stranger / "truecaser.tsv").symlink_to("/etc/hostname")
    with pytest.raises(InputError, match=r"truecaser\.tsv: a symbolic link"):
        read_manifest(stranger)


def replaced(stranger: Path, kind: str) -> None:
    """Something else in the place of the manifest."""
    path = stranger / MANIFEST
    text = path.read_bytes()
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "link":
        (stranger / "other.json").write_bytes(text)
        path.symlink_to("other.json")
    elif kind == "directory":
        path.mkdir()
    elif kind == "large":
        with path.open("wb") as file:
            file.write(text)
            file.truncate(1 << 40)  # with a hole, where the file system can
    else:
        path.write_bytes(b'{"a":' * 100_000)


@pytest.mark.parametrize("kind", ["pipe", "device", "link", "directory", "large", "deep"])
def test_a_manifest_that_is_none(stranger: Path, kind: str) -> None:
    replaced(stranger, kind)
    with pytest.raises(InputError) as error:
        read_manifest(stranger)
    assert str(error.value).startswith(f"{stranger / MANIFEST}: ")
    assert len(str(error.value)) < 500
    assert not has_format(stranger, TranslationManifest)


@pytest.mark.parametrize("content", [b"[" * 100_000, b'{"truecaser.tsv": 1}', b"\xff"], ids=["deep", "wrong", "bytes"])
def test_sums_that_are_none(stranger: Path, content: bytes) -> None:
    (stranger / CHECKED).write_bytes(content)
    assert read_manifest(stranger).phrase_table == "phrase-table.lmdb"


@pytest.mark.parametrize(
    "content", [b"x = " + b"[" * 100_000, b"x = 1 #" + bytes(files.LARGEST_SETTINGS)], ids=["deep", "large"]
)
def test_settings_that_are_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "weights.toml"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_toml(path)
    assert str(error.value).startswith(f"{path}: ")
    assert len(str(error.value)) < 500


def test_a_content_model_that_is_deep(tmp_path: Path) -> None:
    path = tmp_path / "words.json"
    path.write_bytes(b"[" * 100_000)
    with pytest.raises(InputError, match=r"words\.json: damaged"):
        read_content_model(path)


def test_nothing_is_unpickled_but_work_of_the_own_cluster() -> None:
    source = Path(files.__file__).parent
    loads = re.compile(r"\b(pickle|marshal|shelve|dill|joblib|torch)\b|np\.load|numpy\.load|\beval\(|\bexec\(|yaml")
    found = {
        str(path.relative_to(source))
        for path in source.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if loads.search(line.partition("#")[0]) and ("import" in line or "load" in line or "(" in line)
    }
    of_cluster = {"pipeline/cluster.py", "pipeline/cluster_worker.py", "shared_work.py"}
    assert found <= of_cluster | {"workers.py", "decoder/language_model.py"}


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
    monkeypatch.setattr(files, "LONGEST_LINE", 4)
    path = tmp_path / "text"
    path.write_text("abc\nab\nabcd")
    assert list(read_lines(path)) == ["abc", "ab", "abcd"]
    path.write_text("abc\nabcd\n")
    with pytest.raises(InputError, match=r"text:2: longer than"):
        list(read_lines(path))


@pytest.mark.slow
def test_a_hundred_thousand_tags_are_read_in_their_number() -> None:
    """The work must not grow with their square."""
    count = 100_000
    parts = with_zones([part for _, _, part in find_tags("<b>" * count + "</b>" * count)])
    zones = sum(part.edge is not None and part.edge.value == "zone begins" for part in parts)
    assert zones == count
    tokens = tuple("ab" * count)
    nested = tuple((i, len(tokens) - i) for i in range(count))
    pieces = Sentence(tokens, zones=nested, walls=tuple(range(1, count))).cut(100)
    assert sum(len(piece.tokens) for piece in pieces) == len(tokens)


def hostile_page() -> str:
    """A page with script in every field of every part that pages are made of."""
    cell = pages.Cell(SCRIPT, value=1.0, note=SCRIPT, below=SCRIPT, kind="paper")
    head = pages.Head(SCRIPT, help=SCRIPT, sorts=0)
    content = [
        pages.table([head, SCRIPT], [(SCRIPT, [cell, SCRIPT])], SCRIPT, kind="sortable"),
        pages.text_table([SCRIPT], [[SCRIPT]], SCRIPT),
        pages.figure(SCRIPT, SCRIPT, pages.Markup("<svg></svg>")),
        pages.paragraph(SCRIPT),
    ]
    section = pages.Section("results", SCRIPT, content)
    return pages.page(SCRIPT, SCRIPT, [section], notes=[SCRIPT], signatures={SCRIPT: SCRIPT})


def test_script_in_every_field_of_a_page_is_text() -> None:
    page = Page(hostile_page())
    assert [tag for tag, _ in page.tags].count("script") == 1  # the page's own
    assert not any(tag == "img" for tag, _ in page.tags)
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert sum("<script>alert(1)</script>" in part for part in page.texts) >= 10


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("chromedriver"), reason="needs chromium")
def test_a_browser_runs_no_script_of_a_field(tmp_path: Path) -> None:
    pytest.importorskip("selenium.webdriver")
    from tests.browser import opened_browser

    path = tmp_path / "page.html"
    path.write_text(hostile_page(), encoding="utf-8")
    with opened_browser(tmp_path / "profile") as driver:
        driver.get(path.as_uri())  # an alert that is open makes the calls below fail
        count = "return [document.scripts.length, document.images.length, document.readyState]"
        assert driver.execute_script(count) == [1, 0, "complete"]
        attributes = "return [...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames())"
        assert not any(name.startswith("on") for name in driver.execute_script(attributes))
        assert driver.execute_script("return document.body.innerText").count("<script>alert(1)</script>") >= 10
        assert driver.get_log("browser") == []


def test_control_characters_and_bidirectional_marks_are_text(tmp_path: Path) -> None:
    path = tmp_path / "text"
    hostile = "".join(map(chr, range(1, 32))).replace("\n", "") + "\u202e\u2066"
    path.write_text(f"{hostile}x\n", encoding="utf-8", newline="\n")
    assert list(read_lines(path)) == [f"{hostile}x"]
    path.write_bytes(b"\xed\xa0\x80\n")  # a lone surrogate is no UTF-8
    with pytest.raises(InputError, match="text:1: invalid UTF-8"):
        list(read_lines(path))


def test_a_small_file_that_expands_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads it stops: also who copies it to disk, or reads it whole."""
    monkeypatch.setattr(gzip_files, "LARGEST_EXPANSION", 100_000)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"a b c\n" * 1_000_000))
    message = r"bomb\.gz: holds more than 200 times its size, .*; if it is right, decompress it first$"
    with pytest.raises(InputError, match=message):
        list(read_lines(path))
    with pytest.raises(InputError, match=message), files.plain_file(path):
        pass
    [document] = read_documents([path])
    assert isinstance(document, Unreadable)
    assert re.search(message, document.message)
    with pytest.raises(InputError, match=message):
        read_content_model(path)
    path.write_bytes(gzip.compress(b"".join(b"%d\n" % number for number in range(100_000))))
    assert sum(1 for _ in read_lines(path)) == 100_000


def test_a_pipe_without_line_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LONGEST_LINE", 100)
    monkeypatch.setattr(files, "LONGEST_LINE", 100)
    reading, writing = os.pipe()
    os.write(writing, b"ab\n" + b"c" * 1000)
    with os.fdopen(reading, "rb") as pipe:
        lines = (line for run in streams.line_runs(pipe) for line in run)
        assert next(lines) == (1, "ab")
        with pytest.raises(InputError, match=":2: longer than"):  # although the other end may go on for ever
            next(lines)
    os.close(writing)


def test_a_line_that_is_too_long_is_passed_through(trained: Path) -> None:
    line = "（<b>" * (LONGEST_LINE // 4) + "好"
    assert len(line) == LONGEST_LINE + 1
    with Translator(trained) as translator:
        options = TranslationOptions(nbest=3, samples=2, lattice=True)
        short, long = translator.translate(["警方正在调查。", line], options)
    assert not short.failure
    assert (long.text, long.source, len(long.nbest)) == (line, (line,), 1)
    assert long.failure.startswith("100,001 characters, at most 100,000 are translated as one")
    assert {sample.text for sample in long.samples} == {line}


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
@pytest.mark.parametrize("kind", REPEATED)
@pytest.mark.parametrize("markup", ["none", "exclusive"])
def test_whatever_is_repeated_is_translated(trained: Path, kind: str, markup: str) -> None:
    lines = [(text * 2000)[:2000] for text in REPEATED[kind]]
    with Translator(trained) as translator:
        options = TranslationOptions(pop_limit=5, markup=markup)  # type: ignore[arg-type]
        results = list(translator.translate(lines, options))
    assert [result.failure for result in results] == [""] * len(lines)
    assert not any("\n" in result.text for result in results)


def test_runs_of_combining_marks_are_normalised_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's normalisation takes the square of their length."""
    sizes, normalize = [], unicodedata.normalize
    monkeypatch.setattr(
        normalization.unicodedata, "normalize", lambda form, text: sizes.append(len(text)) or normalize(form, text)
    )
    text = normal_form("a" + "\u0315\u0300" * 100_000)
    assert max(sizes) <= 1024
    assert text.count("\u0315") == 100_000
