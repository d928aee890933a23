"""The comparison of searches, on the sample corpus."""

from typing import Any

import pytest

from widl.common.errors import InputError
from widl.experiments.results import Results
from widl.experiments.search import compare_searches, search_rows
from widl.pages.tables import Table
from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:12]
NAMES = ("A*_0 positions estimate", "A*_2 words estimate", "cube 20", "cube 5000", "stack 10", "stack cube 400")


@pytest.fixture(scope="module")
def found(trained):
    rows = {name: options for name, options in search_rows().items() if name in NAMES}
    return compare_searches(Translator(trained), LINES, rows=rows, exact_limits=(4,))


def test_rows_are_chosen_by_the_beginning_of_their_names() -> None:
    assert list(search_rows(["A*_2 words", "stack cube 4"])) == [
        "A*_2 words bound", "A*_2 words estimate", "stack cube 400",
    ]  # fmt: skip
    paper = search_rows(["A*_2 positions bound"])["A*_2 positions bound"]
    assert paper == TranslationOptions(search="astar-k", k=2)
    with pytest.raises(InputError, match="no row begins with 'A\\*_9'; rows are A"):
        search_rows(["stack", "A*_9"])


def column(table: Table, name: str) -> dict[str, Any]:
    return {row.label: row.cells[name] for row in table.rows}


def test_errors_are_counted_against_the_best(found: Results) -> None:
    searches, exact = found.tables
    errors, scores = column(searches, "errors vs best %"), column(searches, "model score")
    assert set(errors) == set(NAMES)
    assert errors["cube 5000"] == 0
    assert errors["A*_0 positions estimate"] > 0
    assert scores["A*_0 positions estimate"] < scores["cube 5000"]
    assert min(column(searches, "gap to bound").values()) >= 0
    assert min(column(searches, "words/s").values()) > 0
    assert all(share is not None and share <= 100 for share in column(searches, "of proved %").values())
    assert sum(column(exact, "lines").values()) == len(LINES)
    assert column(exact, "lines") == column(exact, "proved")
    assert [label.partition(",")[0] for label in column(exact, "lines")] == ["limit 4"] * len(exact.rows)


@pytest.mark.slow
def test_nothing_to_compare(trained) -> None:
    with pytest.raises(InputError, match="no lines"):
        compare_searches(Translator(trained), [])
