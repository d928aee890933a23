"""The word-ordering experiment on three bags that can be solved by hand.

Scores by the model of `conftest` (log10, negative): a b c .7, c b a 2.2, b a c 2.15; a b 1.3, b a 2.15.
"""

import math
from pathlib import Path

import pytest

from tests.refusals import Change, assert_refused, changes
from widl.common.errors import InputError
from widl.experiments.bags import Bags, OrderSystem, default_systems, read_bags
from widl.experiments.config import read_config
from widl.experiments.results import MetricScorer, Results, SystemRun, TestSet, read_results
from widl.experiments.word_order import (
    FACTS,
    WordOrderConfig,
    best_known,
    paper_figures,
    run_word_order_experiment,
    table_of,
)
from widl.pages.tables import text_lines

SYSTEMS = {
    "L": 'baseline = "L"',
    "G": 'baseline = "G"',
    "BFS": 'search = "bfs"',
    "A*": 'search = "astar"',
    "A*_1": 'search = "astar-k"\nk = 1',
    "B_0.1": 'search = "beam"\nbeam = 0.1\nstack_size = 0',
}


def toml(*names: str) -> str:
    return "".join(f'[[system]]\nname = "{name}"\n{SYSTEMS[name]}\n' for name in names)


close = pytest.approx


@pytest.fixture
def config(arpa: Path, sentences: Path, tmp_path: Path) -> Path:
    file = tmp_path / "config.toml"
    file.write_text(f'bags = ["{sentences.name}"]\nlm = "{arpa.name}"\n{toml(*SYSTEMS)}')
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
    shares_of_bags = [
        own / every for own, every in zip(test.facts("A*", "edges"), test.facts("BFS", "edges"), strict=True)
    ]
    assert rows["A*"]["unfolded, mean %"] == close(100 * sum(shares_of_bags) / 3)
    assert "unfolded %" not in rows["L"]
    assert rows["L"]["proved %"] is None


def strings(bags: Bags, rows: dict[str, tuple[list[float], bool]]) -> TestSet:
    """A test set whose rows return the sentences: log-probabilities, and whether they are proved."""
    texts = [" ".join(words) for words in bags.sentences]
    scorer = MetricScorer(["bleu"], [texts])
    runs = {}
    for name, (log_probs, proved) in rows.items():
        ones = [1.0] * len(texts)
        facts = {"log p": log_probs, "proved": [1.0, *[0.0] * (len(texts) - 1)] if proved else [0.0] * len(texts)}
        facts |= {"identical": ones, "estimated": [0.0] * len(texts), "seconds": [0.00025] * len(texts)}
        facts |= {"edges": [12.0 if name == "BFS" else 3.0] * len(texts), "stopped": [0.0] * len(texts)}
        runs[name] = [SystemRun(outputs=texts, **scorer.scored(texts), facts=facts)]
    return TestSet(name="x", inputs=texts, references=[texts], metrics=[*scorer.metrics, *FACTS], systems=runs)


def systems(*names: str) -> list[OrderSystem]:
    named = {system["name"]: system for system in [*default_systems(), {"name": "A*_3", "search": "astar-k", "k": 3}]}
    return [OrderSystem.model_validate(named[name]) for name in names]


def test_without_breadth_first_search_only_proofs_tell_errors() -> None:
    bags = Bags("x", [["a"], ["b"]], [["a"], ["b"]])
    test = strings(bags, {"A*": ([-1.0, -1.5], True), "B_0.1": ([-2.0, -1.6], False)})
    assert best_known(test) == [-1.0, None]
    rows = table_of(bags, systems("A*", "B_0.1"), test, with_paper=False).rows
    assert [row.cells["search errors %"] for row in rows] == [0, 100]
    assert "unfolded %" not in rows[1].cells
    with pytest.raises(AssertionError, match="better than the proved optimum"):
        best_known(strings(bags, {"A*": ([-1.0, -1.5], True), "B_0.1": ([-0.5, -0.5], False)}))


