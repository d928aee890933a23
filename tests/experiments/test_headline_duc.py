"""The headline experiment and tuning on made-up documents and model summaries in DUC's layout."""

import json
import re
from pathlib import Path

import pytest

from tests.headline.duc import summaries, write_documents, write_models
from tests.reference.rouge import jackknifed_recall
from widl.experiments.config import read_config
from widl.experiments.headline import run_headline_experiment
from widl.experiments.headline_config import HeadlineExperimentConfig
from widl.pipeline.headline_training import HeadlineTraining, train_headlines

CONFIG = """
model = "model"
dev = ["duc/docs/d30001t"]
dev_references = ["duc/models"]
test = ["duc/docs/d30002t"]
test_references = ["duc/models"]
words = 0
bytes = 75
jackknife = true
resamples = 20

[tuning]
metric = "rouge1x2_recall"
replications = 1
max_iterations = 2
nbest = 20

[[system]]
name = "Lead10"
system = "lead"

[[system]]
name = "WIDL-A*"
system = "widl-paper"

[[system]]
name = "fixed"
system = "widl-paper"
fixed = { phrase_count = -0.5 }
"""
TEST = [4, 5, 6]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("duc-experiment")
    documents = write_documents(path / "duc/docs", [1, 2, 3])
    write_documents(documents, TEST, docset="d30002t")
    models = write_models(path / "duc/models", [1, 2, 3])
    write_models(models, TEST, docset="D30002")
    train_headlines(HeadlineTraining(pairs=[documents]), path / "model")
    (path / "duc.toml").write_text(CONFIG, encoding="utf-8")
    run_headline_experiment(read_config(path / "duc.toml", HeadlineExperimentConfig), path / "out")
    return path


@pytest.mark.slow
def test_duc_in_the_experiment(folder: Path) -> None:
    results = json.loads((folder / "out/results.json").read_text(encoding="utf-8"))
    [test] = results["sets"]
    assert list(map(list, zip(*test["references"], strict=True))) == [list(summaries(n)) for n in TEST]
    rows = {row["label"]: row["cells"] for row in results["tables"][0]["rows"]}
    assert list(rows) == ["Lead10", "WIDL-A*", "fixed"]
    for label, file in (("Lead10", "test.run"), ("WIDL-A*", "test.seed-1")):
        texts = (folder / f"out/systems/{label}/{file}.txt").read_text(encoding="utf-8").splitlines()
        assert all(len(text.encode()) <= 75 for text in texts)
        assert "SECRET" not in " ".join(texts)
        for column, order in (("ROUGE-1", 1), ("ROUGE-2", 2)):
            recalls = [jackknifed_recall(text, summaries(n), order) for text, n in zip(texts, TEST, strict=True)]
            assert rows[label][column]["value"] == pytest.approx(100 * sum(recalls) / 3)
    signatures = {metric["name"]: metric["signature"] for metric in test["metrics"]}
    assert signatures["rouge2_recall"] == "rouge2|recall|stem:no|nrefs:4|rouge-score:0.1.2|jackknife"
    [fixed] = json.loads((folder / "out/systems/fixed/weights.json").read_text())
    assert fixed["weights"]["phrase_count"] == -0.5


@pytest.mark.slow
def test_one_reference_as_in_the_paper(folder: Path) -> None:
    text = CONFIG.replace("words = 0\nbytes = 75", "words = 10\nreferences = 1")
    (folder / "one.toml").write_text(re.sub(r"\[tuning\][^[]*", "", text.replace("\ndev", "\n#dev")), encoding="utf-8")
    results = run_headline_experiment(folder / "one.toml", folder / "one")
    [test] = results.sets
    assert test.references == [[summaries(n)[0] for n in TEST]]
