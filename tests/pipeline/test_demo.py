"""The stories of the demonstration, and their headlines by the parser that comes with the package."""

import json
import shutil
from pathlib import Path

import pytest

from widl.common.errors import InputError
from widl.headline import Headliner
from widl.headline.parsing import SHIPPED
from widl.pipeline.demo import copy_sample, make_stories, run_demo, sample_corpus

shipped = pytest.mark.skipif(not (SHIPPED / "meta.json").exists(), reason="needs the parser of the package")


def documents() -> list[dict[str, str]]:
    lines = (sample_corpus() / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_files_of_the_examples(tmp_path: Path) -> None:
    copied = copy_sample(tmp_path / "new")
    names = {path.name for path in copied}
    assert {"story.txt", "figure-1.widl", "compare.toml", "train.zh", "test.en"} <= names
    assert names == {path.name for path in (tmp_path / "new").iterdir()}
    assert copy_sample(tmp_path / "new") == copied
    (tmp_path / "new/story.txt").write_text("A story of mine.\n", encoding="utf-8")
    (tmp_path / "new/dev.zh").unlink()
    with pytest.raises(InputError, match=r"story\.txt: exists with other content; name another directory"):
        copy_sample(tmp_path / "new")
    assert not (tmp_path / "new/dev.zh").exists()


@pytest.mark.slow
@shipped
def test_the_demonstration_leads_with_the_tuned_default(demo: Path, tmp_path: Path) -> None:
    shutil.copytree(demo, tmp_path / "demo")
    untuned, tuned = tmp_path / "demo/untuned.toml", tmp_path / "demo/model/weights.toml"
    result = run_demo(tmp_path / "demo", threads=2)
    exact, stacks, *others = result.searches
    assert (exact.errors, exact.proved) == (0, 60)
    assert stacks.errors >= 10
    assert all(row.score <= exact.score + 1e-9 for row in (stacks, *others))
    assert result.error.exact.score > result.error.stack.score
    drawn = result.error.drawing.read_text(encoding="utf-8")
    assert all(item.text in drawn for item in (result.error.stack, result.error.exact))
    assert (result.translation, result.expression[:9]) == ("He did not attend the meeting.", "tiles{5, ")
    assert "(×(did · not · attend)" in result.expression
    assert "guilty" in result.headline.text
    assert 0 < result.headline.confidence < 1
    assert result.combination not in ("", None)
    assert "sum to 0.9" in result.message
    scores = {system.name: system.bleu for system in result.systems}
    assert next(iter(scores)) == "widl, tuned"
    assert scores["widl, tuned"] > scores["widl, before tuning"] + 2
    assert untuned.read_text(encoding="utf-8") != tuned.read_text(encoding="utf-8")


@pytest.mark.slow
@shipped
def test_their_headlines(demo: Path) -> None:
    result = make_stories(demo)
    for story, document in zip(result, documents(), strict=True):
        assert story.headline == document["headline"]
        assert story.made
        assert len(story.made.split()) <= 12
        # Its words are the story's words, some verbs in the present tense.
        known = set(document["text"].lower().replace(".", " ").replace(",", " ").replace('"', " ").split())
        words = story.made.lower().replace(",", "").split()
        assert sum(word in known for word in words) >= len(words) - 3
    written = (demo / "headlines/manifest.json").stat().st_mtime_ns
    assert make_stories(demo) == result
    assert (demo / "headlines/manifest.json").stat().st_mtime_ns == written


@pytest.mark.slow
@shipped
def test_all_systems_with_the_shipped_parser(demo: Path) -> None:
    from widl.headline import SYSTEMS, HeadlineOptions
    from widl.headline.documents import Document

    headliner = Headliner(demo / "headlines")
    stories = [Document(item["id"], item["text"]) for item in documents()]
    for system in SYSTEMS:
        result = list(headliner.generate(stories, HeadlineOptions(system=system)))
        assert [item.identifier for item in result] == [item.identifier for item in stories]
        assert all(item.text and not item.message for item in result)
    assert headliner.generate_one("Rain fell in Norway on Monday.").text
