"""The comparison of searches, on the sample corpus."""

import pytest

from tests.page import Page
from widl.errors import InputError
from widl.experiments.search import compare_searches, search_rows
from widl.experiments.search_page import write_search_page
from widl.experiments.search_table import search_table
from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:12]
NAMES = ("A*_0 positions estimate", "A*_2 words estimate", "cube 20", "cube 5000", "stack 10", "stack cube 400")


@pytest.fixture(scope="module")
def found(trained):
    rows = {name: options for name, options in search_rows().items() if name in NAMES}
    return compare_searches(Translator(trained), LINES, rows=rows, exact_limits=(4,))


def test_rows_are_chosen_by_the_beginning_of_their_names() -> None:
    assert list(search_rows(["A*_2 tiles", "stack cube 4"])) == [
        "A*_2 tiles bound", "A*_2 tiles estimate", "stack cube 400",
    ]  # fmt: skip
    paper = search_rows(["A*_2 positions bound"])["A*_2 positions bound"]
    assert paper == TranslationOptions(search="astar-k", k=2)
    with pytest.raises(InputError, match="no row begins with 'A\\*_9'; rows are A"):
        search_rows(["stack", "A*_9"])


def test_errors_are_counted_against_the_best(found) -> None:
    rows = {row.name: row for row in found.rows}
    assert set(rows) == set(NAMES)
    assert rows["cube 5000"].errors == 0
    assert rows["A*_0 positions estimate"].errors > 0
    assert rows["A*_0 positions estimate"].score < rows["cube 5000"].score
    assert all(row.gap >= 0 and row.words_per_second > 0 for row in found.rows)
    assert all(row.proved_errors is not None and row.proved_errors <= 1 for row in found.rows)
    assert sum(row.lines for row in found.exact) == len(LINES) == found.lines
    assert all(row.proved == row.lines for row in found.exact)


def test_table_and_picture(found, tmp_path) -> None:
    text = "\n".join(search_table(found))
    assert all(name in text for name in NAMES)
    assert f"{found.lines} lines, {found.words:,} source words, distortion limit 6" in text
    page = write_search_page(found, tmp_path).read_text(encoding="utf-8")
    shown = Page(page)
    assert all(name in shown.texts for name in NAMES)
    assert "limit 4, up to" in page
    assert shown.count("svg") == 1
    assert (tmp_path / "frontier.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.slow
def test_nothing_to_compare(trained) -> None:
    with pytest.raises(InputError, match="no lines"):
        compare_searches(Translator(trained), [])
