"""Limits on states hold for the inputs and all searches of every front end."""

import json
from pathlib import Path

import pytest

from widl.combination import Combiner
from widl.decoder import Outcome
from widl.headline import Document, HeadlineOptions, Headliner
from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:6]
STORIES = (sample_corpus() / "documents.jsonl").read_text(encoding="utf-8").splitlines()[:4]


@pytest.mark.parametrize("search", ["astar", "astar-k", "beam", "cube", "bfs"])
def test_of_translations(trained: Path, search: str) -> None:
    """Pieces of a long line share the limit, and each gets at least one state."""
    translator = Translator(trained)
    for line in (LINES[0], "，".join(LINES) * 10):
        pieces = len(translator.tiles(line))
        whole = translator.translate_one(line, TranslationOptions(search="cube", distortion_limit=4))
        for limit in (1, 10, 300, 2_000):
            options = TranslationOptions(search=search, distortion_limit=4, max_states=limit)
            result = translator.translate_one(line, options)
            assert result.outcome is Outcome.found
            assert result.states <= max(limit, pieces)
            assert result.bound >= whole.score - 1e-6 * abs(whole.score)
            assert result.stopped in ("", "max_states")
            assert result.stopped == "max_states" or limit > 10


@pytest.mark.parametrize("system", ["widl", "widl-paper"])
def test_of_headlines(headlines: Path, system: str) -> None:
    headliner = Headliner(headlines)
    documents = [Document(str(n), json.loads(line)["text"]) for n, line in enumerate(STORIES)]
    for limit in (1, 20, 400):
        options = HeadlineOptions(system=system, max_states=limit)
        for result in headliner.generate(documents, options):
            assert result.states <= limit
            assert result.stopped in ("", "max_states")


def test_of_combinations() -> None:
    outputs = ["The cat sat on a mat today.", "A cat sat on the mat mat.", "The cat sits on the big mat sat."]
    whole = Combiner().combine_one(outputs)
    for limit in (1, 10, 30, 100, whole.states):
        result = Combiner().combine_one(outputs, max_states=limit)
        assert result.states <= limit
        assert result.bound is not None
        assert whole.score is not None
        assert result.bound >= whole.score - 1e-6
