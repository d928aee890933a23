"""Printed headlines within budgets of bytes: they fit, agree with their parts, and are the best that fit."""

import random
from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.decoder.test_proofs import require_no_complaint
from tests.headline.parses import parsed, words
from tests.headline.searches import searched
from tests.headline.trees import trees
from tests.proofs.headlines import SENTENCES, DrawnModel, Space, check_headlines, complaints
from widl.headline.model import CLAUSE_WEIGHTS
from widl.headline.options import HeadlineOptions
from widl.headline.printing import ClausePrinter
from widl.headline.punctuation import SentenceMarks, SurfaceWord, written_words_of
from widl.headline.words import Word

CASES = 320


def test_no_claim_of_a_printed_headline_is_refuted_by_writing_all_strings() -> None:
    """For all candidates: they fit, guards hold, and positions, phrases, confidence and score match the text."""
    require_no_complaint(partial(check_headlines, 0), CASES)


RACE = "Smith, Jones, Brown and White have won the big race in Paris on Sunday."


def test_commas_count_where_words_are_chosen() -> None:
    """Dropping words adds no commas, so a shorter headline is not the best fitting headline."""
    space = Space(DrawnModel("race"), parsed(RACE), dict(CLAUSE_WEIGHTS))
    texts = {}
    for most in range(20, len(RACE)):
        options = HeadlineOptions(words=0, bytes=most, max_seconds=0, nbest=20, ranked=0)
        assert list(complaints(space, options)) == []
        headline = searched(space.model, space.parsed, options, space.weights)
        if most < len("Smith, Jones, Brown and White win race"):  # a guard keeps joint subjects complete
            assert headline.kind in {"beginning", "none"}
            continue
        assert headline.optimal
        texts[most] = headline.text
    assert texts[41] == "Smith, Jones, Brown, White win big race"
    assert texts[len(texts[60])] == texts[60]
    assert any("," in text for text in texts.values())


def all_pairs(sentence: Sequence[Word]) -> set[tuple[int, int, str]]:
    count = len(sentence)
    pairs = ((before, i) for before in range(count) for i in range(before + 1, count))
    return {(before, i, marks) for before, i in pairs if (marks := SentenceMarks(sentence).between(before, i))}


@pytest.mark.parametrize("text", SENTENCES)
def test_all_marks_between_words_of_real_sentences_are_listed(text: str) -> None:
    [sentence] = words(text)
    assert set(SentenceMarks(sentence).all()) == all_pairs(sentence)


@given(trees())
def test_all_marks_between_words_are_listed(sentence: list[Word]) -> None:
    assert set(SentenceMarks(sentence).all()) == all_pairs(sentence)


def printed(printer: ClausePrinter, places: Sequence[int]) -> list[str]:
    result: list[str] = []
    run: tuple[int, ...] = ()
    for place in places:
        some, run = printer.step(run, place)
        result += some
    return [*result, *printer.end(run)]


@pytest.mark.parametrize("text", SENTENCES)
def test_a_lattice_prints_word_by_word_what_is_printed_as_a_whole(text: str) -> None:
    sentences = words(text)
    said = [SurfaceWord(word, 0, position) for position, word in enumerate(sentences[0])]
    printer = ClausePrinter(said, [0], sentences)
    rng = random.Random(text)
    for _ in range(200):
        part = rng.choice([0.3, 0.7, 0.95, 1.0])
        gone = {word.quotation for word in sentences[0] if word.quotation and rng.random() > part}
        places = [
            place
            for place, item in enumerate(said)
            if item.word.quotation not in gone and (item.word.quotation or rng.random() < part)
        ]
        assert printed(printer, places) == written_words_of([said[place] for place in places], sentences)


@given(trees(), st.data())
def test_words_of_any_tree_are_printed_word_by_word(sentence: list[Word], data: st.DataObject) -> None:
    said = [SurfaceWord(word, 0, position) for position, word in enumerate(sentence)]
    places = [place for place in range(len(said)) if data.draw(st.booleans())]
    expected = written_words_of([said[place] for place in places], [sentence])
    assert printed(ClausePrinter(said, [0], [sentence]), places) == expected
