"""Tiles written for Moses (`benchmarks/peers.py`): its files hold the same model, and its lists are checked."""

import gzip
import json
import math
import operator
import re
from pathlib import Path

import pytest
from benchmarks import peers

from widl import LanguageModel, Translator
from widl.pipeline.demo import sample_corpus

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def exported(trained: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("peers")
    lines = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:4]
    (folder / "lines").write_text("\n".join(["", *lines, "甲|乙"]) + "\n", encoding="utf-8")
    command = ["export", str(trained), str(folder / "lines"), str(folder / "out"), "--options", "5"]
    assert peers.main([*command, "--distortion-limit", "3"]) == 0
    return folder / "out"


def moses_score(folder: Path, words: list[str], phrases: list[tuple[int, int, str]], line: int) -> tuple[float, str]:
    """Of a derivation, from the exported files alone, as Moses adds it up; and its features as in an n-best list."""
    weights = peers.read_weights_of(folder / "moses.ini")
    with gzip.open(folder / "phrase-table.gz", "rt", encoding="utf-8") as file:
        rows = [entry.rstrip("\n").split(" ||| ") for entry in file]
    table: dict[tuple[str, str], list[list[float]]] = {}
    for source, target, scores in rows:
        entry = [math.log(float(score)) for score in scores.split()]
        table.setdefault((source, target), []).append(entry)
    (feature,) = [entry for entry in (folder / "moses.ini").read_text().splitlines() if entry.startswith("KENLM")]
    model = LanguageModel.load(feature.split("path=")[1].split(" order=")[0])
    tiles = [0.0] * len(weights["Tiles"])
    moved, end = 0, 0
    for begin, last, target in phrases:
        source = " ".join(f"{line}.{position}" for position in range(begin, last))
        # A number by rule and the phrase table may give the same words.
        best = max(table[source, target], key=lambda entry: sum(map(operator.mul, weights["Tiles"], entry)))
        tiles = [x + y for x, y in zip(tiles, best, strict=True)]
        moved, end = moved - abs(begin - end), last
    features = {
        "Distortion0": [moved],
        "LM0": [sum(model.score_words(words))],
        "WordPenalty0": [-len(words)],
        "PhrasePenalty0": [len(phrases)],
        "Tiles": tiles,
    }
    total = sum(w * h for name, values in features.items() for w, h in zip(weights[name], values, strict=True))
    return total, " ".join(f"{name}= {' '.join(map(repr, values))}" for name, values in features.items())


def test_moses_is_given_the_same_model(trained: Path, exported: Path, tmp_path: Path, capsys) -> None:
    """A derivation has the same score by the exported files as here; a list of such scores is read back."""
    about = json.loads((exported / "exported.json").read_text())
    assert len(about["lines"]) == 4
    assert peers.main(["search", str(trained), str(exported), "--search", "astar", "--search", "stack:2"]) == 0
    options = peers.Exported(**about).search_options("astar")
    entries = []
    for i, found in enumerate(Translator(trained).translate(about["lines"], options)):
        best = found.nbest[0]
        phrases = [(phrase.begin, phrase.end, " ".join(phrase.words)) for phrase in best.phrases]
        total, features = moses_score(exported, list(best.words), phrases, i)
        assert total == pytest.approx(found.score, abs=1e-4)
        entries.append(f"{i} ||| {' '.join(best.words)} ||| {features} ||| {total!r}")
    nbest = tmp_path / "moses.nbest"
    nbest.write_text("\n".join(entries) + "\n")
    capsys.readouterr()
    command = ["compare", str(exported), "--moses", f"moses:{nbest}:2.5"]
    assert peers.main(command) == 0
    rows = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines()[1:]}
    assert rows["moses"][1:5] == [rows["astar"][1], "0", "0", "2.50"]
    assert rows["astar"][2:4] == ["0", "4"]
    # Figures of another run count from cube:100.
    assert peers.main([*command, "--elsewhere", "moses2 400:4.5:2070"]) == 2
    assert "search with it first" in capsys.readouterr().err
    assert peers.main(["search", str(trained), str(exported), "--search", "cube:100"]) == 0
    assert peers.main([*command, "--elsewhere", "moses2 400:4.5:2070"]) == 0
    shown = capsys.readouterr().out
    cube = float(re.search(r"^cube:100 +(\S+)", shown, re.MULTILINE)[1])
    assert re.search(rf"^moses2 400 +{cube - 4.5:.4f} +2,070", shown, re.MULTILINE)
    assert peers.main([*command, "--elsewhere", "moses2"]) == 2
    assert "expected NAME:NATS:WORDS" in capsys.readouterr().err
    # What Moses could not have found.
    nbest.write_text("\n".join(entries).replace(f"||| {total!r}", f"||| {total + 1!r}"))
    assert peers.main(command) == 2
    assert "is not that of its features" in capsys.readouterr().err
    nbest.write_text("\n".join(entries[:-1]))
    assert peers.main(command) == 2
    assert "no derivation of line 3" in capsys.readouterr().err
    nbest.write_text("\n".join(entries))
    better = peers.Run("better", [0.0] * 4, [False] * 4, 1.0)
    (exported / "widl.better.json").write_text(json.dumps(vars(better)))
    assert peers.main(command) == 2
    assert "above" in capsys.readouterr().err


def test_each_span_has_the_best_of_its_translations(trained: Path, exported: Path) -> None:
    with gzip.open(exported / "phrase-table.gz", "rt", encoding="utf-8") as file:
        sources = [line.split(" ||| ")[0] for line in file]
    assert max(map(sources.count, sources)) == 5
    words = (exported / "input").read_text().split()
    assert len(set(words)) == len(words) == json.loads((exported / "exported.json").read_text())["words"]


def test_wrong_searches_are_refused(trained: Path, exported: Path, tmp_path: Path, capsys) -> None:
    assert peers.main(["search", str(trained), str(exported), "--search", "cubes:3"]) == 2
    assert "expected cube:N, stack:N, beam:N or astar" in capsys.readouterr().err
    assert peers.main(["compare", str(tmp_path)]) == 2
    assert "run `export` first" in capsys.readouterr().err
