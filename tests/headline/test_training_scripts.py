"""The scripts in `training/`, which make the package's models of headlines, run on a few sentences."""

import gzip
import importlib.util
import json
import lzma
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.pipeline.news import stories
from widl.headline.ranking import QUESTIONS, ranking_model

TRAINING = Path(__file__).resolve().parents[2] / "training"
SENTENCES = (
    "The union called for a strike.",
    "The ministry said on Monday that it will raise taxes.",
    "Central bank governor Anna Keller warned of inflation, and Keller then resigned.",
)


def script(path: str) -> ModuleType:
    """A script below `training/` as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, TRAINING / path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def contents(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def test_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = script("counts/make_counts.py")
    monkeypatch.setattr(make, "STEPS", (1, 1))
    lines = "".join(f"{sentence}\n" for sentence in SENTENCES * 40)
    (tmp_path / "news.xz").write_bytes(lzma.compress(lines.encode()))
    documents = "".join(json.dumps({"text": f"{SENTENCES[2]} {SENTENCES[2]}"}) + "\n" for _ in range(20))
    (tmp_path / "documents.gz").write_bytes(gzip.compress(documents.encode()))
    make.main([tmp_path / "news.xz"] * 2, tmp_path / "documents.gz", tmp_path / "counts.json.gz")
    counts = contents(tmp_path / "counts.json.gz")
    assert counts["dependents"]["V:call"]["phrase for>"] > 80
    assert (counts["given"], counts["titles"], counts["things"]) == ("anna", "governor", "ministry")


def test_deletion_model(tmp_path: Path) -> None:
    make = script("cuts/make_deletion_model.py")
    rows = [
        {
            "id": str(n),
            "text": f"The mayor of {name} resigned on Monday.",
            "compressions": [f"The mayor of {name} resigned."],
        }
        for n, name in enumerate(("Linz", "Graz", "Bern", "Basel"))
    ]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for name in ("one.gz", "two.gz"):
        make.main(tmp_path / "pairs.jsonl", tmp_path / name)
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()


def test_ranking(headlines: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = script("ranking/make_ranking.py")
    monkeypatch.setattr(make, "PUBLISHED", 4)
    rows = list(stories(4))
    short = [row["text"].splitlines()[0].replace(" old", "") for row in rows]
    files = {
        "compressed": [row | {"compressions": [text]} for row, text in zip(rows, short, strict=True)],
        "judged": [
            row | {"system": "widl", "headline": text, "true": 1, "readable": 1, "news": int("Peru" in text)}
            for row, text in zip(rows, short, strict=True)
        ],
        "own": [{"id": row["id"], "headline": "It will", "true": 1, "readable": 0, "news": 0} for row in rows],
        "published": rows,
    }
    for name, objects in files.items():
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in objects), encoding="utf-8")
    texts = str(tmp_path / "published")
    for target in ("one.gz", "two.gz"):
        monkeypatch.setattr(
            sys,
            "argv",
            ["make_ranking.py", str(headlines), *(str(tmp_path / name) for name in [*files, target]), "--texts", texts],
        )
        make.main()
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()
    made = contents(tmp_path / "one.gz")["questions"]
    assert made.keys() == set(QUESTIONS)
    assert all(
        made[question]["weights"].keys() == ranking_model().questions[question].weights.keys() for question in made
    )
