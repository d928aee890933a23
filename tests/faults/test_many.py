"""Many processes and threads on one model directory, which is replaced all the time; two trainings, and the dead."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lmdb
import pytest

from tests.waiting import wait_until
from widl.errors import InputError
from widl.jobs import remove_tree
from widl.manifests import MANIFEST, opened_model
from widl.phrase_table.storage import PhraseTable
from widl.pipeline.demo import sample_corpus
from widl.pipeline.model_directory import _exchange
from widl.pipeline.training import TrainingOptions, train
from widl.translation import Translator

PROCESSES, THREADS, ROUNDS = 8, 4, 8
ANSWERS_OF_A_VERSION = 40  # more than threads: each can open the model before it is replaced again
LINE = "科学家说，这项研究很重要。"

READER = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from widl.translation import Translator

directory, line, threads, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])

def answers(_):
    for _ in range(rounds):
        with Translator(directory) as translator:
            best = translator.translate_one(line)
            answer = [len(translator.layout.language_models), best.text, repr(best.score)]
            sys.stdout.write(json.dumps(answer) + "\\n")
            sys.stdout.flush()

with ThreadPoolExecutor(threads) as pool:
    list(pool.map(answers, range(threads)))
"""


def answer_of(model: Path) -> list[object]:
    with Translator(model) as translator:
        best = translator.translate_one(LINE)
        return [len(translator.layout.language_models), best.text, repr(best.score)]


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two models of the same names and of different content."""
    folder, corpus = tmp_path_factory.mktemp("versions"), sample_corpus()
    short = folder / "short.en"
    short.write_text("".join((corpus / "mono.en").read_text().splitlines(keepends=True)[:50]))
    train([corpus / "dev"], [corpus / "mono.en"], folder / "a")
    train([corpus / "test"], [short], folder / "b", TrainingOptions(order=2), language_models=[folder / "a/lm0.binary"])
    return folder / "a", folder / "b"


@pytest.mark.slow
def test_each_answer_is_of_one_version(versions: tuple[Path, Path], tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(versions[0], model)
    known = [answer_of(version) for version in versions]
    assert known[0] != known[1]
    command = [sys.executable, "-c", READER, str(model), LINE, str(THREADS), str(ROUNDS)]
    reading, writing = os.pipe()
    readers = [subprocess.Popen(command, stdout=writing) for _ in range(PROCESSES)]
    os.close(writing)
    found, replaced = [], 0
    with os.fdopen(reading) as answers:
        for answer in answers:
            found.append(json.loads(answer))
            if len(found) % ANSWERS_OF_A_VERSION == 0:
                new = tmp_path / "new"
                shutil.copytree(versions[(replaced + 1) % 2], new)
                _exchange(new, model)
                remove_tree(new)
                replaced += 1
    assert [reader.wait() for reader in readers] == [0] * PROCESSES
    assert len(found) == PROCESSES * THREADS * ROUNDS
    assert [answer for answer in found if answer not in known] == []
    assert all(answer in found for answer in known)
    assert replaced == len(found) // ANSWERS_OF_A_VERSION


def test_a_directory_that_is_replaced_is_opened_again(tmp_path: Path) -> None:
    directory, closed = tmp_path / "model", []

    def place(version: int) -> None:
        shutil.rmtree(directory, ignore_errors=True)
        (tmp_path / "new").mkdir()
        (tmp_path / "new" / MANIFEST).write_text(str(version))
        (tmp_path / "new").rename(directory)

    place(0)
    tries = []

    def open_files(to_close) -> str:
        tries.append((directory / MANIFEST).read_text())
        to_close.callback(closed.append, len(tries))
        if len(tries) < 3:
            place(len(tries))
        if len(tries) == 1:
            raise InputError("truncated")
        return tries[-1]

    assert opened_model(directory, open_files) == "2"
    assert tries == ["0", "1", "2"]
    assert closed == [1, 2]


def test_an_error_of_a_directory_that_stays_is_its_own(tmp_path: Path) -> None:
    tries: list[int] = []

    def open_files(_: object) -> None:
        tries.append(1)
        (tmp_path / f"new{len(tries)}").touch()  # entries may come and go
        raise InputError("truncated")

    with pytest.raises(InputError, match="truncated"):
        opened_model(tmp_path, open_files)
    assert len(tries) == 1


def version_at(place: Path, content: str) -> None:
    """A model's directory with the times that copies keep."""
    place.mkdir()
    (place / MANIFEST).write_text(content)
    os.utime(place / MANIFEST, ns=(10**18, 10**18))


