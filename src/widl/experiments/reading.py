"""Reading sheets: headlines of unnamed systems in random order, to be marked true or false and readable or not.

`write_reading_sheet` makes two files of an experiment's results: a sheet of tab-separated values for the reader, and
the key that says which system made what. `reading_summary` counts the marks by system.
"""

import csv
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError
from widl.common.files import write_text
from widl.experiments.results import Results

SHEET, KEY = "reading.tsv", "reading-key.tsv"
DOCUMENTS = 200
_COLUMNS = ("document", "headline", "true", "readable", "text", "words")
_KEY_COLUMNS = ("document", "headline", "system")
_BEGINNING = 600  # characters of a text that the reader sees
_MARKS = {"y": True, "yes": True, "1": True, "n": False, "no": False, "0": False}


@dataclass(frozen=True)
class Reading:
    """A system's marks: headlines read, and how many are true, readable, and both."""

    system: str
    read: int
    true: int
    readable: int
    both: int


def write_reading_sheet(
    results: Results, directory: PathLike, *, documents: int = DOCUMENTS, seed: int = 1
) -> tuple[Path, Path]:
    """Write the sheet and its key for a random sample of the test documents; of several runs the first is read.

    Equal headlines of a document are one line of the sheet.
    """
    directory = path_of(directory, "directory")
    [test] = results.sets
    generator = random.Random(seed)
    numbers = sorted(generator.sample(range(len(test.items)), min(documents, len(test.items))))
    sheet: list[Sequence[object]] = []
    key: list[Sequence[object]] = []
    for number in numbers:
        by_text: dict[str, list[str]] = {}
        for name, runs in test.systems.items():
            by_text.setdefault(runs[0].outputs[number], []).append(name)
        texts = sorted(by_text)
        generator.shuffle(texts)
        for letter, text in enumerate(texts):
            label = chr(ord("A") + letter)
            beginning = " // ".join(test.items[number].input.split("\n"))[:_BEGINNING]
            sheet.append((number + 1, label, "", "", text, beginning))
            key += [(number + 1, label, name) for name in by_text[text]]
    _write(directory / SHEET, _COLUMNS, sheet)
    _write(directory / KEY, _KEY_COLUMNS, key)
    return directory / SHEET, directory / KEY


def reading_summary(sheet: PathLike) -> list[Reading]:
    """The marks of a sheet by system, with the key beside it; lines without marks are not counted.

    Raises:
        InputError: A mark is neither y nor n, or a line has only one.
    """
    sheet = path_of(sheet, "sheet")
    marked = _read(sheet, _COLUMNS)
    systems: dict[tuple[str, str], list[str]] = {}
    for _, row in _read(sheet.with_name(KEY), _KEY_COLUMNS):
        systems.setdefault((row["document"], row["headline"]), []).append(row["system"])
    counts: dict[str, list[tuple[bool, bool]]] = {}
    for number, row in marked:
        marks = [_mark(sheet, number, name, row[name]) for name in ("true", "readable")]
        if marks == [None, None]:
            continue
        true, readable = marks
        if true is None or readable is None:
            raise InputError(f"{sheet}:{number}: one mark of two; mark 'true' and 'readable' with y or n")
        for name in systems.get((row["document"], row["headline"]), []):
            counts.setdefault(name, []).append((true, readable))
    return [
        Reading(
            name,
            len(marks),
            sum(true for true, _ in marks),
            sum(readable for _, readable in marks),
            sum(true and readable for true, readable in marks),
        )
        for name, marks in sorted(counts.items())
    ]


def reading_table(readings: Iterable[Reading]) -> str:
    """The counts as a table, in percent of the headlines read."""
    lines = [f"{'':16}{'read':>6}{'true %':>9}{'readable %':>12}{'both %':>9}"]
    for reading in readings:
        shares = [100 * count / reading.read for count in (reading.true, reading.readable, reading.both)]
        lines.append(f"{reading.system:16}{reading.read:6}{shares[0]:9.1f}{shares[1]:12.1f}{shares[2]:9.1f}")
    return "\n".join(lines) + "\n"


def _mark(sheet: Path, line: int, name: str, text: str) -> bool | None:
    mark = text.strip().lower()
    if not mark:
        return None
    if mark not in _MARKS:
        raise InputError(f"{sheet}:{line}: the mark {text!r} under {name!r}; expected y or n")
    return _MARKS[mark]


def _write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with write_text(path) as file:
        writer = csv.writer(file, dialect="excel-tab", lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def _read(path: Path, columns: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, dialect="excel-tab")
            missing = [name for name in columns if name not in (reader.fieldnames or ())]
            if missing:
                raise InputError(f"{path}: no column {missing[0]!r}; this is no reading sheet or key")
            return [(reader.line_num, row) for row in reader]
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; a sheet and its key stand side by side") from None
