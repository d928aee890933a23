"""`widl explore` from the command line, except for its page (tests/explore)."""

from pathlib import Path

import pytest

from tests.command import refused, widl
from tests.page import Page

pytestmark = pytest.mark.slow


def test_a_view_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "view.html"
    result = widl("explore", "--search", "astar", "--search", "astar-1", "--save", file)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    page = file.read_text(encoding="utf-8")
    Page(page)
    assert "woman found the key" in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--search", "dfs"], "--search dfs: choose one of bfs, astar, astar-k, beam, stack, cube, and astar-1"),
        (["no-such-model"], "no-such-model: no such directory"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, arguments, message) -> None:
    assert message in refused(widl("explore", *arguments, "--save", tmp_path / "x.html"))
    assert not (tmp_path / "x.html").exists()


def test_a_document_needs_a_headline_model(tmp_path: Path) -> None:
    document = tmp_path / "story.txt"
    document.write_text("Rain fell.\n")
    message = refused(widl("explore", "--document", document))
    assert message == "--document needs a headline model: widl explore MODEL --document FILE"


def test_the_fault_of_an_expression_is_shown(tmp_path: Path) -> None:
    result = widl("explore", "--expression", "∥(a,", "--save", tmp_path / "x.html")
    assert result.returncode == 2
    assert result.stderr.decode().splitlines()[1:] == ["∥(a,", "    ^"]
