"""`widl enumerate`, run as a program."""

import json
import math
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.command import widl_text
from widl.decoder import estimate_language_model

pytestmark = pytest.mark.slow

FIGURE_1 = (
    "∥{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}"
    "(×(turkish · government), ∨{0.65, 0.35}(×(rebels · fighting), ×(attacked · rebels)), in · iraq)"
)


enumerate_command = partial(widl_text, "enumerate")


def test_strings_most_probable_first() -> None:
    done = enumerate_command(text="# two bags\n∥{1 2: 0.8, perms: 0.15, shuffles: 0.05}(a b, c)\n\n∨(x, y)\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "0.8\ta b c\n0.15\tc a b\n0.05\ta c b\n\n0.5\tx\n0.5\ty\n"


@pytest.fixture
def long_numbers() -> Iterator[None]:
    """Numbers of any length as text; the test for faulty JSON relies on exact round trips."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(digits)


@pytest.mark.usefixtures("long_numbers")
def test_count_size_and_json(tmp_path: Path) -> None:
    path = tmp_path / "bags.widl"
    path.write_text("∥(" + ", ".join(f"w{k}" for k in range(2000)) + ")\n" + FIGURE_1 + "\n", encoding="utf-8")
    count = enumerate_command("--count", path)
    assert count.stdout.splitlines() == [str(math.factorial(2000)), "24"]
    assert enumerate_command("--size", path).stdout.splitlines() == ["2001\t2001", "16\t17"]
    assert enumerate_command("--size", "--json", text="a").stdout == '{"nodes": 1, "written": 1}\n'
    assert enumerate_command("--count", "--json", text="a").stdout == '{"derivations": 1}\n'
    lines = enumerate_command("--json", text="∨{0.25 0.5, 0.75 0.5}(猫, b)").stdout.splitlines()
    assert list(map(json.loads, lines)) == [
        {"string": "b", "probability": 0.75, "probabilities": [0.75, 0.5]},
        {"string": "猫", "probability": 0.25, "probabilities": [0.25, 0.5]},
    ]


def test_acceptor(tmp_path: Path) -> None:
    text = "a b\n∥(a, b)\n"
    arcs = "0\t1\ta\t0\n1\t2\tb\t0\n2\n"
    weight = f"{math.log(2):.10g}"
    bag = f"0\t1\ta\t{weight}\n0\t2\tb\t{weight}\n1\t3\tb\t0\n2\t3\ta\t0\n3\n"
    assert enumerate_command("--acceptor", text=text).stdout == f"{arcs}\n{bag}"
    result = enumerate_command("--acceptor", "--json", text=text).stdout.splitlines()
    assert json.loads(result[0]) == {"states": 3, "final": 2, "arcs": [[0, 1, "a", 1.0], [1, 2, "b", 1.0]]}
    done = enumerate_command("--acceptor", "--draw", tmp_path / "x.dot", text=text)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "x.dot").read_text().count("->") == 2
    assert (tmp_path / "x-2.dot").read_text().count("->") == 4
    for arguments, message in (
        (("--acceptor", "--limit", "3"), "error: <stdin>:2: the acceptor has more arcs than the limit of 3; "),
        (("--acceptor", "--draw", tmp_path / "x.txt"), f"error: {tmp_path / 'x.txt'}: the name of a picture ends in"),
    ):
        done = enumerate_command(*arguments, text=text)
        assert done.returncode == (1 if done.stdout else 2)
        assert done.stderr.startswith(message)
    assert enumerate_command("--acceptor", "--count").returncode == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n猫 (", "error: <stdin>:2: found the end, expected ')' to close the '(' of column 3\n猫 (\n    ^\n"),
        ("∥(1, 2, 3)", "error: <stdin>:1: the expression has 6 derivations, more than the limit of 5; "),
        (b"a\n\xff", "error: <stdin>:2: invalid UTF-8"),
    ],
)
def test_bad_input(text: str | bytes, message: str) -> None:
    done = enumerate_command("--limit", "5", text=text)
    assert done.returncode == (1 if done.stdout and "UTF-8" not in message else 2)
    assert done.stderr.startswith(message)
    assert "Traceback" not in done.stderr


def test_it_goes_on_after_a_wrong_line() -> None:
    done = enumerate_command(text="a\n∨(b\n∨(c, d)\n")
    assert (done.returncode, done.stdout) == (1, "1\ta\n\n0.5\tc\n0.5\td\n")
    assert done.stderr == "error: <stdin>:2: found the end, expected ')' to close the ∨ of column 1\n∨(b\n   ^\n"
    assert enumerate_command("--count", text="a\n∨(b\n∨(c, d)\n").stdout == "1\n\n2\n"


def test_hints_for_what_other_notations_have() -> None:
    for text, hinted in (("a | b", "|"), ("a or b", "or"), ("or(a | b, c)", "|")):
        done = enumerate_command(text=text)
        assert done.returncode == 0
        assert done.stderr.startswith(f"warning: <stdin>:1: {hinted} is a word here; a choice is ∨(a, b) or or(a, b)")
    for text in ('a "|" b', 'a "or" b', "or(a, b) or c", "or(a, or)"):
        assert enumerate_command(text=text).stderr == ""
    done = enumerate_command(text="or (a, b)")
    assert "or is an operator only directly before its '('" in done.stderr


def test_cuts(tmp_path: Path) -> None:
    done = enumerate_command("--cuts", text="∨(a, b)\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "vs\tv0\tε\nvs\tv2\tε\nv0\tv1\ta\nv2\tv3\tb\nv1\tve\tε\nv3\tve\tε\nve\n"
    picture = tmp_path / "cuts.dot"
    assert enumerate_command("--cuts", "--draw", picture, text="∥(a, b)").stdout == ""
    assert 'label="v0 v2"' in picture.read_text("utf-8")
    expression = "∥(finally, ∨(×(the · prisoners), ×(the · captives)) · were · released)"
    for preset, words, silent in ((), 10, 26), (("--preset", "paper-2005"), 11, 28):  # Figure 3 of 2005
        lines = enumerate_command("--cuts", *preset, text=expression).stdout.splitlines()
        arcs = [line.split("\t")[-1] for line in lines]
        assert (arcs.count("finally"), arcs.count("ε")) == (words, silent)
    stacks = enumerate_command("--cuts", "--preset", "paper-2006", text="∥{2 1: 0.7, perms: 0.3}(a, b)").stdout
    assert "[v1 v3, {⟨δ1 2 1⟩}]\t[ve, {}]\tε\t0.7\n" in stacks
    for arguments, message in (
        (["--acceptor", "--preset", "paper-2005"], "--preset paper-2005 is read by --cuts alone"),
        (["--cuts", "--json"], "--cuts is not printed as JSON"),
        (["--cuts", "--count"], "exclude each other"),
        (["--cuts", "--limit", "3"], "<stdin>:1: there are more arcs between cuts than the limit of 3"),
    ):
        bad = enumerate_command(*arguments, text="∥(a, b)")
        assert (bad.returncode, bad.stdout) == (2, "")
        assert message in " ".join(bad.stderr.replace("│", " ").split())


def test_probabilities_of_the_log_linear_model(tmp_path: Path) -> None:
    model, weights = tmp_path / "lm.arpa", tmp_path / "weights.toml"
    (tmp_path / "lines").write_text("a b c\nc a\n")
    estimate_language_model(tmp_path / "lines", model, order=2)
    done = enumerate_command("--lm", model, text="∥(a, b, c)\n")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr, lines[0][1]) == (0, "", "a b c")
    assert math.fsum(float(p) for p, _ in lines) == pytest.approx(1)
    names = ("widl", "lm0", "word_count", "phrase_count", "distortion", "unknown")
    weights.write_text("".join(f"{name} = 0\n" for name in names))
    done = enumerate_command("--lm", model, "--weights", weights, "--json", text="∥(a, b)\n")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"string": "a b", "probability": 0.5, "score": 0.0},
        {"string": "b a", "probability": 0.5, "score": 0.0},
    ]


def test_a_log_linear_model_has_language_models_and_strings() -> None:
    done = enumerate_command("--weights", "w.toml", text="a\n")
    assert done.returncode == 2
    assert "--weights are of a log-linear model; name its language models with --lm" in " ".join(done.stderr.split())
    done = enumerate_command("--lm", "lm.arpa", "--count", text="a\n")
    assert done.returncode == 2
    assert "--lm goes with strings" in done.stderr