def restore(directory: Path, away: Path) -> None:
    """Put back what was moved away, and not in the same tick of the file system's clock as that."""
    (clock := directory.parent / "clock").touch()
    moved = away.stat().st_ctime_ns
    wait_until(lambda: os.utime(clock) or clock.stat().st_ctime_ns > moved, "a tick of the clock")
    shutil.rmtree(directory)
    away.rename(directory)


def copy_again(directory: Path, away: Path) -> None:
    """Put a copy in its place, most likely of the same inodes: those that are free and were given away last."""
    shutil.rmtree(away)
    shutil.rmtree(directory)
    version_at(directory, "first")


def turn_link(directory: Path, away: Path) -> None:
    """Turn a link to another version and back."""
    shutil.rmtree(directory)
    directory.symlink_to(away)


@pytest.mark.parametrize("back", [restore, copy_again, turn_link])
def test_a_version_that_is_back_was_another_meanwhile(tmp_path: Path, back: Callable[[Path, Path], None]) -> None:
    """What was read in between is of another version, although the directory is as it was at the begin."""
    directory, away, tries = tmp_path / "model", tmp_path / "away", []
    if back is turn_link:
        version_at(away, "first")
        directory.symlink_to(away)
    else:
        version_at(directory, "first")

    def open_files(_: object) -> tuple[str, str]:
        manifest = (directory / MANIFEST).read_text()
        if not tries:
            directory.unlink() if back is turn_link else directory.rename(away)
            version_at(directory, "second")
        other = (directory / MANIFEST).read_text()
        if not tries:
            back(directory, away)
        tries.append((manifest, other))
        return manifest, other

    assert opened_model(directory, open_files) == ("first", "first")
    assert tries == [("first", "second"), ("first", "first")]


def test_a_table_that_was_another_meanwhile_is_mapped_again(
    versions: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table in place is as it was when LMDB was called, which mapped another one."""
    first, second = (version / "phrase-table.lmdb" for version in versions)
    table, opened, real = tmp_path / "table.lmdb", [], lmdb.open

    def place(content: Path) -> None:  # the inode of what was replaced before it is free
        shutil.copy2(content, tmp_path / "new")
        (tmp_path / "new").replace(table)

    def mapped(path: str, **options: Any) -> Any:
        if not opened:
            place(second)
        environment = real(path, **options)
        if not opened:
            place(first)
        opened.append(path)
        return environment

    place(first)

    monkeypatch.setattr(lmdb, "open", mapped)
    with PhraseTable.open(table) as found, PhraseTable.open(first) as expected, PhraseTable.open(second) as other:
        assert found.info == expected.info != other.info
    assert opened.count(str(table)) == 2  # the first time for nothing


def widl(*arguments: str | Path, **more) -> subprocess.Popen[str]:
    code = "from widl.cli import main; main()"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **more)


@pytest.mark.slow
def test_two_trainings_and_the_dead(tmp_path: Path) -> None:
    """One of two trainings into a directory is refused in a line; a killed one is not in the way of the next."""
    corpus, model = sample_corpus(), tmp_path / "model"
    fifo = tmp_path / "mono.en"
    shutil.copy(corpus / "mono.en", fifo)
    arguments = ("train", "--bitext", corpus / "dev", "--lm-text", fifo, "--threads", "1", "--quiet", model)
    first = widl(*arguments)
    log = tmp_path / "model.work" / "job.log"
    wait_until(lambda: log.exists() and "bitext: started" in log.read_text(), "the first training's first step")
    os.kill(first.pid, signal.SIGSTOP)  # it holds the lock for as long as it takes
    second = widl(*arguments)
    _, error = second.communicate()
    assert second.returncode == 2
    in_use = "in use, another process works in it; wait for it to end, or name another directory"
    assert error == f"error: {model}.work: {in_use}\n"
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    assert not model.exists()
    third = widl(*arguments)
    _, error = third.communicate()
    assert (third.returncode, error) == (0, "")
    assert sorted(os.listdir(tmp_path)) == ["model", "mono.en"]
    assert answer_of(model)[1]
