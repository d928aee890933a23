"""Reading sheets: what is written, and how marks are counted."""

import csv
from pathlib import Path

import pytest

from tests.experiments.found import make_experiment
from widl.cli import main
from widl.common.errors import InputError
from widl.experiments.reading import KEY, SHEET, Reading, reading_summary, reading_table, write_reading_sheet

LINES = [("1", "A", "y", "y"), ("1", "B", "n", "Y"), ("2", "A", "yes", "no"), ("2", "B", "", "")]
SYSTEMS = [("1", "A", "widl"), ("1", "A", "lead"), ("1", "B", "webcl"), ("2", "A", "widl"), ("2", "B", "lead")]


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    lines = ["document\theadline\ttrue\treadable\ttext\twords"]
    lines += ["\t".join((*line, "A headline", "Its text")) for line in LINES]
    (tmp_path / SHEET).write_text("\n".join(lines) + "\n", encoding="utf-8")
    key = ["document\theadline\tsystem", *("\t".join(line) for line in SYSTEMS)]
    (tmp_path / KEY).write_text("\n".join(key) + "\n", encoding="utf-8")
    return tmp_path / SHEET


def test_marks_are_counted_by_system(
    sheet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [Reading("lead", 1, 1, 1, 1), Reading("webcl", 1, 0, 1, 0), Reading("widl", 2, 2, 1, 1)]
    assert reading_summary(sheet) == expected
    monkeypatch.setattr("sys.argv", ["widl", "experiment", "reading", str(sheet)])
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code
    assert capsys.readouterr().out == reading_table(expected)
    assert reading_table(expected).splitlines()[3].split() == ["widl", "2", "100.0", "50.0", "50.0"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1\tA\ty\ty", "1\tA\tmaybe\ty", ":2: the mark 'maybe' under 'true'; expected y or n"),
        ("1\tA\ty\ty", "1\tA\t\ty", ":2: one mark of two"),
        ("readable", "legible", "no column 'readable'"),
    ],
)
def test_sheets_that_are_none(sheet: Path, old: str, new: str, message: str) -> None:
    sheet.write_text(sheet.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        reading_summary(sheet)


def test_a_sheet_without_its_key(sheet: Path) -> None:
    sheet.with_name(KEY).unlink()
    with pytest.raises(InputError, match="a sheet and its key stand side by side"):
        reading_summary(sheet)


def test_the_sheet_of_an_experiment(tmp_path: Path) -> None:
    """Each system's headline of each document is under some letter, and the sheet names no system."""
    results = make_experiment(tmp_path / "experiment")
    paths = write_reading_sheet(results, tmp_path, documents=3, seed=3)
    again = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in write_reading_sheet(results, tmp_path, documents=3, seed=3)] == again
    rows = {}
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            rows[path.name] = list(csv.DictReader(file, dialect="excel-tab"))
    texts = {(row["document"], row["headline"]): row["text"] for row in rows[SHEET]}
    [test] = results.sets
    assert len({row["document"] for row in rows[SHEET]}) == 3
    assert len(rows[KEY]) == 3 * len(test.systems)
    for row in rows[KEY]:
        made = test.systems[row["system"]][0].outputs[int(row["document"]) - 1]
        assert texts[row["document"], row["headline"]] == made
    assert "<second>" not in paths[0].read_text(encoding="utf-8")
