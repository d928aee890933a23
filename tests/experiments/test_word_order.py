"""The word-ordering experiment on three bags that can be done by hand.

By the model of `conftest` (log10, negative): a b c .7, c b a 2.2, b a c 2.15; a b 1.3, b a 2.15.
"""

import json
import math
from pathlib import Path

import pytest

from widl.common.errors import InputError
from widl.decoder import load_language_model
from widl.experiments import word_order_tables as table
from widl.experiments.config import read_config
from widl.experiments.results import read_results
from widl.experiments.text import table_lines
from widl.experiments.word_order import (
    LONG_ROWS,
    SHORT_ROWS,
    BagLimits,
    Bags,
    BagSearch,
    Ordered,
    Orderings,
    best_known,
    default_rows,
    log_prob,
    order,
    read_bags,
    write_all,
)
from widl.experiments.word_order_experiment import WordOrderConfig, run_word_order_experiment
from widl.experiments.word_order_tables import figures, paper_figures

ROWS = ["L", "G", "bfs", "astar", "astar-1", "beam-0.1"]
close = pytest.approx


@pytest.fixture
def results(arpa: Path, sentences: Path) -> Orderings:
    bags, model = read_bags(sentences), load_language_model(arpa)
    rows = {name: list(order(bags.shuffled, model, BagSearch.parse(name), BagLimits())) for name in ROWS}
    return Orderings(bags, [log_prob(model, sentence) for sentence in bags.sentences], rows)


@pytest.fixture
def config(arpa: Path, sentences: Path, tmp_path: Path) -> Path:
    file = tmp_path / "config.toml"
    file.write_text(f'bags = ["{sentences.name}"]\nlm = "{arpa.name}"\nrows = {json.dumps(ROWS)}\n')
    return file


def run(config: Path, **options) -> tuple[object, list[str]]:
    """The results, and what was told but the report's place."""
    told: list[str] = []
    found = run_word_order_experiment(
        read_config(config, WordOrderConfig), config.parent / "out", tell=told.append, **options
    )
    return found, [line for line in told if not line.startswith("results:")]


def test_outputs_and_log_probabilities(results: Orderings) -> None:
    ten = math.log(10)
    assert results.sentence_log_probs == close([-0.7 * ten, -2.2 * ten, -2.15 * ten], abs=1e-4)
    outputs = {name: [" ".join(result.words) for result in ordered] for name, ordered in results.rows.items()}
    assert outputs["L"] == ["c b a", "c b a", "b a"]
    # <s> c .05 joins first, then b a .15; of two words <s> a .1 and a b .2.
    assert outputs["G"] == ["c b a", "c b a", "a b"]
    assert outputs["bfs"] == outputs["astar"] == ["a b c", "a b c", "a b"]
    assert [result.log_prob for result in results.rows["bfs"]] == close([-0.7 * ten, -0.7 * ten, -1.3 * ten], abs=1e-4)
    # Of three words 3 + 3 · 2 + 6 · 1 edges, of two 2 + 2.
    assert [result.edges for result in results.rows["bfs"]] == [15, 15, 4]


def test_figures(results: Orderings) -> None:
    found = figures(results)
    third = 100 / 3
    shares = {name: (identical, errors, estimated) for name, (identical, _, errors, estimated, *_) in found.items()}
    assert shares["L"] == close((2 * third, 100, third))
    assert shares["G"] == close((third, 2 * third, third))
    assert shares["bfs"] == close((third, 0, 0))
    unfolded_and_proved = {name: (row[4], row[6]) for name, row in found.items()}
    assert unfolded_and_proved["bfs"] == (100, 100)
    assert unfolded_and_proved["astar"][0] == close(100 * sum(one.edges for one in results.rows["astar"]) / 34)
    assert unfolded_and_proved["L"] == (None, None)


def test_without_breadth_first_search_only_proofs_tell_errors(results: Orderings) -> None:
    ordered = [Ordered(["a"], -1.0, 0.5, proved=True), Ordered(["b"], -1.5, 0.5)]
    worse = [Ordered(["b"], -2.0, 0.5), Ordered(["b"], -1.6, 0.5)]
    bags = Bags("x", [["a"], ["b"]], [["a"], ["b"]])
    own = Orderings(bags, [-1.0, -1.5], {"astar": ordered, "beam-0.1": worse})
    assert best_known(own) == [-1.0, None]
    found = figures(own)
    assert (found["astar"][2], found["beam-0.1"][2]) == (0, 100)
    assert found["beam-0.1"][3:5] == (100, None)
    with pytest.raises(AssertionError, match="better than the proved optimum"):
        best_known(Orderings(bags, [-1.0, -1.5], {"astar": ordered, "beam-0.1": [Ordered(["b"], -0.5, 0)] * 2}))


