"""Experiments side by side."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.experiments.found import OUTPUTS, REFERENCES, make_experiment, make_set
from tests.page import Page
from widl.common.errors import InputError
from widl.experiments.comparison import compare_experiments, write_comparison
from widl.experiments.config import ExperimentConfig
from widl.experiments.experiment import open_experiment
from widl.experiments.report import results_text
from widl.experiments.results import Results
from widl.experiments.significance import compare

OTHER = {"first": OUTPUTS["third"], "fourth": OUTPUTS["<second>"]}


@pytest.fixture(scope="module")
def directories(tmp_path_factory) -> list[Path]:
    folder = tmp_path_factory.mktemp("compare")
    make_experiment(folder / "one")
    # The same items under another name, other systems, and a different configuration.
    config = ExperimentConfig(resamples=20, seed=2, title="Other")
    make_experiment(folder / "two", config, test=make_set("renamed", OTHER))
    return [folder / "one", folder / "two"]


def differences(found: Results) -> dict[str, list[Any]]:
    return {row.label: list(row.cells.values()) for row in found.table("differences").rows}


@pytest.mark.slow
def test_systems_of_both(directories: list[Path]) -> None:
    result = compare_experiments(directories, resamples=30, seed=4)
    (test,) = result.sets
    assert list(test.systems) == ["one/first", "one/<second>", "one/third", "two/first", "two/fourth"]
    pairs = {frozenset(row.label.split(" - ")): row.cells for row in result.table("lines-pairs").rows}
    assert pairs.keys() == {frozenset([f"one/{a}", f"two/{b}"]) for a in OUTPUTS for b in OTHER}
    assert [figure.value for figure in pairs[frozenset(["one/third", "two/first"])].values()] == [0, 0]
    rows = [test.statistics(name, "ter") for name in ("one/first", "two/fourth")]
    expected = compare(*rows, test.metric("ter").scorer(), resamples=30, seed=4)
    figure = pairs[frozenset(["one/first", "two/fourth"])]["ter"]
    assert figure.p == expected.p
    assert differences(result) == {"seed": ["1", "2"], "title": ["Other"]}
    labels = [row.label for row in result.tables[0].rows]
    assert labels == ["one/first", "one/<second>", "one/third", "two/first", "two/fourth", "Lead-10"]


def test_files_of_the_same_content_do_not_differ(tmp_path: Path) -> None:
    class Config(ExperimentConfig):
        source: Path
        other: Path

    test = make_set()
    for name in ("a", "b"):
        paths = {part: tmp_path / f"{part}-{name}" for part in ("source", "other")}
        paths["source"].write_text("same")
        paths["other"].write_text(name)
        with open_experiment(Config(resamples=5, **paths), tmp_path / name, "x", paths.values()) as run:
            run.finish("T", [], [test])
    result = compare_experiments([tmp_path / "a", tmp_path / "b"], resamples=5)
    assert differences(result) == {"other": [str(tmp_path / "other-a"), str(tmp_path / "other-b")]}


def test_page_and_files(directories: list[Path], tmp_path: Path) -> None:
    result = compare_experiments(directories, resamples=20)
    path = write_comparison(result, tmp_path / "deep" / "both")
    page = Page(path.read_text(encoding="utf-8"))
    assert "one/<second>" in page.texts
    assert [f["id"] for tag, f in page.tags if tag == "section" and "id" in f] == [
        "results",
        "scores",
        "significance",
        "outputs",
        "provenance",
    ]
    assert (path.parent / "results.txt").read_text(encoding="utf-8") == results_text(result)
    assert list(json.loads((path.parent / "results.json").read_text("utf-8"))["provenance"]["config"]) == ["one", "two"]
    with pytest.raises(InputError, match="one: holds an experiment, whose report would be replaced"):
        write_comparison(result, directories[0])
    with pytest.raises(InputError, match="is not a directory"):
        write_comparison(result, path)


@pytest.mark.slow
def test_what_cannot_be_compared(directories: list[Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two directories of experiments, or more"):
        compare_experiments(directories[:1])
    with pytest.raises(InputError, match="named twice"):
        compare_experiments([directories[0], directories[0]])
    with pytest.raises(InputError, match="three: no such file; give the directory of a finished"):
        compare_experiments([directories[0], tmp_path / "three"])
    make_experiment(tmp_path / "kind", kind="other")
    with pytest.raises(InputError, match="one: made-up, kind: other; only experiments of one kind can be compared"):
        compare_experiments([directories[0], tmp_path / "kind"])
    elsewhere = make_set("elsewhere", references=[*REFERENCES[:3], "another"])
    make_experiment(tmp_path / "sets", test=elsewhere)
    with pytest.raises(InputError, match=r"one has lines \(4 items\); sets has elsewhere \(4 items\)"):
        compare_experiments([directories[0], tmp_path / "sets"])
    alone = make_set("lines").model_copy(update={"comparable": False})
    make_experiment(tmp_path / "alone", test=alone)
    with pytest.raises(InputError, match=r"one has lines .*; alone has none"):
        compare_experiments([directories[0], tmp_path / "alone"])
    # Two of the three share a set.
    result = compare_experiments([*directories, tmp_path / "sets"], resamples=10)
    assert len(result.sets) == 1
    assert result.notes == ["elsewhere is only in sets."]


@pytest.mark.slow
def test_directories_of_one_name_are_told_apart(directories: list[Path], tmp_path: Path) -> None:
    make_experiment(tmp_path / "inner" / "one")
    result = compare_experiments([directories[0], tmp_path / "inner" / "one"], resamples=10)
    table = result.table("differences")
    assert [column.name for column in table.columns] == [f"{directories[0].parent.name}-one", "inner-one"]
    assert table.notes == ["Configurations and versions are the same."]
