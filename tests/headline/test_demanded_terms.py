"""Required and forbidden terms of headlines, compared with all strings of a document's expression."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.headline.parses import parsed
from tests.headline.searches import realized, searched
from tests.proofs.terms import has_term, random_term
from widl._core import Outcome
from widl.expressions import count_derivations
from widl.headline import HeadlineOptions, Headliner
from widl.headline.words import keys_of
from widl.pipeline.demo import sample_corpus

SAMPLE = (sample_corpus() / "documents.jsonl").read_text(encoding="utf-8").splitlines()
TEXTS = [
    "The New York Times Company said on Monday that it will buy a small paper in New York for 3 million dollars.",
    "Police in northern Italy arrested two men who had sold old, old paintings to a museum in Milan last year.",
    *(json.loads(line)["text"] for line in SAMPLE[:2]),
]
MAX_DERIVATIONS = 20_000


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS)
def test_the_best_headline_with_what_is_demanded_is_proved(text: str, headlines: Path) -> None:
    headliner, rng = Headliner(headlines), random.Random(text)
    plain = HeadlineOptions(words=14, bytes=0, max_seconds=0, ranked=0)
    search = headliner.searchable(parsed(text), plain)
    assert search is not None
    most = int(min(count_derivations(search.expression), MAX_DERIVATIONS))
    everything = realized(search, replace(plain, search="bfs", nbest=most), headliner.weights)
    assert everything.nbest_complete
    # Strings that differ only in spelling have equal keys.
    scores = {tuple(keys_of(item.text)): item.score for item in reversed(everything.nbest)}
    assert 5 < len(scores) < MAX_DERIVATIONS
    strings, impossible, overlapping = list(scores), 0, 0
    for _ in range(40):
        having = rng.choice(strings)
        must = [" ".join(random_term(rng, having)) for _ in range(rng.choice([1, 2, 3, 7]))]
        others = [" ".join(random_term(rng, rng.choice(strings))) for _ in range(rng.choice([0, 0, 1]))]
        without = [term for term in others if len(term.split()) > 1]  # a forbidden single word excludes its entire unit
        allowed = [
            score
            for words, score in scores.items()
            if all(has_term(words, term.split()) for term in must)
            and not any(has_term(words, term.split()) for term in without)
        ]
        options = replace(plain, must=must, without=without)
        result = searched(headliner.model, parsed(text), options, headliner.weights)
        overlapping += sum(map(len, map(str.split, must))) > len(having)
        if allowed:
            assert result.optimal
            assert result.score == pytest.approx(max(allowed), abs=1e-6)
            assert all(has_term(keys_of(result.text), term.split()) for term in must)
        else:
            impossible += 1
            assert (result.text, result.kind) == ("", "none")
    assert impossible < 20
    assert overlapping


def test_a_word_with_its_article_has_no_initials(headlines: Path) -> None:
    """*A strike* is not *as*, a form of which is *a*."""
    options = HeadlineOptions(words=14, bytes=0, must=["pay rise"], without=["a strike"], ranked=0)
    text = Headliner(headlines).generate_one(TEXTS[2], options).text
    assert "pay rise" in text


def test_unwanted_words_in_a_row(headlines: Path) -> None:
    """Each of them may appear alone."""
    headliner = Headliner(headlines)

    def text_of(*without: str) -> str:
        options = HeadlineOptions(words=8, bytes=0, without=without)
        return searched(headliner.model, parsed(TEXTS[0]), options, headliner.weights).text

    words = text_of().split()
    pair = " ".join(words[:2])
    assert pair not in text_of(pair)
    assert words[0] not in text_of(words[0]).split()


def test_demanded_terms_are_written_in_full(headlines: Path) -> None:
    text = "Shares of Acme Motor rose 4.5 percent on Monday. Acme sold a plant in Norvik to a rival."
    headliner = Headliner(headlines)
    assert headliner.generate_one(text).text.endswith("4.5%")
    assert "Acme Motor" not in headliner.generate_one(text).text
    assert headliner.generate_one(text, must=["4.5 percent", "Acme Motor"]).text.endswith("4.5 percent")


def test_without_a_headline_there_is_a_reason(headlines: Path) -> None:
    """Whatever the cause: the search, the terms, or a text without words."""
    headliner = Headliner(headlines)
    story = "Acme Motor sold a plant in Norvik to a rival on Monday."
    empty = headliner.generate_one(story, must=["Paris"])
    assert (empty.outcome, empty.text) == (Outcome.proved_empty, "")
    for result in (empty, headliner.generate_one("... !"), headliner.generate_one(story, words=1, bytes=0)):
        assert result.failed
        assert result.failure
        assert result.failure in result.message
        assert "\n" not in result.failure
    assert "Paris" in empty.failure
    assert headliner.generate_one(story).failure == ""
