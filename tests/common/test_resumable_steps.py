"""Jobs: the steps repeated after any change, and after a run that stopped at any point."""

import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from tests.pipeline.stopping import ROOT, killed_at_writes
from tests.reference.steps import SlowJob, Step, output_of
from widl import __version__
from widl.common.errors import InputError
from widl.common.json_values import as_json, digest
from widl.common.resumable_steps import RECORD, Job, JobInputs, open_job, stamp_of

WORDS = st.sampled_from(["p", "q", "pq", "qq"])
INPUTS = ("x", "y")


class Killed(BaseException):
    pass


def write(path: Path, text: str) -> None:
    """Writes a file with a distinct modification time, even if the system's clock is coarse."""
    path.write_text(text)
    now = next(_CLOCK)
    os.utime(path, ns=(now, now))


_CLOCK = count(1)


def do(job: Job, steps: list[Step], options: dict[str, str], stop: str = "") -> list[str]:
    """Runs the steps with the files next to the job's directory; returns the steps that were begun."""
    begun = []
    for step in steps:
        files = {name: job.directory.parent / name if name in INPUTS else job.path(name) for name in step.reads}

        def make(step: Step = step, files: dict[str, Path] = files) -> None:
            begun.append(step.name)
            text = output_of(step, options[step.name], {name: file.read_text() for name, file in files.items()})
            if step.name == stop:
                write(job.path(step.name), text[:-1])  # a faulty step that writes half of its output
                raise Killed
            write(job.path(step.name), text)

        setting = {"text": options[step.name]}
        with contextlib.suppress(Killed):
            job.run(step.name, make, outputs=[step.name], files=files, settings=setting, after=step.after)
        if begun and begun[-1] == stop:
            break
    return begun


@st.composite
def graphs(draw: st.DrawFn) -> list[Step]:
    """Up to six steps in a possible order of execution."""
    names = [f"step{i}" for i in range(draw(st.integers(1, 6)))]
    steps = []
    for i, name in enumerate(names):
        reads = draw(st.lists(st.sampled_from([*INPUTS, *names[:i]]), unique=True, max_size=3))
        after = draw(st.lists(st.sampled_from(names[:i]), unique=True, max_size=2)) if i else []
        steps.append(Step(name, reads, after))
    return steps


@pytest.mark.slow
@given(data=st.data(), steps=graphs())
def test_as_a_job_without_stamps(tmp_path_factory, data, steps) -> None:
    """Inputs are changed, files damaged, or steps stopped between two runs."""
    directory = tmp_path_factory.mktemp("jobs") / "job"
    slow = SlowJob()
    names = [step.name for step in steps]
    for _ in range(data.draw(st.integers(1, 5))):
        for name in INPUTS:
            if name not in slow.files or data.draw(st.booleans()):
                slow.write(name, data.draw(WORDS))
                write(directory.parent / name, slow.files[name][0])
        for name in data.draw(st.sets(st.sampled_from(names), max_size=2)):
            if name not in slow.files:
                continue
            if data.draw(st.booleans()):
                del slow.files[name]
                (directory / name).unlink()
            else:
                slow.write(name, "damaged")
                write(directory / name, "damaged")
        options = {name: data.draw(WORDS) for name in names}
        stop = data.draw(st.sampled_from(["", *names]))
        expected = slow.run(steps, options, stop)
        with open_job(directory, "test") as job:
            assert do(job, steps, options, stop) == expected
        assert {path.name: path.read_text() for path in directory.glob("step*")} == {
            name: text for name, (text, _) in slow.files.items() if name not in INPUTS
        }


CHAIN = {"one": [], "two": ["one"], "three": ["two", "one"]}


def do_chain(job: Job) -> list[str]:
    """Runs three steps that depend on each other; returns the steps executed in this call."""
    for name, after in CHAIN.items():
        job.value(name, lambda name=name: f"of {name}", after=after)
    return list(job.seconds)


def killed_chain(number: str, folder: str) -> None:
    with open_job(Path(folder) / str(number), "test") as job:
        do_chain(job)


@pytest.mark.slow
def test_killed_at_any_write(tmp_path: Path) -> None:
    """The record is complete, recorded steps are not repeated, and no file is partial."""
    calls = killed_at_writes("tests.common.test_resumable_steps:killed_chain", tmp_path)
    assert calls == 1 + 1 + 2 * len(CHAIN)  # the record at the start, each step's output and record, and the last call
    for number in range(1, calls + 1):
        directory = tmp_path / str(number)
        finished = (number - 2) // 2 if number > 1 else 0
        record = directory / RECORD
        assert len(json.loads(record.read_text())["steps"]) == finished if number > 1 else not record.exists()
        with open_job(directory, "test") as job:
            assert do_chain(job) == list(CHAIN)[finished:]
            assert [job.read(f"{name}.json") for name in CHAIN] == [f"of {name}" for name in CHAIN]
        assert not list(directory.rglob("*.tmp"))