def test_table_beside_the_paper() -> None:
    """Shows the numbers, with the paper's numbers or a dash in parentheses."""
    words = ["a", "b", "c", "d"]
    bags = Bags("bags", [words], [words])
    names = ["BFS", "A*", "A*_3"]
    test = strings(bags, {name: ([-2.0], True) for name in names})
    table = table_of(bags, systems(*names), test, with_paper=True)
    of_others = table_of(bags, systems(*names), test, with_paper=False)
    assert of_others.model_dump() == table.model_dump() | {
        "paper": "",
        "rows": [row.model_dump() | {"paper": {}} for row in table.rows],
    }
    lines = [line.split() for line in text_lines(table)]
    assert lines[0] == "bags: 1 bags of 4 to 4 words".split()
    columns = "ID % BLEU search errors % estimated % unfolded % seconds/bag proved % unfolded, mean %"
    assert lines[1] == columns.split()
    assert lines[3] == "A* 100.0 (67.1) 100.0 (79.2) 0.0 (0.0) 0.0 (0.0) 25.0 (12.0) 0.00025 (0.010) 100.0 25.0".split()
    assert lines[4] == "A*_3 100.0 100.0 0.0 0.0 25.0 0.00025 100.0 25.0".split()
    assert lines[5][:2] == ["In", "parentheses:"]
    assert paper_figures((10, 25))["B_0.1"] == (12.2, 52.6, None, 19.9, None, 36.7, None)
    assert paper_figures((2, 7)) == {}


@pytest.mark.slow
def test_finished_rows_are_kept_and_others_made(config: Path) -> None:
    first, messages = run(config)
    assert started(messages) == [*(f"systems/{name}/three.run" for name in SYSTEMS), "significance"]
    again, messages = run(config)
    assert (again.tables, again.sets, messages) == (first.tables, first.sets, [])
    assert read_results(config.parent / "out") == again
    # Another budget changes the results of searches, other bags those of all; removing a row changes none.
    text = config.read_text()
    searches = len(SYSTEMS) - sum("baseline" in toml(name) for name in SYSTEMS)
    for change, rows in (("max_seconds = 7\n", searches), ("limit = 1\n", len(SYSTEMS))):
        config.write_text(change + text)
        assert len([name for name in started(run(config)[1]) if name.startswith("systems")]) == rows
    config.write_text("limit = 1\n" + text.replace(toml("L"), ""))
    result, messages = run(config)
    assert started(messages) == ["significance"]
    assert "L" not in result.sets[0].systems


@changes(
    ("bags =", 'baseline = "typo"\nbags =', r"config\.toml:1: .*baseline: no system 'typo'; there are L, G"),
    ("bags =", "row = 1\nbags =", "config.toml:1: row: unknown key"),
    ('"bfs"', '"best"', "system.2: search: expected one of"),
    ('"BFS"', '"A*"', r"two systems have the same name, 'A\*'"),
    ('"bfs"', '"bfs"\nbeams = 1', "system.2: unknown option 'beams'; did you mean 'beam'"),
    ("three.txt", "four.txt", r"bags.0: .*four\.txt: no such file"),
    ('"three.txt"', '"three.txt", "three.txt"', "two files of bags have the same name"),
    ('lm = "tiny.arpa"', "", "give either 'lm', a language model, or 'texts'"),
    ("bags =", "limit = -1\nbags =", "limit: expected at least 0, found -1"),
    ("bags =", "max_seconds = -1\nbags =", "max-seconds: expected at least 0, found -1"),
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
    config.write_text('bags = ["three.txt"]\ntexts = ["text.tok.txt"]\n' + toml("A*"))
    result, messages = run(config)
    assert started(messages)[:2] == ["text text.tok", "model all-texts"]
    assert result.sets[0].systems["A*"][0].outputs == ["a b c", "a b c", "a b"]
    assert started(run(config)[1]) == []
    text.write_text("c b a\n" * 20 + "b a c d\n", encoding="utf-8")
    result, messages = run(config)
    assert started(messages) == ["text text.tok", "model all-texts", "systems/A*/three.run", "significance"]
    assert result.sets[0].systems["A*"][0].outputs[0] == "c b a"
    text.write_text(".\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"text\.tok\.txt: no words"):
        run(config)


def test_default_systems_are_the_papers(config: Path) -> None:
    papers = ["L", "G", "BFS", "A*", "A*_1", "A*_2", "B_0.2", "B_0.1"]
    config.write_text('bags = ["three.txt"]\nlm = "tiny.arpa"\n')
    built = read_config(config, WordOrderConfig).system
    assert [system.name for system in built] == [*papers, "A* lagrangian", "A*_2 lagrangian", "B_0.1 lagrangian"]
    assert {system.options.bound for system in built[2:8]} == {"context"}
    assert [system.name for system in built if system.longest] == ["BFS"]
    built = read_config(config, WordOrderConfig, preset="paper-2005").system
    assert [system.name for system in built] == [*papers, "B_0.0246", "B_0.005", "A* lagrangian"]
    assert [system.options.bound for system in built[2:]] == [*["eq2"] * 8, "lagrangian"]
    assert [system.name for system in built if system.longest] == ["BFS", "A*"]
