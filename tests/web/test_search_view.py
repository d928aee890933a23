"""Searches explained in a page: the workbench's first example, every search, and strings typed by users."""

import re
from html import unescape
from itertools import cycle

import pytest

from tests.page import Page
from widl.decoder import RealizationOptions, Realizer
from widl.expressions import parse_expression
from widl.web import ExpressionSpace, ExpressionView, SearchChoice, SearchView, ViewRequest, Workbench
from widl.web.examples import EXAMPLES, example_model

ASTAR_1 = SearchChoice(search="astar-k", k=1)
CHOICES = [
    SearchChoice(search="astar"),
    ASTAR_1,
    SearchChoice(search="astar-k", k=0, order="estimate", k_unit="positions"),
    SearchChoice(search="bfs"),
    SearchChoice(search="beam", beam=0.5),
    SearchChoice(search="beam", beam=1e-9, size=1),
    SearchChoice(search="stack", beam=0.01),
    SearchChoice(search="cube", pop_limit=2),
]


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def view_of(expression: str, *choices: SearchChoice) -> SearchView:
    return SearchView.of(ExpressionSpace(parse_expression(expression), [example_model()]), *choices)


def test_the_first_example_shows_why_a_star_1_errs() -> None:
    """Its best string begins with an unpromising word. By then, A*_1 has three words, and may lag by one."""
    view = view_of(EXAMPLES[0].expression, SearchChoice(), ASTAR_1)
    exact, inexact = view.searches
    assert exact.text == "woman found the key"
    assert inexact.text == "the woman found key"
    assert exact.result.optimal
    followed = inexact.replay.follow([phrase.number for phrase in exact.result.phrases])
    assert (followed.why, followed.stops[-1].words) == ("pruned", ["woman"])
    assert followed.lost is not None
    assert (followed.lost.length, followed.lost.longest) == (1, 3)
    assert followed.lost.bound > inexact.result.score, "the pruned state's bound exceeds the score found"
    messages = text_of(view.verdict())
    assert "it has 1 word, the longest expanded state has 3" in messages
    assert "can score up to −10.72, more than the −12.40 that A*₁ found. It was pruned unseen" in messages
    assert "and with it this string, which scores 1.02 higher." in messages
    assert "A* prunes nothing: it kept “woman” in the queue and expanded it at step 11 . It reached the" in messages
    assert "and k = 1 allows a lag of 1, not 2 ( step 9 )." in messages
    at_loss = text_of(view.at(followed.step).html())
    assert "Here “woman found the key” is lost." in at_loss


@pytest.mark.parametrize(("example", "choice"), [*zip(cycle(EXAMPLES), CHOICES, strict=False)])
def test_every_search_of_the_examples_is_told(example: object, choice: SearchChoice) -> None:
    expression = parse_expression(example.expression)  # type: ignore[attr-defined]
    view = view_of(example.expression, choice)  # type: ignore[attr-defined]
    [item] = view.searches
    shorter = {"k": choice.k, "k_unit": choice.k_unit, "order": choice.order}
    layers = {"beam": choice.beam, "stack_size": choice.size}
    own = {"astar-k": shorter, "beam": layers, "stack": layers, "cube": {"pop_limit": choice.pop_limit}}
    options = RealizationOptions(search=choice.search, bound=choice.bound, **own.get(choice.search, {}))
    plain = Realizer([example_model()]).realize_one(expression, options)
    assert (item.text, item.result.score, item.result.statistics.states) == (plain.text, plain.score, plain.states)
    best = Realizer([example_model()]).realize_one(expression)
    messages = text_of(view.at(0, string=best.text).verdict())
    assert (f"{choice.title} reached it" in messages) or (f"{choice.title} reached" in messages)
    for step in range(view.steps):
        assert text_of(view.at(step).html())
    assert "The search ends" in text_of(view.at(view.steps - 1).html())


def test_a_string_that_the_expression_does_not_have_is_said_so() -> None:
    view = view_of("∥(woman, found)", SearchChoice())
    assert "“woman found key” is none of the strings" in text_of(view.at(0, string="woman found key").verdict())


def test_markup_in_words_is_text() -> None:
    view = view_of('∥("<script>x</script>", "&amp;")', SearchChoice(), ASTAR_1)
    assert "<script>x" not in view.verdict() + view.html()
    assert "<script>x" not in ExpressionView(parse_expression('∥("<script>x</script>", "&amp;")')).html()


def test_a_saved_search_has_its_steps_within() -> None:
    page = Workbench().save(ViewRequest(room="search", step=9))
    Page(page)
    assert "Here “woman found the key” is lost." in text_of(page)
    assert page.count('"search-view"') > 15, "a view for each step"
    assert 'class="stepper"' in page


def test_a_large_acceptor_is_not_drawn() -> None:
    html = ExpressionView(parse_expression("∥(a, b, c, d, e, f, g, h, i, j, k)")).html()
    assert "the acceptor has more arcs than the limit" in html
    assert "39,916,800" in html
