"""The scripts in `training/`, which make the package's models of headlines, run on a few sentences."""

import gzip
import importlib.util
import json
import lzma
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.pipeline.news import stories
from widl.headline import Headliner
from widl.headline.documents import Document
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import parse_documents
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
    monkeypatch.setattr(make, "ONE_IN", {"wikinews": 2})
    monkeypatch.setattr(make, "NO_NAMES", frozenset({"basin"}))
    rows = [{"source": "wikinews", "text": " ".join(SENTENCES)}] * 80
    stories = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "stories.xz").write_bytes(lzma.compress(stories.encode()))
    running = "".join(f"{sentence}\n" for sentence in (*SENTENCES, "Bidco sold its mines."))
    (tmp_path / "text.xz").write_bytes(lzma.compress(running.encode()))
    make.main(tmp_path / "stories.xz", tmp_path / "text.xz", tmp_path / "counts.json.gz")
    counts = contents(tmp_path / "counts.json.gz")
    assert counts["dependents"]["V:call"]["phrase for>"] > 70
    assert counts["given"] == "anna"
    assert set(counts["titles"].split()) == make.ROLES | {"governor"}
    assert set(counts["things"].split()) == make.ORGANIZATIONS | {"ministry"}


def test_press_releases_are_sampled() -> None:
    make = script("counts/make_counts.py")
    rows = [
        {"source": source, "text": f"{source} {n}"} for n in range(20) for source in ("wikinews", "us-doj", "kremlin")
    ]
    taken = list(make.sample(rows))
    assert [text for text in taken if "doj" in text] == ["us-doj 0", "us-doj 10"]
    assert (len(taken), sum("kremlin" in text for text in taken)) == (20 + 2 + 10, 10)


def test_deletion_model(tmp_path: Path) -> None:
    make = script("content/make_content_model.py")
    rows = [
        {"id": str(n), "text": f"The mayor of {name} resigned on Monday.", "headline": f"Mayor of {name} resigns"}
        for n, name in enumerate(("Linz", "Graz", "Bern", "Basel"))
    ]
    rows.append({"id": "5", "text": "Nothing happened.", "headline": "Mayor of Rome resigns"})
    (tmp_path / "stories.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for name in ("one.gz", "two.gz"):
        make.main(tmp_path / "stories.jsonl", tmp_path / name)
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()
    assert [story.identifier for story in make.stories(tmp_path / "stories.jsonl")] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("text", "headline", "shorter"),
    [
        ("The mayor of Linz resigned on Monday.", "Mayor of Linz resigns", "the mayor of Linz resigned"),
        ("On Monday, the bank cut its rates.", "Bank cuts rates", "the bank cut rates"),
        ("The bank said that it cut rates in May.", "May cut of rates", None),  # another order
        ("A storm hit the coast of Peru.", "Storm kills nine in Peru", None),  # other words
        ("The bank is a bank for farmers near Linz.", "Bank farmers Linz", None),  # no verb above them
    ],
)
def test_headlines_as_shortened_sentences(text: str, headline: str, shorter: str | None) -> None:
    make = script("content/make_content_model.py")
    [parsed] = parse_documents([Document("1", text)])
    assert make.compression(sentences_of(parsed)[0], headline) == shorter


def test_ready_model(tmp_path: Path) -> None:
    make = script("ready/make_ready_model.py")
    pairs = [{"source": "wikinews", **row} for row in stories(60)]
    pairs += [{"source": "us-doj", "text": "A press release.", "headline": "Zebra pleads guilty"}] * 9
    (tmp_path / "stories.jsonl").write_text("".join(json.dumps(row) + "\n" for row in pairs), encoding="utf-8")
    (tmp_path / "text.txt").write_text("The bank will sell mines in Peru.\n" * 4, encoding="utf-8")
    make.main(tmp_path / "stories.jsonl", tmp_path / "text.txt", tmp_path / "ready")
    judged = tmp_path / "judged.jsonl"
    judged.write_text("".join(json.dumps({"id": row["id"]}) + "\n" for row in pairs[:20]), encoding="utf-8")
    make.main(tmp_path / "stories.jsonl", tmp_path / "text.txt", tmp_path / "without", judged)
    assert contents(tmp_path / "without" / "words.json.gz") != contents(tmp_path / "ready" / "words.json.gz")
    with Headliner(tmp_path / "ready") as headliner:
        assert headliner.generate_one("The union called for a strike.").text.lower().startswith("the union call")
    assert b"zebra" not in (tmp_path / "ready" / "headlines.binary").read_bytes()


def test_ranking(headlines: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = script("ranking/make_ranking.py")
    rows = list(stories(4))
    short = [row["text"].splitlines()[0].replace(" old", "") for row in rows]
    files = {
        "compressed": [
            {"id": row["id"], "sentence": row["text"].splitlines()[0], "headline": text}
            for row, text in zip(rows, short, strict=True)
        ],
        "judged": [
            {"id": row["id"], "headline": text, "true": 1, "readable": 1, "news": int("Peru" in text)}
            for row, text in zip(rows, short, strict=True)
        ]
        + [{"id": row["id"], "headline": "It will", "true": 1, "readable": 0, "news": 0} for row in rows],
        "stories": rows,
    }
    for name, objects in files.items():
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in objects), encoding="utf-8")
    for target in ("one.gz", "two.gz"):
        paths = (str(tmp_path / name) for name in [*files, target])
        monkeypatch.setattr(sys, "argv", ["make_ranking.py", str(headlines), *paths])
        make.main()
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()
    made = contents(tmp_path / "one.gz")["questions"]
    assert made.keys() == set(QUESTIONS)
    for question in made:
        assert numbers(made[question]["weights"]) == numbers(ranking_model().models[question].weights)
    assert any(":" in name for question in made for name in made[question]["weights"])


def numbers(names: Iterable[str]) -> set[str]:
    """The names of features that are no patterns."""
    return {name for name in names if ":" not in name}


def test_the_ranking_is_fitted_as_by_a_dense_twin() -> None:
    make, rng = script("ranking/make_ranking.py"), np.random.default_rng(1)

    def row() -> dict[str, float]:
        patterns = {f"w:{k}": 1.0 for k in rng.integers(0, 5, 3)}
        return {"a": rng.normal(), "b": 3 * rng.normal()} | patterns

    judged = []
    for features in (row() for _ in range(200)):
        news = bool(rng.random() < 0.3 + 0.2 * ("w:1" in features))
        judged.append((features, {"true": True, "readable": True, "news": news}))
    examples = make.Examples(judged, [(row(), row()) for _ in range(50)])
    names = make.feature_names([features for features, _ in judged])
    assert names == ["a", "b", "w:0", "w:1", "w:2", "w:3", "w:4"]
    bias, weights = make.fit(examples, names, "news")

    def dense(rows: Sequence[dict[str, float]]) -> Any:
        return np.array([[features.get(name, 0.0) for name in names] for features in rows])

    x, y = dense([features for features, _ in judged]), np.array([answers["news"] for _, answers in judged])
    d = dense([a for a, _ in examples.pairs]) - dense([b for _, b in examples.pairs])
    scale = np.array([*np.maximum(x[:, :2].std(axis=0), d[:, :2].std(axis=0)), *[make.PATTERN_SCALE] * 5])
    p, q = 1 / (1 + np.exp(-(x @ weights + bias))), 1 / (1 + np.exp(d @ weights))
    slope = x.T @ (p - y) - make.PAIR_WEIGHT * d.T @ q + make.RIDGE * weights * scale**2
    assert np.abs(slope / scale).max() < 1e-2
    assert abs((p - y).sum()) < 1e-2
