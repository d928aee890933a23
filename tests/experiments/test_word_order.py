"""The word-ordering experiment on three bags that can be done by hand.

By the model of `conftest` (log10, negative): a b c .7, c b a 2.2, b a c 2.15; a b 1.3, b a 2.15.
"""

import gzip
import json
import math
from pathlib import Path

import pytest

from widl.errors import InputError
from widl.experiments import word_order_table as table
from widl.experiments.word_order import (
    LONG_ROWS,
    SHORT_ROWS,
    Bags,
    Budget,
    Ordered,
    Results,
    Row,
    best_known,
    default_rows,
    make_language_model,
    read_bags,
    run,
    training_lines,
    write_all,
)
from widl.experiments.word_order_table import Figures, figures, paper_figures, proved_by_size

ROWS = ["L", "G", "bfs", "astar", "astar-1", "beam-0.1"]
close = pytest.approx


@pytest.fixture
def results(arpa: Path, sentences: Path, tmp_path: Path) -> Results:
    return run(read_bags(sentences), arpa, ROWS, tmp_path / "out")


def test_outputs_and_log_probabilities(results: Results) -> None:
    ten = math.log(10)
    assert results.sentence_log_probs == close([-0.7 * ten, -2.2 * ten, -2.15 * ten], abs=1e-4)
    outputs = {name: [" ".join(one.words) for one in ordered] for name, ordered in results.rows.items()}
    assert outputs["L"] == ["c b a", "c b a", "b a"]
    # <s> c .05 joins first, then b a .15; of two words <s> a .1 and a b .2.
    assert outputs["G"] == ["c b a", "c b a", "a b"]
    assert outputs["bfs"] == outputs["astar"] == ["a b c", "a b c", "a b"]
    assert [one.log_prob for one in results.rows["bfs"]] == close([-0.7 * ten, -0.7 * ten, -1.3 * ten], abs=1e-4)
    # Of three words 3 + 3 · 2 + 6 · 1 edges, of two 2 + 2.
    assert [one.edges for one in results.rows["bfs"]] == [15, 15, 4]


def test_figures(results: Results) -> None:
    found = figures(results)
    third = 100 / 3
    shares = {name: (row.identical, row.search_errors, row.estimated_errors) for name, row in found.items()}
    assert shares["L"] == close((2 * third, 100, third))
    assert shares["G"] == close((third, 2 * third, third))
    assert shares["bfs"] == close((third, 0, 0))
    assert (found["bfs"].unfolded, found["bfs"].proved) == (100, 100)
    assert found["astar"].unfolded == close(100 * sum(one.edges for one in results.rows["astar"]) / 34)
    assert (found["L"].unfolded, found["L"].proved) == (None, None)
    assert proved_by_size(results)[3]["bfs"] == 100


def test_without_breadth_first_search_only_proofs_tell_errors(results: Results) -> None:
    ordered = [Ordered(["a"], -1.0, 0.5, proved=True), Ordered(["b"], -1.5, 0.5)]
    worse = [Ordered(["b"], -2.0, 0.5), Ordered(["b"], -1.6, 0.5)]
    bags = Bags("x", [["a"], ["b"]], [["a"], ["b"]])
    own = Results(bags, [-1.0, -1.5], {"astar": ordered, "beam-0.1": worse})
    assert best_known(own) == [-1.0, None]
    found = figures(own)
    assert (found["astar"].search_errors, found["beam-0.1"].search_errors) == (0, 100)
    assert (found["beam-0.1"].estimated_errors, found["beam-0.1"].unfolded) == (100, None)
    with pytest.raises(AssertionError, match="better than the proved optimum"):
        best_known(Results(bags, [-1.0, -1.5], {"astar": ordered, "beam-0.1": [Ordered(["b"], -0.5, 0)] * 2}))


