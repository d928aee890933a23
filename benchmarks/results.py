"""Results in README and docs/results.md: made by commands, recorded in docs/results.toml, and compared when repeated.

    python benchmarks/results.py make [CLAIM …] --data FOLDER [FOLDER …]    # default: the small claims
    python benchmarks/results.py make CLAIM --data FOLDER --update          # record the new figures
    python benchmarks/results.py pages                                      # rewrite the tables of the pages

A claim is a table with the commands that produce it and the conditions under which its figures hold. Its commands run
in build/results/CLAIM, which has links to everything in the data folders and copies of docs/configurations. Figures
come from the last command: from the results of an experiment (`results` names its directory) or from its output, where
a pattern per row captures a figure per column. A claim's `tolerance` is the largest difference from a recorded figure;
0 compares digit by digit. Columns of times may differ by a factor of 1.5. A quote is a sentence of a page with figures
of claims; `pages` writes them, too.
"""

import argparse
import datetime
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast
from xml.sax.saxutils import escape

import tomlkit
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from widl.common.errors import InputError
from widl.common.files import write_text
from widl.experiments.results import Results, read_results
from widl.pages.tables import number_of

ROOT = Path(__file__).resolve().parents[1]
CLAIMS = ROOT / "docs" / "results.toml"
CONFIGURATIONS = ROOT / "docs" / "configurations"
PAGES = (ROOT / "README.md", ROOT / "docs" / "results.md")
PICTURES = ROOT / "docs" / "pictures"
TIME_FACTOR = 1.5
_TIMES = ("seconds", "s/", "ms/", "CPU s", "words/s")

Figures = dict[tuple[str, str], str]
"""Figures as displayed, by the names of their row and column."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Beside(_Record):
    """A publication's figures for rows of a claim, which stand in parentheses beside ours."""

    source: str
    rows: dict[str, list[str]] = Field(min_length=1)


class Picture(_Record):
    """A picture of a claim: a column against a column of times, whose axis is logarithmic."""

    file: str
    x: str
    y: str


class Claim(_Record):
    """A table of figures.

    `beside` and `published` have figures of other publications, which no command makes: beside ours, and in rows of
    their own, whose labels name the source.
    """

    title: str
    conditions: list[str] = Field(min_length=1)
    """Order and text of the language models, number and names of weights, case and tokenization of the metric, number
    of documents or lines.
    """
    tuned: str
    """The tuned weights and their data, and other variants tried on the same test set."""
    commands: list[str] = Field(min_length=1)
    needs: list[str] = []
    """Entries of the data folders that the commands read."""
    results: str = ""
    """Directory of the experiment written by the last command, whose `table` has the figures."""
    table: str = ""
    size: Literal["small", "large"] = "large"
    tolerance: float = Field(default=0.0, ge=0)
    date: datetime.date
    commit: str = Field(pattern="^([0-9a-f]{7,40}|unknown)$")
    cpu_seconds: float = Field(ge=0)
    columns: list[str] = Field(min_length=1)
    rows: dict[str, list[str]] = Field(min_length=1)
    beside: Beside | None = None
    picture: Picture | None = None
    published: dict[str, list[str]] = {}
    labels: dict[str, str] = {}
    """Names of rows on pages, if they differ from the names in the results."""
    patterns: dict[str, str] = {}

    @model_validator(mode="after")
    def _check(self) -> "Claim":
        beside = self.beside.rows if self.beside else {}
        if unknown := beside.keys() - self.rows.keys():
            raise ValueError(f"figures beside {min(unknown)!r}, which is no row")
        for label, cells in (*self.rows.items(), *self.published.items(), *beside.items()):
            if len(cells) != len(self.columns):
                raise ValueError(f"row {label!r} has {len(cells)} figures for {len(self.columns)} columns")
        if bool(self.results) == bool(self.patterns):
            raise ValueError("give either `results` with `table`, or `patterns`")
        if self.patterns and self.patterns.keys() != self.rows.keys():
            raise ValueError("`patterns` needs a pattern for each row")
        return self

    @property
    def figures(self) -> Figures:
        """The recorded figures; `-` if missing."""
        return {
            (row, column): cell
            for row, cells in self.rows.items()
            for column, cell in zip(self.columns, cells, strict=True)
        }


