"""`widl realize --lattice`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import refused

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def model(run: Run, tmp_path: Path) -> Path:
    (tmp_path / "lines").write_text("the old mill turns\n" * 5 + "the old river turns\nthe mill turns\n" * 2)
    assert run("lm", "estimate", tmp_path / "lines", "-o", tmp_path / "lm.arpa")[0] == 0
    return tmp_path / "lm.arpa"


@pytest.fixture
def lattices(tmp_path: Path) -> Path:
    """Two lattices: the decoder's best paths are `old the mill turns` and `turns`."""
    path = tmp_path / "lattices.txt"
    arcs = "0 1 the 0.2\n0 2 old 0.1\n1 2 old\n2 3 <eps>\n2 3 the 0.1\n3 4 mill\n4 5 turns\n5\n"
    path.write_text(f"{arcs}\n0 1 turns\n1\n")
    return path


def test_an_audit_tells_of_each_lattice_and_sums_up(run: Run, model: Path, lattices: Path) -> None:
    code, out, err = run("realize", "--lattice", lattices, "--lm", model, "--audit")
    first, second = (line.split("\t") for line in out.splitlines())
    assert (code, first[1:], second) == (0, ["old mill turns", "the old mill turns"], ["0.000000", "turns", "turns"])
    assert float(first[0]) > 0.1
    assert err.startswith("the own path is the best of 1 of 2 lattices; ")
    code, out, _ = run("realize", "--lattice", lattices, "--lm", model, "--audit", "--json", "--search", "stack")
    result = [json.loads(line) for line in out.splitlines()]
    assert [item["audit"]["own"] for item in result] == ["old mill turns", "turns"]
    assert result[0]["audit"]["loss"] == pytest.approx(result[0]["score"] - result[0]["audit"]["own_score"])


def test_without_a_model_the_own_path_is_the_best(run: Run, lattices: Path) -> None:
    assert run("realize", "--lattice", lattices) == (0, "old mill turns\nturns\n", "")
    code, out, _ = run("realize", "--lattice", lattices, "--nbest", 2)
    assert (code, out.splitlines()[0]) == (0, "-0.100000\told mill turns")


def test_a_directory_is_read_by_numbers(run: Run, tmp_path: Path) -> None:
    (tmp_path / "slf").mkdir()
    for number, word in ((10, "later"), (9, "first")):
        text = f"VERSION=1.0\nJ=0 S=0 E=1 W={word} a=-1\n"
        (tmp_path / "slf" / f"{number}.slf").write_text(text)
    assert run("realize", "--lattice", tmp_path / "slf")[1] == "first\nlater\n"


def test_an_empty_file_of_a_directory_keeps_its_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "fsts").mkdir()
    for number, text in ((1, "0 1 first\n1\n"), (2, ""), (3, "0 1 third\n1\n")):
        (tmp_path / "fsts" / f"{number}.fst").write_text(text)
    code, out, err = run("realize", "--lattice", tmp_path / "fsts")
    assert (code, out) == (1, "first\n\nthird\n")
    assert err == f"error: {tmp_path}/fsts/2.fst: empty; a lattice was expected\n"


def test_limits_hold_of_lattices(run: Run, lattices: Path) -> None:
    assert run("realize", "--lattice", lattices, "--words", 2)[1] == "\nturns\n"


def test_a_wrong_lattice_is_told_and_the_others_follow(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two").write_text("0 1 old\n1 0 mill\n1\n\n0 1 river\n1\n")
    code, out, err = run("realize", "--lattice", tmp_path / "two")
    assert (code, out) == (1, "\nriver\n")
    assert err == f"error: {tmp_path}/two:1: state 1 is on a cycle; a lattice must be acyclic\n"


def test_symbols_are_read_from_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "fst").write_text("0 1 7\n1 2 0\n2\n")
    (tmp_path / "symbols").write_text("<eps>\t0\nriver\t7\n")
    assert run("realize", "--lattice", tmp_path / "fst", "--symbols", tmp_path / "symbols")[1] == "river\n"
    (tmp_path / "symbols").write_text("river\n")
    line = refused(run("realize", "--lattice", tmp_path / "fst", "--symbols", tmp_path / "symbols"))
    assert line == f"{tmp_path}/symbols:1: expected a word and its number, found 'river'"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x", "--lattice", "{lattices}"], "x: both expressions and --lattice; give one of them"),
        (["--lattice", "none"], "none: no such file"),
    ],
)
def test_what_does_not_fit_is_refused(
    run: Run, model: Path, lattices: Path, arguments: list[str], message: str
) -> None:
    line = refused(run("realize", *(item.format(lm=model, lattices=lattices) for item in arguments)))
    assert line.startswith(f"{message}")
