import gzip
import io
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl import files, gzip_files
from widl.errors import FileError
from widl.files import write_bytes


@pytest.mark.slow
@given(st.lists(st.binary(max_size=40), max_size=10), st.sampled_from([1, 7, 1 << 20]), st.sampled_from([1, 3]))
def test_compressed_blocks_are_one_text(tmp_path, monkeypatch, pieces, size, threads):
    monkeypatch.setattr(gzip_files, "_MEMBER", size)
    path = tmp_path / f"{threads}.gz"
    with write_bytes(path, threads=threads) as write:
        for piece in pieces:
            write(piece)
    with gzip.open(path) as file:
        assert file.read() == b"".join(pieces)
    with write_bytes(tmp_path / "one.gz") as write:
        write(b"".join(pieces))
    assert (tmp_path / "one.gz").read_bytes() == path.read_bytes()


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
        with write_bytes(tmp_path / name, threads=2) as write:
            write(b"a" * 3_000_000)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert os.listdir(tmp_path) == []


def test_temporaries_of_the_dead_are_deleted_and_others_kept(tmp_path):
    path = tmp_path / "out"
    names = [".out.abcdefgh.tmp", ".out.more.abcdefgh.tmp", ".out.abc.tmp", ".other.abcdefgh.tmp"]
    for name in names:
        (tmp_path / name).touch()
    (tmp_path / ".out.linked_1.tmp").symlink_to(tmp_path / ".other.abcdefgh.tmp")
    with files.temporary_beside(path) as first, files.temporary_beside(path) as second:
        assert first != second
        assert first.exists()  # in use, here as in another process
        assert not (tmp_path / names[0]).exists()
    assert sorted(os.listdir(tmp_path)) == sorted([*names[1:], ".out.linked_1.tmp"])


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
    with files.nameless_file() as (stream, path):
        stream.write(b"text")
        stream.flush()
        assert path.read_bytes() == b"text"
        if str(path).startswith("/proc"):
            assert os.stat(path).st_nlink == 0


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
        with files.write_bytes(pipe, threads=2) as write:
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
