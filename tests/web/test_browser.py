"""The workbench in a real browser: type, step, compare, play, save, by mouse and by keyboard, without console errors.

Needs Debian's packages chromium and chromium-driver.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import NEEDS_BROWSER, By, Keys, Select, Window, opened_browser
from tests.waiting import running
from widl.web.examples import EXAMPLES

pytestmark = [pytest.mark.slow, NEEDS_BROWSER]
_NO_BROWSER = os.environ | {"BROWSER": "true"}  # the program that opens pages
_WIDL = [sys.executable, "-c", "from widl.cli import main; main()"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [*_WIDL, "explore"]
    with running(command, stdout=subprocess.PIPE, text=True, env=_NO_BROWSER) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with opened_browser(tmp_path_factory.mktemp("chromium")) as result:
        yield result


@pytest.fixture
def window(driver: Any, address: str) -> Iterator[Window]:
    driver.get_log("browser")
    driver.get(address)
    result = Window(driver)
    result.wait_for("#search-verdict", "woman found the key")
    yield result
    assert result.errors() == []


def test_a_click_leads_to_where_the_string_was_lost(window: Window) -> None:
    window.find("#search-verdict .lost [data-goto]").click()
    window.wait_for("#search-view .panel:nth-child(2) .said", "Here “woman found the key” is lost.")
    assert window.text("#step-shown") == "9 of 15"
    assert "is lost" in window.driver.execute_script("return document.getElementById('told').textContent")


def test_steps_go_on_and_back_by_keyboard_and_play(window: Window) -> None:
    slider = window.find("#step")
    slider.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    window.wait_for(".panel h3", "step 3 of 15")
    slider.send_keys(Keys.ARROW_LEFT)
    window.wait_for(".panel h3", "step 2 of 15")
    window.find("[data-step=last]").click()
    window.wait_for(".panel .said", "The search ends")
    window.find("[data-step=back]").click()
    window.wait_for(".panel h3", "step 14 of 15")
    play = window.find("[data-step=play]")
    play.send_keys(Keys.SPACE)
    assert play.text == "Pause"
    window.wait(lambda: play.text == "Play")
    window.wait_for(".panel h3", "step 15 of 15")


def test_other_searches_are_compared(window: Window) -> None:
    Select(window.find("[data-place='1'] [name=search]")).select_by_value("cube")
    window.wait_for("#search-verdict", "Cube pruning")
    assert not window.find("[data-place='1'] [name=k]").is_displayed()
    assert window.find("[data-place='1'] [name=pop_limit]").is_displayed()
    Select(window.find("[data-place='1'] [name=search]")).select_by_value("")
    window.wait(lambda: len(window.driver.find_elements(By.CSS_SELECTOR, ".panel")) == 1)


def test_an_expression_is_typed_with_its_errors(window: Window) -> None:
    window.find("#tab-expression").click()
    window.wait_for("#expression-view", "24")
    window.fill("#expression-text", "∨{0.5, 0.6}(a, b)")
    window.wait_for("#expression-error", "the probabilities sum to 1.1, not to 1")
    assert window.find("#expression-text").get_attribute("aria-invalid") == "true"
    assert float(window.find("#expression-view").value_of_css_property("opacity")) < 0.5  # it is outdated
    window.fill("#expression-text", "∨{0.25, 0.75}(猫, b)")
    window.wait_for("#expression-view", "0.75")
    assert not window.find("#expression-error").is_displayed()
    assert float(window.find("#expression-view").value_of_css_property("opacity")) == 1
    Select(window.find("#example")).select_by_visible_text(EXAMPLES[1].name)
    window.wait_for("#expression-view", "the old woman")
    window.find("[data-open=search]").click()
    window.wait_for("#search-verdict", "the old woman")


def test_nothing_is_wider_than_a_phone_in_the_dark(window: Window) -> None:
    driver, width = window.driver, 400
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    try:
        for room, part in (("expression", "#expression-view"), ("headline", "#headline-view"), ("search", ".panel")):
            window.find(f"#tab-{room}").click()
            window.wait(lambda part=part: window.text(part))
            assert driver.execute_script("return document.documentElement.scrollWidth") <= width
        ground = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert sum(json.loads(f"[{ground[4:-1]}]")) < 3 * 128
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_saved_page_steps_without_the_workbench(window: Window, tmp_path: Path) -> None:
    driver = window.driver
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    window.find("#save").click()
    page = tmp_path / "widl-search.html"
    window.wait(page.exists)
    driver.get(page.as_uri())
    window.wait_for("#search-verdict", "woman found the key")
    window.find("#search-verdict .lost [data-goto]").click()
    window.wait_for(".panel:nth-child(2) .said", "Here “woman found the key” is lost.")
    window.find("#step").send_keys(Keys.END)
    window.wait_for(".panel .said", "The search ends")
    requests = driver.execute_script("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert requests == []


def test_a_line_is_translated_forced_and_searched(driver: Any, trained: Path) -> None:
    line = "一辆公共汽车在高速公路上发生事故。"
    command = [*_WIDL, "explore", trained, "--line", line]
    with running(command, stdout=subprocess.PIPE, text=True, env=_NO_BROWSER) as process:
        assert process.stdout is not None
        driver.get_log("browser")
        driver.get(process.stdout.readline().strip())
        window = Window(driver)
        window.wait_for("#translation-view .output", "bus")
        assert window.find(".token").get_attribute("lang") == "zh"
        names = driver.execute_script(
            "return [...document.querySelectorAll('.sliders label')].filter((label) => {"
            "const name = document.createRange(); name.selectNode(label.firstChild);"
            "return name.getBoundingClientRect().right > label.querySelector('input').getBoundingClientRect().left;"
            "}).map((label) => label.textContent)"
        )
        assert names == [], "names of features lie below the sliders"
        driver.set_window_size(430, 800)
        below = "return document.querySelector('{}').getBoundingClientRect().top"
        output = driver.execute_script(below.format("#translation-view .output"))
        sliders = driver.execute_script(below.format(".sliders"))
        assert output < sliders, "on a phone the translation comes first"
        driver.set_window_size(1200, 900)
        other = window.find(".tiles .alternative:not(.chosen)")
        expected = json.loads(other.get_attribute("data-force"))["words"]
        other.click()
        window.wait_for(".forced", f"→ {expected}")
        window.find(".forced [data-unforce]").click()
        window.wait(lambda: not driver.find_elements(By.CSS_SELECTOR, ".forced"))
        window.find("[data-force-form] [name=words]").send_keys("omnibus", Keys.ENTER)
        window.wait_for("#translation-view .output", "mnibus")
        window.find("#reset").click()
        window.wait(lambda: "mnibus" not in window.text("#translation-view .output"))
        score = window.text("#translation-view .output + p")
        window.find("[data-weight=word_count]").send_keys(Keys.END)
        window.wait(lambda: window.text("#translation-view .output + p") != score)
        window.find("[data-open=search-line]").click()
        window.wait_for("#search-verdict", "A* reached it")
        assert window.errors() == []