def started(told: list[str]) -> list[str]:
    return [line.partition(":")[0] for line in told if ": started" in line]


@pytest.mark.slow
def test_finished_rows_are_kept_and_others_made(config: Path) -> None:
    out = config.parent / "out"
    first, told = run(config)
    assert started(told) == [*(f"three {name}" for name in ROWS), "significance"]
    again, told = run(config)
    assert (again.tables, again.sets, again.pairs, told) == (first.tables, first.sets, first.pairs, [])
    assert read_results(out) == again
    # What is gone, and what was changed.
    (out / "three" / "L.jsonl").unlink()
    with (out / "three" / "G.jsonl").open("a") as file:
        file.write("nonsense\n")
    _, told = run(config)
    assert [line for line in told if "again" in line] == [
        "three L: started again: three/L.jsonl is gone",
        "three G: started again: three/G.jsonl was changed",
    ]  # but not significance: their seconds are other ones, their strings are not
    # Another budget and other bags are other results; a row less is none.
    text = config.read_text()
    for change in ("budget.seconds = 7\n", "limit = 1\n"):
        config.write_text(text + change)
        assert len([name for name in started(run(config)[1]) if name.startswith("three")]) == len(ROWS)
    config.write_text(text.replace('"L", ', "") + "limit = 1\n")
    found, told = run(config)
    assert started(told) == ["significance"]
    assert "L" not in found.sets[0].systems


@pytest.mark.slow
def test_an_interrupted_row_goes_on_with_the_next_bag(config: Path, results: Orderings) -> None:
    class Killed(BaseException):
        pass

    def kill(stage: str, done: int, total: int) -> None:
        if (stage, done) == ("three A*", 2):
            raise Killed

    with pytest.raises(Killed):
        run(config, progress=kill)
    (partial,) = (config.parent / "out" / "three").glob("astar.*.partial")
    kept = partial.read_bytes()
    assert kept.count(b"\n") == 2
    partial.write_bytes(kept + b'{"sentence": "cut sh')
    seen: list[tuple[str, int]] = []
    _, told = run(config, progress=lambda stage, done, total: seen.append((stage, done)))
    assert started(told)[0] == "three astar"
    assert [done for stage, done in seen if stage == "three A*"] == [3]
    assert (config.parent / "out" / "three" / "astar.jsonl").read_bytes().startswith(kept)
    assert not partial.exists()
    found = read_results(config.parent / "out").sets[0].systems
    assert {row.label: found[row.label][0].outputs for row in map(BagSearch.parse, ROWS)} == {
        BagSearch.parse(name).label: [" ".join(result.words) for result in ordered]
        for name, ordered in results.rows.items()
    }


