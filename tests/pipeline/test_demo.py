"""The stories of the demonstration, and their headlines by the parser that comes with the package."""

import json
from pathlib import Path

import pytest

from widl.headline import Headliner
from widl.headline.parsing import SHIPPED
from widl.pipeline.demo import make_stories, sample_corpus

shipped = pytest.mark.skipif(not (SHIPPED / "meta.json").exists(), reason="needs the parser of the package")


def documents() -> list[dict[str, str]]:
    lines = (sample_corpus() / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_a_dozen_stories() -> None:
    found = documents()
    assert len(found) == 12
    for name in ("id", "text", "headline"):
        assert len({story[name] for story in found}) == 12
    assert all(80 <= len(story["text"].split()) <= 150 for story in found)
    assert all(4 <= len(story["headline"].split()) <= 10 for story in found)


@pytest.mark.slow
@shipped
def test_their_headlines(demo: Path) -> None:
    made = make_stories(demo)
    for story, document in zip(made, documents(), strict=True):
        assert story.headline == document["headline"]
        assert story.made
        assert len(story.made.split()) <= 10
        assert document["text"].startswith(story.beginning)
        # Its words are those of the story, some verbs in the present.
        known = set(document["text"].lower().replace(".", " ").replace(",", " ").replace('"', " ").split())
        assert sum(word in known for word in story.made.lower().split()) >= len(story.made.split()) - 2
    written = (demo / "headlines/manifest.json").stat().st_mtime_ns
    assert make_stories(demo) == made
    assert (demo / "headlines/manifest.json").stat().st_mtime_ns == written


@pytest.mark.slow
@shipped
def test_another_demonstration_makes_the_same_files(demo: Path, tmp_path: Path) -> None:
    make_stories(tmp_path)
    files = sorted(path.name for path in (tmp_path / "headlines").iterdir())
    assert files == sorted(path.name for path in (demo / "headlines").iterdir())
    for name in files:
        assert (tmp_path / "headlines" / name).read_bytes() == (demo / "headlines" / name).read_bytes(), name


@pytest.mark.slow
@shipped
def test_all_systems_with_the_shipped_parser(demo: Path) -> None:
    from widl.headline import SYSTEMS, HeadlineOptions
    from widl.headline.documents import Document

    headliner = Headliner(demo / "headlines")
    stories = [Document(one["id"], one["text"]) for one in documents()]
    for system in SYSTEMS:
        found = list(headliner.generate(stories, HeadlineOptions(system=system)))
        assert [one.identifier for one in found] == [one.identifier for one in stories]
        assert all(one.text and not one.message for one in found)
    assert headliner.headline("Rain fell in Norway on Monday.").text
