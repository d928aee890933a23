"""A headliner of ``widl-paper``: precedence of weights, in this process and in others, and tuning."""

import pickle
from pathlib import Path

import pytest

from tests.pipeline.news import stories
from widl import tune
from widl.common.errors import InputError
from widl.headline import Document, HeadlineOptions, Headliner
from widl.headline.paper_search import PAPER_LAYOUT, PAPER_WEIGHTS
from widl.mert import TuningOptions

PAPER = HeadlineOptions(system="widl-paper")
NEW = [Document(story["id"], story["text"], (story["headline"],)) for story in stories(6, seed=3)]
LONG = {**PAPER_WEIGHTS, "word_count": 5.0}
SHORT = {**PAPER_WEIGHTS, "word_count": -5.0}


def lengths(headliner: Headliner, options: HeadlineOptions = PAPER) -> int:
    return sum(len(headline.text.split()) for headline in headliner.generate(NEW, options))


def test_weights_are_of_the_system_that_is_opened(headlines: Path) -> None:
    ours = Headliner(headlines)
    assert ours.system == "widl"
    paper = Headliner(headlines, system="widl-paper")
    assert (paper.weights, paper.features) == (PAPER_WEIGHTS, list(PAPER_LAYOUT.names))
    assert list(paper.generate(NEW, PAPER)) != list(ours.generate(NEW))
    for headline, same in zip(paper.generate(NEW, PAPER), ours.generate(NEW, PAPER), strict=True):
        assert (headline.text, headline.score, headline.optimal) == (same.text, same.score, True)
    assert [h.text for h in paper.generate(NEW, system="widl")] == [h.text for h in ours.generate(NEW)]
    assert [h.text for h in paper.generate(NEW)] == [h.text for h in ours.generate(NEW, system="widl-paper")]
    with pytest.raises(InputError, match=r"unknown features 'cuts', .*; this model has widl, lm0, lm1"):
        Headliner(headlines, weights=headlines / "weights.toml", system="widl-paper")
    with pytest.raises(InputError, match="unknown features 'widl', 'phrase_count'"):
        Headliner(headlines, weights=PAPER_WEIGHTS)


def test_other_weights_and_other_processes(headlines: Path) -> None:
    long = Headliner(headlines, system="widl-paper", weights=LONG)
    short = long.reweighted(SHORT)
    assert lengths(short) < lengths(long)
    for given in (long, short):
        with pytest.raises(InputError, match="given weights of 'widl-paper'; for 'widl' open another"):
            given.generate(NEW, system="widl")
        assert [h.text for h in given.generate(NEW, system="lead")] == [
            h.text for h in Headliner(headlines).generate(NEW, system="lead")
        ]
    own = Headliner(headlines, weights=Headliner(headlines).weights)
    with pytest.raises(InputError, match="given weights of 'widl'; for 'widl-paper' open"):
        own.generate_one(NEW[0].text, system="widl-paper")
    apart = Headliner(headlines).generate(NEW[:2], system="widl-paper", threads=2)
    assert [h.text for h in apart] == [h.text for h in Headliner(headlines).generate(NEW[:2], system="widl-paper")]
    again = pickle.loads(pickle.dumps(short))
    assert (again.system, again.weights) == ("widl-paper", SHORT)
    assert lengths(again) == lengths(short)
    apart = [headline.text for headline in short.generate(NEW, PAPER, threads=2)]
    assert apart == [headline.text for headline in short.generate(NEW, PAPER)]


def test_tuning(headlines: Path, tmp_path: Path) -> None:
    paper = Headliner(headlines, system="widl-paper")
    options = TuningOptions(nbest=10, max_iterations=2)
    result = tune(paper, NEW, directory=tmp_path / "job", options=options)
    assert result.weights.keys() == PAPER_WEIGHTS.keys()
    assert list(result.values) == ["rouge1x2_recall"]
    with pytest.raises(InputError, match="has the weights of 'widl'; to tune others open it with system='widl-paper'"):
        tune(Headliner(headlines), NEW, directory=tmp_path / "other", decoding=PAPER)
