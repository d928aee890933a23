"""A real browser for tests of pages: Debian's packages chromium and chromium-driver.

Without these, and without selenium, tests are skipped.
"""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

webdriver = pytest.importorskip("selenium.webdriver")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select, WebDriverWait  # noqa: E402

__all__ = ["NEEDS_BROWSER", "By", "Keys", "Select", "Window", "opened_browser"]
NEEDS_BROWSER = pytest.mark.skipif(
    not (shutil.which("chromium") and shutil.which("chromedriver")), reason="needs chromium"
)
_SECONDS = 60  # time limit for a page on a busy machine


class Window:
    """A browser window with a page."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def wait(self, condition: Any) -> Any:
        return WebDriverWait(self.driver, _SECONDS, poll_frequency=0.05).until(lambda _: condition())

    def find(self, selector: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        script = "return document.querySelector(arguments[0])?.innerText ?? ''"
        return " ".join(self.driver.execute_script(script, selector).split())

    def wait_for(self, selector: str, text: str) -> None:
        self.wait(lambda: text in self.text(selector))

    def fill(self, selector: str, text: str) -> None:
        field = self.find(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text)

    def errors(self) -> list[str]:
        """Console errors of the page, except refused requests, which tests cause on purpose."""
        return [line["message"] for line in self.driver.get_log("browser") if "status of 400" not in line["message"]]


@contextlib.contextmanager
def opened_browser(profile: Path) -> Iterator[Any]:
    """A headless browser, with its profile in an empty folder."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={profile}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()
