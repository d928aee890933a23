"""The word-ordering experiment on three bags that can be solved by hand.

Scores by the model of `conftest` (log10, negative): a b c .7, c b a 2.2, b a c 2.15; a b 1.3, b a 2.15.
"""

import json
import math
from pathlib import Path

import pytest

from tests.refusals import Change, assert_refused, changes
from widl.common.errors import InputError
from widl.experiments.bags import Bags, BagSearch, read_bags
from widl.experiments.config import read_config
from widl.experiments.results import Results, Scorer, SystemRun, read_results
from widl.experiments.word_order import (
    LONG_ROWS,
    SHORT_ROWS,
    WordOrderConfig,
    best_known,
    default_rows,
    outputs_of,
    paper_figures,
    row_table,
    run_word_order_experiment,
)
from widl.pages.tables import text_lines

ROWS = ["L", "G", "bfs", "astar", "astar-1", "beam-0.1"]
close = pytest.approx


@pytest.fixture
def config(arpa: Path, sentences: Path, tmp_path: Path) -> Path:
    file = tmp_path / "config.toml"
    file.write_text(f'bags = ["{sentences.name}"]\nlm = "{arpa.name}"\nrows = {json.dumps(ROWS)}\n')
    return file


def run(config: Path, **options) -> tuple[Results, list[str]]:
    """Returns the results and the messages, except the report's path."""
    messages: list[str] = []
    result = run_word_order_experiment(
        read_config(config, WordOrderConfig), config.parent / "out", notify=messages.append, **options
    )
    return result, [line for line in messages if not line.startswith("results:")]


def started(told: list[str]) -> list[str]:
    """Names of the steps that began, except steps that count statistics."""
    steps = [line.partition(":")[0] for line in told if ": started" in line]
    return [step for step in steps if not step.endswith(".statistics")]


def test_three_bags_by_hand(config: Path) -> None:
    result, _ = run(config)
    [test] = result.sets
    ten = math.log(10)
    assert test.inputs == ["a b c", "a b c", "a b"]
    assert test.references == [["a b c", "c b a", "b a"]]
    outputs = {label: runs[0].outputs for label, runs in test.systems.items()}
    assert outputs["L"] == ["c b a", "c b a", "b a"]
    # <s> c .05 joins first, then b a .15; of two words <s> a .1 and a b .2.
    assert outputs["G"] == ["c b a", "c b a", "a b"]
    assert outputs["BFS"] == outputs["A*"] == ["a b c", "a b c", "a b"]
    assert test.facts("BFS", "log p") == close([-0.7 * ten, -0.7 * ten, -1.3 * ten], abs=1e-4)
    # Three words have 3 + 3 · 2 + 6 · 1 edges, two have 2 + 2.
    assert test.facts("BFS", "edges") == [15, 15, 4]
    third = 100 / 3
    rows = {row.label: row.cells for row in result.table("three").rows}
    shares = {
        label: [cells[name] for name in ("ID %", "search errors %", "estimated %")] for label, cells in rows.items()
    }
    assert shares["L"] == close([2 * third, 100, third])
    assert shares["G"] == close([third, 2 * third, third])
    assert shares["BFS"] == close([third, 0, 0])
    assert (rows["BFS"]["unfolded %"], rows["BFS"]["proved %"]) == (100, 100)
    assert rows["A*"]["unfolded %"] == close(100 * sum(test.facts("A*", "edges")) / 34)
    assert "unfolded %" not in rows["L"]
    assert rows["L"]["proved %"] is None


def strings(bags: Bags, rows: dict[str, tuple[list[float], bool]]):
    """A test set whose rows return the sentences: log-probabilities, and whether they are proved."""
    texts = [" ".join(words) for words in bags.sentences]
    scorer = Scorer(["bleu"], [texts])
    runs = {}
    for label, (log_probs, proved) in rows.items():
        ones = [1.0] * len(texts)
        facts = {"log p": log_probs, "proved": [1.0, *[0.0] * (len(texts) - 1)] if proved else [0.0] * len(texts)}
        facts |= {"identical": ones, "estimated": [0.0] * len(texts), "seconds": [0.00025] * len(texts)}
        facts |= {"edges": [12.0 if label == "BFS" else 3.0] * len(texts), "stopped": [0.0] * len(texts)}
        runs[label] = SystemRun(outputs=texts, **scorer.scored(texts), facts=facts)
    return outputs_of(bags, scorer, runs)


def test_without_breadth_first_search_only_proofs_tell_errors() -> None:
    bags = Bags("x", [["a"], ["b"]], [["a"], ["b"]])
    test = strings(bags, {"A*": ([-1.0, -1.5], True), "B_0.1": ([-2.0, -1.6], False)})
    assert best_known(test) == [-1.0, None]
    rows = row_table(bags, [BagSearch.parse("astar"), BagSearch.parse("beam-0.1")], test).rows
    assert [row.cells["search errors %"] for row in rows] == [0, 100]
    assert "unfolded %" not in rows[1].cells
    with pytest.raises(AssertionError, match="better than the proved optimum"):
        best_known(strings(bags, {"A*": ([-1.0, -1.5], True), "B_0.1": ([-0.5, -0.5], False)}))


