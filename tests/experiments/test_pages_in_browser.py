"""Long lists of a page in a real browser: they come by pieces, and are sorted and sifted as a whole."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import NEEDS_BROWSER, Window, opened_browser
from tests.experiments.test_side_by_side import translation
from widl.experiments.side_by_side import write_side_by_side

pytestmark = [pytest.mark.slow, NEEDS_BROWSER]
_LINES = 250
_PIECE = 100
_NUMBERS = (
    "return [...document.querySelectorAll('.list > article')].filter((one) => !one.hidden)"
    ".map((one) => Number(one.dataset.number))"
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every fifth line has two outputs; the scores of line n differ by 17 n modulo 250, in hundredths."""
    first = [translation(f"line {n}", -1.0) for n in range(_LINES)]
    second = [
        translation(f"line {n}" if n % 5 else f"other {n}", -1.0 - (17 * n % _LINES) / 100) for n in range(_LINES)
    ]
    return write_side_by_side(tmp_path_factory.mktemp("page"), {"first": first, "second": second})


@pytest.fixture
def window(page: Path, tmp_path: Path) -> Iterator[Window]:
    with opened_browser(tmp_path) as driver:
        driver.set_window_size(900, 700)
        driver.get(page.as_uri())
        yield (found := Window(driver))
        assert found.errors() == []


def numbers(window: Window) -> list[int]:
    found: list[int] = window.driver.execute_script(_NUMBERS)
    return found


def test_pieces_come_when_the_reader_comes_near(window: Window) -> None:
    assert numbers(window) == list(range(_PIECE))
    for piece in (2 * _PIECE, _LINES):
        window.driver.execute_script("scrollTo(0, document.body.scrollHeight)")
        window.wait(lambda piece=piece: len(numbers(window)) >= piece)
    assert numbers(window) == list(range(_LINES))
    assert not window.find(".more").is_displayed()


def test_pieces_come_to_a_reader_who_is_always_at_the_end(window: Window) -> None:
    """Who scrolls on as soon as a piece is there, before the browser has seen that the end was further down."""
    window.driver.execute_script(
        "const down = () => scrollTo(0, document.body.scrollHeight);"
        "new MutationObserver(down).observe(document.querySelector('.list'), {childList: true}); down();"
    )
    window.wait(lambda: len(numbers(window)) == _LINES)


def test_the_button_shows_more(window: Window) -> None:
    window.driver.execute_script("document.querySelector('.more button').click()")
    assert len(numbers(window)) >= 2 * _PIECE


def test_sorting_is_of_all_lines(window: Window) -> None:
    window.find("[data-key=score]").click()
    by_difference = sorted(range(_LINES), key=lambda n: (-(17 * n % _LINES), n))
    assert numbers(window) == by_difference
    window.find("[data-key=score]").click()
    assert numbers(window) == sorted(range(_LINES), key=lambda n: (17 * n % _LINES, n))
    window.find("[data-key=number]").click()
    assert numbers(window) == list(range(_LINES))


def test_only_where_outputs_differ_is_of_all_lines(window: Window) -> None:
    window.find(".differing").click()
    assert numbers(window) == list(range(0, _LINES, 5))
    window.find(".differing").click()
    assert len(numbers(window)) == _LINES