def test_finished_rows_are_read_and_others_made(results: Results, arpa: Path, sentences: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    again = run(read_bags(sentences), arpa, ROWS, out)
    assert again == results  # the seconds too
    (out / "three" / "L.jsonl").unlink()
    assert run(read_bags(sentences), arpa, ROWS, out).rows["astar"] == results.rows["astar"]
    assert (out / "three" / "L.jsonl").exists()
    # Another budget, and other bags, are other results.
    budget = Budget(seconds=7)
    header = (out / "three" / "bfs.jsonl").read_text("utf-8").splitlines()[0]
    run(read_bags(sentences), arpa, ["bfs"], out, budget=budget)
    assert (out / "three" / "bfs.jsonl").read_text("utf-8").splitlines()[0] != header
    assert len(run(read_bags(sentences, limit=1), arpa, ["bfs"], out, budget=budget).rows["bfs"]) == 1
    (out / "three" / "bfs.jsonl").write_text("nonsense\n")
    with pytest.raises(InputError, match=r"bfs\.jsonl: not a row"):
        run(read_bags(sentences), arpa, ["bfs"], out)


def test_row_files_hold_every_bag(results: Results, tmp_path: Path) -> None:
    header, *lines = (tmp_path / "out" / "three" / "astar-1.jsonl").read_text("utf-8").splitlines()
    assert json.loads(header)["row"] == "astar-1"
    entries = [json.loads(line) for line in lines]
    assert [entry["sentence"] for entry in entries] == ["a b c", "c b a", "b a"]
    told = {"bag", "words", "log_prob", "seconds", "states", "edges", "memory", "proved", "stopped"}
    assert told <= entries[0].keys()
    rows = list(write_all(results))
    assert rows[0][:5] == ["sentence", "log_prob", "bag", "L", "L log_prob"]
    assert rows[1][:2] == ["a b c", f"{-0.7 * math.log(10):.4f}"]
    assert {len(row) for row in rows} == {3 + 2 * len(ROWS)}


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


def test_text_for_the_language_model(tmp_path: Path) -> None:
    tokenised, raw = tmp_path / "a.tok.txt.gz", tmp_path / "b.raw.txt"
    tokenised.write_bytes(gzip.compress(b"It 's `` fun , '' he said .\n.\n"))
    raw.write_text("It's fun, he said.\n", encoding="utf-8")
    assert list(training_lines(tokenised)) == ["it 's `` fun , '' he said"]
    assert list(training_lines(raw)) == ["it 's fun , he said"]
    model = make_language_model([tokenised, raw], tmp_path)
    before = model.stat().st_mtime_ns
    assert make_language_model([tokenised, raw], tmp_path).stat().st_mtime_ns == before
    raw.write_text("It was fun.\n", encoding="utf-8")
    assert make_language_model([tokenised, raw], tmp_path).stat().st_mtime_ns != before


def test_names_of_rows() -> None:
    assert [Row.parse(name).label for name in SHORT_ROWS] == [
        "L", "G", "BFS", "A*", "A*_1", "A*_2", "B_0.2", "B_0.1",
    ]
    assert Row.parse("astar-12").lookback == 12
    assert Row.parse("beam-0.05:static").bound == "static"
    for name in ("astar-", "astar-x", "beam-0", "beam-2", "beam", "bfs-1", "l", "astar:best", ""):
        with pytest.raises(InputError, match="row"):
            Row.parse(name)
    long = Bags("x", [["a"] * 10], [["a"] * 10])
    assert default_rows(long)[: len(LONG_ROWS)] == LONG_ROWS


def test_the_papers_tables() -> None:
    assert paper_figures((3, 7))["astar"].unfolded == 12.0
    assert paper_figures((10, 25))["beam-0.1"] == Figures(12.2, 52.6, None, 19.9, None, 36.7)
    assert paper_figures((2, 7)) == {}


def test_table_beside_the_paper() -> None:
    """The figures here and, in parentheses, there; a dash where there is none."""
    bags = Bags("bags", [["a", "b", "c", "d"]], [["a", "b", "c", "d"]])
    row = Ordered(["a", "b", "c", "d"], -2.0, 0.00025, edges=3, proved=True)
    full = Ordered(["a", "b", "c", "d"], -2.0, 0.001, edges=12, proved=True)
    text = table.format_table(Results(bags, [-2.0], {"L": [row], "bfs": [full], "astar": [row], "astar-3": [row]}))
    lines = [line.split() for line in text.splitlines()]
    assert lines[0] == "bags: 1 bags of 4 to 4 words".split()
    columns = "ID % BLEU search errors % estimated % unfolded % seconds/bag proved %"
    assert lines[1] == columns.split()
    assert lines[2] == "L 100.0 (2.5) 100.0 (9.5) 0.0 (97.2) 0.0 (95.8) - 0.00025 (0.000) -".split()
    assert lines[4] == "A* 100.0 (67.1) 100.0 (79.2) 0.0 (0.0) 0.0 (0.0) 25.0 (12.0) 0.00025 (0.010) 100.0".split()
    assert lines[5] == "A*_3 100.0 100.0 0.0 0.0 25.0 0.00025 100.0".split()
    assert lines[6][:2] == ["In", "parentheses:"]
    proved = table.format_proved(Results(bags, [-2.0], {"L": [row], "astar": [row]})).splitlines()
    assert [line.split() for line in proved[1:3]] == [["words", "bags", "A*"], ["4", "1", "100"]]
