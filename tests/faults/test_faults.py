"""A few deaths, failing calls and losses of power; `make crash` tries hundreds."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults import matrix
from tests.faults.commands import COMMANDS
from tests.faults.harness import KILL_AFTER, Prepared, Server, serving
from tests.faults.power import Disk, power_losses
from tests.faults.recording import Call, read_record

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="preloads a library as Linux does"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    try:
        subprocess.run([os.environ.get("CC", "cc"), "--version"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs a C compiler")
    with serving() as running:
        yield running


def prepared(server: Server, name: str, **more) -> Prepared:
    return Prepared(server, next(command for command in COMMANDS if command.name == name), **more)


@pytest.mark.parametrize("name", ["lm estimate", "phrase-table prune", "train"])
def test_nothing_is_lost(server: Server, name: str) -> None:
    run = prepared(server, name, replaces=True)
    draw = random.Random(name)
    tried = [*matrix.deaths(run, 4, draw), *matrix.failures(run, 8, draw), *power_losses(run, 2, draw)]
    assert [problem for problems in tried for problem in problems] == []
    assert len(tried) == 4 + 8 + 6


def test_what_the_demonstration_has_made_stays(server: Server) -> None:
    run = prepared(server, "demo")
    assert list(power_losses(run, 0, random.Random(1))) == [[], []]


def test_half_a_result_is_noticed(server: Server) -> None:
    run = prepared(server, "lm estimate")
    result = run.run_folder / "lm.binary"
    run.reset()
    server.run(run.command.arguments)
    assert run.half_written() == []
    result.write_bytes(result.read_bytes()[:100])
    assert run.half_written() == ["lm.binary"]
    assert run.missing() == ["lm.binary"]
    (run.run_folder / ".lm.binary.abcdefgh.tmp").touch()
    assert run.leftovers() == ["run/.lm.binary.abcdefgh.tmp"]


def test_what_is_left_by_a_death_is_removed(server: Server) -> None:
    run = prepared(server, "lm estimate")
    creates = [call.number for call in read_record(run.log) if call.kind == "create"]
    run.reset()
    assert server.run(run.command.arguments, at=creates[-1], how=KILL_AFTER).status == -9
    assert len(run.leftovers()) == 2
    assert server.run(run.command.arguments).status == 0
    assert run.leftovers() == []


def test_other_bytes_are_noticed(server: Server) -> None:
    run = prepared(server, "lm estimate")
    other = [*run.command.arguments, "--order", "2"]
    run.command = replace(run.command, arguments=other)
    [problem] = matrix.same_again(run, "here")
    assert problem == "here: other bytes after the next run: lm.binary"


def call(kind: str, first: str = "", second: str = "", inode: int = 1, offset: int = 0, content: bytes = b"") -> Call:
    return Call(0, kind, inode, offset, first, second, content)


def test_a_disk_after_a_loss_of_power() -> None:
    disk = Disk({"/d": None})
    disk.written_names = dict(disk.names)
    for step in (
        call("create", "/d/t"),
        call("write", content=b"abc"),
        call("write", offset=1, content=b"x"),
        call("rename", "/d/t", "/d/r"),
    ):
        disk.apply(step)
    assert disk.seen() == {"/d": None, "/d/r": b"axc"}
    assert disk.after_late_data() == {"/d": None, "/d/r": b""}
    assert disk.after_late_names() == {"/d": None}
    disk.apply(call("sync"))
    assert disk.after_late_data() == disk.after_late_names() == disk.seen()
    disk.apply(call("mkdir", "/e", inode=2))
    disk.apply(call("exchange", "/d", "/e"))
    assert disk.seen() == {"/d": None, "/e": None, "/e/r": b"axc"}
    assert disk.after_late_names() == {"/d": None, "/d/r": b"axc"}


def test_a_rename_without_fsync_is_found(server: Server, tmp_path: Path) -> None:
    """What the package did before its renames were written through: the half results show."""
    run = prepared(server, "lm estimate")
    without = [recorded for recorded in read_record(run.log) if recorded.kind != "sync"]
    disk = Disk.of(run._start)
    for recorded in without:
        disk.apply(recorded)
    assert disk.after_late_data()[f"{run.run_folder}/lm.binary"] == b""