def test_table_beside_the_paper() -> None:
    """Shows the numbers, with the paper's numbers or a dash in parentheses."""
    words = ["a", "b", "c", "d"]
    bags = Bags("bags", [words], [words])
    names = ["bfs", "astar", "astar-3"]
    rows = [BagSearch.parse(name) for name in names]
    table = row_table(bags, rows, strings(bags, {row.label: ([-2.0], True) for row in rows}))
    lines = [line.split() for line in text_lines(table)]
    assert lines[0] == "bags: 1 bags of 4 to 4 words".split()
    columns = "ID % BLEU search errors % estimated % unfolded % seconds/bag proved %"
    assert lines[1] == columns.split()
    assert lines[3] == "A* 100.0 (67.1) 100.0 (79.2) 0.0 (0.0) 0.0 (0.0) 25.0 (12.0) 0.00025 (0.010) 100.0".split()
    assert lines[4] == "A*_3 100.0 100.0 0.0 0.0 25.0 0.00025 100.0".split()
    assert lines[5][:2] == ["In", "parentheses:"]
    assert paper_figures((10, 25))["beam-0.1"] == (12.2, 52.6, None, 19.9, None, 36.7, None)
    assert paper_figures((2, 7)) == {}


@pytest.mark.slow
def test_finished_rows_are_kept_and_others_made(config: Path) -> None:
    first, messages = run(config)
    assert started(messages) == [*(f"three/{name}" for name in ROWS), "significance"]
    again, messages = run(config)
    assert (again.tables, again.sets, messages) == (first.tables, first.sets, [])
    assert read_results(config.parent / "out") == again
    # Another budget or other bags change the results; removing a row does not.
    text = config.read_text()
    for change in ("budget.seconds = 7\n", "limit = 1\n"):
        config.write_text(text + change)
        assert len([name for name in started(run(config)[1]) if name.startswith("three")]) == len(ROWS)
    config.write_text(text.replace('"L", ', "") + "limit = 1\n")
    result, messages = run(config)
    assert started(messages) == ["significance"]
    assert "L" not in result.sets[0].systems


@changes(
    ("rows", "row", "config.toml: row: unknown key; did you mean 'rows'"),
    ('"bfs"', '"best"', "unknown row 'best'"),
    ('"bfs"', '"astar"', "two rows have the same name, 'astar'"),
    ("three.txt", "four.txt", r"bags.0: .*four\.txt: no such file"),
    ('"three.txt"', '"three.txt", "three.txt"', "two files of bags have the same name"),
    ('lm = "tiny.arpa"', "", "give either 'lm', a language model, or 'texts'"),
    ("rows", "limit = -1\nrows", "limit: expected at least 0, found -1"),
    ("bags", "budget.second = 1\nbags", "budget.second: unknown key; did you mean 'seconds'"),
    ('bags = ["three.txt"]', "", "bags: missing; add it"),
    ("bags =", "bags", "config.toml: not TOML: .*line 1"),
)
def test_bad_configurations(config: Path, change: Change) -> None:
    assert_refused(config, change, lambda: read_config(config, WordOrderConfig))


def test_bags_are_shuffled_alike_whatever_the_sentence(tmp_path: Path, sentences: Path) -> None:
    bags = read_bags(sentences)
    assert bags.sentences == [["a", "b", "c"], ["c", "b", "a"], ["b", "a"]]
    assert [sorted(words) for words in bags.shuffled] == [["a", "b", "c"], ["a", "b", "c"], ["a", "b"]]
    assert read_bags(sentences, limit=2).shuffled == bags.shuffled[:2]
    other = tmp_path / "other.txt"
    other.write_text("b c a\na b c\na b\n", encoding="utf-8")
    assert read_bags(other).shuffled == bags.shuffled
    assert any(read_bags(sentences, seed=seed).shuffled != bags.shuffled for seed in range(2, 6))
    (tmp_path / "empty.txt").write_text(".\n\n")
    with pytest.raises(InputError, match="no words"):
        read_bags(tmp_path / "empty.txt")


@pytest.mark.slow
def test_a_model_of_texts(config: Path) -> None:
    text = config.parent / "text.tok.txt"
    text.write_text("a b c .\na b\n" * 20 + "c a b d\n", encoding="utf-8")
    config.write_text('bags = ["three.txt"]\ntexts = ["text.tok.txt"]\nrows = ["astar"]\n')
    result, messages = run(config)
    assert started(messages)[:2] == ["text text.tok", "model all-texts"]
    assert result.sets[0].systems["A*"][0].outputs == ["a b c", "a b c", "a b"]
    assert started(run(config)[1]) == []
    text.write_text("c b a\n" * 20 + "b a c d\n", encoding="utf-8")
    result, messages = run(config)
    assert started(messages) == ["text text.tok", "model all-texts", "three/astar", "significance"]
    assert result.sets[0].systems["A*"][0].outputs[0] == "c b a"
    text.write_text(".\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"text\.tok\.txt: no words"):
        run(config)


def test_names_of_rows() -> None:
    assert [BagSearch.parse(name).label for name in SHORT_ROWS] == [
        "L",
        "G",
        "BFS",
        "A*",
        "A*_1",
        "A*_2",
        "B_0.2",
        "B_0.1",
    ]
    assert BagSearch.parse("astar-12").settings == {"search": "astar-k", "k": 12}
    assert BagSearch.parse("beam-0.05:static").settings["bound"] == "static"
    for name in (
        "astar-",
        "astar-x",
        "beam-0",
        "beam-2",
        "beam",
        "bfs-1",
        "l",
        "L:static",
        "astar:best",
        "astar:",
        "",
        "stack-5",
    ):
        with pytest.raises(InputError, match="row"):
            BagSearch.parse(name)
    long = Bags("x", [["a"] * 10], [["a"] * 10])
    assert default_rows(long)[: len(LONG_ROWS)] == LONG_ROWS