@pytest.mark.slow
def test_row_files_hold_every_bag(results: Orderings, config: Path) -> None:
    run(config)
    lines = (config.parent / "out" / "three" / "astar-1.jsonl").read_text("utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    assert [entry["sentence"] for entry in entries] == ["a b c", "c b a", "b a"]
    told = {"bag", "words", "log_prob", "seconds", "states", "edges", "memory", "proved", "stopped"}
    assert told <= entries[0].keys()
    rows = list(write_all(results))
    assert rows[0][:5] == ["sentence", "log_prob", "bag", "L", "L log_prob"]
    assert rows[1][:2] == ["a b c", f"{-0.7 * math.log(10):.4f}"]
    assert {len(row) for row in rows} == {3 + 2 * len(ROWS)}
    written = (config.parent / "out" / "three.tsv").read_text("utf-8")
    assert [line.split("\t") for line in written.splitlines()] == rows


def test_items_and_their_statistics(results: Orderings) -> None:
    test = table.outputs_set(results)
    assert [item.input for item in test.items] == ["a b c", "a b c", "a b"]
    assert [item.references for item in test.items] == [["a b c"], ["c b a"], ["b a"]]
    assert test.scores("L", "identical") == close([200 / 3])
    assert test.scores("A*", "log p") == close([-math.log(10) * (0.7 + 0.7 + 1.3) / 3], abs=1e-4)
    assert test.systems["BFS"][0].facts["edges"] == [15, 15, 4]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rows", "row", "config.toml: row: unknown key; did you mean 'rows'"),
        ('"bfs"', '"best"', "unknown row 'best'"),
        ('"bfs"', '"astar"', "two rows have the same name, 'astar'"),
        ("three.txt", "four.txt", r"bags.0: .*four\.txt: no such file"),
        ('"three.txt"', '"three.txt", "three.txt"', "two files of bags have the same name"),
        ('lm = "tiny.arpa"', "", "give either 'lm', a language model, or 'texts'"),
        ('lm = "tiny.arpa"', 'lm = "tiny.arpa"\ntexts = ["three.txt"]', "give either 'lm'"),
        ("rows", "limit = -1\nrows", "limit: expected at least 0, found -1"),
        ("bags", "budget.second = 1\nbags", "budget.second: unknown key; did you mean 'seconds'"),
        ('bags = ["three.txt"]', "", "bags: missing; add it"),
        ("bags =", "bags", "config.toml: not TOML: .*line 1"),
    ],
)
def test_bad_configurations(config: Path, old: str, new: str, message: str) -> None:
    text = config.read_text()
    assert old in text
    config.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=message):
        read_config(config, WordOrderConfig)


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
    found, told = run(config)
    assert started(told)[:2] == ["text text.tok", "model all-texts"]
    assert found.sets[0].systems["A*"][0].outputs == ["a b c", "a b c", "a b"]
    assert started(run(config)[1]) == []
    text.write_text("c b a\n" * 20 + "b a c d\n", encoding="utf-8")
    found, told = run(config)
    assert started(told) == ["text text.tok", "model all-texts", "three astar", "significance"]
    assert found.sets[0].systems["A*"][0].outputs[0] == "c b a"
    text.write_text(".\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"text\.tok\.txt: no words"):
        run(config)


def test_names_of_rows() -> None:
    assert [BagSearch.parse(name).label for name in SHORT_ROWS] == [
        "L", "G", "BFS", "A*", "A*_1", "A*_2", "B_0.2", "B_0.1",
    ]
    assert BagSearch.parse("astar-12").k == 12
    assert BagSearch.parse("beam-0.05:static").bound == "static"
    stack, cube = BagSearch.parse("stack-50:lagrangian"), BagSearch.parse("cube-20")
    assert (stack.search, stack.size, stack.bound, cube.search, cube.size) == ("stack", 50, "lagrangian", "cube", 20)
    assert (stack.options(BagLimits()).stack_size, stack.options(BagLimits()).beam) == (50, 1e-5)
    assert cube.options(BagLimits()).pop_limit == 20
    for name in (
        "astar-", "astar-x", "beam-0", "beam-2", "beam", "bfs-1", "l", "astar:best", "",
        "stack", "stack-0", "stack-x", "cube-0.5", "cube-",
    ):
        with pytest.raises(InputError, match="row"):
            BagSearch.parse(name)
    long = Bags("x", [["a"] * 10], [["a"] * 10])
    assert default_rows(long)[: len(LONG_ROWS)] == LONG_ROWS


def test_the_papers_tables() -> None:
    assert paper_figures((3, 7))["astar"][4] == 12.0
    assert paper_figures((10, 25))["beam-0.1"] == (12.2, 52.6, None, 19.9, None, 36.7, None)
    assert paper_figures((2, 7)) == {}


def test_table_beside_the_paper() -> None:
    """The figures here and, in parentheses, there; a dash where there is none."""
    bags = Bags("bags", [["a", "b", "c", "d"]], [["a", "b", "c", "d"]])
    row = Ordered(["a", "b", "c", "d"], -2.0, 0.00025, edges=3, proved=True)
    full = Ordered(["a", "b", "c", "d"], -2.0, 0.001, edges=12, proved=True)
    main, proved = table.tables(Orderings(bags, [-2.0], {"L": [row], "bfs": [full], "astar": [row], "astar-3": [row]}))
    lines = [line.split() for line in table_lines(main)]
    assert lines[0] == "bags: 1 bags of 4 to 4 words".split()
    columns = "ID % BLEU search errors % estimated % unfolded % seconds/bag proved %"
    assert lines[1] == columns.split()
    assert lines[2] == "L 100.0 (2.5) 100.0 (9.5) 0.0 (97.2) 0.0 (95.8) - 0.00025 (0.000) -".split()
    assert lines[4] == "A* 100.0 (67.1) 100.0 (79.2) 0.0 (0.0) 0.0 (0.0) 25.0 (12.0) 0.00025 (0.010) 100.0".split()
    assert lines[5] == "A*_3 100.0 100.0 0.0 0.0 25.0 0.00025 100.0".split()
    assert lines[6][:2] == ["In", "parentheses:"]
    assert [line.split() for line in table_lines(proved)][1:3] == [
        "words bags BFS A* A*_3".split(),
        "4 1 100 100 100".split(),
    ]
