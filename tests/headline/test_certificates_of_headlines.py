"""What a headline says of itself: its own score, what is proved of it, and how sure one may be."""

import math
from pathlib import Path

import pytest

from widl.common.errors import InputError
from widl.headline import Document, Headline, HeadlineOptions, Headliner

STORIES = [
    "Novelist Amara Osei, whose first book sold fewer than 500 copies, won the Hartwell Prize on Tuesday for a story "
    "about a fisherman who refuses to leave a drowning village.",
    "The city council of Lakemont voted on Monday to close the old harbor bridge for two years after engineers found "
    "cracks in three of its towers. Shopkeepers protested.",
    "Rail unions called off a national strike planned for Friday after train companies raised their pay offer.",
    "A court in Norvale sentenced a former banker to six years in prison for fraud on Wednesday, although his lawyer "
    "said he would appeal.",
    "He did.",
]
FRENCH = [
    "La police a arrêté trois hommes.",
    "Le président a annoncé mardi une réforme des retraites. Les syndicats ont appelé à la grève pour jeudi.",
    "Der Bundestag hat am Dienstag ein neues Gesetz beschlossen.",
]


@pytest.fixture(scope="module")
def headliner() -> Headliner:
    """The package's model."""
    return Headliner()


@pytest.fixture(scope="module")
def results(headliner: Headliner) -> list[Headline]:
    limits = [{"words": 10}, {"words": 6}, {"words": 0, "bytes": 60}, {"words": 4, "ranked": 0}]
    return [headliner.generate_one(story, **limit) for story in STORIES for limit in limits]  # type: ignore[arg-type]


def sum_of(headliner: Headliner, result: Headline) -> float:
    return math.fsum(headliner.weights[name] * value for name, value in result.features.items())


def test_the_score_is_that_of_the_text(headliner: Headliner, results: list[Headline]) -> None:
    """Σ λ h of its own features; the search's best score is another number, where another string was chosen."""
    chosen = 0
    for result in results:
        record = result.as_dict()
        if result.score is None:
            assert not result.features
            assert (record["score"], record["features"], record["phrases"], result.optimal) == (None, {}, [], False)
            continue
        assert result.text == result.nbest[0].text
        assert result.score == pytest.approx(sum_of(headliner, result))
        assert record["score"] == result.score <= record["search_score"] == result.search_score
        chosen += result.score < result.search_score - 1e-6
    assert chosen > 0
    assert sum(result.score is not None for result in results) > len(results) / 2


def test_optimal_is_said_of_the_text_alone(results: list[Headline]) -> None:
    """Whatever is printed with `optimal` reaches the bound; what the search proved has a field of its own."""
    for result in results:
        if result.optimal:
            assert result.score == pytest.approx(result.bound)
        if result.score is not None and result.search_optimal and result.score < result.bound - 1e-6:
            assert not result.optimal
            assert result.search_score == pytest.approx(result.bound)
    assert {bool(result.optimal) for result in results} == {True, False}
    assert any(result.search_optimal and not result.optimal for result in results)


def test_only_sure_holds_wherever_it_is_asked(headliner: Headliner) -> None:
    for story in STORIES:
        plain = headliner.generate_one(story)
        if plain.confidence is None:
            continue
        assert plain.judgment is not None
        for question, value in (("all", plain.confidence), ("true", plain.judgment.true)):
            above, below = min(1.0, value + 0.001), max(0.0, value - 0.001)
            for sure, text in ((above, ""), (below, plain.text)):
                result = headliner.generate_one(story, HeadlineOptions(only_sure=sure, sure_of=question))
                assert result.text == text
                assert result.withheld == (not text)
                assert not result.failed or plain.failed
                if not text:
                    assert result.kind == "none"
                    assert f"withheld: its confidence is {value:.2f}, and {sure:g} was asked for" in result.message
                    assert (result.score, result.optimal, result.as_dict()["text"]) == (None, False, "")
    with pytest.raises(InputError, match="sure-of: without only-sure nothing reads it"):
        headliner.generate_one(STORIES[0], sure_of="true")


@pytest.mark.parametrize("text", FRENCH)
def test_a_text_in_another_language_has_no_confidence(headliner: Headliner, text: str) -> None:
    """The model of confidence knows English news only."""
    result = headliner.generate_one(text, nbest=3)
    assert "seems not to be English" in result.message
    assert result.kind != "headline"
    assert result.confidence is None
    assert [candidate.confidence for candidate in result.nbest] == [None] * len(result.nbest)
    assert (result.as_dict()["confidence"], result.as_dict()["questions"]) == (None, None)
    assert headliner.generate_one(text, only_sure=0.01).text == ""


def test_the_name_of_a_file_is_no_text(headliner: Headliner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "story.txt").write_text(STORIES[0])
    monkeypatch.chdir(tmp_path)
    for name in ("story.txt", str(tmp_path / "story.txt")):
        with pytest.raises(InputError, match=r"is the name of a file; pass its text: Path\("):
            headliner.generate_one(name)
        with pytest.raises(InputError, match=r"document 2: '.*' is the name of a file"):
            list(headliner.generate([STORIES[1], name]))
    assert headliner.generate_one(Document("1", "story.txt")).text  # a document says what it is
