import bz2
import errno
import gzip
import io
import lzma
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from widl.common import encodings, files
from widl.common.errors import FileError, InputError
from widl.common.files import read_lines, write_bytes, write_text


def test_plain_files_and_streams(tmp_path):
    with write_bytes(tmp_path / "file") as write:
        write(b"a")
        write(b"b")
        assert not (tmp_path / "file").exists()
    assert (tmp_path / "file").read_bytes() == b"ab"
    stream = io.BytesIO()
    with write_bytes(stream) as write:
        write(b"ab")
    assert stream.getvalue() == b"ab"


@pytest.mark.parametrize("name", ["file", "file.gz"])
def test_nothing_is_left_after_an_error(tmp_path, name):
    def interrupted():
        with write_bytes(tmp_path / name) as write:
            write(b"a" * 3_000_000)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(("name", "opened"), [("a.gz", gzip.open), ("a.xz", lzma.open), ("a.bz2", bz2.open)])
def test_compression_follows_the_name(tmp_path, name, opened):
    with files.write_text(tmp_path / name) as file:
        file.write("ä\nb\n" * 1000)
    with opened(tmp_path / name) as file:
        assert file.read() == "ä\nb\n".encode() * 1000
    assert list(files.read_lines(tmp_path / name)) == ["ä", "b"] * 1000
    first = (tmp_path / name).read_bytes()
    with write_bytes(tmp_path / name) as write:
        for _ in range(1000):
            write("ä\nb\n".encode())
    assert (tmp_path / name).read_bytes() == first
    (tmp_path / name).write_bytes(first[:-20])
    with pytest.raises(InputError, match=rf"{name}: not a complete compressed file"):
        list(files.read_lines(tmp_path / name))


def test_what_the_dead_left_is_overwritten(tmp_path):
    (tmp_path / ".out.tmp").write_text("half")
    with files.write_text(tmp_path / "out") as file:
        file.write("text")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"out": "text"}


def test_content_and_name_are_on_disk_in_this_order(tmp_path, monkeypatch):
    path, done = tmp_path / "out", []
    content = lambda what: what.read_bytes() if what.is_file() else what  # noqa: E731
    monkeypatch.setattr(files, "sync", lambda what: done.append(("sync", content(what))))
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda old, new: (done.append("rename"), replace(old, new)))
    with files.write_text(path) as file:
        file.write("text")
    assert done == [("sync", b"text"), "rename", ("sync", tmp_path)]


def test_a_nameless_file_can_be_opened_by_its_path():
    with files.anonymous_file() as (stream, path):
        stream.write(b"text")
        stream.flush()
        assert path.read_bytes() == b"text"
        assert os.stat(path).st_nlink == 0


def test_without_linux_a_temporary_file_has_a_name(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "OPEN_FILES", tmp_path / "none")
    with files.anonymous_file() as (stream, path):
        stream.write(b"text")
        stream.flush()
        assert path.read_bytes() == b"text"
    assert not path.exists()


def test_pipes_and_devices_are_written_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as threads:
        read = threads.submit(pipe.read_text)
        with files.write_text(pipe) as file:
            file.write("text\n")
        assert read.result(60) == "text\n"
    assert pipe.is_fifo()
    with files.write_text("/dev/null") as file:
        file.write("text\n")
    with (tmp_path / "open").open("wb") as opened, files.write_text(f"/dev/fd/{opened.fileno()}") as file:
        file.write("text\n")
    assert (tmp_path / "open").read_text() == "text\n"
    assert sorted(os.listdir(tmp_path)) == ["open", "pipe"]


@pytest.mark.parametrize("name", ["pipe", "pipe.gz"])
def test_bytes_go_to_pipes_and_devices_as_well(tmp_path, name):
    pipe = tmp_path / name
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as threads:
        read = threads.submit(pipe.read_bytes)
        with files.write_bytes(pipe) as write:
            write(b"text\n")
        content = read.result(60)
    assert (gzip.decompress(content) if name.endswith(".gz") else content) == b"text\n"
    with files.write_bytes("/dev/null") as write:
        write(b"text\n")
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_its_file_is_replaced(tmp_path, there):
    (tmp_path / "place").mkdir()
    if there:
        (tmp_path / "place" / "file").write_text("old")
    (tmp_path / "link").symlink_to("place/file")
    (tmp_path / "chain").symlink_to("link")
    with files.write_text(tmp_path / "chain") as file:
        file.write("text\n")
        beside = [path.name for path in (tmp_path / "place").iterdir() if path.name != "file"]
        assert [name.startswith(".file.") for name in beside] == [True]
    assert (tmp_path / "place" / "file").read_text() == "text\n"
    assert [(tmp_path / name).readlink().name for name in ("link", "chain")] == ["file", "link"]
    assert os.listdir(tmp_path / "place") == ["file"]


