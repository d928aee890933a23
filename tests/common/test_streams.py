"""Lines in chunks, as from a pipe, compared with all lines at once."""

import gzip
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.cli import parameters
from widl.cli.parameters import number_of_lines
from widl.common import encodings, files, streams
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.streams import StreamedLines, arrives, line_runs
from widl.common.workers import BatchSize
from widl.pipeline.progress import ItemCounter, stages_in_log


class Pipe:
    """A pipe of this process."""

    def __init__(self) -> None:
        reader, self._writer = os.pipe()
        self.reader: BinaryIO = os.fdopen(reader, "rb")

    def write(self, content: bytes) -> None:
        os.write(self._writer, content)

    def close(self) -> None:
        os.close(self._writer)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    result = Pipe()
    with result.reader:
        yield result


@given(st.lists(st.binary(max_size=40), max_size=8))
def test_runs_of_a_pipe_are_its_lines(parts: list[bytes]) -> None:
    pipe = Pipe()
    with pipe.reader:
        lines = StreamedLines(pipe.reader)
        result: list[bytes] = []
        for part in parts:
            pipe.write(part)
            result += lines.present()  # never waits
        assert b"".join(result) == b"".join(parts)[: b"".join(parts).rfind(b"\n") + 1]
        pipe.close()
        result += lines
        assert b"".join(result) == b"".join(parts)
        assert result == b"".join(parts).splitlines(keepends=True) or b"\r" in b"".join(parts)
        assert not lines.is_present()


def test_a_run_ends_where_the_next_line_would_be_waited_for(pipe: Pipe) -> None:
    pipe.write("\ufeff一\n二\r\n".encode() + b"begun")
    assert arrives(pipe.reader)
    runs = line_runs(pipe.reader)
    assert list(next(runs)) == [(1, "一"), (2, "二")]
    pipe.write(b" and ended\n\n")
    assert list(next(runs)) == [(3, "begun and ended"), (4, "")]
    pipe.write(b"last")
    pipe.close()
    assert list(next(runs)) == [(5, "last")]
    assert list(runs) == []


def test_invalid_utf8_names_its_line(pipe: Pipe) -> None:
    pipe.write(b"a\n\xff\n")
    runs = line_runs(pipe.reader)
    with pytest.raises(InputError, match=r":2: invalid UTF-8 \(bytes ff at byte 1 of the line\)"):
        list(next(runs))
    pipe.close()


def test_a_file_is_one_run(tmp_path: Path) -> None:
    for name, opened in (("a.txt", open), ("a.txt.gz", gzip.open)):
        path = tmp_path / name
        with opened(path, "wb") as file:
            file.write(b"1\n2\n3")
        assert not arrives(path)
        [run] = [list(run) for run in line_runs(path)]
        assert run == list(enumerate(read_lines(path), 1)) == [(1, "1"), (2, "2"), (3, "3")]
    assert not arrives(tmp_path / "missing")
    with pytest.raises(FileNotFoundError):
        list(line_runs(tmp_path / "missing"))


def test_batches_grow_while_they_are_quick_and_shrink_when_they_are_slow() -> None:
    size = BatchSize(2)
    lengths = []
    for batch in size.batches(range(1000)):
        lengths.append(len(batch))
        size.took(0.1 if len(lengths) < 8 else 3.0)
    assert sum(lengths) == 1000
    assert lengths[:6] == [2, 4, 8, 16, 32, 64]
    assert max(lengths) == 64
    assert lengths[-2] == 8
    assert BatchSize(0).size == 1


class Screen:
    """A stream that may be a terminal."""

    def __init__(self, terminal: bool) -> None:
        self.text, self._terminal = "", terminal

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def clock(times: list[float]) -> Callable[[], float]:
    return iter(times).__next__


def test_the_counter_is_silent_for_two_seconds() -> None:
    screen = Screen(terminal=True)
    counter = ItemCounter("lines", 4, stream=screen, clock=clock([0.0, 1.0, 1.9, 2.5, 2.6]))  # type: ignore[arg-type]
    counter.step()
    counter.step()
    assert screen.text == ""
    counter.step()
    counter.step()  # too soon after the last
    assert screen.text == "\r3 of 4 lines, 1.2 a second, about 1 s left\x1b[K"
    counter.notify("x:3: no")
    assert screen.text.endswith("\r\x1b[Kx:3: no\n")
    counter.clear()
    assert screen.text.endswith("x:3: no\n")


def test_the_counter_in_a_log() -> None:
    screen = Screen(terminal=False)
    counter = ItemCounter("lines", stream=screen, clock=clock([0.0, 29.0, 31.0, 40.0, 63.0]))  # type: ignore[arg-type]
    for _ in range(4):
        counter.step()
    assert screen.text == "2 lines, 0.0645 a second\n4 lines, 0.0635 a second\n"


def test_long_stages_in_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    report = stages_in_log(clock([0.0, 29.0, 31.0, 40.0, 63.0, 64.0]))
    for done in range(1, 6):
        report("parse", done * 100, 600)
    report("parse", 600, 600)
    report("parse", 600, 600)
    expected = ["parse: 300 of 600, about 46 s left", "parse: 500 of 600, about 16 s left", "parse: done (600, 64 s)"]
    assert capsys.readouterr().err.splitlines() == expected


def test_the_time_left_of_a_resumed_stage(capsys: pytest.CaptureFixture[str]) -> None:
    """900 of 1,000 were there; the next 10 took 50 seconds, so that the last 90 take 450."""
    report = stages_in_log(clock([0.0, 50.0]))
    report("parse", 900, 1000)
    report("parse", 910, 1000)
    assert capsys.readouterr().err == "parse: 910 of 1,000, about 8 min left\n"


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


def test_long_work_in_a_log_has_a_line_every_two_minutes(capsys: pytest.CaptureFixture[str]) -> None:
    """With the time left, of stages and of items; ten seconds for each item."""
    items, total = 100, 200
    report = stages_in_log(clock([10.0 * done for done in range(items + 1)]))
    for done in range(items + 1):
        report("count", done, total)
    of_stage = [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()]
    screen = io.StringIO()
    counter = ItemCounter("lines", total, stream=screen, clock=clock([10.0 * done for done in range(items + 1)]))
    for _ in range(items):
        counter.step()
    times = [30, 60, 120, *range(240, 10 * items, 120)]
    assert [line.split(" ")[0] for line in of_stage] == [str(time // 10) for time in times]
    assert all("left" in line for line in of_stage)
    assert [line.split(" of ")[0] for line in screen.getvalue().splitlines()] == [str(time // 10) for time in times]
    assert all("about" in line for line in screen.getvalue().splitlines())


def test_lines_of_compressed_files_are_counted_unless_that_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, packed = tmp_path / "a.txt", tmp_path / "b.gz"
    plain.write_text("1\n2\n")
    packed.write_bytes(gzip.compress(b"1\n2\n3\n"))
    assert number_of_lines([plain, packed]) == 5
    assert [number_of_lines(files) for files in (None, [], [Path("-")], [tmp_path / "none"])] == [0] * 4
    monkeypatch.setattr(parameters, "_FEW_BYTES", 10)
    assert [number_of_lines([plain, packed]), number_of_lines([plain])] == [0, 2]
