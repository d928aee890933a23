"""Steps: what is made again and what is not, whatever changes and whenever a run ends."""

import contextlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from widl.experiments.steps import STATE, Hashes, Steps, as_json, digest

from tests.reference.steps import contents, stale
from widl.errors import InputError

GRAPH = {"a": ["x"], "b": ["x", "y"], "c": ["a", "b"], "d": ["y"], "e": ["c", "d"]}
WORDS = st.sampled_from(["p", "q", "pq", "qq"])
SITUATION = st.tuples(
    st.fixed_dictionaries(dict.fromkeys("xy", WORDS)),
    st.fixed_dictionaries(dict.fromkeys(GRAPH, WORDS)),
    st.sets(st.sampled_from(list(GRAPH)), max_size=2),
)


class Killed(BaseException):
    pass


def run(directory: Path, inputs: dict[str, str], options: dict[str, str], kill: str = "") -> list[str]:
    """Make GRAPH's steps; which were made. The output of a step is that of `contents`."""
    for name, text in inputs.items():
        file = directory.parent / name
        if not file.exists() or file.read_text() != text:
            file.write_text(text)
    steps = Steps(directory)
    made = []
    for step, reads in GRAPH.items():
        files = {name: steps.path(name) if name in GRAPH else directory.parent / name for name in reads}

        def make(step: str = step, files: dict[str, Path] = files) -> None:
            made.append(step)
            text = options[step] + "".join(file.read_text()[:1] for file in files.values())
            if step == kill:
                steps.path(step).write_text(text[:-1])  # a careless step: half of its output is there
                raise Killed
            steps.path(step).write_text(text)

        steps.run(step, make, outputs=[step], files=files, settings={"text": options[step]})
    return made


def outputs(directory: Path) -> dict[str, str]:
    return {step: (directory / step).read_text() for step in GRAPH}


@pytest.mark.slow
@settings(max_examples=60)
@given(situations=st.lists(SITUATION, min_size=1, max_size=5))
def test_only_what_depends_on_a_change_is_made_again(tmp_path_factory, situations) -> None:
    directory = tmp_path_factory.mktemp("steps") / "out"
    directory.mkdir()
    before = None
    for inputs, options, damaged in situations:
        if before is None:
            expected = set(GRAPH)
        else:
            for step in damaged:
                (directory / step).unlink() if options[step] == "p" else (directory / step).write_text("damaged")
            expected = stale(GRAPH, before, (inputs, options), damaged)
        assert set(run(directory, inputs, options)) == expected
        assert outputs(directory) == {k: v for k, v in contents(GRAPH, inputs, options).items() if k in GRAPH}
        before = inputs, options


@pytest.mark.slow
@settings(max_examples=40)
@given(first=SITUATION, second=SITUATION, kill=st.sampled_from(list(GRAPH)))
def test_a_killed_run_goes_on_to_the_same(tmp_path_factory, first, second, kill) -> None:
    directory = tmp_path_factory.mktemp("steps") / "out"
    directory.mkdir()
    run(directory, *first[:2])
    made: list[str] = []
    with contextlib.suppress(Killed):
        made = run(directory, *second[:2], kill=kill)
    again = run(directory, *second[:2])
    assert outputs(directory) == {k: v for k, v in contents(GRAPH, *second[:2]).items() if k in GRAPH}
    assert not set(made) & set(again)  # a step that was finished is not made twice
    # And back: nothing that the killed run left is taken for what it was.
    run(directory, *first[:2])
    assert outputs(directory) == {k: v for k, v in contents(GRAPH, *first[:2]).items() if k in GRAPH}


def test_reasons_are_told(tmp_path: Path) -> None:
    told: list[str] = []
    source = tmp_path / "source"
    source.write_text("1")

    def make(**options: object) -> str:
        told.clear()
        steps = Steps(tmp_path, tell=told.append)
        steps.value("deep/step", lambda: source.read_text(), **{"files": [source], "settings": {"a": 1}, **options})
        return told[0] if told else ""

    assert make() == "deep/step: started"
    assert told[1].startswith("deep/step: finished in ")
    assert make() == ""
    assert make(version=2) == "deep/step: started again: the program's step is a newer one"
    assert make(version=2, settings={"a": 1, "b": 2}) == "deep/step: started again: b changed"
    assert make(settings={"a": 2}) == "deep/step: started again: the program's step is a newer one"
    source.write_text("2")
    assert make(settings={"a": 2}) == "deep/step: started again: 1 source changed"
    (tmp_path / "deep/step.json").unlink()
    assert make(settings={"a": 2}) == "deep/step: started again: deep/step.json is gone"
    (tmp_path / "deep/step.json").write_text("3")
    assert make(settings={"a": 2}) == "deep/step: started again: deep/step.json was changed"
    assert make(settings=[1]) == "deep/step: started again: settings changed"


def test_values_and_timings(tmp_path: Path) -> None:
    steps = Steps(tmp_path)
    value = {"numbers": [1, 2.5, None], "text": "ü"}
    assert steps.value("one", lambda: value) == value
    assert Steps(tmp_path).value("one", lambda: pytest.fail("made twice")) == value
    assert steps.read("one.json") == value
    (timing,) = steps.timings()
    assert timing["step"] == "one"
    assert timing["seconds"] >= 0
    with pytest.raises(ValueError, match="two steps are called 'one'"):
        steps.value("one", lambda: 1)
    with pytest.raises(FileNotFoundError, match="left: no such file"):
        steps.run("two", lambda: None, outputs=["left"])


def test_a_file_changed_within_its_time_stamp_is_noticed(tmp_path: Path) -> None:
    """Of the same size and time: files just written are read again."""
    file = tmp_path / "file"
    file.write_text("1")
    stamp = file.stat().st_mtime_ns
    hashes = Hashes()
    first = hashes.of(file)
    file.write_text("2")
    os.utime(file, ns=(stamp, stamp))
    assert hashes.of(file) != first
    old = time.time_ns() - 10_000_000_000
    os.utime(file, ns=(old, old))
    hashes.of(file)
    assert hashes.known[str(file)][:2] == [1, old]


def test_directories(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "file").write_text("1")
    first = Hashes().of(folder)
    (folder / ".hidden").write_text("x")
    assert Hashes().of(folder) == first
    (folder / "inner" / "file").rename(folder / "file")
    moved = Hashes().of(folder)
    assert moved != first
    (folder / "file").write_text("2")
    assert Hashes().of(folder) not in (first, moved)
    with pytest.raises(FileNotFoundError, match="absent: no such file"):
        Hashes().of(tmp_path / "absent")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"steps": []}', '{"steps": {}, "hashes": 1}'])
def test_a_damaged_state_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / STATE).write_text(text)
    with pytest.raises(InputError, match=r"steps\.json: damaged; delete it"):
        Steps(tmp_path)


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
