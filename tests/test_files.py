import gzip
import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl import files
from widl.files import write_bytes


@pytest.mark.slow
@given(st.lists(st.binary(max_size=40), max_size=10), st.sampled_from([1, 7, 1 << 20]), st.sampled_from([1, 3]))
def test_compressed_blocks_are_one_text(tmp_path, monkeypatch, pieces, size, threads):
    monkeypatch.setattr(files, "_MEMBER", size)
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