class Summary(_Record):
    """A row of README's table: figures of a claim, in words."""

    task: str
    paper: str
    figure: str
    """Text with figures as {claim/row/column}, as in `paper`."""
    claim: str = ""
    page: str = ""
    """The page with the conditions, if not at the claim in docs/results.md."""


class Quote(_Record):
    """A sentence of a page with figures of claims, which `pages` writes into it."""

    page: str
    text: str
    """The sentence with figures as {claim/row/column}, or {claim/row/column:1} with as many digits as named."""


_REFERENCE = re.compile(r"\{([^{}]+?)(?::(\d))?\}")


class Claims(_Record):
    """The file of claims."""

    readme: list[Summary]
    claim: dict[str, Claim]
    quote: list[Quote] = []

    def figure(self, reference: str) -> str:
        """The figure of a reference ``claim/row/column``."""
        name, row, column = reference.split("/", 2)
        try:
            return self.claim[name].figures[row, column]
        except KeyError:
            raise InputError(f"{CLAIMS}: no figure {reference!r}") from None

    def filled(self, text: str) -> str:
        """A text with its references replaced by figures, rounded to the digits that a reference names."""

        def figure(match: re.Match[str]) -> str:
            recorded = self.figure(match[1])
            if recorded == "-":
                raise InputError(f"{CLAIMS}: {match[1]!r} has not been made")
            return recorded if match[2] is None else f"{float(recorded.replace(',', '')):.{match[2]}f}"

        return _REFERENCE.sub(figure, text)


def read_claims(path: Path = CLAIMS) -> Claims:
    """The claims of a file; raises InputError that names missing parts."""
    try:
        return Claims.model_validate(tomlkit.parse(path.read_text(encoding="utf-8")).unwrap())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{path}: {where}: {first['msg']}") from None


# --- Making ---


def missing(claim: Claim, data: Sequence[Path]) -> list[str]:
    """Files required by a claim that no data folder has."""
    return [name for name in claim.needs if not any((folder / name).exists() for folder in data)]


def prepare(folder: Path, data: Sequence[Path]) -> None:
    """Prepares the folder for a claim's commands."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "benchmarks").symlink_to(ROOT / "benchmarks")
    (folder / "sample").symlink_to(ROOT / "src" / "widl" / "pipeline" / "sample")
    for file in CONFIGURATIONS.glob("*.toml"):
        shutil.copy(file, folder)
    for source in data:
        for entry in source.iterdir():
            if not (folder / entry.name).exists():
                (folder / entry.name).symlink_to(entry.resolve())


def make(name: str, claim: Claim, folder: Path) -> tuple[Figures, float]:
    """Runs a claim's commands in a prepared folder; returns its figures, and the CPU seconds of all commands."""
    environment = dict(os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = ""
    for command in claim.commands:
        print(f"{name}: {command}", file=sys.stderr, flush=True)
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False
        )
        if done.returncode:
            raise InputError(f"{name}: exit code {done.returncode} of: {command}")
        output = done.stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    made = of_results(claim, read_results(folder / claim.results)) if claim.results else of_output(claim, output)
    return made, seconds


def of_results(claim: Claim, results: Results) -> Figures:
    """The claim's figures in the results of an experiment."""
    table = results.table(claim.table)
    named = {column.name: column for column in table.columns}
    if tuned := [column for column in table.columns if column.name.startswith("dev ")]:  # with its metric's name
        named["dev"] = tuned[0]
    cells = {row.label: row.cells for row in table.rows}
    figures: Figures = {}
    for row, column in claim.figures:
        number = number_of(cells.get(row, {}).get(named[column].name)) if column in named else None
        figures[row, column] = "-" if number is None else f"{number:.{named[column].digits}f}"
    return figures


def of_output(claim: Claim, output: str) -> Figures:
    """The claim's figures in the output of its last command."""
    figures: Figures = {}
    for row, pattern in claim.patterns.items():
        match = re.search(pattern, output, re.MULTILINE)
        found = match.groups() if match else ["-"] * len(claim.columns)
        figures.update({(row, column): cell or "-" for column, cell in zip(claim.columns, found, strict=True)})
    return figures