def test_reasons_are_told(tmp_path: Path) -> None:
    messages: list[str] = []
    source = tmp_path / "source"
    source.write_text("1")
    directory = tmp_path / "job"

    def make(**options: object) -> str:
        messages.clear()
        with open_job(directory, "test", notify=messages.append) as job:
            job.value("deep/step", lambda: source.read_text(), **{"files": [source], "settings": {"a": 1}, **options})
        return messages[0] if messages else ""

    assert make() == "deep/step: started"
    assert messages[1].startswith("deep/step: finished in ")
    assert make() == ""
    assert make(settings={"a": 1, "b": 2}) == "deep/step: started again: b changed"
    assert make(settings={"a": 2}) == "deep/step: started again: a, b changed"
    source.write_text("2")
    assert make(settings={"a": 2}) == "deep/step: started again: 1 source changed"
    (directory / "deep/step.json").unlink()
    assert make(settings={"a": 2}) == "deep/step: started again: deep/step.json is gone"
    (directory / "deep/step.json").write_text("3")
    assert make(settings={"a": 2}) == "deep/step: started again: deep/step.json was changed"
    assert make(settings=[1]) == "deep/step: started again: settings changed"
    log = (directory / "job.log").read_text().splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ", line) for line in log)
    assert log[0].endswith(f"Z widl {__version__}: test")
    assert log[-1].endswith("Z finished")


def test_another_version_of_the_program_does_all_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_job(tmp_path, "test") as job:
        job.value("one", lambda: 1)
    monkeypatch.setattr("widl.common.resumable_steps.__version__", "0.0.0")
    with open_job(tmp_path, "test") as job:
        assert job.value("one", lambda: 2) == 2


def test_values_and_timings(tmp_path: Path) -> None:
    value = {"numbers": [1, 2.5, None], "text": "ü"}
    with open_job(tmp_path, "test") as job:
        assert job.value("one", lambda: value) == value
    with open_job(tmp_path, "test") as job:
        assert job.value("one", lambda: pytest.fail("made twice")) == value
        assert job.read("one.json") == value
        (timing,) = job.timings()
        assert timing["step"] == "one"
        assert timing["seconds"] >= 0
        assert job.seconds == {}
        with pytest.raises(ValueError, match="two steps are called 'one'"):
            job.value("one", lambda: 1)
        with pytest.raises(FileNotFoundError, match="left: no such file"):
            job.run("two", lambda: None, outputs=["left"])


