"""Make the small results again from docs/configurations, and compare them to the digit.

    python benchmarks/results.py DATA [--update]

DATA has the texts under the names that the configurations have. For each ``NAME.expected.tsv`` beside a configuration
``NAME.toml`` the experiment of its first line is run in build/results/NAME. The other lines are what it gave: table,
row, column and figure. ``--update`` writes them anew. Times are left out: they are never the same.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from widl.common.errors import InputError
from widl.common.files import read_lines, write_text
from widl.experiments.results import Results
from widl.pages.tables import number_of

ROOT = Path(__file__).resolve().parents[1]
Figures = dict[tuple[str, str, str], str]
_OF_TIME = ("seconds", "words/s", "speed")


def run(kind: str, config: Path, data: Path, folder: Path) -> Results:
    """The results of an experiment whose configuration names files of `data`."""
    folder.mkdir(parents=True, exist_ok=True)
    for source in data.iterdir():
        link = folder / source.name
        if not link.exists():
            link.symlink_to(source.resolve())
    shutil.copy(config, folder)
    command = [sys.executable, "-m", "widl", "experiment", kind, config.name, "--output", "out"]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise InputError(f"{config.name}: the experiment ended with exit code {done.returncode}")
    return Results.model_validate_json((folder / "out" / "results.json").read_text(encoding="utf-8"))


def figures_of(results: Results) -> Figures:
    """All figures but times, as tables show them."""
    found: Figures = {}
    for table in results.tables:
        for row in table.rows:
            for column in table.columns if row.cells and table.section == "Results" else ():
                if not column.name.startswith(_OF_TIME):
                    number = number_of(row.cells.get(column.name))
                    shown = "-" if number is None else f"{number:.{column.digits}f}"
                    found[table.name, row.label, column.name] = shown
    return found


def expected_of(file: Path) -> tuple[str, Figures]:
    """The kind of experiment, and the figures of a file."""
    first, *lines = read_lines(file)
    cells = [line.split("\t") for line in lines]
    if any(len(one) != 4 for one in cells):
        raise InputError(f"{file}: expected table, row, column and figure in each line but the first")
    return first.removeprefix("# "), {(table, row, column): figure for table, row, column, figure in cells}


def differences(expected: Figures, found: Figures) -> Iterator[str]:
    """What is not the same, a line each."""
    for key in dict.fromkeys([*expected, *found]):
        before, now = (figures.get(key, "nothing") for figures in (expected, found))
        if before != now:
            yield f"{', '.join(key)}: expected {before}, found {now}"


def main() -> int:
    """Compare, or update; 1 where a figure differs."""
    parser = argparse.ArgumentParser(description="Make the small results again and compare them.")
    parser.add_argument("data", type=Path, help="folder with the texts of the configurations")
    parser.add_argument("--update", action="store_true", help="write the figures found")
    parser.add_argument("--configurations", type=Path, default=ROOT / "docs" / "configurations")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "results")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        message = "no such directory; name that of the texts: make results DATA=FOLDER"
        print(f"error: {arguments.data}: {message}", file=sys.stderr)
        return 2
    wrong = 0
    for file in sorted(arguments.configurations.glob("*.expected.tsv")):
        name = file.name.removesuffix(".expected.tsv")
        try:
            kind, expected = expected_of(file)
            config = file.with_name(f"{name}.toml")
            found = figures_of(run(kind, config, arguments.data, arguments.output / name))
        except InputError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        if arguments.update:
            with write_text(file) as out:
                out.write(f"# {kind}\n")
                out.writelines("\t".join([*key, figure]) + "\n" for key, figure in found.items())
            continue
        lines = list(differences(expected, found))
        wrong += len(lines)
        print(f"{name}: {len(found)} figures, {len(lines)} differ")
        print("".join(f"  {line}\n" for line in lines), end="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
