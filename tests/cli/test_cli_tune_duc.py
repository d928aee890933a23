"""`widl tune headline` with model summaries in DUC's layout."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import refused
from tests.headline.duc import write_documents, write_models
from widl.pipeline.headline_training import HeadlineTraining, train_headlines


@pytest.mark.slow
def test_tune_with_model_summaries(tmp_path: Path, run: Callable[..., tuple[int, str, str]]) -> None:
    folder = tmp_path
    documents = write_documents(folder / "duc/docs", [1, 2, 3])
    write_documents(documents, [4, 5, 6], docset="d30002t")
    write_models(folder / "duc/models", [1, 2, 3])
    train_headlines(HeadlineTraining(pairs=[documents]), folder / "model")
    arguments = ("--source", folder / "duc/docs/d30001t", "--reference", folder / "duc/models")
    limits = ("--words", 0, "--bytes", 75, "--nbest", 20, "--max-iterations", 2, "--threads", 1)
    tuned = folder / "tuned.toml"
    job = ("--job", folder / "job", "-o", tuned)
    tune = "tune", "headline", folder / "model", *arguments
    code, out, _ = run(*tune, *limits, *job, "--system", "widl-paper", "--quiet")
    assert code == 0
    assert out.startswith("rouge1x2_recall ")
    documents = ("--words", 0, "--bytes", 75, folder / "duc/docs/d30002t")
    result = run("headline", "generate", folder / "model", "--system", "widl-paper", "--weights", tuned, *documents)
    assert (result[0], len(result[1].splitlines())) == (0, 3)
    line = refused(run("headline", "generate", folder / "model", "--weights", tuned, *documents))
    assert "unknown features 'widl'" in line
    line = refused(run(*tune, "--system", "lead", "--job", folder / "other"))
    assert "system 'lead' has no weights to tune; widl and widl-paper have" in line
