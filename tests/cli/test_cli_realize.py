"""`widl realize` and `widl order` from the command line."""

import json
from pathlib import Path

import pytest

from tests.command import refused, widl
from tests.reference.arpa import ARPA
from widl.expressions import bag, enumerate_strings

pytestmark = pytest.mark.slow


@pytest.fixture
def lm(tmp_path: Path) -> Path:
    path = tmp_path / "lm.arpa"
    path.write_text(ARPA, encoding="utf-8")
    return path


def lines_of(result) -> list[str]:
    assert result.returncode == 0, result.stderr.decode()
    assert result.stderr == b""
    return result.stdout.decode().split("\n")[:-1]


@pytest.mark.parametrize("search", ["astar", "astar-k", "beam", "bfs", "stack", "cube"])
def test_realize_streams(lm, search) -> None:
    text = "# a comment\n∥(a, b, c)\n\n×(c a) b\n"
    wide = {"astar-k": ("--k", "9"), "beam": ("--beam", "1e-9"), "stack": ("--beam", "1e-9")}.get(search, ())
    result = widl("realize", "--lm", lm, "--search", search, *wide, stdin=text.encode())
    assert lines_of(result) == ["b a c", "c a b"]


def test_realize_as_json(lm, tmp_path) -> None:
    source = tmp_path / "expressions.txt"
    source.write_text("∨{0.9 0.2, 0.1 0.8}(a, b)\n", encoding="utf-8")
    weights = tmp_path / "weights.toml"
    names = {"widl1": 0.0, "widl2": 1.0, "lm0": 0.5, "word_count": 0.1}
    names |= {"phrase_count": 0.0, "distortion": 0.0, "unknown": 0.0}
    weights.write_text("".join(f"{name} = {value}\n" for name, value in names.items()))
    (line,) = lines_of(widl("realize", source, "--lm", lm, "--weights", weights, "--json"))
    result = json.loads(line)
    assert result["text"] == "b"
    assert list(result["features"]) == list(names)
    assert result["score"] == pytest.approx(sum(names[f] * h for f, h in result["features"].items()))
    assert result["optimal"]
    assert result["bound"] == result["score"]
    assert {"states", "edges", "seconds", "stopped", "phrases"} < set(result)


def test_nbest(lm) -> None:
    result = widl("realize", "--lm", lm, "--nbest", "10", "--distinct", stdin="∥(a, b, a)\na\n".encode())
    lines = lines_of(result)
    assert lines[3] == ""
    strings = sorted(line.split("\t")[1] for line in lines[:3])
    assert strings == sorted(s.string for s in enumerate_strings(bag("a b a")))
    scores = [float(line.split("\t")[0]) for line in lines[:3]]
    assert scores == sorted(scores, reverse=True)
    assert len(lines) == 5


@pytest.mark.parametrize("baseline", [(), ("--baseline", "L"), ("--baseline", "G")])
@pytest.mark.parametrize("end", ["<s>", "</s>"])
def test_order_takes_no_end_of_a_sentence_as_a_word(lm, baseline, end) -> None:
    line = refused(widl("order", "--lm", lm, *baseline, stdin=f"b {end} a\n".encode()))
    assert line == f"<stdin>:1: {end} is an end of the sentence, which the language model adds; remove it"


def test_order(lm) -> None:
    assert lines_of(widl("order", "--lm", lm, stdin=b"a b c\n\nc, a b\n")) == ["b a c", "", "b a c,"]
    assert lines_of(widl("order", "--lm", lm, "--baseline", "L", stdin=b"a b c\n\n")) == ["c b a", ""]
    # log10 p(b | <s>) = -0.1 joins first, then p(a | b) = -0.2 and p(</s> | c) = -0.6.
    assert lines_of(widl("order", "--lm", lm, "--baseline", "G", stdin=b"c a b\n")) == ["b a c"]
    (line,) = lines_of(widl("order", "--lm", lm, "--bytes", "5", "--json", stdin=b"c a b\n"))
    assert json.loads(line)["text"] == "b a c"


def test_what_is_wrong_is_said_in_one_line(lm, tmp_path) -> None:
    weights = tmp_path / "weights.toml"
    weights.write_text("widl = 1\nlm = 1\n")
    assert "did you mean 'lm0'?" in refused(widl("order", "--lm", lm, "--weights", weights, stdin=b"a\n"))


def test_a_list_that_a_budget_cuts_is_said_to_be_cut(lm) -> None:
    text = "∥(a, b, c, a, b)\na\n".encode()
    result = widl("realize", "--lm", lm, "--nbest", "20", "--max-states", "4", stdin=text)
    assert result.returncode == 0
    (line,) = result.stderr.decode().splitlines()
    assert line == "<stdin>:1: the list of candidates is incomplete: max_states ran out; raise it"
    result = widl("realize", "--lm", lm, "--nbest", "20", "--max-states", "4", "--json", stdin=text)
    assert [json.loads(item)["nbest_complete"] for item in result.stdout.decode().splitlines()] == [False, True]
    assert widl("realize", "--lm", lm, "--nbest", "20", stdin=text).stderr == b""
    assert widl("realize", "--lm", lm, "--max-states", "4", stdin=text).stderr == b""  # no list was requested


def test_realize_goes_on_after_a_wrong_line(run, lm) -> None:
    code, out, err = run("realize", "--lm", lm, stdin="a b\n∨(a\n∨(c, a)\n")
    assert (code, out.split("\n")[:2], out.count("\n")) == (1, ["a b", ""], 3)
    assert err.startswith("error: <stdin>:2: found the end, expected ')' to close the ∨ of column 1\n")
    code, out, err = run("realize", "--lm", lm, "--json", stdin="∨(a\nb\n")
    first, second = map(json.loads, out.splitlines())
    assert (first["text"], second["text"], code) == ("", "b", 1)
    assert first["failure"] == "<stdin>:1: found the end, expected ')' to close the ∨ of column 1"
    code, out, err = run("realize", "--lm", lm, "--words", 1, stdin="a b\nc\n")
    assert (code, out) == (1, "\nc\n")
    assert err == "<stdin>:1: no string of the expression fits 1 words: proved\n"
    code, out, err = run("realize", "--lm", lm, "--words", 1, "--json", stdin="a b\n")
    assert (code, json.loads(out)["outcome"], json.loads(out)["failure"]) == (
        1,
        "proved_empty",
        "no string of the expression fits 1 words: proved",
    )
    assert run("realize", "--lm", lm, stdin="∨(a\n")[0] == 2  # no expression succeeded