def is_same(column: str, recorded: str, made: str, tolerance: float) -> bool:
    """Whether a repeated figure agrees with the recorded one."""
    if recorded == made:
        return True
    if "-" in (recorded, made):
        return False
    before, now = (float(figure.replace(",", "")) for figure in (recorded, made))
    if column.startswith(_TIMES):
        return max(before, now) <= TIME_FACTOR * min(before, now)
    return tolerance > 0 and abs(before - now) <= tolerance


def differences(claim: Claim, made: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """The figures that do not agree, one per line."""
    for (row, column), recorded in claim.figures.items():
        now = made.get((row, column), "-")
        if not is_same(column, recorded, now, claim.tolerance):
            yield f"{row}, {column}: recorded {recorded}, made {now}"


def record(path: Path, name: str, made: Figures, seconds: float) -> None:
    """Writes new figures, today's date and the commit into the file of claims."""
    document = tomlkit.parse(path.read_text(encoding="utf-8"))
    claim = cast("Any", document)["claim"][name]
    for row in claim["rows"]:
        claim["rows"][row] = [made[row, column] for column in claim["columns"]]
    claim["date"] = datetime.datetime.fromtimestamp(time.time(), tz=datetime.UTC).date()
    claim["commit"] = _commit() or "unknown"
    claim["cpu_seconds"] = round(seconds)
    with write_text(path) as out:
        out.write(tomlkit.dumps(document))


def _commit() -> str:
    """The short hash of the checked-out commit; empty outside a repository, as in a source archive."""
    revision = subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return revision.stdout.strip()


# --- Pages ---


def claim_table(claim: Claim) -> list[str]:
    """The Markdown of a claim: its table, conditions, commands, and date."""
    beside = claim.beside.rows if claim.beside else {}
    named = {
        claim.labels.get(row, row): [
            _with_theirs(ours, theirs) for ours, theirs in zip(cells, beside.get(row, ["-"] * len(cells)), strict=True)
        ]
        for row, cells in claim.rows.items()
    } | claim.published
    lines = [f"### {claim.title}", "", _markdown_row("", claim.columns)]
    lines.append("|".join(["", " --- ", *[" --: "] * len(claim.columns), ""]))
    lines += [_markdown_row(label, cells) for label, cells in named.items()]
    lines.append("")
    if claim.picture:
        lines += [f"![{claim.title}: {claim.picture.y} against {claim.picture.x}](pictures/{claim.picture.file})", ""]
    lines += [f"- in parentheses: {claim.beside.source}"] if claim.beside else []
    lines += [*(f"- {condition}" for condition in claim.conditions), f"- Tuned: {claim.tuned}"]
    cost = f" in {claim.cpu_seconds:,.0f} CPU s" if claim.cpu_seconds else ""
    lines.append(f"- Made {claim.date} by {claim.commit}{cost}:")
    return [*lines, "", "```sh", *claim.commands, "```"]


def _with_theirs(ours: str, theirs: str) -> str:
    """Our figure, and that of a publication in parentheses if it has one.

    >>> _with_theirs("67.4", "67.1"), _with_theirs("67.4", "-")
    ('67.4 (67.1)', '67.4')
    """
    return ours if theirs == "-" else f"{ours} ({theirs})"


_WIDTH, _HEIGHT, _MARGIN = 640, 320, 60


def drawn(claim: Claim, picture: Picture) -> str:
    """The picture of a claim in SVG: our rows are filled points, the publication's are rings."""
    points = [(row, *point, "ours") for row in claim.rows if (point := _point(claim, picture, claim.rows[row]))]
    beside = claim.beside.rows if claim.beside else {}
    points += [(row, *point, "theirs") for row in beside if (point := _point(claim, picture, beside[row]))]
    low, high = (math.floor(math.log10(min(p[1] for p in points))), math.ceil(math.log10(max(p[1] for p in points))))
    top = max(p[2] for p in points)

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - low) / (high - low)
        return _MARGIN + across * (_WIDTH - 2 * _MARGIN), _HEIGHT - _MARGIN + y / top * (2 * _MARGIN - _HEIGHT)

    lines = [_SVG_HEAD.format(width=_WIDTH, height=_HEIGHT)]
    for exponent in range(low, high + 1):
        x, y = place(10.0**exponent, 0)
        lines.append(f'<path class="grid" d="M{x:.1f} {y:.1f}V{_MARGIN / 2}"/>')
        lines.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{10.0**exponent:g}</text>')
    for value in ticks(top):
        x, y = place(10.0**low, value)
        lines.append(f'<path class="grid" d="M{x:.1f} {y:.1f}H{_WIDTH - _MARGIN}"/>')
        lines.append(f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    placed = [(row, *place(seconds, value)) for row, seconds, value, _ in points]
    for (*_, whose), (_, x, y) in zip(points, placed, strict=True):
        lines.append(f'<circle class="{whose}" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>')
    for (row, *_), (x, y) in zip(placed, label_places(placed), strict=True):
        lines.append(f'<text x="{x:.1f}" y="{y:.1f}">{escape(row)}</text>')
    lines.append(f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 18}" text-anchor="middle">{escape(picture.x)}</text>')
    key = f"{picture.y}; ● widl" + (f", ○ {claim.beside.source}" if claim.beside else "")
    lines.append(f'<text x="8" y="16">{escape(key)}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def ticks(top: float) -> list[float]:
    """Round numbers from 0 up to `top`, at most six.

    >>> ticks(75.2), ticks(1.4)
    ([0.0, 20.0, 40.0, 60.0], [0.0, 0.5, 1.0])
    """
    size = 10.0 ** math.floor(math.log10(top))
    step = next(step for factor in (0.2, 0.5, 1, 2) if top / (step := factor * size) < 6)
    return [round(number * step, 10) for number in range(math.floor(top / step) + 1)]


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""
_LETTER, _LINE = 6.6, 12.0  # width and height of a label's letters, at most


def label_places(points: Sequence[tuple[str, float, float]]) -> list[tuple[float, float]]:
    """Where each point's label begins, so that it covers no point and no other label.

    Each takes the first free place around its point, from near to far; without one, the place that covers least.
    """
    taken: list[Box] = [(x - 5, y - 5, x + 5, y + 5) for _, x, y in points]
    places = []
    for label, x, y in points:
        width = _LETTER * len(label)
        boxes = [
            (left, bottom - _LINE, left + width, bottom)
            for far in (0, 1, 2, 3)
            for left, bottom in (
                *((x + 8, y - 5 - far * _LINE), (x + 8, y + 5 + (far + 0.5) * _LINE)),
                *((x - 8 - width, y - 5 - far * _LINE), (x - 8 - width, y + 5 + (far + 0.5) * _LINE)),
                *((x - width / 2, y - 8 - far * _LINE), (x - width / 2, y + 8 + (far + 1) * _LINE)),
            )
            if _MARGIN <= left <= _WIDTH - width and bottom - _LINE >= _MARGIN / 3 and bottom <= _HEIGHT - _MARGIN
        ]
        best = min(boxes, key=lambda box: sum(_common_area(box, other) for other in taken))
        taken.append(best)
        places.append((best[0], best[3] - 2))
    return places


def _common_area(one: Box, other: Box) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(across, 0.0) * max(down, 0.0)


_SVG_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<style>text {{ font: 12px sans-serif; fill: #333 }} .grid {{ stroke: #ddd }} .ours {{ fill: #1f5fae }}
.theirs {{ fill: #fff; stroke: #b3541e; stroke-width: 2 }}</style>
<rect width="100%" height="100%" fill="#fff"/>"""


def _point(claim: Claim, picture: Picture, cells: Sequence[str]) -> tuple[float, float] | None:
    """The place of a row; None for one without a figure, or too fast for the digits of its time."""
    x, y = (cells[claim.columns.index(column)].replace(",", "") for column in (picture.x, picture.y))
    return None if "-" in (x, y) or float(x) == 0 else (float(x), float(y))


def _markdown_row(label: str, cells: Sequence[str]) -> str:
    return "| " + " | ".join([label, *cells]) + " |"


def readme_table(claims: Claims) -> list[str]:
    """README's table of results."""
    lines = ["| task, with its conditions | the paper, or others | `widl` |", "| --- | --- | --- |"]
    for row in claims.readme:
        paper, figure = claims.filled(row.paper), claims.filled(row.figure)
        page = row.page or f"results.md#{_anchor(claims.claim[row.claim].title)}"
        lines.append(f"| [{row.task}](docs/{page}) | {paper} | {figure} |")
    return lines


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def with_tables(text: str, claims: Claims) -> str:
    """A page with the tables of its markers ``<!-- results: NAME -->`` … ``<!-- end of results -->`` made anew."""

    def table(match: re.Match[str]) -> str:
        name = match["name"]
        lines = readme_table(claims) if name == "readme" else claim_table(claims.claim[name])
        return "\n".join([f"<!-- results: {name} -->", "", *lines, "", "<!-- end of results -->"])

    pattern = r"<!-- results: (?P<name>[\w-]+) -->\n.*?<!-- end of results -->"
    return re.sub(pattern, table, text, flags=re.DOTALL)


def with_quotes(text: str, quotes: Sequence[Quote], claims: Claims) -> str:
    """A page with the figures of its quotes made anew. A quote must stand in it once, with any numbers."""
    for quote in quotes:
        pattern = r"[\d.,]*\d".join(map(re.escape, _REFERENCE.sub("\0", quote.text).split("\0")))
        places = list(re.finditer(pattern, text))
        if len(places) != 1:
            raise InputError(f"{quote.page}: {len(places)} places with the quote {quote.text!r}; expected one")
        text = text[: places[0].start()] + claims.filled(quote.text) + text[places[0].end() :]
    return text


def page_texts(claims: Claims) -> Iterator[tuple[Path, str]]:
    """The pages that have tables or quotes of claims, and their texts with the recorded figures."""
    quoted = [ROOT / quote.page for quote in claims.quote]
    for page in dict.fromkeys([*PAGES, *quoted]):
        text = with_tables(page.read_text(encoding="utf-8"), claims)
        yield page, with_quotes(text, [quote for quote in claims.quote if ROOT / quote.page == page], claims)


def main() -> int:
    """Makes claims, or the pages; returns 1 if a figure differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["make", "pages"])
    parser.add_argument("claims", nargs="*", metavar="CLAIM")
    parser.add_argument("--data", nargs="*", type=Path, default=[], help="folders with the texts")
    parser.add_argument("--update", action="store_true", help="record the figures made")
    parser.add_argument("--file", type=Path, default=CLAIMS, help="file of claims")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "results")
    arguments = parser.parse_args()
    try:
        if arguments.task == "make":
            return make_all(arguments)
        claims = read_claims(arguments.file)
        for page, text in list(page_texts(claims)):
            with write_text(page) as out:
                out.write(text)
        for claim in claims.claim.values():
            if claim.picture:
                with write_text(PICTURES / claim.picture.file) as out:
                    out.write(drawn(claim, claim.picture))
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def make_all(arguments: argparse.Namespace) -> int:
    """Makes the named claims, or all small ones, and compares them with the recorded figures."""
    claims = read_claims(arguments.file).claim
    if unknown := [name for name in arguments.claims if name not in claims]:
        raise InputError(f"{arguments.file}: no claim {unknown[0]!r}; there are {', '.join(claims)}")
    for folder in arguments.data:
        if not folder.is_dir():
            raise InputError(f"{folder}: no such directory; name that of the texts: make results DATA=FOLDER")
    wrong = 0
    for name in arguments.claims or [name for name, claim in claims.items() if claim.size == "small"]:
        if absent := missing(claims[name], arguments.data):
            print(f"{name}: left out; no data folder has {' and '.join(absent)}")
            continue
        prepare(arguments.output / name, arguments.data)
        made, seconds = make(name, claims[name], arguments.output / name)
        lines = list(differences(claims[name], made))
        wrong += len(lines)
        print(f"{name}: {len(made)} figures in {seconds:.0f} CPU s, {len(lines)} differ")
        print("".join(f"  {line}\n" for line in lines), end="", flush=True)
        if arguments.update:
            record(arguments.file, name, made, seconds)
    return 1 if wrong and not arguments.update else 0


if __name__ == "__main__":
    sys.exit(main())