def test_whose_directory_it_is(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file: exists and is not a directory"), open_job(tmp_path / "file", "test"):
        pass
    refused = "exists and holds no test; name a new or an empty"
    with pytest.raises(InputError, match=refused), open_job(tmp_path, "test"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    with open_job(tmp_path, "test", shared=True):
        pass
    with pytest.raises(InputError, match="holds a test, not a dream; name another"), open_job(tmp_path, "dream"):
        pass


@pytest.mark.parametrize("text", ["", "{", "[]", '{"kind": "test", "steps": []}', '{"steps": {}}'])
def test_a_damaged_record_is_named(tmp_path: Path, text: str) -> None:
    with open_job(tmp_path, "test") as job:
        job.value("one", lambda: 1)
    (tmp_path / RECORD).write_text(text)
    with pytest.raises(InputError, match=r"job\.json: damaged; delete it"), open_job(tmp_path, "test"):
        pass
    (tmp_path / RECORD).unlink()
    with open_job(tmp_path, "test") as job:
        assert job.value("one", lambda: 2) == 2


def test_another_command_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_text("1")

    def begin(size: int = 5, *, deep: object = None) -> None:
        command = JobInputs({"text": source}, {"size": size, "search": {"name": "astar", "k": deep}})
        with open_job(tmp_path / "job", "test", command=command):
            pass

    begin()
    begin()
    end = "; run the original command to resume, or name another directory"
    with pytest.raises(InputError, match=r"job\.json: the job has size = 5, not 6" + end):
        begin(6)
    with pytest.raises(InputError, match=r"job\.json: the job has search\.k = null, not \[1\]" + end):
        begin(deep=[1])
    source.write_text("2")
    with pytest.raises(InputError, match=r"job\.json: the job was started with different text" + end):
        begin()


def test_a_job_of_another_model_names_both(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text(name)

    def begin(owner: str, of: str) -> None:
        command = JobInputs({"manifest.json": tmp_path / of / "manifest.json"}, {}, owner=tmp_path / owner)
        with open_job(tmp_path / "job", "test", command=command):
            pass

    begin("first", "first")
    begin("elsewhere", "first")  # the same files: the model was moved
    with pytest.raises(
        InputError, match=rf"was started with {tmp_path}/elsewhere, not with {tmp_path}/second; run the"
    ):
        begin("second", "second")
    with pytest.raises(
        InputError, match=rf"started with {tmp_path}/elsewhere as it was before its manifest.json changed"
    ):
        begin("elsewhere", "second")


def test_one_process_at_a_time(tmp_path: Path) -> None:
    """A second process, or a second job in this one, gets an error; a killed process releases the directory."""
    code = "import sys, pathlib; from widl.common.resumable_steps import open_job; "
    code += "job = open_job(pathlib.Path(sys.argv[1]), 'test'); job.__enter__(); "
    other = [sys.executable, "-c", code + "import os; os.kill(os.getpid(), 9)", tmp_path]
    in_use = "in use by another process; wait for it to end, or name another directory"
    with open_job(tmp_path, "test") as job:
        done = subprocess.run(other, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        assert done.stderr.splitlines()[-1].endswith(in_use)
        with pytest.raises(InputError, match=in_use), open_job(tmp_path, "test"):
            pass
        job.value("still", lambda: "here")
    assert subprocess.run(other, cwd=ROOT, timeout=60, check=False).returncode == -9
    with open_job(tmp_path, "test") as job:
        assert job.value("still", lambda: "gone") == "here"


@pytest.mark.parametrize(
    ("error", "text"), [(KeyboardInterrupt(), "interrupted"), (OSError("a\nb"), "stopped: OSError: a b")]
)
def test_how_it_ended_is_in_the_log(tmp_path: Path, error: BaseException, text: str) -> None:
    with pytest.raises(type(error)), open_job(tmp_path, "test"):
        raise error
    assert (tmp_path / "job.log").read_text().splitlines()[-1].endswith(f"Z {text}")


def test_temporary_directories(tmp_path: Path) -> None:
    """They are removed when the job is finished, and when an interrupted job left no finished step to resume."""
    directory = tmp_path / "work"

    def stop(use: Callable[[Job], object]) -> None:
        with open_job(directory, "test", temporary=True) as job:
            use(job)
            raise Killed

    with pytest.raises(Killed):
        stop(lambda job: job.path("half").write_text(""))
    assert not directory.exists()
    with pytest.raises(Killed):
        stop(lambda job: job.value("one", lambda: 1))
    assert directory.exists()
    with open_job(directory, "test", temporary=True) as job:
        assert job.value("one", lambda: 2) == 1
        job.path("folder").mkdir()
    assert not directory.exists()


def test_what_a_killed_run_left_is_removed(tmp_path: Path) -> None:
    names = (".results.json.x.tmp", "deep/.file.tmp", "deep/.model.12.tmp/file", "deep/kept.tmp")
    for shared in (False, True):
        directory = tmp_path / str(shared)
        with open_job(directory, "test", shared=shared):
            pass
        for name in names:
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            (directory / name).write_text("half")
        with open_job(directory, "test", shared=shared):
            pass
        left = {str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file()}
        assert left - {"job.json", "job.log"} == (set(names) if shared else {"deep/kept.tmp"})


def test_stamps(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    write(folder / "inner" / "file", "1")
    first = stamp_of(folder)
    write(folder / ".hidden", "x")
    assert stamp_of(folder) == first
    (folder / "inner" / "file").rename(folder / "file")
    moved = stamp_of(folder)
    assert moved != first
    write(folder / "file", "2")
    assert stamp_of(folder) not in (first, moved)
    with pytest.raises(FileNotFoundError, match="absent: no such file"):
        stamp_of(tmp_path / "absent")


def test_settings_as_json() -> None:
    class Model(BaseModel):
        path: Path = Path("a")
        limit: float = float("inf")

    @dataclass
    class Data:
        model: Model
        names: frozenset[str]

    value = as_json({"data": Data(Model(), frozenset("ba")), "more": iter([1])})
    assert value == {"data": {"model": {"path": "a", "limit": None}, "names": ["a", "b"]}, "more": [1]}
    assert json.loads(json.dumps(value)) == value
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1}) != digest({"a": 2, "b": 1})