def test_links_that_lead_nowhere(tmp_path):
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "missing").symlink_to("no/file")
    (tmp_path / "folder").symlink_to(tmp_path)
    for name, message in (
        ("circle", "circle: exists and is not a file; choose another output"),
        ("missing", "no/file: can't be written .*; make the directory .*no first"),
        ("folder", "folder: exists and is not a file"),
    ):
        with pytest.raises(FileError, match=message), files.replacing(tmp_path / name):
            pass
        assert (tmp_path / name).is_symlink()


@pytest.mark.parametrize("name", ["/dev/null", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_what_must_be_a_file_replaces_no_device(name):
    before = os.lstat(name)
    with pytest.raises(FileError, match="exists and is not a file"), files.replacing(name):
        pass
    assert os.lstat(name).st_mode == before.st_mode


@pytest.mark.parametrize("problem", [errno.EPERM, errno.ENOTSUP, errno.EXDEV, errno.EMLINK])
def test_a_file_system_without_hard_links_gets_a_copy(tmp_path, monkeypatch, problem):
    def no_link(source, target):
        raise OSError(problem, os.strerror(problem))

    (tmp_path / "table").write_bytes(b"content")
    files.link_or_copy(tmp_path / "table", tmp_path / "linked")
    assert (tmp_path / "linked").samefile(tmp_path / "table")
    monkeypatch.setattr(os, "link", no_link)
    files.link_or_copy(tmp_path / "table", tmp_path / "copied")
    assert (tmp_path / "copied").read_bytes() == b"content"
    assert not (tmp_path / "copied").samefile(tmp_path / "table")
    with pytest.raises(FileNotFoundError):
        files.link_or_copy(tmp_path / "nothing", tmp_path / "new")


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


def test_control_characters_and_bidirectional_marks_are_text(tmp_path: Path) -> None:
    path = tmp_path / "text"
    hostile = "".join(map(chr, range(1, 32))).replace("\n", "") + "\u202e\u2066"
    path.write_text(f"{hostile}x\n", encoding="utf-8", newline="\n")
    assert list(read_lines(path)) == [f"{hostile}x"]
    path.write_bytes(b"\xed\xa0\x80\n")  # a lone surrogate is not valid UTF-8
    with pytest.raises(InputError, match="text:1: invalid UTF-8"):
        list(read_lines(path))


def write_until(path: Path, text: str, error: type[BaseException], **more: bool) -> None:
    with write_text(path, **more) as out:
        out.write(text)
        raise error


@pytest.mark.parametrize("name", ["out.txt", "out.gz"])
def test_what_is_interrupted_stays_beside_if_asked_for(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Only after Ctrl-C, and only if something was written."""
    path, beside = tmp_path / name, tmp_path / f"{name}.partial"
    path.write_bytes(b"old")
    for error, text in ((KeyboardInterrupt, ""), (ValueError, "a\nb\n"), (KeyboardInterrupt, "a\nb\n")):
        beside.unlink(missing_ok=True)
        with pytest.raises(error):
            write_until(path, text, error, keep_interrupted=True)
        assert beside.exists() == (error is KeyboardInterrupt and (bool(text) or name == "out.gz"))
        assert path.read_bytes() == b"old"
    opened = gzip.open if name == "out.gz" else open
    with opened(beside, "rt") as lines:
        assert list(lines) == ["a\n", "b\n"]
    assert f"interrupted: {beside} has the finished lines" in caplog.messages
    beside.unlink()
    with pytest.raises(KeyboardInterrupt):
        write_until(path, "a\n", KeyboardInterrupt)
    assert sorted(tmp_path.iterdir()) == [path]
