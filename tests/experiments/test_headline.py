"""The headline experiment on a few dozen made-up documents."""

import json
import re
from pathlib import Path

import pytest

from tests.refusals import Change, assert_refused, changes
from widl.experiments.config import read_config
from widl.experiments.headline import (
    PAPER,
    PAPER_UNIGRAMS,
    matches,
    paper_recalls,
    run_headline_experiment,
)
from widl.experiments.headline_config import HeadlineExperimentConfig, HeadlineSystem
from widl.headline import Headliner
from widl.headline.documents import read_documents
from widl.mert import OptimizerOptions
from widl.pipeline.headline_training import HeadlineTraining, train_headlines

FIRMS = ["Acme Corp", "Borealis Ltd", "Candle Inc", "Dunmore Bank", "Eastway Steel", "Foxglove Mills", "Granite Oil"]
THINGS = ["a tin mine", "three sugar mills", "an oil field", "its paper unit", "two ferries", "a coal pit", "a bank"]
PLACES = ["Norway", "Chile", "Ghana", "Texas", "Peru", "Spain", "Kenya", "Japan"]


def document(number: int) -> dict[str, object]:
    firm, thing = FIRMS[number % 7], THINGS[number // 7 % 7]
    place, price = PLACES[number % 8], 10 + number
    name = firm.split()[0]
    short = " ".join(word for word in thing.split() if word not in {"a", "an", "its"})
    text = (
        f"{firm} said it agreed to buy {thing} in {place} for {price} mln dlrs. "
        f"The company will pay in cash, a spokesman for {name} said. Analysts had expected a higher price."
    )
    return {"id": f"d{number}", "headline": f"{name} TO BUY {short} IN {place}".upper(), "text": text}


def write(path: Path, numbers: range) -> None:
    path.write_text("".join(json.dumps(document(n)) + "\n" for n in numbers), encoding="utf-8")


CONFIG = """
model = "model"
dev = ["dev.jsonl"]
test = ["test.jsonl"]
resamples = 50

[tuning]
replications = 1
max_iterations = 2
nbest = 20
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("headlines")
    write(path / "train.jsonl", range(60))
    train_headlines(HeadlineTraining(pairs=[path / "train.jsonl"]), path / "model")
    write(path / "dev.jsonl", range(100, 108))
    write(path / "test.jsonl", range(200, 208))
    (path / "config.toml").write_text(CONFIG, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def finished(folder: Path) -> Path:
    config = read_config(folder / "config.toml", HeadlineExperimentConfig)
    run_headline_experiment(config, folder / "out")
    return folder / "out"


@pytest.mark.slow
def test_table_one(finished: Path) -> None:
    results = json.loads((finished / "results.json").read_text(encoding="utf-8"))
    table = results["tables"][0]
    rows = {row["label"]: row for row in table["rows"]}
    assert list(rows) == ["Lead", "HedgeTrimmer", "Topiary", "Keywords", "Webcl", "WIDL-A*", "widl"]
    proved = {name: row["cells"]["proved %"]["value"] for name, row in rows.items() if "proved %" in row["cells"]}
    assert list(proved) == ["WIDL-A*", "widl"]
    [intervals] = [table for table in results["tables"] if table["name"] == "test-intervals"]
    for fact in ("optimal", "seconds"):  # of searches alone
        assert [row["label"] for row in intervals["rows"] if fact in row["cells"]] == list(proved)
    columns = [column["name"] for column in table["columns"]]
    assert columns[:2] == ["dev", "moved"]  # each system's own metric
    assert [name for name, row in rows.items() if row["cells"].get("moved")] == ["WIDL-A*", "widl"]
    assert any(note.startswith("Tuned on 8 items by rouge1: ") for note in results["notes"])
    assert any(re.match(r"8 lines for \d+ weights are few", note) for note in results["notes"])
    assert columns[2:8] == ["#(uni)", "#(bi)", "Len.", "R1", "R2", "√(R1·R2)"]
    assert not any(row["paper"] for row in rows.values())  # its figures are of DUC 2003
    for column in ("ROUGE-2", "√(R1·R2)"):
        rouge2 = {name: row["cells"][column]["value"] for name, row in rows.items()}
        assert rouge2["widl"] > max(score for name, score in rouge2.items() if not name.lower().startswith("widl"))
    # With one reference per document, the root equals the root of the table's counts.
    headlines = [str(document(number)["headline"]).split() for number in range(200, 208)]
    words = sum(map(len, headlines))
    unigrams, bigrams = (rows["Lead"]["cells"][name] for name in ("#(uni)", "#(bi)"))
    root = 100 * (unigrams / words * bigrams / (words - 8)) ** 0.5
    assert rows["Lead"]["cells"]["R1"]["value"] == pytest.approx(100 * unigrams / words)
    assert rows["Lead"]["cells"]["R2"]["value"] == pytest.approx(100 * bigrams / (words - 8))
    assert rows["Lead"]["cells"]["√(R1·R2)"]["value"] == pytest.approx(root)
    assert all(rows[name]["cells"]["Len."]["value"] <= 12 for name in ("WIDL-A*", "widl"))
    texts = (finished / "systems" / "widl" / "test.seed-1.txt").read_text(encoding="utf-8").splitlines()
    assert len(texts) == 8
    assert all("buy" in text.lower() for text in texts)
    assert "WIDL-A*" in (finished / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_nothing_is_made_twice(folder: Path, finished: Path) -> None:
    messages: list[str] = []
    config = read_config(folder / "config.toml", HeadlineExperimentConfig)
    before = (finished / "results.json").read_bytes()
    run_headline_experiment(config, finished, notify=messages.append)
    assert not [text for text in messages if "started" in text]
    again = json.loads((finished / "results.json").read_bytes())
    assert again["tables"] == json.loads(before)["tables"]


def test_rouge2_of_the_paper_is_a_root_of_recalls() -> None:
    """Checks both counts of every row of Table 1; bigram recall is another column."""
    for system, (*_, rouge1, rouge2) in PAPER.items():
        unigram_recall, bigram_recall, root = paper_recalls(system)
        assert round(unigram_recall, 1) == rouge1
        assert round(root, 1) == rouge2
        assert bigram_recall < 0.6 * rouge2
    totals = [
        total
        for total in range(1000, 5000)
        if all(round(100 * unigrams / total, 1) == rouge1 for unigrams, _, _, rouge1, _ in PAPER.values())
    ]
    assert totals == [2200, 2201, PAPER_UNIGRAMS]


def test_matches_count_as_rouge_does() -> None:
    assert [*matches("Acme buys buys tin", ["ACME BUYS TIN"]).values()] == [3, 2, 3, 2]
    assert [*matches("Acme buys tin", ["nothing", "tin acme"]).values()] == [2, 0, 2, 1]
    assert [*matches("", ["acme"]).values()] == [0, 0, 1, 0]


@changes(
    ('model = "model"', "", "model: missing; add it"),
    ("resamples", "words = 0\nresamples", "a limit of words"),
    ("resamples", '[[system]]\nname = "a"\nsystem = "lead9"\n#', "lead9"),
    ('"model"', '"mode"', "no such file"),
    ("test.jsonl", "bare.jsonl", "document x1 has no headline"),
    ("resamples", 'baseline = "typo"\nresamples', "baseline: no system 'typo'; there are Lead, HedgeTrimmer"),
)
def test_configurations_that_are_refused(folder: Path, change: Change) -> None:
    path = folder / "wrong.toml"
    path.write_text(CONFIG, encoding="utf-8")
    (folder / "bare.jsonl").write_text('{"id": "x1", "text": "No headline here."}\n', encoding="utf-8")
    assert_refused(
        path,
        change,
        lambda: run_headline_experiment(read_config(path, HeadlineExperimentConfig), folder / "wrong"),
    )
    assert not (folder / "wrong").exists()


def test_rows_with_equal_weights_and_where_these_may_be() -> None:
    row = HeadlineSystem(name="a", system="widl")
    searched = HeadlineSystem(name="b", system="widl", search="beam", stack_size=7, beam=0.3)
    assert row.tuned_settings == searched.tuned_settings
    assert row.tuned_settings != HeadlineSystem(name="c", system="widl", fixed={"lm1": 0.0}).tuned_settings
    model = {"cuts": 0.01, "pairs": 0.1, "lm0": 0.7, "lm1": 0.05}
    start, options = row.restrict(model, OptimizerOptions())
    assert start == {"cuts": 0.1, "pairs": 0.1, "lm0": 0.5, "lm1": 0.05}  # moved into the bounds
    assert options.bounds.keys() == model.keys()
    without = HeadlineSystem(name="c", system="widl", fixed={"lm1": 0.0})
    start, options = without.restrict(model, OptimizerOptions())
    assert (start["lm1"], options.fixed) == (0.0, {"lm1"})
    assert options.bounds.keys() == {"cuts", "pairs", "lm0"}
    start, options = HeadlineSystem(name="d", system="widl-paper").restrict(model, OptimizerOptions())
    assert (start, options.bounds) == (model, {})


def test_headlines_are_those_of_the_model_also_of_text_in_capitals(folder: Path, tmp_path: Path) -> None:
    documents = [document(300), {**document(301), "text": str(document(301)["text"]).upper()}]
    (tmp_path / "test.jsonl").write_text("".join(json.dumps(item) + "\n" for item in documents), encoding="utf-8")
    system = '[[system]]\nname = "widl"\nsystem = "widl"\n'
    text = f'model = "{folder / "model"}"\ntest = ["test.jsonl"]\nresamples = 1\n{system}'
    (tmp_path / "config.toml").write_text(text, encoding="utf-8")
    run_headline_experiment(read_config(tmp_path / "config.toml", HeadlineExperimentConfig), tmp_path / "out")
    result = [
        headline.text for headline in Headliner(folder / "model").generate(read_documents([tmp_path / "test.jsonl"]))
    ]
    assert (tmp_path / "out/systems/widl/test.run.txt").read_text(encoding="utf-8").splitlines() == result
