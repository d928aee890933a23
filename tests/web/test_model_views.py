"""Translations and headlines in the workbench, from models of the sample corpus."""

import re
from html import escape, unescape
from pathlib import Path

import pytest

from tests.page import Page
from tests.web.test_search_view import text_of
from widl.common.errors import InputError
from widl.headline import HeadlineOptions, Headliner
from widl.headline.documents import Document
from widl.headline.parsed_words import sentences_of
from widl.translation import TranslationOptions, Translator
from widl.web import HeadlineView, LineSpace, SearchChoice, SearchView, TranslationView, ViewRequest, Workbench
from widl.web.translation_view import ForcedTranslation

LINE = "一辆公共汽车在高速公路上发生事故，10人受伤。"
STORY = """Rail unions called off a national strike planned for Friday after train companies raised their pay offer.
The new offer would give drivers and guards a pay rise of six percent this year.
Commuters had been told to work from home."""


def output_of(html: str) -> str:
    result = re.search(r'<p class="output">(.*?)</p>', html)
    assert result
    return unescape(result[1])


def test_a_line_is_translated_as_ever(translator: Translator) -> None:
    view = TranslationView(translator, LINE)
    html = view.html()
    expected = translator.translate_one(LINE, TranslationOptions(nbest=5))
    assert output_of(html) == expected.text
    for candidate in expected.nbest:
        assert candidate.text in unescape(html)
    chosen = re.findall(r'class="alternative chosen"[^>]*>(.*?) <small>', html)
    assert sorted(map(unescape, chosen)) == sorted(" ".join(phrase.words) for phrase in expected.phrases)
    assert str(html) in view._repr_html_()


def test_weights_search_again(translator: Translator) -> None:
    weights = {**translator.weights, "word_count": translator.weights["word_count"] + 2}
    expected = translator.reweighted(weights).translate_one(LINE)
    assert output_of(TranslationView(translator, LINE, weights=weights).html()) == expected.text
    with pytest.raises(InputError, match="unknown feature 'color'"):
        TranslationView(translator, LINE, weights={"color": 1.0}).html()


def test_a_span_is_forced(translator: Translator) -> None:
    tokens = translator.tokens(LINE)
    at = tokens.index("公共汽车")
    forced = (ForcedTranslation(begin=at, end=at + 1, words="double-decker omnibus"),)
    html = TranslationView(translator, LINE, forced=forced).html()
    assert "double-decker omnibus" in output_of(html)
    assert "double-decker omnibus" not in output_of(TranslationView(translator, LINE).html())
    for wrong in (
        [ForcedTranslation(begin=3, end=2, words="x")],
        [ForcedTranslation(begin=0, end=99, words="x")],
        [forced[0], forced[0]],
    ):
        with pytest.raises(InputError, match="can't be given a translation"):
            TranslationView(translator, LINE, forced=wrong).html()


@pytest.mark.parametrize(
    ("choice", "options"),
    [
        (SearchChoice(search="astar-k", k=2, k_unit="positions"), TranslationOptions(search="astar-k")),
        (SearchChoice(search="stack", beam=1e-5, size=100), TranslationOptions(decoder="stack")),
    ],
)
def test_what_is_watched_is_what_translate_does(translator: Translator, choice, options) -> None:
    expected = translator.translate_one(LINE, options)
    result = LineSpace(translator, LINE).realize(choice, record=10**6)
    assert result.score == pytest.approx(expected.score)
    if choice.search != "astar":  # `translate` uses sweeps if movement is limited
        assert result.statistics.states == expected.states


@pytest.mark.parametrize("name", ["astar-k", "cube"])
def test_searches_of_a_line_are_watched(translator: Translator, name: str) -> None:
    space = LineSpace(translator, LINE)
    choice = SearchChoice.model_validate({"search": name, "k": 2, "k_unit": "positions", "pop_limit": 50, "beam": 0.01})
    view = SearchView.of(space, choice)
    [item] = view.searches
    typed = translator.translate_one(LINE).text
    messages = text_of(view.at(0, string=typed).verdict())
    assert f"{choice.title} reached it" in messages or f"{choice.title} came as far as" in messages
    for step in sorted({0, 1, view.steps // 3, view.steps // 2, view.steps - 1}):
        moment = item.replay.at(step)
        assert moment.upper >= item.result.score - 1e-6
        assert text_of(view.at(step).html())
    assert "The search ends" in text_of(view.at(view.steps - 1).html())


def test_a_translation_is_saved(translator: Translator) -> None:
    page = Workbench(translator=translator).save(ViewRequest(room="translation", line=LINE))
    Page(page)
    assert '<p class="about" lang="zh">' in page


def test_a_headline_stands_in_its_document(headlines: Path) -> None:
    headliner = Headliner(headlines)
    [parsed] = headliner.parse([Document("1", STORY)])
    expected = headliner.generate_one(parsed, HeadlineOptions(nbest=3))
    view = HeadlineView(headliner, STORY)
    html = view.html()
    assert output_of(html) == expected.text
    sentences = sentences_of(parsed)
    assert expected.nbest
    for candidate in expected.nbest:
        words = [sentences[sentence][position] for sentence, position in candidate.places]
        said = " ".join(candidate.phrases).split(" ")
        assert len(words) == len(said)
        assert sum(word.text.lower() == item.lower() for word, item in zip(words, said, strict=True)) >= len(said) - 2
    shown = re.findall(r'<span class="said-word[^>]*>([^<]*)</span>', html)[1:]  # the first explains the box
    places = sorted(set(expected.best.places))
    assert [re.sub(r"\W*$", "", text) for text in shown] == [sentences[s][p].text for s, p in places]
    Page(Workbench(headliner=headliner).save(ViewRequest(room="headline", document=STORY)))
    judgment = expected.judgment
    assert judgment is not None
    for value in (judgment.true, judgment.readable, judgment.news):
        assert f"<td>{value:.2f}</td>" in html
    assert f"confidence {expected.confidence:.2f} · {expected.kind} · at most 12 words · score" in html
    explanation = headliner.generate_one(parsed, HeadlineOptions(explain=True)).explanation
    assert explanation is not None
    for part, probability in explanation.left_out:
        assert f"{escape(part)}</th><td>left out; such parts are with probability {probability:.2f}" in html
    for part, guard, _ in explanation.guards:
        assert f"{escape(part)}</th><td>kept by the guard {guard}:" in html
    assert explanation.left_out or explanation.guards
    few = HeadlineView(headliner, STORY, bytes=30).html()
    assert len(output_of(few).encode()) <= 30
    assert "at most 12 words and 30 bytes" in few
    assert "Paste a text" in HeadlineView(headliner, "").html()
