"""Options of `widl train` that choose and score phrase pairs."""

from pathlib import Path

import pytest

from tests.command import widl
from tests.sample import write_sample
from widl.phrase_table import PhraseTable

pytestmark = pytest.mark.slow


def test_options_for_phrase_pairs(pair, tmp_path):
    model = tmp_path / "model"
    options = ["--max-phrase-length", "4", "--reordering", "none", "--memory", "400K"]
    result = widl("train", "--bitext", pair, *options, model)
    assert result.returncode == 0, result.stderr
    with PhraseTable.open(model / "phrase-table.binary") as table:
        info = table.info
        assert (info.max_length, info.reordering) == (4, "")
        assert sum(len(options) for _, options in table.iterate()) == info.phrase_pairs


def test_equal_training_makes_equal_files(tmp_path: Path) -> None:
    """Files are byte-identical on one thread and on two."""
    write_sample(tmp_path, 300, "train.zh", "train.en")
    write_sample(tmp_path, 200, "mono.en")
    files = []
    for name, threads in (("one", 1), ("two", 2)):
        options = ("--lm-text", tmp_path / "mono.en", "--threads", str(threads), "--quiet")
        result = widl("train", "--bitext", tmp_path / "train", *options, tmp_path / name)
        assert result.returncode == 0, result.stderr
        files.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert {"manifest.json", "phrase-table.binary", "alignment.gz", "lm0.binary", "truecaser.tsv"} < files[0].keys()
    assert files[1].keys() == files[0].keys()
    assert [name for name, content in files[1].items() if content != files[0][name]] == []


@pytest.mark.parametrize(
    ("lines", "linked", "mend"),
    [
        (50, True, "give more text whose lines are translations of each other"),
        (1, False, "give alignments that link words, or leave them out"),
    ],
    ids=["equal pairs", "no links"],
)
def test_bitext_that_teaches_no_phrase_pair(tmp_path: Path, lines: int, linked: bool, mend: str) -> None:
    prefix, options = tmp_path / "few", ["--quiet"]
    prefix.with_suffix(".zh").write_text("他 走 了\n" * lines, encoding="utf-8")
    prefix.with_suffix(".en").write_text("he left\n" * lines, encoding="utf-8")
    if not linked:
        (tmp_path / "few.align").write_text("\n" * lines, encoding="utf-8")
        options += ["--tokenized", "--alignment", str(tmp_path / "few.align")]
    result = widl("train", "--bitext", prefix, *options, tmp_path / "model")
    assert result.returncode == 0
    said = result.stderr.decode().splitlines()
    assert f"warning: {prefix}: no phrase pairs were found; {mend}" in said
